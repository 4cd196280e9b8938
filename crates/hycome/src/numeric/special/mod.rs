//! Normalizing constant and mean squared distance of the Riemannian Gaussian (Said et al. 2018).
//!
//! In dimension *m* a Gaussian of scale σ has density exp(−d²/2σ²) / ζ_m(σ), where
//!
//! > ζ_m(σ) = ω ∫₀^∞ e^{g(r)} dr,  g(r) = −r²/2σ² + (m−1)·ln sinh r
//!
//! and ω = 2π^{m/2}/Γ(m/2) is the area of the unit sphere. The mean squared distance from the mean,
//!
//! > Φ⁻¹(σ) = σ³·d/dσ ln ζ_m(σ) = E(r²)  under the density ∝ e^{g(r)},
//!
//! has the derivative Var(r²)/σ³ > 0, so the maximum-likelihood scale Φ of an observed spread is found by Newton's
//! method on a monotone function, with the quadrature nodes of the integral itself.
//!
//! | paper | here |
//! |---|---|
//! | ζ_m(σ) | [`log_zeta`]`(dim, scale)`, its logarithm |
//! | Φ⁻¹(σ) | [`mean_squared_distance`]`(dim, scale)` |
//! | Φ | [`scale_from_spread`]`(dim, mean_squared_distance)` |
//! | quantile of the distance from the mean | [`mass_radius`]`(dim, scale, share)` |
//!
//! The integrand is entire and log-concave. Around its mode r* it decays at least as fast as a normal density of
//! standard deviation σ on the right and (−g''(r*))^{−1/2} on the left, since g''' > 0. A Gauss–Legendre rule over
//! nine of these to either side is therefore accurate to full precision for all m ≥ 1 and σ up to a thousand. The
//! well-known closed form is an alternating sum that has lost all digits at m = 10, σ = 0.001.
//!
//! Outside this range the leading terms are exact to rounding: below `FLAT`/m the space is Euclidean, and above `WIDE`
//! sinh r is e^r/2 and r is normal around (m−1)σ². Every positive scale has a result; results out of the range of
//! `f64` are infinite or zero.

mod mass;

use std::f64::consts::{LN_2, PI};
use std::sync::OnceLock;

pub use mass::mass_radius;
#[cfg(feature = "plot")]
pub(crate) use mass::projected_mass_radius;

/// Logarithm of the normalizing constant ζ of a Gaussian.
///
/// ```
/// use hycome::special::log_zeta;
/// // In one dimension this is the ordinary Gaussian.
/// assert!((log_zeta(1, 1.0) - (2.0 * std::f64::consts::PI).sqrt().ln()).abs() < 1e-15);
/// ```
#[must_use]
pub fn log_zeta(dim: usize, scale: f64) -> f64 {
    if dim <= 1 || is_flat(dim, scale) {
        return dim.max(1) as f64 * (scale.ln() + 0.5 * (2.0 * PI).ln());
    }
    if scale > WIDE {
        let far = (dim as f64 - 1.0) * scale;
        let near = scale.ln() + 0.5 * (2.0 * PI).ln() - (dim as f64 - 1.0) * LN_2;
        return log_sphere_area(dim) + near + 0.5 * far * far;
    }
    let radius = Radius::new(dim, scale);
    log_sphere_area(dim) + radius.log_peak() + radius.moments().mass.ln()
}

/// Mean squared distance from the mean of a Gaussian.
#[must_use]
pub fn mean_squared_distance(dim: usize, scale: f64) -> f64 {
    if dim <= 1 || is_flat(dim, scale) {
        return dim.max(1) as f64 * scale * scale;
    }
    if scale > WIDE {
        let far = (dim as f64 - 1.0) * scale * scale;
        return scale * scale + far * far;
    }
    Radius::new(dim, scale).moments().mean
}

