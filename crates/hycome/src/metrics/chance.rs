//! Modularity expected by chance: the maximum over partitions of a random graph with the same degrees.
//!
//! Graphs without communities have partitions of positive modularity too (Guimerà et al. 2004). The best partition of
//! a random graph into fractions p₁ … p_K has about
//!
//! > Q₀ = 0.92 · √(4·H·S·(1 − S)) · Σ_i √(Σ_j w_ij²) / Σ_i Σ_j w_ij,
//!
//! H = −Σ p ln p over fractions of nodes and S = Σ p² over fractions of the volume. There are e^{nH} such partitions,
//! the fraction of edges inside one of them has variance S(1 − S)/M over random graphs, and the maximum of e^{nH}
//! independent normal variables is √(2nH) standard deviations above the mean. For equal fractions and degrees this is
//! the ground-state energy of the random energy model; the exact energy of the Potts glass (Kanter and Sompolinsky
//! 1987; Reichardt and Bornholdt, *Physica D* 224, 20 (2006), also the source of the sum over √degree) is 0.92 of it
//! for two parts, 0.96 for five and the same for ten. The formula is deterministic and takes one pass over the edges.

use rayon::prelude::*;

use super::conductance::edge_ends;
use crate::graph::{Graph, NodeId};

/// Exact ground-state energy of two halves relative to the random energy model, 0.7632 / √(ln 2).
const EXACT_SHARE: f64 = 0.92;

/// Minimum fraction of non-isolated nodes outside the K largest components for a fragmentation warning.
const OUTSIDE_SHARE: f64 = 0.1;

/// Maximum modularity expected in a random graph with the same degrees and relative community sizes.
///
/// A partition with no higher modularity may be due to chance; a higher one is no proof of communities.
///
/// # Panics
/// Unless `communities` has one entry below `community_count` for each node.
#[must_use]
pub fn modularity_by_chance(graph: &Graph, communities: &[u32], community_count: usize) -> f64 {
    let volumes: Vec<f64> =
        edge_ends(graph, communities, community_count).into_iter().map(|ends| ends.volume()).collect();
    let total: f64 = volumes.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    let mut sizes = vec![0usize; community_count];
    for node in graph.nodes().filter(|&node| graph.degree(node) > 0) {
        sizes[communities[node as usize] as usize] += 1;
    }
    let nodes = sizes.iter().sum::<usize>() as f64;
    let shares = sizes.iter().filter(|&&size| size > 0).map(|&size| size as f64 / nodes);
    let entropy: f64 = shares.map(|share| -share * share.ln()).sum();
    let inside: f64 = volumes.iter().map(|volume| (volume / total).powi(2)).sum();
    let deviations: Vec<f64> = (0..graph.node_count() as NodeId)
        .into_par_iter()
        .map(|node| match graph.weights(node) {
            None => (graph.degree(node) as f64).sqrt(),
            Some(weights) => weights.iter().map(|&w| f64::from(w).powi(2)).sum::<f64>().sqrt(),
        })
        .collect();
    let deviation = deviations.iter().sum::<f64>() / total;
    let reached = EXACT_SHARE * (4.0 * entropy * inside * (1.0 - inside)).max(0.0).sqrt() * deviation;
    reached.min(1.0 - inside) // the value if no edge leaves a community
}

