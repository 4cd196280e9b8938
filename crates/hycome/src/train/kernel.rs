//! The hot loop: one point, and the rows it is compared with, one lane each.
//!
//! [`Kernel::start`] takes a point x. [`Kernel::compare`] moves a tile of rows y toward x (or away from it) and
//! [`Kernel::finish`] gives x back, moved too. [`super::flat_kernel`] does that in flat space; here is the
//! [`BallKernel`], which moves rows along their geodesics to x, adds up how they pull x and at last moves x along the
//! sum. A comparison is three sweeps:
//! squared differences coordinate by coordinate, the arithmetic of [`super::lanes`] for all lanes at once,
//! and y' = α·y + β·x coordinate by coordinate. One x serves dozens of rows, so its own step costs next to nothing.
//!
//! The slack 1−|y|² is computed afresh from the new coordinates: updated in closed form, its relative error would
//! grow by a factor at every step, and rows that are drawn often would drift out of the ball.

use prefetch_index::prefetch_index;

use super::lanes::{Kind, LANES, Lanes, MOST_TILES, Pace, Pairs, SLACK_LIMIT, STEP_LIMIT, steps, tanh_parts};

/// Up to [`LANES`] distinct rows, and how often each was met.
#[derive(Debug)]
pub struct Group {
    len: usize,
    rows: [u32; LANES],
    count: Lanes,
    /// Lane of a row plus one; zero where the row is not in the group.
    lane_of: Vec<u8>,
}

impl Group {
    /// An empty group of rows out of a table of `row_count`.
    #[must_use]
    pub fn new(row_count: usize) -> Self {
        Self { len: 0, rows: [0; LANES], count: Lanes::NONE, lane_of: vec![0; row_count] }
    }

    /// Fills it with at most [`LANES`] rows; a row that is given twice gets one lane and a count.
    #[inline(always)]
    pub fn fill(&mut self, rows: &[u32]) {
        for &row in &self.rows[..self.len] {
            self.lane_of[row as usize] = 0;
        }
        (self.len, self.count) = (0, Lanes::NONE);
        for &row in rows {
            // Whether a row is new is chance, and a branch would guess it.
            let lane = &mut self.lane_of[row as usize];
            let is_new = *lane == 0;
            let at = if is_new { self.len } else { usize::from(*lane) - 1 } % LANES;
            *lane = at as u8 + 1;
            self.rows[at] = row;
            self.count[at] += 1.0;
            self.len += usize::from(is_new);
        }
    }

    /// Asks memory for what is noted of a row that will be given soon.
    #[inline(always)]
    pub fn fetch(&self, row: u32) {
        prefetch_index(&*self.lane_of, row as usize);
    }

    /// The distinct rows.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> &[u32] {
        &self.rows[..self.len]
    }

    /// How often each was given; zero in lanes past the last.
    #[inline(always)]
    #[must_use]
    pub fn counts(&self) -> &Lanes {
        &self.count
    }
}

/// The part of a step that knows the geometry.
///
/// Rows are coordinates with one number more beside them, tiles are [`LANES`] rows side by side. Which kernel is used is
/// decided once for a bucket, so that each has a hot loop of its own.
pub trait Kernel {
    /// Buffers for points of `dim` coordinates.
    fn new(dim: usize) -> Self;

    /// Takes a point.
    fn start(&mut self, row: &[f32]);

    /// Moves the rows of a tile by their steps and keeps what they do to the point; `count` says how often each row was
    /// seen, or how much it counts as noise.
    fn compare(&mut self, kind: Kind, tile: &mut [Lanes], count: &Lanes, pace: Pace);

    /// The same for up to [`MOST_TILES`] different tiles of a table, whose counts lie in the same order as the tiles.
    fn compare_each(
        &mut self,
        kind: Kind,
        table: &mut [Lanes],
        tiles: &[usize],
        counts: &[Lanes],
        pace: Pace,
    );

    /// Puts the moved point into its row.
    fn finish(&mut self, row: &mut [f32]);

    /// Steps so far that would have left the space and were not made.
    fn dropped(&self) -> u64;
}

/// A point of the ball that is being compared.
#[derive(Debug)]
pub struct BallKernel {
    dim: usize,
    point: Vec<f32>,
    slack: f32,
    pulls: Pulls,
    pairs: [Pairs; MOST_TILES],
    /// Lane by lane; exact up to 2²⁴, more than a bucket has groups.
    dropped_rows: Lanes,
    dropped_points: u64,
}

/// How the rows pulled the point so far, lane by lane: the sum over rows is Σ on_rows + Σ on_point·x.
#[derive(Debug)]
struct Pulls {
    on_rows: Vec<Lanes>,
    on_point: Lanes,
}

impl Kernel for BallKernel {
    fn new(dim: usize) -> Self {
        let none = Lanes::NONE;
        Self {
            dim,
            point: vec![0.0; dim],
            slack: 1.0,
            pulls: Pulls { on_rows: vec![none; dim], on_point: none },
            pairs: [Pairs::NONE; MOST_TILES],
            dropped_rows: none,
            dropped_points: 0,
        }
    }

