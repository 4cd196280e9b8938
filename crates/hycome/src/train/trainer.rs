//! Trainer: the entry point of the library.

use std::ops::ControlFlow;

use super::checkpoint::{Checkpoint, CheckpointPolicy, into_run};
use super::config::TrainConfig;
use super::engine::partition::Partition;
use super::objective::second_order::SecondOrder;
use super::progress::ProgressCallback;
use super::report::Timings;
use super::resolved::ResolvedConfig;
use super::restarts::{Ended, RestartOptions, train_restarts};
use super::run::Run;
use super::snapshot::Snapshot;
use super::state::TrainState;
use super::training_run::TrainContext;
use crate::error::{Error, Result};
use crate::graph::{Graph, NodeId, NodeNames};

/// Trains the embedding and the communities of a graph.
///
/// # Stopping and resuming
///
/// A training stops when its callback breaks or the [`Interrupt`](crate::interrupt::Interrupt) of its pool is set: between two
/// buckets of walks, a fraction of a second even on large graphs, and anywhere in a fit of the mixture, which is then undone.
/// Nothing else is computed: the last checkpoint is passed to [`CheckpointPolicy::save`], and [`Trainer::train`] returns
/// [`TrainOutcome::Stopped`].
///
/// The unfinished run takes a fit of the mixture, so it is made on request only:
///
/// ```
/// use std::ops::ControlFlow;
/// use hycome::{TrainConfig, Trainer, datasets, train::TrainOutcome};
///
/// let karate = datasets::builtin("karate").expect("it is built in").load();
/// let config = TrainConfig { communities: Some(2), ..TrainConfig::default() };
/// let trainer = Trainer::new(&karate.graph, config)?.with_names(karate.names);
/// let outcome = trainer.train(&mut |progress| match progress.done < 0.5 {
///     true => ControlFlow::Continue(()),
///     false => ControlFlow::Break(()),
/// })?;
/// let TrainOutcome::Stopped(checkpoint) = outcome else { panic!("it was stopped") };
/// let unfinished = checkpoint.clone().into_run()?; // the points so far
/// assert_eq!(unfinished.nodes.len(), 34);
/// let resumed = Trainer::resume(&karate.graph, *checkpoint)?; // ends as if it had never been stopped
/// # let _ = resumed;
/// # Ok::<(), hycome::Error>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Trainer {
    /// The graph, its nodes in the order of rows.
    graph: Graph,
    /// Row of each node.
    rows: Vec<NodeId>,
    names: NodeNames,
    config: ResolvedConfig,
    keeps_snapshots: bool,
    has_layout: bool,
    checkpoints: Option<CheckpointPolicy>,
    /// States of the restarts of a training that is resumed.
    states: Vec<Option<TrainState>>,
}

/// How a call of [`Trainer::train`] ended.
#[derive(Debug)]
#[must_use]
pub enum TrainOutcome {
    /// All epochs are trained and the mixture is fitted.
    Finished(Box<Trained>),
    /// The callback broke, or an [`interrupt`](crate::interrupt) was requested.
    Stopped(Box<Checkpoint>),
}

impl TrainOutcome {
    /// The result, unless the training was stopped.
    #[must_use]
    pub fn finished(self) -> Option<Trained> {
        match self {
            Self::Finished(trained) => Some(*trained),
            Self::Stopped(_) => None,
        }
    }
}

/// Result of a training.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trained {
    /// Points, communities and reports.
    pub run: Run,
    /// A snapshot of each epoch, if they were recorded; those of the pre-training are not.
    pub snapshots: Vec<Snapshot>,
    /// Time spent in each step.
    pub timings: Timings,
    /// The settings, with all defaults filled in.
    pub config: ResolvedConfig,
}

impl Trainer {
    /// Prepares a training.
    ///
    /// # Errors
    /// If a setting is outside its range, the number of communities is missing or larger than the number of nodes, or
    /// the graph has no edge.
    pub fn new(graph: &Graph, config: TrainConfig) -> Result<Self> {
        config.validate()?;
        if graph.edge_count() == 0 {
            return Err(Error::Graph("the graph has no edge, so there is nothing to learn from".into()));
        }
        let config = ResolvedConfig::new(&config, graph)?;
        let node_count = graph.node_count();
        let order = Partition::new(node_count, config.blocks.max(1)).order(graph, config.seed);
        let mut rows = vec![0; node_count];
        for (row, &node) in order.iter().enumerate() {
            rows[node as usize] = row as NodeId;
        }
        Ok(Self {
            graph: graph.induced(&order),
            rows,
            names: NodeNames::numbered(0, node_count),
            config,
            keeps_snapshots: false,
            has_layout: false,
            checkpoints: None,
            states: Vec::new(),
        })
    }

