//! Clustering accuracy (ACC): fraction of nodes whose cluster is matched with one of their classes; precision@1 in the
//! paper.
//!
//! Clusters are first matched with classes, each class at most once ([`super::matching`]); nodes of unmatched clusters
//! are wrong. A node is correct if the class of its cluster is one of its own. Unlabelled nodes are ignored, in the
//! matching and in the mean.
//!
//! A single cluster scores the fraction of the majority class ([`largest_class_share`]). For multi-label ground truth
//! that can beat every non-trivial partition, so report it as a baseline.

use super::{CountTable, GroundTruthRef, check_clusters, cluster_sizes, match_best, match_by_size};

/// Clustering accuracy under the best matching, precision@1 in the paper, 0 to 1; 0 without labels, NaN if the matching
/// is interrupted ([`crate::interrupt`]).
///
/// ```
/// use hycome::metrics::{GroundTruth, precision_at_1};
/// let truth = GroundTruth::single(&[0, 0, 0, 1, 1]);
/// assert_eq!(precision_at_1(&[1, 1, 0, 0, 0], truth.view(), 2), 0.8);
/// ```
///
/// # Panics
/// Unless there is one cluster below `cluster_count` for each node of `truth`.
#[must_use]
pub fn precision_at_1(clusters: &[u32], truth: GroundTruthRef<'_>, cluster_count: usize) -> f64 {
    check_clusters(truth.node_count(), clusters, cluster_count);
    let mut table = CountTable::new(cluster_count, truth.class_count);
    for node in truth.labeled() {
        for &class in truth.of(node) {
            table.add(clusters[node] as usize, class as usize);
        }
    }
    match_best(&table).map_or(f64::NAN, |matching| share_right(clusters, truth, &matching))
}

/// Precision@1 with clusters and classes matched by size, the paper's rule for many communities.
///
/// Never above [`precision_at_1`]. The size of a cluster is its number of labelled nodes.
///
/// # Panics
/// Unless there is one cluster below `cluster_count` for each node of `truth`.
#[must_use]
pub fn precision_at_1_by_size(clusters: &[u32], truth: GroundTruthRef<'_>, cluster_count: usize) -> f64 {
    check_clusters(truth.node_count(), clusters, cluster_count);
    let labeled: Vec<u32> = truth.labeled().map(|node| clusters[node]).collect();
    let matching = match_by_size(&cluster_sizes(&labeled, cluster_count), &truth.class_sizes());
    share_right(clusters, truth, &matching)
}

/// Majority-class baseline: precision@1 of a single cluster, the fraction of labelled nodes in the largest class.
#[must_use]
pub(crate) fn largest_class_share(truth: GroundTruthRef<'_>) -> f64 {
    let largest = truth.class_sizes().into_iter().max().unwrap_or(0);
    largest as f64 / truth.labeled().count().max(1) as f64
}

fn share_right(clusters: &[u32], truth: GroundTruthRef<'_>, class_of_cluster: &[Option<usize>]) -> f64 {
    let is_right = |&node: &usize| {
        let class = class_of_cluster[clusters[node] as usize];
        class.is_some_and(|class| truth.of(node).contains(&(class as u32)))
    };
    let right = truth.labeled().filter(is_right).count();
    right as f64 / truth.labeled().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Interrupt;
    use crate::metrics::GroundTruth;

    #[test]
    fn interrupted_matching_has_no_accuracy() {
        let truth = GroundTruth::single(&[0, 1, 2, 2]);
        for (polls, is_interrupted) in [(1, true), (3, true), (4, false)] {
            let interrupt = Interrupt::at_poll(polls);
            let builder = rayon::ThreadPoolBuilder::new().num_threads(1);
            let pool = builder.start_handler(move |_| interrupt.watch_on_this_thread()).build().unwrap();
            let accuracy = pool.install(|| precision_at_1(&[0, 1, 2, 2], truth.view(), 3));
            assert_eq!(accuracy.is_nan(), is_interrupted, "poll {polls}: {accuracy}");
        }
    }

    #[test]
    fn any_class_of_a_node_is_correct() {
        let truth = GroundTruth::from_lists([&[0, 1][..], &[1], &[0]]);
        assert_eq!(precision_at_1(&[0, 0, 1], truth.view(), 2), 1.0);
    }

    #[test]
    fn extra_clusters_have_no_class() {
        let truth = GroundTruth::single(&[0, 0, 0, 0]);
        assert_eq!(precision_at_1(&[0, 1, 1, 2], truth.view(), 3), 0.5);
        assert_eq!(precision_at_1_by_size(&[0, 1, 1, 2], truth.view(), 3), 0.5);
    }

    #[test]
    fn matching_by_size_can_be_suboptimal() {
        // Three nodes of class 0 are in the smaller cluster; by size the larger cluster is matched with class 0.
        let truth = GroundTruth::single(&[0, 0, 0, 1, 1, 0, 0]);
        let clusters = [0, 0, 0, 1, 1, 1, 1];
        assert_eq!(precision_at_1(&clusters, truth.view(), 2), 5.0 / 7.0);
        assert_eq!(precision_at_1_by_size(&clusters, truth.view(), 2), 2.0 / 7.0);
    }

    #[test]
    fn unlabelled_nodes_are_ignored() {
        let known = GroundTruth::single(&[0, 0, 0, 1, 1]);
        let partly = GroundTruth::from_lists([&[0][..], &[0], &[0], &[1], &[1], &[], &[], &[]]);
        let (few, many) = ([0, 0, 1, 1, 0], [0, 0, 1, 1, 0, 1, 1, 1]);
        assert_eq!(precision_at_1(&many, partly.view(), 2), precision_at_1(&few, known.view(), 2));
        let by_size = precision_at_1_by_size(&few, known.view(), 2);
        assert_eq!(precision_at_1_by_size(&many, partly.view(), 2), by_size);
    }

    #[test]
    fn no_labels_score_zero() {
        let truth = GroundTruth::from_lists([&[][..], &[]]);
        assert_eq!(precision_at_1(&[0, 1], truth.view(), 2), 0.0);
        assert_eq!(precision_at_1_by_size(&[0, 1], truth.view(), 2), 0.0);
        assert_eq!(largest_class_share(truth.view()), 0.0);
    }

    #[test]
    fn one_cluster_scores_the_share_of_the_largest_class() {
        let truth = GroundTruth::from_lists([&[0, 2][..], &[1, 2], &[0], &[], &[2]]);
        assert_eq!(precision_at_1(&[0; 5], truth.view(), 1), 0.75);
        assert_eq!(largest_class_share(truth.view()), 0.75);
    }
}
