//! The arithmetic of losses on one block of points.
//!
//! As in the mixture's kernel, the numbers of a block are stored one column after the other, so that every loop goes
//! over many points and becomes vector code; functions without branches stand in for the library's. Point by point, a
//! fit to ten thousand points in ten dimensions took seconds instead of a third of one. Sums are kept in [`LANES`]
//! parts whatever the machine's vectors are, and blocks are added in their order, so that the result is the same on
//! any number of threads.

use pulp::{Simd, WithSimd};

use super::surface::{Shape, Surface, Value};
use crate::mixture::elementary::{exp, ln_1p};

/// Points in a block.
pub(super) const ROWS: usize = 256;

/// Parts in which a column is added up.
const LANES: usize = 8;

/// One number for each point of a block.
pub(super) type Column = [f64; ROWS];

/// What a classifier is fitted to: rows of features in blocks of columns.
pub(super) struct Examples {
    /// Numbers in a row.
    pub width: usize,
    /// Number of rows.
    pub len: usize,
    /// Feature j of block b is column b·width + j; rows after the last are zero.
    features: Vec<Column>,
}

impl Examples {
    /// Rows of so many numbers, each written by `fill`.
    pub fn new(width: usize, len: usize, fill: impl Fn(usize, &mut [f64])) -> Self {
        let mut features = vec![[0.0; ROWS]; width * len.div_ceil(ROWS)];
        let mut row = vec![0.0; width];
        for i in 0..len {
            fill(i, &mut row);
            let block = &mut features[i / ROWS * width..];
            block.iter_mut().zip(&row).for_each(|(column, &x)| column[i % ROWS] = x);
        }
        Self { width, len, features }
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.len.div_ceil(ROWS)
    }

    /// The columns of block `b`.
    pub fn block(&self, b: usize) -> &[Column] {
        &self.features[b * self.width..(b + 1) * self.width]
    }

    /// The numbers of row `i`.
    pub fn row(&self, i: usize) -> Vec<f64> {
        self.block(i / ROWS).iter().map(|column| column[i % ROWS]).collect()
    }

    /// For each block and class a column with 1 where `is_in(row, class)`, −1 elsewhere and 0 where no row is.
    pub fn targets(&self, classes: usize, is_in: impl Fn(usize, usize) -> bool) -> Vec<Column> {
        let mut targets = vec![[0.0; ROWS]; classes * self.block_count()];
        for i in 0..self.len {
            for class in 0..classes {
                let sign = if is_in(i, class) { 1.0 } else { -1.0 };
                targets[i / ROWS * classes + class][i % ROWS] = sign;
            }
        }
        targets
    }
}

/// What a wrong answer costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// ln(1 + e^(−yv)), each class against the rest.
    Logistic,
    /// max(0, asinh 1 − yv), rounded; each class against the rest.
    Hinge,
    /// ln Σ_j e^(v_j) − v_k, all classes together.
    Softmax,
}

/// asinh 1: beyond this the hinge asks for no more.
const FULL_MARGIN: f64 = 0.881_373_587_019_543;

/// Half the width over which the edge of the hinge is rounded; it moves a loss by a quarter of that at most.
const ROUNDED: f64 = 0.01;

/// What a pass over points adds up for one surface, g being the derivative of the loss in the surface's value.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// Σ g·(∂value/∂τ)·X.
    pub pull: Vec<f64>,
    /// Σ g·∂value/∂s.
    pub stretch: f64,
}

impl Sums {
    /// Nothing yet, for rows of so many numbers.
    pub fn zero(width: usize) -> Self {
        Self { pull: vec![0.0; width], stretch: 0.0 }
    }
}

/// Columns that one surface needs.
#[derive(Clone)]
struct Work {
    value: Column,
    slope: Column,
    stretch: Column,
    /// The derivative of the loss in the value.
    push: Column,
}

impl Work {
    #[inline(always)]
    fn put(&mut self, i: usize, value: Value) {
        self.value[i] = value.value;
        self.slope[i] = value.slope;
        self.stretch[i] = value.stretch;
    }
}

/// Room for a block, to be used again for the next.
pub(super) struct Scratch(Vec<Work>);

impl Scratch {
    /// Room for so many surfaces.
    pub fn new(surfaces: usize) -> Self {
        let zero = [0.0; ROWS];
        Self(vec![Work { value: zero, slope: zero, stretch: zero, push: zero }; surfaces])
    }
}

/// Adds up loss and derivatives over one block; gives the loss.
pub(super) struct Evaluate<'a> {
    pub features: &'a [Column],
    /// One column for each surface.
    pub targets: &'a [Column],
    pub surfaces: &'a [Surface],
    pub loss: Loss,
    pub scratch: &'a mut Scratch,
    /// Where the derivatives are added.
    pub sums: &'a mut [Sums],
}

