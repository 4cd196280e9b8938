//! Sampling primitives shared by the generators.

use crate::interrupt;
use crate::rng::Stream;

/// Uniform integer below `bound` by multiply-shift of 64 random bits; the bias is below `bound` / 2⁶⁴.
pub(super) fn below(bound: usize, stream: &mut Stream) -> usize {
    ((u128::from(stream.bits()) * bound as u128) >> 64) as usize
}

/// Fisher–Yates shuffle with 64-bit indices.
pub(super) fn shuffle<T>(items: &mut [T], stream: &mut Stream) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(i + 1, stream));
    }
}

/// Geometric variate: number of failures before the first success, for a success `probability` in (0, 1].
///
/// Inversion of the CDF: ⌊ln u / ln(1−p)⌋ with u in (0, 1], so the cost does not depend on the result.
pub(super) fn failures(probability: f64, stream: &mut Stream) -> u64 {
    let u = 1.0 - stream.unit();
    (u.ln() / (-probability).ln_1p()) as u64
}

/// Selections between two polls for cancellation, about a millisecond of work.
const HITS_PER_POLL: u64 = 1 << 16;

/// Bernoulli sampling of `0..count` by geometric skips: calls `hit` with each selected index, in ascending order.
pub(super) fn select(count: u64, probability: f64, stream: &mut Stream, mut hit: impl FnMut(u64)) {
    if probability <= 0.0 {
        return;
    }
    let mut next = failures(probability, stream);
    let mut hits = 0u64;
    while next < count {
        hit(next);
        hits += 1;
        if hits.is_multiple_of(HITS_PER_POLL) && interrupt::is_requested() {
            return; // the caller checks for cancellation and returns the error
        }
        next = next.saturating_add(1).saturating_add(failures(probability, stream));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn numbers_are_selected_with_their_probability() {
        let mut rng = stream(3, Purpose::Generate, 0, 0);
        for p in [1e-4, 0.03, 0.5, 0.97] {
            let (mut hits, mut last) = (0u32, None);
            let count = 200_000;
            select(count, p, &mut rng, |i| {
                assert!(last.is_none_or(|last| i > last) && i < count);
                last = Some(i);
                hits += 1;
            });
            let (mean, deviation) = (count as f64 * p, (count as f64 * p * (1.0 - p)).sqrt());
            // Six standard deviations: false-failure probability 1e-8 per seed.
            assert!((f64::from(hits) - mean).abs() < 6.0 * deviation, "p = {p}: {hits}");
        }
    }

    #[test]
    fn certain_and_impossible_numbers() {
        let mut rng = stream(3, Purpose::Generate, 0, 0);
        let mut hits = Vec::new();
        select(5, 1.0, &mut rng, |i| hits.push(i));
        assert_eq!(hits, [0, 1, 2, 3, 4]);
        select(u64::MAX, 0.0, &mut rng, |_| unreachable!("nothing is selected"));
        select(0, 1.0, &mut rng, |_| unreachable!("there is nothing"));
        select(1 << 40, 1e-300, &mut rng, |_| unreachable!("it is too improbable"));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        shuffle(&mut items, &mut stream(5, Purpose::Generate, 0, 0));
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
