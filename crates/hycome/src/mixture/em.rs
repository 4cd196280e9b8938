//! Expectation–maximisation: the mixture that makes the points likely.
//!
//! Two steps in turn. The E step finds the responsibilities w_ik of the present mixture, with the largest
//! logarithm subtracted before `exp`. The M step finds the mixture that is best for these responsibilities:
//!
//! > π_k = mean_i w_ik,  μ_k = barycenter of the x_i with weights w_ik,  σ_k = Φ(Σ_i w_ik·d²(x_i, μ_k) / Σ_i w_ik).
//!
//! Neither lowers the likelihood. The search has converged when the responsibilities hardly move, mean |w − w'|
//! below a tolerance; it finds a local maximum only, so [`fit`] starts several times from K-means, runs every
//! start for a few iterations and goes on with the best.
//!
//! What can go wrong: a component that gathers on a few equal points would gain without bound by shrinking, so
//! no scale is below a floor. A component that has lost all its points stays where it is with weight zero.

use pulp::Arch;
use rayon::prelude::*;

use super::columns::{Column, Columns, ROWS};
use super::kernel::{Attract, Component, Explain, Scratch, Sums};
use super::kmeans::{self, KMeansConfig};
use super::{GaussianMixture, Responsibilities};
use crate::geometry::barycenter::{MAX_PASSES, tolerance};
use crate::geometry::{Geometry, lorentz, poincare};
use crate::special::{log_zeta, scale_from_spread};
use crate::{Error, Points, Result, interrupt};

/// How to fit a mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct MixtureConfig {
    /// Number of components, one or more.
    pub communities: usize,
    /// EM iterations after which the search ends in any case.
    pub max_iterations: usize,
    /// Mean change of a responsibility below which the search has converged.
    pub tolerance: f64,
    /// Starts from different K-means, of which the most likely is continued.
    pub restarts: usize,
    /// Smallest scale of a component, above zero.
    pub scale_floor: f64,
    /// How strongly scales are drawn to their common value: as if each component had this many times the average
    /// component's points more, of average spread. Zero leaves every scale to itself.
    pub pooling: f64,
}

impl Default for MixtureConfig {
    fn default() -> Self {
        Self {
            communities: 2,
            max_iterations: 100,
            tolerance: 1e-4,
            restarts: 4,
            scale_floor: 1e-3,
            pooling: 0.0,
        }
    }
}

impl MixtureConfig {
    /// How the communities of an embedding are fitted.
    ///
    /// Free scales let one component swallow its neighbours while another shrinks to a sliver: more likely, and
    /// worse communities. Nearly common scales keep them comparable. Fits of few points are cheap and have many
    /// local optima, so they start more often.
    #[must_use]
    pub fn of_communities(communities: usize, point_count: usize) -> Self {
        const POOLING: f64 = 3.0;
        const RESTARTS: std::ops::RangeInclusive<usize> = 4..=32;
        /// Points times components times starts: about a second of work.
        const BUDGET: usize = 1 << 21;
        let restarts = BUDGET / (point_count * communities).max(1);
        // A single community is where all starts end.
        let restarts = if communities == 1 { 1 } else { restarts.clamp(*RESTARTS.start(), *RESTARTS.end()) };
        Self { communities, restarts, pooling: POOLING, ..Self::default() }
    }

    /// How the communities of an embedding in this geometry are fitted.
    ///
    /// ComE's covariances are each community's own, but for a pull of as many points of average spread as there are
    /// dimensions: among thousands that changes nothing, and among few it keeps a community from shrinking to a node or
    /// two, which would always be likelier.
    #[must_use]
    pub fn in_geometry(geometry: Geometry, points: &Points, communities: usize) -> Self {
        let config = Self::of_communities(communities, points.len());
        match geometry {
            Geometry::Come => {
                Self { pooling: (points.dim() * communities) as f64 / points.len().max(1) as f64, ..config }
            }
            Geometry::Poincare | Geometry::Euclidean => config,
        }
    }

    /// Refuses settings out of their range.
    pub(super) fn check(&self) -> Result<()> {
        let error = |parameter, expected: &str, found: String| {
            Err(Error::Config { parameter, expected: expected.into(), found })
        };
        if self.communities == 0 {
            return error("communities", "one or more", "0".into());
        }
        if !(self.scale_floor > 0.0 && self.scale_floor.is_finite()) {
            return error("scale_floor", "above zero", self.scale_floor.to_string());
        }
        if !(self.pooling >= 0.0 && self.pooling.is_finite()) {
            return error("pooling", "zero or more", self.pooling.to_string());
        }
        if self.tolerance.is_nan() || self.tolerance < 0.0 {
            return error("tolerance", "zero or more", self.tolerance.to_string());
        }
        Ok(())
    }
}

