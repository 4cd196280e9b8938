//! Expectation–maximization for mixtures (Dempster, Laird and Rubin 1977), the same driver for every component family.
//!
//! The E step computes the responsibilities w_ik of the current mixture by log-sum-exp, the M step the mixture of maximal
//! expected likelihood for these responsibilities. Neither lowers the likelihood. EM has converged when the mean of
//! |w − w'| is below a tolerance. It finds a local maximum, so [`fit`] starts several times from
//! [micro-clusters merged by Ward's method](super::ward), runs every restart for [`TRIAL_ITERATIONS`] and continues the one with the highest likelihood.
//!
//! What a step computes is up to the [`ComponentFamily`].

use rayon::prelude::*;

use super::family::ComponentFamily;
use super::hyperbolic::GaussianMixture;
use super::kmeans::KMeansConfig;
use super::{MixtureConfig, Responsibilities, ward};
use crate::Result;

/// A fitted mixture and the outcome of EM.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit<M = GaussianMixture> {
    /// The mixture.
    pub mixture: M,
    /// Number of EM iterations from the initialization.
    pub iterations: usize,
    /// Whether EM converged before the maximum number of iterations.
    pub converged: bool,
    /// Mean log-likelihood of a point.
    pub log_likelihood: f64,
}

impl<M> Fit<M> {
    /// The same fit with its mixture converted.
    pub(crate) fn map<T>(self, convert: impl FnOnce(M) -> T) -> Fit<T> {
        let Self { mixture, iterations, converged, log_likelihood } = self;
        Fit { mixture: convert(mixture), iterations, converged, log_likelihood }
    }
}

/// The outcome of an E step.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The probability of each component for each point.
    pub responsibilities: Responsibilities,
    /// Mean log-likelihood of a point.
    pub log_likelihood: f64,
}

/// Iterations of every restart before the best is chosen; running all to convergence would cost several times as much.
const TRIAL_ITERATIONS: usize = 10;

/// Fits a mixture by EM from micro-clusters merged by Ward's method.
///
/// `sample` are some of the points, to find micro-clusters on where there are many.
pub(super) fn fit<F: ComponentFamily>(
    family: &F,
    sample: Option<&F>,
    config: &MixtureConfig,
    seed: u64,
) -> Result<Fit<F::Mixture>> {
    let trial = |(&restart, posterior): (&u64, &mut F::Posterior)| -> Result<Fit<F::Mixture>> {
        let iterations = KMeansConfig::default().max_iterations;
        let clusters = ward::cluster(family, sample, config.communities, iterations, seed, restart)?;
        let start = family.initialize(clusters, posterior, config)?;
        let mut search = Search::new(family, start, posterior)?;
        search.run(config, TRIAL_ITERATIONS.min(config.max_iterations))?;
        Ok(search.into_fit())
    };
    let restarts: Vec<u64> = (0..config.restarts.max(1) as u64).collect();
    // A thread that waits for another begins what it finds, so all at once would be in memory many at a time.
    let concurrent = if F::PARALLEL_RESTARTS { rayon::current_num_threads() } else { 1 };
    // Reused by all restarts: responsibilities that are freed and allocated again stay in the heap of each thread, as
    // glibc raises its threshold for mapping memory to the largest block that was freed. That doubled the peak.
    let mut posteriors: Vec<F::Posterior> =
        (0..concurrent.min(restarts.len())).map(|_| family.posterior(config.communities)).collect();
    let mut best: Option<Fit<F::Mixture>> = None;
    for batch in restarts.chunks(concurrent) {
        let trials = batch.par_iter().zip(posteriors.par_iter_mut());
        for found in trials.map(trial).collect::<Result<Vec<_>>>()? {
            if best.as_ref().is_none_or(|best| found.log_likelihood > best.log_likelihood) {
                best = Some(found);
            }
        }
    }
    let best = best.expect("there is at least one restart");
    let mut search = Search::new(family, best.mixture, &mut posteriors[0])?;
    search.iterations = best.iterations;
    search.converged = best.converged && !F::ITERATE_CONVERGED;
    search.run(config, config.max_iterations)?;
    Ok(search.into_fit())
}

/// EM from a given mixture.
pub(super) fn refine<F: ComponentFamily>(
    family: &F,
    mixture: F::Mixture,
    config: &MixtureConfig,
) -> Result<Fit<F::Mixture>> {
    let mut posterior = family.posterior(F::component_count(&mixture));
    let mut search = Search::new(family, mixture, &mut posterior)?;
    search.run(config, config.max_iterations)?;
    Ok(search.into_fit())
}

/// EM between two iterations: the mixture and its posterior.
struct Search<'a, F: ComponentFamily> {
    family: &'a F,
    mixture: F::Mixture,
    posterior: &'a mut F::Posterior,
    log_likelihood: f64,
    iterations: usize,
    converged: bool,
}

impl<'a, F: ComponentFamily> Search<'a, F> {
    fn new(family: &'a F, mixture: F::Mixture, posterior: &'a mut F::Posterior) -> Result<Self> {
        let log_likelihood = family.expect(&mixture, posterior)?.log_likelihood;
        Ok(Self { family, mixture, posterior, log_likelihood, iterations: 0, converged: false })
    }

    /// Iterates until convergence, or until the search has made `iterations` in total.
    fn run(&mut self, config: &MixtureConfig, iterations: usize) -> Result<()> {
        while !self.converged && self.iterations < iterations {
            self.mixture = self.family.maximize(&self.mixture, self.posterior, config)?;
            let expected = self.family.expect(&self.mixture, self.posterior)?;
            self.iterations += 1;
            self.log_likelihood = expected.log_likelihood;
            self.converged = expected.change < config.tolerance;
        }
        Ok(())
    }

    fn into_fit(self) -> Fit<F::Mixture> {
        let Self { mixture, iterations, converged, log_likelihood, .. } = self;
        Fit { mixture, iterations, converged, log_likelihood }
    }
}