/// Scale of the Gaussian with a given mean squared distance from the mean; zero for zero spread.
///
/// This is the maximum-likelihood estimate for points with that mean squared distance from their barycenter.
#[must_use]
pub fn scale_from_spread(dim: usize, mean_squared_distance: f64) -> f64 {
    let spread = mean_squared_distance;
    if dim <= 1 || spread <= 0.0 || !spread.is_finite() {
        return spread.max(0.0).sqrt();
    }
    let (m, n) = (dim as f64, dim as f64 - 1.0);
    let flat = (spread / m).sqrt();
    if is_flat(dim, flat) {
        return flat;
    }
    // solves σ² + (n·σ²)² = spread without overflow
    let wide = (2.0 * spread.sqrt() / ((1.0 / spread + 4.0 * n * n).sqrt() + 1.0 / spread.sqrt())).sqrt();
    if wide > WIDE {
        return wide;
    }
    // The spread is mσ² for small scales and (m−1)²σ⁴ for large ones; the root of their sum approximates both.
    let square = 2.0 * spread / (m + (m * m + 4.0 * n * n * spread).sqrt());
    let mut scale = square.sqrt();
    // Hyperbolic volume grows faster than Euclidean: the spread is at least mσ².
    let (mut low, mut high) = (0.0, (spread / m).sqrt() * (1.0 + 1e-9));
    for _ in 0..MAX_NEWTON_STEPS {
        let moments = Radius::new(dim, scale).moments();
        if moments.mean < spread {
            low = scale
        } else {
            high = scale
        }
        // Newton's method for ln(spread) as a function of ln(scale), whose slope is between 2 and 4.
        let slope = moments.variance / (scale * scale * moments.mean);
        let step = (spread / moments.mean).ln() / slope;
        let next = scale * step.exp();
        let next = if next >= low && next <= high { next } else { 0.5 * (low + high) };
        // Quadratic convergence: after a step this small the error is below rounding.
        if (next - scale).abs() <= NEWTON_TOLERANCE * scale {
            return next;
        }
        scale = next;
    }
    scale
}

/// Maximum number of iterations; Newton needs a handful, the bisection fallback one per bit.
const MAX_NEWTON_STEPS: usize = 64;

/// Relative step at which Newton's method stops; the next step would be below rounding.
const NEWTON_TOLERANCE: f64 = 1e-9;

/// Logarithm of the surface area of the unit sphere in `dim` dimensions.
fn log_sphere_area(dim: usize) -> f64 {
    LN_2 + 0.5 * dim as f64 * PI.ln() - log_gamma(0.5 * dim as f64)
}

/// ln Γ(x) for x > 0: Stirling's series above [`STIRLING_START`], the recurrence Γ(x+1) = xΓ(x) below.
fn log_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < STIRLING_START {
        product *= x;
        x += 1.0;
    }
    let (y, y2) = (1.0 / x, 1.0 / (x * x));
    let series =
        y * (1.0 / 12.0 - y2 * (1.0 / 360.0 - y2 * (1.0 / 1260.0 - y2 * (1.0 / 1680.0 - y2 / 1188.0))));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series - f64::ln(product)
}

/// Above this, five terms of Stirling's series have an error below 2·10⁻³·16⁻¹¹ ≈ 10⁻¹⁶.
const STIRLING_START: f64 = 16.0;

/// Distribution ∝ e^{g(r)} of the distance from the mean, in two or more dimensions.
struct Radius {
    /// m − 1, the exponent of sinh r.
    power: f64,
    scale: f64,
    /// Maximum of g.
    mode: f64,
}

/// Mass and moments of r² from one pass over the quadrature nodes.
struct Moments {
    /// ∫ e^{g(r) − g(r*)} dr.
    mass: f64,
    /// E[r²].
    mean: f64,
    /// Var(r²).
    variance: f64,
}

impl Radius {
    fn new(dim: usize, scale: f64) -> Self {
        let power = dim as f64 - 1.0;
        Self { power, scale, mode: mode(power * scale * scale) }
    }

    /// g(r*).
    fn log_peak(&self) -> f64 {
        let r = self.mode;
        -0.5 * (r / self.scale) * (r / self.scale) + self.power * (r + log_gap(r) - LN_2)
    }

    /// Outside this interval the density is below e^{−40} of its peak.
    fn range(&self) -> (f64, f64) {
        let Self { power, scale, mode } = *self;
        let sinh = mode.min(SINH_LIMIT).sinh();
        let curvature = 1.0 / (scale * scale) + power / (sinh * sinh);
        ((mode - REACH / curvature.sqrt()).max(0.0), mode + REACH * scale)
    }

    /// g(r* + delta) − g(r*), computed from differences to avoid cancellation.
    fn fall(&self, delta: f64) -> f64 {
        let Self { power, scale, mode } = *self;
        let slope = power - mode / (scale * scale);
        delta * (slope - 0.5 / (scale * scale) * delta) + power * (log_gap(mode + delta) - log_gap(mode))
    }

