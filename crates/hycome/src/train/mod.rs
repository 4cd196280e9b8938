//! Training: the four moves of an epoch. Start reading here.
//!
//! | move | loss | reads and writes |
//! | --- | --- | --- |
//! | [`attract_neighbors`](first_order) | O₁: every edge | nodes |
//! | [`predict_contexts`](second_order) | O₂: walks and negatives | nodes and contexts |
//! | [`fit_communities`](crate::mixture) | EM | reads nodes, replaces the mixture |
//! | [`gather_communities`](community) | O₃: every node | nodes, the mixture fixed |
//!
//! In two or three dimensions a short training in ten finds the communities first, and the points start there
//! ([`start`]). The first epochs, the warm-up, make moves one and two only: a mixture fitted to points that have not
//! unfolded would hold them where they are. Meanwhile the space bends: its curvature grows from one to what the
//! dimension needs ([`TrainConfig::curvature_for`]), so that points first pass each other easily, as they must
//! to untangle, and then find room. The step size falls linearly over the whole training.
//!
//! All of this is for the Poincaré ball. In the flat geometries, which it is compared with, points start scattered, there is no
//! curvature, and the moves are those of [`flat_kernel`], [`mod@line`] and [`crate::mixture::flat`].
//!
//! That is one course of training. Small graphs get several, each from a start of its own, and the one whose communities
//! have the lowest conductance is kept: there, a node or two more on the right side is a matter of chance, and courses
//! cost next to nothing ([`TrainConfig::starts_for`]).
//!
//! Inside, nodes lie in a random order (the rows), cut into blocks that threads train side by side; see
//! [`blocks`]. [`Trainer::into_run`] puts them back into the graph's order.

pub mod blocks;
pub mod community;
mod config;
mod course;
pub mod deck;
mod fingerprint;
pub mod first_order;
pub mod flat_kernel;
pub mod kernel;
pub mod lanes;
pub mod line;
pub mod memory;
mod numbering;
pub mod plain;
mod report;
mod run;
pub mod schedule;
pub mod second_order;
mod snapshot;
mod stand;
pub mod start;
mod starts;
pub mod table;
mod ticker;
pub mod tiles;
pub mod visits;

use std::ops::ControlFlow;

pub use config::{NegativesPer, TrainConfig};
pub use fingerprint::RunFingerprint;
pub use report::{EpochReport, MixtureReport, Progress, Seconds, StartReport, Step};
pub use run::Run;
pub use snapshot::Snapshot;
pub use stand::{Checkpoint, Checkpoints, Position, Stand};

use crate::error::{Error, Result};
use crate::graph::{Graph, NodeId, NodeNames};
use blocks::Blocks;
use course::{Course, Ground};
use second_order::SecondOrder;

/// Progress callback; return [`ControlFlow::Break`] to stop training. It is called from any thread of the pool, when a step begins and a few
/// times a second on walks.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// How a call of [`Trainer::train`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainOutcome {
    /// All epochs are trained and the mixture is fitted: [`Trainer::into_run`] gives the run.
    Finished,
    /// The callback broke, or an [`interrupt`](crate::interrupt) was requested: [`Trainer::into_checkpoint`] gives the state.
    Stopped,
}

/// Trains a graph's embedding and communities.
///
/// # Stopping and resuming
///
/// A training stops when its callback breaks or the [`Interrupt`](crate::interrupt::Interrupt) of its pool is set: between two
/// buckets of walks, a fraction of a second even on large graphs, and anywhere in a fit of the mixture, which is then undone.
/// Nothing else is computed: the last checkpoint goes to [`Checkpoints::keep`], and [`Trainer::train`] returns
/// [`TrainOutcome::Stopped`].
///
/// A front end gets the unfinished run when it is asked for it, not before, as it takes a fit of the mixture:
///
/// ```
/// use std::ops::ControlFlow;
/// use hycome::{TrainConfig, Trainer, datasets, train::TrainOutcome};
///
/// let karate = datasets::builtin("karate").expect("it is built in").load();
/// let mut trainer = Trainer::new(&karate.graph, TrainConfig { communities: Some(2), ..TrainConfig::default() })?;
/// trainer.set_names(karate.names); // a checkpoint keeps them, so that a run can be made of it alone
/// let outcome = trainer.train(&mut |progress| match progress.done < 0.5 {
///     true => ControlFlow::Continue(()),
///     false => ControlFlow::Break(()),
/// })?;
/// assert_eq!(outcome, TrainOutcome::Stopped);
/// let checkpoint = trainer.into_checkpoint().expect("it was stopped"); // to save, or to resume
/// let unfinished = checkpoint.clone().into_run()?; // what was learnt so far
/// assert_eq!(unfinished.nodes.len(), 34);
/// let mut resumed = Trainer::resume(&karate.graph, checkpoint)?;
/// # let _ = &mut resumed;
/// # Ok::<(), hycome::Error>(())
/// ```
#[derive(Debug)]
pub struct Trainer {
    /// The graph, its nodes in the order of rows.
    graph: Graph,
    /// The row of each node.
    rows: Vec<NodeId>,
    /// The names of the nodes, for checkpoints.
    names: NodeNames,
    config: TrainConfig,
    communities: usize,
    keeps_snapshots: bool,
    checkpoints: Option<Checkpoints>,
    /// Where each start was stopped.
    stands: Vec<Option<Stand>>,
    /// The course that was kept.
    course: Option<Course>,
    /// What became of each start, if there were several.
    starts: Vec<StartReport>,
    seconds: Seconds,
}

