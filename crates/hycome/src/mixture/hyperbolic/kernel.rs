//! SIMD kernels of EM and K-means on one block of points of the Poincaré ball.
//!
//! For a point x and a centre μ let A = 1−|μ|², B = 1−|x|², s = |x−μ|² and u = s/(A·B). Then, with q = √(u+u²),
//!
//! > cosh d = 1 + 2u,  sinh d = 2q,  d = ln(1 + 2(u + q)),
//!
//! without cancellation. With e = d/q, which is 2 for equal points, everything else is free of further
//! roots and logarithms:
//!
//! > d² = e²·(u+u²),  d·coth d = e·(½ + u),  log_μ(x) = ½e·(A/B·x − (A/B + A·u)·μ).
//!
//! So the sum of the logarithms, the Riemannian gradient of the Fréchet variance, needs one number per point, ½w·e/B,
//! times the coordinates, and one sum. The E step has u and e of the current means and returns their gradient sums: the
//! first pass of the next Fréchet means costs nothing but these sums.
//!
//! Each operation is a type with one inlined method, run by [`pulp::Arch::dispatch`] as code for the widest
//! vectors of the machine. A closure would be shorter, but it is called through a function that is not inlined
//! and was compiled for the narrowest: an EM iteration then took 1.7 times as long. For the same reason the loops
//! are plain and not `map(…).collect()`.

use pulp::{Simd, WithSimd};

use super::ball_columns::Block;
use crate::Points;
use crate::geometry::barycenter::FrechetGradient;
use crate::geometry::poincare;
use crate::numeric::columns::{Column, LANES, ROWS, dot, sum};
use crate::numeric::elementary::{exp, ln_1p};

/// u of equal points is raised to this, far below rounding, so that d/q is 2 and not 0/0.
const TINY: f64 = 1e-300;

/// One Gaussian of a mixture as the E step needs it.
#[derive(Clone, Debug)]
pub(super) struct Component<'a> {
    /// μ.
    pub mean: &'a [f64],
    /// 1/(1−|μ|²).
    pub inverse_slack: f64,
    /// ln π − ln ζ(σ).
    pub log_height: f64,
    /// 1/2σ².
    pub half_precision: f64,
}

/// Sums over points from which the gradient of the Fréchet variance at a centre μ is formed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GradientSums {
    /// Σ w.
    pub weight: f64,
    /// Σ w·d².
    pub squared_distance: f64,
    /// Σ w·d·coth d.
    stiffness: f64,
    /// Σ ½w·e·(1/B + u), the coefficient of −μ.
    on_mean: f64,
    /// Σ ½w·e/B·x.
    on_points: Vec<f64>,
}

impl GradientSums {
    /// No points.
    pub(super) fn zero(dim: usize) -> Self {
        Self { weight: 0.0, squared_distance: 0.0, stiffness: 0.0, on_mean: 0.0, on_points: vec![0.0; dim] }
    }

    /// Adds the sums of further points.
    pub(super) fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.squared_distance += other.squared_distance;
        self.stiffness += other.stiffness;
        self.on_mean += other.on_mean;
        self.on_points.iter_mut().zip(&other.on_points).for_each(|(sum, more)| *sum += more);
    }

    /// The gradient at `mean`, for which the sums were taken.
    pub(super) fn gradient(&self, mean: &[f64]) -> FrechetGradient {
        let slack = poincare::slack(mean);
        let direction = self.on_points.iter().zip(mean);
        FrechetGradient {
            weight: self.weight,
            direction: direction.map(|(x, mean)| slack * (x - mean * self.on_mean)).collect(),
            stiffness: self.stiffness,
            squared_distance: self.squared_distance,
        }
    }
}

/// Buffers of one thread for all components at one block.
#[derive(Default)]
pub(super) struct Scratch {
    log_density: Vec<Column>,
    excess: Vec<Column>,
    ratio: Vec<Column>,
}

impl Scratch {
    /// Buffers for a number of components.
    pub(super) fn new(components: usize) -> Self {
        let columns = vec![[0.0; ROWS]; components];
        Self { log_density: columns.clone(), excess: columns.clone(), ratio: columns }
    }
}

/// Outcome of the E step on one block besides the responsibilities.
pub(super) struct BlockStatistics {
    /// Σ ln of the mixture's density.
    pub log_likelihood: f64,
    /// Σ |w − w'| over points and components.
    pub change: f64,
    /// Gradient sums at each component's mean.
    pub sums: Vec<GradientSums>,
}

/// The E step on one block: `responsibilities`, a column for each component, become the new ones.
pub(super) struct BlockExpectation<'a> {
    /// The points.
    pub block: Block<'a>,
    /// The Gaussians.
    pub components: &'a [Component<'a>],
    /// Before and after.
    pub responsibilities: &'a mut [Column],
    /// Buffers for the components.
    pub scratch: &'a mut Scratch,
}

impl WithSimd for BlockExpectation<'_> {
    type Output = BlockStatistics;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> BlockStatistics {
        expect(self.block, self.components, self.responsibilities, self.scratch)
    }
}

