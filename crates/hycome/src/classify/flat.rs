//! Gaussians of classes in flat space.
//!
//! As in the ball ([`super::barycenters`], [`super::gaussian`]), with means and spreads of flat space. A class of fewer nodes
//! than dimensions has no full covariance of its own, so each is found as if the class had some nodes more of average
//! spread: one where Gaussians are round, and as many as there are dimensions where they are not.

use super::gaussian::Gaussians;
use crate::mixture::flat::{FlatMixture, Shape, Spreads, maximization};
use crate::mixture::{MixtureConfig, Responsibilities};
use crate::{Labels, Points, Result};

/// The mean of each class, with one common scale and equal weights: the nearest mean wins.
pub(super) fn barycenters(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let classes = labels.class_count();
    let config = MixtureConfig::default();
    let found = maximization(points, &shares(labels, |_| 1.0), Shape::Round, &config)?;
    let Spreads::Round(scales) = &found.spreads else { unreachable!("round ones were asked for") };
    let variances = found.weights.iter().zip(scales).map(|(weight, scale)| weight * scale * scale);
    let scale = (variances.sum::<f64>() / found.weights.iter().sum::<f64>()).sqrt();
    let (weights, spreads) = (vec![1.0 / classes as f64; classes], Spreads::Round(vec![scale; classes]));
    Gaussians::new(FlatMixture { weights, means: found.means, spreads }.into())
}

/// One M step from the labels.
pub(super) fn gaussians(points: &Points, labels: &Labels, shape: Shape) -> Result<Gaussians> {
    let prior_nodes = if shape == Shape::Full { points.dim() as f64 } else { 1.0 };
    let pooling = prior_nodes * labels.class_count() as f64 / points.len() as f64;
    let config = MixtureConfig { pooling, ..MixtureConfig::default() };
    let shares = shares(labels, |classes| 1.0 / classes as f64);
    Gaussians::new(maximization(points, &shares, shape, &config)?.into())
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
