//! Initialization of the points.
//!
//! In more than a few dimensions random points around the origin suffice: points pass each other and every seed converges to similar
//! communities. In two or three they cannot pass; communities stay in their random order around the circle,
//! and nodes stay on the wrong side. There, a short pre-training in [`PRETRAINING_DIM`] dimensions finds the communities first.
//! The frequency of walks from one community to another gives target distances ([`target_distances`]); centres are placed in the
//! few dimensions by minimizing the stress of these distances ([`stress_layout`], after Gansner et al. 2004), and every node starts at its
//! communities.
//!
//! The distances between the pre-trained centres are less useful: two communities without a link are at an arbitrary distance,
//! and several orders around the circle then look equally good. The Euclidean baselines have no pre-training.

use super::engine::table::Table;
use super::resolved::ResolvedConfig;
use crate::error::Result;
use crate::geometry::Geometry;
use crate::geometry::poincare::{distance, exp, log, translate};
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::mixture::Mixture;
use crate::points::Points;
use crate::rng::{Purpose, Stream, stream};

/// Maximum dimension of a training that has a pre-training.
pub(crate) const MAX_PRETRAINED_DIM: usize = 3;

/// Dimensions of the pre-training: enough for points to pass each other.
pub(crate) const PRETRAINING_DIM: usize = 10;

/// Typical distance of initial points from the origin, or from their communities.
const INIT_RADIUS: f64 = 0.1;

/// Maximum number of communities with a pre-training: the layout takes cubic time, and two dimensions have no room for more.
pub(crate) const MAX_LAYOUT_COMMUNITIES: usize = 500;

/// Maximum number of random layouts; the best is taken.
const MAX_LAYOUTS: u64 = 32;

/// Sweeps over the centres per layout.
const SWEEPS: usize = 100;

/// Pair evaluations of all layouts together, about a second of work; at least one layout is made.
const LAYOUT_PAIRS: u64 = 10_000_000;

/// Random nodes and contexts around the origin.
#[must_use]
pub(crate) fn random_init(geometry: Geometry, node_count: usize, dim: usize, seed: u64) -> (Table, Table) {
    let mut rng = stream(seed, Purpose::Start, 0, 0);
    let deviation = INIT_RADIUS / (dim as f64).sqrt();
    let mut table = || Table::random(geometry, node_count, dim, deviation, &mut rng);
    let nodes = table();
    (nodes, table())
}

/// Result of the pre-training.
#[derive(Debug)]
pub(crate) struct Pretrained {
    /// Point of each node.
    pub points: Points,
    /// The communities.
    pub mixture: Mixture,
}

/// Nodes and contexts around the communities of the pre-training; `communities` is the most probable one of each node.
///
/// # Errors
/// If mixture and points do not fit together, or [`Error::Interrupted`](crate::Error::Interrupted).
pub(crate) fn init_from_pretrained(
    graph: &Graph,
    pretrained: &Pretrained,
    communities: &[u32],
    config: &ResolvedConfig,
) -> Result<(Table, Table)> {
    let count = pretrained.mixture.len();
    let centers =
        stress_layout(&target_distances(graph, communities, count, config)?, count, config.dim, config.seed)?;
    let mut rng = stream(config.seed, Purpose::Start, 0, 0);
    let nodes = place_nodes(&centers, pretrained, &mut rng)?;
    Ok((nodes, place_nodes(&centers, pretrained, &mut rng)?))
}

/// Target distances between communities, row by row: those at which the second-order loss is least.
///
/// That is d² = ln k − PMI for k negatives. A walk in community i is in j after t steps with probability
/// (Pᵗ)ᵢⱼ, where P is the transition matrix between communities; windows average over t, near ones more often. The pointwise mutual
/// information compares this with j's share of all links.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub(crate) fn target_distances(
    graph: &Graph,
    communities: &[u32],
    count: usize,
    config: &ResolvedConfig,
) -> Result<Vec<f64>> {
    /// Lower bound on the ratio of probabilities, so that distances are finite.
    const MIN_RATIO: f64 = 1e-3;
    /// Minimum distance: communities must not coincide.
    const MIN_DISTANCE: f64 = 0.3;
    let (window, negatives) = (config.window, config.negatives);
    let mut links = vec![0.0; count * count];
    for (node, &community) in communities.iter().enumerate() {
        let weights = graph.weights(node as NodeId);
        for (i, &neighbor) in graph.neighbors(node as NodeId).iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| f64::from(weights[i]));
            links[community as usize * count + communities[neighbor as usize] as usize] += weight;
        }
    }
    let ends: Vec<f64> = links
        .chunks(count)
        .map(|row| match row.iter().sum::<f64>() {
            0.0 => 1.0, // no walk comes from there
            ends => ends,
        })
        .collect();
    let all: f64 = ends.iter().sum();
    let step = |from: &[f64]| {
        let mut to = vec![0.0; count];
        for ((share, row), ends) in from.iter().zip(links.chunks(count)).zip(&ends) {
            to.iter_mut().zip(row).for_each(|(to, links)| *to += share * links / ends);
        }
        to
    };
    let weights = (window * (window + 1)) as f64 / 2.0;
    let mut distances = Vec::with_capacity(count * count);
    for i in 0..count {
        interrupt::check()?;
        let mut at = vec![0.0; count];
        at[i] = 1.0;
        let mut met = vec![0.0; count];
        for t in 0..window {
            at = step(&at);
            met.iter_mut().zip(&at).for_each(|(met, at)| *met += (window - t) as f64 / weights * at);
        }
        distances.extend(met.iter().zip(&ends).map(|(met, ends)| {
            let information = (met * all / ends).max(MIN_RATIO).ln();
            ((negatives.max(1) as f64).ln() - information).max(0.0).sqrt().max(MIN_DISTANCE)
        }));
    }
    Ok(distances)
}

