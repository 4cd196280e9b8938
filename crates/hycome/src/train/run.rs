//! What a training leaves behind.

use super::config::TrainConfig;
use super::report::{EpochReport, StartReport};
use crate::error::Result;
use crate::graph::NodeNames;
use crate::mixture::{Mixture, Responsibilities};
use crate::points::Points;

/// A trained embedding and its communities: all that a run file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// φ: the nodes' points, each coordinate a single-precision number.
    pub nodes: Points,
    /// φ': the points by which nodes are predicted as contexts.
    pub contexts: Points,
    /// The communities, numbered by size: component 0 is the most probable one of the most nodes.
    pub mixture: Mixture,
    /// What the outside calls the nodes.
    pub names: NodeNames,
    /// The settings that repeat this run.
    pub config: TrainConfig,
    /// One report per epoch, of the start that was kept.
    pub history: Vec<EpochReport>,
    /// What became of each start; empty if there was one only.
    pub starts: Vec<StartReport>,
}

impl Run {
    /// How likely each node belongs to each community.
    ///
    /// # Errors
    /// If mixture and points do not fit together, as in a file changed by hand.
    pub fn responsibilities(&self) -> Result<Responsibilities> {
        self.mixture.responsibilities(&self.nodes)
    }

    /// Pair updates of the whole training, of all starts.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.history.iter().map(|epoch| epoch.pairs).chain(self.other_starts().map(|start| start.pairs)).sum()
    }

    /// Steps of all starts that would have left the ball and were not made.
    #[must_use]
    pub fn dropped_steps(&self) -> u64 {
        self.history
            .iter()
            .map(|epoch| epoch.dropped_steps)
            .chain(self.other_starts().map(|start| start.dropped_steps))
            .sum()
    }

    fn other_starts(&self) -> impl Iterator<Item = &StartReport> {
        self.starts.iter().filter(|start| !start.kept)
    }
}
