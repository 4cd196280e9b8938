//! E and M step of Euclidean Gaussians.
//!
//! A component's sums are added by one thread in the order of the points, so no result depends on the number of threads.

use pulp::Arch;
use rayon::prelude::*;

use super::super::family::{ComponentFamily, Expected};
use super::super::{Expectation, KMeans, MixtureConfig, Responsibilities};
use super::densities::{FindNearest, LogDensities};
use super::{CovarianceType, Covariances, EuclideanMixture, check_finite};
use crate::numeric::columns::{Column, ColumnBlocks, ROWS};
use crate::{Points, Result, interrupt};

/// ε: added to the variances of full covariances, as in ComE's program.
pub(crate) const REGULARIZATION: f64 = 1e-5;

/// Responsibilities up to this are skipped in the sums of a component: below rounding.
const NEGLIGIBLE: f64 = 1e-14;

/// A component with less weight than this, in points, has lost them all.
const EMPTY: f64 = 1e-9;

/// Log-likelihoods are summed over this many points first, and then over the groups; [`ROWS`] is a multiple of it.
const LIKELIHOOD_ROWS: usize = 64;

/// Finite points, to be described by Euclidean Gaussians.
pub(in crate::mixture) struct Euclidean<'a> {
    points: &'a Points,
    columns: ColumnBlocks,
    covariance_type: CovarianceType,
}

/// Weighted sums of the points of one component.
struct ComponentSums {
    /// Σ w.
    weight: f64,
    /// Σ w·x / Σ w.
    mean: Vec<f64>,
    /// Σ w·|x−μ|², or Σ w·(x−μ)(x−μ)ᵀ with its lower half filled.
    squares: Vec<f64>,
}

impl<'a> Euclidean<'a> {
    /// Points that are finite.
    pub(crate) fn new(points: &'a Points, covariance_type: CovarianceType) -> Result<Self> {
        check_finite(points)?;
        Ok(Self { points, columns: ColumnBlocks::new(points), covariance_type })
    }

    /// Responsibilities and log-likelihood of a mixture, by log-sum-exp.
    pub(crate) fn expectation(&self, mixture: &EuclideanMixture) -> Result<Expectation> {
        let components = mixture.components()?;
        let count = components.len();
        let of_block = |b: usize| {
            interrupt::check()?;
            let block = self.columns.block(b);
            let densities = Arch::new().dispatch(LogDensities { block, components: &components });
            let rows = self.columns.block_len(b);
            let mut weights = Vec::with_capacity(rows * count);
            let mut sums_of_logs = vec![0.0; rows.div_ceil(LIKELIHOOD_ROWS)];
            for r in 0..rows {
                let first = weights.len();
                let largest = densities.iter().map(|column| column[r]).fold(f64::NEG_INFINITY, f64::max);
                if largest == f64::NEG_INFINITY {
                    // So far away that even logarithms of densities overflow: no component is nearer than another.
                    weights.extend(std::iter::repeat_n(1.0, count));
                } else {
                    weights.extend(densities.iter().map(|column| (column[r] - largest).exp()));
                }
                let sum: f64 = weights[first..].iter().sum();
                weights[first..].iter_mut().for_each(|weight| *weight /= sum);
                sums_of_logs[r / LIKELIHOOD_ROWS] += largest + sum.ln();
            }
            Ok((weights, sums_of_logs))
        };
        let blocks: Vec<(Vec<f64>, Vec<f64>)> =
            (0..self.columns.block_count()).into_par_iter().map(of_block).collect::<Result<_>>()?;
        let total: f64 = blocks.iter().flat_map(|block| &block.1).sum();
        let weights = blocks.into_iter().flat_map(|block| block.0).collect();
        Ok(Expectation {
            responsibilities: Responsibilities::new(count, weights),
            log_likelihood: total / self.points.len().max(1) as f64,
        })
    }

