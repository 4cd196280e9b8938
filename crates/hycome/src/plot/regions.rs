//! What a classifier says of every place of the disc, as numbers that a picture can evaluate anywhere.

use serde_json::{Value, json};

use super::cells;
use super::page::{NONE, whole};
use crate::classify::{Classifier, Model, Space};
use crate::special::log_zeta;

/// The classifier, which is one of two dimensions, as formulas; one that asks nodes, as a raster of its answers.
///
/// The class of a place is the one with the largest score. Gaussians score height − d²/2σ²; surfaces slope·asinh⟨n, X⟩ +
/// intercept with X on the hyperboloid, or slope·⟨n, (1, v)⟩ + intercept with v the tangent vector at the origin. Of cells,
/// each class comes with how many of them have it in turn.
pub(super) fn to_json(classifier: &Classifier) -> Option<Value> {
    match &classifier.model {
        Model::Gaussians(gaussians) => {
            let mixture = gaussians.mixture().hyperbolic()?;
            let height = |k: usize| finite(mixture.weights[k].ln() - log_zeta(2, mixture.scales[k]));
            Some(json!({
                "kind": "gaussians",
                "means": mixture.means.rows().collect::<Vec<_>>(),
                "scales": mixture.scales,
                "heights": (0..mixture.len()).map(height).collect::<Vec<f64>>(),
            }))
        }
        Model::Surfaces(surfaces) => Some(json!({
            "kind": "surfaces",
            "hyperbolic": surfaces.space == Space::Hyperbolic,
            "normals": surfaces.normals.rows().collect::<Vec<_>>(),
            "slopes": surfaces.slopes,
            "intercepts": surfaces.intercepts,
        })),
        Model::Neighbors(_) | Model::Shares(_) => {
            let winners: Vec<u32> = cells::winners(classifier)
                .into_iter()
                .map(|class| class.map_or(NONE, |k| k as u32))
                .collect();
            let runs = cells::runs(&winners).flat_map(|(class, count)| [class, count as u32]);
            Some(json!({ "kind": "cells", "side": cells::SIDE, "runs": whole(runs) }))
        }
    }
}

/// What a reader should know about the regions.
pub(super) fn words(classifier: &Classifier) -> Option<String> {
    match &classifier.model {
        Model::Gaussians(_) | Model::Surfaces(_) => None,
        Model::Neighbors(_) => Some(format!(
            "regions of knn have no formula: the model was asked on a raster of {0} × {0} places, which is coarser \
             towards the rim",
            cells::SIDE
        )),
        Model::Shares(_) => Some("the model gives every place the same class, the commonest one".into()),
    }
}

/// JSON knows no infinity; a class without weight has the lowest score there is.
fn finite(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}