/// A fitted mixture, and how the search ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<M = GaussianMixture> {
    /// The mixture.
    pub mixture: M,
    /// EM iterations that led to it from its start.
    pub iterations: usize,
    /// Whether the responsibilities had come to rest, rather than the iterations to their end.
    pub converged: bool,
    /// Mean over the points of the logarithm of the mixture's density.
    pub log_likelihood: f64,
}

impl<M> Fit<M> {
    /// The same fit with its mixture seen as something else.
    pub fn map<T>(self, see: impl FnOnce(M) -> T) -> Fit<T> {
        let Self { mixture, iterations, converged, log_likelihood } = self;
        Fit { mixture: see(mixture), iterations, converged, log_likelihood }
    }
}

/// Iterations that every start is given before the best is chosen; running all to their end would cost several
/// times as much.
const TRIAL_ITERATIONS: usize = 10;

/// Fits a mixture to points of the ball.
///
/// ```
/// use hycome::{Points, mixture::{MixtureConfig, fit}};
/// let points = Points::new(1, vec![-0.52, -0.5, -0.48, 0.48, 0.5, 0.52]);
/// let config = MixtureConfig { communities: 2, ..MixtureConfig::default() };
/// let found = fit(&points, &config, 1)?;
/// let communities = found.mixture.responsibilities(&points)?.communities();
/// assert!(communities[..3] == [communities[0]; 3] && communities[3..] == [1 - communities[0]; 3]);
/// # Ok::<(), hycome::Error>(())
/// ```
///
/// # Errors
/// Where a setting is out of range, a point is not inside the ball, or there are fewer distinct points than
/// communities.
pub fn fit(points: &Points, config: &MixtureConfig, seed: u64) -> Result<Fit> {
    config.check()?;
    let columns = Columns::new(points)?;
    let trial = |&restart: &u64| -> Result<Fit> {
        let iterations = KMeansConfig::default().max_iterations;
        let clusters = kmeans::run(points, &columns, config.communities, iterations, seed, restart)?;
        let certain = Responsibilities::certain(config.communities, &clusters.assignment);
        let start = flat(clusters.means, config.scale_floor);
        let start = maximize(&columns, &columns_of(&certain), None, start, Scales::of(config))?;
        let mut search = Search::new(&columns, start)?;
        search.run(&columns, config, TRIAL_ITERATIONS.min(config.max_iterations))?;
        Ok(search.into_fit())
    };
    let restarts: Vec<u64> = (0..config.restarts.max(1) as u64).collect();
    let mut best: Option<Fit> = None;
    // A thread that waits for another begins what it finds, so all at once would be in memory many at a time.
    for together in restarts.chunks(rayon::current_num_threads()) {
        for found in together.par_iter().map(trial).collect::<Result<Vec<Fit>>>()? {
            if best.as_ref().is_none_or(|best| found.log_likelihood > best.log_likelihood) {
                best = Some(found);
            }
        }
    }
    let best = best.expect("there is at least one start");
    let mut search = Search::new(&columns, best.mixture)?;
    search.iterations = best.iterations;
    search.run(&columns, config, config.max_iterations)?;
    Ok(search.into_fit())
}

/// Improves a given mixture: EM from where it stands.
///
/// `config.communities` and `config.restarts` have no meaning here.
///
/// # Errors
/// Where a setting is out of range, a point is not inside the ball, or the mixture has another dimension.
pub fn refine(points: &Points, mixture: GaussianMixture, config: &MixtureConfig) -> Result<Fit> {
    config.check()?;
    check_dimensions(&mixture, points)?;
    if points.is_empty() {
        return Err(Error::Config { parameter: "points", expected: "one or more".into(), found: "0".into() });
    }
    let columns = Columns::new(points)?;
    let mut search = Search::new(&columns, mixture)?;
    search.run(&columns, config, config.max_iterations)?;
    Ok(search.into_fit())
}

/// What the E step finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The probability of each component for each point.
    pub responsibilities: Responsibilities,
    /// Mean over the points of the logarithm of the mixture's density.
    pub log_likelihood: f64,
}

/// The E step: how probably each point came from each component.
///
/// # Errors
/// Where a point is not inside the ball or has another dimension than the mixture.
pub fn expectation(mixture: &GaussianMixture, points: &Points) -> Result<Expectation> {
    check_dimensions(mixture, points)?;
    let columns = Columns::new(points)?;
    let search = Search::new(&columns, mixture.clone())?;
    Ok(Expectation {
        responsibilities: rows_of(&search.responsibilities, mixture.len(), points.len()),
        log_likelihood: search.log_likelihood,
    })
}

