//! E and M step of Riemannian Gaussians.

use pulp::Arch;
use rayon::prelude::*;

use super::super::family::{ComponentFamily, Expected};
use super::super::{Expectation, KMeans, MixtureConfig, Responsibilities};
use super::GaussianMixture;
use super::ball_columns::BallColumns;
use super::kernel::{BlockExpectation, Component, FindNearest, GradientSums, Scratch, SumGradients};
use crate::geometry::barycenter::{MAX_PASSES, tolerance};
use crate::geometry::poincare;
use crate::numeric::columns::{Column, ColumnBlocks, MIN_BLOCKS, ROWS};
use crate::special::{log_zeta, scale_from_spread};
use crate::{Points, Result, interrupt};

/// Points of the ball, to be described by Riemannian Gaussians.
pub(in crate::mixture) struct Hyperbolic<'a> {
    points: &'a Points,
    columns: BallColumns,
}

/// Responsibilities, a column for each component, and what the E step has summed for the next M step.
pub(in crate::mixture) struct Posterior {
    responsibilities: ColumnBlocks,
    /// For each component, at its mean; used up by the M step.
    sums: Option<Vec<GradientSums>>,
}

/// A component with less weight than this, in points, has lost them all.
const EMPTY: f64 = 1e-9;

/// Gradient norm at which a mean of the M step has converged. The mean of squares is then within its square, 10⁻¹², of the
/// minimum, and the next iteration continues from there: one pass of three is saved against 10⁻⁸.
const MAXIMIZATION_TOLERANCE: f64 = 1e-6;

/// Gradient norm at which a K-means centre has converged: far below what changes an assignment.
const CENTRE_TOLERANCE: f64 = 1e-8;

impl<'a> Hyperbolic<'a> {
    /// Points that are finite and inside the ball.
    pub(crate) fn new(points: &'a Points) -> Result<Self> {
        Ok(Self { points, columns: BallColumns::new(points)? })
    }

    /// Responsibilities and log-likelihood of a mixture.
    pub(crate) fn expectation(&self, mixture: &GaussianMixture) -> Result<Expectation> {
        let mut posterior = self.posterior(mixture.len());
        let log_likelihood = self.expect(mixture, &mut posterior)?.log_likelihood;
        let responsibilities = Responsibilities::new(mixture.len(), posterior.responsibilities.to_rows());
        Ok(Expectation { responsibilities, log_likelihood })
    }

    /// The M step from a posterior; the search for the means begins at `means`.
    fn maximize_from(
        &self,
        means: Points,
        posterior: &mut Posterior,
        config: &MixtureConfig,
    ) -> Result<GaussianMixture> {
        let count = means.len();
        let start = GaussianMixture {
            weights: vec![1.0 / count as f64; count],
            means,
            scales: vec![config.scale_floor; count],
        };
        self.maximize(&start, posterior, config)
    }

    /// The M step for given responsibilities; the search for the means begins at `means`.
    pub(crate) fn maximization(
        &self,
        means: Points,
        responsibilities: &Responsibilities,
        config: &MixtureConfig,
    ) -> Result<GaussianMixture> {
        let fill = |i: usize, row: &mut [f64]| row.copy_from_slice(responsibilities.row(i));
        let responsibilities = ColumnBlocks::from_rows(means.len(), responsibilities.len(), fill);
        self.maximize_from(means, &mut Posterior { responsibilities, sums: None }, config)
    }

    /// Moves the means to the Fréchet means of the weighted points; returns the sums at the means.
    fn move_means(&self, means: &mut Points, posterior: &mut Posterior) -> Result<Vec<GradientSums>> {
        let mut active: Vec<usize> = (0..means.len()).collect();
        let mut sums = match posterior.sums.take() {
            Some(sums) => sums,
            None => self.gradient_sums(&posterior.responsibilities, means, &active)?,
        };
        for _ in 1..MAX_PASSES {
            active.retain(|&k| {
                let mean = means.row(k);
                let gradient = sums[k].gradient(mean);
                let is_small = |norm: f64| norm <= tolerance(MAXIMIZATION_TOLERANCE, mean);
                if gradient.weight < EMPTY || gradient.norm(mean).is_none_or(is_small) {
                    return false;
                }
                let moved = gradient.descend(mean);
                means.row_mut(k).copy_from_slice(&moved);
                true
            });
            if active.is_empty() {
                break;
            }
            let moved = self.gradient_sums(&posterior.responsibilities, means, &active)?;
            for (&k, moved) in active.iter().zip(moved) {
                sums[k] = moved;
            }
        }
        Ok(sums)
    }

    /// Gradient sums of the weighted points at the means `chosen`.
    fn gradient_sums(
        &self,
        weights: &ColumnBlocks,
        means: &Points,
        chosen: &[usize],
    ) -> Result<Vec<GradientSums>> {
        let blocks: Vec<Vec<GradientSums>> = (0..self.columns.block_count())
            .into_par_iter()
            .map(|b| {
                interrupt::check()?;
                let (block, weights) = (self.columns.block(b), weights.block(b));
                let at = |&k: &usize| SumGradients { block, mean: means.row(k), weights: &weights[k] };
                Ok(chosen.iter().map(|k| Arch::new().dispatch(at(k))).collect())
            })
            .collect::<Result<_>>()?;
        let mut sums = vec![GradientSums::zero(self.columns.dim()); chosen.len()];
        for block in &blocks {
            sums.iter_mut().zip(block).for_each(|(sum, block)| sum.add(block));
        }
        Ok(sums)
    }
}

