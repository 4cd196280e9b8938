//! What linear classifiers leave behind: one surface for each class.
//!
//! In hyperbolic space class k has a vector n_k and two numbers, and at a point X of the hyperboloid the log-odds
//!
//! > a_k·asinh(⟨n_k, X⟩) + b_k,
//!
//! ⟨·,·⟩ being the plain dot product, time first. In the tangent space at the origin it is ⟨n_k, (1, v)⟩ with v =
//! log(x), as long as the distance of x from the origin; in flat space v is x itself. If the classes were fitted together these are the
//! logarithms of their weights; if each was fitted against the rest they are log-odds, and where a node has one
//! class, the logarithm of each probability is its weight.

use super::softplus;
use crate::Points;
use crate::geometry::{lorentz, poincare};

/// One surface for each class.
#[derive(Clone, Debug, PartialEq)]
pub struct Surfaces {
    /// Where they are.
    pub space: Space,
    /// n of each class: one coordinate more than a point has.
    pub normals: Points,
    /// a of each class.
    pub slopes: Vec<f64>,
    /// b of each class.
    pub intercepts: Vec<f64>,
    /// Whether the classes were fitted against each other, rather than each against the rest.
    pub together: bool,
}

/// Where surfaces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Hyperplanes of hyperbolic space.
    Hyperbolic,
    /// Planes of the tangent space at the origin.
    Tangent,
    /// Planes of flat space.
    Flat,
}

impl Space {
    /// The row of numbers that a point is for the surfaces.
    pub(super) fn features(self, x: &[f64], row: &mut [f64]) {
        match self {
            Self::Hyperbolic => lorentz::lift(x, row),
            Self::Tangent => {
                row[0] = 1.0;
                let norm = poincare::norm(x);
                let scale = if norm > 0.0 { 2.0 * norm.atanh() / norm } else { 2.0 };
                row[1..].iter_mut().zip(x).for_each(|(v, x)| *v = scale * x);
            }
            Self::Flat => {
                row[0] = 1.0;
                row[1..].copy_from_slice(x);
            }
        }
    }
}

impl Surfaces {
    /// The score of each class at `x`; `exclusive` says whether a node has one class.
    pub(super) fn scores(&self, x: &[f64], exclusive: bool, scores: &mut [f64]) {
        let mut row = vec![0.0; x.len() + 1];
        self.space.features(x, &mut row);
        for (k, score) in scores.iter_mut().enumerate() {
            let product: f64 = self.normals.row(k).iter().zip(&row).map(|(n, x)| n * x).sum();
            let value = match self.space {
                Space::Hyperbolic => product.asinh(),
                Space::Tangent | Space::Flat => product,
            };
            let log_odds = self.slopes[k] * value + self.intercepts[k];
            *score = if exclusive && !self.together { -softplus(-log_odds) } else { log_odds };
        }
    }
}
