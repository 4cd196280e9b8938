//! Expectation–maximisation in flat space.
//!
//! Two steps in turn, as [in the ball](crate::mixture::em). The E step finds the responsibilities w_ik. The M step finds the
//! mixture that is best for them, which here has a closed form:
//!
//! > π_k = mean_i w_ik,  μ_k = Σ_i w_ik·x_i / Σ_i w_ik,
//! > Σ_k = Σ_i w_ik·(x_i−μ_k)(x_i−μ_k)ᵀ / Σ_i w_ik + ε·I,  or  σ_k² = Σ_i w_ik·|x_i−μ_k|² / (m·Σ_i w_ik).
//!
//! What can go wrong: a component on few points has no variance in some direction, and the likelihood no bound. So
//! [`REGULARIZATION`] is added to every variance of a full covariance, and no scale of a round one is below its
//! floor. A component that has lost all its points stays where it is with weight zero.
//!
//! A component's sums are added by one thread in the order of the points, so no result depends on threads.

use rayon::prelude::*;

use super::explain::{Blocks, LogDensities, ROWS};
use super::{Component, FlatMixture, Shape, Spreads, check_finite, kmeans};
use crate::mixture::{Fit, KMeansConfig, MixtureConfig, Responsibilities};
use crate::{Error, Points, Result, interrupt};

/// ε: added to the variances of full covariances, as much as in ComE's program.
pub const REGULARIZATION: f64 = 1e-5;

/// A point for which a component has less responsibility than this adds nothing to its sums that would be seen.
const NEGLIGIBLE: f64 = 1e-14;

/// A component with less weight than this, in points, has lost them all.
const EMPTY: f64 = 1e-9;

/// Iterations that every start is given before the best is chosen.
const TRIAL_ITERATIONS: usize = 10;

/// Fits a mixture to points of flat space.
///
/// ```
/// use hycome::{Points, mixture::{MixtureConfig, flat::{Shape, fit}}};
/// let points = Points::new(1, vec![-5.2, -5.0, -4.8, 4.8, 5.0, 5.2]);
/// let config = MixtureConfig { communities: 2, ..MixtureConfig::default() };
/// let found = fit(&points, Shape::Full, &config, 1)?;
/// let communities = found.mixture.responsibilities(&points)?.communities();
/// assert!(communities[..3] == [communities[0]; 3] && communities[3..] == [1 - communities[0]; 3]);
/// # Ok::<(), hycome::Error>(())
/// ```
///
/// # Errors
/// Where a setting is out of range, a point is not finite, or there are fewer distinct points than communities.
pub fn fit(points: &Points, shape: Shape, config: &MixtureConfig, seed: u64) -> Result<Fit<FlatMixture>> {
    config.check()?;
    check_finite(points)?;
    let blocks = Blocks::new(points);
    let trial = |restart: usize| -> Result<Search> {
        let iterations = KMeansConfig::default().max_iterations;
        let clusters = kmeans::run(points, config.communities, iterations, seed, restart as u64)?;
        let certain = Responsibilities::certain(config.communities, &clusters.assignment);
        let mixture = maximize(points, &certain, shape, config, None)?;
        let mut search = Search::new(points, &blocks, mixture)?;
        search.run(points, &blocks, config, TRIAL_ITERATIONS.min(config.max_iterations))?;
        Ok(search)
    };
    let mut best = trial(0)?;
    for restart in 1..config.restarts {
        let found = trial(restart)?;
        if found.log_likelihood > best.log_likelihood {
            best = found;
        }
    }
    best.run(points, &blocks, config, config.max_iterations)?;
    Ok(best.into_fit())
}

/// Improves a given mixture: EM from where it stands. `config.communities` and `config.restarts` have no meaning here.
///
/// # Errors
/// Where a setting is out of range, a point is not finite, or the mixture is not one of such points.
pub fn refine(points: &Points, mixture: FlatMixture, config: &MixtureConfig) -> Result<Fit<FlatMixture>> {
    config.check()?;
    check(&mixture, points)?;
    let blocks = Blocks::new(points);
    let mut search = Search::new(points, &blocks, mixture)?;
    search.run(points, &blocks, config, config.max_iterations)?;
    Ok(search.into_fit())
}

/// The E step: how probably each point came from each component, and the mean of the log density.
///
/// # Errors
/// Where a point is not finite or the mixture is not one of such points.
pub fn expectation(mixture: &FlatMixture, points: &Points) -> Result<(Responsibilities, f64)> {
    check(mixture, points)?;
    explain(points.len(), &Blocks::new(points), &mixture.components()?)
}

