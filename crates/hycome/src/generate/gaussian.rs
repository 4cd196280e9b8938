//! Sampling from a mixture of Riemannian Gaussians on hyperbolic space (Said et al. 2018).
//!
//! In polar coordinates around its mean μ, a Gaussian of scale σ has a uniform direction and a radius r with density ∝
//! e^{g(r)}, g(r) = −r²/2σ² + (m−1)·ln sinh r. Since g″ ≤ −1/σ² everywhere and g′ vanishes at the mode r*,
//!
//! > g(r) ≤ g(r*) − (r−r*)²/2σ²,
//!
//! so a normal density around the mode dominates it. The radius is drawn by rejection sampling from that normal: a
//! positive r is accepted with probability exp((m−1)·(ln(sinh r/sinh r*) − (r−r*)·coth r*)). This is exact for all m
//! and σ; the acceptance rate is about two thirds for small σ, where the space is nearly Euclidean, and approaches one
//! for large σ. The exponential map at μ maps the tangent vector to the ball.

use rayon::prelude::*;

use super::{Step, refuse, step};
use crate::geometry::poincare;
use crate::interrupt;
use crate::mixture::GaussianMixture;
use crate::rng::Stream;
use crate::sampling::AliasTable;
use crate::special::{log_gap, mode};
use crate::{Points, Result};

/// Maximum distance of a sample from the origin, where 1−|x|² still has six correct digits.
const MOST_DISTANCE: f64 = 21.0;

/// Scales beyond the mode that samples are assumed not to reach: exceeded once in 10¹⁵ normal draws.
const REACH: f64 = 8.0;

/// Draws `count` points from a mixture. Returns the points and the component of each.
///
/// # Errors
/// If the mixture is invalid (dimension below 2, scales not positive, weights negative or all zero), or if samples
/// could lie farther from the origin than the ball can represent in `f64`.
pub fn sample_mixture(mixture: &GaussianMixture, count: usize, seed: u64) -> Result<(Points, Vec<u32>)> {
    check(mixture)?;
    let dim = mixture.dim();
    let radii: Vec<Radius> = mixture.scales.iter().map(|&scale| Radius::new(dim, scale)).collect();
    let choice = AliasTable::new(&mixture.weights).expect("weights are positive");
    let mut points = vec![0.0; count * dim];
    let mut components = vec![0; count];
    points.par_chunks_exact_mut(dim).zip(&mut components).enumerate().for_each(|(i, (x, component))| {
        if interrupt::is_requested() {
            return;
        }
        let mut rng = step(seed, Step::Points, i);
        *component = choice.draw(&mut rng);
        let (k, mut direction) = (*component as usize, vec![0.0; dim]);
        random_direction(&mut direction, &mut rng);
        let mean = mixture.means.row(k);
        // The Poincaré norm of v at μ is 2|v|/(1−|μ|²).
        let length = 0.5 * poincare::slack(mean) * radii[k].draw(&mut rng);
        direction.iter_mut().for_each(|c| *c *= length);
        poincare::exp(mean, &direction, x);
    });
    interrupt::check()?;
    Ok((Points::new(dim, points), components))
}

fn check(mixture: &GaussianMixture) -> Result<()> {
    let dim = mixture.dim();
    if !(2..=1024).contains(&dim) {
        return refuse("dim", "a whole number from 2 to 1024", dim);
    }
    if mixture.means.len() != mixture.len() || mixture.scales.len() != mixture.len() {
        let found = format!("{}, {} and {}", mixture.len(), mixture.means.len(), mixture.scales.len());
        return refuse("weights, means and scales", "of equal length", found);
    }
    let is_share = |&weight: &f64| (0.0..=f64::MAX).contains(&weight);
    if !mixture.weights.iter().all(is_share) || AliasTable::new(&mixture.weights).is_none() {
        return refuse("weights", "non-negative and not all zero", format!("{:?}", mixture.weights));
    }
    for (mean, &scale) in mixture.means.rows().zip(&mixture.scales) {
        if !(scale > 0.0 && scale.is_finite()) {
            return refuse("scale", "above 0", scale);
        }
        let distance = poincare::distance(mean, &vec![0.0; dim]);
        let farthest = distance + mode((dim as f64 - 1.0) * scale * scale) + REACH * scale;
        if farthest.is_nan() || farthest > MOST_DISTANCE {
            let expected = format!(
                "so small that in {dim} dimensions no point around a mean {distance:.2} from the origin is farther \
                 than {MOST_DISTANCE} from the origin (lower it, the distance or the dimension)"
            );
            return refuse("scale", expected, format!("{scale}, which reaches {farthest:.1}"));
        }
    }
    Ok(())
}

/// Uniform random unit vector.
pub(super) fn random_direction(direction: &mut [f64], rng: &mut Stream) {
    loop {
        direction.iter_mut().for_each(|c| *c = rng.normal());
        let norm = poincare::norm(direction);
        if norm > 0.0 {
            direction.iter_mut().for_each(|c| *c /= norm);
            return;
        }
    }
}

