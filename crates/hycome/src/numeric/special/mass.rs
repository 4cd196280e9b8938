//! Radial quantiles of the Riemannian Gaussian: radius of the ball with a given probability mass.
//!
//! The distance from the mean of a Gaussian of scale σ in dimension *m* has density ∝ exp(−r²/2σ²)·sinh(r)^{m−1}. In
//! two dimensions the ball of radius σ has mass 0.30 for σ = 1, and less for larger scales, compared with 0.68 for one
//! standard deviation on the line. Contours are therefore drawn at quantiles, [`mass_radius`].
//!
//! In more than two dimensions, a figure shows the projection to a geodesic plane. A point at distance r from a mean
//! in that plane, in a uniformly random direction u, is projected to the distance ρ with tanh ρ = q·tanh r, where q² =
//! |u restricted to the plane|² is Beta(1, (m−2)/2) distributed. Hence
//!
//! > P(ρ ≤ R) = E_r[ 1 − (1 − tanh²R/tanh²r)₊^{(m−2)/2} ],
//!
//! which [`projected_mass_radius`] inverts. The bracket is the ratio sinh(r−R)·sinh(r+R)/(sinh r·cosh R)², which
//! neither cancels nor overflows in log space.
//!
//! The density has three regimes: below [`FLAT`]/m the space is Euclidean to rounding and r/σ is chi-distributed,
//! above [`WIDE`] r is normal around (m−1)σ², and in between it is integrated as in [`super`].

use std::f64::consts::LN_2;

use super::{REACH, Radius, WIDE, is_flat, legendre, log_gap};

/// Radius of the ball around the mean of a Gaussian that has the mass `share`.
///
/// The radius is zero for a share of zero or less, and infinite for one or more.
///
/// ```
/// use hycome::special::mass_radius;
/// // In the plane, half of the mass of a Gaussian of scale one is within 1.39 of its mean, and 90 % within 2.49.
/// assert!((mass_radius(2, 1.0, 0.5) - 1.39).abs() < 0.005);
/// assert!((mass_radius(2, 1.0, 0.9) - 2.49).abs() < 0.005);
/// ```
#[must_use]
pub fn mass_radius(dim: usize, scale: f64, share: f64) -> f64 {
    if let Some(radius) = degenerate(scale, share) {
        return radius;
    }
    let density = Distance::new(dim, scale);
    let total = density.mass(density.low, density.high);
    let found = root(density.low, density.high, |at| density.mass(density.low, at) / total - share, share);
    density.radius(found)
}

/// Radius of the disc that has the mass `share` after projection to a geodesic plane through the mean.
///
/// Projection shortens distances, so this is at most [`mass_radius`], and equal to it in at most two dimensions. If
/// the mean is not in the plane, distances shrink more, and the disc around the projected mean has a larger mass.
#[must_use]
#[cfg_attr(not(feature = "plot"), allow(dead_code, reason = "only contours need it"))]
pub(crate) fn projected_mass_radius(dim: usize, scale: f64, share: f64) -> f64 {
    if dim <= 2 {
        return mass_radius(dim, scale, share);
    }
    if let Some(radius) = degenerate(scale, share) {
        return radius;
    }
    let exponent = 0.5 * (dim as f64 - 2.0);
    if scale > WIDE {
        // All points are so far out that tanh r = 1: the mass beyond R is cosh(R)^−(m−2).
        return (-(-share).ln_1p() / (2.0 * exponent)).exp().acosh();
    }
    let density = Distance::new(dim, scale);
    let total = density.mass(density.low, density.high);
    let within = |at: f64| {
        let inner = if at > density.low { density.mass(density.low, at) } else { 0.0 };
        // Mass from beyond R that is projected inside. The substitution r = R + w·s² makes (r−R)^{1/2} smooth.
        let from = at.max(density.low);
        let wide = density.high - from;
        let outer: f64 = legendre()
            .iter()
            .map(|&(node, weight)| {
                let s = 0.5 * (node + 1.0);
                let r = from + wide * s * s;
                let lies = -(exponent * density.log_steepness(r, at)).exp_m1();
                weight * wide * s * density.fall(r).exp() * lies
            })
            .sum();
        (inner + outer) / total - share
    };
    density.radius(root(0.0, density.high, within, share))
}

fn degenerate(scale: f64, share: f64) -> Option<f64> {
    if scale.is_nan() || share.is_nan() {
        return Some(f64::NAN);
    }
    if share <= 0.0 || scale <= 0.0 {
        return Some(0.0);
    }
    (share >= 1.0 || scale.is_infinite()).then_some(f64::INFINITY)
}

/// Unnormalized density of the distance from the mean, in a rescaled coordinate.
struct Distance {
    form: Form,
    scale: f64,
    /// Outside this interval the density is below e^{−40} of its peak.
    low: f64,
    high: f64,
}

