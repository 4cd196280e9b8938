//! Where a course of training stands: all that it needs to go on as if it had never stopped.
//!
//! Randomness is addressed, not consumed ([`crate::rng`]), so there is none in it: points, communities and a position are
//! enough. A course can be stopped between any two buckets of walks ([`super::schedule`]), and between the other steps of an epoch; a step
//! that is interrupted is undone.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::blocks::Blocks;
use super::config::TrainConfig;
use super::course::{Course, guide_config};
use super::numbering;
use super::report::{EpochReport, Progress, Seconds, Step};
use super::run::Run;
use super::schedule::{Rounds, is_reachable};
use super::second_order::Counts;
use super::snapshot::Snapshot;
use super::start;
use super::table::Table;
use crate::error::{Error, Result};
use crate::graph::{NodeId, NodeNames};
use crate::mixture::Mixture;
use crate::mixture::flat::{FlatMixture, Spreads};

/// A training before its end: enough to resume it on its graph, and to use what it has learnt so far without.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its settings, with everything that was left to us.
    pub config: TrainConfig,
    /// Whether snapshots are kept.
    pub keeps_snapshots: bool,
    /// A checksum of the graph.
    pub fingerprint: u32,
    /// The row of each node in the tables of a [`Stand`].
    pub rows: Vec<NodeId>,
    /// What the outside calls the nodes.
    pub names: NodeNames,
    /// Each start; none where it had not begun.
    pub starts: Vec<Option<Stand>>,
}

impl Checkpoint {
    /// The run as it would be if training ended here: centred, and with a mixture fitted to the points as they are.
    ///
    /// Of several starts it is the one that is furthest; of those that are finished, the one whose mixture is the likeliest.
    /// In the first epochs of a training in two or three dimensions the points have more: those of the
    /// [pre-training](super::start). The fit takes time on a large graph, polls [`crate::interrupt`], and does not change the
    /// training, which resumes from the same checkpoint as if this had not been called.
    ///
    /// # Errors
    /// If the checkpoint does not fit together, no start has begun, or no mixture can be fitted.
    pub fn into_run(mut self) -> Result<Run> {
        self.check(self.rows.len())?;
        let communities = self.config.communities.unwrap_or(0);
        let likelihood = |stand: &Stand| {
            let mixture = stand.history.last().and_then(|report| report.mixture.as_ref());
            mixture.map_or(f64::NEG_INFINITY, |mixture| mixture.log_likelihood)
        };
        let mut best: Option<Stand> = None;
        for stand in self.starts.drain(..).flatten() {
            let order = best.as_ref().map_or(Ordering::Greater, |best| {
                stand.position.furthest().cmp(&best.position.furthest()).then_with(|| {
                    if stand.position.is_finished {
                        likelihood(&stand).total_cmp(&likelihood(best))
                    } else {
                        Ordering::Equal
                    }
                })
            });
            if order.is_gt() {
                best = Some(stand);
            }
        }
        let best = best.ok_or_else(|| Error::Graph("the training has not begun".into()))?;
        let mut course = Course::ended(&self.config, communities, best)?;
        numbering::by_size(&mut course)?;
        Ok(course.into_run(&self.rows, self.names, self.config, Vec::new()))
    }

    /// How far the training is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let communities = self.config.communities.unwrap_or(0);
        let guided = guide_config(&self.config, communities).map_or(0, |guide| guide.warmup_epochs);
        let epochs = guided + self.config.warmup_epochs + self.config.epochs;
        let walks = (self.config.walks * self.rows.len()).max(1) as f64;
        let (mut done, mut epoch, mut pairs) = (0.0, 1, 0);
        for stand in self.starts.iter().flatten() {
            let Position { is_guide, walks: trained, counts, is_finished, .. } = &stand.position;
            let number = stand.position.epochs + if *is_guide { 0 } else { guided };
            let share = if *is_finished { 0.0 } else { (*trained as f64 / walks).min(1.0) };
            done += ((number as f64 + share) / epochs.max(1) as f64).min(1.0);
            epoch = epoch.max((number + 1).min(epochs.max(1)));
            pairs += stand.history.iter().map(|report| report.pairs).sum::<u64>() + counts.pairs;
        }
        done /= self.starts.len().max(1) as f64;
        Progress { step: Step::SecondOrder, epoch, epochs, done, pairs }
    }

    /// Whether everything in it fits together, and a graph of so many nodes.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, node_count: usize) -> Result<()> {
        self.config.validate()?;
        let communities = self.config.communities.unwrap_or(0);
        let block_count = Blocks::new(node_count, self.config.blocks.max(1)).count;
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
                let is_share = |weight: &f64| (0.0..=1.0 + 1e-6).contains(weight);
                mixture.len() == communities
                    && mixture.weights().iter().all(is_share)
                    && (means.len(), means.dim()) == (communities, dim)
                    && numbers
            };
            let guided = guide_config(&self.config, communities).map_or(0, |guide| guide.warmup_epochs);
            let epochs =
                if stand.position.is_guide { guided } else { self.config.warmup_epochs + self.config.epochs };
            is_table(&stand.nodes)
                && is_table(&stand.contexts)
                && stand.guide.as_ref().is_none_or(is_guide)
                && stand.mixture.as_ref().is_none_or(is_mixture)
                && (stand.mixture.is_some() || !stand.position.is_finished)
                && stand.position.epochs <= epochs
                && is_reachable(&stand.position.rounds, block_count)
        };
        let is_order = {
            let mut seen = vec![false; node_count];
            self.rows.len() == node_count
                && self
                    .rows
                    .iter()
                    .all(|&row| seen.get_mut(row as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
        };
        let is_whole = is_order
            && self.names.len() == node_count
            && (1..=node_count).contains(&communities)
            && self.starts.len() == self.config.starts_for(node_count);
        if is_whole && self.starts.iter().flatten().all(fits) {
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
    /// Takes them; if the training is stopped, the last one is of this moment.
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

/// One course, where it can be resumed.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Whether points and position are those of its guide.
    pub is_guide: bool,
    /// Epochs that are done.
    pub epochs: usize,
    /// Whether the first-order step of the next one is.
    pub edges: bool,
    /// Walks of it that are trained.
    pub walks: usize,
    /// Buckets of the next chunk of walks that are trained; empty if it has not begun.
    pub rounds: Rounds,
    /// What they did.
    pub counts: Counts,
    /// Whether the points are centred for the last fit.
    pub is_centered: bool,
    /// Whether the last fit was made too.
    pub is_finished: bool,
}

impl Position {
    /// A key that grows with the position.
    fn furthest(&self) -> (bool, bool, usize, bool, usize, u64) {
        let buckets = self.rounds.iter().map(|&rounds| u64::from(rounds)).sum();
        (!self.is_guide, self.is_finished, self.epochs, self.edges, self.walks, buckets)
    }
}
