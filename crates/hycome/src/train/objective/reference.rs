//! Reference implementation of the second-order step: sequential SGD, one pair after the other, in double precision.
//!
//! [`super::second_order`] is compared with it: no blocks, no groups, no SIMD, negatives from the whole graph, both points of a pair
//! moving before the next pair. About twenty times slower; chosen by [`TrainConfig::blocks`](crate::TrainConfig::blocks) zero.

use super::second_order::{EpochPlan, Tick};
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::geometry::poincare::{distance, exp, log};
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::points::Points;
use crate::rng::{Purpose, stream};
use crate::sampling::{NegativeSampler, Walker};
use crate::train::engine::bucket::PairCounts;
use crate::train::engine::pair_index::windows;
use crate::train::engine::pair_update::StepSize;
use crate::train::engine::table::Table;
use crate::train::engine::throttle::Throttle;

/// One epoch; `step_size` gives the step size at a fraction of the epoch.
///
/// # Errors
/// [`Error::Interrupted`] if `tick` breaks or [`interrupt`] is requested; no point has moved then.
pub(crate) fn epoch(
    graph: &Graph,
    nodes: &mut Table,
    contexts: &mut Table,
    plan: &EpochPlan,
    step_size: impl Fn(f64) -> StepSize,
    tick: &Tick<'_>,
) -> Result<PairCounts> {
    let (node_count, geometry) = (graph.node_count(), nodes.geometry());
    let (walker, sampler) = (Walker::new(graph), NegativeSampler::new(graph, plan.noise_exponent));
    let (mut x, mut y) = (nodes.all_points(), contexts.all_points());
    let mut buffers = [(); 4].map(|()| vec![0.0; x.dim()]);
    let (mut walk, mut pairs) = (Vec::new(), Vec::new());
    let mut counts = PairCounts::default();
    let walk_count = plan.walks * node_count;
    let ticker = Throttle::default();
    for w in 0..walk_count {
        interrupt::check()?;
        if ticker.is_due() && tick(w as f64 / walk_count as f64, counts.pairs).is_break() {
            return Err(Error::Interrupted);
        }
        let step_size = step_size(w as f64 / walk_count as f64);
        let mut rng = stream(plan.walk.seed, Purpose::Walk, plan.walk.epoch, w as u64);
        walker.walk((w % node_count) as NodeId, plan.walk.length, &mut rng, &mut walk);
        pairs.clear();
        for (&node, window) in walk.iter().zip(windows(walk.len(), plan.walk.window, &mut rng)) {
            pairs.extend(
                walk[window].iter().filter(|&&context| context != node).map(|&context| (node, context)),
            );
        }
        let mut rng = stream(plan.walk.seed, Purpose::Noise, plan.walk.epoch, w as u64);
        for &(node, context) in &pairs {
            step(geometry, &mut x, &mut y, node, context, true, step_size, &mut buffers);
            let negatives = (plan.negatives + rng.unit()).floor() as u64;
            counts.pairs += 1 + negatives;
            for _ in 0..negatives {
                if let Some(negative) = sampler.draw(&mut rng) {
                    step(geometry, &mut x, &mut y, node, negative, false, step_size, &mut buffers);
                }
            }
        }
        counts.positives += pairs.len() as u64;
    }
    (0..node_count).for_each(|i| nodes.set(i, x.row(i)));
    (0..node_count).for_each(|i| contexts.set(i, y.row(i)));
    Ok(counts)
}

/// Moves a node and a context, in the ball along their geodesic.
#[allow(clippy::too_many_arguments)] // two points, their tables, and the step
fn step(
    geometry: Geometry,
    x: &mut Points,
    y: &mut Points,
    node: NodeId,
    context: NodeId,
    is_positive: bool,
    step_size: StepSize,
    buffers: &mut [Vec<f64>; 4],
) {
    if geometry.is_euclidean() {
        let rate = f64::from(step_size.rate);
        let [new_x, new_y] =
            moved(geometry, x.row(node as usize), y.row(context as usize), is_positive, rate);
        x.row_mut(node as usize).copy_from_slice(&new_x);
        y.row_mut(context as usize).copy_from_slice(&new_y);
        return;
    }
    let [at_x, at_y, new_x, new_y] = buffers;
    let (from, to) = (x.row(node as usize), y.row(context as usize));
    let closeness = (-distance(from, to).powi(2) / f64::from(step_size.curvature)).exp();
    let attraction = f64::from(step_size.rate) / (1.0 + closeness);
    let fraction = if is_positive { attraction } else { -attraction * closeness };
    log(from, to, at_x);
    log(to, from, at_y);
    at_x.iter_mut().chain(at_y.iter_mut()).for_each(|c| *c *= fraction);
    exp(from, at_x, new_x);
    exp(to, at_y, new_y);
    x.row_mut(node as usize).copy_from_slice(new_x);
    y.row_mut(context as usize).copy_from_slice(new_y);
}

/// Two points of Euclidean space after a step; `rate` is 2η.
pub(crate) fn moved(geometry: Geometry, x: &[f64], y: &[f64], is_positive: bool, rate: f64) -> [Vec<f64>; 2] {
    let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
    let combined = |a: f64, x: &[f64], b: f64, y: &[f64]| -> Vec<f64> {
        x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
    };
    if geometry == Geometry::Come {
        let product: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
        let f = 0.5 * rate * if is_positive { sigmoid(-product) } else { -sigmoid(product) };
        [combined(1.0, x, f, y), combined(1.0, y, f, x)]
    } else {
        let square: f64 = x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum();
        let f = rate * if is_positive { sigmoid(square) } else { -sigmoid(-square) };
        [combined(1.0 - f, x, f, y), combined(1.0 - f, y, f, x)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loss of a pair of Euclidean space.
    fn loss(geometry: Geometry, x: &[f64], y: &[f64], is_positive: bool) -> f64 {
        let affinity: f64 = match geometry {
            Geometry::Come => x.iter().zip(y).map(|(x, y)| x * y).sum(),
            _ => -x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>(),
        };
        let affinity = if is_positive { affinity } else { -affinity };
        (-affinity).exp().ln_1p()
    }

    #[test]
    fn euclidean_steps_follow_the_negative_gradient_of_finite_differences() {
        let (x, y, eta) = ([0.3, -0.8, 1.1], [-0.5, 0.4, 0.9], 0.01);
        for geometry in [Geometry::Come, Geometry::Euclidean] {
            for seen in [true, false] {
                let [new_x, new_y] = moved(geometry, &x, &y, seen, 2.0 * eta);
                for j in 0..3 {
                    let slope = |move_x: f64, move_y: f64| {
                        let at = |h: f64| {
                            let (mut x, mut y) = (x, y);
                            x[j] += h * move_x;
                            y[j] += h * move_y;
                            loss(geometry, &x, &y, seen)
                        };
                        (at(1e-6) - at(-1e-6)) / 2e-6
                    };
                    assert!((new_x[j] - x[j] + eta * slope(1.0, 0.0)).abs() < 1e-9, "{geometry:?} {seen}");
                    assert!((new_y[j] - y[j] + eta * slope(0.0, 1.0)).abs() < 1e-9, "{geometry:?} {seen}");
                }
            }
        }
    }
}
