//! Checkpoints: a training before its end, enough to resume it on its graph and to use its points without.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use super::engine::partition::Partition;
use super::engine::scheduler::is_reachable;
use super::engine::table::Table;
use super::report::{Progress, RestartReport, Step, Timings};
use super::resolved::ResolvedConfig;
use super::run::Run;
use super::state::{Cursor, TrainState};
use super::training_run::finish;
use crate::error::{Error, Result};
use crate::graph::{NodeId, NodeNames};
use crate::mixture::Mixture;
use crate::mixture::euclidean::{Covariances, EuclideanMixture};

/// State of a training before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Settings.
    pub config: ResolvedConfig,
    /// Whether snapshots are recorded.
    pub keeps_snapshots: bool,
    /// Checksum of the graph.
    pub fingerprint: u32,
    /// Row of each node in the tables of a `TrainState`.
    pub rows: Vec<NodeId>,
    /// Names of the nodes.
    pub names: NodeNames,
    /// State of each restart; none where it has not begun.
    pub(crate) restarts: Vec<Option<TrainState>>,
}

impl Checkpoint {
    /// The run as it would be if training ended here: centred, and with a mixture fitted to the current points.
    ///
    /// Of several restarts it is the one that is furthest; of finished ones, that of the highest likelihood.
    /// During pre-training the points have more dimensions than the result. The fit takes time on a large graph,
    /// polls [`crate::interrupt`], and does not change the training, which resumes from the same checkpoint as if this had not been
    /// called.
    ///
    /// # Errors
    /// If the checkpoint is inconsistent, no restart has begun, or no mixture can be fitted.
    pub fn into_run(mut self) -> Result<Run> {
        self.check(self.rows.len())?;
        let mut best: Option<TrainState> = None;
        for state in self.restarts.drain(..).flatten() {
            if best.as_ref().is_none_or(|best| compare(&state, best).is_gt()) {
                best = Some(state);
            }
        }
        let mut best = best.ok_or_else(|| Error::Graph("the training has not begun".into()))?;
        if !best.cursor.is_finished {
            let pretraining = self.config.pretraining().filter(|_| best.cursor.is_pretraining);
            finish(&mut best, pretraining.as_ref().unwrap_or(&self.config))?;
        }
        best.number_communities_by_size()?;
        Ok(into_run(best, &self.rows, self.names, &self.config, Vec::new()))
    }

    /// Progress of the training.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let pretraining = self.config.pretraining_epochs();
        let epochs = pretraining + self.config.total_epochs();
        let walks = (self.config.walks * self.rows.len()).max(1) as f64;
        let (mut done, mut epoch, mut pairs) = (0.0, 1, 0);
        for state in self.restarts.iter().flatten() {
            let Cursor { is_pretraining, walks: trained, is_finished, .. } = &state.cursor;
            let number = state.cursor.epochs + if *is_pretraining { 0 } else { pretraining };
            let fraction = if *is_finished { 0.0 } else { (*trained as f64 / walks).min(1.0) };
            done += ((number as f64 + fraction) / epochs.max(1) as f64).min(1.0);
            epoch = epoch.max((number + 1).min(epochs.max(1)));
            pairs += state.pairs();
        }
        done /= self.restarts.len().max(1) as f64;
        Progress { step: Step::SecondOrder, epoch, epochs, done, pairs }
    }

    /// Time spent so far, summed over restarts.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.restarts.iter().flatten().map(|state| state.timings).sum()
    }

    /// Checks that the checkpoint is consistent with itself and with a graph of `node_count` nodes.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&self, node_count: usize) -> Result<()> {
        self.config.to_config().validate()?;
        let is_consistent = is_permutation(&self.rows, node_count)
            && self.names.len() == node_count
            && (1..=node_count).contains(&self.config.communities)
            && self.restarts.len() == self.config.restarts
            && self.restarts.iter().flatten().all(|state| self.fits(state, node_count));
        if is_consistent {
            return Ok(());
        }
        Err(Error::Graph(format!(
            "the checkpoint does not fit a graph of {node_count} nodes and its own settings"
        )))
    }

    /// Whether a state has the sizes that the settings give, and a cursor that training reaches.
    fn fits(&self, state: &TrainState, node_count: usize) -> bool {
        let pretraining = self.config.pretraining();
        let config = match (&pretraining, state.cursor.is_pretraining) {
            (Some(pretraining), true) => pretraining,
            (None, true) => return false,
            (_, false) => &self.config,
        };
        let (dim, communities) = (config.dim, config.communities);
        let is_table = |table: &Table| (table.len(), table.dim()) == (node_count, dim) && table.is_finite();
        let are_communities = |found: &Vec<u32>| {
            found.len() == node_count && found.iter().all(|&community| (community as usize) < communities)
        };
        let block_count = Partition::new(node_count, config.blocks.max(1)).block_count;
        is_table(&state.nodes)
            && is_table(&state.contexts)
            && state.pretrained_communities.as_ref().is_none_or(are_communities)
            && state.mixture.as_ref().is_none_or(|mixture| is_mixture(mixture, communities, dim))
            && (state.mixture.is_some() || !state.cursor.is_finished)
            && state.cursor.epochs <= config.total_epochs()
            && is_reachable(&state.cursor.rounds, block_count)
    }
}

