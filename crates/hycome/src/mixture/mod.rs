//! Communities as a mixture of Gaussians of hyperbolic space.
//!
//! A mixture of K components says that a point x comes from component k with probability π_k and then has the
//! density f(x | μ_k, σ_k) = exp(−d²(x, μ_k)/2σ_k²)/ζ_m(σ_k) with respect to the hyperbolic volume. Turned
//! around, the probability that a given x came from component k, its responsibility for x, is
//!
//! > w_k(x) = π_k·f(x | μ_k, σ_k) / Σ_j π_j·f(x | μ_j, σ_j),
//!
//! and the community of x is the component of the largest.
//!
//! | paper | here |
//! |---|---|
//! | π_k | [`GaussianMixture::weights`] |
//! | μ_k | [`GaussianMixture::means`] |
//! | σ_k | [`GaussianMixture::scales`] |
//! | w_ik | [`Responsibilities::row`]`(i)[k]` |
//!
//! [`em`] fits a mixture to points, from a start by [`mod@kmeans`]. [`flat`] has both for the flat geometries that the ball is
//! compared with, and a [`Mixture`] is one or the other. Communities are not nested, and a node's
//! probabilities say how sure the mixture is, not in how many groups the node is.

mod any;
mod columns;
pub(crate) mod elementary;
pub mod em;
pub mod flat;
mod kernel;
pub mod kmeans;
mod numbering;

pub use any::{Mixture, kmeans_in, shape};
pub use em::{Fit, MixtureConfig, fit, maximization, refine};
pub use kmeans::{KMeans, KMeansConfig, kmeans};
pub use numbering::largest_first;

use std::ops::RangeInclusive;

use crate::{Points, Result};

/// Scales that a file may have. No fit comes near the ends, and between them no density at a point in double precision is
/// infinite or undefined.
pub(crate) const SCALES: RangeInclusive<f64> = 1e-50..=1e50;

/// Weighted Gaussians of hyperbolic space.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianMixture {
    /// Share of each component, 0 to 1; they add up to one.
    pub weights: Vec<f64>,
    /// Centre of each component, a point of the ball.
    pub means: Points,
    /// Scale of each component, above zero.
    pub scales: Vec<f64>,
}

impl GaussianMixture {
    /// Number of coordinates of the points that it describes.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.means.dim()
    }

    /// Number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// How probably each point came from each component.
    ///
    /// # Errors
    /// Where a point is not inside the ball or has another dimension than the mixture.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        Ok(em::expectation(self, points)?.responsibilities)
    }

    /// Mean over the points of the logarithm of the mixture's density.
    ///
    /// # Errors
    /// Where a point is not inside the ball or has another dimension than the mixture.
    pub fn log_likelihood(&self, points: &Points) -> Result<f64> {
        Ok(em::expectation(self, points)?.log_likelihood)
    }
}

/// For each point the probability of each component; every row adds up to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Responsibilities {
    components: usize,
    data: Vec<f64>,
}

impl Responsibilities {
    /// Responsibilities of so many components, row after row.
    ///
    /// # Panics
    /// If `data` does not hold a whole number of rows.
    #[must_use]
    pub fn new(components: usize, data: Vec<f64>) -> Self {
        assert!(components > 0 && data.len().is_multiple_of(components), "data holds whole rows");
        Self { components, data }
    }

    /// Certain knowledge: point i belongs to component `communities[i]`, which is below `components`.
    #[must_use]
    pub fn certain(components: usize, communities: &[u32]) -> Self {
        let mut data = vec![0.0; components * communities.len()];
        for (row, &community) in data.chunks_exact_mut(components).zip(communities) {
            row[community as usize] = 1.0;
        }
        Self::new(components, data)
    }

    /// Number of components.
    #[must_use]
    pub fn components(&self) -> usize {
        self.components
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.components
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The probabilities of point `i`, one for each component.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.components..(i + 1) * self.components]
    }

    /// All points' probabilities in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.data.chunks_exact(self.components)
    }

    /// All probabilities, row after row, given away.
    #[must_use]
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }

    /// The most probable component of each point; the first of several equal ones.
    #[must_use]
    pub fn communities(&self) -> Vec<u32> {
        self.rows()
            .map(|row| u32::try_from(largest(row)).expect("there are fewer than 2³² components"))
            .collect()
    }

    /// The probability of each point's most probable component.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        self.rows().map(|row| row[largest(row)]).collect()
    }
}

/// Place of the first largest number.
fn largest(row: &[f64]) -> usize {
    (1..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_half_way_between_two_equal_gaussians_belongs_to_both() {
        let mixture = GaussianMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![0.4, 0.0, -0.4, 0.0]),
            scales: vec![0.7, 0.7],
        };
        let found = mixture.responsibilities(&Points::new(2, vec![0.0, 0.3, 0.4, 0.0])).unwrap();
        assert!((found.row(0)[0] - 0.5).abs() < 1e-15);
        assert_eq!(found.communities(), [0, 0]);
        assert!(found.probabilities()[1] > 0.8);
        assert!((found.row(1).iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn far_points_have_responsibilities_too() {
        let mixture = GaussianMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![0.1, 0.0, -0.1, 0.0]),
            scales: vec![1e-3, 1e-3],
        };
        // Both densities underflow by thousands of orders of magnitude.
        let found = mixture.responsibilities(&Points::new(2, vec![0.9, 0.0, -0.9, 0.1])).unwrap();
        assert_eq!(found.communities(), [0, 1]);
        assert_eq!(found.probabilities(), [1.0, 1.0]);
    }

    #[test]
    fn other_dimensions_are_refused() {
        let mixture = GaussianMixture { weights: vec![1.0], means: Points::zeros(1, 3), scales: vec![1.0] };
        assert!(mixture.responsibilities(&Points::zeros(4, 2)).is_err());
    }
}
