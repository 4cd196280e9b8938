//! Scores of a partition: sizes, metrics, and statistics of each community.

use hycome::metrics::{self, GroundTruth, Scores};
use hycome::{Graph, Labels};
use serde::Serialize;

/// Scores of a partition of a graph's nodes.
#[derive(Debug)]
pub struct PartitionScores {
    pub sizes: Vec<usize>,
    pub scores: Scores,
    pub communities: Vec<Community>,
    pub warnings: Vec<String>,
}

/// Statistics of a community.
#[derive(Debug, Serialize)]
pub struct Community {
    /// Index from 0, as in every file.
    pub community: usize,
    pub size: usize,
    /// Mean probability of its nodes; none if it is empty.
    pub mean_probability: Option<f64>,
    pub conductance: f64,
    /// Majority class of its nodes.
    pub largest_class: Option<LargestClass>,
}

/// Majority class of a community.
#[derive(Debug, Serialize)]
pub struct LargestClass {
    pub name: String,
    /// Fraction of the community's labelled nodes, 0 to 1.
    pub share: f64,
}

/// Scores a partition; slices have one entry per node.
pub fn score(
    graph: &Graph,
    labels: Option<&Labels>,
    communities: &[u32],
    probabilities: &[f64],
    community_count: usize,
) -> PartitionScores {
    let truth = labels.map(|labels| GroundTruth::from_lists(graph.nodes().map(|node| labels.of(node))));
    let truth = truth.as_ref().map(GroundTruth::view);
    let sizes = metrics::cluster_sizes(communities, community_count);
    let conductances = metrics::conductance(graph, communities, community_count);
    let mut probability_sum = vec![0.0; community_count];
    for (&community, probability) in communities.iter().zip(probabilities) {
        probability_sum[community as usize] += probability;
    }
    let mut largest = largest_classes(graph, labels, communities, community_count);
    let communities_of = (0..community_count).map(|k| Community {
        community: k,
        size: sizes[k],
        mean_probability: (sizes[k] > 0).then(|| probability_sum[k] / sizes[k] as f64),
        conductance: conductances[k],
        largest_class: largest[k].take(),
    });
    PartitionScores {
        communities: communities_of.collect(),
        scores: metrics::score(graph, communities, community_count, truth),
        warnings: [
            metrics::warnings(&sizes, truth),
            metrics::graph_warnings(graph, communities, community_count),
        ]
        .concat(),
        sizes,
    }
}

fn largest_classes(
    graph: &Graph,
    labels: Option<&Labels>,
    communities: &[u32],
    community_count: usize,
) -> Vec<Option<LargestClass>> {
    let mut largest: Vec<Option<LargestClass>> = (0..community_count).map(|_| None).collect();
    let Some(labels) = labels else { return largest };
    let mut members = vec![Vec::new(); community_count];
    for node in graph.nodes() {
        members[communities[node as usize] as usize].push(node);
    }
    let mut counts = vec![0usize; labels.class_count()];
    for (k, nodes) in members.iter().enumerate() {
        counts.fill(0);
        for &class in nodes.iter().flat_map(|&node| labels.of(node)) {
            counts[class as usize] += 1;
        }
        let labelled = nodes.iter().filter(|&&node| !labels.of(node).is_empty()).count();
        let majority = (0..counts.len()).rev().max_by_key(|&class| counts[class]);
        if let Some(class) = majority.filter(|&class| counts[class] > 0) {
            let name = labels.class_name(class as u32).to_owned();
            largest[k] = Some(LargestClass { name, share: counts[class] as f64 / labelled as f64 });
        }
    }
    largest
}