    /// The M step for given responsibilities; a component without points stays as it is in `before`.
    pub(crate) fn maximize_from(
        &self,
        before: Option<&EuclideanMixture>,
        responsibilities: &Responsibilities,
        config: &MixtureConfig,
    ) -> Result<EuclideanMixture> {
        let (count, dim) = (responsibilities.components(), self.points.dim());
        let len = self.points.len() as f64;
        let sums: Vec<ComponentSums> =
            (0..count).into_par_iter().map(|k| self.sums(responsibilities, k)).collect::<Result<_>>()?;
        let mut common = vec![0.0; sums[0].squares.len()];
        for sums in &sums {
            common.iter_mut().zip(&sums.squares).for_each(|(all, own)| *all += own / len);
        }
        let prior = config.scale_shrinkage * len / count as f64;
        let mut weights = Vec::with_capacity(count);
        let mut means = Points::zeros(count, dim);
        let mut covariances = Vec::with_capacity(count * common.len());
        for (k, sums) in sums.iter().enumerate() {
            let is_empty = sums.weight < EMPTY;
            weights.push(if is_empty { 0.0 } else { sums.weight / len });
            if let (true, Some(before)) = (is_empty, before) {
                means.row_mut(k).copy_from_slice(before.means.row(k));
                match &before.covariances {
                    Covariances::Spherical(scales) => covariances.push(scales[k]),
                    Covariances::Full(all) => {
                        covariances.extend_from_slice(Covariances::matrix(all, k, dim));
                    }
                }
                continue;
            }
            means.row_mut(k).copy_from_slice(&sums.mean);
            let weight = (sums.weight + prior).max(EMPTY);
            let shrunk =
                sums.squares.iter().zip(&common).map(|(own, common)| (own + prior * common) / weight);
            match self.covariance_type {
                CovarianceType::Spherical => {
                    covariances.extend(shrunk.map(|s| (s / dim as f64).sqrt().max(config.scale_floor)));
                }
                CovarianceType::Full => {
                    let first = covariances.len();
                    covariances.extend(shrunk);
                    complete(&mut covariances[first..], dim);
                }
            }
        }
        let covariances = match self.covariance_type {
            CovarianceType::Spherical => Covariances::Spherical(covariances),
            CovarianceType::Full => Covariances::Full(covariances),
        };
        Ok(EuclideanMixture { weights, means, covariances })
    }

    fn sums(&self, responsibilities: &Responsibilities, k: usize) -> Result<ComponentSums> {
        interrupt::check()?;
        let dim = self.points.dim();
        let members: Vec<(f64, &[f64])> = responsibilities
            .rows()
            .zip(self.points.rows())
            .map(|(row, x)| (row[k], x))
            .filter(|(w, _)| *w > NEGLIGIBLE)
            .collect();
        let weight: f64 = members.iter().map(|(w, _)| w).sum();
        let mut mean = vec![0.0; dim];
        for (w, x) in &members {
            mean.iter_mut().zip(*x).for_each(|(mean, x)| *mean += w * x);
        }
        mean.iter_mut().for_each(|mean| *mean /= weight.max(EMPTY));
        let is_full = self.covariance_type == CovarianceType::Full;
        let mut squares = vec![0.0; if is_full { dim * dim } else { 1 }];
        let mut difference = vec![0.0; dim];
        for (w, x) in &members {
            difference.iter_mut().zip(*x).zip(&mean).for_each(|((d, x), mean)| *d = x - mean);
            match self.covariance_type {
                CovarianceType::Spherical => squares[0] += w * difference.iter().map(|d| d * d).sum::<f64>(),
                CovarianceType::Full => {
                    for (i, row) in squares.chunks_exact_mut(dim).enumerate() {
                        let scaled = w * difference[i];
                        row[..=i].iter_mut().zip(&difference).for_each(|(sum, d)| *sum += scaled * d);
                    }
                }
            }
        }
        Ok(ComponentSums { weight, mean, squares })
    }
}

