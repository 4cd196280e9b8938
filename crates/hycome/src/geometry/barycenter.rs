//! Fréchet (Karcher) mean, or barycenter: the minimizer of the weighted sum of squared distances.
//!
//! The weighted mean of log_μ(x) is minus the Riemannian gradient of ½·Σ w·d²/Σw at μ, and the barycenter is where it vanishes; it is
//! unique since the space has negative curvature. Riemannian gradient descent (Bonnabel 2013) iterates
//!
//! > μ ← exp_μ( s · Σ w·log_μ(x) / Σw )
//!
//! until the norm of the gradient is below a tolerance. The step s is one over the curvature of the sum. ½d² has
//! curvature 1 along the line to x and d·coth d in the m−1 directions across it, on average over directions
//!
//! > 1/s = 1/m + (1 − 1/m)·Σ w·d·coth d / Σw.
//!
//! No curvature of the sum exceeds C = Σ w·d·coth d/Σw, and s·C < m/(m−1) ≤ 2, so the step stays in the range
//! in which gradient descent converges; on a line (m = 1) it arrives at once. Where the points lie around μ in
//! all directions it nearly does too: from the Lorentz midpoint four to eleven passes reach 10⁻¹², against hundreds
//! at a small fixed step.
//!
//! | symbol | name |
//! |---|---|
//! | Σ w | `weight` |
//! | Σ w·log_μ(x) | `direction` |
//! | Σ w·d·coth d | `stiffness` |
//! | Σ w·d² | `squared_distance` |

use crate::Points;
use crate::geometry::{lorentz, poincare};

/// Weighted Fréchet mean and the outcome of its search.
#[derive(Clone, Debug, PartialEq)]
pub struct Barycenter {
    /// The mean.
    pub point: Vec<f64>,
    /// Number of passes over the points.
    pub passes: usize,
    /// Norm of the gradient at the mean: a bound on the distance to the exact one.
    pub gradient_norm: f64,
}

/// Gradient norm at which the search has converged.
pub(crate) const GRADIENT_TOLERANCE: f64 = 1e-12;

/// Maximum number of iterations; from the Lorentz midpoint about ten suffice.
pub(crate) const MAX_PASSES: usize = 100;

/// Weights whose largest is not in here are taken as shares of it: their sums, times coordinates of the hyperboloid that may
/// be as large as 10¹⁶, would be infinite or vanish.
const USUAL_WEIGHTS: std::ops::RangeInclusive<f64> = 1e-200..=1e200;

/// Weighted Fréchet mean; `None` if the weights have no positive sum.
///
/// The search begins at `start`, or at the Lorentz midpoint without one.
///
/// ```
/// use hycome::{Points, geometry::barycenter::barycenter};
/// let points = Points::new(2, vec![0.5, 0.0, -0.5, 0.0]);
/// let mean = barycenter(&points, &[1.0, 1.0], None).unwrap();
/// assert!(mean.point[0].abs() < 1e-15);
/// ```
#[must_use]
pub fn barycenter(points: &Points, weights: &[f64], start: Option<&[f64]>) -> Option<Barycenter> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    if largest.is_finite() && largest > 0.0 && !USUAL_WEIGHTS.contains(&largest) {
        let shares: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
        return barycenter(points, &shares, start);
    }
    let mut point = match start {
        Some(start) => start.to_vec(),
        None => lorentz::midpoint(points, weights)?,
    };
    let mut passes = 0;
    loop {
        let gradient = FrechetGradient::at(points, weights, &point);
        passes += 1;
        let gradient_norm = gradient.norm(&point)?;
        if gradient_norm <= tolerance(GRADIENT_TOLERANCE, &point) || passes == MAX_PASSES {
            return Some(Barycenter { point, passes, gradient_norm });
        }
        point = gradient.descend(&point);
    }
}

/// The tolerance at a point, which cannot be below the rounding of its coordinates there.
///
/// Near the boundary one unit in the last place of a coordinate is a distance of about ε/(1−|x|²).
pub(crate) fn tolerance(asked: f64, point: &[f64]) -> f64 {
    asked.max(ROUNDING / poincare::slack(point))
}

/// A few units in the last place, in the distance at the origin.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Negative Riemannian gradient of ½·Σ w·d² at a trial point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrechetGradient {
    /// Σ w.
    pub weight: f64,
    /// Σ w·log(x), a tangent vector at the trial point.
    pub direction: Vec<f64>,
    /// Σ w·d·coth d.
    pub stiffness: f64,
    /// Σ w·d².
    pub squared_distance: f64,
}