    /// Resumes a training from a checkpoint; it ends as if it had never been stopped.
    ///
    /// # Errors
    /// If the checkpoint is of another graph, or inconsistent.
    pub fn resume(graph: &Graph, checkpoint: Checkpoint) -> Result<Self> {
        checkpoint.check(graph.node_count())?;
        let mut trainer = Self::new(graph, checkpoint.config.to_config())?;
        if checkpoint.fingerprint != trainer.graph.fingerprint() {
            return Err(Error::Graph("this is not the graph that the training began with".into()));
        }
        (trainer.keeps_snapshots, trainer.states) = (checkpoint.keeps_snapshots, checkpoint.restarts);
        trainer.names = checkpoint.names;
        Ok(trainer)
    }

    /// The settings, with all defaults filled in.
    #[must_use]
    pub fn config(&self) -> &ResolvedConfig {
        &self.config
    }

    /// Sets the names of the nodes, which run and checkpoints contain; by default they are numbers from 0.
    ///
    /// # Panics
    /// If there is not one name for each node.
    pub fn with_names(self, names: NodeNames) -> Self {
        assert_eq!(names.len(), self.rows.len(), "there is a name for each node");
        Self { names, ..self }
    }

    /// Makes checkpoints during training.
    pub fn with_checkpoints(self, policy: CheckpointPolicy) -> Self {
        Self { checkpoints: Some(policy), ..self }
    }

    /// Records a snapshot of each epoch, in [`Trained::snapshots`].
    ///
    /// A snapshot takes the memory of the points in double precision; the result is the same with and without.
    pub fn with_snapshots(self) -> Self {
        Self { keeps_snapshots: true, ..self }
    }

    /// Adds a two-dimensional layout to the run, [`Run::layout`], if the embedding has more dimensions.
    ///
    /// Embedding and communities are the same with and without.
    pub fn with_layout(self) -> Self {
        Self { has_layout: true, ..self }
    }

    /// Trains without a progress callback.
    ///
    /// # Errors
    /// If points stop being finite, or [`Error::Interrupted`] if an [`interrupt`](crate::interrupt) was requested.
    pub fn train_to_end(self) -> Result<Trained> {
        self.train(&mut |_| ControlFlow::Continue(()))?.finished().ok_or(Error::Interrupted)
    }

    /// Trains all restarts and keeps the best, unless `progress` or an [`interrupt`](crate::interrupt) stops it.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(self, progress: &mut ProgressCallback<'_>) -> Result<TrainOutcome> {
        let Self { graph, rows, names, config, keeps_snapshots, has_layout, checkpoints, states } = self;
        let context = TrainContext {
            graph: &graph,
            rows: &rows,
            second_order: SecondOrder::new(&graph, config.blocks.max(1), config.noise_exponent),
        };
        let options = RestartOptions {
            config: &config,
            names: &names,
            keeps_snapshots,
            has_layout,
            checkpoints: checkpoints.as_ref(),
        };
        let ended = train_restarts(&context, &options, states, progress)?;
        drop(context);
        Ok(match ended {
            Ended::Finished(outcome) => {
                let (mut state, timings) = (outcome.state, outcome.timings);
                let snapshots = std::mem::take(&mut state.snapshots);
                let run = into_run(state, &rows, names, &config, outcome.reports);
                let run = Run { layout: outcome.layout, ..run };
                TrainOutcome::Finished(Box::new(Trained { run, snapshots, timings, config }))
            }
            Ended::Stopped(restarts) => {
                let fingerprint = graph.fingerprint();
                let checkpoint = Checkpoint { config, keeps_snapshots, fingerprint, rows, names, restarts };
                TrainOutcome::Stopped(Box::new(checkpoint))
            }
        })
    }
}