enum Form {
    /// Coordinate r/σ, density t^power·exp(−t²/2).
    Flat { power: f64, mode: f64 },
    /// Coordinate r.
    Curved(Radius),
    /// Coordinate (r − mode)/σ, density exp(−z²/2).
    Normal { mode: f64 },
}

impl Distance {
    fn new(dim: usize, scale: f64) -> Self {
        let power = dim.max(1) as f64 - 1.0;
        if dim <= 1 || is_flat(dim, scale) {
            let mode = power.sqrt();
            let low = if power > 0.0 { (mode - REACH / 2f64.sqrt()).max(0.0) } else { 0.0 };
            return Self { form: Form::Flat { power, mode }, scale, low, high: mode + REACH };
        }
        if scale > WIDE {
            let mode = power * scale * scale;
            return Self { form: Form::Normal { mode }, scale, low: -REACH, high: REACH };
        }
        let radius = Radius::new(dim, scale);
        let (low, high) = radius.range();
        Self { form: Form::Curved(radius), scale, low, high }
    }

    /// Logarithm of the density relative to its peak.
    fn fall(&self, at: f64) -> f64 {
        match &self.form {
            Form::Flat { power, mode } if *power > 0.0 => {
                -0.5 * (at - mode) * (at + mode) + power * (at / mode).ln()
            }
            Form::Curved(radius) => radius.fall(at - radius.mode),
            Form::Flat { .. } | Form::Normal { .. } => -0.5 * at * at,
        }
    }

    /// Integral of the density over an interval.
    fn mass(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        half * legendre()
            .iter()
            .map(|&(node, weight)| weight * self.fall(middle + half * node).exp())
            .sum::<f64>()
    }

    /// ln(1 − tanh²R/tanh²r) for r > R; in the Euclidean limit ln(1 − R²/r²).
    fn log_steepness(&self, r: f64, limit: f64) -> f64 {
        match self.form {
            Form::Curved(_) => {
                let gaps = log_gap(r - limit) + log_gap(r + limit) - 2.0 * log_gap(r);
                gaps + 2.0 * (LN_2 - limit - (-2.0 * limit).exp().ln_1p())
            }
            Form::Flat { .. } | Form::Normal { .. } => ((r - limit) / r * ((r + limit) / r)).ln(),
        }
    }

    fn radius(&self, at: f64) -> f64 {
        match self.form {
            Form::Flat { .. } => self.scale * at,
            Form::Curved(_) => at,
            Form::Normal { mode } => mode + self.scale * at,
        }
    }
}

/// Root of an increasing function that is −`share` at `low` and 1 − `share` at `high` (Illinois method).
fn root(low: f64, high: f64, f: impl Fn(f64) -> f64, share: f64) -> f64 {
    let (mut a, mut b) = ((low, -share), (high, 1.0 - share));
    let mut last_side = 0;
    for _ in 0..MAX_STEPS {
        let at = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
        let at = if at > a.0 && at < b.0 { at } else { 0.5 * (a.0 + b.0) };
        let value = f(at);
        if value == 0.0 || (b.0 - a.0) <= TOLERANCE * b.0.abs().max(a.0.abs()) {
            return at;
        }
        let side = if value < 0.0 { -1 } else { 1 };
        if side < 0 {
            if last_side == side {
                b.1 *= 0.5;
            }
            a = (at, value);
        } else {
            if last_side == side {
                a.1 *= 0.5;
            }
            b = (at, value);
        }
        last_side = side;
    }
    0.5 * (a.0 + b.0)
}

/// Maximum number of iterations; about a dozen are needed, and a hundred suffice even for bisection.
const MAX_STEPS: usize = 100;

/// Relative bracket width at which the integral is dominated by rounding.
const TOLERANCE: f64 = 1e-14;

#[cfg(test)]
mod tests {
    use super::*;

