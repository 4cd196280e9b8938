//! Kernel of the Poincaré ball: Riemannian SGD on pairs (Bonnabel 2013; Nickel & Kiela 2017).
//!
//! Rows move along their geodesics to the point x; their gradients on x are summed, and x moves once along the sum by the exponential map.
//! Updating a tile takes three passes: squared differences coordinate by coordinate, the scalar arithmetic of [`super::pair_update`] for
//! all lanes at once, and y' = α·y + β·x coordinate by coordinate. One x is updated against dozens of rows, so its own step is negligible.
//!
//! The slack 1−|y|² is recomputed from the new coordinates: updated in closed form, its relative error would grow by a factor at every
//! step, and rows that are drawn often would drift out of the ball.

use super::kernel::{Kernel, sum};
use super::pair_update::{
    F32x16, LANES, Label, MAX_STEP, MAX_TILES, MIN_CONFORMAL_SLACK, StepSize, TilePairs, tanh_parts,
    update_pairs,
};

/// Point of the ball that is being updated.
#[derive(Debug)]
pub(crate) struct PoincareKernel {
    dim: usize,
    point: Vec<f32>,
    slack: f32,
    gradient: PointGradient,
    pairs: [TilePairs; MAX_TILES],
    /// Per lane; exact up to 2²⁴, more than a bucket has groups.
    skipped_rows: F32x16,
    skipped_points: u64,
}

/// Gradient on the point so far, per lane: the sum over rows is Σ on_rows + Σ on_point·x.
#[derive(Debug)]
struct PointGradient {
    on_rows: Vec<F32x16>,
    on_point: F32x16,
}

impl Kernel for PoincareKernel {
    fn new(dim: usize) -> Self {
        let none = F32x16::ZERO;
        Self {
            dim,
            point: vec![0.0; dim],
            slack: 1.0,
            gradient: PointGradient { on_rows: vec![none; dim], on_point: none },
            pairs: [TilePairs::ZERO; MAX_TILES],
            skipped_rows: none,
            skipped_points: 0,
        }
    }

    #[inline(always)]
    fn load_point(&mut self, row: &[f32]) {
        let (&slack, coordinates) = row.split_last().expect("a row ends with its slack");
        for (x, from) in self.point[..self.dim].iter_mut().zip(coordinates) {
            *x = *from;
        }
        self.slack = slack;
        self.gradient.on_rows[..self.dim].fill(F32x16::ZERO);
        self.gradient.on_point = F32x16::ZERO;
    }

    #[inline(always)]
    fn update_tile(&mut self, label: Label, tile: &mut [F32x16], weight: &F32x16, step_size: StepSize) {
        let mut pairs = [TilePairs::ZERO];
        let (point, tile) = (&self.point[..self.dim], &mut tile[..=self.dim]);
        squared_distances(point, tile, weight, &mut pairs[0]);
        update_pairs(label, &mut pairs, self.slack, step_size);
        self.gradient.step(point, tile, &pairs[0]);
        add(&mut self.skipped_rows, &pairs[0].skipped);
    }

    #[inline(always)]
    fn update_tiles(
        &mut self,
        label: Label,
        table: &mut [F32x16],
        tiles: &[usize],
        weights: &[F32x16],
        step_size: StepSize,
    ) {
        let (point, depth) = (&self.point[..self.dim], self.dim + 1);
        for (pairs, &tile) in self.pairs.iter_mut().zip(tiles) {
            squared_distances(point, &table[tile * depth..][..depth], &weights[tile], pairs);
        }
        update_pairs(label, &mut self.pairs[..tiles.len()], self.slack, step_size);
        for (pairs, &tile) in self.pairs.iter().zip(tiles) {
            self.gradient.step(point, &mut table[tile * depth..][..depth], pairs);
            add(&mut self.skipped_rows, &pairs.skipped);
        }
    }

    #[inline(always)]
    fn store_point(&mut self, row: &mut [f32]) {
        let (on_point, dim) = (sum(self.gradient.on_point.0), self.dim);
        let point = &mut self.point[..dim];
        for (x, pull) in point.iter_mut().zip(&self.gradient.on_rows[..dim]) {
            *x = on_point.mul_add(*x, sum(pull.0));
        }
        if !exp_map(row, self.slack, dim, point) {
            self.skipped_points += 1;
        }
    }

    fn skipped(&self) -> u64 {
        self.skipped_points + self.skipped_rows.iter().map(|&count| count as u64).sum::<u64>()
    }
}

/// Squared Euclidean distances |x−y|² of the point to the rows of a tile, with slacks and weights.
#[inline(always)]
fn squared_distances(point: &[f32], tile: &[F32x16], weight: &F32x16, pairs: &mut TilePairs) {
    let (slack, rows) = tile.split_last().expect("a tile ends with its slacks");
    let mut squared = F32x16::ZERO;
    for (&x, y) in point.iter().zip(rows) {
        for l in 0..LANES {
            let difference = x - y[l];
            squared[l] = difference.mul_add(difference, squared[l]);
        }
    }
    (pairs.s, pairs.b, pairs.weight) = (squared, *slack, *weight);
}