    fn moments(&self) -> Moments {
        let Self { power, scale, mode } = *self;
        let (low, high) = self.range();
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let square = mode * mode;

        // Differences from the mode avoid cancellation.
        let half_precision = 0.5 / (scale * scale);
        let (slope, gap) = (power - mode / (scale * scale), log_gap(mode));
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for &(node, weight) in legendre() {
            let r = middle + half * node;
            let delta = r - mode;
            let fall = delta * (slope - half_precision * delta) + power * (log_gap(r) - gap);
            let density = weight * fall.exp();
            // r² − r*² instead of r², because the variance is a small part of E[r⁴].
            let excess = delta * (r + mode);
            mass += density;
            first += density * excess;
            second += density * excess * excess;
        }
        let (first, second) = (first / mass, second / mass);
        Moments { mass: half * mass, mean: square + first, variance: second - first * first }
    }
}

/// Scale above which the mode is at 10⁶ or more, beyond any points representable in double precision.
const WIDE: f64 = 1e3;

/// Below this over the dimension, curvature is negligible: ln sinh r = ln r + r²/6 adds m²σ²/6 < 10⁻¹⁸ to log ζ.
const FLAT: f64 = 1e-9;

/// Whether curvature is below rounding at this scale.
fn is_flat(dim: usize, scale: f64) -> bool {
    scale * (dim as f64) < FLAT
}

/// Standard deviations integrated to either side; beyond, the density is below e^{−40} of its peak.
const REACH: f64 = 9.0;

/// At this radius sinh(r)² exceeds 10¹⁷³, and its reciprocal is negligible.
const SINH_LIMIT: f64 = 200.0;

/// ln(1 − e^{−2r}) = ln sinh r − r + ln 2.
pub(crate) fn log_gap(r: f64) -> f64 {
    (-(-2.0 * r).exp_m1()).ln()
}

/// Root of r·tanh r = `c`; the mode of g for c = (m−1)σ².
pub(crate) fn mode(c: f64) -> f64 {
    // r·tanh r ≤ min(r, r²), so this is a lower bound, and close to the root.
    let mut r = c.max(c.sqrt());
    for _ in 0..MAX_MODE_STEPS {
        let tanh = r.tanh();
        let step = (r * tanh - c) / (tanh + r * (1.0 - tanh * tanh));
        r -= step;
        if step.abs() <= MODE_TOLERANCE * r {
            break;
        }
    }
    r
}

/// Maximum number of iterations; Newton's method from the lower bound needs a handful.
const MAX_MODE_STEPS: usize = 20;

/// The quadrature is accurate around any point near the mode, so a rough mode suffices.
const MODE_TOLERANCE: f64 = 1e-7;

/// Quadrature nodes. On the reference tables the spread has 7 correct digits with 32 nodes, 11 with 40, and all but
/// the last with 48 or more.
const NODES: usize = 48;

/// Nodes and weights of the Gauss–Legendre rule on (−1, 1), computed once.
fn legendre() -> &'static [(f64, f64); NODES] {
    static RULE: OnceLock<[(f64, f64); NODES]> = OnceLock::new();
    RULE.get_or_init(|| std::array::from_fn(legendre_node))
}

/// Node and weight `i` of the rule: a root of the Legendre polynomial, by Newton's method.
fn legendre_node(i: usize) -> (f64, f64) {
    let n = NODES as f64;
    let mut x = -(PI * (i as f64 + 0.75) / (n + 0.5)).cos();
    let mut slope = 1.0;
    for _ in 0..LEGENDRE_STEPS {
        let (mut previous, mut value) = (1.0, x);
        for k in 2..=NODES {
            let k = k as f64;
            (previous, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * previous) / k);
        }
        slope = n * (x * value - previous) / (x * x - 1.0);
        x -= value / slope;
    }
    (x, 2.0 / ((1.0 - x * x) * slope * slope))
}

