//! Kernel of Euclidean space, for the baselines: SGD on dot products or squared distances.
//!
//! The loss of a pair is −ln σ(±s) of a similarity or distance s, a sum over coordinates:
//!
//! | | s | positive | negative | moves |
//! |---|---|---|---|---|
//! | [`DotProduct`] | ⟨x, y⟩ | −ln σ(s) | −ln σ(−s) | y + f·x and x + f·y |
//! | [`SquaredDistance`] | \|x−y\|² | −ln σ(−s) | −ln σ(s) | y + f·(x−y) and x + f·(y−x) |
//!
//! where f is minus the derivative of the loss times the step size: η·σ(−s) and −η·σ(s) for dot products, as in
//! word2vec (Mikolov et al. 2013); 2η·σ(s) and −2η·σ(−s) for squared distances, as in the ball. Multiplicity or importance weight multiply f;
//! several steps at once could overshoot the point, so a positive of multiplicity n moves n·f/(1 + (n−1)·f) of the way,
//! as in [`super::pair_update`].
//!
//! The point moves after every tile: a step of sixteen pairs is small, one of a whole group with its negatives need not be
//! where nothing bounds a dot product. In Euclidean space the number beside the coordinates stays one.

use std::marker::PhantomData;

use super::kernel::{Kernel, sum};
use super::pair_update::{F32x16, LANES, Label, StepSize, exp_negative};

/// Pairwise similarity or distance of Euclidean space, and its gradient step.
pub(crate) trait PairLoss: std::fmt::Debug {
    /// One if a row moves toward the point, zero if a multiple of the point is added to it.
    const ATTRACTION: f32;

    /// Adds one coordinate to the sum s.
    fn add(x: f32, y: f32, sum: f32) -> f32;

    /// f, for a row of this weight.
    fn fraction(label: Label, sum: f32, weight: f32, rate: f32) -> f32;
}

/// Dot product, as in word2vec, LINE and ComE.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DotProduct;

impl PairLoss for DotProduct {
    const ATTRACTION: f32 = 0.0;

    #[inline(always)]
    fn add(x: f32, y: f32, sum: f32) -> f32 {
        x.mul_add(y, sum)
    }

    #[inline(always)]
    fn fraction(label: Label, sum: f32, weight: f32, rate: f32) -> f32 {
        let e = exp_negative(-sum.abs());
        let (near, far) = if sum > 0.0 { (1.0, e) } else { (e, 1.0) };
        let step = 0.5 * rate * weight / (1.0 + e); // `rate` contains the 2 of a squared distance, which has no place here
        match label {
            Label::Positive => step * far,
            Label::Negative => -step * near,
        }
    }
}

/// Squared distance: the hyperbolic losses with curvature removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SquaredDistance;

impl PairLoss for SquaredDistance {
    const ATTRACTION: f32 = 1.0;

    #[inline(always)]
    fn add(x: f32, y: f32, sum: f32) -> f32 {
        (x - y).mul_add(x - y, sum)
    }

    #[inline(always)]
    fn fraction(label: Label, sum: f32, weight: f32, rate: f32) -> f32 {
        let e = exp_negative(-sum);
        match label {
            Label::Positive => weight * rate / (weight - 1.0).max(0.0).mul_add(rate, 1.0 + e),
            Label::Negative => -weight * rate * e / (1.0 + e),
        }
    }
}

/// Point of Euclidean space that is being updated.
#[derive(Debug)]
pub(crate) struct EuclideanKernel<L> {
    point: Vec<f32>,
    loss: PhantomData<L>,
}

impl<L: PairLoss> Kernel for EuclideanKernel<L> {
    fn new(dim: usize) -> Self {
        Self { point: vec![0.0; dim], loss: PhantomData }
    }

    #[inline(always)]
    fn load_point(&mut self, row: &[f32]) {
        for (x, from) in self.point.iter_mut().zip(row) {
            *x = *from;
        }
    }

