//! Adjusted mutual information (Vinh, Epps & Bailey 2010): mutual information of two partitions, corrected for chance.
//!
//! > AMI = (I − E[I]) / ((H(A) + H(B))/2 − E[I])
//!
//! with mutual information I and entropies H as in `nmi.rs`; the upper bound is the arithmetic mean of the entropies,
//! the default of scikit-learn. E[I] is the expectation over random partitions with the same cluster sizes. A cluster of
//! a nodes and one of b nodes then share k of the n nodes with the hypergeometric probability p_ab(k), and
//!
//! > E[I] = Σ_ab Σ_k p_ab(k) · k/n · ln(n·k / (a·b))
//!
//! Unlike NMI, whose expectation grows with the number of clusters, AMI is zero in expectation for random partitions.
//!
//! The sum over k starts at the mode and follows the ratio of successive probabilities outwards until they are
//! negligible; dividing by their sum normalises them without any factorial, whose logarithms would lose digits. Cells
//! with equal sizes (a, b) have equal terms and are computed once. There are at most √(2n) distinct sizes, so that even
//! partitions into millions of clusters are compared in linear time. *Journal of Machine Learning Research* 11,
//! 2837–2854 (2010).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::contingency::Contingency;
use super::nmi::{entropy, mutual_information};

/// Probabilities below this fraction of the largest are negligible: with at most 2³² terms they add less than 10⁻²⁰.
const NEGLIGIBLE: f64 = 1e-30;

/// Adjusted mutual information of two partitions: 1 if equal, 0 in expectation for random partitions; may be negative.
///
/// Ids are arbitrary. If one of the partitions is a single cluster and the other is not, AMI is 0.
///
/// ```
/// use hycome::metrics::adjusted_mutual_information;
/// assert_eq!(adjusted_mutual_information(&[0, 0, 1, 1], &[7, 7, 3, 3]), 1.0);
/// assert!(adjusted_mutual_information(&[0, 0, 1, 1], &[0, 1, 0, 1]) < 0.0);
/// ```
///
/// # Panics
/// If the two slices differ in length.
#[must_use]
pub fn adjusted_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(a.len(), b.len(), "two partitions of the same nodes have the same length");
    let table = Contingency::of_pairs(a.iter().copied().zip(b.iter().copied()));
    let (rows, columns) = (&table.row_totals, &table.column_totals);
    if table.cells.len() == rows.len() && table.cells.len() == columns.len() {
        return 1.0; // every cluster is one of the other partition
    }
    if rows.len() == 1 || columns.len() == 1 {
        return 0.0;
    }
    let n = table.total as f64;
    let expected = expected_mutual_information(rows, columns, table.total);
    let bound = 0.5 * (entropy(rows, n) + entropy(columns, n));
    (mutual_information(&table) - expected) / (bound - expected)
}

/// Expected mutual information of random partitions of `n` nodes with these cluster sizes.
fn expected_mutual_information(rows: &[u64], columns: &[u64], n: u64) -> f64 {
    let (rows, columns) = (size_counts(rows), size_counts(columns));
    let of_row = |&(a, rows): &(u64, u64)| -> f64 {
        let cells = columns.iter().map(|&(b, columns)| (rows * columns) as f64 * expected_cell(a, b, n));
        cells.sum()
    };
    let by_row: Vec<f64> = rows.par_iter().map(of_row).collect(); // summed in a fixed order
    by_row.iter().sum()
}

/// Distinct sizes with the number of clusters that have them.
fn size_counts(sizes: &[u64]) -> Vec<(u64, u64)> {
    let mut counts = BTreeMap::new();
    sizes.iter().for_each(|&size| *counts.entry(size).or_insert(0) += 1);
    counts.into_iter().collect()
}