impl ComponentFamily for Hyperbolic<'_> {
    type Mixture = GaussianMixture;
    type Posterior = Posterior;

    const EQUAL: f64 = 1e-290;
    const PARALLEL_RESTARTS: bool = true;
    const ITERATE_CONVERGED: bool = true;

    fn component_count(mixture: &GaussianMixture) -> usize {
        mixture.len()
    }

    fn points(&self) -> &Points {
        self.points
    }

    fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
        poincare::distance(a, b).powi(2)
    }

    fn nearest(&self, b: usize, means: &Points) -> (Column, Column) {
        Arch::new().dispatch(FindNearest { block: self.columns.block(b), means })
    }

    fn mean(&self, members: &[usize], start: &[f64]) -> Result<Vec<f64>> {
        if members.len() == self.points.len() {
            return frechet_mean(&self.columns, start);
        }
        frechet_mean(&BallColumns::gather(self.points, members.len(), |i| members[i]), start)
    }

    fn initialize(
        &self,
        clusters: KMeans,
        posterior: &mut Posterior,
        config: &MixtureConfig,
    ) -> Result<GaussianMixture> {
        posterior.responsibilities.fill_one_hot(&clusters.assignment);
        posterior.sums = None;
        self.maximize_from(clusters.means, posterior, config)
    }

    fn posterior(&self, components: usize) -> Posterior {
        Posterior { responsibilities: ColumnBlocks::zeros(components, self.points.len()), sums: None }
    }

    fn expect(&self, mixture: &GaussianMixture, posterior: &mut Posterior) -> Result<Expected> {
        let components = components(mixture);
        let count = components.len();
        let blocks: Vec<_> = posterior
            .responsibilities
            .par_blocks_mut()
            .enumerate()
            .map_init(
                || Scratch::new(count),
                |scratch, (b, responsibilities)| {
                    interrupt::check()?;
                    Ok(Arch::new().dispatch(BlockExpectation {
                        block: self.columns.block(b),
                        components: &components,
                        responsibilities,
                        scratch,
                    }))
                },
            )
            .collect::<Result<_>>()?;
        let mut sums = vec![GradientSums::zero(self.columns.dim()); count];
        let (mut log_likelihood, mut change) = (0.0, 0.0);
        for block in &blocks {
            log_likelihood += block.log_likelihood;
            change += block.change;
            sums.iter_mut().zip(&block.sums).for_each(|(sum, block)| sum.add(block));
        }
        posterior.sums = Some(sums);
        let points = self.columns.len().max(1) as f64;
        Ok(Expected { log_likelihood: log_likelihood / points, change: change / (points * count as f64) })
    }

    fn maximize(
        &self,
        mixture: &GaussianMixture,
        posterior: &mut Posterior,
        config: &MixtureConfig,
    ) -> Result<GaussianMixture> {
        let mut mixture = mixture.clone();
        let sums = self.move_means(&mut mixture.means, posterior)?;
        let len = self.columns.len() as f64;
        let average = len / mixture.len() as f64;
        let common = sums.iter().map(|sums| sums.squared_distance).sum::<f64>() / len;
        let prior = config.scale_shrinkage * average;
        for (k, sums) in sums.iter().enumerate() {
            if sums.weight < EMPTY {
                mixture.weights[k] = 0.0;
                continue;
            }
            mixture.weights[k] = sums.weight / len;
            let spread = (sums.squared_distance + prior * common) / (sums.weight + prior);
            mixture.scales[k] = scale_from_spread(self.columns.dim(), spread).max(config.scale_floor);
        }
        Ok(mixture)
    }
}

fn components(mixture: &GaussianMixture) -> Vec<Component<'_>> {
    let component = |k: usize| {
        let (mean, scale) = (mixture.means.row(k), mixture.scales[k]);
        Component {
            mean,
            inverse_slack: 1.0 / poincare::slack(mean),
            log_height: mixture.weights[k].ln() - log_zeta(mixture.dim(), scale),
            half_precision: 0.5 / (scale * scale),
        }
    };
    (0..mixture.len()).map(component).collect()
}

/// The Fréchet mean of points of equal weight, by descent from `start`.
fn frechet_mean(columns: &BallColumns, start: &[f64]) -> Result<Vec<f64>> {
    let mut mean = start.to_vec();
    for _ in 0..MAX_PASSES {
        let sum_block = |b: usize| {
            interrupt::check()?;
            let block = columns.block(b);
            let mut weights: Column = [1.0; ROWS];
            weights[block.len..].fill(0.0);
            Ok(Arch::new().dispatch(SumGradients { block, mean: &mean, weights: &weights }))
        };
        let blocks = (0..columns.block_count()).into_par_iter().with_min_len(MIN_BLOCKS).map(sum_block);
        let mut sums = GradientSums::zero(columns.dim());
        blocks.collect::<Result<Vec<GradientSums>>>()?.iter().for_each(|block| sums.add(block));
        let gradient = sums.gradient(&mean);
        if gradient.norm(&mean).is_none_or(|norm| norm <= tolerance(CENTRE_TOLERANCE, &mean)) {
            break;
        }
        mean = gradient.descend(&mean);
    }
    Ok(mean)
}
