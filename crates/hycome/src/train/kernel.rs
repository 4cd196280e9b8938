//! The hot loop: one point, the rows it is compared with, one lane each.
//!
//! [`Kernel::update`] takes a point x and a [`Group`] of distinct rows y, each seen together with x, drawn as
//! noise, or both, and makes one Riemannian gradient step with all of them: every y moves along its
//! geodesic to x, and x along the sum of its pulls, all computed from the old positions. It is three
//! sweeps: differences row by row, the arithmetic of [`super::lanes`] for all lanes at once, rows again.
//! Groups make it fast (one x serves dozens of rows, and the long chain of divisions and roots is shared by a
//! register of lanes) and lose nothing: a row drawn twice has one lane and a count.

use super::lanes::{LANES, Pairs, SLACK_LIMIT, Steps, steps};
use super::table::Shape;

/// The distinct rows one point is compared with, and how often each was drawn.
#[derive(Debug)]
pub struct Group {
    rows: Vec<u32>,
    seen: Vec<f32>,
    noise: Vec<f32>,
    /// Lane of a row plus one; zero where the row is not in the group.
    lane_of: Vec<u16>,
}

impl Group {
    /// An empty group over a table of `row_count` rows.
    #[must_use]
    pub fn new(row_count: usize) -> Self {
        Self { rows: Vec::new(), seen: Vec::new(), noise: Vec::new(), lane_of: vec![0; row_count] }
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
            self.rows.push(row);
            self.seen.push(0.0);
            self.noise.push(0.0);
            *slot = self.rows.len() as u16;
        }
        usize::from(*slot) - 1
    }

    /// Empties the group.
    #[inline(always)]
    pub fn clear(&mut self) {
        for &row in &self.rows {
            self.lane_of[row as usize] = 0;
        }
        self.rows.clear();
        self.seen.clear();
        self.noise.clear();
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
    pub fn update(&mut self, point: &mut [f32], rows: &mut [f32], group: &Group, rate: f32) {
        match self.shape.stride {
            4 => self.update_with::<4>(1, point, rows, group, rate),
            8 => self.update_with::<8>(1, point, rows, group, rate),
            16 => self.update_with::<8>(2, point, rows, group, rate),
            stride => self.update_with::<8>(stride / 8, point, rows, group, rate),
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
        rate: f32,
    ) {
        let dim = self.shape.dim;
        let a = point[dim];
        self.point.copy_from_slice(point);
        self.point[dim] = 0.0;
        self.pull.fill(0.0);
        let x = &self.point.as_chunks::<W>().0[..chunks];
        let mask = &self.mask.as_chunks::<W>().0[..chunks];
        let pull = &mut self.pull.as_chunks_mut::<W>().0[..chunks];
        let (rows, _) = rows.as_chunks_mut::<W>();
        let mut pull_on_point = 0.0;
        let mut dropped = 0.0;

        let mut pairs = Pairs::default();
        let mut out = Steps::default();
        for (first, lanes) in group.rows.chunks(LANES).enumerate() {
            let first = first * LANES;
            // Lanes past the end repeat a harmless pair: never seen, never noise, so it does not move.
            pairs.seen = [0.0; LANES];
            pairs.noise = [0.0; LANES];
            pairs.squared_difference = [0.0; LANES];
            pairs.slack = [1.0; LANES];
            for (l, &row) in lanes.iter().enumerate() {
                let y = &rows[row as usize * chunks..][..chunks];
                pairs.squared_difference[l] = squared_difference(x, y, mask);
                pairs.slack[l] = y.as_flattened()[dim];
            }
            pairs.seen[..lanes.len()].copy_from_slice(&group.seen[first..first + lanes.len()]);
            pairs.noise[..lanes.len()].copy_from_slice(&group.noise[first..first + lanes.len()]);

            steps(&pairs, a, rate, &mut out);

            for (l, &row) in lanes.iter().enumerate() {
                let y = &mut rows[row as usize * chunks..][..chunks];
                for c in 0..chunks {
                    for w in 0..W {
                        pull[c][w] = out.pull_row[l].mul_add(y[c][w], pull[c][w]);
                        y[c][w] = out.on_row[l].mul_add(y[c][w], out.on_point[l] * x[c][w]);
                    }
                }
                y.as_flattened_mut()[dim] = out.slack[l];
                pull_on_point += out.pull_point[l];
                dropped += out.dropped[l];
            }
        }
        self.dropped += dropped as u64;
        for (pull, (x, mask)) in pull.as_flattened_mut().iter_mut().zip(x.as_flattened().iter().zip(mask.as_flattened())) {
            *pull = mask * pull_on_point.mul_add(*x, *pull);
        }
        if !follow(point, a, dim, pull.as_flattened()) {
            self.dropped += 1;
        }
    }
}

/// |x−y|² over the coordinates, in a fixed order of additions.
#[inline(always)]
fn squared_difference<const W: usize>(x: &[[f32; W]], y: &[[f32; W]], mask: &[[f32; W]]) -> f32 {
    let mut sums = [0.0f32; W];
    for ((x, y), mask) in x.iter().zip(y).zip(mask) {
        for w in 0..W {
            let difference = (x[w] - y[w]) * mask[w];
            sums[w] = difference.mul_add(difference, sums[w]);
        }
    }
    let mut width = W;
    while width > 1 {
        width /= 2;
        for w in 0..width {
            sums[w] += sums[w + width];
        }
    }
    sums[0]
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
    if !(slack >= SLACK_LIMIT) {
        return false;
    }
    let (on_x, on_v) = ((1.0 + xz2 + tau2) * inverse, a * tau_over_norm * inverse);
    for i in 0..dim {
        x[i] = on_x.mul_add(x[i], on_v * v[i]);
    }
    x[dim] = slack;
    true
}