impl ComponentFamily for Euclidean<'_> {
    type Mixture = EuclideanMixture;
    type Posterior = Responsibilities;

    const EQUAL: f64 = 0.0;
    const PARALLEL_RESTARTS: bool = false;
    const ITERATE_CONVERGED: bool = false;

    fn component_count(mixture: &EuclideanMixture) -> usize {
        mixture.len()
    }

    fn points(&self) -> &Points {
        self.points
    }

    fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
    }

    fn nearest(&self, b: usize, means: &Points) -> (Column, Column) {
        Arch::new().dispatch(FindNearest { block: self.columns.block(b), means })
    }

    fn mean(&self, members: &[usize], start: &[f64]) -> Result<Vec<f64>> {
        let mut mean = vec![0.0; start.len()];
        for &i in members {
            mean.iter_mut().zip(self.points.row(i)).for_each(|(sum, x)| *sum += x);
        }
        mean.iter_mut().for_each(|sum| *sum /= members.len() as f64);
        Ok(mean)
    }

    fn initialize(
        &self,
        clusters: KMeans,
        posterior: &mut Responsibilities,
        config: &MixtureConfig,
    ) -> Result<EuclideanMixture> {
        *posterior = Responsibilities::one_hot(clusters.means.len(), &clusters.assignment);
        self.maximize_from(None, posterior, config)
    }

    fn posterior(&self, components: usize) -> Responsibilities {
        Responsibilities::new(components, vec![0.0; components * self.points.len()])
    }

    fn expect(&self, mixture: &EuclideanMixture, posterior: &mut Responsibilities) -> Result<Expected> {
        let Expectation { responsibilities, log_likelihood } = self.expectation(mixture)?;
        let pairs = responsibilities.rows().flatten().zip(posterior.rows().flatten());
        let change: f64 = pairs.map(|(new, old)| (new - old).abs()).sum();
        *posterior = responsibilities;
        let all = (self.points.len() * mixture.len()) as f64;
        Ok(Expected { log_likelihood, change: change / all })
    }

    fn maximize(
        &self,
        mixture: &EuclideanMixture,
        posterior: &mut Responsibilities,
        config: &MixtureConfig,
    ) -> Result<EuclideanMixture> {
        self.maximize_from(Some(mixture), posterior, config)
    }
}

/// Completes a covariance whose lower half is known: mirrors it and adds ε to the diagonal.
fn complete(covariance: &mut [f64], dim: usize) {
    for i in 0..dim {
        for j in 0..i {
            covariance[j * dim + i] = covariance[i * dim + j];
        }
        covariance[i * dim + i] += REGULARIZATION;
    }
}

const _: () = assert!(ROWS.is_multiple_of(LIKELIHOOD_ROWS));

#[cfg(test)]
mod tests {
    use super::super::{fit, maximization, refine};
    use super::*;
    use crate::rng::{Purpose, stream};

    /// Points of two Gaussians: 600 stretched along (1, 1) around (4, 0), 300 round ones around (−4, 0).
    fn two_gaussians() -> Points {
        let mut rng = stream(5, Purpose::Generate, 0, 0);
        let mut point = |i: usize| {
            let (u, v) = (rng.normal(), rng.normal());
            if i % 3 < 2 { [4.0 + 1.5 * u + 0.2 * v, 1.5 * u - 0.2 * v] } else { [0.5 * u - 4.0, 0.5 * v] }
        };
        Points::new(2, (0..900).flat_map(&mut point).collect())
    }

    fn config(communities: usize) -> MixtureConfig {
        MixtureConfig { communities, ..MixtureConfig::default() }
    }

