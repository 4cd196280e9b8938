//! Class-conditional Gaussians in Euclidean space.
//!
//! The counterpart of [`super::nearest_centroid`] and [`super::gaussian`]. A class of fewer nodes than dimensions has no full
//! covariance of its own, so covariances are shrunk to the average of all classes: by one node where they are spherical, and
//! by as many nodes as there are dimensions where they are full.

use super::gaussian::Gaussians;
use crate::mixture::euclidean::{CovarianceType, Covariances, EuclideanMixture, maximization};
use crate::mixture::{MixtureConfig, Responsibilities};
use crate::{Labels, Points, Result};

/// Nearest centroid: the mean of each class, with equal weights and one common scale.
pub(super) fn nearest_centroid(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let classes = labels.class_count();
    let config = MixtureConfig::default();
    let found = maximization(points, &shares(labels, |_| 1.0), CovarianceType::Spherical, &config)?;
    let Covariances::Spherical(scales) = &found.covariances else {
        unreachable!("spherical ones are fitted")
    };
    let variances = found.weights.iter().zip(scales).map(|(weight, scale)| weight * scale * scale);
    let scale = (variances.sum::<f64>() / found.weights.iter().sum::<f64>()).sqrt();
    let (weights, covariances) =
        (vec![1.0 / classes as f64; classes], Covariances::Spherical(vec![scale; classes]));
    Gaussians::new(EuclideanMixture { weights, means: found.means, covariances }.into())
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
    let shares = shares(labels, |classes| 1.0 / classes as f64);
    Gaussians::new(maximization(points, &shares, covariance_type, &config)?.into())
}

/// How much each node counts in each of its classes, by the number of them.
fn shares(labels: &Labels, share: impl Fn(usize) -> f64) -> Responsibilities {
    let classes = labels.class_count();
    let mut data = vec![0.0; classes * labels.node_count()];
    for (node, row) in data.chunks_exact_mut(classes).enumerate() {
        let of_node = labels.of(node as u32);
        of_node.iter().for_each(|&class| row[class as usize] = share(of_node.len()));
    }
    Responsibilities::new(classes, data)
}
