//! Progress of a training: aggregates the restarts for the progress callback, and makes checkpoints on the way.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::checkpoint::Checkpoint;
use super::report::{Progress, Step};
use super::restarts::RestartOptions;
use super::state::TrainState;
use super::training_run::TrainContext;
use crate::graph::NodeId;
use crate::interrupt;

/// Progress callback; return [`ControlFlow::Break`] to stop training. It is called from any thread of the pool, when a step begins and a few
/// times a second during the second-order step.
pub type ProgressCallback<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// When all restarts are trained, a checkpoint is made unless the last one is younger than this: what follows, such as
/// scoring, may fail or be interrupted.
const MAX_CHECKPOINT_AGE: Duration = Duration::from_secs(10);

/// Aggregates the progress of all restarts.
pub(super) struct ProgressHub<'a, 'w> {
    options: &'a RestartOptions<'a>,
    rows: &'a [NodeId],
    /// Checksum of the graph; zero if no checkpoint needs it.
    fingerprint: u32,
    shared: Mutex<Shared<'a, 'w>>,
}

struct Shared<'a, 'w> {
    progress: Vec<Progress>,
    /// Last state of each restart, for the checkpoints of the others. A single restart passes its own state each time, and
    /// it is not stored twice.
    states: Vec<Option<TrainState>>,
    /// Time and epoch of each restart's last checkpoint.
    last_checkpoint: Vec<(Instant, usize)>,
    flow: ControlFlow<()>,
    callback: &'a mut ProgressCallback<'w>,
}

impl<'a, 'w> ProgressHub<'a, 'w> {
    pub(super) fn new(
        context: &'a TrainContext<'_>,
        options: &'a RestartOptions<'a>,
        states: &[Option<TrainState>],
        callback: &'a mut ProgressCallback<'w>,
    ) -> Self {
        let nothing = Progress { step: Step::FirstOrder, epoch: 1, epochs: 1, done: 0.0, pairs: 0 };
        let shared = Shared {
            progress: vec![nothing; states.len()],
            states: if states.len() > 1 { states.to_vec() } else { vec![None] },
            last_checkpoint: vec![(Instant::now(), 1); states.len()],
            flow: ControlFlow::Continue(()),
            callback,
        };
        let fingerprint = options.checkpoints.map_or(0, |_| context.graph.fingerprint());
        Self { options, rows: context.rows, fingerprint, shared: Mutex::new(shared) }
    }

    /// Passes the progress of a restart on as that of the whole training, and makes a checkpoint if one is due; once the callback has
    /// returned [`ControlFlow::Break`], all restarts get it.
    pub(super) fn notify(
        &self,
        restart: usize,
        progress: &Progress,
        state: Option<&TrainState>,
    ) -> ControlFlow<()> {
        let mut shared = self.shared();
        shared.progress[restart] = *progress;
        let count = shared.progress.len();
        let done = shared.progress.iter().map(|restart| restart.done).sum::<f64>() / count as f64;
        let pairs = shared.progress.iter().map(|restart| restart.pairs).sum();
        if shared.flow.is_continue() {
            shared.flow = (shared.callback)(&Progress { done, pairs, ..*progress });
        }
        if shared.flow.is_break() {
            return shared.flow;
        }
        let (Some(policy), Some(state)) = (self.options.checkpoints, state) else { return shared.flow };
        let (time, epoch) = shared.last_checkpoint[restart];
        let epochs_passed = policy.epochs.is_some_and(|epochs| progress.epoch >= epoch + epochs);
        if epochs_passed || time.elapsed() >= policy.interval {
            shared.states[restart] = Some(state.clone());
            self.save(&mut shared.states);
            shared.last_checkpoint[restart] = (Instant::now(), progress.epoch);
            if count == 1 {
                shared.states[restart] = None;
            }
        }
        shared.flow
    }

    /// Passes on that the layout is computed; the restarts are trained then.
    pub(super) fn notify_layout(&self) -> ControlFlow<()> {
        let mut shared = self.shared();
        let pairs = shared.progress.iter().map(|restart| restart.pairs).sum();
        let last = shared.progress[0];
        let progress = Progress { step: Step::Layout, epoch: last.epochs, done: 1.0, pairs, ..last };
        if shared.flow.is_continue() {
            shared.flow = (shared.callback)(&progress);
        }
        shared.flow
    }

    /// Whether the training was stopped, by the callback or an interrupt.
    pub(super) fn is_stopped(&self) -> bool {
        interrupt::is_requested() || self.has_broken()
    }

    /// Whether some restart was stopped.
    pub(super) fn has_broken(&self) -> bool {
        self.shared().flow.is_break()
    }

    /// Stops all restarts.
    pub(super) fn stop(&self) {
        self.shared().flow = ControlFlow::Break(());
    }

    /// Stores the state of a finished restart for the checkpoints of the others.
    pub(super) fn record_finished(&self, restart: usize, state: &TrainState) {
        let mut shared = self.shared();
        if self.options.checkpoints.is_some() && shared.flow.is_continue() && shared.states.len() > 1 {
            shared.states[restart] = Some(state.clone());
        }
    }

    /// Makes a checkpoint of finished restarts, unless the last one is recent.
    pub(super) fn checkpoint_finished(&self, states: &[Option<TrainState>]) {
        let Some(policy) = self.options.checkpoints else { return };
        let mut shared = self.shared();
        let last = shared.last_checkpoint.iter().map(|last| last.0).max();
        let max_age = policy.interval.min(MAX_CHECKPOINT_AGE);
        if last.is_some_and(|last| last.elapsed() < max_age) {
            return;
        }
        if let [Some(state)] = states {
            shared.states[0] = Some(state.clone());
        }
        self.save(&mut shared.states);
        shared.states.clear();
    }

    /// Makes a checkpoint of these states.
    pub(super) fn save(&self, states: &mut Vec<Option<TrainState>>) {
        let Some(policy) = self.options.checkpoints else { return };
        let mut checkpoint = Checkpoint {
            config: self.options.config.clone(),
            keeps_snapshots: self.options.keeps_snapshots,
            fingerprint: self.fingerprint,
            rows: self.rows.to_vec(),
            names: self.options.names.clone(),
            restarts: std::mem::take(states),
        };
        (policy.save)(&checkpoint);
        *states = std::mem::take(&mut checkpoint.restarts);
    }

    fn shared(&self) -> MutexGuard<'_, Shared<'a, 'w>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
