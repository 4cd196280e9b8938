//! Warnings about communities that the graph does not support.

use super::conductance::edge_ends;
use super::null_model::null_modularity;
use crate::graph::Graph;

/// Fraction of the nodes outside of the K largest components, isolated nodes not counted, above which a warning is given.
const OUTSIDE_SHARE: f64 = 0.1;

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
    sentences.extend(fallen_apart(graph, community_count));
    sentences
}

/// Whether a random graph has such communities too; those that no edge leaves are the graph's own, however few edges it has.
fn by_chance(graph: &Graph, communities: &[u32], community_count: usize) -> Option<String> {
    let ends = edge_ends(graph, communities, community_count);
    if ends.iter().all(|ends| ends.leaving == 0.0) {
        return None;
    }
    let found = super::modularity(graph, communities);
    let null = null_modularity(graph, communities, community_count);
    (found <= null.mean).then(|| {
        format!(
            "modularity is no higher than chance: {found:.3}, and random graphs with the same degrees have partitions of {:.3} on \
             average ({:.3} at most); the graph may have no such communities",
            null.mean, null.max
        )
    })
}

/// Communities all of whose edges leave them; tiny communities have their own warning.
fn without_edges_inside(graph: &Graph, communities: &[u32], community_count: usize) -> Option<String> {
    let sizes = super::cluster_sizes(communities, community_count);
    let ends = edge_ends(graph, communities, community_count);
    let least = super::imbalance::tiny_limit(&sizes).max(2.0);
    let is_bare = |k: &usize| sizes[*k] as f64 >= least && ends[*k].inside == 0.0 && ends[*k].leaving > 0.0;
    let bare = (0..community_count).filter(is_bare).count();
    (bare > 0).then(|| {
        let (have, their) = if bare == 1 { ("has", "its") } else { ("have", "their") };
        format!(
            "{bare} of the {community_count} communities {have} no edge inside (conductance 1): {their} nodes are alike, but not \
             connected with each other"
        )
    })
}

/// More components than communities, so that some community must hold nodes that no path connects.
fn fallen_apart(graph: &Graph, community_count: usize) -> Option<String> {
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
            "the graph has {count} components with edges, more than the {community_count} communities, so unconnected nodes share \
             a community and a low conductance is no success; restrict the graph to its largest component or look for more communities"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets;
    use crate::graph::{EdgeList, NodeId};
    use crate::metrics::modularity;
    use crate::rng::{Purpose, stream};

    fn complete(nodes: NodeId) -> Graph {
        Graph::from_edges((0..nodes).flat_map(|u| (0..u).map(move |v| (u, v))))
    }

    fn thirds(nodes: usize) -> Vec<u32> {
        (0..nodes as u32).map(|node| 3 * node / nodes as u32).collect()
    }

    #[test]
    fn classes_of_real_graphs_are_more_than_chance() {
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

    #[test]
    fn communities_of_small_real_graphs_raise_no_warning() {
        // The best partition of the karate club into four, modularity 0.420.
        let karate = datasets::builtin("karate").expect("it is built in").graph();
        let third = [4, 5, 6, 10, 16];
        let fourth = [23, 24, 25, 27, 28, 31];
        let first = [0, 1, 2, 3, 7, 9, 11, 12, 13, 17, 19, 21];
        let community = |node: u32| match node {
            _ if first.contains(&node) => 0,
            _ if third.contains(&node) => 2,
            _ if fourth.contains(&node) => 3,
            _ => 1,
        };
        let found: Vec<u32> = (0..34).map(community).collect();
        assert!((modularity(&karate, &found) - 0.42).abs() < 0.01);
        assert!(graph_warnings(&karate, &found, 4).is_empty());
        let triangles = EdgeList {
            node_count: 6,
            pairs: vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)],
            weights: Some(vec![1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.1]),
        };
        assert!(graph_warnings(&triangles.build().0, &[0, 0, 0, 1, 1, 1], 2).is_empty());
    }

    #[test]
    fn partitions_of_random_graphs_raise_a_warning_and_planted_ones_do_not() {
        let nodes = 80u32;
        let drawn = |seed: u64, inside: f64, outside: f64| {
            let mut rng = stream(seed, Purpose::Generate, 0, 0);
            let pairs = (0..nodes).flat_map(|u| (0..u).map(move |v| (u, v)));
            Graph::from_edges(
                pairs.filter(|&(u, v)| rng.unit() < if u % 4 == v % 4 { inside } else { outside }),
            )
        };
        let parts: Vec<u32> = (0..nodes).map(|node| node % 4).collect();
        for seed in 0..3 {
            let warnings = graph_warnings(&drawn(seed, 0.18, 0.14), &parts, 4);
            assert!(warnings[0].starts_with("modularity is no higher than chance"), "{warnings:?}");
            assert!(graph_warnings(&drawn(seed, 0.45, 0.05), &parts, 4).is_empty());
        }
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
        // Isolated nodes and a few small components beside two large ones raise no warning.
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
    }
}