impl FrechetGradient {
    /// The gradient of weighted points at `point`.
    #[must_use]
    pub(crate) fn at(points: &Points, weights: &[f64], point: &[f64]) -> Self {
        let mut log = vec![0.0; points.dim()];
        let mut gradient =
            Self { weight: 0.0, direction: log.clone(), stiffness: 0.0, squared_distance: 0.0 };
        for (x, &weight) in points.rows().zip(weights) {
            if weight > 0.0 {
                let distance = poincare::log(point, x, &mut log);
                gradient.weight += weight;
                gradient.direction.iter_mut().zip(&log).for_each(|(sum, log)| *sum += weight * log);
                gradient.stiffness += weight * stiffness(distance);
                gradient.squared_distance += weight * distance * distance;
            }
        }
        gradient
    }

    /// Norm of the mean gradient at `point`; `None` if there is no weight.
    #[must_use]
    pub(crate) fn norm(&self, point: &[f64]) -> Option<f64> {
        let length = 2.0 * poincare::norm(&self.direction) / poincare::slack(point);
        (self.weight > 0.0).then(|| length / self.weight)
    }

    /// The trial point after one descent step.
    #[must_use]
    pub(crate) fn descend(&self, point: &[f64]) -> Vec<f64> {
        let across = 1.0 - 1.0 / point.len() as f64;
        let curvature = self.weight * (1.0 - across) + self.stiffness * across;
        let step: Vec<f64> = self.direction.iter().map(|v| v / curvature).collect();
        let mut moved = step.clone();
        poincare::exp(point, &step, &mut moved);
        poincare::keep_inside(&mut moved);
        moved
    }
}

/// d·coth d, which is one for equal points.
fn stiffness(distance: f64) -> f64 {
    if distance < f64::EPSILON { 1.0 } else { distance / distance.tanh() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::poincare::distance;
    use crate::rng::{Purpose, stream};

    fn cloud(count: usize, dim: usize, radius: f64) -> (Points, Vec<f64>) {
        let mut rng = stream(3, Purpose::Start, count as u64, dim as u64);
        let data = (0..count * dim).map(|_| (2.0 * rng.unit() - 1.0) * radius / (dim as f64).sqrt());
        let points = Points::new(dim, data.collect());
        (points, (0..count).map(|_| rng.unit()).collect())
    }

    #[test]
    fn on_a_line_the_barycenter_is_the_mean() {
        let positions = [-1.0f64, 0.5, 4.0];
        let points = Points::new(1, positions.iter().map(|p| (0.5 * p).tanh()).collect());
        let mean = barycenter(&points, &[1.0, 1.0, 2.0], None).unwrap();
        assert!((mean.point[0] - (0.5f64 * 7.5 / 4.0).tanh()).abs() < 1e-14);
        assert!(mean.passes <= 3, "{} passes", mean.passes);
    }

    #[test]
    fn few_passes_find_the_barycenter_from_the_midpoint() {
        for dim in [2, 3, 10, 64] {
            for radius in [1e-6, 0.3, 0.9, 0.9999] {
                let (points, weights) = cloud(50, dim, radius);
                let mean = barycenter(&points, &weights, None).unwrap();
                assert!(mean.passes <= 12, "dim {dim}, radius {radius}: {} passes", mean.passes);
                assert!(mean.gradient_norm <= tolerance(GRADIENT_TOLERANCE, &mean.point));
            }
        }
    }

    #[test]
    fn the_barycenter_does_not_depend_on_the_start() {
        let (points, weights) = cloud(30, 5, 0.95);
        let free = barycenter(&points, &weights, None).unwrap();
        for i in 0..5 {
            let begun = barycenter(&points, &weights, Some(points.row(i))).unwrap();
            assert!(distance(&free.point, &begun.point) < 1e-11);
        }
    }

    #[test]
    fn every_step_lessens_the_sum_of_squares() {
        let (points, weights) = cloud(12, 2, 0.9999);
        let mut point = points.row(0).to_vec();
        let mut last = f64::INFINITY;
        for _ in 0..20 {
            let gradient = FrechetGradient::at(&points, &weights, &point);
            assert!(gradient.squared_distance <= last * (1.0 + 1e-14));
            last = gradient.squared_distance;
            point = gradient.descend(&point);
        }
    }

    #[test]
    fn equal_points_are_their_own_barycenter() {
        let points = Points::new(2, [0.3, -0.6].repeat(7));
        let mean = barycenter(&points, &[0.5; 7], None).unwrap();
        assert!(distance(&mean.point, &[0.3, -0.6]) < 1e-14);
    }

    #[test]
    fn without_weight_there_is_no_barycenter() {
        let points = Points::new(2, vec![0.3, -0.6]);
        assert_eq!(barycenter(&points, &[0.0], None), None);
        assert_eq!(barycenter(&points, &[0.0], Some(&[0.0, 0.0])), None);
    }
}