/// The M step: the most likely mixture of this shape for these responsibilities; of `config` it has floor and pooling.
///
/// # Errors
/// Where a point is not finite or there is not one row of responsibilities for each.
pub fn maximization(
    points: &Points,
    responsibilities: &Responsibilities,
    shape: Shape,
    config: &MixtureConfig,
) -> Result<FlatMixture> {
    check_finite(points)?;
    if responsibilities.len() != points.len() || points.is_empty() {
        return Err(Error::Config {
            parameter: "responsibilities",
            expected: format!("one row for each of the points, of which there are {}", points.len()),
            found: format!("{} rows", responsibilities.len()),
        });
    }
    maximize(points, responsibilities, shape, config, None)
}

fn check(mixture: &FlatMixture, points: &Points) -> Result<()> {
    if mixture.dim() != points.dim() || points.is_empty() {
        let expected = format!("for one or more points of dimension {}", mixture.dim());
        let found = format!("asked about {} of dimension {}", points.len(), points.dim());
        return Err(Error::Config { parameter: "mixture", expected, found });
    }
    check_finite(points)
}

/// EM between two iterations: the mixture, and the E step's view of it.
struct Search {
    mixture: FlatMixture,
    responsibilities: Responsibilities,
    log_likelihood: f64,
    iterations: usize,
    converged: bool,
}

impl Search {
    fn new(points: &Points, blocks: &Blocks, mixture: FlatMixture) -> Result<Self> {
        let (responsibilities, log_likelihood) = explain(points.len(), blocks, &mixture.components()?)?;
        Ok(Self { mixture, responsibilities, log_likelihood, iterations: 0, converged: false })
    }

    /// Iterates until the responsibilities rest or the search has made `iterations` in all.
    fn run(
        &mut self,
        points: &Points,
        blocks: &Blocks,
        config: &MixtureConfig,
        iterations: usize,
    ) -> Result<()> {
        while !self.converged && self.iterations < iterations {
            let shape = self.mixture.spreads.shape();
            self.mixture = maximize(points, &self.responsibilities, shape, config, Some(&self.mixture))?;
            let (responsibilities, log_likelihood) =
                explain(points.len(), blocks, &self.mixture.components()?)?;
            let pairs = responsibilities.rows().flatten().zip(self.responsibilities.rows().flatten());
            let change: f64 = pairs.map(|(new, old)| (new - old).abs()).sum();
            let all = (points.len() * self.mixture.len()) as f64;
            (self.responsibilities, self.log_likelihood) = (responsibilities, log_likelihood);
            self.iterations += 1;
            self.converged = change / all < config.tolerance;
        }
        Ok(())
    }

    fn into_fit(self) -> Fit<FlatMixture> {
        Fit {
            mixture: self.mixture,
            iterations: self.iterations,
            converged: self.converged,
            log_likelihood: self.log_likelihood,
        }
    }
}

fn explain(len: usize, blocks: &Blocks, components: &[Component]) -> Result<(Responsibilities, f64)> {
    let count = components.len();
    let of_block = |b: usize| {
        interrupt::check()?;
        let densities = pulp::Arch::new().dispatch(LogDensities { block: blocks.block(b), components });
        let rows = ROWS.min(len - b * ROWS);
        let (mut weights, mut sum_of_logs) = (Vec::with_capacity(rows * count), 0.0);
        for r in 0..rows {
            let largest = densities.iter().map(|column| column[r]).fold(f64::NEG_INFINITY, f64::max);
            let first = weights.len();
            if largest == f64::NEG_INFINITY {
                // So far away that even logarithms of densities overflow: no component is nearer than another.
                weights.extend(std::iter::repeat_n(1.0, count));
            } else {
                weights.extend(densities.iter().map(|column| (column[r] - largest).exp()));
            }
            let sum: f64 = weights[first..].iter().sum();
            weights[first..].iter_mut().for_each(|weight| *weight /= sum);
            sum_of_logs += largest + sum.ln();
        }
        Ok((weights, sum_of_logs))
    };
    let found: Vec<(Vec<f64>, f64)> =
        (0..len.div_ceil(ROWS)).into_par_iter().with_min_len(4).map(of_block).collect::<Result<_>>()?;
    let log_likelihood = found.iter().map(|block| block.1).sum::<f64>() / len.max(1) as f64;
    Ok((Responsibilities::new(count, found.into_iter().flat_map(|block| block.0).collect()), log_likelihood))
}

