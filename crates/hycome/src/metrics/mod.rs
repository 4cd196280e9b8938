//! Clustering metrics: of the graph alone, and against ground truth.
//!
//! | metric | ground truth | best | function |
//! |---|---|---|---|
//! | conductance, mean over clusters | no | 0 | [`mean_conductance`] |
//! | modularity | no | 1 | [`modularity()`] |
//! | normalized mutual information | yes | 1 | [`nmi_multi_label`] |
//! | normalized mutual information as the paper prints it | yes | not bounded | [`nmi_paper`] |
//! | adjusted mutual information | yes, one per node | 1 | [`adjusted_mutual_information`] |
//! | adjusted Rand index | yes, one per node | 1 | [`adjusted_rand_index`] |
//! | clustering accuracy (ACC), precision@1 in the paper | yes | 1 | [`precision_at_1`] |
//!
//! Rankings of a classifier are scored by [`precision_at`] and [`f1()`].
//!
//! [`score`] computes the whole table. No single metric proves that communities were found: interpret them together
//! with the cluster sizes ([`warnings`]) and the modularity expected by chance ([`graph_warnings`]). The cost is
//! linear in the edges or quasilinear in the nodes, and cubic in the number of communities for the matching. All are
//! fractions; the paper prints percentages. Conductance and modularity use edge weights if the graph has them; score
//! [`Graph::unweighted`] to ignore them.

mod ami;
mod ari;
mod conductance;
mod contingency;
mod f1;
mod graph_warnings;
mod ground_truth;
pub(crate) mod imbalance;
mod matching;
mod modularity;
mod nmi;
mod null_model;
mod precision;
mod ranking;

pub use ami::adjusted_mutual_information;
pub use ari::adjusted_rand_index;
pub use conductance::{conductance, mean_conductance};
pub use f1::{F1, f1};
pub use graph_warnings::graph_warnings;
pub use ground_truth::{GroundTruth, GroundTruthRef};
pub use imbalance::{cluster_sizes, warnings};
pub(crate) use matching::{CountTable, match_best, match_by_size};
pub use modularity::modularity;
pub use nmi::{nmi_multi_label, nmi_paper, normalized_mutual_information};
pub(crate) use precision::largest_class_share;
pub use precision::{precision_at_1, precision_at_1_by_size};
pub use ranking::precision_at;

use crate::graph::Graph;
use serde::Serialize;

/// All metrics of a partition; those against ground truth are `None` if undefined.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// [`mean_conductance`], 0 to 1, lower is better.
    pub conductance: f64,
    /// [`modularity()`], −1/2 to 1.
    pub modularity: f64,
    /// [`nmi_multi_label`], 0 to 1; `None` without labels.
    pub nmi: Option<f64>,
    /// [`nmi_paper`], 0 or more and not bounded by 1 if nodes have several classes, else equal to `nmi`; `None` without
    /// labels.
    pub nmi_paper: Option<f64>,
    /// [`adjusted_mutual_information`] over labelled nodes, at most 1; `None` without labels or if any node has several,
    /// because it compares partitions.
    pub ami: Option<f64>,
    /// [`adjusted_rand_index`] over labelled nodes, −1/2 to 1; `None` without labels or if any node has several,
    /// because the index compares partitions.
    pub ari: Option<f64>,
    /// Clustering accuracy (ACC) under the best matching of clusters and classes (Hungarian method), 0 to 1; `None`
    /// without labels.
    pub accuracy: Option<f64>,
    /// The same value under its name in the paper, [`precision_at_1`].
    pub precision_at_1: Option<f64>,
    /// [`precision_at_1_by_size`], 0 to 1; `None` without labels.
    pub precision_at_1_by_size: Option<f64>,
    /// Whether conductance and modularity use edge weights, that is, whether the graph is weighted.
    pub weighted: bool,
}

/// Computes all metrics of a partition, against ground truth if given.
///
/// ```
/// use hycome::{Graph, metrics::{GroundTruth, score}};
/// let graph = Graph::from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]);
/// let truth = GroundTruth::single(&[0, 0, 0, 1, 1, 1]);
/// let scores = score(&graph, &[1, 1, 1, 0, 0, 0], 2, Some(truth.view()));
/// assert_eq!((scores.nmi, scores.accuracy), (Some(1.0), Some(1.0)));
/// assert_eq!(scores.conductance, 1.0 / 7.0);
/// ```
///
/// # Panics
/// Unless `communities` has one entry below `community_count` for each node and `truth` has the nodes of the graph.
#[must_use]
pub fn score(
    graph: &Graph,
    communities: &[u32],
    community_count: usize,
    truth: Option<GroundTruthRef<'_>>,
) -> Scores {
    let truth = truth.filter(|truth| !truth.classes.is_empty());
    let accuracy = truth.map(|truth| precision_at_1(communities, truth, community_count));
    let one_each = truth.filter(|truth| !truth.is_multi_label());
    let partitions: Option<(Vec<u32>, Vec<u32>)> =
        one_each.map(|truth| truth.labeled().map(|node| (communities[node], truth.of(node)[0])).unzip());
    Scores {
        conductance: mean_conductance(graph, communities, community_count),
        modularity: modularity(graph, communities),
        nmi: truth.map(|truth| nmi_multi_label(communities, truth)),
        nmi_paper: truth.map(|truth| nmi_paper(communities, truth)),
        ami: partitions.as_ref().map(|(clusters, classes)| adjusted_mutual_information(clusters, classes)),
        ari: partitions.as_ref().map(|(clusters, classes)| adjusted_rand_index(clusters, classes)),
        accuracy,
        precision_at_1: accuracy,
        precision_at_1_by_size: truth
            .map(|truth| precision_at_1_by_size(communities, truth, community_count)),
        weighted: graph.is_weighted(),
    }
}

