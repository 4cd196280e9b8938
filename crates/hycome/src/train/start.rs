//! Where training begins.
//!
//! In more than a few dimensions any scatter around the origin will do: points pass each other and every seed ends
//! alike. In two or three they cannot pass; communities stay in the order in which chance put them around the circle,
//! and nodes stay on the wrong side. There, a short training in [`GUIDE_DIM`] dimensions finds the communities first.
//! How often walks go from one to another says how far apart they belong ([`apart`]); their centers are laid out in the
//! few dimensions so that these distances are kept as well as can be ([`lay_out`]), and every node starts at its
//! communities.
//!
//! The distances between the guide's own centers would be nearer at hand, but two communities without a link are as
//! far apart as chance left them, and several orders around the circle then look equally good. Flat geometries are there to
//! compare with and have no guide.

use super::config::TrainConfig;
use super::table::Table;
use crate::error::Result;
use crate::geometry::Geometry;
use crate::geometry::poincare::{distance, exp, log, translate};
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::mixture::Mixture;
use crate::points::Points;
use crate::rng::{Purpose, Stream, stream};

/// Up to this many dimensions a training is guided by one in more.
pub const GUIDED_DIM: usize = 3;

/// Dimensions of the guide: enough for points to pass each other.
pub const GUIDE_DIM: usize = 10;

/// Points start this far from the origin, or from their communities: near enough to move freely, far enough to tell
/// apart.
const START_RADIUS: f64 = 0.1;

/// More communities are not laid out: it costs their cube, and two dimensions have no room for them anyway.
pub const MOST_COMMUNITIES: usize = 500;

/// At most this many layouts are tried; the best is taken.
const LAYOUTS: u64 = 32;

/// Sweeps over the centers for each.
const SWEEPS: usize = 100;

/// Pairs that all layouts may look at together, about a second of work; at least one layout is made.
const LAYOUT_PAIRS: u64 = 10_000_000;

/// Nodes and contexts around the origin.
#[must_use]
pub fn scattered(geometry: Geometry, node_count: usize, dim: usize, seed: u64) -> (Table, Table) {
    let mut rng = stream(seed, Purpose::Start, 0, 0);
    let deviation = START_RADIUS / (dim as f64).sqrt();
    let mut table = || Table::scattered(geometry, node_count, dim, deviation, &mut rng);
    let nodes = table();
    (nodes, table())
}

/// Where the guide of a training left its nodes, and their communities.
#[derive(Debug)]
pub struct Guide {
    /// A point for each node.
    pub points: Points,
    /// The communities.
    pub mixture: Mixture,
}

/// Nodes and contexts around the communities of a guide, which `communities` repeats.
///
/// # Errors
/// If the guide's mixture cannot judge its points.
pub fn guided(
    graph: &Graph,
    guide: &Guide,
    communities: &[u32],
    config: &TrainConfig,
) -> Result<(Table, Table)> {
    let count = guide.mixture.len();
    let centers = lay_out(&apart(graph, communities, count, config)?, count, config.dim, config.seed)?;
    let mut rng = stream(config.seed, Purpose::Start, 0, 0);
    let nodes = around(&centers, guide, &mut rng)?;
    Ok((nodes, around(&centers, guide, &mut rng)?))
}

/// How far apart communities belong: the distances, row by row, at which the loss of the second order is least.
///
/// That is d² = ln k − PMI for k negatives. A walk that stands in community i is in j after t steps with probability
/// (Pᵗ)ᵢⱼ, where P holds the shares of links; windows average over t, the nearer the more often. The mutual
/// information compares this with j's share of all links.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub fn apart(graph: &Graph, communities: &[u32], count: usize, config: &TrainConfig) -> Result<Vec<f64>> {
    /// Communities that walks never join are this rare a pair, so that their distance is finite.
    const RAREST: f64 = 1e-3;
    /// The least distance asked for: communities that coincided could not be told apart.
    const NEAREST: f64 = 0.3;
    let (window, negatives) = (config.window_for(communities.len()), config.negatives_for(count));
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
            let information = (met * all / ends).max(RAREST).ln();
            ((negatives.max(1) as f64).ln() - information).max(0.0).sqrt().max(NEAREST)
        }));
    }
    Ok(distances)
}

