//! Component families: what K-means and EM need from a geometry.

use super::{KMeans, MixtureConfig};
use crate::numeric::columns::Column;
use crate::{Points, Result};

/// The points of a fit together with the family of the mixture's components.
///
/// The drivers [`kmeans`](super::kmeans) and [`em`](super::em) are generic over it; [`super::hyperbolic`] and
/// [`super::euclidean`] implement it. An implementation obeys two laws: [`maximize`](Self::maximize) followed by
/// [`expect`](Self::expect) never lowers the likelihood, and no result depends on the number of threads.
pub(super) trait ComponentFamily: Sync {
    /// A mixture of components of this family.
    type Mixture: Clone + Send;

    /// Responsibilities in the family's own layout, with whatever the E step computes for the next M step.
    type Posterior: Send;

    /// Squared distances up to this are those of equal points.
    const EQUAL: f64;

    /// Whether restarts run in parallel, each with its own responsibilities in memory.
    const PARALLEL_RESTARTS: bool;

    /// Whether the best restart is iterated further if it converged within its trial iterations already.
    ///
    /// One more iteration moves a converged mixture by less than the tolerance, but it does; the recorded results of
    /// the two families differ in this.
    const ITERATE_CONVERGED: bool;

    /// Number of components of a mixture.
    fn component_count(mixture: &Self::Mixture) -> usize;

    /// The points.
    fn points(&self) -> &Points;

    /// Squared distance of two points.
    fn squared_distance(a: &[f64], b: &[f64]) -> f64;

    /// For each point of block `b` the index of its nearest centre, and the squared distance from it.
    fn nearest(&self, b: usize, means: &Points) -> (Column, Column);

    /// The Fréchet mean of one or more points `members`; an iterative search begins at `start`.
    fn mean(&self, members: &[usize], start: &[f64]) -> Result<Vec<f64>>;

    /// The mixture of an M step from hard assignments, which replace the posterior.
    fn initialize(
        &self,
        clusters: KMeans,
        posterior: &mut Self::Posterior,
        config: &MixtureConfig,
    ) -> Result<Self::Mixture>;

    /// Responsibilities of zero for this number of components.
    fn posterior(&self, components: usize) -> Self::Posterior;

    /// E step: replaces the posterior by that of `mixture`.
    fn expect(&self, mixture: &Self::Mixture, posterior: &mut Self::Posterior) -> Result<Expected>;

    /// M step from the posterior of `mixture`.
    fn maximize(
        &self,
        mixture: &Self::Mixture,
        posterior: &mut Self::Posterior,
        config: &MixtureConfig,
    ) -> Result<Self::Mixture>;
}

/// Outcome of an E step besides the responsibilities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    /// Mean log-likelihood of a point.
    pub log_likelihood: f64,
    /// Mean absolute change of a responsibility.
    pub change: f64,
}
