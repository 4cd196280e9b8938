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
//! Inside, nodes lie in a random order (the rows), cut into blocks that threads train side by side; see
//! [`blocks`]. [`Trainer::into_run`] puts them back into the graph's order.

pub mod blocks;
pub mod community;
mod config;
pub mod deck;
pub mod first_order;
pub mod kernel;
pub mod lanes;
pub mod plain;
mod report;
mod run;
pub mod schedule;
pub mod second_order;
mod snapshot;
pub mod start;
pub mod table;
pub mod tiles;

use std::ops::ControlFlow;
use std::time::Instant;

pub use config::{NegativesPer, TrainConfig};
pub use report::{EpochReport, MixtureReport, Progress, Seconds};
pub use run::Run;
pub use snapshot::Snapshot;

use crate::error::{Error, Result};
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::translate;
use crate::graph::{Graph, NodeId, NodeNames};
use crate::mixture::{Fit, GaussianMixture, MixtureConfig, Responsibilities, fit, maximization, refine};
use blocks::{Blocks, WalkPlan};
use lanes::Pace;
use second_order::{Counts, EpochPlan, SecondOrder};
use table::Table;
use tiles::Tiles;

/// The step size ends at this share of where it started.
const LAST_RATE: f64 = 0.01;

/// The guide of a training in few dimensions gets one epoch for this many.
const GUIDE_SHARE: usize = 4;

/// Trains a graph's embedding and communities.
#[derive(Debug)]
pub struct Trainer {
    /// The graph, its nodes in the order of rows.
    graph: Graph,
    /// The row of each node.
    rows: Vec<NodeId>,
    config: TrainConfig,
    communities: usize,
    nodes: Table,
    contexts: Tiles,
    /// Communities of the guide, where the first fit begins.
    guide: Option<Vec<u32>>,
    mixture: Option<GaussianMixture>,
    history: Vec<EpochReport>,
    /// A snapshot of each epoch, if they are kept.
    snapshots: Option<Vec<Snapshot>>,
    seconds: Seconds,
}

