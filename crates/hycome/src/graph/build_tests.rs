//! Tests of graph construction against a slow reference implementation of the rules in [`super::super::repeats`].

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

type Edges = BTreeMap<(NodeId, NodeId), f32>;

/// Reference implementation: collects the weights of each pair by direction.
fn obvious(edges: &EdgeList, repeated: RepeatedEdges, direction: Direction) -> (Edges, bool, BuildStats) {
    let all_one = edges.weights.as_ref().is_none_or(|weights| weights.iter().all(|&w| w == 1.0));
    let mut stats = BuildStats::default();
    let mut pairs: BTreeMap<(NodeId, NodeId), Vec<(bool, f32)>> = BTreeMap::new();
    for (i, &(u, v)) in edges.pairs.iter().enumerate() {
        let weight = edges.weights.as_ref().map_or(1.0, |weights| weights[i]);
        if u == v {
            stats.self_loops += 1;
        } else if weight == 0.0 {
            stats.zero_weights += 1;
        } else {
            pairs.entry((u.min(v), u.max(v))).or_default().push((u < v, weight));
        }
    }
    let side = |rows: &[(bool, f32)], up: bool| {
        let mut weights: Vec<f32> = rows.iter().filter(|row| row.0 == up).map(|row| row.1).collect();
        weights.sort_by(f32::total_cmp);
        weights
    };
    let declared = direction == Direction::Undirected;
    let symmetric = !declared && pairs.values().all(|rows| side(rows, true) == side(rows, false));
    let same = pairs.values().any(|rows| {
        if declared { rows.len() > 1 } else { side(rows, true).len() > 1 || side(rows, false).len() > 1 }
    });
    let counted = all_one && same && repeated == RepeatedEdges::Sum;
    let combine = |rows: &Vec<(bool, f32)>| {
        let weights: Vec<f32> =
            if symmetric { side(rows, true) } else { rows.iter().map(|row| row.1).collect() };
        match repeated {
            RepeatedEdges::Sum if all_one && !counted => 1.0,
            RepeatedEdges::Sum => weights.iter().sum(), // small integers: exact in any order
            RepeatedEdges::Max => weights.iter().copied().fold(0.0, f32::max),
            RepeatedEdges::First => rows[0].1,
        }
    };
    stats.repeats = pairs.values().map(|rows| rows.len() - 1).sum();
    let sided = !declared && (all_one || repeated != RepeatedEdges::First);
    if sided {
        let both = |rows: &&Vec<(bool, f32)>| !side(rows, true).is_empty() && !side(rows, false).is_empty();
        stats.mirrored = pairs.values().filter(both).count();
    }
    let edges = pairs.iter().map(|(&pair, rows)| (pair, combine(rows))).collect();
    (edges, !all_one || counted, stats)
}

fn edges_of(graph: &Graph) -> Edges {
    let mut edges = BTreeMap::new();
    for u in graph.nodes() {
        assert!(graph.neighbors(u).is_sorted_by(|a, b| a < b), "sorted and distinct");
        for (i, &v) in graph.neighbors(u).iter().enumerate() {
            let weight = graph.weights(u).map_or(1.0, |weights| weights[i]);
            let mirrored = edges.insert((u.min(v), u.max(v)), weight);
            assert!(mirrored.is_none_or(|other| other == weight), "symmetric");
            assert_eq!(mirrored.is_some(), v < u, "each edge twice");
        }
    }
    edges
}

/// Few nodes, to get repeats; sometimes every row is followed by its mirror image.
fn edge_lists() -> impl Strategy<Value = EdgeList> {
    (1usize..30, any::<bool>(), any::<bool>(), 0usize..40).prop_flat_map(|(nodes, weighted, mirror, rows)| {
        let node = 0..nodes as NodeId;
        prop::collection::vec((node.clone(), node, 0u8..4), 0..=rows).prop_map(move |mut edges| {
            if mirror {
                edges.extend(edges.clone().into_iter().map(|(u, v, w)| (v, u, w)));
            }
            EdgeList {
                node_count: nodes,
                pairs: edges.iter().map(|&(u, v, _)| (u, v)).collect(),
                weights: weighted.then(|| edges.iter().map(|edge| f32::from(edge.2)).collect()),
            }
        })
    })
}

const REPEATED: [RepeatedEdges; 3] = [RepeatedEdges::Sum, RepeatedEdges::Max, RepeatedEdges::First];

