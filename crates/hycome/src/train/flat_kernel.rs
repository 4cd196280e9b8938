//! The hot loop in flat space: one point, and the rows it is compared with, one lane each.
//!
//! A pair has a measure, a sum over the coordinates, and the loss is −ln σ(±measure):
//!
//! | | measure | loss if seen | loss if noise | moves |
//! |---|---|---|---|---|
//! | [`Dot`] | s = ⟨x, y⟩ | −ln σ(s) | −ln σ(−s) | y + f·x and x + f·y |
//! | [`Squared`] | s = \|x−y\|² | −ln σ(−s) | −ln σ(s) | y + f·(x−y) and x + f·(y−x) |
//!
//! where f is minus the derivative of the loss times the step size: η·σ(−s) and −η·σ(s) for dot products, as in
//! word2vec; 2η·σ(s) and −2η·σ(−s) for squared distances, as in the ball. How often a row was seen, or how much
//! it counts as noise, multiplies f; toward a point that many steps at once could overshoot, so a row that was
//! seen n times goes n·f/(1 + (n−1)·f) of the way to it, as in [`super::lanes`].
//!
//! The point moves after every tile: a step of sixteen pairs is small, one of a whole group with its noise need not be
//! where nothing bounds a dot product. In flat space the number beside the coordinates stays one.

use std::marker::PhantomData;

use super::kernel::{Kernel, sum};
use super::lanes::{Kind, LANES, Lanes, Pace, exp_negative};

/// How pairs are measured in flat space, and moved.
pub trait Measure: std::fmt::Debug {
    /// How much of itself a row gives up for what it gains of the point: one if it moves toward it, zero if the point
    /// is added.
    const GIVES_UP: f32;

    /// The measure with one more coordinate.
    fn add(x: f32, y: f32, measure: f32) -> f32;

    /// f, for a row that counts `count`.
    fn fraction(kind: Kind, measure: f32, count: f32, rate: f32) -> f32;
}

/// The dot product: the measure of word2vec, LINE and ComE.
#[derive(Clone, Copy, Debug)]
pub struct Dot;

impl Measure for Dot {
    const GIVES_UP: f32 = 0.0;

    #[inline(always)]
    fn add(x: f32, y: f32, measure: f32) -> f32 {
        x.mul_add(y, measure)
    }

    #[inline(always)]
    fn fraction(kind: Kind, measure: f32, count: f32, rate: f32) -> f32 {
        let e = exp_negative(-measure.abs());
        let (near, far) = if measure > 0.0 { (1.0, e) } else { (e, 1.0) };
        let step = 0.5 * rate * count / (1.0 + e); // the pace has the 2 of a square, which is not here
        match kind {
            Kind::Seen => step * far,
            Kind::Noise => -step * near,
        }
    }
}

/// The squared distance: what is left of the hyperbolic losses where space is flat.
#[derive(Clone, Copy, Debug)]
pub struct Squared;

impl Measure for Squared {
    const GIVES_UP: f32 = 1.0;

    #[inline(always)]
    fn add(x: f32, y: f32, measure: f32) -> f32 {
        (x - y).mul_add(x - y, measure)
    }

    #[inline(always)]
    fn fraction(kind: Kind, measure: f32, count: f32, rate: f32) -> f32 {
        let e = exp_negative(-measure);
        match kind {
            Kind::Seen => count * rate / (count - 1.0).max(0.0).mul_add(rate, 1.0 + e),
            Kind::Noise => -count * rate * e / (1.0 + e),
        }
    }
}

/// A point of flat space that is being compared.
#[derive(Debug)]
pub struct FlatKernel<M> {
    point: Vec<f32>,
    measure: PhantomData<M>,
}

impl<M: Measure> Kernel for FlatKernel<M> {
    fn new(dim: usize) -> Self {
        Self { point: vec![0.0; dim], measure: PhantomData }
    }

    #[inline(always)]
    fn start(&mut self, row: &[f32]) {
        for (x, from) in self.point.iter_mut().zip(row) {
            *x = *from;
        }
    }

    #[inline(always)]
    fn compare(&mut self, kind: Kind, tile: &mut [Lanes], count: &Lanes, pace: Pace) {
        let mut measure = [0.0; LANES];
        for (&x, y) in self.point.iter().zip(tile.iter()) {
            for l in 0..LANES {
                measure[l] = M::add(x, y[l], measure[l]);
            }
        }
        let (mut fraction, mut keep) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            fraction[l] = M::fraction(kind, measure[l], count[l], pace.rate);
            keep[l] = M::GIVES_UP.mul_add(-fraction[l], 1.0);
        }
        let point_keeps = M::GIVES_UP.mul_add(-sum(fraction), 1.0);
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
    fn compare_each(
        &mut self,
        kind: Kind,
        table: &mut [Lanes],
        tiles: &[usize],
        counts: &[Lanes],
        pace: Pace,
    ) {
        let depth = self.point.len() + 1;
        for &tile in tiles {
            self.compare(kind, &mut table[tile * depth..][..depth], &counts[tile], pace);
        }
    }

