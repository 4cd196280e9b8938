//! Mixtures of Riemannian Gaussians in hyperbolic space (Said et al. 2018).
//!
//! A mixture of K components has the density Σ_k π_k·f(x | μ_k, σ_k), where
//!
//! > f(x | μ, σ) = exp(−d²(x, μ)/2σ²) / ζ_m(σ)
//!
//! with respect to the Riemannian volume, and ζ_m is the [normalizing constant](crate::special). EM for this mixture is
//! analysed in arXiv 2604.24895. The M step is
//!
//! > π_k = mean_i w_ik,  μ_k = Fréchet mean of the x_i with weights w_ik,  σ_k = Φ(Σ_i w_ik·d²(x_i, μ_k) / Σ_i w_ik).
//!
//! | paper | here |
//! |---|---|
//! | π_k | [`GaussianMixture::weights`] |
//! | μ_k | [`GaussianMixture::means`] |
//! | σ_k | [`GaussianMixture::scales`] |
//! | w_ik | [`Responsibilities::row`]`(i)[k]` |
//! | Φ | [`scale_from_spread`](crate::special::scale_from_spread) |
//!
//! What can go wrong: the likelihood of a component on a few equal points is unbounded as σ → 0, so no scale is below
//! [`MixtureConfig::scale_floor`]. A component that has lost all its points keeps its mean and scale with weight zero.

mod ball_columns;
mod family;
mod kernel;

pub(super) use family::Hyperbolic;

use std::ops::RangeInclusive;

use super::{Expectation, Fit, MixtureConfig, Responsibilities, em, ward};
use crate::geometry::{lorentz, poincare};
use crate::{Error, Points, Result};

/// Scales that a file may contain. No fit comes near the ends, and between them no density at a point in double
/// precision is infinite or undefined.
pub(crate) const SCALES: RangeInclusive<f64> = 1e-50..=1e50;

/// Mixture of Riemannian Gaussians in the Poincaré ball.
#[derive(Clone, Debug, PartialEq)]
pub struct GaussianMixture {
    /// Weight of each component, 0 to 1; they add up to one.
    pub weights: Vec<f64>,
    /// Mean of each component, a point of the ball.
    pub means: Points,
    /// Scale σ of each component, above zero.
    pub scales: Vec<f64>,
}

impl GaussianMixture {
    /// Number of coordinates of a point.
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

    /// Posterior probability of each component for each point.
    ///
    /// # Errors
    /// If a point is not inside the ball or has another dimension than the mixture.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        Ok(expectation(self, points)?.responsibilities)
    }

    /// Mean log-likelihood of the points.
    ///
    /// # Errors
    /// If a point is not inside the ball or has another dimension than the mixture.
    pub fn log_likelihood(&self, points: &Points) -> Result<f64> {
        Ok(expectation(self, points)?.log_likelihood)
    }

    /// Refuses an invalid mixture, and one of another dimension than the points.
    fn check(&self, points: &Points) -> Result<()> {
        let error =
            |expected: String, found: String| Err(Error::Config { parameter: "mixture", expected, found });
        let count = self.len();
        if count == 0 || self.means.len() != count || self.scales.len() != count {
            return error(
                "of one weight, mean and scale for each component".into(),
                format!("of {count} weights, {} means, {} scales", self.means.len(), self.scales.len()),
            );
        }
        if self.dim() != points.dim() {
            return error(format!("of dimension {}", points.dim()), format!("of dimension {}", self.dim()));
        }
        let is_valid = |k: usize| self.scales[k] > 0.0 && poincare::slack(self.means.row(k)) > 0.0;
        match (0..count).find(|&k| !is_valid(k)) {
            Some(k) => error(
                "of means inside the ball and scales above zero".into(),
                format!("at {:?} with scale {} in component {k}", self.means.row(k), self.scales[k]),
            ),
            None => Ok(()),
        }
    }
}

/// Fits a mixture to points of the ball by EM, from micro-clusters merged by Ward's method.
///
/// ```
/// use hycome::{Points, mixture::{MixtureConfig, fit}};
/// let points = Points::new(1, vec![-0.52, -0.5, -0.48, 0.48, 0.5, 0.52]);
/// let config = MixtureConfig { communities: 2, ..MixtureConfig::default() };
/// let found = fit(&points, &config, 1)?;
/// let communities = found.mixture.responsibilities(&points)?.communities();
/// assert!(communities[..3] == [communities[0]; 3] && communities[3..] == [1 - communities[0]; 3]);
/// # Ok::<(), hycome::Error>(())
/// ```
///
/// # Errors
/// If a setting is out of range, a point is not inside the ball, or there are fewer distinct points than components.
pub fn fit(points: &Points, config: &MixtureConfig, seed: u64) -> Result<Fit> {
    config.validate()?;
    let sample = ward::sample(points);
    let sample = sample.as_ref().map(Hyperbolic::new).transpose()?;
    em::fit(&Hyperbolic::new(points)?, sample.as_ref(), config, seed)
}

/// EM from a given mixture; `config.communities` and `config.restarts` are ignored.
///
/// # Errors
/// If a setting is out of range, there is no point, a point is not inside the ball, or the mixture has another dimension.
pub fn refine(points: &Points, mixture: GaussianMixture, config: &MixtureConfig) -> Result<Fit> {
    config.validate()?;
    mixture.check(points)?;
    if points.is_empty() {
        return Err(Error::Config { parameter: "points", expected: "one or more".into(), found: "0".into() });
    }
    em::refine(&Hyperbolic::new(points)?, mixture, config)
}

/// E step: responsibilities and log-likelihood.
///
/// # Errors
/// If a point is not inside the ball or has another dimension than the mixture.
pub fn expectation(mixture: &GaussianMixture, points: &Points) -> Result<Expectation> {
    mixture.check(points)?;
    Hyperbolic::new(points)?.expectation(mixture)
}

/// M step: the mixture of maximal likelihood for given responsibilities.
///
/// A component without responsibility for any point is at the origin with weight zero and the smallest scale.
///
/// # Errors
/// If a point is not inside the ball or there is not one row of responsibilities for each point.
pub fn maximization(
    points: &Points,
    responsibilities: &Responsibilities,
    scale_floor: f64,
) -> Result<GaussianMixture> {
    responsibilities.check_rows(points)?;
    let family = Hyperbolic::new(points)?;
    let mut means = Points::zeros(responsibilities.components(), points.dim());
    for k in 0..responsibilities.components() {
        let weights: Vec<f64> = responsibilities.rows().map(|row| row[k]).collect();
        if let Some(midpoint) = lorentz::midpoint(points, &weights) {
            means.row_mut(k).copy_from_slice(&midpoint);
        }
    }
    let config = MixtureConfig { scale_floor, ..MixtureConfig::default() };
    family.maximization(means, responsibilities, &config)
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
