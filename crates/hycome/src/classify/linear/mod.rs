//! Linear classifiers: one hyperplane per class.
//!
//! In hyperbolic space class k has a normal n_k, a slope a_k and an intercept b_k. Its logit at a point X of the
//! hyperboloid is
//!
//! > a_k·asinh(⟨n_k, X⟩) + b_k,
//!
//! where ⟨·,·⟩ is the plain dot product with the time coordinate first. In the tangent space at the origin the logit is
//! ⟨n_k, (1, v)⟩ with v = log(x), whose norm is the distance of x from the origin; in Euclidean space v = x. Logits of
//! a multinomial fit are unnormalized log-probabilities. Logits of one-vs-rest fits are log-odds; for single-label data
//! their sigmoids are normalized to sum to one.
//!
//! [`hyperplane`] defines parameters, decision functions and gradients, [`losses`] the SIMD loss kernels, [`objective`]
//! the regularized mean loss, and [`lbfgs`] the optimizer.

mod centering;
pub(super) mod euclidean;
mod hyperplane;
mod lbfgs;
pub(super) mod logistic;
mod losses;
mod objective;
pub(super) mod svm;

use super::softplus;
use crate::Points;
use crate::geometry::{lorentz, poincare};

/// Linear classifier: one hyperplane per class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinearModel {
    /// Space in which the hyperplanes lie.
    pub space: Space,
    /// Normal n of each class, with one coordinate more than a point.
    pub normals: Points,
    /// Slope a of each class.
    pub slopes: Vec<f64>,
    /// Intercept b of each class.
    pub intercepts: Vec<f64>,
    /// Whether the classes were fitted jointly by a multinomial loss rather than one-vs-rest.
    pub multinomial: bool,
}

/// Space in which hyperplanes lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// Hyperbolic space.
    Hyperbolic,
    /// The tangent space at the origin of the ball.
    Tangent,
    /// Euclidean space.
    Euclidean,
}

impl Space {
    /// Writes the feature vector of a point.
    pub(super) fn features(self, x: &[f64], row: &mut [f64]) {
        match self {
            Self::Hyperbolic => lorentz::lift(x, row),
            Self::Tangent => {
                row[0] = 1.0;
                let norm = poincare::norm(x);
                let scale = if norm > 0.0 { 2.0 * norm.atanh() / norm } else { 2.0 };
                row[1..].iter_mut().zip(x).for_each(|(v, x)| *v = scale * x);
            }
            Self::Euclidean => {
                row[0] = 1.0;
                row[1..].copy_from_slice(x);
            }
        }
    }
}

impl LinearModel {
    /// Writes the score of each class at `x`.
    pub(super) fn scores(&self, x: &[f64], single_label: bool, scores: &mut [f64]) {
        let mut row = vec![0.0; x.len() + 1];
        self.space.features(x, &mut row);
        for (k, score) in scores.iter_mut().enumerate() {
            let product: f64 = self.normals.row(k).iter().zip(&row).map(|(n, x)| n * x).sum();
            let value = match self.space {
                Space::Hyperbolic => product.asinh(),
                Space::Tangent | Space::Euclidean => product,
            };
            let log_odds = self.slopes[k] * value + self.intercepts[k];
            *score = if single_label && !self.multinomial { -softplus(-log_odds) } else { log_odds };
        }
    }
}
