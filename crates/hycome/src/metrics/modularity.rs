//! Modularity (Newman & Girvan 2004): internal edges of the clusters in excess of the configuration model.
//!
//! > Q = Σ_C [ inside(C) / 2M − (vol(C) / 2M)² ]
//!
//! M is the total edge weight, inside(C) the weight of the endpoints in C of edges internal to C, vol(C) the sum of
//! the weighted degrees in C; in unweighted graphs every edge has weight one. Q is below 1 and at least −1/2; a single
//! cluster has 0. Newman and Girvan, *Phys. Rev. E* 69, 026113 (2004); weighted: Newman, *Phys. Rev. E* 70, 056131
//! (2004).

use rayon::prelude::*;

use super::conductance::edge_ends;
use crate::graph::Graph;

/// Modularity of a partition, −1/2 to 1, higher is better; 0 for a graph without edges.
///
/// Community ids are arbitrary.
///
/// ```
/// use hycome::{Graph, metrics::modularity};
/// let two_edges = Graph::from_edges([(0, 1), (2, 3)]);
/// assert_eq!(modularity(&two_edges, &[0, 0, 1, 1]), 0.5);
/// ```
///
/// # Panics
/// Unless `communities` has one entry for each node.
#[must_use]
pub fn modularity(graph: &Graph, communities: &[u32]) -> f64 {
    let (communities, community_count) = numbered(communities);
    let ends = edge_ends(graph, &communities, community_count);
    let total: f64 = ends.iter().map(|ends| ends.volume()).sum();
    if total == 0.0 {
        return 0.0;
    }
    let share = |ends: f64| ends / total;
    ends.iter().map(|ends| share(ends.inside) - share(ends.volume()).powi(2)).sum()
}

/// Relabels communities as consecutive ids from 0. Also returns their number.
fn numbered(communities: &[u32]) -> (Vec<u32>, usize) {
    let mut ids = communities.to_vec();
    ids.par_sort_unstable();
    ids.dedup();
    let number = |id: &u32| ids.binary_search(id).expect("ids hold every community") as u32;
    (communities.par_iter().map(number).collect(), ids.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{EdgeList, NodeId};

    /// Reference implementation: Newman's double sum over pairs of nodes.
    fn modularity_by_pairs(graph: &Graph, communities: &[u32]) -> f64 {
        let total = graph.targets().len() as f64;
        let mut sum = 0.0;
        for i in graph.nodes() {
            for j in graph.nodes().filter(|&j| communities[i as usize] == communities[j as usize]) {
                let adjacent = f64::from(u8::from(graph.neighbors(i).contains(&j)));
                sum += adjacent - (graph.degree(i) * graph.degree(j)) as f64 / total;
            }
        }
        sum / total
    }

    #[test]
    fn sum_over_clusters_equals_the_sum_over_pairs() {
        // A ring of 20 with chords, and unrelated communities.
        let edges = (0..20).flat_map(|i: NodeId| [(i, (i + 1) % 20), (i, (i * i + 3) % 20)]);
        let graph = Graph::from_edges(edges);
        let communities: Vec<u32> = (0..20).map(|i| (i * 7 + i / 3) % 4).collect();
        let difference = modularity(&graph, &communities) - modularity_by_pairs(&graph, &communities);
        assert!(difference.abs() < 1e-14, "{difference}");
    }

    #[test]
    fn single_cluster_has_modularity_zero() {
        let graph = Graph::from_edges([(0, 1), (1, 2), (2, 3)]);
        assert_eq!(modularity(&graph, &[0; 4]), 0.0);
        assert_eq!(modularity(&graph, &[u32::MAX; 4]), 0.0);
    }

    #[test]
    fn splitting_an_edge_gives_the_lower_bound() {
        assert_eq!(modularity(&Graph::from_edges([(0, 1)]), &[0, 1]), -0.5);
    }

    #[test]
    fn a_graph_without_edges_has_modularity_zero() {
        assert_eq!(modularity(&Graph::default(), &[]), 0.0);
        let isolated = EdgeList { node_count: 2, pairs: vec![], weights: None }.build().0;
        assert_eq!(modularity(&isolated, &[0, 1]), 0.0);
    }
}