/// Rejection sampler of the distance from the mean.
struct Radius {
    /// m − 1, the exponent of sinh r.
    power: f64,
    scale: f64,
    mode: f64,
}

impl Radius {
    fn new(dim: usize, scale: f64) -> Self {
        let power = dim as f64 - 1.0;
        Self { power, scale, mode: mode(power * scale * scale) }
    }

    fn draw(&self, rng: &mut Stream) -> f64 {
        let Self { power, scale, mode } = *self;
        let coth = 1.0 / mode.tanh();
        loop {
            let r = mode + scale * rng.normal();
            if r > 0.0 {
                // ln sinh r = r + ln(1 − e^{−2r}) − ln 2
                let log_ratio = (r - mode) * (1.0 - coth) + log_gap(r) - log_gap(mode);
                if rng.unit() < (power * log_ratio).exp() {
                    return r;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};
    use crate::special::mean_squared_distance;

    #[test]
    fn squared_distances_have_their_mean() {
        for (dim, scale) in
            [(2, 1e-3), (2, 0.5), (2, 3.0), (3, 1.0), (10, 0.2), (10, 1.0), (100, 0.05), (1024, 0.01)]
        {
            let radius = Radius::new(dim, scale);
            let mut rng = stream(1, Purpose::Generate, 0, dim as u64);
            let squares: Vec<f64> = (0..20_000).map(|_| radius.draw(&mut rng).powi(2)).collect();
            let count = squares.len() as f64;
            let mean = squares.iter().sum::<f64>() / count;
            let variance = squares.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / count;
            let expected = mean_squared_distance(dim, scale);
            // Six standard errors: false-failure probability 1e-8 per seed.
            assert!(
                (mean - expected).abs() < 6.0 * (variance / count).sqrt(),
                "m = {dim}, σ = {scale}: {mean}"
            );
        }
    }

    #[test]
    fn distances_follow_their_distribution() {
        // Kolmogorov–Smirnov test against a numerically integrated CDF: D exceeds 2.65/√n once in 10⁶ seeds.
        for (dim, scale) in [(2, 0.3), (2, 2.0), (5, 1.0)] {
            let radius = Radius::new(dim, scale);
            let mut rng = stream(2, Purpose::Generate, 0, dim as u64);
            let mut draws: Vec<f64> = (0..50_000).map(|_| radius.draw(&mut rng)).collect();
            draws.sort_unstable_by(f64::total_cmp);
            let end = radius.mode + 9.0 * scale;
            let density = |r: f64| (-0.5 * (r / scale).powi(2)).exp() * r.sinh().powi(dim as i32 - 1);
            let steps = 100_000;
            let at = |i: usize| (i as f64 + 0.5) * end / steps as f64;
            let total: f64 = (0..steps).map(|i| density(at(i))).sum();
            let (mut share, mut below, mut gap) = (0.0, 0, 0.0f64);
            for i in 0..steps {
                share += density(at(i)) / total;
                while below < draws.len() && draws[below] <= (i + 1) as f64 * end / steps as f64 {
                    below += 1;
                }
                gap = gap.max((share - below as f64 / draws.len() as f64).abs());
            }
            assert!(gap < 2.65 / (draws.len() as f64).sqrt(), "m = {dim}, σ = {scale}: {gap}");
        }
    }

    #[test]
    fn directions_are_uniform() {
        let mut rng = stream(3, Purpose::Generate, 0, 0);
        let (mut sum, mut x) = ([0.0; 3], [0.0; 3]);
        for _ in 0..30_000 {
            random_direction(&mut x, &mut rng);
            assert!((poincare::norm(&x) - 1.0).abs() < 1e-15);
            sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
        }
        // Six standard deviations; each coordinate has variance 1/3.
        assert!(sum.iter().all(|sum| sum.abs() < 600.0), "{sum:?}");
    }

    #[test]
    fn invalid_mixtures_are_rejected() {
        let refusal = |dim: usize, weights: Vec<f64>, scale: f64| {
            let count = weights.len();
            let mixture =
                GaussianMixture { weights, means: Points::zeros(count, dim), scales: vec![scale; count] };
            sample_mixture(&mixture, 3, 1).unwrap_err().to_string()
        };
        assert!(refusal(1, vec![1.0], 1.0).starts_with("`dim` must be"));
        assert!(refusal(2, vec![0.0], 1.0).starts_with("`weights` must be"));
        assert!(refusal(2, vec![1.0, -0.5], 1.0).starts_with("`weights` must be"));
        assert_eq!(refusal(2, vec![1.0], 0.0), "`scale` must be above 0, but is 0");
        assert!(refusal(2, vec![1.0], f64::NAN).starts_with("`scale` must be above 0"));
        assert!(refusal(64, vec![1.0], 1.0).ends_with("but is 1, which reaches 71.0"));
    }
}