    /// Mass within `radius` by Simpson's rule on the defining integral.
    fn slow_share(dim: usize, scale: f64, radius: f64) -> f64 {
        let power = dim as f64 - 1.0;
        let g = |r: f64| {
            let sinh = if r > 1e-3 { r + (-(-2.0 * r).exp()).ln_1p() - LN_2 } else { r.sinh().ln() };
            -0.5 * (r / scale).powi(2) + if power > 0.0 { power * sinh } else { 0.0 }
        };
        // The mode is at most (m−1)σ² + √((m−1))·σ; 12 standard deviations more contain all the mass.
        let end = power * scale * scale + (power.sqrt() + 12.0) * scale;
        let start = (power * scale * scale - 30.0 * scale).max(0.0);
        const STEPS: usize = 100_000;
        let peak = (1..=STEPS)
            .map(|i| g(start + (end - start) * i as f64 / STEPS as f64))
            .fold(f64::NEG_INFINITY, f64::max);
        let simpson = |from: f64, to: f64| {
            let h = (to - from) / STEPS as f64;
            let value = |i: usize| {
                let r = from + h * i as f64;
                if r == 0.0 && power > 0.0 { 0.0 } else { (g(r) - peak).exp() }
            };
            let inner: f64 = (1..STEPS).map(|i| value(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
            h / 3.0 * (value(0) + inner + value(STEPS))
        };
        simpson(start, radius.min(end)) / simpson(start, end)
    }

    #[test]
    fn mass_radius_inverts_the_integral() {
        for dim in [1, 2, 3, 5, 10, 64, 128, 300] {
            for scale in [1e-12, 1e-6, 0.01, 0.3, 1.0, 2.5, 10.0] {
                for share in [0.01, 0.5, 0.9, 0.999] {
                    let radius = mass_radius(dim, scale, share);
                    let found = slow_share(dim, scale, radius);
                    assert!((found - share).abs() < 1e-9, "m = {dim}, σ = {scale}, {share}: {found}");
                }
            }
        }
    }

    #[test]
    fn known_values_in_one_and_two_dimensions_and_euclidean_space() {
        for (share, radius) in [(0.5, 1.39), (0.9, 2.49)] {
            assert!((mass_radius(2, 1.0, share) - radius).abs() < 0.005);
        }
        assert!((mass_radius(2, 1.0, 0.30) - 1.0).abs() < 0.01, "mass within one scale is 0.30");
        // Quantiles of |N(0, 1)| and of the chi distribution with two degrees of freedom, √(−2 ln(1−p)).
        assert!((mass_radius(1, 2.0, 0.5) / 2.0 - 0.674_489_750_196_081_7).abs() < 1e-13);
        let rayleigh = (2.0 * LN_2).sqrt();
        assert!((mass_radius(2, 1e-200, 0.5) / (1e-200 * rayleigh) - 1.0).abs() < 1e-13);
        // For large scales the distance is normal around (m−1)σ².
        let wide = mass_radius(3, 1e6, 0.9);
        assert!(((wide - 2e12) / 1e6 - 1.281_551_565_544_6).abs() < 1e-3);
    }

    #[test]
    fn radii_increase_with_scale_and_share_at_all_magnitudes() {
        for dim in [1, 2, 3, 10, 128, 1000] {
            let mut last = [0.0; 3];
            for exponent in -300..=300 {
                let scale = 10f64.powi(exponent);
                let radii = [0.5, 0.9, 0.99].map(|share| mass_radius(dim, scale, share));
                assert!(radii.is_sorted() && radii[0] > 0.0, "m = {dim}, σ = {scale}: {radii:?}");
                assert!(radii.iter().zip(last).all(|(new, old)| *new >= old), "m = {dim}, σ = {scale}");
                let projected = [0.5, 0.9, 0.99].map(|share| projected_mass_radius(dim, scale, share));
                assert!(projected.is_sorted() && projected[0] > 0.0, "{projected:?}");
                assert!(projected.iter().zip(radii).all(|(p, r)| *p <= r * (1.0 + 1e-12)));
                last = radii;
            }
        }
    }

    #[test]
    fn projected_radius_matches_monte_carlo() {
        use crate::rng::{Purpose, stream};
        let mut rng = stream(7, Purpose::PlotEdges, 2, 2);
        for (dim, scale) in [(3, 0.7), (5, 0.2), (10, 1.0), (4, 1e-3)] {
            let limits = [0.5, 0.9].map(|share| projected_mass_radius(dim, scale, share));
            let (mut inside, count) = ([0; 2], 20_000);
            for _ in 0..count {
                let radius = mass_radius(dim, scale, rng.unit());
                let u: Vec<f64> = (0..dim).map(|_| rng.normal()).collect();
                let q = u[0].hypot(u[1]) / u.iter().map(|c| c * c).sum::<f64>().sqrt();
                let projected = (q * radius.tanh()).atanh();
                inside.iter_mut().zip(limits).for_each(|(n, limit)| *n += usize::from(projected <= limit));
            }
            // The standard deviation of the fraction is 0.0035; five of them are exceeded once in a million seeds.
            for (n, share) in inside.into_iter().zip([0.5, 0.9]) {
                let found = n as f64 / f64::from(count);
                assert!((found - share).abs() < 0.018, "m = {dim}, σ = {scale}: {found} of {share}");
            }
        }
    }

    #[test]
    fn shares_outside_zero_to_one_are_clamped() {
        assert_eq!(mass_radius(2, 1.0, 0.0), 0.0);
        assert_eq!(mass_radius(2, 0.0, 0.5), 0.0);
        assert!(mass_radius(2, 1.0, 1.0).is_infinite());
        assert!(mass_radius(2, f64::NAN, 0.5).is_nan() && projected_mass_radius(5, 1.0, f64::NAN).is_nan());
    }
}
