//! Normalized mutual information of two partitions.
//!
//! > NMI = 2 I(A; B) / (H(A) + H(B))
//! >
//! > I = Σ_ab n_ab/n · ln(n · n_ab / (n_a · n_b)),  H(A) = −Σ_a n_a/n · ln(n_a/n)
//!
//! n_ab counts the observations with cluster a and class b. Normalization is by the arithmetic mean of the entropies,
//! as in the paper and by default in scikit-learn; some implementations use the geometric mean.
//!
//! If all nodes are in one cluster and in one class, both entropies are zero; the partitions agree, and NMI is defined
//! as 1. If only one of the two is constant, NMI is 0.

use super::{GroundTruthRef, contingency::Contingency};

/// Normalized mutual information of two partitions, 0 to 1; ids are arbitrary.
///
/// ```
/// use hycome::metrics::normalized_mutual_information;
/// assert_eq!(normalized_mutual_information(&[0, 0, 1, 1], &[7, 7, 3, 3]), 1.0);
/// assert_eq!(normalized_mutual_information(&[0, 0, 1, 1], &[0, 1, 0, 1]), 0.0);
/// ```
///
/// # Panics
/// If the two slices differ in length.
#[must_use]
pub fn normalized_mutual_information(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(a.len(), b.len(), "two partitions of the same nodes have the same length");
    of_table(&Contingency::of_pairs(a.iter().copied().zip(b.iter().copied())))
}

/// Normalized mutual information of clusters and multi-label classes.
///
/// Each (node, class) membership is one observation of a pair (cluster, class): a node with three classes counts three
/// times, an unlabelled node not at all. With exactly one class per node this is [`normalized_mutual_information`].
/// With several it cannot reach 1, because the classes of a node share its cluster: compare it between partitions of
/// the same graph only.
///
/// # Panics
/// Unless there is one cluster for each node of `truth`.
#[must_use]
pub fn nmi_multi_label(clusters: &[u32], truth: GroundTruthRef<'_>) -> f64 {
    truth.check_nodes(clusters);
    let memberships = clusters
        .iter()
        .enumerate()
        .flat_map(|(node, &cluster)| truth.of(node).iter().map(move |&class| (cluster, class)));
    of_table(&Contingency::of_pairs(memberships))
}

fn of_table(table: &Contingency) -> f64 {
    if table.row_totals.len() <= 1 && table.column_totals.len() <= 1 {
        return 1.0;
    }
    let n = table.total as f64;
    let mutual: f64 = table
        .cells
        .iter()
        .map(|cell| {
            let (row, column) = (table.row_totals[cell.row] as f64, table.column_totals[cell.column] as f64);
            let count = cell.count as f64;
            // As a product of two quotients, which makes equal and independent partitions exact.
            count / n * (count / row * (n / column)).ln()
        })
        .sum();
    // The exact value is in the interval; rounding may exceed it by one ulp.
    (2.0 * mutual / (entropy(&table.row_totals, n) + entropy(&table.column_totals, n))).clamp(0.0, 1.0)
}

fn entropy(totals: &[u64], n: f64) -> f64 {
    totals.iter().map(|&count| count as f64 / n * (n / count as f64).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::GroundTruth;

    const A: [u32; 12] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3];
    const B: [u32; 12] = [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 0, 0];

    #[test]
    fn small_table_computed_by_hand() {
        // Cells (0,0) and (0,1) have one node each, (1,1) two; the marginals are 2, 2 and 1, 3.
        let mutual = 0.25 * 2f64.ln() + 0.25 * (2.0f64 / 3.0).ln() + 0.5 * (4.0f64 / 3.0).ln();
        let entropies = 2f64.ln() + 0.25 * 4f64.ln() + 0.75 * (4.0f64 / 3.0).ln();
        let actual = normalized_mutual_information(&[0, 0, 1, 1], &[0, 1, 1, 1]);
        assert!((actual - 2.0 * mutual / entropies).abs() < 1e-15);
    }

    #[test]
    fn symmetric_and_invariant_under_relabelling() {
        let value = normalized_mutual_information(&A, &B);
        assert!((normalized_mutual_information(&B, &A) - value).abs() < 1e-15);
        let renamed = A.map(|id| u32::MAX - 17 * id);
        assert!((normalized_mutual_information(&renamed, &B) - value).abs() < 1e-15);
        assert!(value > 0.0 && value < 1.0);
    }

    #[test]
    fn equal_partitions_score_one_and_a_constant_one_zero() {
        assert!((normalized_mutual_information(&A, &A) - 1.0).abs() < 1e-15);
        assert_eq!(normalized_mutual_information(&A, &[4; 12]), 0.0);
    }

    #[test]
    fn two_constant_partitions_agree() {
        assert_eq!(normalized_mutual_information(&[3; 5], &[0; 5]), 1.0);
        assert_eq!(normalized_mutual_information(&[], &[]), 1.0);
    }

    #[test]
    fn single_labels_are_a_special_case_of_lists() {
        let truth = GroundTruth::single(&B);
        assert_eq!(nmi_multi_label(&A, truth.view()), normalized_mutual_information(&A, &B));
    }

    #[test]
    fn each_membership_is_one_observation() {
        let truth = GroundTruth::from_lists([&[0, 1][..], &[], &[1]]);
        let expanded = normalized_mutual_information(&[5, 5, 6], &[0, 1, 1]);
        assert_eq!(nmi_multi_label(&[5, 6, 6], truth.view()), expanded);
    }
}