#[inline(always)]
fn expect(
    block: Block,
    components: &[Component],
    responsibilities: &mut [Column],
    scratch: &mut Scratch,
) -> BlockStatistics {
    let mut largest = [f64::NEG_INFINITY; ROWS];
    for (k, component) in components.iter().enumerate() {
        let (excess, ratio) = (&mut scratch.excess[k], &mut scratch.ratio[k]);
        compare(block, component.mean, component.inverse_slack, excess, ratio);
        let log_density = &mut scratch.log_density[k];
        for i in 0..ROWS {
            let (u, e) = (excess[i], ratio[i]);
            log_density[i] = component.log_height - component.half_precision * (e * e * (u + u * u));
            largest[i] = if log_density[i] > largest[i] { log_density[i] } else { largest[i] };
        }
    }
    let mut total = [0.0; ROWS];
    for density in &mut scratch.log_density {
        for i in 0..ROWS {
            density[i] = exp(density[i] - largest[i]);
            total[i] += density[i];
        }
    }
    let mut log_density = [0.0; ROWS];
    let mut share = [0.0; ROWS];
    for i in 0..ROWS {
        // The largest summand is one, so the total is at least one.
        log_density[i] = largest[i] + ln_1p(total[i] - 1.0);
        share[i] = 1.0 / total[i];
    }
    log_density[block.len..].fill(0.0);
    share[block.len..].fill(0.0);

    let mut change = [0.0; LANES];
    let mut sums = Vec::with_capacity(components.len());
    for (k, weight) in responsibilities.iter_mut().enumerate() {
        let density = &scratch.log_density[k];
        for i in (0..ROWS).step_by(LANES) {
            for l in 0..LANES {
                let new = density[i + l] * share[i + l];
                change[l] += (new - weight[i + l]).abs();
                weight[i + l] = new;
            }
        }
        sums.push(accumulate(block, weight, &scratch.excess[k], &scratch.ratio[k]));
    }
    BlockStatistics { log_likelihood: sum(&log_density), change: change.iter().sum(), sums }
}

/// Gradient sums of one block's weighted points at a centre.
pub(super) struct SumGradients<'a> {
    /// The points.
    pub block: Block<'a>,
    /// The centre.
    pub mean: &'a [f64],
    /// One weight for each point.
    pub weights: &'a Column,
}

impl WithSimd for SumGradients<'_> {
    type Output = GradientSums;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> GradientSums {
        let Self { block, mean, weights } = self;
        let (mut excess, mut ratio) = ([0.0; ROWS], [0.0; ROWS]);
        compare(block, mean, 1.0 / poincare::slack(mean), &mut excess, &mut ratio);
        accumulate(block, weights, &excess, &ratio)
    }
}

/// The nearest of several centres for each point of a block: its index and squared distance.
pub(super) struct FindNearest<'a> {
    /// The points.
    pub block: Block<'a>,
    /// The centres.
    pub means: &'a Points,
}

impl WithSimd for FindNearest<'_> {
    type Output = (Column, Column);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (Column, Column) {
        let (mut index, mut least, mut trial) = ([0.0; ROWS], [f64::INFINITY; ROWS], [0.0; ROWS]);
        for (k, mean) in self.means.rows().enumerate() {
            excesses(self.block, mean, 1.0 / poincare::slack(mean), &mut trial);
            for i in 0..ROWS {
                // u grows with the distance, so only the least needs its logarithm
                let less = trial[i] < least[i];
                least[i] = if less { trial[i] } else { least[i] };
                index[i] = if less { k as f64 } else { index[i] };
            }
        }
        for u in &mut least {
            let distance = ln_1p(2.0 * (*u + (*u + *u * *u).sqrt()));
            *u = distance * distance;
        }
        (index, least)
    }
}

/// u = s/(A·B) of one block's points and a centre.
#[inline(always)]
fn excesses(block: Block, mean: &[f64], inverse_slack: f64, out: &mut Column) {
    *out = [0.0; ROWS];
    for (column, &mean) in block.coordinates.iter().zip(mean) {
        for i in 0..ROWS {
            let difference = column[i] - mean;
            out[i] += difference * difference;
        }
    }
    for i in 0..ROWS {
        out[i] *= inverse_slack * block.inverse_slack[i];
    }
}

/// u (`excess`) and e (`ratio`) of one block's points and a centre.
#[inline(always)]
fn compare(block: Block, mean: &[f64], inverse_slack: f64, excess: &mut Column, ratio: &mut Column) {
    excesses(block, mean, inverse_slack, excess);
    for i in 0..ROWS {
        let u = if excess[i] > TINY { excess[i] } else { TINY };
        let q = (u + u * u).sqrt();
        excess[i] = u;
        ratio[i] = ln_1p(2.0 * (u + q)) / q;
    }
}

