//! Adjusted Rand index (Hubert & Arabie 1985): pairwise agreement of two partitions, corrected for chance.
//!
//! Let S be the number of node pairs that are together in both partitions, R and C the numbers that are together in
//! the first and in the second, and T the number of all pairs. The expected value of S is R·C/T, and
//!
//! > ARI = (S − RC/T) / ((R + C)/2 − RC/T) = 2 (ST − RC) / ((R + C) T − 2RC)
//!
//! The right-hand side is a ratio of integers and computed exactly: for up to 2³² nodes T is below 2⁶³ and every term
//! below 2¹²⁷. Equal partitions therefore score exactly 1, symmetry is exact, and there is no cancellation. *Journal
//! of Classification* 2, 193–218 (1985).

use super::contingency::Contingency;

/// Adjusted Rand index of two partitions: 1 if equal, 0 in expectation for random partitions, at least −1/2.
///
/// Ids are arbitrary. The denominator vanishes only if both partitions are a single cluster or both consist of
/// singletons; they are then equal, and the index is 1.
///
/// ```
/// use hycome::metrics::adjusted_rand_index;
/// assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[7, 7, 3, 3]), 1.0);
/// assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[0, 1, 0, 1]), -0.5);
/// ```
///
/// # Panics
/// If the two slices differ in length.
#[must_use]
pub fn adjusted_rand_index(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(a.len(), b.len(), "two partitions of the same nodes have the same length");
    let table = Contingency::of_pairs(a.iter().copied().zip(b.iter().copied()));
    let both: i128 = table.cells.iter().map(|cell| pairs(cell.count)).sum();
    let first: i128 = table.row_totals.iter().map(|&count| pairs(count)).sum();
    let second: i128 = table.column_totals.iter().map(|&count| pairs(count)).sum();
    let all = pairs(table.total);

    let above_chance = 2 * (both * all - first * second);
    let largest = (first + second) * all - 2 * first * second;
    if largest == 0 { 1.0 } else { above_chance as f64 / largest as f64 }
}

/// Number of pairs of `count` elements.
fn pairs(count: u64) -> i128 {
    let count = i128::from(count);
    count * (count - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation over all pairs of nodes.
    fn by_pairs(a: &[u32], b: &[u32]) -> f64 {
        let (mut both, mut first, mut second, mut all) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..a.len() {
            for j in 0..i {
                let (in_a, in_b) = (f64::from(u8::from(a[i] == a[j])), f64::from(u8::from(b[i] == b[j])));
                both += in_a * in_b;
                first += in_a;
                second += in_b;
                all += 1.0;
            }
        }
        let chance = first * second / all;
        (both - chance) / ((first + second) / 2.0 - chance)
    }

    #[test]
    fn matches_the_sum_over_pairs_and_is_symmetric() {
        let a: Vec<u32> = (0..60).map(|i| i * i % 7).collect();
        let b: Vec<u32> = (0..60).map(|i| (i / 9 + i % 2) % 5).collect();
        assert!((adjusted_rand_index(&a, &b) - by_pairs(&a, &b)).abs() < 1e-14);
        assert_eq!(adjusted_rand_index(&a, &b), adjusted_rand_index(&b, &a));
    }

    #[test]
    fn invariant_under_relabelling() {
        let a = [0, 0, 1, 1, 2, 2, 2];
        let b = [1, 0, 0, 1, 1, 1, 2];
        assert_eq!(adjusted_rand_index(&a.map(|id| u32::MAX - id), &b), adjusted_rand_index(&a, &b));
    }

    #[test]
    fn degenerate_partitions_have_a_value() {
        assert_eq!(adjusted_rand_index(&[], &[]), 1.0);
        assert_eq!(adjusted_rand_index(&[3], &[4]), 1.0);
        assert_eq!(adjusted_rand_index(&[0; 4], &[1; 4]), 1.0);
        assert_eq!(adjusted_rand_index(&[0, 1, 2], &[5, 6, 7]), 1.0);
        assert_eq!(adjusted_rand_index(&[0; 3], &[0, 1, 2]), 0.0);
        assert_eq!(adjusted_rand_index(&[0; 4], &[0, 0, 1, 1]), 0.0);
    }

    #[test]
    fn the_largest_graph_does_not_overflow() {
        let all = pairs(1 << 32);
        assert!((all + all).checked_mul(all).is_some());
    }
}