    #[inline(always)]
    fn update_tile(&mut self, label: Label, tile: &mut [F32x16], weight: &F32x16, step_size: StepSize) {
        let mut sums = [0.0; LANES];
        for (&x, y) in self.point.iter().zip(tile.iter()) {
            for l in 0..LANES {
                sums[l] = L::add(x, y[l], sums[l]);
            }
        }
        let (mut fraction, mut keep) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            fraction[l] = L::fraction(label, sums[l], weight[l], step_size.rate);
            keep[l] = L::ATTRACTION.mul_add(-fraction[l], 1.0);
        }
        let point_keeps = L::ATTRACTION.mul_add(-sum(fraction), 1.0);
        for (x, y) in self.point.iter_mut().zip(tile) {
            let (mut moved, mut pull) = (*y, [0.0; LANES]);
            for l in 0..LANES {
                pull[l] = fraction[l] * moved[l];
                moved[l] = keep[l].mul_add(moved[l], fraction[l] * *x);
            }
            *y = moved;
            *x = point_keeps.mul_add(*x, sum(pull));
        }
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
        let depth = self.point.len() + 1;
        for &tile in tiles {
            self.update_tile(label, &mut table[tile * depth..][..depth], &weights[tile], step_size);
        }
    }

    #[inline(always)]
    fn store_point(&mut self, row: &mut [f32]) {
        for (to, x) in row.iter_mut().zip(&self.point) {
            *to = *x;
        }
    }

    fn skipped(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::points::Points;
    use crate::rng::{Purpose, stream};
    use crate::train::engine::table::Table;
    use crate::train::engine::tiled_rows::{rows_of, tiles_of};
    use crate::train::objective::reference::moved;
    use pulp::Simd as _;

    /// Runs a tile of positives and one of negatives through a kernel; returns rows and point before and after.
    fn compared<L: PairLoss>(dim: usize, spread: f64, rate: f64) -> [(Points, Vec<f64>); 2] {
        let mut rng = stream(1, Purpose::Start, dim as u64, (100.0 * spread) as u64);
        let deviation = spread / (dim as f64).sqrt();
        let mut node = Table::random(Geometry::Come, 1, dim, deviation, &mut rng);
        let rows = Table::random(Geometry::Come, 2 * LANES, dim, deviation, &mut rng);
        let mut tiles = tiles_of(&rows);
        let mut kernel = EuclideanKernel::<L>::new(dim);
        let step_size = StepSize { rate: 2.0 * rate as f32, curvature: 1.0 };
        let before = (rows.all_points(), node.all_points().row(0).to_vec());
        let (first, second) = tiles.split_at_mut(dim + 1);
        kernel.load_point(node.row_with_slack(0));
        kernel.update_tile(Label::Positive, first, &POSITIVE, step_size);
        kernel.update_tile(Label::Negative, second, &NEGATIVE, step_size);
        kernel.store_point(node.data_mut());
        let rows = rows_of(&tiles, &rows);
        assert!(rows.is_finite() && node.is_finite(), "the number beside the coordinates stays one");
        [before, (rows.all_points(), node.all_points().row(0).to_vec())]
    }

    /// Multiplicities of positives and weights of negatives.
    const POSITIVE: F32x16 =
        F32x16([1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    const NEGATIVE: F32x16 =
        F32x16([0.3, 1.1, 0.0, 1.0, 0.7, 1.0, 1.4, 0.9, 1.0, 1.2, 0.6, 1.0, 2.0, 1.0, 0.1, 1.0]);

    fn agrees_with_reference<L: PairLoss>(geometry: Geometry) {
        for dim in [2, 3, 5, 8, 10, 33, 128] {
            for spread in [0.02, 0.5, 2.0, 6.0] {
                let rate = 0.02;
                let [(rows, x), (found_rows, found)] = compared::<L>(dim, spread, rate);
                let mut x = x;
                // Tile by tile: every row of a tile is updated against the same point, which then moves by the sum of the gradients.
                for tile in 0..2 {
                    let mut sum = x.clone();
                    for l in 0..LANES {
                        let (seen, count) =
                            if tile == 0 { (true, POSITIVE[l]) } else { (false, NEGATIVE[l]) };
                        let i = tile * LANES + l;
                        let [new_x, new_y] =
                            moved(geometry, &x, rows.row(i), seen, 2.0 * rate * f64::from(count));
                        for j in 0..dim {
                            sum[j] += new_x[j] - x[j];
                            let error = (new_y[j] - found_rows.row(i)[j]).abs();
                            assert!(error < 3e-6 * (1.0 + spread), "{geometry:?} {dim} {spread}: {error}");
                        }
                    }
                    x = sum;
                }
                for (found, expected) in found.iter().zip(&x) {
                    assert!((found - expected).abs() < 1e-5 * (1.0 + spread), "{geometry:?} {dim} {spread}");
                }
            }
        }
    }

    #[test]
    fn single_precision_simd_updates_agree_with_double_precision_scalar_updates() {
        agrees_with_reference::<DotProduct>(Geometry::Come);
        agrees_with_reference::<SquaredDistance>(Geometry::Euclidean);
    }

    #[test]
    fn rows_of_high_multiplicity_do_not_overshoot() {
        for count in [1.0, 3.0, 16.0, 1e4] {
            let fraction = SquaredDistance::fraction(Label::Positive, 4.0, count, 0.3);
            assert!(fraction > 0.0 && fraction < 1.0, "{count}: {fraction}");
        }
    }

    /// One update of every tile, compiled for the instruction set it is dispatched with.
    struct Update<'a, L>(&'a mut Table, &'a mut [F32x16], PhantomData<L>);

    impl<L: PairLoss> pulp::WithSimd for Update<'_, L> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            let step_size = StepSize { rate: 0.05, curvature: 1.0 };
            let mut kernel = EuclideanKernel::<L>::new(self.0.dim());
            let depth = self.0.stride();
            kernel.load_point(self.0.row_with_slack(0));
            for (i, tile) in self.1.chunks_exact_mut(depth).enumerate() {
                let label = if i == 0 { Label::Positive } else { Label::Negative };
                kernel.update_tile(label, tile, &F32x16(std::array::from_fn(|l| l as f32 / 7.0)), step_size);
            }
            kernel.store_point(&mut self.0.data_mut()[..depth]);
        }
    }

    fn bits_agree<L: PairLoss>(dim: usize) {
        let mut rng = stream(2, Purpose::Start, dim as u64, 0);
        let start = Table::random(Geometry::Come, 3 * LANES, dim, 0.7, &mut rng);
        let (mut plain, mut best) = ((start.clone(), tiles_of(&start)), (start.clone(), tiles_of(&start)));
        pulp::Scalar::new().vectorize(Update::<L>(&mut plain.0, &mut plain.1, PhantomData));
        pulp::Arch::new().dispatch(Update::<L>(&mut best.0, &mut best.1, PhantomData));
        assert!(plain.0 != start && plain.1 != tiles_of(&start), "something moved");
        assert_eq!(plain, best, "dim {dim}");
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for dim in [2, 5, 10, 33] {
            bits_agree::<DotProduct>(dim);
            bits_agree::<SquaredDistance>(dim);
        }
    }
}
