//! Class-conditional Gaussians in Euclidean space.
//!
//! Euclidean counterpart of [`super::nearest_centroid`] and [`super::gaussian`]. The full covariance of a class with
//! fewer nodes than dimensions is singular, so covariances are shrunk towards the pooled covariance: with the weight of
//! one node if spherical, and of as many nodes as there are dimensions if full.

use super::gaussian::Gaussians;
use crate::mixture::euclidean::{CovarianceType, Covariances, EuclideanMixture, maximization};
use crate::mixture::{MixtureConfig, Responsibilities};
use crate::{Labels, Points, Result};

/// Nearest centroid: class means with equal weights and one pooled scale.
pub(super) fn nearest_centroid(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let classes = labels.class_count();
    let config = MixtureConfig::default();
    let fitted =
        maximization(points, &membership_weights(labels, |_| 1.0), CovarianceType::Spherical, &config)?;
    let Covariances::Spherical(scales) = &fitted.covariances else {
        unreachable!("the spherical covariance type was requested")
    };
    let variances = fitted.weights.iter().zip(scales).map(|(weight, scale)| weight * scale * scale);
    let scale = (variances.sum::<f64>() / fitted.weights.iter().sum::<f64>()).sqrt();
    let (weights, covariances) =
        (vec![1.0 / classes as f64; classes], Covariances::Spherical(vec![scale; classes]));
    Gaussians::new(EuclideanMixture { weights, means: fitted.means, covariances }.into())
}

/// Class-conditional Gaussians: one M step from the labels.
pub(super) fn gaussians(
    points: &Points,
    labels: &Labels,
    covariance_type: CovarianceType,
) -> Result<Gaussians> {
    let prior_nodes = if covariance_type == CovarianceType::Full { points.dim() as f64 } else { 1.0 };
    let scale_shrinkage = prior_nodes * labels.class_count() as f64 / points.len() as f64;
    let config = MixtureConfig { scale_shrinkage, ..MixtureConfig::default() };
    let membership_weights = membership_weights(labels, |classes| 1.0 / classes as f64);
    Gaussians::new(maximization(points, &membership_weights, covariance_type, &config)?.into())
}

/// Class-membership weights: `weight(number of classes of the node)` for each class of a node, zero for the others.
fn membership_weights(labels: &Labels, weight: impl Fn(usize) -> f64) -> Responsibilities {
    let classes = labels.class_count();
    let mut data = vec![0.0; classes * labels.node_count()];
    for (node, row) in data.chunks_exact_mut(classes).enumerate() {
        let of_node = labels.of(node as u32);
        of_node.iter().for_each(|&class| row[class as usize] = weight(of_node.len()));
    }
    Responsibilities::new(classes, data)
}
