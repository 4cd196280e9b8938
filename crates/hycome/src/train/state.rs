//! State of a training run: everything that a checkpoint stores.
//!
//! Random streams are addressed, not consumed ([`crate::rng`]), so no generator is part of it: tables, mixture and a cursor are enough to
//! continue with the same result. A run can be stopped between any two buckets of walks
//! ([`scheduler`](super::engine::scheduler)) and between the other steps of an epoch; a step that is interrupted is undone.

use serde::{Deserialize, Serialize};

use super::engine::bucket::PairCounts;
use super::engine::scheduler::Rounds;
use super::engine::table::Table;
use super::initialization::random_init;
use super::report::{EpochReport, Timings};
use super::resolved::ResolvedConfig;
use super::snapshot::Snapshot;
use crate::error::Result;
use crate::mixture::Mixture;

/// State of one training run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TrainState {
    /// Position in the training.
    pub cursor: Cursor,
    /// φ, rows with slacks.
    pub(crate) nodes: Table,
    /// φ', rows with slacks.
    pub(crate) contexts: Table,
    /// Communities found by pre-training, until the first fit of the mixture.
    pub pretrained_communities: Option<Vec<u32>>,
    /// Mixture; none before its first fit.
    pub mixture: Option<Mixture>,
    /// One report per completed epoch.
    pub history: Vec<EpochReport>,
    /// Snapshots of these epochs, if they are recorded.
    pub snapshots: Vec<Snapshot>,
    /// Time spent in each step.
    pub timings: Timings,
}

/// Position in a training run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cursor {
    /// Whether the run is in its pre-training, whose points have more dimensions.
    pub is_pretraining: bool,
    /// Completed epochs of this phase.
    pub epochs: usize,
    /// Whether the first-order step of the next epoch is completed.
    pub first_order_done: bool,
    /// Walks of the epoch whose chunks are completed.
    pub walks: usize,
    /// Completed buckets of the next chunk; empty if it has not begun.
    pub rounds: Rounds,
    /// Pair updates of the epoch so far.
    pub counts: PairCounts,
    /// Whether the points are centred for the final fit.
    pub is_centered: bool,
    /// Whether the final fit of this phase is completed.
    pub is_finished: bool,
}

impl Cursor {
    /// Key that grows with the position.
    pub(super) fn rank_key(&self) -> (bool, bool, usize, bool, usize, u64) {
        let buckets = self.rounds.iter().map(|&rounds| u64::from(rounds)).sum();
        (!self.is_pretraining, self.is_finished, self.epochs, self.first_order_done, self.walks, buckets)
    }
}

impl TrainState {
    /// Initial state: random points, in the dimensions of the pre-training if there is one.
    #[must_use]
    pub(crate) fn new(config: &ResolvedConfig, node_count: usize) -> Self {
        let pretraining = config.pretraining();
        let is_pretraining = pretraining.is_some();
        let dim = pretraining.map_or(config.dim, |pretraining| pretraining.dim);
        let (nodes, contexts) = random_init(config.geometry, node_count, dim, config.seed);
        Self {
            cursor: Cursor { is_pretraining, ..Cursor::default() },
            nodes,
            contexts,
            pretrained_communities: None,
            mixture: None,
            history: Vec::new(),
            snapshots: Vec::new(),
            timings: Timings::default(),
        }
    }

    /// Whether the whole run, not only its pre-training, is completed.
    #[must_use]
    pub(crate) fn is_finished(&self) -> bool {
        self.cursor.is_finished && !self.cursor.is_pretraining
    }

    /// Pair updates so far.
    #[must_use]
    pub(crate) fn pairs(&self) -> u64 {
        self.history.iter().map(|report| report.pairs).sum::<u64>() + self.cursor.counts.pairs
    }

    /// Mean log-likelihood of the last fit; negative infinity before the first.
    pub(super) fn log_likelihood(&self) -> f64 {
        let mixture = self.history.last().and_then(|report| report.mixture.as_ref());
        mixture.map_or(f64::NEG_INFINITY, |mixture| mixture.log_likelihood)
    }

    /// Renumbers communities by size, in the mixture and in all snapshots, so that a community has one number and one colour throughout
    /// an animation.
    ///
    /// During training components keep the order in which they were found.
    ///
    /// # Errors
    /// If mixture and points do not fit together, or [`Error::Interrupted`](crate::Error::Interrupted); the state is unchanged then.
    pub(super) fn number_communities_by_size(&mut self) -> Result<()> {
        let Some(mixture) = &self.mixture else { return Ok(()) };
        let order = mixture.largest_first(&self.nodes.all_points())?;
        self.mixture = Some(mixture.clone().reordered(&order));
        for snapshot in &mut self.snapshots {
            snapshot.mixture = snapshot.mixture.as_ref().map(|mixture| mixture.reordered(&order));
        }
        Ok(())
    }
}
