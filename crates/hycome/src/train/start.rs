//! Where training begins.
//!
//! In more than a few dimensions any scatter around the origin will do: points pass each other and every seed ends
//! alike. In two or three they cannot pass; communities stay in the order in which chance put them around the circle,
//! and nodes stay on the wrong side. There, a short training in [`GUIDE_DIM`] dimensions finds the communities first.
//! Their centers are laid out in the few dimensions so that distances between them are kept as well as can be
//! ([`lay_out`]), and every node starts at its communities.

use super::table::Table;
use super::tiles::Tiles;
use crate::geometry::poincare::{distance, exp, log, translate};
use crate::mixture::{GaussianMixture, Responsibilities};
use crate::points::Points;
use crate::rng::{Purpose, Stream, stream};

/// Up to this many dimensions a training is guided by one in more.
pub const GUIDED_DIM: usize = 3;

/// Dimensions of the guide: enough for points to pass each other.
pub const GUIDE_DIM: usize = 10;

/// Points start this far from the origin, or from their communities: near enough to move freely, far enough to tell
/// apart.
const START_RADIUS: f64 = 0.1;

/// More communities are not laid out: it costs their square, and two dimensions have no room for them anyway.
pub const MOST_COMMUNITIES: usize = 1000;

/// At most this many layouts are tried; the best is taken.
const LAYOUTS: u64 = 32;

/// Sweeps over the centers for each.
const SWEEPS: usize = 100;

/// Pairs that all layouts may look at together, about a second of work; at least one layout is made.
const LAYOUT_PAIRS: u64 = 10_000_000;

/// Nodes and contexts around the origin.
#[must_use]
pub fn scattered(node_count: usize, dim: usize, seed: u64) -> (Table, Tiles) {
    let mut rng = stream(seed, Purpose::Start, 0, 0);
    let deviation = START_RADIUS / (dim as f64).sqrt();
    let nodes = Table::scattered(node_count, dim, deviation, &mut rng);
    (nodes, Tiles::new(&Table::scattered(node_count, dim, deviation, &mut rng)))
}

/// Nodes and contexts around the communities of a guide.
#[must_use]
pub fn guided(mixture: &GaussianMixture, nodes: &Responsibilities, dim: usize, seed: u64) -> (Table, Tiles) {
    let centers = lay_out(&mixture.means, dim, seed);
    let mut rng = stream(seed, Purpose::Start, 0, 0);
    let nodes_around = around(&centers, nodes, &mut rng);
    (nodes_around, Tiles::new(&around(&centers, nodes, &mut rng)))
}

/// A point for each row of responsibilities: the mean of its centers as seen from the origin, and a little noise.
fn around(centers: &Points, responsibilities: &Responsibilities, rng: &mut Stream) -> Table {
    let dim = centers.dim();
    let origin = vec![0.0; dim];
    let mut directions = Points::zeros(centers.len(), dim);
    for (k, center) in centers.rows().enumerate() {
        log(&origin, center, directions.row_mut(k));
    }
    let deviation = START_RADIUS / (dim as f64).sqrt();
    let mut table = Table::at_origin(responsibilities.len(), dim);
    let (mut point, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
    for (i, shares) in responsibilities.rows().enumerate() {
        let mut mean = vec![0.0; dim];
        for (share, direction) in shares.iter().zip(directions.rows()) {
            mean.iter_mut().zip(direction).for_each(|(m, d)| *m += share * d);
        }
        exp(&origin, &mean, &mut point);
        let noise: Vec<f64> = (0..dim).map(|_| deviation * rng.normal()).collect();
        translate(&point, &noise, &mut moved);
        table.set(i, &moved);
    }
    table
}

/// Points of `dim` dimensions whose distances are as near as can be to those of `points`, as shares of them.
///
/// From each of several random layouts, every point in turn goes half of the way to where the others, on average, want
/// it; the layout with the least Σ ((d − d₀)/d₀)² wins. Some dozens of points have many local optima, hence the
/// several layouts.
#[must_use]
pub fn lay_out(points: &Points, dim: usize, seed: u64) -> Points {
    /// Points that coincide are asked to stay this far apart.
    const NEAREST: f64 = 0.1;
    let count = points.len();
    let wanted: Vec<f64> =
        points.rows().flat_map(|x| points.rows().map(move |y| distance(x, y).max(NEAREST))).collect();
    let mut best: Option<(f64, Points)> = None;
    let layouts = LAYOUT_PAIRS / (SWEEPS * count * count).max(1) as u64;
    for number in 1..=layouts.clamp(1, LAYOUTS) {
        let mut rng = stream(seed, Purpose::Start, 1, number);
        let coordinate = |_| (0.3 * rng.normal()).clamp(-0.5, 0.5) / (dim as f64).sqrt();
        let mut layout = Points::new(dim, (0..count * dim).map(coordinate).collect());
        let (mut toward, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
        for _ in 0..SWEEPS {
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
    best.expect("several layouts were tried").1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_laid_out_with_its_distances() {
        // Four points of a plane inside five dimensions: two dimensions are enough.
        let flat = [[0.5, 0.0], [-0.3, 0.4], [0.1, -0.6], [0.0, 0.1]];
        let points = Points::new(5, flat.iter().flat_map(|p| [p[0], 0.0, p[1], 0.0, 0.0]).collect());
        let layout = lay_out(&points, 2, 1);
        for i in 0..4 {
            for j in 0..i {
                let (found, wanted) =
                    (distance(layout.row(i), layout.row(j)), distance(points.row(i), points.row(j)));
                assert!((found / wanted - 1.0).abs() < 1e-3, "{i} {j}: {found} {wanted}");
            }
        }
    }

    #[test]
    fn nodes_start_at_their_communities() {
        let means = Points::new(4, vec![0.7, 0.0, 0.0, 0.0, -0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, -0.7]);
        let mixture = GaussianMixture { weights: vec![1.0 / 3.0; 3], means, scales: vec![0.3; 3] };
        let communities: Vec<u32> = (0..60).map(|i| i % 3).collect();
        let (nodes, contexts) = guided(&mixture, &Responsibilities::certain(3, &communities), 2, 1);
        for points in [nodes.all_points(), contexts.to_table().all_points()] {
            for i in 0..60 {
                for j in 0..i {
                    let apart = distance(points.row(i), points.row(j));
                    // Noise moves a point by about 0.2; the communities are more than 2 apart.
                    assert_eq!(apart < 1.2, communities[i] == communities[j], "{i} {j}: {apart}");
                }
            }
        }
    }

    #[test]
    fn one_point_and_coincident_points_are_laid_out_too() {
        for count in [1, 3] {
            let layout = lay_out(&Points::zeros(count, 10), 2, 1);
            assert!(layout.as_slice().iter().all(|c| c.is_finite() && c.abs() < 1.0));
        }
    }
}
