//! Communities as a mixture of Gaussians of flat space: what embeddings without curvature are clustered by.
//!
//! A point x comes from component k with probability π_k and then has the density
//!
//! > N(x | μ, Σ) = exp(−½·(x−μ)ᵀΣ⁻¹(x−μ)) / √((2π)^m·det Σ).
//!
//! The Gaussians are round, Σ = σ²·I, as those of the ball are, or have full covariances, as ComE's do. With Σ = L·Lᵀ
//! ([`cholesky`]) the exponent is −½|L⁻¹(x−μ)|² and √det Σ the product of L's diagonal; only logarithms of
//! densities are ever formed, so nothing underflows.
//!
//! [`em`] fits a mixture, from starts by [`mod@kmeans`].

pub mod cholesky;
pub mod em;
mod explain;
pub mod kmeans;

pub use em::{fit, maximization, refine};
pub use kmeans::kmeans;

use super::Responsibilities;
use crate::{Error, Points, Result};

/// Whether Gaussians are round or stretched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Alike in all directions.
    Round,
    /// With a covariance for every pair of coordinates.
    Full,
}

/// How wide the components of a mixture are.
#[derive(Clone, Debug, PartialEq)]
pub enum Spreads {
    /// σ of each component, above zero.
    Round(Vec<f64>),
    /// Σ of each component, positive definite, row after row.
    Full(Vec<f64>),
}

impl Spreads {
    /// Their shape.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match self {
            Self::Round(_) => Shape::Round,
            Self::Full(_) => Shape::Full,
        }
    }

    /// The covariances of component `k` of a mixture of full ones in `dim` dimensions.
    fn covariance(covariances: &[f64], k: usize, dim: usize) -> &[f64] {
        &covariances[k * dim * dim..(k + 1) * dim * dim]
    }
}

/// Weighted Gaussians of flat space.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatMixture {
    /// Share of each component, 0 to 1; they add up to one.
    pub weights: Vec<f64>,
    /// Centre of each component.
    pub means: Points,
    /// Widths of the components.
    pub spreads: Spreads,
}

impl FlatMixture {
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
    /// Where a point is not finite or has another dimension than the mixture, or the mixture is not sound.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        Ok(em::expectation(self, points)?.0)
    }

    /// Mean over the points of the logarithm of the mixture's density.
    ///
    /// # Errors
    /// As [`FlatMixture::responsibilities`].
    pub fn log_likelihood(&self, points: &Points) -> Result<f64> {
        Ok(em::expectation(self, points)?.1)
    }

    /// The Gaussians in the form in which densities are evaluated.
    ///
    /// # Errors
    /// Where numbers of weights, means and spreads differ, or a spread is not positive.
    pub fn components(&self) -> Result<Vec<Component>> {
        let (count, dim) = (self.len(), self.dim());
        let spreads = match &self.spreads {
            Spreads::Round(scales) => scales.len(),
            Spreads::Full(covariances) => covariances.len() / (dim * dim),
        };
        if count == 0 || self.means.len() != count || spreads != count {
            let found = format!("{count} weights, {} means, {spreads} spreads", self.means.len());
            return Err(not_sound("of one weight, mean and spread for each component", found));
        }
        (0..count).map(|k| self.component(k)).collect()
    }

    fn component(&self, k: usize) -> Result<Component> {
        let dim = self.dim();
        let refuse = |found: String| not_sound("of spreads above zero", format!("{found} in component {k}"));
        let (whiten, log_volume) = match &self.spreads {
            Spreads::Round(scales) => {
                let scale = scales[k];
                if !(scale > 0.0 && scale.is_finite()) {
                    return Err(refuse(scale.to_string()));
                }
                (Whiten::Round(1.0 / scale), dim as f64 * scale.ln())
            }
            Spreads::Full(covariances) => {
                let covariance = Spreads::covariance(covariances, k, dim);
                let are_finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
                // The factor is made of one half of the matrix.
                let factor = cholesky::factor(covariance, dim).filter(|_| are_finite(covariance));
                let factor = factor.ok_or_else(|| refuse("another covariance".into()))?;
                let log_volume = (0..dim).map(|i| factor[i * dim + i].ln()).sum();
                let inverse = cholesky::invert(&factor, dim);
                if !are_finite(&inverse) {
                    return Err(refuse("a covariance without an inverse".into()));
                }
                (Whiten::Full(inverse), log_volume)
            }
        };
        let log_two_pi = (2.0 * std::f64::consts::PI).ln();
        let log_height = self.weights[k].ln() - log_volume - 0.5 * dim as f64 * log_two_pi;
        Ok(Component { mean: self.means.row(k).to_vec(), whiten, log_height })
    }
}

