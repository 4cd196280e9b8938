//! Poincaré ball model of hyperbolic space (Nickel and Kiela 2017; Ganea et al. 2018): distance, Möbius addition, exponential and
//! logarithmic map.
//!
//! Points are the vectors of norm below one; the distance of x and y is arcosh(1 + 2|x−y|²/((1−|x|²)(1−|y|²))).
//! That form loses every digit for close points, so with A = 1−|x|², B = 1−|y|², s = |x−y|² and
//!
//! > D = s + A·B,  t = √(s/D) = |(−x)⊕y|
//!
//! we use d = 2·artanh t = ln((1+t)²·D/(A·B)), in which nothing cancels. The tangent vector at x that leads
//! to y is log_x(y) = A·(d/2)/t · (A·y − (A+s)·x)/D, and following v from x for unit time ends in
//! exp_x(v) = x ⊕ tanh(|v|/A)·v/|v|. The metric at x measures v as 2|v|/A, so log_x(y) measures d(x, y), and
//! −2·log_x(y) is the Riemannian gradient of d²(·, y): it must not be rescaled again.

/// Slack 1 − |x|², from which the conformal factor 2/(1 − |x|²) is formed.
///
/// Near the boundary the rounding of |x|² would be a large part of the difference, and distances, which grow with its logarithm, would lose
/// as many digits; there the sum of squares is compensated.
#[must_use]
pub fn slack(x: &[f64]) -> f64 {
    let slack = 1.0 - squared_norm(x);
    if slack.abs() < CANCELS { exact_slack(x) } else { slack }
}

/// Below this slack, one over which is how much cancellation enlarges rounding errors, 1 − |x|² is summed exactly.
const CANCELS: f64 = 1e-2;

/// 1 − |x|² in twice the precision: x² = p + fma(x, x, −p), and Knuth's sum gives the rounding error of each addition.
#[cold]
fn exact_slack(x: &[f64]) -> f64 {
    let (mut sum, mut error) = (1.0, 0.0);
    for &c in x {
        let square = c * c;
        let next = sum - square;
        let back = next - sum;
        error += ((sum - (next - back)) - (square + back)) - c.mul_add(c, -square);
        sum = next;
    }
    sum + error
}

/// Moves a point that rounding has put onto the surface, or beyond, to just inside.
///
/// For means of points of the ball, which are inside in exact arithmetic. A step that leaves the ball is skipped and counted
/// instead.
pub fn keep_inside(x: &mut [f64]) {
    if slack(x) < LEAST_SLACK {
        let shrink = (1.0 - LEAST_SLACK) / norm(x);
        x.iter_mut().for_each(|c| *c *= shrink);
    }
}

/// Smallest slack of a mean: a few units in the last place of one.
const LEAST_SLACK: f64 = 1e-15;

/// Squared Euclidean norm.
#[must_use]
pub(crate) fn squared_norm(x: &[f64]) -> f64 {
    x.iter().map(|c| c * c).sum()
}

/// Euclidean norm, also of vectors so small that their squares vanish.
#[must_use]
pub fn norm(x: &[f64]) -> f64 {
    let square = squared_norm(x);
    if square >= SQUARES_VANISH {
        return square.sqrt();
    }
    let largest = x.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
    if largest == 0.0 { 0.0 } else { largest * x.iter().map(|c| (c / largest).powi(2)).sum::<f64>().sqrt() }
}

/// A sum of squares below this may have lost terms to underflow.
const SQUARES_VANISH: f64 = 1e-280;

/// Squared Euclidean distance, by differences.
#[must_use]
pub fn squared_difference(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Hyperbolic distance of `x` and `y`, with curvature −1.
///
/// ```
/// use hycome::geometry::poincare::distance;
/// // From the origin to radius tanh(1/2) it is one unit.
/// assert!((distance(&[0.0, 0.0], &[0.5f64.tanh(), 0.0]) - 1.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    let s = squared_difference(x, y);
    if s >= SQUARES_VANISH {
        return distance_from_parts(s, slack(x), slack(y));
    }
    let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    2.0 * norm(&difference) / (slack(x) * slack(y)).sqrt()
}

/// Hyperbolic distance from s = |x−y|², A = 1−|x|² and B = 1−|y|².
#[must_use]
fn distance_from_parts(s: f64, a: f64, b: f64) -> f64 {
    2.0 * half_distance_over_norm(s, a, b) * (s / (s + a * b)).sqrt()
}