/// Order by position and, if both are finished, by likelihood.
fn compare(state: &TrainState, other: &TrainState) -> Ordering {
    state.cursor.rank_key().cmp(&other.cursor.rank_key()).then_with(|| {
        if state.cursor.is_finished {
            state.log_likelihood().total_cmp(&other.log_likelihood())
        } else {
            Ordering::Equal
        }
    })
}

fn is_permutation(rows: &[NodeId], node_count: usize) -> bool {
    let mut seen = vec![false; node_count];
    rows.len() == node_count
        && rows
            .iter()
            .all(|&row| seen.get_mut(row as usize).is_some_and(|seen| !std::mem::replace(seen, true)))
}

fn is_mixture(mixture: &Mixture, communities: usize, dim: usize) -> bool {
    let has_covariances = match mixture {
        Mixture::Euclidean(EuclideanMixture { covariances: Covariances::Full(covariances), .. }) => {
            covariances.len() == communities * dim * dim
        }
        isotropic => isotropic.scales().is_some_and(|scales| scales.len() == communities),
    };
    let means = mixture.means();
    let is_weight = |weight: &f64| (0.0..=1.0 + 1e-6).contains(weight);
    mixture.len() == communities
        && mixture.weights().iter().all(is_weight)
        && (means.len(), means.dim()) == (communities, dim)
        && has_covariances
}

/// The run of a finished state, its points in the order of the graph.
pub(super) fn into_run(
    state: TrainState,
    rows: &[NodeId],
    names: NodeNames,
    config: &ResolvedConfig,
    restarts: Vec<RestartReport>,
) -> Run {
    Run {
        nodes: state.nodes.points(rows),
        contexts: state.contexts.points(rows),
        layout: None,
        mixture: state.mixture.expect("training ends with a fit of the mixture"),
        names,
        config: config.to_config(),
        history: state.history,
        restarts,
    }
}

/// When checkpoints are made, and where they go.
pub struct CheckpointPolicy {
    /// A restart makes one when this time has passed since its last.
    pub interval: Duration,
    /// It also makes one after this many epochs, if given.
    pub epochs: Option<usize>,
    /// Receives them; if the training is stopped, the last one is of that moment.
    pub save: Box<dyn Fn(&Checkpoint) + Send + Sync>,
}

impl fmt::Debug for CheckpointPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckpointPolicy")
            .field("interval", &self.interval)
            .field("epochs", &self.epochs)
            .finish_non_exhaustive()
    }
}
