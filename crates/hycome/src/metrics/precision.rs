//! Clustering accuracy (ACC): the share of nodes whose cluster is matched with one of their classes; precision@1 in the paper.
//!
//! Clusters have no names, so they are first matched with classes, each class at most once
//! ([`super::matching`]); clusters beyond the number of classes have none and their nodes are wrong. A node
//! is right if the class of its cluster is one of its own. Only nodes with a class are counted, in the
//! matching and in the mean: nodes without a label change nothing.
//!
//! One cluster for everything scores the share of the largest class ([`largest_class_share`]). When nodes
//! have several classes that can beat every honest partition, so compare with it.

use super::{CountTable, GroundTruthRef, check_clusters, cluster_sizes, match_best, match_by_size};

/// Clustering accuracy under the best matching, which is precision@1 of the paper, 0 to 1; 0 if no node has a class.
///
/// ```
/// use hycome::metrics::{GroundTruth, precision_at_1};
/// let truth = GroundTruth::single(&[0, 0, 0, 1, 1]);
/// assert_eq!(precision_at_1(&[1, 1, 0, 0, 0], truth.view(), 2), 0.8);
/// ```
///
/// # Panics
/// If there is not one cluster below `cluster_count` for each node of `truth`.
#[must_use]
pub fn precision_at_1(clusters: &[u32], truth: GroundTruthRef<'_>, cluster_count: usize) -> f64 {
    check_clusters(truth.node_count(), clusters, cluster_count);
    let mut table = CountTable::new(cluster_count, truth.class_count);
    for node in truth.labeled() {
        for &class in truth.of(node) {
            table.add(clusters[node] as usize, class as usize);
        }
    }
    share_right(clusters, truth, &match_best(&table))
}

/// Precision@1 when clusters and classes are matched by size, the paper's rule for many communities.
///
/// Never above [`precision_at_1`]. The size of a cluster is its number of nodes with a class.
///
/// # Panics
/// If there is not one cluster below `cluster_count` for each node of `truth`.
#[must_use]
pub fn precision_at_1_by_size(clusters: &[u32], truth: GroundTruthRef<'_>, cluster_count: usize) -> f64 {
    check_clusters(truth.node_count(), clusters, cluster_count);
    let labeled: Vec<u32> = truth.labeled().map(|node| clusters[node]).collect();
    let matching = match_by_size(&cluster_sizes(&labeled, cluster_count), &truth.class_sizes());
    share_right(clusters, truth, &matching)
}

/// Precision@1 of one cluster for everything: the share of the nodes with a class that have the majority class.
#[must_use]
pub fn largest_class_share(truth: GroundTruthRef<'_>) -> f64 {
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
    use crate::metrics::GroundTruth;

    #[test]
    fn one_of_the_classes_of_a_node_is_enough() {
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
    fn size_can_match_badly() {
        // Three of class 0 in the smaller cluster; by size the larger cluster claims class 0.
        let truth = GroundTruth::single(&[0, 0, 0, 1, 1, 0, 0]);
        let clusters = [0, 0, 0, 1, 1, 1, 1];
        assert_eq!(precision_at_1(&clusters, truth.view(), 2), 5.0 / 7.0);
        assert_eq!(precision_at_1_by_size(&clusters, truth.view(), 2), 2.0 / 7.0);
    }

    #[test]
    fn nodes_without_a_class_change_nothing() {
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