impl Trainer {
    /// A training that has not begun; the points are at their start.
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
        config.curvature = Some(config.curvature_for(communities));
        config.window = Some(config.window_for(node_count));
        let order = Blocks::new(node_count, config.blocks.max(1)).order(graph, config.seed);
        let mut rows = vec![0; node_count];
        for (row, &node) in order.iter().enumerate() {
            rows[node as usize] = row as NodeId;
        }
        Ok(Self::of_rows(graph.induced(&order), rows, communities, config))
    }

    /// A training of a graph whose nodes are in the order of rows already.
    fn of_rows(graph: Graph, rows: Vec<NodeId>, communities: usize, config: TrainConfig) -> Self {
        let (nodes, contexts) = start::scattered(graph.node_count(), config.dim, config.seed);
        Self {
            graph,
            rows,
            communities,
            nodes,
            contexts,
            guide: None,
            mixture: None,
            history: Vec::new(),
            snapshots: None,
            seconds: Seconds::default(),
            config,
        }
    }

    /// Runs all epochs; `watch` hears of the progress and may break off, which keeps what was learnt so far.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Result<()> {
        let mut flow = self.seek_guidance(watch)?;
        let graph = std::mem::take(&mut self.graph);
        let second_order = SecondOrder::new(&graph, self.config.blocks.max(1));
        for epoch in 0..self.epochs() {
            if flow.is_continue() {
                flow = self.epoch(&graph, &second_order, epoch, watch)?;
                self.keep_snapshot();
            }
        }
        drop(second_order);
        self.graph = graph;
        self.finish()
    }

    /// From now on keeps a snapshot of each epoch, which [`Trainer::take_snapshots`] gives away.
    ///
    /// A snapshot takes the memory of the points in double precision; the result is the same with and without.
    pub fn keep_snapshots(&mut self) {
        self.snapshots = Some(Vec::new());
    }

    /// The snapshots that were kept: of the epochs in the dimension asked for, not of the guide's.
    pub fn take_snapshots(&mut self) -> Vec<Snapshot> {
        self.snapshots.take().unwrap_or_default()
    }

    fn keep_snapshot(&mut self) {
        if let Some(snapshots) = &mut self.snapshots {
            let epoch = self.history.last().map_or(0, |report| report.epoch);
            let nodes = self.nodes.points(&self.rows);
            snapshots.push(Snapshot { epoch, nodes, mixture: self.mixture.clone() });
        }
    }

    /// In few dimensions, starts from the communities of a short training in more; see [`start`].
    fn seek_guidance(
        &mut self,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        let (warmup_epochs, epochs) = (self.guide_epochs(), self.guide_epochs() + self.epochs());
        let mut flow = ControlFlow::Continue(());
        if warmup_epochs == 0 {
            return Ok(flow);
        }
        let in_more = TrainConfig {
            dim: start::GUIDE_DIM,
            curvature: None,
            warmup_epochs,
            epochs: 0,
            ..self.config.clone()
        };
        // The guide has the same rows, so it trains on this graph itself and gives it back.
        let graph = std::mem::take(&mut self.graph);
        let mut guide = Trainer::of_rows(graph, Vec::new(), self.communities, in_more);
        guide.train(&mut |progress| {
            let done = progress.done * warmup_epochs as f64 / epochs as f64;
            flow = watch(&Progress { epochs, done, ..*progress });
            flow
        })?;
        self.seconds = guide.seconds;
        self.history.append(&mut guide.history);
        self.graph = guide.graph;
        let mixture = guide.mixture.expect("training ends with a fit of the mixture");
        let guide = start::Guide { points: guide.nodes.all_points(), mixture };
        let communities = guide.communities()?;
        (self.nodes, self.contexts) = start::guided(&self.graph, &guide, &communities, &self.config)?;
        self.guide = Some(communities);
        Ok(flow)
    }

    /// One epoch: neighbours, walks and, after the warm-up, communities.
    fn epoch(
        &mut self,
        graph: &Graph,
        second_order: &SecondOrder,
        epoch: usize,
        watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        let (config, epochs) = (&self.config, self.epochs());
        let (number, all) = (self.guide_epochs() + epoch, self.guide_epochs() + epochs);
        let rate = |share: f64| {
            let done = (epoch as f64 + share) / epochs as f64;
            config.learning_rate * (1.0 - (1.0 - LAST_RATE) * done)
        };
        let pace = |weight: f64, share: f64| {
            let bent = ((epoch as f64 + share) / config.warmup_epochs.max(1) as f64).min(1.0);
            let curvature = config.curvature_for(self.communities).powf(bent) as f32;
            Pace { rate: (2.0 * weight * rate(share)) as f32, curvature }
        };

        let mut clock = Instant::now();
        let mut dropped_steps =
            first_order::attract_neighbors(graph, &mut self.nodes, pace(config.alpha, 0.0));
        self.seconds.first_order += lap(&mut clock);

        let plan = EpochPlan {
            walk: WalkPlan {
                seed: config.seed,
                epoch: epoch as u64,
                length: config.walk_length,
                window: config.window_for(graph.node_count()),
            },
            walks: config.walks,
            negatives: config.negatives_of_a_pair(self.communities, graph.node_count()),
        };
        let before: u64 = self.history.iter().map(|report| report.pairs).sum();
        let mut tell = |share: f64, counts: &Counts| {
            let done = (number as f64 + share) / all as f64;
            watch(&Progress { epoch: number + 1, epochs: all, done, pairs: before + counts.pairs })
        };
        let step = |share| pace(config.beta, share);
        let (nodes, contexts) = (&mut self.nodes, &mut self.contexts);
        let (counts, flow) = if config.blocks == 0 {
            let counts = plain::epoch(graph, nodes, contexts, &plan, step);
            (counts, tell(1.0, &counts))
        } else {
            second_order.epoch(nodes, contexts, &plan, step, &mut tell)
        };
        dropped_steps += counts.dropped;
        self.seconds.second_order += lap(&mut clock);
        if !(self.nodes.is_finite() && self.contexts.is_finite()) {
            return Err(Error::NotFinite { epoch: number + 1, step: "walks" });
        }

        let mut mixture = None;
        let learning_rate = rate(1.0);
        if epoch >= config.warmup_epochs && flow.is_continue() {
            let pull = config.gamma * config.learning_rate;
            mixture = Some(self.fit_communities()?);
            clock = Instant::now();
            let fitted = self.mixture.as_ref().expect("the mixture was just fitted");
            let points = self.nodes.all_points();
            community::gather_communities(&mut self.nodes, &points, fitted, pull)?;
            self.seconds.community += lap(&mut clock);
        }
        self.history.push(EpochReport {
            epoch: number + 1,
            dim: self.config.dim,
            learning_rate,
            pairs: counts.pairs,
            dropped_steps,
            mixture,
        });
        Ok(flow)
    }

    /// Fits the mixture to the nodes: the first time from the guide's communities or, without a guide, from K-means; later
    /// from the last mixture. (K-means beside a guide finds likelier mixtures of worse communities.)
    fn fit_communities(&mut self) -> Result<MixtureReport> {
        let mut clock = Instant::now();
        let points = self.nodes.all_points();
        let config = MixtureConfig::of_communities(self.communities, points.len());
        if let Some(guide) = self.guide.take() {
            let certain = Responsibilities::certain(self.communities, &guide);
            self.mixture = Some(maximization(&points, &certain, config.scale_floor)?);
        }
        let Fit { mixture, iterations, converged, log_likelihood } = match self.mixture.take() {
            Some(mixture) => refine(&points, mixture, &config)?,
            None => fit(&points, &config, self.config.seed)?,
        };
        self.mixture = Some(mixture);
        self.seconds.em += lap(&mut clock);
        Ok(MixtureReport { iterations, converged, log_likelihood })
    }

    /// The last fit: communities of the points as they are now, moved so that their barycenter is the origin.
    fn finish(&mut self) -> Result<()> {
        let points = self.nodes.all_points();
        if let Some(center) = barycenter(&points, &vec![1.0; points.len()], None) {
            let back: Vec<f64> = center.point.iter().map(|c| -c).collect();
            self.nodes.translate(&back);
            let mut contexts = self.contexts.to_table();
            contexts.translate(&back);
            self.contexts = Tiles::new(&contexts);
            if let Some(mixture) = &mut self.mixture {
                let means = mixture.means.clone();
                means
                    .rows()
                    .enumerate()
                    .for_each(|(k, mean)| translate(&back, mean, mixture.means.row_mut(k)));
            }
        }
        let report = self.fit_communities()?;
        if let Some(last) = self.history.last_mut() {
            last.mixture = Some(report);
        }
        Ok(())
    }

    fn epochs(&self) -> usize {
        self.config.warmup_epochs + self.config.epochs
    }

    fn guide_epochs(&self) -> usize {
        let guided = self.config.dim <= start::GUIDED_DIM && self.communities <= start::MOST_COMMUNITIES;
        if guided { self.epochs() / GUIDE_SHARE } else { 0 }
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
        Run {
            nodes: self.nodes.points(&self.rows),
            contexts: self.contexts.to_table().points(&self.rows),
            mixture: self.mixture.expect("training ends with a fit of the mixture"),
            names,
            config: self.config,
            history: self.history,
        }
    }
}

/// Seconds since `clock`, which starts again.
fn lap(clock: &mut Instant) -> f64 {
    let seconds = clock.elapsed().as_secs_f64();
    *clock = Instant::now();
    seconds
}
