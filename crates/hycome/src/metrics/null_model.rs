//! Modularity of a null model: random graphs with the same degrees.
//!
//! Even a graph without communities has partitions of positive modularity, because a search looks for them (Guimerà, Sales-Pardo and Amaral,
//! *Phys. Rev. E* 70, 025101 (2004)). Up to [`MAX_REWIRED_EDGES`] edges the null model is sampled: double edge swaps (Maslov and Sneppen, *Science*
//! 296, 910 (2002)) give random graphs with the same degrees and the same weights, and local moving (Blondel et al., *J. Stat. Mech.* P10008 (2008)) searches each for a partition into at most
//! as many communities. Larger graphs use the closed form of [`expected_maximum`].

use rayon::prelude::*;
use std::collections::HashSet;

use super::conductance::edge_ends;
use crate::graph::{EdgeList, Graph, NodeId};
use crate::numeric::rng::{Purpose, Stream, stream};

/// Largest graph whose null model is sampled.
const MAX_REWIRED_EDGES: usize = 50_000;

/// Random graphs drawn from the null model.
const SAMPLES: u64 = 8;

/// Attempted double edge swaps per edge; ten are the usual choice for a well-mixed chain.
const SWAPS_PER_EDGE: usize = 10;

/// Random starts of local moving per sampled graph.
const SEARCHES: u64 = 4;

/// Sweeps of local moving over all nodes; it usually converges in ten.
const MAX_SWEEPS: usize = 50;

/// Ground-state energy of the Potts glass with two states over that of the random energy model, 0.7632 / √(ln 2).
const GLASS_RATIO: f64 = 0.92;

/// Modularity of the best partitions found in random graphs with the degrees of `graph`: mean and maximum over the samples.
#[derive(Clone, Copy, Debug)]
pub(super) struct NullModularity {
    pub mean: f64,
    pub max: f64,
}