    #[inline(always)]
    fn finish(&mut self, row: &mut [f32]) {
        for (to, x) in row.iter_mut().zip(&self.point) {
            *to = *x;
        }
    }

    fn dropped(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::points::Points;
    use crate::rng::{Purpose, stream};
    use crate::train::plain::moved;
    use crate::train::table::Table;
    use crate::train::tiles::{laid_out, taken_back};
    use pulp::Simd as _;

    /// Runs a tile of rows that were seen and one of noise through a kernel; rows and the point before and after.
    fn compared<M: Measure>(dim: usize, spread: f64, rate: f64) -> [(Points, Vec<f64>); 2] {
        let mut rng = stream(1, Purpose::Start, dim as u64, (100.0 * spread) as u64);
        let deviation = spread / (dim as f64).sqrt();
        let mut node = Table::scattered(Geometry::Come, 1, dim, deviation, &mut rng);
        let rows = Table::scattered(Geometry::Come, 2 * LANES, dim, deviation, &mut rng);
        let mut tiles = laid_out(&rows);
        let mut kernel = FlatKernel::<M>::new(dim);
        let pace = Pace { rate: 2.0 * rate as f32, curvature: 1.0 };
        let before = (rows.all_points(), node.all_points().row(0).to_vec());
        let (first, second) = tiles.split_at_mut(dim + 1);
        kernel.start(node.row_with_slack(0));
        kernel.compare(Kind::Seen, first, &SEEN, pace);
        kernel.compare(Kind::Noise, second, &NOISE, pace);
        kernel.finish(node.data_mut());
        let rows = taken_back(&tiles, &rows);
        assert!(rows.is_finite() && node.is_finite(), "the number beside the coordinates stays one");
        [before, (rows.all_points(), node.all_points().row(0).to_vec())]
    }

    /// Some rows are seen once or not at all; noise counts more or less.
    const SEEN: Lanes =
        Lanes([1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    const NOISE: Lanes =
        Lanes([0.3, 1.1, 0.0, 1.0, 0.7, 1.0, 1.4, 0.9, 1.0, 1.2, 0.6, 1.0, 2.0, 1.0, 0.1, 1.0]);

    fn agrees_with_plain_steps<M: Measure>(geometry: Geometry) {
        for dim in [2, 3, 5, 8, 10, 33, 128] {
            for spread in [0.02, 0.5, 2.0, 6.0] {
                let rate = 0.02;
                let [(rows, x), (found_rows, found)] = compared::<M>(dim, spread, rate);
                let mut x = x;
                // Tile by tile: every row of a tile sees the same point, which then moves by the sum of its pulls.
                for tile in 0..2 {
                    let mut sum = x.clone();
                    for l in 0..LANES {
                        let (seen, count) = if tile == 0 { (true, SEEN[l]) } else { (false, NOISE[l]) };
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
    fn lanes_in_single_precision_agree_with_plain_steps_in_double() {
        agrees_with_plain_steps::<Dot>(Geometry::Come);
        agrees_with_plain_steps::<Squared>(Geometry::Euclidean);
    }

    #[test]
    fn rows_that_were_seen_often_do_not_overshoot() {
        for count in [1.0, 3.0, 16.0, 1e4] {
            let fraction = Squared::fraction(Kind::Seen, 4.0, count, 0.3);
            assert!(fraction > 0.0 && fraction < 1.0, "{count}: {fraction}");
        }
    }

    /// One comparison with every tile, compiled for the instruction set it is dispatched with.
    struct Update<'a, M>(&'a mut Table, &'a mut [Lanes], PhantomData<M>);

    impl<M: Measure> pulp::WithSimd for Update<'_, M> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            let pace = Pace { rate: 0.05, curvature: 1.0 };
            let mut kernel = FlatKernel::<M>::new(self.0.dim());
            let depth = self.0.stride();
            kernel.start(self.0.row_with_slack(0));
            for (i, tile) in self.1.chunks_exact_mut(depth).enumerate() {
                let kind = if i == 0 { Kind::Seen } else { Kind::Noise };
                kernel.compare(kind, tile, &Lanes(std::array::from_fn(|l| l as f32 / 7.0)), pace);
            }
            kernel.finish(&mut self.0.data_mut()[..depth]);
        }
    }

    fn bits_agree<M: Measure>(dim: usize) {
        let mut rng = stream(2, Purpose::Start, dim as u64, 0);
        let start = Table::scattered(Geometry::Come, 3 * LANES, dim, 0.7, &mut rng);
        let (mut plain, mut best) = ((start.clone(), laid_out(&start)), (start.clone(), laid_out(&start)));
        pulp::Scalar::new().vectorize(Update::<M>(&mut plain.0, &mut plain.1, PhantomData));
        pulp::Arch::new().dispatch(Update::<M>(&mut best.0, &mut best.1, PhantomData));
        assert!(plain.0 != start && plain.1 != laid_out(&start), "something moved");
        assert_eq!(plain, best, "dim {dim}");
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for dim in [2, 5, 10, 33] {
            bits_agree::<Dot>(dim);
            bits_agree::<Squared>(dim);
        }
    }
}