    #[inline(always)]
    fn start(&mut self, row: &[f32]) {
        let (&slack, coordinates) = row.split_last().expect("a row ends with its slack");
        for (x, from) in self.point[..self.dim].iter_mut().zip(coordinates) {
            *x = *from;
        }
        self.slack = slack;
        self.pulls.on_rows[..self.dim].fill(Lanes::NONE);
        self.pulls.on_point = Lanes::NONE;
    }

    #[inline(always)]
    fn compare(&mut self, kind: Kind, tile: &mut [Lanes], count: &Lanes, pace: Pace) {
        let mut pairs = [Pairs::NONE];
        let (point, tile) = (&self.point[..self.dim], &mut tile[..=self.dim]);
        measure(point, tile, count, &mut pairs[0]);
        steps(kind, &mut pairs, self.slack, pace);
        self.pulls.step(point, tile, &pairs[0]);
        add(&mut self.dropped_rows, &pairs[0].dropped);
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
        let (point, depth) = (&self.point[..self.dim], self.dim + 1);
        for (pairs, &tile) in self.pairs.iter_mut().zip(tiles) {
            measure(point, &table[tile * depth..][..depth], &counts[tile], pairs);
        }
        steps(kind, &mut self.pairs[..tiles.len()], self.slack, pace);
        for (pairs, &tile) in self.pairs.iter().zip(tiles) {
            self.pulls.step(point, &mut table[tile * depth..][..depth], pairs);
            add(&mut self.dropped_rows, &pairs.dropped);
        }
    }

    #[inline(always)]
    fn finish(&mut self, row: &mut [f32]) {
        let (on_point, dim) = (sum(self.pulls.on_point.0), self.dim);
        let point = &mut self.point[..dim];
        for (x, pull) in point.iter_mut().zip(&self.pulls.on_rows[..dim]) {
            *x = on_point.mul_add(*x, sum(pull.0));
        }
        if !follow(row, self.slack, dim, point) {
            self.dropped_points += 1;
        }
    }

    fn dropped(&self) -> u64 {
        self.dropped_points + self.dropped_rows.iter().map(|&count| count as u64).sum::<u64>()
    }
}

/// What the arithmetic has to know of the pairs of a point and a tile.
#[inline(always)]
fn measure(point: &[f32], tile: &[Lanes], count: &Lanes, pairs: &mut Pairs) {
    let (slack, rows) = tile.split_last().expect("a tile ends with its slacks");
    let mut squared = Lanes::NONE;
    for (&x, y) in point.iter().zip(rows) {
        for l in 0..LANES {
            let difference = x - y[l];
            squared[l] = difference.mul_add(difference, squared[l]);
        }
    }
    (pairs.s, pairs.b, pairs.count) = (squared, *slack, *count);
}