impl WithSimd for Evaluate<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let work = &mut self.scratch.0;
        for (work, surface) in work.iter_mut().zip(self.surfaces) {
            evaluate(surface, self.features, work);
        }
        let loss = match self.loss {
            Loss::Softmax => softmax(work, self.targets),
            one_class => {
                let pairs = work.iter_mut().zip(self.targets);
                pairs.map(|(work, target)| one_against_rest(one_class, work, target)).sum()
            }
        };
        for (work, sums) in work.iter_mut().zip(self.sums) {
            sums.stretch += dot(&work.push, &work.stretch);
            for i in 0..ROWS {
                work.push[i] *= work.slope[i];
            }
            for (sum, feature) in sums.pull.iter_mut().zip(self.features) {
                *sum += dot(&work.push, feature);
            }
        }
        loss
    }
}

#[inline(always)]
fn evaluate(surface: &Surface, features: &[Column], work: &mut Work) {
    let mut product = [0.0; ROWS];
    for (feature, &n) in features.iter().zip(&surface.normal) {
        for i in 0..ROWS {
            product[i] += n * feature[i];
        }
    }
    let scale = surface.scale;
    // One loop for each shape: a case distinction inside would keep it from becoming vector code.
    match surface.shape {
        Shape::Distance => {
            for i in 0..ROWS {
                work.put(i, Value::distance(scale, product[i]));
            }
        }
        Shape::Margin => {
            for i in 0..ROWS {
                work.put(i, Value::margin(scale, product[i]));
            }
        }
        Shape::Flat => {
            for i in 0..ROWS {
                work.put(i, Value::flat(product[i]));
            }
        }
    }
}

/// Loss and derivatives of one class.
#[inline(always)]
fn one_against_rest(loss: Loss, work: &mut Work, target: &Column) -> f64 {
    let mut losses = [0.0; ROWS];
    for i in 0..ROWS {
        let sign = target[i];
        let agreement = sign * work.value[i];
        let (loss, slope) = if loss == Loss::Hinge { hinge(agreement) } else { logistic(agreement) };
        losses[i] = sign.abs() * loss;
        work.push[i] = sign * slope;
    }
    sum(&losses)
}

/// ln(1 + e^(−a)) and its derivative.
#[inline(always)]
fn logistic(agreement: f64) -> (f64, f64) {
    let small = exp(-agreement.abs());
    let loss = ln_1p(small) - agreement.min(0.0);
    let share = if agreement < 0.0 { 1.0 } else { small };
    (loss, -share / (1.0 + small))
}

/// max(0, asinh 1 − a), rounded, and its derivative.
#[inline(always)]
fn hinge(agreement: f64) -> (f64, f64) {
    let short = FULL_MARGIN - agreement;
    let share = (0.5 + short * (0.5 / ROUNDED)).clamp(0.0, 1.0);
    (ROUNDED * share * share + (short - ROUNDED).max(0.0), -share)
}

/// Loss and derivatives of all classes together.
#[inline(always)]
fn softmax(work: &mut [Work], targets: &[Column]) -> f64 {
    let mut largest = [f64::NEG_INFINITY; ROWS];
    for work in work.iter() {
        for i in 0..ROWS {
            largest[i] = largest[i].max(work.value[i]);
        }
    }
    let (mut total, mut of_class) = ([0.0; ROWS], [0.0; ROWS]);
    for (work, target) in work.iter_mut().zip(targets) {
        for i in 0..ROWS {
            let less = work.value[i] - largest[i];
            let weight = exp(less);
            total[i] += weight;
            work.push[i] = weight;
            of_class[i] += target[i].max(0.0) * less;
        }
    }
    let mut losses = [0.0; ROWS];
    for i in 0..ROWS {
        let present = targets[0][i].abs();
        // the largest counts one, so the sum is one or more
        losses[i] = present * ln_1p(total[i] - 1.0) - of_class[i];
        total[i] = present / total[i];
    }
    for (work, target) in work.iter_mut().zip(targets) {
        for i in 0..ROWS {
            work.push[i] = work.push[i] * total[i] - target[i].max(0.0);
        }
    }
    sum(&losses)
}

#[inline(always)]
fn dot(a: &Column, b: &Column) -> f64 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    lanes.iter().sum()
}

#[inline(always)]
fn sum(a: &Column) -> f64 {
    let mut lanes = [0.0; LANES];
    for a in a.chunks_exact(LANES) {
        for i in 0..LANES {
            lanes[i] += a[i];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_loss_is_that_of_its_formula() {
        for a in [-700.0f64, -3.0, -1e-9, 0.0, 0.4, 20.0, 600.0] {
            let (loss, slope) = logistic(a);
            let expected = if a < 0.0 { -a + a.exp().ln_1p() } else { (-a).exp().ln_1p() };
            assert!((loss - expected).abs() <= 1e-15 * expected, "{a}: {loss} {expected}");
            assert!((slope + 1.0 / (1.0 + a.exp())).abs() < 1e-15, "{a}");
        }
    }

    #[test]
    fn the_rounded_hinge_is_close_to_the_hinge() {
        assert_eq!(FULL_MARGIN, 1f64.asinh());
        for i in 0..4000 {
            let agreement = -1.0 + f64::from(i) * 0.001;
            let exact = (FULL_MARGIN - agreement).max(0.0);
            assert!((hinge(agreement).0 - exact).abs() <= 0.25 * ROUNDED + 1e-15);
        }
    }
}