impl Trainer {
    /// A training that has not begun.
    ///
    /// # Errors
    /// If a setting is outside its range, the number of communities is missing or larger than the number of nodes, or
    /// the graph has no edge.
    pub fn new(graph: &Graph, mut config: TrainConfig) -> Result<Self> {
        config.validate()?;
        let node_count = graph.node_count();
        if graph.edge_count() == 0 {
            return Err(Error::Graph("the graph has no edge, so there is nothing to learn from".into()));
        }
        let communities = config.communities.ok_or_else(|| Error::Config {
            parameter: "communities",
            expected: "given, since there are no labels to count classes of".into(),
            found: "missing".into(),
        })?;
        if communities > node_count {
            return Err(Error::Config {
                parameter: "communities",
                expected: format!("at most the number of nodes, {node_count}"),
                found: communities.to_string(),
            });
        }
        // What was left to us is written down, so that the run's settings say all.
        config.negatives = Some(config.negatives_for(communities));
        config.curvature = (!config.geometry.is_flat()).then(|| config.curvature_for(communities));
        config.gamma = Some(config.gamma_or_usual());
        config.window = Some(config.window_for(node_count));
        config.alpha = Some(config.alpha_for(graph));
        config.starts = Some(config.starts_for(node_count));
        let order = Blocks::new(node_count, config.blocks.max(1)).order(graph, config.seed);
        let mut rows = vec![0; node_count];
        for (row, &node) in order.iter().enumerate() {
            rows[node as usize] = row as NodeId;
        }
        Ok(Self {
            graph: graph.induced(&order),
            rows,
            names: NodeNames::numbered(0, node_count),
            config,
            communities,
            keeps_snapshots: false,
            checkpoints: None,
            stands: Vec::new(),
            course: None,
            starts: Vec::new(),
            seconds: Seconds::default(),
        })
    }

    /// Resumes a training where a checkpoint was made; it ends as if it had never been stopped.
    ///
    /// # Errors
    /// If the checkpoint is of another graph, or does not fit together.
    pub fn resume(graph: &Graph, checkpoint: Checkpoint) -> Result<Self> {
        checkpoint.check(graph.node_count())?;
        let mut trainer = Self::new(graph, checkpoint.config)?;
        if checkpoint.fingerprint != trainer.graph.fingerprint() {
            return Err(Error::Graph("this is not the graph that the training began with".into()));
        }
        (trainer.keeps_snapshots, trainer.stands) = (checkpoint.keeps_snapshots, checkpoint.starts);
        trainer.names = checkpoint.names;
        Ok(trainer)
    }

    /// The graph, its nodes in the order of rows.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The settings, with everything that was left to us.
    #[must_use]
    pub fn config(&self) -> &TrainConfig {
        &self.config
    }

    /// The names of the nodes, which checkpoints keep; without, nodes are called by their numbers from 0 there.
    ///
    /// # Panics
    /// If there is not one name for each node.
    pub fn set_names(&mut self, names: NodeNames) {
        assert_eq!(names.len(), self.rows.len(), "there is a name for each node");
        self.names = names;
    }

    /// From now on makes checkpoints.
    pub fn keep_checkpoints(&mut self, checkpoints: Checkpoints) {
        self.checkpoints = Some(checkpoints);
    }

    /// From now on keeps a snapshot of each epoch, which [`Trainer::take_snapshots`] gives away.
    ///
    /// A snapshot takes the memory of the points in double precision; the result is the same with and without.
    pub fn keep_snapshots(&mut self) {
        self.keeps_snapshots = true;
    }

    /// Trains from every start and keeps the best, unless `watch` or an [`interrupt`](crate::interrupt) stops it.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, watch: &mut Watch<'_>) -> Result<TrainOutcome> {
        let ground = Ground {
            graph: &self.graph,
            rows: &self.rows,
            communities: self.communities,
            second_order: SecondOrder::new(&self.graph, self.config.blocks.max(1)),
            fingerprint: self.checkpoints.as_ref().map_or(0, |_| self.graph.fingerprint()),
        };
        let task = starts::Task {
            config: &self.config,
            names: &self.names,
            keeps_snapshots: self.keeps_snapshots,
            checkpoints: self.checkpoints.as_ref(),
        };
        match starts::best(&ground, &task, std::mem::take(&mut self.stands), watch)? {
            starts::Ended::Finished(best) => {
                (self.course, self.starts, self.seconds) = (Some(best.course), best.starts, best.seconds);
                Ok(TrainOutcome::Finished)
            }
            starts::Ended::Stopped(stands) => {
                self.stands = stands;
                Ok(TrainOutcome::Stopped)
            }
        }
    }

    /// The state of a training that was stopped or has not begun; none if it is finished.
    #[must_use]
    pub fn into_checkpoint(self) -> Option<Checkpoint> {
        let mut starts = self.stands;
        starts.resize(self.config.starts_for(self.rows.len()), None);
        self.course.is_none().then(|| Checkpoint {
            fingerprint: self.graph.fingerprint(),
            config: self.config,
            keeps_snapshots: self.keeps_snapshots,
            rows: self.rows,
            names: self.names,
            starts,
        })
    }

    /// The snapshots that were kept: of the epochs in the dimension asked for, not of the guide's.
    pub fn take_snapshots(&mut self) -> Vec<Snapshot> {
        self.course.as_mut().and_then(|course| course.snapshots.take()).unwrap_or_default()
    }

    /// Where the time went.
    #[must_use]
    pub fn seconds(&self) -> Seconds {
        match &self.course {
            Some(_) => self.seconds,
            None => self.stands.iter().flatten().map(|stand| stand.seconds).sum(),
        }
    }

    /// The trained points in the graph's order, and their communities.
    ///
    /// # Panics
    /// If the training is not [finished](TrainOutcome::Finished).
    #[must_use]
    pub fn into_run(self, names: NodeNames) -> Run {
        let course = self.course.expect("the training is finished");
        course.into_run(&self.rows, names, self.config, self.starts)
    }
}