    #[test]
    fn the_parameters_of_sampled_gaussians_are_recovered() {
        let found = fit(&two_gaussians(), CovarianceType::Full, &config(2), 1).unwrap();
        assert!(found.converged);
        let mixture = found.mixture;
        let k = if mixture.means.row(0)[0] > 0.0 { 0 } else { 1 };
        // Means of 600 points with deviation 1.5 have a standard error of 0.06, variances one of 0.13.
        assert!((mixture.weights[k] - 2.0 / 3.0).abs() < 0.01, "{:?}", mixture.weights);
        let mean = mixture.means.row(k);
        assert!((mean[0] - 4.0).abs() < 0.25 && mean[1].abs() < 0.25, "{mean:?}");
        let Covariances::Full(covariances) = &mixture.covariances else { panic!("full ones are fitted") };
        let stretched = Covariances::matrix(covariances, k, 2);
        let expected = [2.29, 2.21, 2.21, 2.29];
        for (found, expected) in stretched.iter().zip(expected) {
            assert!((found - expected).abs() < 0.5, "{stretched:?}");
        }
        let round = Covariances::matrix(covariances, 1 - k, 2);
        assert!((round[0] - 0.25).abs() < 0.08 && round[1].abs() < 0.08, "{round:?}");
    }

    #[test]
    fn the_likelihood_never_decreases() {
        let points = two_gaussians();
        for covariance_type in [CovarianceType::Spherical, CovarianceType::Full] {
            let mut last = f64::NEG_INFINITY;
            let start = Responsibilities::one_hot(4, &(0..900).map(|i| i / 225).collect::<Vec<u32>>());
            let mut mixture = maximization(&points, &start, covariance_type, &config(4)).unwrap();
            for _ in 0..20 {
                let one = MixtureConfig { max_iterations: 1, ..config(4) };
                let step = refine(&points, mixture, &one).unwrap();
                assert!(step.log_likelihood >= last - 1e-9, "{} after {last}", step.log_likelihood);
                (mixture, last) = (step.mixture, step.log_likelihood);
            }
        }
    }

    #[test]
    fn more_dimensions_than_points_of_a_component_can_be_fitted() {
        let mut rng = stream(1, Purpose::Generate, 1, 0);
        let points = Points::new(30, (0..30 * 20).map(|_| rng.normal()).collect());
        let found = fit(&points, CovarianceType::Full, &config(4), 1).unwrap();
        let rows = found.mixture.responsibilities(&points).unwrap();
        assert!(found.log_likelihood.is_finite());
        assert!(rows.rows().all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12));
    }

    #[test]
    fn points_on_one_spot_can_be_fitted() {
        let points = Points::new(2, [[1.0, 2.0]; 50].concat());
        for covariance_type in [CovarianceType::Spherical, CovarianceType::Full] {
            assert!(fit(&points, covariance_type, &config(1), 1).unwrap().log_likelihood.is_finite());
            assert!(fit(&points, covariance_type, &config(2), 1).is_err(), "two centres need two places");
        }
    }

    #[test]
    fn a_component_that_lost_its_points_stays_with_weight_zero() {
        let points = two_gaussians();
        let mixture = EuclideanMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![0.0, 0.0, 1e6, 0.0]),
            covariances: Covariances::Spherical(vec![1.0, 0.1]),
        };
        let found = refine(&points, mixture, &config(2)).unwrap().mixture;
        assert_eq!((found.weights[1], found.means.row(1)), (0.0, &[1e6, 0.0][..]));
    }

    #[test]
    fn shrunk_scales_lie_between_their_own_and_the_common_one() {
        let points = two_gaussians();
        let scales = |scale_shrinkage: f64| match fit(
            &points,
            CovarianceType::Spherical,
            &MixtureConfig { scale_shrinkage, ..config(2) },
            1,
        )
        .unwrap()
        .mixture
        .covariances
        {
            Covariances::Spherical(scales) => scales[0].max(scales[1]) / scales[0].min(scales[1]),
            Covariances::Full(_) => panic!("spherical ones are fitted"),
        };
        assert!(scales(0.0) > 2.0 && scales(3.0) < 1.5, "{} {}", scales(0.0), scales(3.0));
    }

    #[test]
    fn threads_do_not_change_a_fit() {
        let points = two_gaussians();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&points, CovarianceType::Full, &config(5), 3).unwrap())
        };
        assert_eq!(with(1), with(4));
    }
}