/// The M step: the most likely mixture for these responsibilities.
///
/// A component without responsibility for any point is at the origin with weight zero and the smallest scale.
///
/// # Errors
/// Where a point is not inside the ball or there is not one row of responsibilities for each.
pub fn maximization(
    points: &Points,
    responsibilities: &Responsibilities,
    scale_floor: f64,
) -> Result<GaussianMixture> {
    if responsibilities.len() != points.len() || points.is_empty() {
        return Err(Error::Config {
            parameter: "responsibilities",
            expected: format!("one row for each of the points, of which there are {}", points.len()),
            found: format!("{} rows", responsibilities.len()),
        });
    }
    let columns = Columns::new(points)?;
    let mut means = Points::zeros(responsibilities.components(), points.dim());
    for k in 0..responsibilities.components() {
        let weights: Vec<f64> = responsibilities.rows().map(|row| row[k]).collect();
        if let Some(midpoint) = lorentz::midpoint(points, &weights) {
            means.row_mut(k).copy_from_slice(&midpoint);
        }
    }
    maximize(
        &columns,
        &columns_of(responsibilities),
        None,
        flat(means, scale_floor),
        Scales { floor: scale_floor, pooling: 0.0 },
    )
}

fn check_dimensions(mixture: &GaussianMixture, points: &Points) -> Result<()> {
    let error =
        |expected: String, found: String| Err(Error::Config { parameter: "mixture", expected, found });
    let count = mixture.len();
    if count == 0 || mixture.means.len() != count || mixture.scales.len() != count {
        return error(
            "of one weight, mean and scale for each component".into(),
            format!("of {count} weights, {} means, {} scales", mixture.means.len(), mixture.scales.len()),
        );
    }
    if mixture.dim() != points.dim() {
        return error(format!("of dimension {}", points.dim()), format!("of dimension {}", mixture.dim()));
    }
    let usable = |k: usize| mixture.scales[k] > 0.0 && poincare::slack(mixture.means.row(k)) > 0.0;
    match (0..count).find(|&k| !usable(k)) {
        Some(k) => error(
            "of means inside the ball and scales above zero".into(),
            format!("at {:?} with scale {} in component {k}", mixture.means.row(k), mixture.scales[k]),
        ),
        None => Ok(()),
    }
}

/// A mixture that is only a start: equal weights and scales.
fn flat(means: Points, scale: f64) -> GaussianMixture {
    let count = means.len();
    GaussianMixture { weights: vec![1.0 / count as f64; count], means, scales: vec![scale; count] }
}

/// EM between two iterations: the mixture, and the E step's view of it.
struct Search {
    mixture: GaussianMixture,
    responsibilities: Vec<Column>,
    /// The pull of the points on each mean, which the E step gives away.
    sums: Vec<Sums>,
    log_likelihood: f64,
    iterations: usize,
    converged: bool,
}

impl Search {
    fn new(columns: &Columns, mixture: GaussianMixture) -> Result<Self> {
        let mut search = Self {
            responsibilities: vec![[0.0; ROWS]; columns.block_count() * mixture.len()],
            mixture,
            sums: Vec::new(),
            log_likelihood: f64::NEG_INFINITY,
            iterations: 0,
            converged: false,
        };
        search.expect(columns)?;
        Ok(search)
    }

    /// Iterates until the responsibilities rest or the search has made `iterations` in all.
    fn run(&mut self, columns: &Columns, config: &MixtureConfig, iterations: usize) -> Result<()> {
        while !self.converged && self.iterations < iterations {
            let sums = std::mem::take(&mut self.sums);
            let mixture = self.mixture.clone();
            self.mixture =
                maximize(columns, &self.responsibilities, Some(sums), mixture, Scales::of(config))?;
            self.iterations += 1;
            self.converged = self.expect(columns)? < config.tolerance;
        }
        Ok(())
    }

    /// The E step; returns the mean change of a responsibility.
    fn expect(&mut self, columns: &Columns) -> Result<f64> {
        let components = components(&self.mixture);
        let count = components.len();
        let blocks: Vec<_> = self
            .responsibilities
            .par_chunks_mut(count)
            .enumerate()
            .map_init(
                || Scratch::new(count),
                |scratch, (b, weights)| {
                    interrupt::check()?;
                    Ok(Arch::new().dispatch(Explain {
                        block: columns.block(b),
                        components: &components,
                        responsibilities: weights,
                        scratch,
                    }))
                },
            )
            .collect::<Result<_>>()?;
        let mut sums = vec![Sums::zero(columns.dim); count];
        let (mut log_likelihood, mut change) = (0.0, 0.0);
        for block in &blocks {
            log_likelihood += block.log_likelihood;
            change += block.change;
            sums.iter_mut().zip(&block.sums).for_each(|(sum, block)| sum.add(block));
        }
        self.sums = sums;
        let points = columns.len.max(1) as f64;
        self.log_likelihood = log_likelihood / points;
        Ok(change / (points * count as f64))
    }

