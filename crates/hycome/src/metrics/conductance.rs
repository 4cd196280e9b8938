//! Conductance of clusters: the fraction of their volume that crosses the boundary.
//!
//! > φ(C) = cut(C) / min(vol(C), vol(V) − vol(C))
//!
//! cut(C) is the weight of the edges with one endpoint in C, vol(C) the sum of the weighted degrees in C. Zero means
//! that no edge leaves the cluster, one that every edge does. In unweighted graphs every edge has weight one, as in
//! the paper; [`Graph::unweighted`] removes the weights of a graph.
//!
//! A cluster with a zero denominator has φ = 0. There are two cases. A cluster with *every* edge has a legitimate
//! zero, so the trivial partition into one cluster has the perfect mean conductance 0: interpret it together with the
//! cluster sizes ([`super::warnings`]). A cluster without edges, empty or made of isolated nodes, is uninformative and
//! excluded from the mean; otherwise isolated nodes in clusters of their own would lower it.

use rayon::prelude::*;

use super::check_clusters;
use crate::graph::{Graph, NodeId};

/// Conductance of each cluster, 0 to 1, lower is better; 0 if the denominator is zero.
///
/// ```
/// use hycome::{Graph, metrics::conductance};
/// // Two triangles joined by an edge: one of the seven endpoints in each triangle leaves it.
/// let graph = Graph::from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]);
/// assert_eq!(conductance(&graph, &[0, 0, 0, 1, 1, 1], 2), [1.0 / 7.0, 1.0 / 7.0]);
/// ```
///
/// # Panics
/// Unless `communities` has one entry below `community_count` for each node.
#[must_use]
pub fn conductance(graph: &Graph, communities: &[u32], community_count: usize) -> Vec<f64> {
    of_ends(&edge_ends(graph, communities, community_count))
}

/// Mean of [`conductance`] over the clusters with edges; 0 if there are none.
///
/// # Panics
/// Unless `communities` has one entry below `community_count` for each node.
#[must_use]
pub fn mean_conductance(graph: &Graph, communities: &[u32], community_count: usize) -> f64 {
    let mut ends = edge_ends(graph, communities, community_count);
    ends.retain(|ends| ends.volume() > 0.0);
    of_ends(&ends).iter().sum::<f64>() / ends.len().max(1) as f64
}

/// Conductance of each cluster.
fn of_ends(ends: &[EdgeEnds]) -> Vec<f64> {
    // The volume of the complement is summed separately: a difference from the total would cancel if weights differ by
    // orders of magnitude.
    let mut after = vec![0.0; ends.len()];
    for k in (1..ends.len()).rev() {
        after[k - 1] = after[k] + ends[k].volume();
    }
    let mut before = 0.0;
    let each = ends.iter().zip(after).map(|(ends, after)| {
        let smaller = ends.volume().min(before + after);
        before += ends.volume();
        // Rounding may put the cut above the volume, because they are summed in different orders.
        if smaller > 0.0 { (ends.leaving / smaller).min(1.0) } else { 0.0 }
    });
    each.collect()
}

/// Total weight of the edge endpoints in a cluster; an internal edge has two.
///
/// In unweighted graphs these are counts, exact in double precision.
#[derive(Clone, Copy, Default)]
pub(super) struct EdgeEnds {
    /// Endpoints of internal edges.
    pub(super) inside: f64,
    /// Endpoints of edges that leave the cluster.
    pub(super) leaving: f64,
}

impl EdgeEnds {
    /// Sum of the degrees in the cluster.
    pub(super) fn volume(self) -> f64 {
        self.inside + self.leaving
    }
}

/// Sums edge endpoints by cluster.
///
/// Nodes are processed in parallel and summed sequentially, so that the result does not depend on the number of
/// threads.
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

/// Minimum number of nodes per parallel task.
const NODES_AT_ONCE: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    /// A path of four nodes and an isolated node.
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
    fn result_is_independent_of_thread_count() {
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
    fn weights_are_used() {
        let graph = weighted_path([1.0, 0.5, 3.0]);
        // The volumes are 2.5 and 6.5, the cut is 0.5.
        assert_eq!(conductance(&graph, &[0, 0, 1, 1], 2), [0.2, 0.2]);
        assert_eq!(conductance(&graph.unweighted(), &[0, 0, 1, 1], 2), [1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn light_cluster_beside_a_heavy_edge_keeps_its_conductance() {
        let graph = weighted_path([1e30, 1e-20, 1e-20]);
        assert_eq!(conductance(&graph, &[0, 0, 1, 1], 2)[1], 1.0 / 3.0);
        assert_eq!(conductance(&graph, &[1, 1, 0, 0], 2), [1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn weighted_sums_are_independent_of_thread_count() {
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
    fn single_cluster_has_conductance_zero() {
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
