//! What a training tells the outside while it runs and when it is done.

use serde::{Deserialize, Serialize};

/// What an epoch did. No time is in it, so that the same run gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochReport {
    /// Counted from 1, the guide's and the warm-up's included.
    pub epoch: usize,
    /// Dimensions it was trained in: more than asked for in the guide's.
    pub dim: usize,
    /// Step size at its end.
    pub learning_rate: f64,
    /// Pair updates on walks: observed pairs and their negatives.
    pub pairs: u64,
    /// Steps that would have left the ball and were not made.
    pub dropped_steps: u64,
    /// What the mixture's fit did; none during the warm-up.
    pub mixture: Option<MixtureReport>,
}

/// What a fit of the mixture did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixtureReport {
    /// EM iterations.
    pub iterations: usize,
    /// Whether it came to rest, or was stopped by its cap.
    pub converged: bool,
    /// Mean log density of a point.
    pub log_likelihood: f64,
}

/// What became of one of several starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartReport {
    /// Mean conductance of its communities.
    pub conductance: f64,
    /// Pair updates of its whole training.
    pub pairs: u64,
    /// Steps that would have left the ball and were not made.
    pub dropped_steps: u64,
    /// Whether it is the one whose points are the result.
    pub kept: bool,
}

/// What a training is doing.
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
}

/// How far a training is: given to the progress callback when a step begins and a few times a second during the longest.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What it is doing.
    pub step: Step,
    /// The running epoch, counted from 1.
    pub epoch: usize,
    /// All epochs, the guide's and the warm-up's included.
    pub epochs: usize,
    /// Share of the whole training that is done, 0 to 1.
    pub done: f64,
    /// Pair updates so far.
    pub pairs: u64,
}

/// Where the time went, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// O1: neighbours.
    pub first_order: f64,
    /// O2: walks, negatives and the start.
    pub second_order: f64,
    /// O3: the pull to communities.
    pub community: f64,
    /// Fits of the mixture.
    pub em: f64,
}

impl Seconds {
    /// The same shares of another total: courses that were trained side by side took less time on the wall than their sum.
    #[must_use]
    pub fn spread_over(self, total: f64) -> Self {
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

impl std::iter::Sum for Seconds {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            first_order: a.first_order + b.first_order,
            second_order: a.second_order + b.second_order,
            community: a.community + b.community,
            em: a.em + b.em,
        })
    }
}