    fn into_fit(self) -> Fit {
        Fit {
            mixture: self.mixture,
            iterations: self.iterations,
            converged: self.converged,
            log_likelihood: self.log_likelihood,
        }
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

/// What the M step keeps scales to.
#[derive(Clone, Copy)]
struct Scales {
    floor: f64,
    pooling: f64,
}

impl Scales {
    fn of(config: &MixtureConfig) -> Self {
        Self { floor: config.scale_floor, pooling: config.pooling }
    }
}

/// A component with less weight than this, in points, has lost them all.
const EMPTY: f64 = 1e-9;

/// Mean pull below which a mean is settled. The mean of squares is then within its square, 10⁻¹², of the least,
/// and the next iteration goes on from there: one pass of three is saved against 10⁻⁸.
const SETTLED: f64 = 1e-6;

/// The M step from the means of `start`, whose pulls the E step may have left in `sums`.
fn maximize(
    columns: &Columns,
    weights: &[Column],
    sums: Option<Vec<Sums>>,
    start: GaussianMixture,
    scales: Scales,
) -> Result<GaussianMixture> {
    let mut mixture = start;
    let all: Vec<usize> = (0..mixture.len()).collect();
    let mut sums = match sums {
        Some(sums) => sums,
        None => attract(columns, weights, &mixture.means, &all)?,
    };
    let mut active = all;
    for _ in 1..MAX_PASSES {
        active.retain(|&k| {
            let mean = mixture.means.row(k);
            let pull = sums[k].pull(mean);
            if pull.weight < EMPTY
                || pull.gradient_norm(mean).is_none_or(|norm| norm <= tolerance(SETTLED, mean))
            {
                return false;
            }
            let moved = pull.follow(mean);
            mixture.means.row_mut(k).copy_from_slice(&moved);
            true
        });
        if active.is_empty() {
            break;
        }
        for (&k, moved) in active.iter().zip(attract(columns, weights, &mixture.means, &active)?) {
            sums[k] = moved;
        }
    }
    let average = columns.len as f64 / mixture.len() as f64;
    let common = sums.iter().map(|sums| sums.squared_distance).sum::<f64>() / columns.len as f64;
    let pool = scales.pooling * average;
    for (k, sums) in sums.iter().enumerate() {
        if sums.weight < EMPTY {
            mixture.weights[k] = 0.0;
            continue;
        }
        mixture.weights[k] = sums.weight / columns.len as f64;
        let spread = (sums.squared_distance + pool * common) / (sums.weight + pool);
        mixture.scales[k] = scale_from_spread(columns.dim, spread).max(scales.floor);
    }
    Ok(mixture)
}

/// The pulls of the points on the `chosen` means.
fn attract(columns: &Columns, weights: &[Column], means: &Points, chosen: &[usize]) -> Result<Vec<Sums>> {
    let count = means.len();
    let blocks: Vec<Vec<Sums>> = (0..columns.block_count())
        .into_par_iter()
        .map(|b| {
            interrupt::check()?;
            let (block, weights) = (columns.block(b), &weights[b * count..(b + 1) * count]);
            let attract = |&k: &usize| Attract { block, mean: means.row(k), weights: &weights[k] };
            Ok(chosen.iter().map(|k| Arch::new().dispatch(attract(k))).collect())
        })
        .collect::<Result<_>>()?;
    let mut sums = vec![Sums::zero(columns.dim); chosen.len()];
    for block in &blocks {
        sums.iter_mut().zip(block).for_each(|(sum, block)| sum.add(block));
    }
    Ok(sums)
}

/// Responsibilities by blocks: component k of block b is column b·K + k.
fn columns_of(responsibilities: &Responsibilities) -> Vec<Column> {
    let count = responsibilities.components();
    let mut columns = vec![[0.0; ROWS]; responsibilities.len().div_ceil(ROWS) * count];
    for (i, row) in responsibilities.rows().enumerate() {
        for (column, &w) in columns[i / ROWS * count..].iter_mut().zip(row) {
            column[i % ROWS] = w;
        }
    }
    columns
}

/// The inverse of [`columns_of`] for so many points.
fn rows_of(columns: &[Column], components: usize, points: usize) -> Responsibilities {
    let place = |i: usize, k: usize| columns[i / ROWS * components + k][i % ROWS];
    let data = (0..points).flat_map(|i| (0..components).map(move |k| place(i, k))).collect();
    Responsibilities::new(components, data)
}
