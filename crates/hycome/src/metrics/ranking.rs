//! Precision@n of rankings: the share of the n first classes that are right.
//!
//! A classifier ranks the classes of a node from the best to the worst. Of the n first ones some share is among the
//! node's own; precision@n is the mean of that share over the nodes that have a class. With one class for each
//! node, precision@1 is the share of nodes that are right. A node with two classes cannot score more than 2/5 at n
//! = 5, so the number is to be compared with that of other rankings of the same nodes.

use super::GroundTruthRef;

/// Precision@n of one ranking for each node, 0 to 1; 0 if no node has a class.
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
/// If there is not one ranking for each node, or `n` is zero.
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
    fn a_short_ranking_has_wrong_places() {
        let truth = GroundTruth::single(&[0, 1]);
        let rankings = [vec![0], vec![1, 0]];
        assert_eq!(precision_at(1, &rankings, truth.view()), 1.0);
        assert_eq!(precision_at(4, &rankings, truth.view()), 0.25);
    }

    #[test]
    fn nodes_without_a_class_change_nothing() {
        let truth = GroundTruth::from_lists([&[0][..], &[], &[1]]);
        assert_eq!(precision_at(1, &[vec![0], vec![0], vec![0]], truth.view()), 0.5);
        let nothing = GroundTruth::from_lists([&[][..]]);
        assert_eq!(precision_at(1, &[vec![0]], nothing.view()), 0.0);
    }
}
