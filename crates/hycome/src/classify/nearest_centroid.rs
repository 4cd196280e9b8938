//! Nearest centroid: the class whose Fréchet mean is nearest.
//!
//! The paper calls this method K-means. It is the [Gaussian classifier](super::gaussian) with equal weights and one
//! common scale, estimated from the mean squared distance of all nodes to the Fréchet mean of their class. Classes are
//! therefore ranked by distance, and probabilities are the posteriors of these Gaussians.

use super::folds::members;
use super::gaussian::{Gaussians, average, spreads};
use crate::geometry::barycenter::barycenter;
use crate::mixture::{GaussianMixture, MixtureConfig};
use crate::special::scale_from_spread;
use crate::{Labels, Points, Result};

/// Fréchet mean of each class. Every class must have a node.
pub(super) fn means(points: &Points, labels: &Labels) -> Points {
    let mut means = Points::zeros(labels.class_count(), points.dim());
    for (k, nodes) in members(labels).iter().enumerate() {
        let nodes = super::chosen(points, nodes);
        let mean = barycenter(&nodes, &vec![1.0; nodes.len()], None).expect("every class has a node");
        means.row_mut(k).copy_from_slice(&mean.point);
    }
    means
}

/// Gaussians of equal weight and scale around the Fréchet means.
pub(super) fn fit(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let (means, classes) = (means(points, labels), labels.class_count());
    let spread = average(&spreads(points, labels, &means, |_, _| 1.0));
    let scale = scale_from_spread(points.dim(), spread).max(MixtureConfig::default().scale_floor);
    let weights = vec![1.0 / classes as f64; classes];
    Gaussians::new(GaussianMixture { weights, means, scales: vec![scale; classes] }.into())
}
