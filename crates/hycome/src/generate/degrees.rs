//! Discrete power laws: degrees and community sizes.
//!
//! The number k, from a least to a most, has a probability proportional to k^−τ. Where a mean is asked for, the least
//! number is chosen for it: with S₀ = Σ k^−τ and S₁ = Σ k^{1−τ} over the numbers above it, and its own term a = least^−τ
//! counted by a part θ only, the mean is
//!
//! > (θ·a·least + S₁)/(θ·a + S₀),
//!
//! which falls from S₁/S₀ to the mean of the whole law as θ grows from 0 to 1. So exactly one pair of least and θ has
//! the mean that is asked for.

use crate::rng::Stream;
use crate::sampling::AliasTable;

/// A power law on a range of whole numbers.
#[derive(Debug)]
pub(super) struct PowerLaw {
    least: usize,
    table: AliasTable,
}

impl PowerLaw {
    /// The law on `least..=most`, which starts at one or more and is not empty.
    pub(super) fn between(least: usize, most: usize, exponent: f64) -> Self {
        Self::weighing(least, (least..=most).map(|k| weight(k, exponent)).collect())
    }

    /// The law up to `most` that has this mean.
    ///
    /// # Errors
    /// The least mean there is, that of the law from 1, if `mean` is below it. What is above `most` counts as `most`.
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

    /// A number.
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
    fn draws_have_the_mean_that_was_asked_for() {
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
            // Six standard errors: fails by chance once in 10⁸ seeds.
            assert!((found - mean).abs() <= 6.0 * (variance / count).sqrt() + 1e-9, "{mean}: {found}");
        }
    }

    #[test]
    fn draws_fall_off_by_the_exponent() {
        let law = PowerLaw::between(5, 500, 2.5);
        let mut rng = stream(2, Purpose::Generate, 0, 0);
        let mut counts = [0u32; 501];
        for _ in 0..200_000 {
            counts[law.draw(&mut rng)] += 1;
        }
        for k in [10, 20, 40] {
            let (at, twice) = (f64::from(counts[k]), f64::from(counts[2 * k]));
            // The logarithm of a count has standard error 1/√count; six of them.
            let bound = 6.0 * (1.0 / at + 1.0 / twice).sqrt();
            assert!(
                ((at / twice).ln() - 2.5 * 2f64.ln()).abs() < bound,
                "{at} at {k}, {twice} at its double"
            );
        }
    }

    #[test]
    fn a_mean_too_small_for_the_law_is_refused_with_the_least_there_is() {
        let least = PowerLaw::with_mean(1.0, 1000, 2.0).unwrap_err();
        assert!(least > 4.0 && least < 5.0, "{least}");
        assert!(PowerLaw::with_mean(least * 1.001, 1000, 2.0).is_ok());
    }
}
