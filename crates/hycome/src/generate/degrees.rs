//! Truncated discrete power laws (zeta distributions) for degrees and community sizes.
//!
//! P(k) ∝ k^−τ for least ≤ k ≤ most. For a given mean, `least` is solved for: with S₀ = Σ k^−τ and S₁ = Σ k^{1−τ} over
//! k > least, and the term a = least^−τ weighted by θ in [0, 1], the mean is
//!
//! > (θ·a·least + S₁)/(θ·a + S₀),
//!
//! which decreases from S₁/S₀ to the mean of the law on least..=most as θ grows from 0 to 1. Hence exactly one pair
//! (least, θ) attains a given mean.

use crate::rng::Stream;
use crate::sampling::AliasTable;

/// Truncated discrete power law, sampled from an alias table.
#[derive(Debug)]
pub(super) struct PowerLaw {
    least: usize,
    table: AliasTable,
}

impl PowerLaw {
    /// Power law on `least..=most`, a non-empty range of positive integers.
    pub(super) fn between(least: usize, most: usize, exponent: f64) -> Self {
        Self::weighing(least, (least..=most).map(|k| weight(k, exponent)).collect())
    }

    /// Power law on `1..=most` or a subrange, with the given mean.
    ///
    /// A `mean` above `most` gives the constant `most`.
    ///
    /// # Errors
    /// The smallest attainable mean, that of the law on `1..=most`, if `mean` is below it.
    pub(super) fn with_mean(mean: f64, most: usize, exponent: f64) -> Result<Self, f64> {
        let (mut sum, mut moment) = (0.0, 0.0);
        for least in (1..=most).rev() {
            let own = weight(least, exponent);
            let (next_sum, next_moment) = (sum + own, moment + own * least as f64);
            if next_moment <= mean * next_sum {
                let mut weights: Vec<f64> = (least..=most).map(|k| weight(k, exponent)).collect();
                if least < most {
                    let part = (moment - mean * sum) / (own * (mean - least as f64));
                    weights[0] *= part.clamp(0.0, 1.0);
                }
                return Ok(Self::weighing(least, weights));
            }
            (sum, moment) = (next_sum, next_moment);
        }
        Err(moment / sum)
    }

    fn weighing(least: usize, weights: Vec<f64>) -> Self {
        Self { least, table: AliasTable::new(&weights).expect("a power is a positive number") }
    }

    /// Draws a sample.
    pub(super) fn draw(&self, stream: &mut Stream) -> usize {
        self.least + self.table.draw(stream) as usize
    }
}

fn weight(k: usize, exponent: f64) -> f64 {
    (k as f64).powf(-exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn sample_mean_matches_the_requested_mean() {
        for (mean, most, exponent) in
            [(15.0, 50, 2.0), (3.2, 1000, 2.5), (49.9, 50, 3.0), (7.0, 7, 2.0), (5.0, 9, 0.0)]
        {
            let law = PowerLaw::with_mean(mean, most, exponent).unwrap();
            let mut rng = stream(1, Purpose::Generate, 0, 0);
            let draws: Vec<f64> = (0..100_000).map(|_| law.draw(&mut rng) as f64).collect();
            let count = draws.len() as f64;
            let found = draws.iter().sum::<f64>() / count;
            let variance = draws.iter().map(|k| (k - found) * (k - found)).sum::<f64>() / count;
            assert!(draws.iter().all(|&k| k >= 1.0 && k <= most as f64));
            // Six standard errors: false-failure probability 1e-8 per seed.
            assert!((found - mean).abs() <= 6.0 * (variance / count).sqrt() + 1e-9, "{mean}: {found}");
        }
    }

    #[test]
    fn frequencies_decay_with_the_exponent() {
        let law = PowerLaw::between(5, 500, 2.5);
        let mut rng = stream(2, Purpose::Generate, 0, 0);
        let mut counts = [0u32; 501];
        for _ in 0..200_000 {
            counts[law.draw(&mut rng)] += 1;
        }
        for k in [10, 20, 40] {
            let (at, twice) = (f64::from(counts[k]), f64::from(counts[2 * k]));
            // The standard error of the logarithm of a count is 1/√count; the bound is six of them.
            let bound = 6.0 * (1.0 / at + 1.0 / twice).sqrt();
            assert!(
                ((at / twice).ln() - 2.5 * 2f64.ln()).abs() < bound,
                "{at} at {k}, {twice} at its double"
            );
        }
    }

    #[test]
    fn unattainable_mean_is_rejected_with_the_smallest_attainable() {
        let least = PowerLaw::with_mean(1.0, 1000, 2.0).unwrap_err();
        assert!(least > 4.0 && least < 5.0, "{least}");
        assert!(PowerLaw::with_mean(least * 1.001, 1000, 2.0).is_ok());
    }
}