/// Samples the null model of a small graph, or evaluates its closed form.
///
/// Deterministic: the samples depend on the graph and `community_count` alone.
///
/// # Panics
/// If `communities` has not one entry below `community_count` for each node.
pub(super) fn null_modularity(graph: &Graph, communities: &[u32], community_count: usize) -> NullModularity {
    if graph.edge_count() > MAX_REWIRED_EDGES {
        let expected = expected_maximum(graph, communities, community_count);
        return NullModularity { mean: expected, max: expected };
    }
    let samples: Vec<f64> = (0..SAMPLES)
        .into_par_iter()
        .map(|sample| best_modularity(&rewired(graph, sample), community_count, sample))
        .collect();
    NullModularity {
        mean: samples.iter().sum::<f64>() / samples.len() as f64,
        max: samples.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

/// A random graph with the same degrees and weights, by double edge swaps that keep it simple.
fn rewired(graph: &Graph, sample: u64) -> Graph {
    let mut rng = stream(0, Purpose::NullModel, sample, 0);
    let mut pairs = Vec::with_capacity(graph.edge_count());
    let mut weights = graph.is_weighted().then(Vec::new);
    for u in graph.nodes() {
        for (position, &v) in graph.neighbors(u).iter().enumerate().filter(|&(_, &v)| u < v) {
            pairs.push((u, v));
            if let (Some(weights), Some(of_node)) = (&mut weights, graph.weights(u)) {
                weights.push(of_node[position]);
            }
        }
    }
    let ordered = |u: NodeId, v: NodeId| (u.min(v), u.max(v));
    let mut present: HashSet<(NodeId, NodeId)> = pairs.iter().copied().collect();
    let edge_count = pairs.len() as u32;
    for _ in 0..SWAPS_PER_EDGE * pairs.len() {
        let (first, second) = (rng.below(edge_count) as usize, rng.below(edge_count) as usize);
        let (a, b) = pairs[first];
        let (c, d) = if rng.below(2) == 0 { pairs[second] } else { (pairs[second].1, pairs[second].0) };
        let (new_first, new_second) = (ordered(a, d), ordered(c, b));
        if a == d
            || c == b
            || new_first == new_second
            || present.contains(&new_first)
            || present.contains(&new_second)
        {
            continue;
        }
        present.remove(&ordered(a, b));
        present.remove(&ordered(c, d));
        present.insert(new_first);
        present.insert(new_second);
        (pairs[first], pairs[second]) = (new_first, new_second);
    }
    EdgeList { node_count: graph.node_count(), pairs, weights }.build().0
}

/// Largest modularity that local moving reaches from several random partitions.
fn best_modularity(graph: &Graph, community_count: usize, sample: u64) -> f64 {
    let searched = (1..=SEARCHES).map(|search| {
        let rng = stream(0, Purpose::NullModel, sample, search);
        super::modularity(graph, &local_moving(graph, community_count, rng))
    });
    searched.fold(f64::NEG_INFINITY, f64::max)
}

/// Moves each node to the community that raises modularity most, until no node moves.
fn local_moving(graph: &Graph, community_count: usize, mut rng: Stream) -> Vec<u32> {
    let mut communities: Vec<u32> = graph.nodes().map(|_| rng.below(community_count as u32)).collect();
    let degree = |node: NodeId| match graph.weights(node) {
        None => graph.degree(node) as f64,
        Some(weights) => weights.iter().map(|&weight| f64::from(weight)).sum(),
    };
    let degrees: Vec<f64> = graph.nodes().map(degree).collect();
    let total: f64 = degrees.iter().sum();
    let mut volumes = vec![0.0; community_count];
    for (&community, degree) in communities.iter().zip(&degrees) {
        volumes[community as usize] += degree;
    }
    let mut links = vec![0.0; community_count]; // from the current node into each community
    for _ in 0..MAX_SWEEPS {
        let mut moved = false;
        for node in graph.nodes().filter(|&node| graph.degree(node) > 0) {
            links.fill(0.0);
            for (position, &neighbor) in graph.neighbors(node).iter().enumerate() {
                links[communities[neighbor as usize] as usize] +=
                    graph.weights(node).map_or(1.0, |weights| f64::from(weights[position]));
            }
            let (old, degree) = (communities[node as usize] as usize, degrees[node as usize]);
            volumes[old] -= degree;
            let gain = |k: usize| links[k] - degree * volumes[k] / total;
            let mut best = old;
            for k in 0..community_count {
                if gain(k) > gain(best) + 1e-12 * degree {
                    best = k;
                }
            }
            volumes[best] += degree;
            moved |= best != old;
            communities[node as usize] = best as u32;
        }
        if !moved {
            break;
        }
    }
    communities
}

/// Expected modularity of the best partition of a large random graph, given its degrees and the sizes of the communities.
///
/// > Q₀ = 0.92 · √(4·H·S·(1 − S)) · Σ_i √(Σ_j w_ij²) / Σ_i Σ_j w_ij,
///
/// H = −Σ p ln p over the communities' fractions p of the nodes and S = Σ p² over their fractions of the volume. There are e^{nH} such partitions, the fraction of the
/// edges inside one of them has variance S(1 − S)/M over random graphs, and the largest of e^{nH} independent normal numbers lies
/// √(2nH) deviations above the mean. With equal fractions and degrees this is the ground state of the random energy model; that of the Potts glass
/// (Kanter and Sompolinsky 1987; Reichardt and Bornholdt, *Physica D* 224, 20 (2006), who also derive the sum over √degree) is 0.92 of it
/// for two communities, 0.96 for five and the same for ten. On small graphs the formula overestimates, by a half on Zachary's karate club.
fn expected_maximum(graph: &Graph, communities: &[u32], community_count: usize) -> f64 {
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
    let fractions = sizes.iter().filter(|&&size| size > 0).map(|&size| size as f64 / nodes);
    let entropy: f64 = fractions.map(|fraction| -fraction * fraction.ln()).sum();
    let inside: f64 = volumes.iter().map(|volume| (volume / total).powi(2)).sum();
    let deviations: Vec<f64> = (0..graph.node_count() as NodeId)
        .into_par_iter()
        .map(|node| match graph.weights(node) {
            None => (graph.degree(node) as f64).sqrt(),
            Some(weights) => weights.iter().map(|&w| f64::from(w).powi(2)).sum::<f64>().sqrt(),
        })
        .collect();
    let deviation = deviations.iter().sum::<f64>() / total;
    let expected = GLASS_RATIO * (4.0 * entropy * inside * (1.0 - inside)).max(0.0).sqrt() * deviation;
    expected.min(1.0 - inside) // where no edge leaves a community
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datasets;

    fn thirds(nodes: usize) -> Vec<u32> {
        (0..nodes as u32).map(|node| 3 * node / nodes as u32).collect()
    }

    fn degrees(graph: &Graph) -> Vec<usize> {
        graph.nodes().map(|node| graph.degree(node)).collect()
    }

    #[test]
    fn rewiring_keeps_degrees_and_changes_edges() {
        let graph = datasets::builtin("football").expect("it is built in").graph();
        let random = rewired(&graph, 0);
        assert_eq!(degrees(&random), degrees(&graph));
        let kept = |u: NodeId| random.neighbors(u).iter().filter(|v| graph.neighbors(u).contains(v)).count();
        let kept: usize = graph.nodes().map(kept).sum();
        assert!(
            kept < graph.edge_count() / 2,
            "{kept} of {} edge ends are where they were",
            2 * graph.edge_count()
        );
        assert_ne!(random.neighbors(0), rewired(&graph, 1).neighbors(0));
    }

    #[test]
    fn rewiring_keeps_the_weights() {
        let pairs: Vec<(NodeId, NodeId)> =
            (0..40).flat_map(|i| [(i, (i + 1) % 40), (i, (i + 7) % 40)]).collect();
        let weights = Some((0..pairs.len()).map(|i| 1.0 + i as f32).collect());
        let graph = EdgeList { node_count: 40, pairs, weights }.build().0;
        let sorted = |graph: &Graph| {
            let mut all: Vec<f32> =
                graph.nodes().flat_map(|u| graph.weights(u).expect("weighted").to_vec()).collect();
            all.sort_by(f32::total_cmp);
            all
        };
        assert_eq!(sorted(&rewired(&graph, 3)), sorted(&graph));
    }

    #[test]
    fn the_null_model_of_karate_lies_below_its_communities() {
        let graph = datasets::builtin("karate").expect("it is built in").graph();
        for (community_count, low, high) in [(2, 0.18, 0.30), (4, 0.25, 0.36), (8, 0.25, 0.36)] {
            let null = null_modularity(&graph, &[0; 34], community_count);
            assert!(
                low < null.mean && null.mean <= null.max && null.max < high,
                "{community_count}: {null:?}"
            );
        }
    }

    #[test]
    fn local_moving_finds_planted_communities() {
        let graph = Graph::from_edges((0..4u32).flat_map(|part| {
            let inside = (0..12).flat_map(move |i| (0..i).map(move |j| (12 * part + i, 12 * part + j)));
            inside.chain([(12 * part, (12 * part + 12) % 48)])
        }));
        let planted: Vec<u32> = (0..48).map(|node| node / 12).collect();
        let best = best_modularity(&graph, 4, 0);
        assert!((best - super::super::modularity(&graph, &planted)).abs() < 1e-9, "{best}");
    }

    #[test]
    fn the_closed_form_agrees_with_samples_of_dense_random_graphs() {
        let mut rng = stream(1, Purpose::Generate, 0, 0);
        let pairs = (0..600u32).flat_map(|u| (0..u).map(move |v| (u, v)));
        let graph = Graph::from_edges(pairs.filter(|_| rng.unit() < 0.06));
        let halves: Vec<u32> = (0..600).map(|node| node % 2).collect();
        let (sampled, expected) =
            (null_modularity(&graph, &halves, 2).mean, expected_maximum(&graph, &halves, 2));
        assert!((0.8..1.05).contains(&(sampled / expected)), "{sampled} {expected}");
    }

    #[test]
    fn equal_weights_do_not_change_the_closed_form() {
        let plain = Graph::from_edges((0..40).flat_map(|i| [(i, (i + 1) % 40), (i, (i * i + 3) % 40)]));
        let pairs: Vec<(NodeId, NodeId)> = plain
            .nodes()
            .flat_map(|u| plain.neighbors(u).iter().filter(move |&&v| u < v).map(move |&v| (u, v)))
            .collect();
        let weights = Some(vec![0.25; pairs.len()]);
        let weighted = EdgeList { node_count: 40, pairs, weights }.build().0;
        let of = |graph: &Graph| expected_maximum(graph, &thirds(40), 3);
        assert!(weighted.is_weighted() && of(&plain) > 0.0);
        assert!((of(&weighted) - of(&plain)).abs() < 1e-12);
        assert_eq!(expected_maximum(&Graph::default(), &[], 3), 0.0);
    }
}