proptest! {
    #[test]
    fn matches_the_reference_implementation(edges in edge_lists()) {
        for repeated in REPEATED {
            for direction in [Direction::Unknown, Direction::Directed, Direction::Undirected] {
                let (expected, weighted, counts) = obvious(&edges, repeated, direction);
                let (graph, stats) = edges.clone().build_with(repeated, direction);
                prop_assert_eq!(graph.node_count(), edges.node_count);
                prop_assert_eq!(graph.is_weighted(), weighted);
                prop_assert_eq!(edges_of(&graph), expected);
                prop_assert_eq!(BuildStats { merged: Merged::Nothing, ..stats }, counts);
                prop_assert_eq!(stats.merged == Merged::Nothing, stats.repeats == 0);
            }
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_order_of_rows(
        rows in prop::collection::vec((0u32..4, 0u32..4, 1e-30f32..1e30), 1..60),
        seed in any::<u64>(),
    ) {
        let list = |rows: &[(u32, u32, f32)]| EdgeList {
            node_count: 4,
            pairs: rows.iter().map(|row| (row.0, row.1)).collect(),
            weights: Some(rows.iter().map(|row| row.2).collect()),
        };
        let mut shuffled = rows.clone();
        for i in (1..shuffled.len()).rev() {
            let at = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32) % (i as u64 + 1);
            shuffled.swap(i, at as usize);
        }
        prop_assert_eq!(list(&rows).build(), list(&shuffled).build());
    }
}

#[test]
fn many_ranges_and_chunks_match_the_reference() {
    let (count, node_count) = (PARTITION_EDGES as NodeId + 1000, 100_000);
    let node = |i: NodeId| i.wrapping_mul(2_654_435_761) / 9 % node_count;
    let pairs: Vec<_> = (0..count).map(|i| (node(i % 50_003), node(i.wrapping_mul(i) % 50_003))).collect();
    let weights = Some(pairs.iter().map(|&(u, v)| (u.wrapping_mul(v) % 7) as f32).collect());
    for weights in [weights, None] {
        let edges = EdgeList { node_count: node_count as usize, pairs: pairs.clone(), weights };
        for repeated in REPEATED {
            let (expected, _, counts) = obvious(&edges, repeated, Direction::Unknown);
            let (graph, stats) = edges.clone().build_with(repeated, Direction::Unknown);
            assert_eq!(edges_of(&graph), expected);
            assert_eq!(stats.repeats, counts.repeats);
        }
    }
}

fn built(pairs: &[(NodeId, NodeId)], weights: Option<&[f32]>, direction: Direction) -> (Edges, bool, Merged) {
    let edges = EdgeList { node_count: 4, pairs: pairs.to_vec(), weights: weights.map(<[f32]>::to_vec) };
    let (graph, stats) = edges.build_with(RepeatedEdges::Sum, direction);
    (edges_of(&graph), graph.is_weighted(), stats.merged)
}

#[test]
fn a_symmetric_listing_counts_each_edge_once() {
    let pairs = [(0, 1), (1, 0), (1, 2), (2, 1)];
    let (edges, _, merged) = built(&pairs, Some(&[3.0, 3.0, 5.0, 5.0]), Direction::Unknown);
    assert_eq!(edges, BTreeMap::from([((0, 1), 3.0), ((1, 2), 5.0)]));
    assert_eq!(merged, Merged::BothDirections);
    let (edges, ..) = built(&pairs, Some(&[3.0, 3.0, 5.0, 5.0]), Direction::Undirected);
    assert_eq!(edges, BTreeMap::from([((0, 1), 6.0), ((1, 2), 10.0)]), "declared undirected: repeats");
}

#[test]
fn weights_of_both_directions_are_added_unless_symmetric() {
    let (edges, _, merged) = built(&[(0, 1), (1, 0), (1, 2)], Some(&[1.0, 5.0, 2.0]), Direction::Unknown);
    assert_eq!(edges, BTreeMap::from([((0, 1), 6.0), ((1, 2), 2.0)]));
    assert_eq!(merged, Merged::Summed);
}

#[test]
fn repeated_events_are_counted_but_mutual_links_are_not() {
    let (edges, weighted, merged) = built(&[(0, 1), (1, 0), (1, 2)], None, Direction::Directed);
    assert!(!weighted && merged == Merged::BothDirections && edges.len() == 2);
    let events = [(0, 1), (0, 1), (1, 0), (1, 2)];
    let (edges, weighted, merged) = built(&events, None, Direction::Unknown);
    assert!(weighted && merged == Merged::Counted);
    assert_eq!(edges, BTreeMap::from([((0, 1), 3.0), ((1, 2), 1.0)]));
    let (edges, ..) = built(&[(0, 1), (1, 0), (1, 2)], None, Direction::Undirected);
    assert_eq!(edges, BTreeMap::from([((0, 1), 2.0), ((1, 2), 1.0)]));
}

#[test]
fn sums_saturate_at_the_largest_float() {
    let (edges, ..) = built(&[(0, 1), (0, 1)], Some(&[f32::MAX, f32::MAX]), Direction::Unknown);
    assert_eq!(edges, BTreeMap::from([((0, 1), f32::MAX)]));
}

#[test]
fn a_graph_without_nodes_is_empty() {
    let (graph, stats) = EdgeList::default().build();
    assert_eq!((graph.node_count(), graph.edge_count()), (0, 0));
    assert_eq!(stats, BuildStats::default());
}
