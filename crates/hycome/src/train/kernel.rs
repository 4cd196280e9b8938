//! The hot loop: one point, and the rows it is compared with, one lane each.
//!
//! [`Kernel::start`] takes a point x. [`Kernel::compare`] moves a tile of rows y along their geodesics to x (or from
//! it) and adds up how they pull x. [`Kernel::finish`] moves x along the sum. A comparison is three sweeps:
//! squared differences coordinate by coordinate, the arithmetic of [`super::lanes`] for all lanes at once,
//! and y' = α·y + β·x coordinate by coordinate. One x serves dozens of rows, so its own step costs next to nothing.
//!
//! The slack 1−|y|² is computed afresh from the new coordinates: updated in closed form, its relative error would
//! grow by a factor at every step, and rows that are drawn often would drift out of the ball.

use super::lanes::{Kind, LANES, Lanes, Pace, SLACK_LIMIT, steps};

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
        Self { len: 0, rows: [0; LANES], count: [0.0; LANES], lane_of: vec![0; row_count] }
    }

    /// Fills it with at most [`LANES`] rows; a row that is given twice gets one lane and a count.
    #[inline(always)]
    pub fn fill(&mut self, rows: &[u32]) {
        for &row in &self.rows[..self.len] {
            self.lane_of[row as usize] = 0;
        }
        (self.len, self.count) = (0, [0.0; LANES]);
        for &row in rows {
            let lane = &mut self.lane_of[row as usize];
            if *lane == 0 {
                self.rows[self.len] = row;
                self.len += 1;
                *lane = self.len as u8;
            }
            self.count[usize::from(*lane - 1) % LANES] += 1.0;
        }
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

/// A point that is being compared, and its pulls so far.
#[derive(Debug)]
pub struct Kernel {
    point: Vec<f32>,
    slack: f32,
    pull: Vec<Lanes>,
    pull_on_point: Lanes,
    dropped_rows: Lanes,
    /// Steps that would have left the ball and were not made.
    pub dropped: u64,
}

impl Kernel {
    /// Buffers for points of `dim` coordinates.
    #[must_use]
    pub fn new(dim: usize) -> Self {
        Self {
            point: vec![0.0; dim],
            slack: 1.0,
            pull: vec![[0.0; LANES]; dim],
            pull_on_point: [0.0; LANES],
            dropped_rows: [0.0; LANES],
            dropped: 0,
        }
    }

    /// Takes a point: its coordinates and 1−|x|².
    #[inline(always)]
    pub fn start(&mut self, row: &[f32]) {
        let (&slack, coordinates) = row.split_last().expect("a row ends with its slack");
        for (x, from) in self.point.iter_mut().zip(coordinates) {
            *x = *from;
        }
        self.slack = slack;
        self.pull.fill([0.0; LANES]);
        (self.pull_on_point, self.dropped_rows) = ([0.0; LANES], [0.0; LANES]);
    }

    /// Moves the rows of a tile by their steps and keeps what they do to the point.
    #[inline(always)]
    pub fn compare(&mut self, kind: Kind, tile: &mut [Lanes], count: &Lanes, pace: Pace) {
        let (slack, rows) = tile.split_last_mut().expect("a tile ends with its slacks");
        let mut squared = [0.0; LANES];
        for (&x, y) in self.point.iter().zip(rows.iter()) {
            for l in 0..LANES {
                let difference = x - y[l];
                squared[l] = difference.mul_add(difference, squared[l]);
            }
        }
        let step = steps(kind, &squared, self.slack, slack, count, pace);
        let mut norm = [0.0; LANES];
        for ((&x, y), pull) in self.point.iter().zip(rows).zip(&mut self.pull) {
            let (mut moved, mut sum) = (*y, *pull);
            for l in 0..LANES {
                sum[l] = step.pull_row[l].mul_add(moved[l], sum[l]);
                moved[l] = step.on_row[l].mul_add(moved[l], step.on_point[l] * x);
                norm[l] = moved[l].mul_add(moved[l], norm[l]);
            }
            (*y, *pull) = (moved, sum);
        }
        for l in 0..LANES {
            slack[l] = 1.0 - norm[l];
            self.pull_on_point[l] += step.pull_point[l];
            self.dropped_rows[l] += step.dropped[l];
        }
    }

    /// Moves the point along the sum of its pulls.
    #[inline(always)]
    pub fn finish(&mut self, row: &mut [f32]) {
        let on_point = sum(self.pull_on_point);
        let dim = self.point.len();
        let point = &mut self.point;
        for (x, pull) in point.iter_mut().zip(&self.pull) {
            *x = on_point.mul_add(*x, sum(*pull));
        }
        self.dropped += sum(self.dropped_rows) as u64;
        if !follow(row, self.slack, dim, point) {
            self.dropped += 1;
        }
    }
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
