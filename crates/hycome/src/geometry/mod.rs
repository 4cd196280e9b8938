//! Geometries of the embedding: the Poincaré ball model of hyperbolic space ([`poincare`]), the Lorentz model ([`lorentz`]) and
//! Fréchet means ([`barycenter`]); and Euclidean space, as a baseline.

pub mod barycenter;
pub mod lorentz;
pub mod poincare;

use serde::{Deserialize, Serialize};

use crate::points::Points;

/// Geometry of the embedding space and similarity of two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Geometry {
    /// Poincaré ball, hyperbolic distance.
    #[default]
    Poincare,
    /// Euclidean space, dot products, full covariances: ComE (Cavallari et al. 2017).
    Come,
    /// Euclidean space, squared distance, all else as in the ball.
    Euclidean,
}

impl Geometry {
    /// Its name in flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Poincare => "poincare",
            Self::Come => "come",
            Self::Euclidean => "euclidean",
        }
    }

    /// Whether the space is Euclidean, so that any finite point is valid.
    #[must_use]
    pub fn is_euclidean(self) -> bool {
        self != Self::Poincare
    }

    /// Whether pairs are compared by dot products, which translations change.
    #[must_use]
    pub(crate) fn uses_dot_products(self) -> bool {
        self == Self::Come
    }

    /// Centre of points: Fréchet mean in the ball, mean in Euclidean space; none where it may not be moved to the origin, as that would
    /// change dot products.
    #[must_use]
    pub(crate) fn center(self, points: &Points) -> Option<Vec<f64>> {
        match self {
            Self::Poincare => Some(barycenter::barycenter(points, &vec![1.0; points.len()], None)?.point),
            Self::Come => None,
            Self::Euclidean => {
                let mut center = vec![0.0; points.dim()];
                let share = 1.0 / points.len() as f64;
                points.rows().for_each(|x| center.iter_mut().zip(x).for_each(|(c, x)| *c += share * x));
                Some(center)
            }
        }
    }

    /// Whether `x` is a point of the space.
    #[must_use]
    pub(crate) fn contains(self, x: &[f64]) -> bool {
        if self.is_euclidean() { x.iter().all(|c| c.is_finite()) } else { poincare::slack(x) > 0.0 }
    }

    /// What [`Self::contains`] demands of a point, for error messages.
    #[must_use]
    pub(crate) fn domain(self) -> &'static str {
        if self.is_euclidean() { "finite" } else { "finite and inside the unit ball" }
    }

    /// Distance of `x` and `y`.
    #[must_use]
    pub(crate) fn distance(self, x: &[f64], y: &[f64]) -> f64 {
        if self.is_euclidean() { poincare::squared_difference(x, y).sqrt() } else { poincare::distance(x, y) }
    }

    /// Inverse conformal slack 1/(1−|y|²), one in Euclidean space: multiplied by it, |x−y|² orders points y by their distance from x.
    #[must_use]
    pub(crate) fn inverse_slack(self, y: &[f64]) -> f64 {
        if self.is_euclidean() { 1.0 } else { 1.0 / poincare::slack(y) }
    }

    /// Writes x, translated by the isometry that takes the origin to `by`, to `moved`: Möbius addition in the ball.
    pub(crate) fn translate(self, by: &[f64], x: &[f64], moved: &mut [f64]) {
        if self.is_euclidean() {
            moved.iter_mut().zip(x).zip(by).for_each(|((to, x), by)| *to = x + by);
        } else {
            poincare::translate(by, x, moved);
        }
    }
}
