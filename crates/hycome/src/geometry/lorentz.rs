//! Lorentz (hyperboloid) model of hyperbolic space, in which a weighted midpoint is a normalized sum.
//!
//! The same space as the ball is the sheet X₀ > 0 of −X₀² + X₁² + … + X_m² = −1, and
//!
//! > X = (1+|x|², 2x)/(1−|x|²),  x = (X₁, …, X_m)/(1+X₀)
//!
//! lead from one to the other. Adding points of the sheet with weights and scaling the sum back onto the sheet
//! gives the Lorentz midpoint. It minimizes Σ w·(cosh d − 1), not the Σ w·d² of the barycenter, but for points
//! that are close the two agree, so it is where the search for the barycenter starts.

use crate::Points;
use crate::geometry::poincare::{keep_inside, slack, squared_norm};

/// Maps a point of the ball to the hyperboloid: one coordinate more, time first.
pub fn lift(x: &[f64], out: &mut [f64]) {
    let square = squared_norm(x);
    let inverse = 1.0 / slack(x);
    out[0] = (1.0 + square) * inverse;
    for (out, x) in out[1..].iter_mut().zip(x) {
        *out = 2.0 * inverse * x;
    }
}

/// √(T² − |S|²), as a product: far from the origin the squares would cancel.
fn length(time: f64, space: &[f64]) -> f64 {
    let norm = squared_norm(space).sqrt();
    ((time - norm) * (time + norm)).max(0.0).sqrt()
}

fn divide(space: &[f64], by: f64, out: &mut [f64]) {
    out.iter_mut().zip(space).for_each(|(out, space)| *out = space / by);
}

/// Weighted Lorentz midpoint (Einstein midpoint) of the points; `None` if the weights do not have a positive sum.
#[must_use]
pub(crate) fn midpoint(points: &Points, weights: &[f64]) -> Option<Vec<f64>> {
    let mut total = vec![0.0; points.dim() + 1];
    let mut lifted = total.clone();
    for (x, &weight) in points.rows().zip(weights) {
        if weight > 0.0 {
            lift(x, &mut lifted);
            total.iter_mut().zip(&lifted).for_each(|(total, x)| *total += weight * x);
        }
    }
    if total[0].is_nan() || total[0] <= 0.0 {
        return None;
    }
    // A sum of points of the sheet is at least as long as their weights together. Where it is found to be much shorter,
    // the points are so far out that time and space agree in all their digits.
    let weight: f64 = weights.iter().filter(|&&weight| weight > 0.0).sum();
    let (time, space) = (total[0], &total[1..]);
    let length = length(time, space);
    let length = if length < 0.5 * weight { weight } else { length };
    let mut out = vec![0.0; points.dim()];
    divide(space, length + time, &mut out);
    keep_inside(&mut out);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::poincare::distance;

    #[test]
    fn projection_inverts_lift() {
        for x in [[0.0, 0.0], [0.3, -0.4], [0.999, 0.01], [1e-200, 0.0]] {
            let (mut lifted, mut back) = ([0.0; 3], [0.0; 2]);
            lift(&x, &mut lifted);
            let (time, space) = (lifted[0], &lifted[1..]);
            divide(space, length(time, space) + time, &mut back);
            for (x, back) in x.iter().zip(back) {
                // T² − |S|² = 1 loses digits as T² grows: here T is about 10³
                assert!((x - back).abs() <= 1e-12 * x.abs(), "{x} {back}");
            }
        }
    }

    #[test]
    fn the_midpoint_of_two_points_is_half_way() {
        let points = Points::new(2, vec![0.1, 0.2, -0.7, 0.5]);
        let middle = midpoint(&points, &[2.0, 2.0]).unwrap();
        let half = 0.5 * distance(points.row(0), points.row(1));
        assert!((distance(&middle, points.row(0)) - half).abs() < 1e-14);
        assert!((distance(&middle, points.row(1)) - half).abs() < 1e-14);
    }

    #[test]
    fn without_weight_there_is_no_midpoint() {
        let points = Points::new(2, vec![0.1, 0.2, -0.7, 0.5]);
        assert_eq!(midpoint(&points, &[0.0, 0.0]), None);
    }
}