/// A point for each node of the guide: the mean of its centers as seen from the origin, and a little noise.
fn around(centers: &Points, guide: &Guide, rng: &mut Stream) -> Result<Table> {
    let dim = centers.dim();
    let origin = vec![0.0; dim];
    let mut directions = Points::zeros(centers.len(), dim);
    for (k, center) in centers.rows().enumerate() {
        log(&origin, center, directions.row_mut(k));
    }
    let deviation = START_RADIUS / (dim as f64).sqrt();
    let mut table = Table::at_origin(guide.points.len(), dim);
    let (mut point, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
    for block in guide.mixture.responsibilities_by_blocks(&guide.points) {
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

/// Points of `dim` dimensions whose distances are as near as can be to those `wanted`, as shares of them.
///
/// From each of several random layouts, every point in turn goes half of the way to where the others, on average, want
/// it; the layout with the least Σ ((d − d₀)/d₀)² wins. Some dozens of points have many local optima, hence the
/// several layouts.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted).
pub fn lay_out(wanted: &[f64], count: usize, dim: usize, seed: u64) -> Result<Points> {
    let mut best: Option<(f64, Points)> = None;
    let layouts = LAYOUT_PAIRS / (SWEEPS * count * count).max(1) as u64;
    for number in 1..=layouts.clamp(1, LAYOUTS) {
        let mut rng = stream(seed, Purpose::Start, 1, number);
        let coordinate = |_| (0.3 * rng.normal()).clamp(-0.5, 0.5) / (dim as f64).sqrt();
        let mut layout = Points::new(dim, (0..count * dim).map(coordinate).collect());
        let (mut toward, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
        for _ in 0..SWEEPS {
            interrupt::check()?;
            for i in 0..count {
                let (mut sum, mut weights) = (vec![0.0; dim], 0.0);
                for j in (0..count).filter(|&j| j != i) {
                    let wanted = wanted[i * count + j];
                    let found = log(layout.row(i), layout.row(j), &mut toward);
                    let weight = 1.0 / (wanted * wanted);
                    let share = weight * (1.0 - wanted / found.max(1e-9));
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
                let wanted = wanted[i * count + j];
                (distance(layout.row(i), layout.row(j)) / wanted - 1.0).powi(2)
            })
            .sum();
        if best.as_ref().is_none_or(|(least, _)| stress < *least) {
            best = Some((stress, layout));
        }
    }
    Ok(best.expect("several layouts were tried").1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;
    use crate::mixture::GaussianMixture;

    #[test]
    fn what_fits_is_laid_out_with_its_distances() {
        let points = Points::new(2, vec![0.5, 0.0, -0.3, 0.4, 0.1, -0.6, 0.0, 0.1]);
        let wanted: Vec<f64> =
            points.rows().flat_map(|x| points.rows().map(move |y| distance(x, y).max(0.1))).collect();
        let layout = lay_out(&wanted, 4, 2, 1).unwrap();
        for i in 0..4 {
            for j in 0..i {
                let (found, wanted) = (distance(layout.row(i), layout.row(j)), wanted[i * 4 + j]);
                assert!((found / wanted - 1.0).abs() < 1e-3, "{i} {j}: {found} {wanted}");
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
    fn communities_belong_the_nearer_the_more_walks_join_them() {
        let (graph, communities) = cliques([8, 2]);
        let wanted = apart(&graph, &communities, 3, &TrainConfig::default()).unwrap();
        let between = |i: usize, j: usize| wanted[i * 3 + j];
        assert!(between(0, 1) < between(1, 2) && between(1, 2) < between(0, 2), "{wanted:?}");
        assert!((between(0, 2) - between(2, 0)).abs() < 1e-12, "walks have no direction: {wanted:?}");
    }

    #[test]
    fn weights_bring_communities_nearer_as_they_steer_walks() {
        let (graph, communities) = cliques([2, 2]);
        let ends = |u: NodeId| graph.neighbors(u).iter().map(move |&v| (u, v)).filter(|(u, v)| u < v);
        let pairs: Vec<(NodeId, NodeId)> = graph.nodes().flat_map(ends).collect();
        let weight = |pair: &(NodeId, NodeId)| if *pair == (10, 20) { 50.0 } else { 1.0 };
        let weights = Some(pairs.iter().map(weight).collect());
        let (weighted, _) = EdgeList { node_count: 30, pairs, weights }.build();
        let wanted = |graph| apart(graph, &communities, 3, &TrainConfig::default()).unwrap();
        let (even, steered) = (wanted(&graph), wanted(&weighted));
        assert!((even[1] - even[5]).abs() < 1e-12, "both are joined alike: {even:?}");
        assert!(steered[5] < 0.8 * steered[1], "the heavy edge joins the second and the third: {steered:?}");
    }

    #[test]
    fn communities_without_any_link_belong_at_a_finite_distance() {
        let (graph, communities) = cliques([0, 0]);
        let wanted = apart(&graph, &communities, 4, &TrainConfig::default()).unwrap();
        assert!(wanted.iter().all(|d| (0.1..10.0).contains(d)), "{wanted:?}");
    }

    #[test]
    fn nodes_start_at_their_communities() {
        let (graph, communities) = cliques([1, 1]);
        let config = TrainConfig { dim: 2, ..TrainConfig::default() };
        // The guide has each community at a point of its own, far from the others.
        let means = Points::new(3, vec![0.9, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0, 0.9]);
        let points = communities.iter().flat_map(|&c| means.row(c as usize).to_vec()).collect();
        let mixture = GaussianMixture { weights: vec![1.0 / 3.0; 3], means, scales: vec![0.3; 3] };
        let guide = Guide { points: Points::new(3, points), mixture: mixture.into() };
        assert_eq!(guide.mixture.communities(&guide.points).unwrap(), communities);
        let (nodes, contexts) = guided(&graph, &guide, &communities, &config).unwrap();
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
    fn one_point_and_points_wanted_together_are_laid_out_too() {
        for count in [1, 3] {
            let layout = lay_out(&vec![0.1; count * count], count, 2, 1).unwrap();
            assert!(layout.as_slice().iter().all(|c| c.is_finite() && c.abs() < 1.0));
        }
    }
}
