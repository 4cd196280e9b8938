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
pub mod tiles;
pub mod visits;

use std::ops::ControlFlow;

pub use config::{NegativesPer, TrainConfig};
pub use fingerprint::RunFingerprint;
pub use report::{EpochReport, MixtureReport, Progress, Seconds, StartReport};
pub use run::Run;
pub use snapshot::Snapshot;
pub use stand::{Checkpoint, Checkpoints, Position, Stand};

use crate::error::{Error, Result};
use crate::graph::{Graph, NodeId, NodeNames};
use blocks::Blocks;
use course::{Course, Ground};
use second_order::SecondOrder;

/// Hears of the progress of a training, and may break it off.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Trains a graph's embedding and communities.
#[derive(Debug)]
pub struct Trainer {
    /// The graph, its nodes in the order of rows.
    graph: Graph,
    /// The row of each node.
    rows: Vec<NodeId>,
    config: TrainConfig,
    communities: usize,
    keeps_snapshots: bool,
    checkpoints: Option<Checkpoints>,
    /// Where each start stood when the training was left.
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

    /// A training that goes on where a checkpoint was made, and ends as if it had never been left.
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
        Ok(trainer)
    }

    /// The settings, with everything that was left to us.
    #[must_use]
    pub fn config(&self) -> &TrainConfig {
        &self.config
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

    /// Trains from every start and keeps the best; `watch` hears of the progress and may break off, which keeps what was
    /// learnt so far.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        let ground = Ground {
            graph: &self.graph,
            rows: &self.rows,
            communities: self.communities,
            second_order: SecondOrder::new(&self.graph, self.config.blocks.max(1)),
        };
        let task = starts::Task {
            config: &self.config,
            keeps_snapshots: self.keeps_snapshots,
            checkpoints: self.checkpoints.as_ref(),
        };
        let mut best = starts::best(&ground, &task, std::mem::take(&mut self.stands), watch)?;
        numbering::by_size(&mut best.course)?;
        (self.course, self.starts, self.seconds) = (Some(best.course), best.starts, best.seconds);
        Ok(())
    }

    /// The snapshots that were kept: of the epochs in the dimension asked for, not of the guide's.
    pub fn take_snapshots(&mut self) -> Vec<Snapshot> {
        self.course.as_mut().and_then(|course| course.snapshots.take()).unwrap_or_default()
    }

    /// Where the time went.
    #[must_use]
    pub fn seconds(&self) -> Seconds {
        self.seconds
    }

    /// The trained points in the graph's order, and their communities.
    ///
    /// # Panics
    /// If [`Trainer::train`] was not called.
    #[must_use]
    pub fn into_run(self, names: NodeNames) -> Run {
        let course = self.course.expect("the training was made");
        Run {
            nodes: course.nodes.points(&self.rows),
            contexts: course.contexts.points(&self.rows),
            mixture: course.mixture.expect("training ends with a fit of the mixture"),
            names,
            config: self.config,
            history: course.history,
            starts: self.starts,
        }
    }
}
