//! The obvious version of O₂: one pair after the other, in the order of the walks, in double precision.
//!
//! It is what [`super::second_order`] is measured against: no blocks, no groups, no lanes, negatives from the whole
//! graph, both points of a pair stepping before the next pair is looked at. Some twenty times slower, and chosen by
//! [`TrainConfig::blocks`](super::TrainConfig::blocks) zero.

use super::blocks::windows;
use super::lanes::Pace;
use super::second_order::{Counts, EpochPlan};
use super::table::Table;
use super::tiles::Tiles;
use crate::geometry::poincare::{distance, exp, log};
use crate::graph::{Graph, NodeId};
use crate::points::Points;
use crate::rng::{Purpose, stream};
use crate::sample::{NoiseSampler, Walker};

/// One epoch; `pace` gives the step at a share of the epoch.
pub fn epoch(
    graph: &Graph,
    nodes: &mut Table,
    contexts: &mut Tiles,
    plan: &EpochPlan,
    pace: impl Fn(f64) -> Pace,
) -> Counts {
    let node_count = graph.node_count();
    let (walker, noise) = (Walker::new(graph), NoiseSampler::new(graph));
    let (mut x, mut y) = (nodes.all_points(), contexts.to_table().all_points());
    let mut buffers = [(); 4].map(|()| vec![0.0; x.dim()]);
    let (mut walk, mut pairs) = (Vec::new(), Vec::new());
    let mut counts = Counts::default();
    let walk_count = plan.walks * node_count;
    for w in 0..walk_count {
        let pace = pace(w as f64 / walk_count as f64);
        let mut rng = stream(plan.walk.seed, Purpose::Walk, plan.walk.epoch, w as u64);
        walker.walk((w % node_count) as NodeId, plan.walk.length, &mut rng, &mut walk);
        pairs.clear();
        windows(&walk, plan.walk.window, &mut rng, |i, j| pairs.push((walk[i], walk[j])));
        let mut rng = stream(plan.walk.seed, Purpose::Noise, plan.walk.epoch, w as u64);
        for &(node, context) in &pairs {
            step(&mut x, &mut y, node, context, true, pace, &mut buffers);
            let negatives = (plan.negatives + rng.unit()).floor() as u64;
            counts.pairs += 1 + negatives;
            for _ in 0..negatives {
                if let Some(negative) = noise.draw(&mut rng) {
                    step(&mut x, &mut y, node, negative, false, pace, &mut buffers);
                }
            }
        }
        counts.positives += pairs.len() as u64;
    }
    (0..node_count).for_each(|i| nodes.set(i, x.row(i)));
    *contexts = Tiles::new(&Table::from_points(&y));
    counts
}

/// Moves a node and a context, seen together or drawn as noise, along their geodesic.
fn step(
    x: &mut Points,
    y: &mut Points,
    node: NodeId,
    context: NodeId,
    seen: bool,
    pace: Pace,
    buffers: &mut [Vec<f64>; 4],
) {
    let [at_x, at_y, new_x, new_y] = buffers;
    let (from, to) = (x.row(node as usize), y.row(context as usize));
    let closeness = (-distance(from, to).powi(2) / f64::from(pace.curvature)).exp();
    let pull = f64::from(pace.rate) / (1.0 + closeness);
    let fraction = if seen { pull } else { -pull * closeness };
    log(from, to, at_x);
    log(to, from, at_y);
    at_x.iter_mut().chain(at_y.iter_mut()).for_each(|c| *c *= fraction);
    exp(from, at_x, new_x);
    exp(to, at_y, new_y);
    x.row_mut(node as usize).copy_from_slice(new_x);
    y.row_mut(context as usize).copy_from_slice(new_y);
}
