//! Alias method: weighted sampling in constant time (Walker 1977; Vose 1991).
//!
//! Every index gets a cell of the same size; a light index fills a part of its cell, and the rest belongs to one heavier index, its
//! alias. A draw picks a cell and then a side of it, both from the same 64 random bits.

use crate::rng::Stream;

/// Draws `i` with probability proportional to `weights[i]`.
#[derive(Clone, Debug)]
pub(crate) struct AliasTable {
    cells: Vec<Cell>,
}

/// Cell: below the threshold the draw is the cell's own index, else its alias.
#[derive(Clone, Copy, Debug)]
struct Cell {
    threshold: u32,
    alias: u32,
}

impl AliasTable {
    /// Bytes per weight.
    pub(crate) const BYTES_PER_WEIGHT: usize = size_of::<Cell>();

    /// Table of these weights; `None` if no weight is positive.
    #[must_use]
    pub(crate) fn new(weights: &[f64]) -> Option<Self> {
        let total: f64 = weights.iter().sum();
        if total <= 0.0 || !total.is_finite() {
            return None;
        }
        let mut share: Vec<f64> = weights.iter().map(|w| w * weights.len() as f64 / total).collect();
        let mut cells: Vec<Cell> =
            (0..weights.len()).map(|i| Cell { threshold: u32::MAX, alias: i as u32 }).collect();
        let (mut light, mut heavy): (Vec<usize>, Vec<usize>) =
            (0..share.len()).partition(|&i| share[i] < 1.0);
        while let (Some(low), Some(&high)) = (light.pop(), heavy.last()) {
            cells[low] = Cell { threshold: (share[low] * 2f64.powi(32)) as u32, alias: high as u32 };
            share[high] -= 1.0 - share[low];
            if share[high] < 1.0 {
                light.push(heavy.pop().expect("the heavy index was just seen"));
            }
        }
        Some(Self { cells })
    }

    /// A random index.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Stream) -> u32 {
        let bits = stream.bits();
        let cell = ((bits >> 32) * self.cells.len() as u64) >> 32;
        let Cell { threshold, alias } = self.cells[cell as usize];
        // By masks: a branch on a random number is mispredicted every other time.
        let own = u32::from((bits as u32) < threshold).wrapping_neg();
        (cell as u32 & own) | (alias & !own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn frequencies_follow_the_weights() {
        let weights = [1.0, 0.0, 5.0, 2.0, 0.5, 1.5];
        let table = AliasTable::new(&weights).expect("weights are positive");
        let mut rng = stream(1, Purpose::Noise, 0, 0);
        let mut counts = [0u32; 6];
        let draws = 200_000;
        for _ in 0..draws {
            counts[table.draw(&mut rng) as usize] += 1;
        }
        assert_eq!(counts[1], 0, "a weight of zero is never drawn");
        for (count, weight) in counts.iter().zip(weights) {
            let p = weight / 10.0;
            let deviations = (f64::from(*count) - f64::from(draws) * p).abs();
            // Six standard deviations: one failure in 10⁸ seeds.
            assert!(deviations <= 6.0 * (f64::from(draws) * p * (1.0 - p)).sqrt() + 1e-9, "{counts:?}");
        }
    }

    #[test]
    fn no_positive_weight_gives_no_table() {
        assert!(AliasTable::new(&[]).is_none());
        assert!(AliasTable::new(&[0.0, 0.0]).is_none());
    }
}
