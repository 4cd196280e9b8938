//! Generative classifier: class-conditional Riemannian Gaussians (Said et al. 2018) and Bayes' rule.
//!
//! This is the mixture of [`crate::mixture`] with observed responsibilities: w_ik is one over the number of classes of
//! node i if k is one of them, else zero. One M step gives weights π_k, means μ_k and scales σ_k, and the score of
//! class k at x is the log of the joint density,
//!
//! > ln π_k − ln ζ_m(σ_k) − d²(x, μ_k)/2σ_k².
//!
//! Its softmax over the classes is the posterior probability.
//!
//! The maximum-likelihood scale of a class with a single node is zero. Scales are therefore shrunk: [`PRIOR_NODES`]
//! nodes with the average squared distance of all classes are added to every class. The effect on a class of hundreds
//! of nodes is negligible.

use super::folds::members;
use crate::geometry::poincare;
use crate::mixture::euclidean::Component;
use crate::mixture::{Mixture, MixtureConfig, Responsibilities, maximization};
use crate::special::{log_zeta, scale_from_spread};
use crate::{Labels, Points, Result};

/// Strength of the scale shrinkage: number of pseudo-nodes at the average squared distance added to every class.
const PRIOR_NODES: f64 = 1.0;

/// Class-conditional Gaussians with precomputed normalization.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gaussians {
    mixture: Mixture,
    prepared: Prepared,
}

/// Quantities precomputed once for all points.
#[derive(Clone, Debug, PartialEq)]
enum Prepared {
    /// ln π − ln ζ(σ) of each Riemannian Gaussian.
    LogHeights(Vec<f64>),
    /// Euclidean Gaussians.
    Euclidean(Vec<Component>),
}

impl Gaussians {
    /// Makes a classifier with one class per mixture component.
    ///
    /// # Errors
    /// If a Euclidean covariance is not positive definite.
    pub(crate) fn new(mixture: Mixture) -> Result<Self> {
        let prepared = match &mixture {
            Mixture::Hyperbolic(mixture) => {
                let height = |k: usize| mixture.weights[k].ln() - log_zeta(mixture.dim(), mixture.scales[k]);
                Prepared::LogHeights((0..mixture.len()).map(height).collect())
            }
            Mixture::Euclidean(mixture) => Prepared::Euclidean(mixture.components()?),
        };
        Ok(Self { mixture, prepared })
    }

    /// The underlying mixture.
    #[must_use]
    pub(crate) fn mixture(&self) -> &Mixture {
        &self.mixture
    }

    /// Log joint density ln(π·f(x)) of each class.
    pub(super) fn scores(&self, x: &[f64], row: &mut [f64]) {
        match (&self.mixture, &self.prepared) {
            (Mixture::Hyperbolic(mixture), Prepared::LogHeights(log_heights)) => {
                for (k, score) in row.iter_mut().enumerate() {
                    let scaled = poincare::distance(x, mixture.means.row(k)) / mixture.scales[k];
                    *score = log_heights[k] - 0.5 * scaled * scaled;
                }
            }
            (_, Prepared::Euclidean(components)) => {
                row.iter_mut().zip(components).for_each(|(score, class)| *score = class.log_density(x));
            }
            (Mixture::Euclidean(_), Prepared::LogHeights(_)) => {
                unreachable!("Euclidean mixtures are prepared as such")
            }
        }
    }
}

/// Fits the Gaussians with one M step from the labels.
pub(super) fn fit(points: &Points, labels: &Labels) -> Result<Gaussians> {
    let classes = labels.class_count();
    let mut data = vec![0.0; classes * points.len()];
    for (i, row) in data.chunks_exact_mut(classes).enumerate() {
        let of_node = labels.of(i as u32);
        of_node.iter().for_each(|&class| row[class as usize] = 1.0 / of_node.len() as f64);
    }
    let responsibilities = Responsibilities::new(classes, data);
    let floor = MixtureConfig::default().scale_floor;
    let mut mixture = maximization(points, &responsibilities, floor)?;
    let spreads = spreads(points, labels, &mixture.means, |i, k| responsibilities.row(i)[k]);
    let average = average(&spreads);
    for (scale, (weight, squares)) in mixture.scales.iter_mut().zip(spreads) {
        let spread = (squares + PRIOR_NODES * average) / (weight + PRIOR_NODES);
        *scale = scale_from_spread(points.dim(), spread).max(floor);
    }
    Gaussians::new(mixture.into())
}

/// Σ w and Σ w·d² to the class mean, for each class.
pub(super) fn spreads(
    points: &Points,
    labels: &Labels,
    means: &Points,
    weight: impl Fn(usize, usize) -> f64,
) -> Vec<(f64, f64)> {
    let of_class = |(k, nodes): (usize, Vec<u32>)| {
        nodes.into_iter().fold((0.0, 0.0), |(sum, squares), node| {
            let (w, distance) =
                (weight(node as usize, k), poincare::distance(points.row(node as usize), means.row(k)));
            (sum + w, squares + w * distance * distance)
        })
    };
    members(labels).into_iter().enumerate().map(of_class).collect()
}

/// Mean squared distance of all nodes from their class means.
pub(super) fn average(spreads: &[(f64, f64)]) -> f64 {
    let (weight, squares) = spreads.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    squares / weight
}