/// The cosine approximation is accurate to 10⁻⁵, and each Newton step doubles the digits.
const LEGENDRE_STEPS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    /// Dimensions and scales well beyond practical ones.
    fn grid() -> impl Iterator<Item = (usize, f64)> {
        let scales =
            [1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 10.0, 20.0, 999.0, 1001.0, 1e10, 1e50];
        [1, 2, 3, 5, 10, 20, 64, 128, 256].into_iter().flat_map(move |m| scales.map(|s| (m, s)))
    }

    #[test]
    fn quadrature_is_exact_for_polynomials() {
        for power in [0, 2, 10, 50, 94] {
            let sum: f64 = legendre().iter().map(|(x, w)| w * x.powi(power)).sum();
            assert!((sum * f64::from(power + 1) / 2.0 - 1.0).abs() < 1e-13, "power {power}: {sum}");
        }
    }

    #[test]
    fn matches_the_closed_form_in_three_dimensions() {
        for scale in [0.1f64, 0.5, 1.0, 2.0, 4.0] {
            // ∫ e^{−r²/2σ²} sinh² r dr = σ√(π/2)·(e^{2σ²} − 1)/2
            let closed = (4.0 * PI).ln()
                + (scale * (PI / 2.0).sqrt() / 2.0).ln()
                + (2.0 * scale * scale).exp_m1().ln();
            assert!((log_zeta(3, scale) - closed).abs() < 1e-13 * closed.abs().max(1.0), "scale {scale}");
        }
    }

    #[test]
    fn scale_from_spread_inverts_mean_squared_distance() {
        for (dim, scale) in grid() {
            let found = scale_from_spread(dim, mean_squared_distance(dim, scale));
            assert!((found / scale - 1.0).abs() < 1e-12, "m = {dim}, σ = {scale}: {found}");
        }
    }

    #[test]
    fn spread_increases_with_scale_and_exceeds_the_euclidean_one() {
        for (dim, scale) in grid() {
            let spread = mean_squared_distance(dim, scale);
            assert!(spread < mean_squared_distance(dim, scale * 1.001), "m = {dim}, σ = {scale}");
            let flat = dim as f64 * scale * scale;
            assert!(spread >= flat * (1.0 - 1e-13), "m = {dim}, σ = {scale}: {spread} {flat}");
            assert!(log_zeta(dim, scale).is_finite());
        }
    }

    #[test]
    fn the_spread_is_the_derivative_of_the_constant() {
        for (dim, scale) in grid() {
            let h = 1e-4;
            let rise = log_zeta(dim, scale * (1.0 + h)) - log_zeta(dim, scale * (1.0 - h));
            let spread = scale * scale * rise / (2.0 * h);
            // The central difference has error h²; rounding of log ζ adds 10⁻¹²/h if it is large.
            assert!(
                (spread / mean_squared_distance(dim, scale) - 1.0).abs() < 1e-7,
                "m = {dim}, σ = {scale}"
            );
        }
    }

    #[test]
    fn every_magnitude_has_a_result() {
        for dim in [1, 2, 3, 10, 128, 1000] {
            let (mut last_zeta, mut last_spread) = (f64::NEG_INFINITY, 0.0);
            for tenth in -3000..=3000 {
                let scale = 10f64.powf(f64::from(tenth) / 10.0);
                let (zeta, spread) = (log_zeta(dim, scale), mean_squared_distance(dim, scale));
                assert!(zeta >= last_zeta && zeta > f64::NEG_INFINITY, "m = {dim}, σ = {scale}: {zeta}");
                assert!(spread >= last_spread, "m = {dim}, σ = {scale}: {spread}");
                (last_zeta, last_spread) = (zeta, spread);
                if (1e-290..f64::INFINITY).contains(&spread) {
                    let found = scale_from_spread(dim, spread);
                    assert!((found / scale - 1.0).abs() < 1e-12, "m = {dim}, σ = {scale}: {found}");
                }
                // Small spreads are Euclidean, large ones are (m−1)²σ⁴ + σ².
                let found = scale_from_spread(dim, scale);
                assert!(found > 0.0 && found.is_finite(), "m = {dim}, spread {scale}: {found}");
            }
        }
        assert!((scale_from_spread(2, 1e250) / 1e250f64.powf(0.25) - 1.0).abs() < 1e-12);
        assert!((log_zeta(3, 1e-160) / (3.0 * (1e-160 * (2.0 * PI).sqrt()).ln()) - 1.0).abs() < 1e-14);
        assert_eq!(mean_squared_distance(2, 1e-150), 2e-300);
    }

    #[test]
    fn zero_spread_gives_zero_scale() {
        assert_eq!(scale_from_spread(10, 0.0), 0.0);
        assert_eq!(scale_from_spread(1, 4.0), 2.0);
        assert!(scale_from_spread(10, f64::INFINITY).is_infinite());
        assert!(scale_from_spread(10, 1e-200) > 0.0);
    }
}
