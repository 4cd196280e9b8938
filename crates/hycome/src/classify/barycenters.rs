//! Nearest barycenter: what K-means makes of classes that are known.
//!
//! The barycenter of the nodes of each class, and the classes of a point ranked by its distance from them. That is
//! the [Gaussian classifier](super::gaussian) with equal weights and one common scale, found from the mean squared
//! distance of all nodes from their barycenters: the order is that of the distances, and the probabilities say what
//! such Gaussians would.

use super::folds::members;
use super::gaussian::{Gaussians, average, spreads};
use crate::geometry::barycenter::barycenter;
use crate::mixture::{GaussianMixture, MixtureConfig};
use crate::special::scale_from_spread;
use crate::{Labels, Points, Result};

/// Barycenters of the classes, each of which has a node.
pub(super) fn means(points: &Points, labels: &Labels) -> Points {
    let mut means = Points::zeros(labels.class_count(), points.dim());
    for (k, nodes) in members(labels).iter().enumerate() {
        let nodes = super::chosen(points, nodes);
        let mean = barycenter(&nodes, &vec![1.0; nodes.len()], None).expect("every class has a node");
        means.row_mut(k).copy_from_slice(&mean.point);
    }
    means
}

/// Equal Gaussians around the barycenters.
pub(super) fn fit(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let (means, classes) = (means(points, labels), labels.class_count());
    let spread = average(&spreads(points, labels, &means, |_, _| 1.0));
    let scale = scale_from_spread(points.dim(), spread).max(MixtureConfig::default().scale_floor);
    let weights = vec![1.0 / classes as f64; classes];
    Gaussians::new(GaussianMixture { weights, means, scales: vec![scale; classes] }.into())
}
