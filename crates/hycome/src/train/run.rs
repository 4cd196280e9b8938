//! Result of a training.

use super::config::TrainConfig;
use super::report::{EpochReport, RestartReport};
use crate::error::Result;
use crate::graph::NodeNames;
use crate::mixture::{Mixture, Responsibilities};
use crate::points::Points;

/// Trained embedding and its communities: the content of a run file.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// φ: points of the nodes, in single precision.
    pub nodes: Points,
    /// φ': points of the nodes as contexts.
    pub contexts: Points,
    /// Two-dimensional layout of the nodes in the Poincaré disc, if the embedding has more dimensions and
    /// [`with_layout`](super::Trainer::with_layout) asked for it.
    pub layout: Option<Points>,
    /// The communities, numbered by size: component 0 is the most probable one of the most nodes.
    pub mixture: Mixture,
    /// Names of the nodes.
    pub names: NodeNames,
    /// Settings that reproduce this run.
    pub config: TrainConfig,
    /// One report per epoch, of the restart that was kept.
    pub history: Vec<EpochReport>,
    /// Report of each restart; empty if there was only one.
    pub restarts: Vec<RestartReport>,
}

impl Run {
    /// Probability of each community for each node.
    ///
    /// # Errors
    /// If mixture and points do not fit together, as in a file changed by hand.
    pub fn responsibilities(&self) -> Result<Responsibilities> {
        self.mixture.responsibilities(&self.nodes)
    }

    /// Pair updates of all restarts.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.history
            .iter()
            .map(|epoch| epoch.pairs)
            .chain(self.other_restarts().map(|restart| restart.pairs))
            .sum()
    }

    /// Updates of all restarts that were skipped because they would leave the ball.
    #[must_use]
    pub fn dropped_steps(&self) -> u64 {
        self.history
            .iter()
            .map(|epoch| epoch.dropped_steps)
            .chain(self.other_restarts().map(|restart| restart.dropped_steps))
            .sum()
    }

    fn other_restarts(&self) -> impl Iterator<Item = &RestartReport> {
        self.restarts.iter().filter(|restart| !restart.kept)
    }
}