/// Point of each node: the mean of its centres in the tangent space at the origin, and normal noise.
fn place_nodes(centers: &Points, pretrained: &Pretrained, rng: &mut Stream) -> Result<Table> {
    let dim = centers.dim();
    let origin = vec![0.0; dim];
    let mut directions = Points::zeros(centers.len(), dim);
    for (k, center) in centers.rows().enumerate() {
        log(&origin, center, directions.row_mut(k));
    }
    let deviation = INIT_RADIUS / (dim as f64).sqrt();
    let mut table = Table::at_origin(pretrained.points.len(), dim);
    let (mut point, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
    for block in pretrained.mixture.responsibilities_by_blocks(&pretrained.points) {
        let (rows, responsibilities) = block?;
        for (i, shares) in rows.zip(responsibilities.rows()) {
            let mut mean = vec![0.0; dim];
            for (share, direction) in shares.iter().zip(directions.rows()) {
                mean.iter_mut().zip(direction).for_each(|(m, d)| *m += share * d);
            }
            exp(&origin, &mean, &mut point);
            let noise: Vec<f64> = (0..dim).map(|_| deviation * rng.normal()).collect();
            translate(&point, &noise, &mut moved);
            table.set(i, &moved);
        }
    }
    Ok(table)
}

/// Stress layout: points of `dim` dimensions that minimize Σ ((d − d₀)/d₀)² for target distances d₀.
///
/// From each of several random layouts, every point in turn moves half of the way to the weighted mean of the positions that the others
/// imply, a damped stress majorization (Gansner et al. 2004) in hyperbolic space. Dozens of points have many local optima, hence the
/// several layouts.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub(crate) fn stress_layout(target: &[f64], count: usize, dim: usize, seed: u64) -> Result<Points> {
    let mut best: Option<(f64, Points)> = None;
    let layouts = LAYOUT_PAIRS / (SWEEPS * count * count).max(1) as u64;
    for number in 1..=layouts.clamp(1, MAX_LAYOUTS) {
        let mut rng = stream(seed, Purpose::Start, 1, number);
        let coordinate = |_| (0.3 * rng.normal()).clamp(-0.5, 0.5) / (dim as f64).sqrt();
        let mut layout = Points::new(dim, (0..count * dim).map(coordinate).collect());
        let (mut toward, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
        for _ in 0..SWEEPS {
            interrupt::check()?;
            for i in 0..count {
                let (mut sum, mut weights) = (vec![0.0; dim], 0.0);
                for j in (0..count).filter(|&j| j != i) {
                    let target = target[i * count + j];
                    let found = log(layout.row(i), layout.row(j), &mut toward);
                    let weight = 1.0 / (target * target);
                    let share = weight * (1.0 - target / found.max(1e-9));
                    sum.iter_mut().zip(&toward).for_each(|(s, t)| *s += share * t);
                    weights += weight;
                }
                if weights > 0.0 {
                    sum.iter_mut().for_each(|s| *s *= 0.5 / weights);
                    exp(layout.row(i), &sum, &mut moved);
                    layout.row_mut(i).copy_from_slice(&moved);
                }
            }
        }
        let stress: f64 = (0..count)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| {
                let target = target[i * count + j];
                (distance(layout.row(i), layout.row(j)) / target - 1.0).powi(2)
            })
            .sum();
        if best.as_ref().is_none_or(|(least, _)| stress < *least) {
            best = Some((stress, layout));
        }
    }
    Ok(best.expect("at least one layout is made").1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;
    use crate::mixture::GaussianMixture;
    use crate::train::{GraphSize, TrainConfig};

    fn config(communities: usize) -> ResolvedConfig {
        let size = GraphSize { nodes: 30, edges: 140 };
        ResolvedConfig::for_size(&TrainConfig::default(), communities, size)
    }

    #[test]
    fn distances_that_fit_are_reproduced() {
        let points = Points::new(2, vec![0.5, 0.0, -0.3, 0.4, 0.1, -0.6, 0.0, 0.1]);
        let target: Vec<f64> =
            points.rows().flat_map(|x| points.rows().map(move |y| distance(x, y).max(0.1))).collect();
        let layout = stress_layout(&target, 4, 2, 1).unwrap();
        for i in 0..4 {
            for j in 0..i {
                let (found, target) = (distance(layout.row(i), layout.row(j)), target[i * 4 + j]);
                assert!((found / target - 1.0).abs() < 1e-3, "{i} {j}: {found} {target}");
            }
        }
    }

    /// Three cliques of ten; `bridges` edges join each to the next.
    fn cliques(bridges: [u32; 2]) -> (Graph, Vec<u32>) {
        let mut edges = Vec::new();
        for first in [0, 10, 20] {
            edges.extend((0..10).flat_map(|i| (0..i).map(move |j| (first + i, first + j))));
        }
        for (first, &bridges) in [0, 10].iter().zip(&bridges) {
            edges.extend((0..bridges).map(|i| (first + i, first + 10 + i)));
        }
        (Graph::from_edges(edges), (0..30).map(|i| i / 10).collect())
    }

    #[test]
    fn target_distances_fall_with_the_walks_between_communities() {
        let (graph, communities) = cliques([8, 2]);
        let target = target_distances(&graph, &communities, 3, &config(2)).unwrap();
        let between = |i: usize, j: usize| target[i * 3 + j];
        assert!(between(0, 1) < between(1, 2) && between(1, 2) < between(0, 2), "{target:?}");
        assert!((between(0, 2) - between(2, 0)).abs() < 1e-12, "walks have no direction: {target:?}");
    }

    #[test]
    fn target_distances_use_edge_weights() {
        let (graph, communities) = cliques([2, 2]);
        let ends = |u: NodeId| graph.neighbors(u).iter().map(move |&v| (u, v)).filter(|(u, v)| u < v);
        let pairs: Vec<(NodeId, NodeId)> = graph.nodes().flat_map(ends).collect();
        let weight = |pair: &(NodeId, NodeId)| if *pair == (10, 20) { 50.0 } else { 1.0 };
        let weights = Some(pairs.iter().map(weight).collect());
        let (weighted, _) = EdgeList { node_count: 30, pairs, weights }.build();
        let target = |graph| target_distances(graph, &communities, 3, &config(2)).unwrap();
        let (even, steered) = (target(&graph), target(&weighted));
        assert!((even[1] - even[5]).abs() < 1e-12, "both have the same neighbours: {even:?}");
        assert!(steered[5] < 0.8 * steered[1], "the heavy edge joins the second and the third: {steered:?}");
    }

    #[test]
    fn target_distances_without_links_are_finite() {
        let (graph, communities) = cliques([0, 0]);
        let target = target_distances(&graph, &communities, 4, &config(2)).unwrap();
        assert!(target.iter().all(|d| (0.1..10.0).contains(d)), "{target:?}");
    }

    #[test]
    fn nodes_start_at_their_communities() {
        let (graph, communities) = cliques([1, 1]);
        let config = config(2);
        // Pre-training put each community at one point, far from the others.
        let means = Points::new(3, vec![0.9, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.9]);
        let points = communities.iter().flat_map(|&c| means.row(c as usize).to_vec()).collect();
        let mixture = GaussianMixture { weights: vec![1.0 / 3.0; 3], means, scales: vec![0.3; 3] };
        let pretrained = Pretrained { points: Points::new(3, points), mixture: mixture.into() };
        assert_eq!(pretrained.mixture.communities(&pretrained.points).unwrap(), communities);
        let (nodes, contexts) = init_from_pretrained(&graph, &pretrained, &communities, &config).unwrap();
        for points in [nodes.all_points(), contexts.all_points()] {
            for i in 0..30 {
                for j in 0..i {
                    let apart = distance(points.row(i), points.row(j));
                    // Noise moves a point by about 0.2; the communities are more than 1.5 apart.
                    assert_eq!(apart < 1.0, communities[i] == communities[j], "{i} {j}: {apart}");
                }
            }
        }
    }

    #[test]
    fn one_point_and_equal_distances_have_a_layout() {
        for count in [1, 3] {
            let layout = stress_layout(&vec![0.1; count * count], count, 2, 1).unwrap();
            assert!(layout.as_slice().iter().all(|c| c.is_finite() && c.abs() < 1.0));
        }
    }
}