impl PointGradient {
    /// Moves the rows of a tile and accumulates their gradient on the point.
    #[inline(always)]
    fn step(&mut self, point: &[f32], tile: &mut [F32x16], pairs: &TilePairs) {
        let (slack, rows) = tile.split_last_mut().expect("a tile ends with its slacks");
        // Copies stay in registers across dimensions.
        let TilePairs { pull_row, on_row, on_point, .. } = *pairs;
        let mut norm = F32x16::ZERO;
        for ((&x, y), pull) in point.iter().zip(rows).zip(&mut self.on_rows[..point.len()]) {
            let (mut moved, mut sum) = (*y, *pull);
            for l in 0..LANES {
                sum[l] = pull_row[l].mul_add(moved[l], sum[l]);
                moved[l] = on_row[l].mul_add(moved[l], on_point[l] * x);
                norm[l] = moved[l].mul_add(moved[l], norm[l]);
            }
            (*y, *pull) = (moved, sum);
        }
        for l in 0..LANES {
            slack[l] = 1.0 - norm[l];
            self.on_point[l] += pairs.pull_point[l];
        }
    }
}

#[inline(always)]
fn add(sum: &mut F32x16, terms: &F32x16) {
    for l in 0..LANES {
        sum[l] += terms[l];
    }
}

