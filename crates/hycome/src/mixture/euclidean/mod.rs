//! Mixtures of Gaussians in Euclidean space, for embeddings without curvature.
//!
//! A point x comes from component k with probability π_k and then has the density
//!
//! > N(x | μ, Σ) = exp(−½·(x−μ)ᵀΣ⁻¹(x−μ)) / √((2π)^m·det Σ).
//!
//! Covariances are spherical, Σ = σ²·I, as those of the ball, or full, as in ComE (Cavallari et al. 2017). With Σ = L·Lᵀ
//! (Cholesky) the exponent is −½|L⁻¹(x−μ)|² and √det Σ the product of L's diagonal; only logarithms of
//! densities are formed, so nothing underflows. The M step has a closed form:
//!
//! > π_k = mean_i w_ik,  μ_k = Σ_i w_ik·x_i / Σ_i w_ik,
//! > Σ_k = Σ_i w_ik·(x_i−μ_k)(x_i−μ_k)ᵀ / Σ_i w_ik + ε·I,  or  σ_k² = Σ_i w_ik·|x_i−μ_k|² / (m·Σ_i w_ik).
//!
//! What can go wrong: a component on few points has no variance in some direction, and the likelihood is unbounded. So
//! `REGULARIZATION` is added to every variance of a full covariance, and no spherical scale is below
//! [`MixtureConfig::scale_floor`]. A component that has lost all its points keeps its mean and covariance with weight zero.

mod cholesky;
mod component;
mod densities;
mod family;

pub(crate) use component::{Component, Whitening};
pub(super) use family::Euclidean;

use super::{Expectation, Fit, MixtureConfig, Responsibilities, em, ward};
use crate::{Error, Points, Result};

/// Constraint on the covariances of the components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CovarianceType {
    /// One variance for all directions.
    Spherical,
    /// A covariance for every pair of coordinates.
    Full,
}

/// Covariances of the components of a mixture.
#[derive(Clone, Debug, PartialEq)]
pub enum Covariances {
    /// σ of each component, above zero.
    Spherical(Vec<f64>),
    /// Σ of each component, positive definite, in row-major order.
    Full(Vec<f64>),
}

impl Covariances {
    /// Their constraint.
    #[must_use]
    pub(crate) fn covariance_type(&self) -> CovarianceType {
        match self {
            Self::Spherical(_) => CovarianceType::Spherical,
            Self::Full(_) => CovarianceType::Full,
        }
    }

    /// The matrix of component `k` among full covariances in `dim` dimensions.
    fn matrix(covariances: &[f64], k: usize, dim: usize) -> &[f64] {
        &covariances[k * dim * dim..(k + 1) * dim * dim]
    }
}

/// Mixture of Gaussians in Euclidean space.
#[derive(Clone, Debug, PartialEq)]
pub struct EuclideanMixture {
    /// Weight of each component, 0 to 1; they add up to one.
    pub weights: Vec<f64>,
    /// Mean of each component.
    pub means: Points,
    /// Covariances of the components.
    pub covariances: Covariances,
}

impl EuclideanMixture {
    /// Number of coordinates of a point.
    #[must_use]
    pub(crate) fn dim(&self) -> usize {
        self.means.dim()
    }

