//! Conductance: how much of a cluster's connections leave it.
//!
//! > φ(C) = cut(C) / min(vol(C), vol(V) − vol(C))
//!
//! cut(C) is the number of edges with one end in C, vol(C) the sum of the degrees in C. Zero means that
//! nothing leaves, one that nothing stays. As in the paper an edge counts one whatever its weight.
//!
//! A cluster for which the denominator is zero has φ = 0: no edge can cross it. Two kinds exist. One holds
//! *every* edge, and its zero is earned, which is why one cluster for everything has the perfect mean
//! conductance 0 and why the number means little without the sizes ([`super::warnings`]). The other has
//! no edge at all, being empty or made of isolated nodes; it says nothing about the partition, so the mean
//! leaves it out. Otherwise isolated nodes, put aside in clusters of their own, would lower the mean.

use rayon::prelude::*;

use super::check_clusters;
use crate::graph::{Graph, NodeId};

/// Conductance of each cluster, 0 to 1, smaller is better; 0 for a cluster no edge can cross.
///
/// ```
/// use hycome::{Graph, metrics::conductance};
/// // Two triangles joined by an edge: one of the seven edge ends of each triangle leaves it.
/// let graph = Graph::from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]);
/// assert_eq!(conductance(&graph, &[0, 0, 0, 1, 1, 1], 2), [1.0 / 7.0, 1.0 / 7.0]);
/// ```
///
/// # Panics
/// If `communities` has not one entry below `community_count` for each node.
#[must_use]
pub fn conductance(graph: &Graph, communities: &[u32], community_count: usize) -> Vec<f64> {
    let total = graph.targets().len();
    let ends = edge_ends(graph, communities, community_count);
    ends.iter().map(|ends| ends.conductance(total)).collect()
}

/// Mean of [`conductance`] over the clusters that have an edge; 0 if none has.
///
/// # Panics
/// If `communities` has not one entry below `community_count` for each node.
#[must_use]
pub fn mean_conductance(graph: &Graph, communities: &[u32], community_count: usize) -> f64 {
    let total = graph.targets().len();
    let mut ends = edge_ends(graph, communities, community_count);
    ends.retain(|ends| ends.volume() > 0);
    let sum: f64 = ends.iter().map(|ends| ends.conductance(total)).sum();
    sum / ends.len().max(1) as f64
}

/// The ends of edges that lie in a cluster; an edge inside it has two there.
#[derive(Clone, Copy, Default)]
pub(super) struct EdgeEnds {
    /// Ends whose other end is in the cluster too.
    pub(super) inside: usize,
    /// Ends whose other end is elsewhere.
    pub(super) leaving: usize,
}

impl EdgeEnds {
    /// Sum of the degrees in the cluster.
    pub(super) fn volume(self) -> usize {
        self.inside + self.leaving
    }

    fn conductance(self, total: usize) -> f64 {
        match self.volume().min(total - self.volume()) {
            0 => 0.0,
            smaller => self.leaving as f64 / smaller as f64,
        }
    }
}

/// Edge ends of each cluster, in one pass over the edges, by all threads; counts do not depend on how many.
pub(super) fn edge_ends(graph: &Graph, communities: &[u32], community_count: usize) -> Vec<EdgeEnds> {
    check_clusters(graph.node_count(), communities, community_count);
    let nodes_at_once = communities.len().div_ceil(4 * rayon::current_num_threads()).max(NODES_AT_ONCE);
    let parts: Vec<Vec<EdgeEnds>> = communities
        .par_chunks(nodes_at_once)
        .enumerate()
        .map(|(i, part)| {
            let mut ends = vec![EdgeEnds::default(); community_count];
            for (node, &community) in (i * nodes_at_once..).zip(part) {
                let neighbors = graph.neighbors(node as NodeId);
                let is_inside = |&other: &NodeId| usize::from(communities[other as usize] == community);
                let inside = neighbors.iter().map(is_inside).sum::<usize>();
                ends[community as usize].inside += inside;
                ends[community as usize].leaving += neighbors.len() - inside;
            }
            ends
        })
        .collect();
    let mut ends = vec![EdgeEnds::default(); community_count];
    for part in parts {
        for (all, part) in ends.iter_mut().zip(part) {
            all.inside += part.inside;
            all.leaving += part.leaving;
        }
    }
    ends
}

/// Fewer nodes are not worth a thread of their own.
const NODES_AT_ONCE: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    /// A path of four nodes and an isolated fifth.
    fn path_and_isolated() -> Graph {
        EdgeList { node_count: 5, pairs: vec![(0, 1), (1, 2), (2, 3)], weights: None }.build().0
    }

    #[test]
    fn smaller_side_is_the_denominator() {
        // Volumes 1 and 5, one edge between them.
        assert_eq!(conductance(&path_and_isolated(), &[0, 1, 1, 1, 1], 2), [1.0, 1.0]);
        // Volumes 3 and 3.
        assert_eq!(conductance(&path_and_isolated(), &[0, 0, 1, 1, 1], 2), [1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let count = 3 * NODES_AT_ONCE as NodeId;
        let graph = Graph::from_edges((0..count).flat_map(|i| [(i, (i + 1) % count), (i, i * 7 % count)]));
        let communities: Vec<u32> = (0..count).map(|i| i / 5 % 11).collect();
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| conductance(&graph, &communities, 11))
        };
        assert_eq!(of(1), of(3));
        let leaving = |node: NodeId, other: NodeId| communities[node as usize] != communities[other as usize];
        let cut = graph.nodes().flat_map(|u| graph.neighbors(u).iter().map(move |&v| (u, v)));
        let ends = edge_ends(&graph, &communities, 11);
        assert_eq!(
            ends.iter().map(|ends| ends.leaving).sum::<usize>(),
            cut.filter(|&(u, v)| leaving(u, v)).count()
        );
    }

    #[test]
    fn weights_do_not_count() {
        let pairs = vec![(0, 1), (1, 2), (2, 3)];
        let weights = Some(vec![1.0, 100.0, 1.0]);
        let weighted = EdgeList { node_count: 4, pairs, weights }.build().0;
        let communities = [0, 0, 1, 1];
        let expected = conductance(&weighted.clone().unweighted(), &communities, 2);
        assert_eq!(conductance(&weighted, &communities, 2), expected);
    }

    #[test]
    fn one_cluster_for_everything_has_no_conductance() {
        assert_eq!(conductance(&path_and_isolated(), &[0; 5], 1), [0.0]);
        assert_eq!(mean_conductance(&path_and_isolated(), &[0; 5], 1), 0.0);
    }

    #[test]
    fn empty_and_isolated_clusters_do_not_lower_the_mean() {
        let graph = path_and_isolated();
        let together = mean_conductance(&graph, &[0, 0, 1, 1, 1], 2);
        assert_eq!(mean_conductance(&graph, &[0, 0, 1, 1, 2], 3), together);
        assert_eq!(mean_conductance(&graph, &[0, 0, 3, 3, 3], 7), together);
        assert_eq!(conductance(&graph, &[0, 0, 1, 1, 2], 4)[2..], [0.0, 0.0]);
    }

    #[test]
    fn a_graph_without_edges_or_nodes_has_mean_zero() {
        assert_eq!(mean_conductance(&Graph::default(), &[], 0), 0.0);
        let isolated = EdgeList { node_count: 3, pairs: vec![], weights: None }.build().0;
        assert_eq!(mean_conductance(&isolated, &[0, 1, 1], 2), 0.0);
    }
}