/// Exponential map x ← exp_x(v); returns `false` and leaves x unchanged if the step would leave the ball.
#[inline(always)]
fn exp_map(x: &mut [f32], a: f32, dim: usize, v: &[f32]) -> bool {
    let (mut v2, mut xv) = (0.0f32, 0.0f32);
    for i in 0..dim {
        v2 = v[i].mul_add(v[i], v2);
        xv = v[i].mul_add(x[i], xv);
    }
    if v2 == 0.0 {
        return true;
    }
    let angle2 = v2 / (a * a);
    if angle2 > MAX_STEP * MAX_STEP {
        return false;
    }
    let (p, q) = tanh_parts(angle2);
    let tanhc = p / q; // tanh(angle)/angle; then z = tau_over_norm · v
    let tau_over_norm = tanhc / a;
    let tau2 = tanhc * tanhc * angle2;
    let xz2 = 2.0 * tau_over_norm * xv;
    let inverse = 1.0 / (1.0 + xz2 + (1.0 - a) * tau2);
    let slack = a * (1.0 - tau2) * inverse;
    if slack < MIN_CONFORMAL_SLACK || slack.is_nan() {
        return false;
    }
    let (on_x, on_v) = ((1.0 + xz2 + tau2) * inverse, a * tau_over_norm * inverse);
    let mut square = 0.0f32;
    for i in 0..dim {
        x[i] = on_x.mul_add(x[i], on_v * v[i]);
        square = x[i].mul_add(x[i], square);
    }
    x[dim] = 1.0 - square;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::geometry::poincare::{distance, exp, log};
    use crate::points::Points;
    use crate::rng::{Purpose, stream};
    use crate::train::engine::table::Table;
    use crate::train::engine::tiled_rows::{rows_of, tiles_of};
    use pulp::Simd as _;

    /// Reference update: one row at a time, in double precision, by log and exp.
    fn plain(points: &mut Points, x: &mut [f64], draws: &[(u32, f64, f64)], rate: f64, curvature: f64) {
        let dim = x.len();
        let (mut at_x, mut at_y, mut moved) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
        let mut sum = vec![0.0; dim];
        for &(row, positive, negative) in draws {
            let y = points.row(row as usize).to_vec();
            let square = distance(x, &y).powi(2) / curvature;
            let near = rate / (1.0 + (-square).exp());
            let fraction = positive * near / (1.0 + (positive - 1.0).max(0.0) * near)
                - negative * near * (-square).exp();
            log(x, &y, &mut at_x);
            log(&y, x, &mut at_y);
            at_y.iter_mut().for_each(|c| *c *= fraction);
            exp(&y, &at_y, &mut moved);
            points.row_mut(row as usize).copy_from_slice(&moved);
            sum.iter_mut().zip(&at_x).for_each(|(s, c)| *s += fraction * c);
        }
        exp(x, &sum, &mut moved);
        x.copy_from_slice(&moved);
    }

    #[test]
    fn single_precision_simd_updates_agree_with_double_precision_scalar_updates() {
        for dim in [2, 3, 5, 7, 8, 10, 16, 32, 128] {
            for (case, spread) in [0.02, 0.3, 1.0, 3.0].into_iter().enumerate() {
                let mut rng = stream(1, Purpose::Start, dim as u64, case as u64);
                let count = 2 * LANES;
                let rate = 0.05 / (1.0 + spread);
                let mut point = || -> Vec<f64> {
                    let v: Vec<f64> = (0..dim).map(|_| rng.normal() * spread / (dim as f64).sqrt()).collect();
                    let mut x = vec![0.0; dim];
                    exp(&vec![0.0; dim], &v, &mut x);
                    x
                };
                let mut rows = Table::at_origin(count, dim);
                (0..count).for_each(|i| rows.set(i, &point()));
                let mut node = Table::at_origin(1, dim);
                node.set(0, &point());

                // A tile of positives, some twice or not at all, and a tile of negatives of various weights.
                let positive = F32x16(std::array::from_fn(|l| (l % 4) as f32));
                let negative = F32x16(std::array::from_fn(|l| 0.3 * l as f32));
                let (old, old_x) = (rows.all_points(), node.all_points().row(0).to_vec());
                let (mut expected, mut x) = (old.clone(), old_x.clone());
                let draws = (0..count as u32).map(|row| match row as usize {
                    l if l < LANES => (row, f64::from(positive[l]), 0.0),
                    l => (row, 0.0, f64::from(negative[l - LANES])),
                });
                plain(&mut expected, &mut x, &draws.collect::<Vec<_>>(), rate, 2.0);

                let mut tiles = tiles_of(&rows);
                let mut kernel = PoincareKernel::new(dim);
                let step_size = StepSize { rate: rate as f32, curvature: 2.0 };
                let (first, second) = tiles.split_at_mut(dim + 1);
                kernel.load_point(node.row_with_slack(0));
                kernel.update_tile(Label::Positive, first, &positive, step_size);
                kernel.update_tile(Label::Negative, second, &negative, step_size);
                kernel.store_point(node.data_mut());
                assert_eq!(kernel.skipped(), 0);

                let moved = rows_of(&tiles, &rows);
                let pairs = (0..count).map(|i| (old.row(i), moved.row_with_slack(i), expected.row(i)));
                for (old, found, expected) in pairs.chain([(&old_x[..], node.row_with_slack(0), &x[..])]) {
                    let kept = f64::from(found[dim]);
                    let found: Vec<f64> = found[..dim].iter().map(|&c| f64::from(c)).collect();
                    let slack = 1.0 - found.iter().map(|c| c * c).sum::<f64>();
                    let error = distance(&found, expected);
                    // Rounding of one coordinate moves a point by 1e-7 of its distance scale, 2/slack, and an error
                    // of direction grows like cosh of the way.
                    let bound = 3e-6 / slack * distance(old, expected).cosh();
                    assert!(error < bound, "dim {dim} spread {spread}: {error} at slack {slack}");
                    assert!(
                        (kept - slack).abs() < 3e-6 + 1e-4 * slack,
                        "dim {dim} spread {spread}: {kept} {slack}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_that_lie_on_the_point_stay_there() {
        for dim in [2, 10] {
            let mut rows = Table::at_origin(LANES, dim);
            (0..LANES).for_each(|i| rows.set(i, &vec![0.1; dim]));
            let mut node = rows.clone();
            let mut tiles = tiles_of(&rows);
            let mut kernel = PoincareKernel::new(dim);
            let step_size = StepSize { rate: 0.1, curvature: 1.0 };
            kernel.load_point(node.row_with_slack(0));
            kernel.update_tile(Label::Positive, &mut tiles, &F32x16::splat(1.0), step_size);
            kernel.update_tile(Label::Negative, &mut tiles, &F32x16::splat(1.0), step_size);
            kernel.store_point(&mut node.data_mut()[..=dim]);
            assert_eq!(kernel.skipped(), 0);
            for i in 0..LANES {
                let (found, expected) = (rows_of(&tiles, &rows), rows.row(i));
                assert!(found.row(i).iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-6));
            }
        }
    }

    /// One update of every tile, compiled for the instruction set it is dispatched with.
    struct Update<'a>(&'a mut Table, &'a mut [F32x16]);

    impl pulp::WithSimd for Update<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            let step_size = StepSize { rate: 0.05, curvature: 3.0 };
            let mut kernel = PoincareKernel::new(self.0.dim());
            kernel.load_point(self.0.row_with_slack(0));
            let depth = self.0.stride();
            for (i, tile) in self.1.chunks_exact_mut(depth).enumerate() {
                let label = if i == 0 { Label::Positive } else { Label::Negative };
                kernel.update_tile(label, tile, &F32x16(std::array::from_fn(|l| l as f32 / 7.0)), step_size);
            }
            kernel.store_point(&mut self.0.data_mut()[..depth]);
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for dim in [2, 5, 10, 33] {
            let mut rng = stream(2, Purpose::Start, dim as u64, 0);
            let start =
                Table::random(Geometry::Poincare, 3 * LANES, dim, 0.5 / (dim as f64).sqrt(), &mut rng);
            let (mut plain, mut best) =
                ((start.clone(), tiles_of(&start)), (start.clone(), tiles_of(&start)));
            pulp::Scalar::new().vectorize(Update(&mut plain.0, &mut plain.1));
            pulp::Arch::new().dispatch(Update(&mut best.0, &mut best.1));
            assert!(plain.0 != start && plain.1 != tiles_of(&start), "something moved");
            assert_eq!(plain, best, "dim {dim}");
        }
    }
}
