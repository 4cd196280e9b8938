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
//!
//! For nodes with several classes there are two generalisations, equal if every node has one. [`nmi_multi_label`] counts
//! memberships and is the NMI of two labelings of them. [`nmi_paper`] is the formula of the paper, which divides by the
//! number of nodes. With A_ij the nodes of cluster i with class j, P_i those of cluster i, T_j those with class j, and N
//! all nodes with a class,
//!
//! > NMI = −2 Σ_ij A_ij ln(A_ij·N / (P_i·T_j)) / (Σ_i P_i ln(P_i/N) + Σ_j T_j ln(T_j/N))
//!
//! The T_j add up to more than N, so that this is no ratio of entropies: **it is not bounded by 1.** On Wikipedia and
//! BlogCatalog it is about 1.3 times the other. It is there for comparison with published figures.

use super::GroundTruthRef;
use super::contingency::{Cell, Contingency};

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
    of_table(&Contingency::of_pairs(memberships(clusters, truth)))
}

/// Normalised mutual information of clusters and multi-label classes as the paper prints it: 0 or more, not bounded by 1.
///
/// Unlabelled nodes do not count. With exactly one class per node this is [`normalized_mutual_information`]. With several,
/// compare it with figures of the same formula on the same graph only.
///
/// # Panics
/// Unless there is one cluster for each node of `truth`.
#[must_use]
pub fn nmi_paper(clusters: &[u32], truth: GroundTruthRef<'_>) -> f64 {
    truth.check_nodes(clusters);
    if !truth.is_multi_label() {
        return nmi_multi_label(clusters, truth);
    }
    let mut table = Contingency::of_pairs(memberships(clusters, truth));
    // Cluster totals count nodes, in the ascending order of ids that the rows have.
    let mut labeled: Vec<u32> = truth.labeled().map(|node| clusters[node]).collect();
    labeled.sort_unstable();
    table.row_totals = labeled.chunk_by(|a, b| a == b).map(|cluster| cluster.len() as u64).collect();
    table.total = labeled.len() as u64;
    let n = table.total as f64;
    let entropies = entropy(&table.row_totals, n) + entropy(&table.column_totals, n);
    if entropies == 0.0 { 1.0 } else { (2.0 * mutual_information(&table) / entropies).max(0.0) }
}

/// Pairs of cluster and class, one for each membership.
fn memberships<'a>(
    clusters: &'a [u32],
    truth: GroundTruthRef<'a>,
) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    let nodes = clusters.iter().enumerate();
    nodes.flat_map(move |(node, &cluster)| truth.of(node).iter().map(move |&class| (cluster, class)))
}

fn of_table(table: &Contingency) -> f64 {
    if table.row_totals.len() <= 1 && table.column_totals.len() <= 1 {
        return 1.0;
    }
    let n = table.total as f64;
    let entropies = entropy(&table.row_totals, n) + entropy(&table.column_totals, n);
    // The exact value is in the interval; rounding may exceed it by one ulp.
    (2.0 * mutual_information(table) / entropies).clamp(0.0, 1.0)
}

/// Σ_ab n_ab/n · ln(n · n_ab / (n_a · n_b)).
pub(super) fn mutual_information(table: &Contingency) -> f64 {
    let n = table.total as f64;
    let of_cell = |cell: &Cell| {
        let (row, column) = (table.row_totals[cell.row] as f64, table.column_totals[cell.column] as f64);
        let count = cell.count as f64;
        // As a product of two quotients, which makes equal and independent partitions exact.
        count / n * (count / row * (n / column)).ln()
    };
    table.cells.iter().map(of_cell).sum()
}

/// −Σ n_a/n · ln(n_a/n).
pub(super) fn entropy(totals: &[u64], n: f64) -> f64 {
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

    #[test]
    fn formula_of_the_paper_computed_by_hand() {
        // Clusters {0, 1} and {2}; classes a = {0, 1}, b = {1, 2}. Node 3 has no class.
        let truth = GroundTruth::from_lists([&[0][..], &[0, 1], &[1], &[]]);
        let (n, ln) = (3.0, f64::ln);
        let mutual = 2.0 * ln(2.0 * n / (2.0 * 2.0)) + ln(1.0 * n / (2.0 * 2.0)) + ln(1.0 * n / (1.0 * 2.0));
        let entropies = 2.0 * ln(2.0 / n) + ln(1.0 / n) + 2.0 * ln(2.0 / n) + 2.0 * ln(2.0 / n);
        let actual = nmi_paper(&[7, 7, 1, 1], truth.view());
        assert!((actual + 2.0 * mutual / entropies).abs() < 1e-15, "{actual}");
    }

    #[test]
    fn formula_of_the_paper_is_nmi_for_single_labels() {
        let truth = GroundTruth::single(&B);
        assert_eq!(nmi_paper(&A, truth.view()), normalized_mutual_information(&A, &B));
    }

    #[test]
    fn formula_of_the_paper_can_exceed_one() {
        let truth = GroundTruth::from_lists([&[0, 1][..], &[2, 3]]);
        assert!((nmi_paper(&[0, 1], truth.view()) - 4.0 / 3.0).abs() < 1e-15);
        assert!(nmi_multi_label(&[0, 1], truth.view()) < 1.0);
    }

    #[test]
    fn formula_of_the_paper_is_defined_without_entropy() {
        let truth = GroundTruth::from_lists([&[0, 1][..], &[0, 1]]);
        assert_eq!(nmi_paper(&[0, 0], truth.view()), 1.0);
        assert_eq!(nmi_paper(&[0, 1], truth.view()), 0.0);
    }
}