    /// Number of components.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Posterior probability of each component for each point.
    ///
    /// # Errors
    /// If a point is not finite or has another dimension than the mixture, or the mixture is invalid.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        Ok(expectation(self, points)?.responsibilities)
    }

    /// The Gaussians in the form in which densities are evaluated.
    ///
    /// # Errors
    /// If the numbers of weights, means and covariances differ, or a covariance is not positive definite.
    pub(crate) fn components(&self) -> Result<Vec<Component>> {
        let (count, dim) = (self.len(), self.dim());
        let covariances = match &self.covariances {
            Covariances::Spherical(scales) => scales.len(),
            Covariances::Full(covariances) => covariances.len() / (dim * dim),
        };
        if count == 0 || self.means.len() != count || covariances != count {
            let found = format!("{count} weights, {} means, {covariances} covariances", self.means.len());
            return Err(invalid("of one weight, mean and covariance for each component", found));
        }
        (0..count).map(|k| self.component(k)).collect()
    }

    fn component(&self, k: usize) -> Result<Component> {
        let dim = self.dim();
        let refuse =
            |found: String| invalid("of positive definite covariances", format!("{found} in component {k}"));
        let (whitening, log_volume) = match &self.covariances {
            Covariances::Spherical(scales) => {
                let scale = scales[k];
                if !(scale > 0.0 && scale.is_finite()) {
                    return Err(refuse(format!("a scale of {scale}")));
                }
                (Whitening::Spherical(1.0 / scale), dim as f64 * scale.ln())
            }
            Covariances::Full(covariances) => {
                let covariance = Covariances::matrix(covariances, k, dim);
                let are_finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
                // The factor is made of one half of the matrix.
                let factor = cholesky::factor(covariance, dim).filter(|_| are_finite(covariance));
                let factor = factor.ok_or_else(|| refuse("another matrix".into()))?;
                let log_volume = (0..dim).map(|i| factor[i * dim + i].ln()).sum();
                let inverse = cholesky::invert(&factor, dim);
                if !are_finite(&inverse) {
                    return Err(refuse("a singular matrix".into()));
                }
                (Whitening::Full(inverse), log_volume)
            }
        };
        let log_two_pi = (2.0 * std::f64::consts::PI).ln();
        let log_height = self.weights[k].ln() - log_volume - 0.5 * dim as f64 * log_two_pi;
        Ok(Component { mean: self.means.row(k).to_vec(), whitening, log_height })
    }

    /// Refuses no points, and points of another dimension.
    fn check(&self, points: &Points) -> Result<()> {
        if self.dim() == points.dim() && !points.is_empty() {
            return Ok(());
        }
        Err(Error::Config {
            parameter: "points",
            expected: format!("one or more of dimension {}, as the mixture's", self.dim()),
            found: format!("{} of dimension {}", points.len(), points.dim()),
        })
    }
}

fn invalid(expected: &str, found: String) -> Error {
    Error::Config { parameter: "mixture", expected: expected.into(), found }
}

/// Refuses points that are not finite.
pub(crate) fn check_finite(points: &Points) -> Result<()> {
    match points.rows().position(|x| x.iter().any(|c| !c.is_finite())) {
        Some(row) => Err(Error::Config {
            parameter: "points",
            expected: "finite".into(),
            found: format!("not in row {row}"),
        }),
        None => Ok(()),
    }
}

/// Fits a mixture to points of Euclidean space by EM, from micro-clusters merged by Ward's method.
///
/// ```
/// use hycome::{Points, mixture::{MixtureConfig, euclidean::{CovarianceType, fit}}};
/// let points = Points::new(1, vec![-5.2, -5.0, -4.8, 4.8, 5.0, 5.2]);
/// let config = MixtureConfig { communities: 2, ..MixtureConfig::default() };
/// let found = fit(&points, CovarianceType::Full, &config, 1)?;
/// let communities = found.mixture.responsibilities(&points)?.communities();
/// assert!(communities[..3] == [communities[0]; 3] && communities[3..] == [1 - communities[0]; 3]);
/// # Ok::<(), hycome::Error>(())
/// ```
///
/// # Errors
/// If a setting is out of range, a point is not finite, or there are fewer distinct points than components.
pub fn fit(
    points: &Points,
    covariance_type: CovarianceType,
    config: &MixtureConfig,
    seed: u64,
) -> Result<Fit<EuclideanMixture>> {
    config.validate()?;
    let sample = ward::sample(points);
    let sample = sample.as_ref().map(|sample| Euclidean::new(sample, covariance_type)).transpose()?;
    em::fit(&Euclidean::new(points, covariance_type)?, sample.as_ref(), config, seed)
}

/// EM from a given mixture; `config.communities` and `config.restarts` are ignored.
///
/// # Errors
/// If a setting is out of range, a point is not finite, or the mixture has another dimension.
pub fn refine(
    points: &Points,
    mixture: EuclideanMixture,
    config: &MixtureConfig,
) -> Result<Fit<EuclideanMixture>> {
    config.validate()?;
    mixture.check(points)?;
    em::refine(&Euclidean::new(points, mixture.covariances.covariance_type())?, mixture, config)
}