impl Pulls {
    /// Moves the rows of a tile, and adds up how they pull.
    #[inline(always)]
    fn step(&mut self, point: &[f32], tile: &mut [Lanes], pairs: &Pairs) {
        let (slack, rows) = tile.split_last_mut().expect("a tile ends with its slacks");
        // Copies stay in registers over all dimensions.
        let Pairs { pull_row, on_row, on_point, .. } = *pairs;
        let mut norm = Lanes::NONE;
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
fn add(sum: &mut Lanes, terms: &Lanes) {
    for l in 0..LANES {
        sum[l] += terms[l];
    }
}

/// The sum of a register, by halves: the same order of additions on every machine.
#[inline(always)]
pub(super) fn sum<const W: usize>(mut terms: [f32; W]) -> f32 {
    let mut width = W;
    while width > 1 {
        width /= 2;
        for w in 0..width {
            terms[w] += terms[w + width];
        }
    }
    terms[0]
}

/// x ← exp_x(v); `false` if the step would leave the ball, which then is not made.
#[inline(always)]
fn follow(x: &mut [f32], a: f32, dim: usize, v: &[f32]) -> bool {
    let (mut v2, mut xv) = (0.0f32, 0.0f32);
    for i in 0..dim {
        v2 = v[i].mul_add(v[i], v2);
        xv = v[i].mul_add(x[i], xv);
    }
    if v2 == 0.0 {
        return true;
    }
    let angle2 = v2 / (a * a);
    if angle2 > STEP_LIMIT * STEP_LIMIT {
        return false;
    }
    let (p, q) = tanh_parts(angle2);
    let tanhc = p / q; // tanh(angle)/angle; then z = tau_over_norm · v
    let tau_over_norm = tanhc / a;
    let tau2 = tanhc * tanhc * angle2;
    let xz2 = 2.0 * tau_over_norm * xv;
    let inverse = 1.0 / (1.0 + xz2 + (1.0 - a) * tau2);
    let slack = a * (1.0 - tau2) * inverse;
    if slack < SLACK_LIMIT || slack.is_nan() {
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
    use crate::train::table::Table;
    use crate::train::tiles::{laid_out, taken_back};
    use pulp::Simd as _;

    /// The same step, the obvious way: one row at a time, in double precision, by log and exp.
    fn plain(points: &mut Points, x: &mut [f64], draws: &[(u32, f64, f64)], rate: f64, curvature: f64) {
        let dim = x.len();
        let (mut at_x, mut at_y, mut moved) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; dim]);
        let mut sum = vec![0.0; dim];
        for &(row, seen, noise) in draws {
            let y = points.row(row as usize).to_vec();
            let square = distance(x, &y).powi(2) / curvature;
            let near = rate / (1.0 + (-square).exp());
            let fraction =
                seen * near / (1.0 + (seen - 1.0).max(0.0) * near) - noise * near * (-square).exp();
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
    fn lanes_in_single_precision_agree_with_the_plain_step_in_double() {
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

                // One tile of rows that were seen, some twice or not at all; one of noise that counts more or less.
                let seen = Lanes(std::array::from_fn(|l| (l % 4) as f32));
                let noise = Lanes(std::array::from_fn(|l| 0.3 * l as f32));
                let (old, old_x) = (rows.all_points(), node.all_points().row(0).to_vec());
                let (mut expected, mut x) = (old.clone(), old_x.clone());
                let draws = (0..count as u32).map(|row| match row as usize {
                    l if l < LANES => (row, f64::from(seen[l]), 0.0),
                    l => (row, 0.0, f64::from(noise[l - LANES])),
                });
                plain(&mut expected, &mut x, &draws.collect::<Vec<_>>(), rate, 2.0);

                let mut tiles = laid_out(&rows);
                let mut kernel = BallKernel::new(dim);
                let pace = Pace { rate: rate as f32, curvature: 2.0 };
                let (first, second) = tiles.split_at_mut(dim + 1);
                kernel.start(node.row_with_slack(0));
                kernel.compare(Kind::Seen, first, &seen, pace);
                kernel.compare(Kind::Noise, second, &noise, pace);
                kernel.finish(node.data_mut());
                assert_eq!(kernel.dropped(), 0);

                let moved = taken_back(&tiles, &rows);
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
    fn a_row_given_twice_gets_one_lane_and_a_count() {
        let mut group = Group::new(100);
        group.fill(&[7, 99, 7, 0, 7]);
        assert_eq!(group.rows(), [7, 99, 0]);
        assert_eq!(group.counts()[..4], [3.0, 1.0, 1.0, 0.0]);
        group.fill(&[99]);
        assert_eq!((group.rows(), group.counts()[..2].to_vec()), (&[99][..], vec![1.0, 0.0]));
    }

    #[test]
    fn rows_that_lie_on_the_point_stay_there() {
        for dim in [2, 10] {
            let mut rows = Table::at_origin(LANES, dim);
            (0..LANES).for_each(|i| rows.set(i, &vec![0.1; dim]));
            let mut node = rows.clone();
            let mut tiles = laid_out(&rows);
            let mut kernel = BallKernel::new(dim);
            let pace = Pace { rate: 0.1, curvature: 1.0 };
            kernel.start(node.row_with_slack(0));
            kernel.compare(Kind::Seen, &mut tiles, &Lanes::all(1.0), pace);
            kernel.compare(Kind::Noise, &mut tiles, &Lanes::all(1.0), pace);
            kernel.finish(&mut node.data_mut()[..=dim]);
            assert_eq!(kernel.dropped(), 0);
            for i in 0..LANES {
                let (found, expected) = (taken_back(&tiles, &rows), rows.row(i));
                assert!(found.row(i).iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-6));
            }
        }
    }

    /// One comparison with every tile, compiled for the instruction set it is dispatched with.
    struct Update<'a>(&'a mut Table, &'a mut [Lanes]);

    impl pulp::WithSimd for Update<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            let pace = Pace { rate: 0.05, curvature: 3.0 };
            let mut kernel = BallKernel::new(self.0.dim());
            kernel.start(self.0.row_with_slack(0));
            let depth = self.0.stride();
            for (i, tile) in self.1.chunks_exact_mut(depth).enumerate() {
                let kind = if i == 0 { Kind::Seen } else { Kind::Noise };
                kernel.compare(kind, tile, &Lanes(std::array::from_fn(|l| l as f32 / 7.0)), pace);
            }
            kernel.finish(&mut self.0.data_mut()[..depth]);
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for dim in [2, 5, 10, 33] {
            let mut rng = stream(2, Purpose::Start, dim as u64, 0);
            let start =
                Table::scattered(Geometry::Poincare, 3 * LANES, dim, 0.5 / (dim as f64).sqrt(), &mut rng);
            let (mut plain, mut best) =
                ((start.clone(), laid_out(&start)), (start.clone(), laid_out(&start)));
            pulp::Scalar::new().vectorize(Update(&mut plain.0, &mut plain.1));
            pulp::Arch::new().dispatch(Update(&mut best.0, &mut best.1));
            assert!(plain.0 != start && plain.1 != laid_out(&start), "something moved");
            assert_eq!(plain, best, "dim {dim}");
        }
    }
}