/// Asserts that there is one cluster below `cluster_count` for each node.
fn check_clusters(node_count: usize, clusters: &[u32], cluster_count: usize) {
    assert_eq!(clusters.len(), node_count, "there is one cluster for each node");
    assert!(
        clusters.iter().all(|&cluster| (cluster as usize) < cluster_count),
        "clusters are below the count"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;
    use proptest::{
        collection::{btree_set, vec},
        prelude::*,
    };

    const PATH: [(u32, u32); 3] = [(0, 1), (1, 2), (2, 3)];

    #[test]
    fn scores_against_missing_ground_truth_are_null() {
        let scores = score(&Graph::from_edges(PATH), &[0, 0, 1, 1], 2, None);
        let json = serde_json::to_value(scores).expect("scores are numbers");
        for metric in ["nmi", "nmi_paper", "ami", "ari", "precision_at_1"] {
            assert!(json[metric].is_null(), "{metric}");
        }
        assert_eq!(json["conductance"], 1.0 / 3.0);
        let nothing_known = GroundTruth::from_lists([&[][..]; 4]);
        assert_eq!(score(&Graph::from_edges(PATH), &[0, 0, 1, 1], 2, Some(nothing_known.view())), scores);
    }

    #[test]
    fn multi_label_ground_truth_has_no_index_of_partitions() {
        let truth = GroundTruth::from_lists([&[0][..], &[0, 1], &[1], &[1]]);
        let scores = score(&Graph::from_edges(PATH), &[0, 0, 1, 1], 2, Some(truth.view()));
        assert_eq!((scores.ami, scores.ari, scores.precision_at_1), (None, None, Some(1.0)));
        assert!(scores.nmi_paper > scores.nmi);
    }

    #[test]
    fn empty_graph_can_be_scored() {
        let scores = score(&Graph::default(), &[], 0, None);
        assert_eq!((scores.conductance, scores.modularity, scores.nmi), (0.0, 0.0, None));
    }

    type Case = (Vec<(u32, u32)>, Vec<u32>, Vec<Vec<u32>>);

    /// Edges on 12 nodes, clusters below 5, and up to two classes per node.
    fn anything() -> impl Strategy<Value = Case> {
        let edges = vec((0u32..12, 0u32..12), 0..40);
        let classes = btree_set(0u32..4, 0..3).prop_map(|set| set.into_iter().collect());
        (edges, vec(0u32..5, 12), vec(classes, 12))
    }

    proptest! {
        #[test]
        fn scores_are_within_range((pairs, clusters, classes) in anything()) {
            let graph = EdgeList { node_count: 12, pairs, weights: None }.build().0;
            let truth = GroundTruth::from_lists(classes.iter().map(Vec::as_slice));
            let scores = score(&graph, &clusters, 5, Some(truth.view()));
            prop_assert!((0.0..=1.0).contains(&scores.conductance));
            prop_assert!((-0.5..1.0).contains(&scores.modularity));
            prop_assert!(scores.ari.is_none_or(|ari| (-0.5..=1.0).contains(&ari)));
            prop_assert!(scores.ami.is_none_or(|ami| ami <= 1.0 + 1e-12));
            prop_assert!(scores.nmi_paper.is_none_or(|nmi| nmi >= 0.0));
            for share in [scores.nmi, scores.accuracy, scores.precision_at_1_by_size] {
                prop_assert!(share.is_none_or(|share| (0.0..=1.0).contains(&share)));
            }
            prop_assert!(scores.precision_at_1 >= scores.precision_at_1_by_size);
        }

        #[test]
        fn invariant_under_relabelling_of_clusters((pairs, clusters, classes) in anything()) {
            let graph = EdgeList { node_count: 12, pairs, weights: None }.build().0;
            let truth = GroundTruth::from_lists(classes.iter().map(Vec::as_slice));
            let scores = score(&graph, &clusters, 5, Some(truth.view()));
            let renamed: Vec<u32> = clusters.iter().map(|cluster| 8 - 2 * cluster).collect();
            let again = score(&graph, &renamed, 9, Some(truth.view()));
            // Exact for integer computations, up to the order of summation otherwise.
            prop_assert_eq!((again.ari, again.precision_at_1), (scores.ari, scores.precision_at_1));
            prop_assert!((again.conductance - scores.conductance).abs() < 1e-14);
            prop_assert!((again.modularity - scores.modularity).abs() < 1e-14);
            let both = [(again.nmi, scores.nmi), (again.nmi_paper, scores.nmi_paper), (again.ami, scores.ami)];
            for (again, score) in both {
                prop_assert!((again.unwrap_or(0.0) - score.unwrap_or(0.0)).abs() < 1e-13);
            }
        }
    }
}
