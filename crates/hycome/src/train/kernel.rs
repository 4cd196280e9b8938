//! The hot loop: one point, the rows it is compared with, one lane each.
//!
//! [`Kernel::update`] takes a point x and a [`Group`] of distinct rows y, each seen together with x, drawn as
//! noise, or both, and makes one Riemannian gradient step with all of them: every y moves along its
//! geodesic to x, and x along the sum of its pulls, all computed from the old positions. It is three
//! sweeps: differences row by row, the arithmetic of [`super::lanes`] for all lanes at once, rows again.
//! Groups make it fast (one x serves dozens of rows, and the long chain of divisions and roots is shared by a
//! register of lanes) and lose nothing: a row drawn twice has one lane and a count.

use super::lanes::{LANES, Pace, Pairs, SLACK_LIMIT, Steps, steps};
use super::table::Shape;

/// The distinct rows one point is compared with, and how often each was drawn.
#[derive(Debug)]
pub struct Group {
    len: usize,
    rows: Vec<u32>,
    seen: Vec<f32>,
    noise: Vec<f32>,
    /// Lane of a row plus one; zero where the row is not in the group.
    lane_of: Vec<u16>,
}

impl Group {
    /// An empty group of at most `capacity` rows out of a table of `row_count`.
    #[must_use]
    pub fn new(row_count: usize, capacity: usize) -> Self {
        let lanes = capacity.next_multiple_of(LANES);
        assert!(lanes < usize::from(u16::MAX), "a lane fits its 16 bits");
        Self {
            len: 0,
            rows: vec![0; lanes],
            seen: vec![0.0; lanes],
            noise: vec![0.0; lanes],
            lane_of: vec![0; row_count],
        }
    }

    /// Counts `row` once more as seen together with the point.
    #[inline(always)]
    pub fn add_seen(&mut self, row: u32) {
        let lane = self.lane(row);
        self.seen[lane] += 1.0;
    }

    /// Counts `row` once more as noise.
    #[inline(always)]
    pub fn add_noise(&mut self, row: u32) {
        let lane = self.lane(row);
        self.noise[lane] += 1.0;
    }

    #[inline(always)]
    fn lane(&mut self, row: u32) -> usize {
        let slot = &mut self.lane_of[row as usize];
        if *slot == 0 {
            self.rows[self.len] = row;
            self.len += 1;
            *slot = self.len as u16;
        }
        usize::from(*slot) - 1
    }

    /// Empties the group.
    #[inline(always)]
    pub fn clear(&mut self) {
        for &row in &self.rows[..self.len] {
            self.lane_of[row as usize] = 0;
        }
        self.seen[..self.len].fill(0.0);
        self.noise[..self.len].fill(0.0);
        self.len = 0;
    }
}

/// Buffers of the hot loop; one per thread and bucket.
#[derive(Debug)]
pub struct Kernel {
    shape: Shape,
    point: Vec<f32>,
    pull: Vec<f32>,
    /// One on coordinates, zero on the slack and the padding.
    mask: Vec<f32>,
    /// Steps that would have left the ball and were not made.
    pub dropped: u64,
}

