//! Conductance: how much of a cluster's connections leave it.
//!
//! > φ(C) = cut(C) / min(vol(C), vol(V) − vol(C))
//!
//! cut(C) is the weight of the edges with one end in C, vol(C) the sum of the weighted degrees in C. Zero means that
//! nothing leaves, one that nothing stays. Where a graph has no weights every edge counts one, as in the paper;
//! [`Graph::unweighted`] gives that for any graph.
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
    of_ends(&edge_ends(graph, communities, community_count))
}

/// Mean of [`conductance`] over the clusters that have an edge; 0 if none has.
///
/// # Panics
/// If `communities` has not one entry below `community_count` for each node.
#[must_use]
pub fn mean_conductance(graph: &Graph, communities: &[u32], community_count: usize) -> f64 {
    let mut ends = edge_ends(graph, communities, community_count);
    ends.retain(|ends| ends.volume() > 0.0);
    of_ends(&ends).iter().sum::<f64>() / ends.len().max(1) as f64
}

/// The conductance of each cluster.
fn of_ends(ends: &[EdgeEnds]) -> Vec<f64> {
    // The volume of all others is a sum of its own: a difference from the total would lose the digits of small
    // weights beside large ones.
    let mut after = vec![0.0; ends.len()];
    for k in (1..ends.len()).rev() {
        after[k - 1] = after[k] + ends[k].volume();
    }
    let mut before = 0.0;
    let each = ends.iter().zip(after).map(|(ends, after)| {
        let smaller = ends.volume().min(before + after);
        before += ends.volume();
        // Sums of weights in another order may exceed each other by a rounding.
        if smaller > 0.0 { (ends.leaving / smaller).min(1.0) } else { 0.0 }
    });
    each.collect()
}

/// The weight of the ends of edges that lie in a cluster; an edge inside it has two there.
///
/// Without weights these are counts, which are exact in double precision.
#[derive(Clone, Copy, Default)]
pub(super) struct EdgeEnds {
    /// Ends whose other end is in the cluster too.
    pub(super) inside: f64,
    /// Ends whose other end is elsewhere.
    pub(super) leaving: f64,
}

impl EdgeEnds {
    /// Sum of the degrees in the cluster.
    pub(super) fn volume(self) -> f64 {
        self.inside + self.leaving
    }
}

/// Edge ends of each cluster.
///
/// Nodes are looked at by all threads and added up in their order by one, so that sums of weights do not depend on the number
/// of threads.
pub(super) fn edge_ends(graph: &Graph, communities: &[u32], community_count: usize) -> Vec<EdgeEnds> {
    check_clusters(graph.node_count(), communities, community_count);
    let of_node = |node: usize| {
        let (community, neighbors) = (communities[node], graph.neighbors(node as NodeId));
        let is_inside = |other: NodeId| communities[other as usize] == community;
        let Some(weights) = graph.weights(node as NodeId) else {
            let inside = neighbors.iter().filter(|&&other| is_inside(other)).count();
            return EdgeEnds { inside: inside as f64, leaving: (neighbors.len() - inside) as f64 };
        };
        let mut ends = EdgeEnds::default();
        for (&other, &weight) in neighbors.iter().zip(weights) {
            let side = if is_inside(other) { &mut ends.inside } else { &mut ends.leaving };
            *side += f64::from(weight);
        }
        ends
    };
    let nodes: Vec<EdgeEnds> =
        (0..communities.len()).into_par_iter().with_min_len(NODES_AT_ONCE).map(of_node).collect();
    let mut ends = vec![EdgeEnds::default(); community_count];
    for (&community, node) in communities.iter().zip(nodes) {
        let all = &mut ends[community as usize];
        all.inside += node.inside;
        all.leaving += node.leaving;
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
            ends.iter().map(|ends| ends.leaving).sum::<f64>(),
            cut.filter(|&(u, v)| leaving(u, v)).count() as f64
        );
    }

    fn weighted_path(weights: [f32; 3]) -> Graph {
        let pairs = vec![(0, 1), (1, 2), (2, 3)];
        EdgeList { node_count: 4, pairs, weights: Some(weights.to_vec()) }.build().0
    }

    #[test]
    fn weights_count() {
        let graph = weighted_path([1.0, 0.5, 3.0]);
        // The volumes are 2.5 and 6.5, the cut weighs a half.
        assert_eq!(conductance(&graph, &[0, 0, 1, 1], 2), [0.2, 0.2]);
        assert_eq!(conductance(&graph.unweighted(), &[0, 0, 1, 1], 2), [1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn a_tiny_cluster_beside_a_huge_weight_keeps_its_conductance() {
        let graph = weighted_path([1e30, 1e-20, 1e-20]);
        assert_eq!(conductance(&graph, &[0, 0, 1, 1], 2)[1], 1.0 / 3.0);
        assert_eq!(conductance(&graph, &[1, 1, 0, 0], 2), [1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn sums_of_weights_do_not_depend_on_the_number_of_threads() {
        let count = 3 * NODES_AT_ONCE;
        let pairs: Vec<(NodeId, NodeId)> = (0..count as NodeId).map(|i| (i, i * 7 % 5000)).collect();
        let weights = (0..count).map(|i| (i as f32 + 0.3).sqrt()).collect();
        let graph = EdgeList { node_count: count, pairs, weights: Some(weights) }.build().0;
        let communities: Vec<u32> = (0..count as u32).map(|i| i / 5 % 11).collect();
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| conductance(&graph, &communities, 11))
        };
        assert_eq!(of(1), of(3));
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