/// E step: responsibilities and log-likelihood.
///
/// # Errors
/// If a point is not finite, or the mixture is invalid or has another dimension.
pub fn expectation(mixture: &EuclideanMixture, points: &Points) -> Result<Expectation> {
    mixture.check(points)?;
    Euclidean::new(points, mixture.covariances.covariance_type())?.expectation(mixture)
}

/// M step: the mixture of maximal likelihood for given responsibilities; `config` has scale floor and shrinkage.
///
/// # Errors
/// If a point is not finite or there is not one row of responsibilities for each point.
pub fn maximization(
    points: &Points,
    responsibilities: &Responsibilities,
    covariance_type: CovarianceType,
    config: &MixtureConfig,
) -> Result<EuclideanMixture> {
    let family = Euclidean::new(points, covariance_type)?;
    responsibilities.check_rows(points)?;
    family.maximize_from(None, responsibilities, config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn stretched() -> EuclideanMixture {
        EuclideanMixture {
            weights: vec![0.25, 0.75],
            means: Points::new(2, vec![1.0, 2.0, -1.0, 0.5]),
            covariances: Covariances::Full(vec![2.0, 0.6, 0.6, 0.5, 1.0, 0.0, 0.0, 4.0]),
        }
    }

    #[test]
    fn the_density_is_that_of_the_textbook() {
        // Σ = [2 0.6; 0.6 0.5]: det = 0.64, Σ⁻¹ = [0.5 −0.6; −0.6 2]/0.64; at x − μ = (1, −1).
        let square = (0.5 + 1.2 + 2.0) / 0.64;
        let expected = 0.25f64.ln() - 0.5 * square - (2.0 * std::f64::consts::PI * 0.8).ln();
        let found = stretched().components().unwrap()[0].log_density(&[2.0, 1.0]);
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }

    #[test]
    fn a_spherical_gaussian_is_a_full_one_with_equal_variances() {
        let means = Points::new(3, vec![0.1, 0.2, 0.3]);
        let weights = vec![1.0];
        let round = EuclideanMixture { weights, means, covariances: Covariances::Spherical(vec![0.7]) };
        let covariance = (0..9).map(|i| if i % 4 == 0 { 0.49 } else { 0.0 }).collect();
        let full = EuclideanMixture { covariances: Covariances::Full(covariance), ..round.clone() };
        let (round, full) = (round.components().unwrap(), full.components().unwrap());
        let x = [1.0, -2.0, 0.5];
        assert!((round[0].log_density(&x) - full[0].log_density(&x)).abs() < 1e-13);
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let round = EuclideanMixture { covariances: Covariances::Spherical(vec![0.5, 2.0]), ..stretched() };
        for mixture in [stretched(), round] {
            for component in mixture.components().unwrap() {
                let x = [rng.normal(), rng.normal()];
                let mut gradient = [0.0; 2];
                component.gradient(&x, &mut gradient);
                for j in 0..2 {
                    let at = |step: f64| {
                        let mut x = x;
                        x[j] += step;
                        component.log_density(&x)
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    assert!(
                        (slope - gradient[j]).abs() < 1e-8 * (1.0 + slope.abs()),
                        "{slope} {}",
                        gradient[j]
                    );
                }
            }
        }
    }

    #[test]
    fn far_points_have_responsibilities_too() {
        let mixture =
            EuclideanMixture { covariances: Covariances::Spherical(vec![1e-3, 1e-3]), ..stretched() };
        let found = mixture.responsibilities(&Points::new(2, vec![90.0, 0.0, -900.0, 0.1])).unwrap();
        assert_eq!((found.communities(), found.probabilities()), (vec![0, 1], vec![1.0, 1.0]));
    }

    #[test]
    fn invalid_covariances_and_points_are_refused() {
        let points = Points::zeros(4, 2);
        let wrong = [vec![1.0, 2.0, 2.0, 1.0, 1.0, 0.0, 0.0, 1.0], vec![f64::NAN; 8], vec![1.0; 4]];
        for covariances in wrong {
            let mixture = EuclideanMixture { covariances: Covariances::Full(covariances), ..stretched() };
            assert!(mixture.responsibilities(&points).is_err());
        }
        assert!(stretched().responsibilities(&Points::zeros(4, 3)).is_err());
        assert!(stretched().responsibilities(&Points::new(2, vec![0.0, f64::INFINITY])).is_err());
    }
}