/// Warnings about communities that the graph does not support, one sentence each.
///
/// ```
/// use hycome::{Graph, metrics::graph_warnings};
/// let star = Graph::from_edges((1..20).map(|leaf| (0, leaf)));
/// let thirds: Vec<u32> = (0..20).map(|node| node % 3).collect();
/// assert!(graph_warnings(&star, &thirds, 3)[0].starts_with("modularity is no higher than chance"));
/// ```
///
/// # Panics
/// Unless `communities` has one entry below `community_count` for each node.
#[must_use]
pub fn graph_warnings(graph: &Graph, communities: &[u32], community_count: usize) -> Vec<String> {
    if community_count < 2 || graph.edge_count() == 0 {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    sentences.extend(by_chance(graph, communities, community_count));
    sentences.extend(without_edges_inside(graph, communities, community_count));
    sentences.extend(fragmented(graph, community_count));
    sentences
}

/// Warns if a random graph has such communities too, unless they are unions of connected components.
fn by_chance(graph: &Graph, communities: &[u32], community_count: usize) -> Option<String> {
    let ends = edge_ends(graph, communities, community_count);
    if ends.iter().all(|ends| ends.leaving == 0.0) {
        return None;
    }
    let found = super::modularity(graph, communities);
    let chance = modularity_by_chance(graph, communities, community_count);
    (found <= chance).then(|| {
        format!(
            "modularity is no higher than chance: {found:.3}, and random graphs with the same degrees have \
             partitions with about {chance:.3}; the graph may have no such communities"
        )
    })
}

/// Warns about communities without internal edges; tiny communities have a warning of their own.
fn without_edges_inside(graph: &Graph, communities: &[u32], community_count: usize) -> Option<String> {
    let sizes = super::cluster_sizes(communities, community_count);
    let ends = edge_ends(graph, communities, community_count);
    let least = super::imbalance::tiny_limit(&sizes).max(2.0);
    let is_bare = |k: &usize| sizes[*k] as f64 >= least && ends[*k].inside == 0.0 && ends[*k].leaving > 0.0;
    let bare = (0..community_count).filter(is_bare).count();
    (bare > 0).then(|| {
        let (have, their) = if bare == 1 { ("has", "its") } else { ("have", "their") };
        format!(
            "{bare} of the {community_count} communities {have} no edge inside (conductance 1): {their} nodes \
             are similar, but not connected to each other"
        )
    })
}

/// Warns if there are more components than communities, so that some community is disconnected.
fn fragmented(graph: &Graph, community_count: usize) -> Option<String> {
    let components = graph.components();
    let mut sizes = vec![0usize; components.iter().max().map_or(0, |&last| last as usize + 1)];
    for node in graph.nodes().filter(|&node| graph.degree(node) > 0) {
        sizes[components[node as usize] as usize] += 1;
    }
    sizes.retain(|&size| size > 0);
    let count = sizes.len();
    let nodes: usize = sizes.iter().sum();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let outside: usize = sizes.iter().skip(community_count).sum();
    (outside as f64 > OUTSIDE_SHARE * nodes as f64).then(|| {
        format!(
            "the graph has {count} components with edges, more than the {community_count} communities, so some \
             communities are disconnected and a low conductance is not meaningful; restrict the graph to its \
             largest component or increase the number of communities"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets;
    use crate::graph::EdgeList;
    use crate::metrics::modularity;
    use crate::rng::{Purpose, stream};

    fn complete(nodes: NodeId) -> Graph {
        Graph::from_edges((0..nodes).flat_map(|u| (0..u).map(move |v| (u, v))))
    }

    fn thirds(nodes: usize) -> Vec<u32> {
        (0..nodes as u32).map(|node| 3 * node / nodes as u32).collect()
    }

    #[test]
    fn classes_of_real_graphs_exceed_chance() {
        for name in ["karate", "books", "football", "polblogs"] {
            let builtin = datasets::builtin(name).expect("it is built in");
            let truth = builtin.truth();
            let warnings = graph_warnings(&builtin.graph(), &truth.classes, truth.class_count);
            assert!(warnings.is_empty(), "{name}: {warnings:?}");
        }
    }

    #[test]
    fn a_complete_graph_and_a_star_have_no_communities() {
        let warnings = graph_warnings(&complete(30), &thirds(30), 3);
        assert!(warnings[0].starts_with("modularity is no higher than chance: -0.0"), "{warnings:?}");
        let star = Graph::from_edges((1..30).map(|leaf| (0, leaf)));
        let warnings = graph_warnings(&star, &thirds(30), 3);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[1].starts_with("2 of the 3 communities have no edge inside"), "{warnings:?}");
    }

    /// Greedy modularity maximisation by moving single nodes.
    fn greedy(graph: &Graph, parts: u32) -> Vec<u32> {
        let mut communities: Vec<u32> = graph.nodes().map(|node| node % parts).collect();
        for _ in 0..20 {
            for node in graph.nodes() {
                let quality = |community: u32| {
                    let mut moved = communities.clone();
                    moved[node as usize] = community;
                    modularity(graph, &moved)
                };
                let best = (0..parts).map(|k| (quality(k), k)).max_by(|a, b| a.0.total_cmp(&b.0));
                communities[node as usize] = best.expect("there are parts").1;
            }
        }
        communities
    }

    #[test]
    fn random_graphs_do_not_exceed_chance_and_planted_partitions_do() {
        let nodes = 80u32;
        let drawn = |seed: u64, inside: f64, outside: f64| {
            let mut rng = stream(seed, Purpose::Generate, 0, 0);
            let pairs = (0..nodes).flat_map(|u| (0..u).map(move |v| (u, v)));
            Graph::from_edges(
                pairs.filter(|&(u, v)| rng.unit() < if u % 4 == v % 4 { inside } else { outside }),
            )
        };
        for seed in 0..3 {
            let random = drawn(seed, 0.15, 0.15);
            let found = greedy(&random, 4);
            let (quality, chance) = (modularity(&random, &found), modularity_by_chance(&random, &found, 4));
            assert!(quality < 1.15 * chance && quality > 0.6 * chance, "{quality} {chance}");
            let planted = drawn(seed, 0.45, 0.05);
            let found: Vec<u32> = planted.nodes().map(|node| node % 4).collect();
            assert!(graph_warnings(&planted, &found, 4).is_empty());
        }
    }

    #[test]
    fn invariant_under_scaling_of_weights() {
        let plain = Graph::from_edges((0..40).flat_map(|i| [(i, (i + 1) % 40), (i, (i * i + 3) % 40)]));
        let pairs: Vec<(NodeId, NodeId)> = plain
            .nodes()
            .flat_map(|u| plain.neighbors(u).iter().filter(move |&&v| u < v).map(move |&v| (u, v)))
            .collect();
        let weights = Some(vec![0.25; pairs.len()]);
        let weighted = EdgeList { node_count: 40, pairs, weights }.build().0;
        let of = |graph: &Graph| modularity_by_chance(graph, &thirds(40), 3);
        assert!(weighted.is_weighted() && of(&plain) > 0.0);
        assert!((of(&weighted) - of(&plain)).abs() < 1e-12);
    }

    #[test]
    fn a_graph_of_many_components_raises_a_warning() {
        let triangles = Graph::from_edges((0..50).flat_map(|i| [(3 * i, 3 * i + 1), (3 * i + 1, 3 * i + 2)]));
        let communities: Vec<u32> = (0..150).map(|node| node / 3 % 3).collect();
        let warnings = graph_warnings(&triangles, &communities, 3);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("the graph has 50 components with edges, more than the 3"),
            "{warnings:?}"
        );
        // Isolated nodes and a few small components beside two large ones cause no warning.
        let mut edges: Vec<(NodeId, NodeId)> = (0..40).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        edges.extend((50..90).flat_map(|i| (50..i).map(move |j| (i, j))));
        edges.push((95, 96));
        let communities: Vec<u32> = (0..97).map(|node| u32::from(node >= 50)).collect();
        let warnings = graph_warnings(&Graph::from_edges(edges), &communities, 2);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn an_empty_graph_raises_no_warning() {
        assert!(graph_warnings(&Graph::default(), &[], 2).is_empty());
        assert!(graph_warnings(&complete(5), &[0; 5], 1).is_empty());
        assert_eq!(modularity_by_chance(&Graph::default(), &[], 3), 0.0);
    }
}