#[inline(always)]
fn accumulate(block: Block, weights: &Column, excess: &Column, ratio: &Column) -> GradientSums {
    let (mut weight, mut squared) = ([0.0; LANES], [0.0; LANES]);
    let (mut stiffness, mut on_mean) = ([0.0; LANES], [0.0; LANES]);
    let mut pull = [0.0; ROWS];
    for i in (0..ROWS).step_by(LANES) {
        for l in 0..LANES {
            let (w, u, e) = (weights[i + l], excess[i + l], ratio[i + l]);
            let (we, b) = (w * e, block.inverse_slack[i + l]);
            weight[l] += w;
            squared[l] += we * e * (u + u * u);
            stiffness[l] += we * (0.5 + u);
            on_mean[l] += 0.5 * we * (b + u);
            pull[i + l] = 0.5 * we * b;
        }
    }
    let mut on_points = vec![0.0; block.coordinates.len()];
    for (sum, column) in on_points.iter_mut().zip(block.coordinates) {
        *sum = dot(&pull, column);
    }
    GradientSums {
        weight: weight.iter().sum(),
        squared_distance: squared.iter().sum(),
        stiffness: stiffness.iter().sum(),
        on_mean: on_mean.iter().sum(),
        on_points,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ball_columns::BallColumns;
    use super::*;
    use pulp::Arch;

    use crate::rng::{Purpose, stream};

    fn cloud(dim: usize) -> (Points, Vec<f64>) {
        let mut rng = stream(11, Purpose::Start, 0, dim as u64);
        let data = (0..200 * dim).map(|_| 1.9 * (rng.unit() - 0.5) / (dim as f64).sqrt());
        let points = Points::new(dim, data.collect());
        (points, (0..200).map(|_| rng.unit()).collect())
    }

    #[test]
    fn gradient_sums_are_those_of_a_plain_loop() {
        for dim in [1, 2, 10, 33] {
            let (points, weights) = cloud(dim);
            let mut column = [0.0; ROWS];
            column[..200].copy_from_slice(&weights);
            let mean = points.row(3); // one of the points: its own distance is zero
            let columns = BallColumns::new(&points).unwrap();
            let fast = Arch::new()
                .dispatch(SumGradients { block: columns.block(0), mean, weights: &column })
                .gradient(mean);
            let slow = FrechetGradient::at(&points, &weights, mean);
            for (fast, slow) in fast.direction.iter().zip(&slow.direction) {
                assert!((fast - slow).abs() < 1e-12, "{fast} {slow}");
            }
            assert!((fast.weight / slow.weight - 1.0).abs() < 1e-14);
            assert!((fast.stiffness / slow.stiffness - 1.0).abs() < 1e-13);
            assert!((fast.squared_distance / slow.squared_distance - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn the_nearest_centre_is_that_of_a_plain_loop() {
        let (points, _) = cloud(5);
        let columns = BallColumns::new(&points).unwrap();
        let means = Points::new(5, points.as_slice()[..35].to_vec());
        let (place, squares) = Arch::new().dispatch(FindNearest { block: columns.block(0), means: &means });
        for (i, x) in points.rows().enumerate() {
            let distances: Vec<f64> = means.rows().map(|mean| poincare::distance(mean, x)).collect();
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(distances[place[i] as usize], least);
            assert!((squares[i] - least * least).abs() <= 1e-14 * least * least, "{} {least}", squares[i]);
        }
    }

    /// Dispatched to plain numbers, and to the best that the machine has.
    fn both_ways<T>(work: impl Fn() -> T) -> [T::Output; 2]
    where
        T: WithSimd,
    {
        [pulp::Scalar::new().vectorize(work()), Arch::new().dispatch(work())]
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits_of_a_fit() {
        for dim in [2, 5, 33] {
            let (points, weights) = cloud(dim);
            let columns = BallColumns::new(&points).unwrap();
            let block = columns.block(0);
            let mut column = [0.0; ROWS];
            column[..200].copy_from_slice(&weights);
            let means = Points::new(dim, points.as_slice()[..7 * dim].to_vec());
            let [plain, best] = both_ways(|| FindNearest { block, means: &means });
            assert_eq!(plain, best, "nearest, dim {dim}");
            let [plain, best] = both_ways(|| SumGradients { block, mean: means.row(1), weights: &column });
            assert_eq!(plain, best, "gradient sums, dim {dim}");

            let components: Vec<Component<'_>> = means
                .rows()
                .map(|mean| Component {
                    mean,
                    inverse_slack: 1.0 / poincare::slack(mean),
                    log_height: -1.5,
                    half_precision: 2.0,
                })
                .collect();
            let explained = |simd: bool| {
                let (mut found, mut scratch) = (vec![column; 7], Scratch::new(7));
                let responsibilities = &mut found[..];
                let work = BlockExpectation {
                    block,
                    components: &components,
                    responsibilities,
                    scratch: &mut scratch,
                };
                let sums =
                    if simd { Arch::new().dispatch(work) } else { pulp::Scalar::new().vectorize(work) };
                (sums.log_likelihood, sums.change, sums.sums, found)
            };
            assert_eq!(explained(false), explained(true), "expectation, dim {dim}");
        }
    }
}
