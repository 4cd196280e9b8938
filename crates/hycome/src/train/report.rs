//! Progress and reports of a training.

use serde::{Deserialize, Serialize};

/// Report of an epoch. It contains no time, so that the same run has the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochReport {
    /// Number of the epoch, from 1, pre-training and warm-up included.
    pub epoch: usize,
    /// Dimensions of the points: more than those of the result during pre-training.
    pub dim: usize,
    /// Learning rate at its end.
    pub learning_rate: f64,
    /// Pair updates of the second-order step: positives and their negatives.
    pub pairs: u64,
    /// Updates skipped because they would leave the ball.
    pub dropped_steps: u64,
    /// Fit of the mixture; none during the warm-up.
    pub mixture: Option<MixtureReport>,
}

/// Report of a fit of the mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixtureReport {
    /// EM iterations.
    pub iterations: usize,
    /// Whether EM converged before its maximum number of iterations.
    pub converged: bool,
    /// Mean log-likelihood of a point.
    pub log_likelihood: f64,
}

/// Report of one of several restarts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartReport {
    /// Mean conductance of its communities.
    pub conductance: f64,
    /// Pair updates of the whole training.
    pub pairs: u64,
    /// Updates skipped because they would leave the ball.
    pub dropped_steps: u64,
    /// Whether its points are the result.
    pub kept: bool,
}

/// Training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first-order step: every edge.
    FirstOrder,
    /// The second-order step: skip-gram on random walks.
    SecondOrder,
    /// A fit of the mixture.
    Fit,
    /// The initialization from the communities that pre-training found.
    Initialization,
    /// The two-dimensional layout of the result.
    Layout,
}

/// Progress of a training: passed to the progress callback when a step begins and a few times a second during the longest.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Current step.
    pub step: Step,
    /// The running epoch, counted from 1.
    pub epoch: usize,
    /// Number of epochs, pre-training and warm-up included.
    pub epochs: usize,
    /// Completed fraction of the whole training, 0 to 1.
    pub done: f64,
    /// Pair updates so far.
    pub pairs: u64,
}

/// Time spent in each training step, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// First-order step, O₁.
    pub first_order: f64,
    /// Second-order step, O₂, and initialization.
    pub second_order: f64,
    /// Community step, O₃.
    pub community: f64,
    /// EM.
    pub em: f64,
}

impl Timings {
    /// The same proportions of another total: parallel restarts take less wall time than the sum of their times.
    #[must_use]
    pub(crate) fn spread_over(self, total: f64) -> Self {
        let scale =
            total / (self.first_order + self.second_order + self.community + self.em).max(f64::MIN_POSITIVE);
        Self {
            first_order: scale * self.first_order,
            second_order: scale * self.second_order,
            community: scale * self.community,
            em: scale * self.em,
        }
    }
}

impl std::iter::Sum for Timings {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            first_order: a.first_order + b.first_order,
            second_order: a.second_order + b.second_order,
            community: a.community + b.community,
            em: a.em + b.em,
        })
    }
}
