//! Serialization of a classifier's decision regions for the viewer.

use serde_json::{Value, json};

use super::decision_raster;
use super::page::{NONE, base64_u32s};
use crate::classify::{Classifier, Model, Space};
use crate::special::log_zeta;

/// A two-dimensional classifier as the formulas of its scores, or, for non-parametric models, as a raster of its
/// predictions.
///
/// The prediction is the class with the largest score. Gaussians score ln(w/ζ(σ)) − d²/2σ²; hyperplanes slope·asinh⟨n,
/// X⟩ + intercept with X on the hyperboloid, or slope·⟨n, (1, v)⟩ + intercept with v the tangent vector at the origin.
/// The raster is run-length encoded.
pub(super) fn to_json(classifier: &Classifier) -> Option<Value> {
    match &classifier.model {
        Model::Gaussians(gaussians) => {
            let mixture = gaussians.mixture().hyperbolic()?;
            let log_coefficient = |k: usize| finite(mixture.weights[k].ln() - log_zeta(2, mixture.scales[k]));
            Some(json!({
                "kind": "gaussians",
                "means": mixture.means.rows().collect::<Vec<_>>(),
                "scales": mixture.scales,
                "logCoefficients": (0..mixture.len()).map(log_coefficient).collect::<Vec<f64>>(),
            }))
        }
        Model::Linear(linear) => Some(json!({
            "kind": "hyperplanes",
            "hyperbolic": linear.space == Space::Hyperbolic,
            "normals": linear.normals.rows().collect::<Vec<_>>(),
            "slopes": linear.slopes,
            "intercepts": linear.intercepts,
        })),
        Model::Neighbors(_) | Model::ClassFrequencies(_) => {
            let predictions: Vec<u32> = decision_raster::predictions(classifier)
                .into_iter()
                .map(|class| class.map_or(NONE, |k| k as u32))
                .collect();
            let runs =
                decision_raster::run_lengths(&predictions).flat_map(|(class, count)| [class, count as u32]);
            Some(json!({ "kind": "raster", "side": decision_raster::SIDE, "runs": base64_u32s(runs) }))
        }
    }
}

/// A note on how the regions were computed.
pub(super) fn note(classifier: &Classifier) -> Option<String> {
    match &classifier.model {
        Model::Gaussians(_) | Model::Linear(_) => None,
        Model::Neighbors(_) => Some(format!(
            "decision regions of knn are evaluated on a raster of {0} × {0} points, which is coarser towards the \
             boundary",
            decision_raster::SIDE
        )),
        Model::ClassFrequencies(_) => Some("the model predicts the majority class everywhere".into()),
    }
}

/// JSON has no infinity; a class with zero weight gets the lowest finite score.
fn finite(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}