impl Kernel {
    /// Buffers for rows of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let mask = (0..shape.stride).map(|i| if i < shape.dim { 1.0 } else { 0.0 }).collect();
        Self { shape, point: vec![0.0; shape.stride], pull: vec![0.0; shape.stride], mask, dropped: 0 }
    }

    /// Moves the point and the rows of the group by one step.
    #[inline(always)]
    pub fn update(&mut self, point: &mut [f32], rows: &mut [f32], group: &Group, pace: Pace) {
        match self.shape.stride {
            4 => self.update_with::<4>(1, point, rows, group, pace),
            8 => self.update_with::<8>(1, point, rows, group, pace),
            16 => self.update_with::<8>(2, point, rows, group, pace),
            stride => self.update_with::<8>(stride / 8, point, rows, group, pace),
        }
    }

    /// [`Kernel::update`] for rows of `chunks` registers of `W` numbers.
    #[inline(always)]
    fn update_with<const W: usize>(
        &mut self,
        chunks: usize,
        point: &mut [f32],
        rows: &mut [f32],
        group: &Group,
        pace: Pace,
    ) {
        let dim = self.shape.dim;
        let a = point[dim];
        let x = &mut self.point.as_chunks_mut::<W>().0[..chunks];
        let mask = &self.mask.as_chunks::<W>().0[..chunks];
        let pull = &mut self.pull.as_chunks_mut::<W>().0[..chunks];
        for (c, from) in point.as_chunks::<W>().0[..chunks].iter().enumerate() {
            (x[c], pull[c]) = (*from, [0.0; W]);
        }
        x.as_flattened_mut()[dim] = 0.0;
        let x = &*x;
        let (rows, _) = rows.as_chunks_mut::<W>();
        let (mut pull_on_point, mut dropped) = ([0.0f32; LANES], [0.0f32; LANES]);

        let mut pairs = Pairs { slack: [1.0; LANES], ..Pairs::default() };
        let mut out = Steps::default();
        // Squares wait here, one register a lane, and are added up in a loop of their own: summed on the spot, the
        // compiler would split every register into scalars.
        let mut squares = [[0.0f32; W]; LANES];
        let counts = group.seen.as_chunks::<LANES>().0.iter().zip(group.noise.as_chunks::<LANES>().0);
        for (lanes, (seen, noise)) in group.rows[..group.len].chunks(LANES).zip(counts) {
            // Lanes past the end have counts of zero: whatever stands in them does not move.
            (pairs.seen, pairs.noise) = (*seen, *noise);
            for (l, &row) in lanes.iter().enumerate() {
                let y = &rows[row as usize * chunks..][..chunks];
                squares[l] = squared_differences(x, y, mask);
                pairs.slack[l] = y.as_flattened()[dim];
            }
            for l in 0..LANES {
                pairs.squared_difference[l] = sum(squares[l]);
            }

            steps(&pairs, a, pace, &mut out);

            for (l, &row) in lanes.iter().enumerate() {
                let y = &mut rows[row as usize * chunks..][..chunks];
                let mut square = [0.0f32; W];
                for (((y, x), mask), pull) in y.iter_mut().zip(x).zip(mask).zip(pull.iter_mut()) {
                    // Whole registers in and out, for the same reason.
                    let (old, mut moved, mut sum) = (*y, [0.0f32; W], *pull);
                    for w in 0..W {
                        sum[w] = out.pull_row[l].mul_add(old[w], sum[w]);
                        moved[w] = mask[w] * out.on_row[l].mul_add(old[w], out.on_point[l] * x[w]);
                        square[w] = moved[w].mul_add(moved[w], square[w]);
                    }
                    (*y, *pull) = (moved, sum);
                }
                squares[l] = square;
            }
            for (l, &row) in lanes.iter().enumerate() {
                rows[row as usize * chunks..][..chunks].as_flattened_mut()[dim] = 1.0 - sum(squares[l]);
            }
            for l in 0..LANES {
                pull_on_point[l] += out.pull_point[l];
                dropped[l] += out.dropped[l];
            }
        }
        self.dropped += sum(dropped) as u64;
        let pull_on_point = sum(pull_on_point);
        for (pull, (x, mask)) in
            pull.as_flattened_mut().iter_mut().zip(x.as_flattened().iter().zip(mask.as_flattened()))
        {
            *pull = mask * pull_on_point.mul_add(*x, *pull);
        }
        if !follow(point, a, dim, pull.as_flattened()) {
            self.dropped += 1;
        }
    }
}

/// The terms of |x−y|², added up by place in the register.
#[inline(always)]
fn squared_differences<const W: usize>(x: &[[f32; W]], y: &[[f32; W]], mask: &[[f32; W]]) -> [f32; W] {
    let mut squares = [0.0f32; W];
    for ((x, y), mask) in x.iter().zip(y).zip(mask) {
        for w in 0..W {
            let difference = (x[w] - y[w]) * mask[w];
            squares[w] = difference.mul_add(difference, squares[w]);
        }
    }
    squares
}