/// What the points say about one component.
struct Sums {
    /// Σ w.
    weight: f64,
    mean: Vec<f64>,
    /// Σ w·|x−μ|², or Σ w·(x−μ)(x−μ)ᵀ with its lower half filled.
    squares: Vec<f64>,
}

/// The M step; a component without points stays as it is in `before`.
fn maximize(
    points: &Points,
    responsibilities: &Responsibilities,
    shape: Shape,
    config: &MixtureConfig,
    before: Option<&FlatMixture>,
) -> Result<FlatMixture> {
    let (count, dim, len) = (responsibilities.components(), points.dim(), points.len() as f64);
    let sums: Vec<Sums> = (0..count)
        .into_par_iter()
        .map(|k| sums(points, responsibilities, k, shape))
        .collect::<Result<_>>()?;
    let size = sums[0].squares.len();
    let mut common = vec![0.0; size];
    for sums in &sums {
        common.iter_mut().zip(&sums.squares).for_each(|(all, own)| *all += own / len);
    }
    let pool = config.pooling * len / count as f64;
    let mut mixture = FlatMixture {
        weights: Vec::with_capacity(count),
        means: Points::zeros(count, dim),
        spreads: Spreads::Round(Vec::new()),
    };
    let mut spreads = Vec::with_capacity(count * size);
    for (k, sums) in sums.iter().enumerate() {
        let is_empty = sums.weight < EMPTY;
        mixture.weights.push(if is_empty { 0.0 } else { sums.weight / len });
        if let (true, Some(before)) = (is_empty, before) {
            mixture.means.row_mut(k).copy_from_slice(before.means.row(k));
            match &before.spreads {
                Spreads::Round(scales) => spreads.push(scales[k]),
                Spreads::Full(covariances) => {
                    spreads.extend_from_slice(Spreads::covariance(covariances, k, dim));
                }
            }
            continue;
        }
        mixture.means.row_mut(k).copy_from_slice(&sums.mean);
        let weight = (sums.weight + pool).max(EMPTY);
        let spread = sums.squares.iter().zip(&common).map(|(own, common)| (own + pool * common) / weight);
        match shape {
            Shape::Round => spreads.extend(spread.map(|s| (s / dim as f64).sqrt().max(config.scale_floor))),
            Shape::Full => {
                let first = spreads.len();
                spreads.extend(spread);
                complete(&mut spreads[first..], dim);
            }
        }
    }
    mixture.spreads = match shape {
        Shape::Round => Spreads::Round(spreads),
        Shape::Full => Spreads::Full(spreads),
    };
    Ok(mixture)
}

fn sums(points: &Points, responsibilities: &Responsibilities, k: usize, shape: Shape) -> Result<Sums> {
    interrupt::check()?;
    let dim = points.dim();
    let members: Vec<(f64, &[f64])> = responsibilities
        .rows()
        .zip(points.rows())
        .map(|(row, x)| (row[k], x))
        .filter(|(w, _)| *w > NEGLIGIBLE)
        .collect();
    let weight: f64 = members.iter().map(|(w, _)| w).sum();
    let mut mean = vec![0.0; dim];
    for (w, x) in &members {
        mean.iter_mut().zip(*x).for_each(|(mean, x)| *mean += w * x);
    }
    mean.iter_mut().for_each(|mean| *mean /= weight.max(EMPTY));
    let mut squares = vec![0.0; if shape == Shape::Full { dim * dim } else { 1 }];
    let mut away = vec![0.0; dim];
    for (w, x) in &members {
        away.iter_mut().zip(*x).zip(&mean).for_each(|((away, x), mean)| *away = x - mean);
        match shape {
            Shape::Round => squares[0] += w * away.iter().map(|a| a * a).sum::<f64>(),
            Shape::Full => {
                for (i, row) in squares.chunks_exact_mut(dim).enumerate() {
                    let share = w * away[i];
                    row[..=i].iter_mut().zip(&away).for_each(|(sum, away)| *sum += share * away);
                }
            }
        }
    }
    Ok(Sums { weight, mean, squares })
}

