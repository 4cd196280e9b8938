//! What a classifier says of every place of the disc, as numbers that a picture can evaluate anywhere.

use serde_json::{Value, json};

use crate::classify::{Classifier, Model, Space};
use crate::special::log_zeta;

/// The classifier, which is one of two dimensions, as formulas; nothing where it asks other nodes instead.
///
/// The class of a place is the one with the largest score. Gaussians score height − d²/2σ²; surfaces slope·asinh⟨n, X⟩ +
/// intercept with X on the hyperboloid, or slope·⟨n, (1, v)⟩ + intercept with v the tangent vector at the origin.
pub(super) fn formulas(classifier: &Classifier) -> Option<Value> {
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
        Model::Neighbors(_) | Model::Shares(_) => None,
    }
}

/// JSON knows no infinity; a class without weight has the lowest score there is.
fn finite(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}
