//! Where a course of training stands: all that it needs to go on as if it had never stopped.
//!
//! Randomness is addressed, not consumed ([`crate::rng`]), so there is none in it: points, communities and a position are
//! enough. A course can be left after each chunk of walks.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::TrainConfig;
use super::report::{EpochReport, Seconds};
use super::second_order::Counts;
use super::snapshot::Snapshot;
use super::start;
use super::table::Table;
use crate::error::{Error, Result};
use crate::mixture::Mixture;
use crate::mixture::flat::{FlatMixture, Spreads};

/// A training that was left before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its settings, with everything that was left to us.
    pub config: TrainConfig,
    /// Whether snapshots are kept.
    pub keeps_snapshots: bool,
    /// A checksum of the graph.
    pub fingerprint: u32,
    /// Each start; none where it had not begun.
    pub starts: Vec<Option<Stand>>,
}

impl Checkpoint {
    /// Whether everything in it fits together, and a graph of so many nodes.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, node_count: usize) -> Result<()> {
        self.config.validate()?;
        let communities = self.config.communities.unwrap_or(0);
        let fits = |stand: &Stand| {
            let dim = if stand.position.is_guide { start::GUIDE_DIM } else { self.config.dim };
            let is_table =
                |table: &Table| (table.len(), table.dim()) == (node_count, dim) && table.is_finite();
            let is_guide = |guide: &Vec<u32>| {
                guide.len() == node_count && guide.iter().all(|&community| (community as usize) < communities)
            };
            let is_mixture = |mixture: &Mixture| {
                let numbers = match mixture {
                    Mixture::Flat(FlatMixture { spreads: Spreads::Full(covariances), .. }) => {
                        covariances.len() == communities * dim * dim
                    }
                    round => round.scales().is_some_and(|scales| scales.len() == communities),
                };
                let means = mixture.means();
                mixture.len() == communities && (means.len(), means.dim()) == (communities, dim) && numbers
            };
            is_table(&stand.nodes)
                && is_table(&stand.contexts)
                && stand.guide.as_ref().is_none_or(is_guide)
                && stand.mixture.as_ref().is_none_or(is_mixture)
                && (stand.mixture.is_some() || !stand.position.is_finished)
        };
        if self.starts.len() == self.config.starts_for(node_count) && self.starts.iter().flatten().all(fits) {
            return Ok(());
        }
        Err(Error::Graph(format!(
            "the checkpoint does not fit a graph of {node_count} nodes and its own settings"
        )))
    }
}

/// Checkpoints that are made on the way.
pub struct Checkpoints {
    /// A course makes one when this time has passed since its last.
    pub time: Duration,
    /// It makes one after so many epochs too, if any number is given.
    pub epochs: Option<usize>,
    /// Takes them; if the training is broken off, the last one is of this moment.
    pub keep: Box<dyn Fn(&Checkpoint) + Send + Sync>,
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoints")
            .field("time", &self.time)
            .field("epochs", &self.epochs)
            .finish_non_exhaustive()
    }
}

/// One course, at the end of a chunk of walks or of the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// How far it is.
    pub position: Position,
    /// φ, with their slacks.
    pub nodes: Table,
    /// φ', with their slacks.
    pub contexts: Table,
    /// Communities of the guide, until the first fit.
    pub guide: Option<Vec<u32>>,
    /// The communities; none before the first fit.
    pub mixture: Option<Mixture>,
    /// One report for each epoch that is done.
    pub history: Vec<EpochReport>,
    /// Snapshots of these epochs, if they are kept.
    pub snapshots: Vec<Snapshot>,
    /// Where the time went.
    pub seconds: Seconds,
}

/// How far a course is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Whether points and position are those of its guide.
    pub is_guide: bool,
    /// Epochs that are done.
    pub epochs: usize,
    /// Walks of the next one that are trained; its edges are, if there is any.
    pub walks: usize,
    /// What they did.
    pub counts: Counts,
    /// Whether the last fit was made too.
    pub is_finished: bool,
}