/// A covariance of which the lower half is known: the upper half is its mirror, and ε is added to the diagonal.
fn complete(covariance: &mut [f64], dim: usize) {
    for i in 0..dim {
        for j in 0..i {
            covariance[j * dim + i] = covariance[i * dim + j];
        }
        covariance[i * dim + i] += REGULARIZATION;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    /// Points of two Gaussians: 600 stretched along (1, 1) around (4, 0), 300 round ones around (−4, 0).
    fn two_clouds() -> Points {
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
    fn the_gaussians_that_points_were_drawn_from_are_found_again() {
        let found = fit(&two_clouds(), Shape::Full, &config(2), 1).unwrap();
        assert!(found.converged);
        let mixture = found.mixture;
        let k = if mixture.means.row(0)[0] > 0.0 { 0 } else { 1 };
        // Means of 600 points with deviation 1.5 have a standard error of 0.06, variances one of 0.13.
        assert!((mixture.weights[k] - 2.0 / 3.0).abs() < 0.01, "{:?}", mixture.weights);
        let mean = mixture.means.row(k);
        assert!((mean[0] - 4.0).abs() < 0.25 && mean[1].abs() < 0.25, "{mean:?}");
        let Spreads::Full(covariances) = &mixture.spreads else { panic!("it was asked for") };
        let stretched = Spreads::covariance(covariances, k, 2);
        let expected = [2.29, 2.21, 2.21, 2.29];
        for (found, expected) in stretched.iter().zip(expected) {
            assert!((found - expected).abs() < 0.5, "{stretched:?}");
        }
        let round = Spreads::covariance(covariances, 1 - k, 2);
        assert!((round[0] - 0.25).abs() < 0.08 && round[1].abs() < 0.08, "{round:?}");
    }

    #[test]
    fn the_likelihood_never_falls() {
        let points = two_clouds();
        for shape in [Shape::Round, Shape::Full] {
            let mut last = f64::NEG_INFINITY;
            let start = Responsibilities::certain(4, &(0..900).map(|i| i / 225).collect::<Vec<u32>>());
            let mut mixture = maximization(&points, &start, shape, &config(4)).unwrap();
            for _ in 0..20 {
                let one = MixtureConfig { max_iterations: 1, ..config(4) };
                let step = refine(&points, mixture, &one).unwrap();
                assert!(step.log_likelihood >= last - 1e-9, "{} after {last}", step.log_likelihood);
                (mixture, last) = (step.mixture, step.log_likelihood);
            }
        }
    }

    #[test]
    fn more_dimensions_than_points_of_a_component_are_no_trouble() {
        let mut rng = stream(1, Purpose::Generate, 1, 0);
        let points = Points::new(30, (0..30 * 20).map(|_| rng.normal()).collect());
        let found = fit(&points, Shape::Full, &config(4), 1).unwrap();
        let rows = found.mixture.responsibilities(&points).unwrap();
        assert!(found.log_likelihood.is_finite());
        assert!(rows.rows().all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12));
    }

    #[test]
    fn points_on_one_spot_are_no_trouble() {
        let points = Points::new(2, [[1.0, 2.0]; 50].concat());
        for shape in [Shape::Round, Shape::Full] {
            assert!(fit(&points, shape, &config(1), 1).unwrap().log_likelihood.is_finite());
            assert!(fit(&points, shape, &config(2), 1).is_err(), "two centres need two places");
        }
    }

    #[test]
    fn a_component_that_lost_its_points_stays_with_weight_zero() {
        let points = two_clouds();
        let mixture = FlatMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![0.0, 0.0, 1e6, 0.0]),
            spreads: Spreads::Round(vec![1.0, 0.1]),
        };
        let found = refine(&points, mixture, &config(2)).unwrap().mixture;
        assert_eq!((found.weights[1], found.means.row(1)), (0.0, &[1e6, 0.0][..]));
    }

    #[test]
    fn pooled_scales_lie_between_their_own_and_the_common_one() {
        let points = two_clouds();
        let scales =
            |pooling: f64| match fit(&points, Shape::Round, &MixtureConfig { pooling, ..config(2) }, 1)
                .unwrap()
                .mixture
                .spreads
            {
                Spreads::Round(scales) => scales[0].max(scales[1]) / scales[0].min(scales[1]),
                Spreads::Full(_) => panic!("round ones were asked for"),
            };
        assert!(scales(0.0) > 2.0 && scales(3.0) < 1.5, "{} {}", scales(0.0), scales(3.0));
    }

    #[test]
    fn threads_do_not_change_a_fit() {
        let points = two_clouds();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&points, Shape::Full, &config(5), 3).unwrap())
        };
        assert_eq!(with(1), with(4));
    }
}