/// Σ_k p_ab(k) · k/n · ln(n·k / (a·b)) of two clusters of `a` and `b` of `n` nodes.
fn expected_cell(a: u64, b: u64, n: u64) -> f64 {
    let (least, most) = ((a + b).saturating_sub(n), a.min(b));
    let mode = (u128::from(a + 1) * u128::from(b + 1) / u128::from(n + 2)) as u64;
    let mode = mode.clamp(least, most);
    let (of_a, of_b, of_n) = (a as f64, b as f64, n as f64);
    let term = |k: u64| if k == 0 { 0.0 } else { k as f64 / of_n * (of_n / of_a * (k as f64 / of_b)).ln() };
    // p(k + 1) / p(k)
    let ratio = |k: u64| {
        let outside = (n - a - (b - k) + 1) as f64; // n − a − b + k + 1
        (a - k) as f64 * (b - k) as f64 / ((k + 1) as f64 * outside)
    };
    let (mut mass, mut sum) = (1.0, term(mode));
    let mut weight = 1.0;
    for k in mode..most {
        weight *= ratio(k);
        if weight < NEGLIGIBLE {
            break;
        }
        mass += weight;
        sum += weight * term(k + 1);
    }
    weight = 1.0;
    for k in (least..mode).rev() {
        weight /= ratio(k);
        if weight < NEGLIGIBLE {
            break;
        }
        mass += weight;
        sum += weight * term(k);
    }
    sum / mass
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    /// Mean mutual information over all permutations of `b`.
    fn mean_over_permutations(a: &[u32], b: &mut [u32], fixed: usize) -> (f64, f64) {
        if fixed == b.len() {
            let table = Contingency::of_pairs(a.iter().copied().zip(b.iter().copied()));
            return (mutual_information(&table), 1.0);
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for i in fixed..b.len() {
            b.swap(fixed, i);
            let (of_rest, rest) = mean_over_permutations(a, b, fixed + 1);
            b.swap(fixed, i);
            sum += of_rest;
            count += rest;
        }
        (sum, count)
    }

    #[test]
    fn expectation_is_the_mean_over_all_permutations() {
        let a = [0, 0, 0, 0, 1, 1, 2];
        let mut b = [0, 0, 0, 1, 1, 2, 2];
        let (sum, count) = mean_over_permutations(&a, &mut b, 0);
        let expected = expected_mutual_information(&[4, 2, 1], &[3, 2, 2], 7);
        assert!((expected - sum / count).abs() < 1e-14, "{expected} {}", sum / count);
    }

    #[test]
    fn random_partitions_score_zero_on_average() {
        // The score of one pair has a standard deviation of about 0.005, its mean over 50 pairs one of 0.0007.
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut draw = |count: f64| -> Vec<u32> { (0..400).map(|_| (count * rng.unit()) as u32).collect() };
        let scores: Vec<f64> =
            (0..50).map(|_| adjusted_mutual_information(&draw(9.0), &draw(30.0))).collect();
        let mean = scores.iter().sum::<f64>() / 50.0;
        assert!(mean.abs() < 0.005, "{mean}");
    }

    #[test]
    fn symmetric_and_invariant_under_relabelling() {
        let a: Vec<u32> = (0..60).map(|i| i * i % 7).collect();
        let b: Vec<u32> = (0..60).map(|i| (i / 9 + i % 2) % 5).collect();
        let renamed: Vec<u32> = a.iter().map(|id| u32::MAX - 17 * id).collect();
        let value = adjusted_mutual_information(&a, &b);
        assert!((adjusted_mutual_information(&b, &a) - value).abs() < 1e-14);
        assert!((adjusted_mutual_information(&renamed, &b) - value).abs() < 1e-14);
        assert!(value > 0.0 && value < 1.0);
    }

    #[test]
    fn degenerate_partitions_have_a_value() {
        for equal in [&[][..], &[3], &[1; 4], &[5, 6, 7]] {
            assert_eq!(adjusted_mutual_information(equal, equal), 1.0);
        }
        assert_eq!(adjusted_mutual_information(&[0; 3], &[0, 1, 2]), 0.0);
        assert_eq!(adjusted_mutual_information(&[0, 0, 1, 1], &[0; 4]), 0.0);
        assert!(adjusted_mutual_information(&[0, 0, 1, 2], &[0, 1, 2, 3]).abs() < 1e-14);
    }

    #[test]
    fn millions_of_nodes_are_compared_in_linear_time() {
        let n = 1 << 20;
        let a: Vec<u32> = (0..n).collect();
        let b: Vec<u32> = (0..n).map(|i| i.isqrt()).collect();
        assert!(adjusted_mutual_information(&a, &b).abs() < 1e-9);
    }
}