/// The sum of a register, by halves: the same order of additions on every machine.
#[inline(always)]
fn sum<const W: usize>(mut terms: [f32; W]) -> f32 {
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
    if angle2 > 9.0 {
        return false;
    }
    // tanh(angle)/angle, Padé as in `lanes`; then z = tau_over_norm · v
    let tanhc = angle2.mul_add(angle2 + 105.0, 945.0) / angle2.mul_add(angle2.mul_add(15.0, 420.0), 945.0);
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
    use crate::geometry::poincare::{distance, exp, log};
    use crate::points::Points;
    use crate::rng::{Purpose, stream};
    use crate::train::table::Table;
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
                let count = 60;
                // Short steps: a long one of the point shows the rational tanh, which is good to 4·10⁻⁴ only.
                let rate = 0.05 / (1.0 + spread);
                let mut point = || -> Vec<f64> {
                    let v: Vec<f64> = (0..dim).map(|_| rng.normal() * spread / (dim as f64).sqrt()).collect();
                    let mut x = vec![0.0; dim];
                    exp(&vec![0.0; dim], &v, &mut x);
                    x
                };
                let mut table = Table::at_origin(count + 1, dim);
                for i in 0..=count {
                    table.set(i, &point());
                }
                let order: Vec<u32> = (0..=count as u32).collect();
                let mut expected = table.points(&order);
                let mut x = expected.row(count).to_vec();

                let mut group = Group::new(count + 1, count);
                let mut draws = Vec::new();
                for row in (0..count as u32).step_by(3) {
                    let (seen, noise) = ((row % 4) / 3, row % 3 + row % 2);
                    (0..seen).for_each(|_| group.add_seen(row));
                    (0..noise).for_each(|_| group.add_noise(row));
                    if seen + noise > 0 {
                        draws.push((row, f64::from(seen), f64::from(noise)));
                    }
                }
                plain(&mut expected, &mut x, &draws, rate, 2.0);
                expected.row_mut(count).copy_from_slice(&x);

                let shape = table.shape();
                let mut kernel = Kernel::new(shape);
                let (rows, last) = table.data_mut().split_at_mut(count * shape.stride);
                kernel.update(last, rows, &group, Pace { rate: rate as f32, curvature: 2.0 });
                assert_eq!(kernel.dropped, 0);
                for i in 0..=count {
                    let row = &table.data_mut()[i * shape.stride..][..shape.stride];
                    let found: Vec<f64> = row[..dim].iter().map(|&c| f64::from(c)).collect();
                    let slack = 1.0 - found.iter().map(|c| c * c).sum::<f64>();
                    let error = distance(&found, expected.row(i));
                    // Rounding of one coordinate moves a point by 1e-7 of its distance scale, 2/slack.
                    assert!(
                        error < 2e-6 / slack,
                        "dim {dim} spread {spread} row {i}: {error} at slack {slack}"
                    );
                    let kept = f64::from(row[dim]);
                    assert!(
                        (kept - slack).abs() < 3e-6 + 1e-4 * slack,
                        "dim {dim} spread {spread} row {i}: {kept} {slack}"
                    );
                }
            }
        }
    }

    /// One update of a table, compiled for the instruction set it is dispatched with.
    struct Update<'a>(&'a mut Table, &'a Group);

    impl pulp::WithSimd for Update<'_> {
        type Output = ();

        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, _: S) {
            let shape = self.0.shape();
            let count = self.0.len() - 1;
            let (rows, last) = self.0.data_mut().split_at_mut(count * shape.stride);
            Kernel::new(shape).update(last, rows, self.1, Pace { rate: 0.05, curvature: 3.0 });
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for dim in [2, 5, 10, 33] {
            let mut rng = stream(2, Purpose::Start, dim as u64, 0);
            let start = Table::scattered(41, dim, 0.5 / (dim as f64).sqrt(), &mut rng);
            let mut group = Group::new(41, 40);
            (0..40).for_each(|row| if row % 5 == 0 { group.add_seen(row) } else { group.add_noise(row) });
            let (mut plain, mut best) = (start.clone(), start.clone());
            pulp::Scalar::new().vectorize(Update(&mut plain, &group));
            pulp::Arch::new().dispatch(Update(&mut best, &group));
            assert_ne!(plain, start, "something moved");
            assert_eq!(plain, best, "dim {dim}");
        }
    }
}