/// artanh(t)/t for t = |(−x)⊕y|: one for equal points, so it needs no special case at the call.
fn half_distance_over_norm(s: f64, a: f64, b: f64) -> f64 {
    let t = (s / (s + a * b)).sqrt();
    if t < SMALL {
        let t2 = t * t;
        return 1.0 + t2 * (1.0 / 3.0 + t2 * (1.0 / 5.0 + t2 * (1.0 / 7.0 + t2 / 9.0)));
    }
    // (1+t)/(1−t) = (1+t)²/(1−t²) = (1+t)²·D/(A·B)
    ((1.0 + t) * (1.0 + t) * (s + a * b) / (a * b)).ln() / (2.0 * t)
}

/// Below this the series of artanh(t)/t to t⁸ is exact to rounding: the next term is t¹⁰/11.
const SMALL: f64 = 0.02;

/// Möbius addition x ⊕ y: the translation that takes the origin to `x`, applied to `y`.
pub fn translate(x: &[f64], y: &[f64], out: &mut [f64]) {
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        *out = x + y;
    }
    finish_sum(x, slack(y), out);
}

/// Turns p = x + y into x ⊕ y, given 1−|y|².
///
/// With A = 1−|x|² the sum is (|p|²·x + A·p)/(|p|² + A·(1−|y|²)). The usual form, with 1 + 2⟨x,y⟩ + |x|²|y|²
/// below, loses every digit where x and y are long and nearly opposite.
fn finish_sum(x: &[f64], slack_y: f64, p: &mut [f64]) {
    let (a, square) = (slack(x), squared_norm(p));
    let inverse = 1.0 / (square + a * slack_y);
    for (p, x) in p.iter_mut().zip(x) {
        *p = (square * x + a * *p) * inverse;
    }
}

/// Logarithmic map: the tangent vector at `x` whose geodesic reaches `y` in unit time; returns their distance.
pub fn log(x: &[f64], y: &[f64], out: &mut [f64]) -> f64 {
    let (a, b, s) = (slack(x), slack(y), squared_difference(x, y));
    let ratio = half_distance_over_norm(s, a, b);
    let scale = a * ratio / (s + a * b);
    for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
        // A·y − (A+s)·x, written with the difference so that close points keep their digits
        *out = scale * (a * (y - x) - s * x);
    }
    2.0 * ratio * (s / (s + a * b)).sqrt()
}

/// Exponential map: the point that the geodesic from `x` with velocity `v` reaches in unit time.
///
/// Beyond a distance of about 36 from the origin the coordinates round to a point of the boundary; callers that
/// take such steps check the [`slack`] of the result.
pub fn exp(x: &[f64], v: &[f64], out: &mut [f64]) {
    let norm = norm(v);
    if norm == 0.0 {
        out.copy_from_slice(x);
        return;
    }
    let length = norm / slack(x);
    let (tau, cosh) = (length.tanh(), length.cosh());
    for ((out, x), v) in out.iter_mut().zip(x).zip(v) {
        *out = x + v * (tau / norm);
    }
    finish_sum(x, 1.0 / (cosh * cosh), out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_meets_the_logarithm() {
        // s/(s+1) = t² just below and just above the switch
        for t in [SMALL * (1.0 - 1e-12), SMALL] {
            let s = t * t / (1.0 - t * t);
            assert!((half_distance_over_norm(s, 1.0, 1.0) / (t.atanh() / t) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn slack_has_all_digits_up_to_the_boundary() {
        // 1 − (1−h)² = 2h − h² for h that are powers of two, and two coordinates of a Pythagorean triple
        for k in 1..=53 {
            let h = 0.5f64.powi(k);
            assert_eq!(slack(&[1.0 - h]), 2.0 * h - h * h, "h = 2^-{k}");
            assert_eq!(slack(&[0.0, h - 1.0, 0.0]), 2.0 * h - h * h);
        }
        assert_eq!(slack(&[1.0, 0.0]), 0.0);
        assert_eq!(slack(&[1.0 + f64::EPSILON]), -2.0 * f64::EPSILON - f64::EPSILON * f64::EPSILON);
        assert!(slack(&[f64::NAN]).is_nan() && slack(&[2.0]) == -3.0);
    }

    #[test]
    fn norm_does_not_underflow() {
        assert!((norm(&[3e-300, 4e-300]) / 5e-300 - 1.0).abs() < 1e-15);
        assert_eq!(norm(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn translation_takes_the_origin_to_its_point() {
        let mut out = [0.0; 2];
        translate(&[0.3, 0.4], &[0.0, 0.0], &mut out);
        assert_eq!(out, [0.3, 0.4]);
        translate(&[-0.3, -0.4], &[0.3, 0.4], &mut out);
        assert_eq!(out, [0.0, 0.0]);
    }

    #[test]
    fn a_zero_step_stays() {
        let mut out = [0.0; 2];
        exp(&[0.3, 0.4], &[0.0, 0.0], &mut out);
        assert_eq!(out, [0.3, 0.4]);
    }
}
