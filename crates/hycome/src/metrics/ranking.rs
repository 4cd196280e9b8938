//! Precision@n of rankings: fraction of the n top-ranked classes that are correct.
//!
//! A classifier ranks the classes of each node; precision@n is averaged over the labelled nodes. With one class per
//! node, precision@1 is the accuracy. A node with two classes cannot score above 2/5 at n = 5, so compare only
//! rankings of the same nodes.

use super::GroundTruthRef;

/// Precision@n of one ranking per node, 0 to 1; 0 without labels.
///
/// ```
/// use hycome::metrics::{GroundTruth, precision_at};
/// let truth = GroundTruth::from_lists([&[0, 2][..], &[1]]);
/// let rankings = [vec![2, 1, 0], vec![1, 0, 2]];
/// assert_eq!(precision_at(1, &rankings, truth.view()), 1.0);
/// assert_eq!(precision_at(2, &rankings, truth.view()), 0.5);
/// ```
///
/// # Panics
/// Unless there is one ranking for each node and `n` is positive.
#[must_use]
pub fn precision_at(n: usize, rankings: &[Vec<u32>], truth: GroundTruthRef<'_>) -> f64 {
    assert!(n > 0, "one class at least is looked at");
    assert_eq!(rankings.len(), truth.node_count(), "there is one ranking for each node");
    let right =
        |node: usize| rankings[node].iter().take(n).filter(|class| truth.of(node).contains(class)).count();
    let total: usize = truth.labeled().map(right).sum();
    total as f64 / (n * truth.labeled().count()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::GroundTruth;

    #[test]
    fn missing_ranks_count_as_wrong() {
        let truth = GroundTruth::single(&[0, 1]);
        let rankings = [vec![0], vec![1, 0]];
        assert_eq!(precision_at(1, &rankings, truth.view()), 1.0);
        assert_eq!(precision_at(4, &rankings, truth.view()), 0.25);
    }

    #[test]
    fn unlabelled_nodes_are_ignored() {
        let truth = GroundTruth::from_lists([&[0][..], &[], &[1]]);
        assert_eq!(precision_at(1, &[vec![0], vec![0], vec![0]], truth.view()), 0.5);
        let nothing = GroundTruth::from_lists([&[][..]]);
        assert_eq!(precision_at(1, &[vec![0]], nothing.view()), 0.0);
    }
}