fn not_sound(expected: &str, found: String) -> Error {
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

/// What makes a Gaussian a standard one.
#[derive(Clone, Debug, PartialEq)]
pub enum Whiten {
    /// 1/σ.
    Round(f64),
    /// L⁻¹, lower triangular, row after row.
    Full(Vec<f64>),
}

/// One Gaussian, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// μ.
    pub mean: Vec<f64>,
    /// 1/σ or L⁻¹.
    pub whiten: Whiten,
    /// ln π − ln √((2π)^m·det Σ).
    pub log_height: f64,
}

impl Component {
    /// ln(π·N(x)).
    #[must_use]
    pub fn log_density(&self, x: &[f64]) -> f64 {
        let away: Vec<f64> = x.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        let square: f64 = match &self.whiten {
            Whiten::Round(inverse) => away.iter().map(|c| (inverse * c).powi(2)).sum(),
            Whiten::Full(inverse) => {
                let dim = away.len();
                let row = |i: usize| inverse[i * dim..=i * dim + i].iter().zip(&away).map(|(w, c)| w * c);
                (0..dim).map(|i| row(i).sum::<f64>().powi(2)).sum()
            }
        };
        self.log_height - 0.5 * square
    }

    /// Σ⁻¹(μ − x): minus the gradient of −ln N at x.
    pub fn pull(&self, x: &[f64], pull: &mut [f64]) {
        pull.iter_mut().zip(&self.mean).zip(x).for_each(|((p, mean), x)| *p = mean - x);
        match &self.whiten {
            Whiten::Round(inverse) => pull.iter_mut().for_each(|p| *p *= inverse * inverse),
            Whiten::Full(inverse) => {
                let dim = x.len();
                let whitened: Vec<f64> = (0..dim)
                    .map(|i| inverse[i * dim..=i * dim + i].iter().zip(pull.iter()).map(|(w, p)| w * p).sum())
                    .collect();
                pull.fill(0.0);
                for (i, z) in whitened.iter().enumerate() {
                    let row = &inverse[i * dim..=i * dim + i];
                    pull.iter_mut().zip(row).for_each(|(p, w)| *p += w * z);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn stretched() -> FlatMixture {
        FlatMixture {
            weights: vec![0.25, 0.75],
            means: Points::new(2, vec![1.0, 2.0, -1.0, 0.5]),
            spreads: Spreads::Full(vec![2.0, 0.6, 0.6, 0.5, 1.0, 0.0, 0.0, 4.0]),
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
    fn a_round_gaussian_is_a_full_one_with_equal_variances() {
        let means = Points::new(3, vec![0.1, 0.2, 0.3]);
        let weights = vec![1.0];
        let round = FlatMixture { weights, means, spreads: Spreads::Round(vec![0.7]) };
        let covariance = (0..9).map(|i| if i % 4 == 0 { 0.49 } else { 0.0 }).collect();
        let full = FlatMixture { spreads: Spreads::Full(covariance), ..round.clone() };
        let (round, full) = (round.components().unwrap(), full.components().unwrap());
        let x = [1.0, -2.0, 0.5];
        assert!((round[0].log_density(&x) - full[0].log_density(&x)).abs() < 1e-13);
    }

    #[test]
    fn the_pull_is_minus_the_gradient() {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let round = FlatMixture { spreads: Spreads::Round(vec![0.5, 2.0]), ..stretched() };
        for mixture in [stretched(), round] {
            for component in mixture.components().unwrap() {
                let x = [rng.normal(), rng.normal()];
                let mut pull = [0.0; 2];
                component.pull(&x, &mut pull);
                for j in 0..2 {
                    let at = |step: f64| {
                        let mut x = x;
                        x[j] += step;
                        component.log_density(&x)
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    assert!((slope - pull[j]).abs() < 1e-8 * (1.0 + slope.abs()), "{slope} {}", pull[j]);
                }
            }
        }
    }

    #[test]
    fn far_points_have_responsibilities_too() {
        let mixture = FlatMixture { spreads: Spreads::Round(vec![1e-3, 1e-3]), ..stretched() };
        let found = mixture.responsibilities(&Points::new(2, vec![90.0, 0.0, -900.0, 0.1])).unwrap();
        assert_eq!((found.communities(), found.probabilities()), (vec![0, 1], vec![1.0, 1.0]));
    }

    #[test]
    fn what_is_no_covariance_and_no_number_is_refused() {
        let points = Points::zeros(4, 2);
        let wrong = [vec![1.0, 2.0, 2.0, 1.0, 1.0, 0.0, 0.0, 1.0], vec![f64::NAN; 8], vec![1.0; 4]];
        for covariances in wrong {
            let mixture = FlatMixture { spreads: Spreads::Full(covariances), ..stretched() };
            assert!(mixture.responsibilities(&points).is_err());
        }
        assert!(stretched().responsibilities(&Points::zeros(4, 3)).is_err());
        assert!(stretched().responsibilities(&Points::new(2, vec![0.0, f64::INFINITY])).is_err());
    }
}
