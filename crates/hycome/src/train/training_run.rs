//! One training run: from its initial points through all epochs to the final fit.
//!
//! A run has one phase or two: in two or three dimensions a short pre-training in ten finds the communities, and the main training starts
//! from them ([`super::initialization`]). Every step is a function over [`TrainState`]; a step that is interrupted leaves the state as it
//! was, so that the state can be saved and resumed at any time. Inside, a stop is [`Error::Interrupted`].

use std::ops::ControlFlow;
use std::time::Instant;

use super::engine::bucket::PairCounts;
use super::engine::pair_index::WalkPlan;
use super::engine::scheduler::Rounds;
use super::initialization::{Pretrained, init_from_pretrained};
use super::objective::second_order::{EpochPlan, SecondOrder};
use super::objective::{community, first_order, first_order_line, reference};
use super::report::{EpochReport, MixtureReport, Progress, Step};
use super::resolved::ResolvedConfig;
use super::schedule::Schedule;
use super::snapshot::Snapshot;
use super::state::{Cursor, TrainState};
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::graph::{Graph, NodeId};
use crate::mixture::{Fit, Mixture, MixtureConfig, Responsibilities, maximization};
use crate::points::Points;
use crate::rng::{Purpose, stream};

/// What all restarts on a graph share.
#[derive(Debug)]
pub(super) struct TrainContext<'g> {
    /// The graph, its nodes in the order of rows.
    pub graph: &'g Graph,
    /// Row of each node.
    pub rows: &'g [NodeId],
    /// Walks and negatives.
    pub second_order: SecondOrder<'g>,
}

/// Progress callback of a run, called from any thread; [`ControlFlow::Break`] stops the run. The state is passed where it can be
/// resumed.
pub(super) type RunProgress<'a> = dyn Fn(&Progress, Option<&TrainState>) -> ControlFlow<()> + Sync + 'a;

/// Settings and surroundings of one training run.
pub(super) struct TrainingRun<'a> {
    pub context: &'a TrainContext<'a>,
    /// Settings, with the seed of this restart.
    pub config: &'a ResolvedConfig,
    pub keeps_snapshots: bool,
    pub progress: &'a RunProgress<'a>,
}

impl TrainingRun<'_> {
    /// Trains all remaining epochs and the final fit, unless the callback or an [`interrupt`](crate::interrupt) stops it.
    ///
    /// It stops without any further work, and can be resumed from the state.
    ///
    /// # Errors
    /// If points stop being finite.
    pub(super) fn train(&self, state: &mut TrainState) -> Result<ControlFlow<()>> {
        match self.train_phases(state) {
            Err(Error::Interrupted) => Ok(ControlFlow::Break(())),
            trained => trained.map(ControlFlow::Continue),
        }
    }

    fn train_phases(&self, state: &mut TrainState) -> Result<()> {
        if state.is_finished() {
            return Ok(());
        }
        if state.cursor.is_pretraining {
            self.pretrain(state)?;
        }
        Phase::main(self).train(state)
    }

    /// Pre-training: trains in more dimensions, and initializes the points around the communities found there.
    fn pretrain(&self, state: &mut TrainState) -> Result<()> {
        let phase = Phase::pretraining(self).ok_or_else(|| {
            Error::Graph("the checkpoint is of a pre-training, which these settings do not have".into())
        })?;
        if !state.cursor.is_finished {
            phase.train(state)?;
        }
        phase.announce(Step::Initialization, state)?;
        let mixture = state.mixture.clone().expect("pre-training ends with a fit of the mixture");
        let pretrained = Pretrained { points: state.nodes.all_points(), mixture };
        let communities = pretrained.mixture.communities(&pretrained.points)?;
        let (nodes, contexts) =
            init_from_pretrained(self.context.graph, &pretrained, &communities, self.config)?;
        (state.nodes, state.contexts) = (nodes, contexts);
        (state.pretrained_communities, state.mixture) = (Some(communities), None);
        state.cursor = Cursor::default();
        Ok(())
    }
}

/// One phase of a run: the pre-training or the main training.
struct Phase<'a> {
    run: &'a TrainingRun<'a>,
    /// Settings of the phase.
    config: ResolvedConfig,
    /// Epochs of the run before this phase.
    first_epoch: usize,
    /// Epochs of the whole run.
    run_epochs: usize,
}

impl<'a> Phase<'a> {
    fn main(run: &'a TrainingRun<'a>) -> Self {
        let (first_epoch, epochs) = (run.config.pretraining_epochs(), run.config.total_epochs());
        Self { run, config: run.config.clone(), first_epoch, run_epochs: first_epoch + epochs }
    }

    fn pretraining(run: &'a TrainingRun<'a>) -> Option<Self> {
        let config = run.config.pretraining()?;
        let run_epochs = config.total_epochs() + run.config.total_epochs();
        Some(Self { run, config, first_epoch: 0, run_epochs })
    }

    /// Trains the remaining epochs of the phase, and fits the mixture to the final points.
    fn train(&self, state: &mut TrainState) -> Result<()> {
        while state.cursor.epochs < self.config.total_epochs() {
            self.epoch(state)?;
            self.record_snapshot(state);
        }
        self.announce(Step::Fit, state)?;
        finish(state, &self.config)
    }

    /// One epoch: the losses O₁ and O₂ and, after the warm-up, EM and the loss O₃.
    fn epoch(&self, state: &mut TrainState) -> Result<()> {
        self.first_order_step(state)?;
        self.second_order_step(state)?;
        let fit = if state.cursor.epochs < self.config.warmup_epochs {
            None
        } else {
            Some(self.em_and_community_step(state)?)
        };
        self.end_epoch(state, fit);
        Ok(())
    }

    /// First-order step; undone if it is interrupted.
    fn first_order_step(&self, state: &mut TrainState) -> Result<()> {
        if state.cursor.first_order_done {
            return Ok(());
        }
        self.announce(Step::FirstOrder, state)?;
        let clock = Instant::now();
        let (config, graph) = (&self.config, self.run.context.graph);
        let step_size = self.schedule(state).step_size(config.alpha, 0.0);
        let mut nodes = state.nodes.clone();
        let mut counts = PairCounts::default();
        if config.geometry.uses_dot_products() {
            let positions = config.walks * config.walk_length * graph.node_count();
            let passes = first_order_line::EdgePasses {
                passes: first_order_line::passes(graph, positions),
                negatives: config.negatives,
                noise_exponent: config.noise_exponent,
                step_size,
            };
            let mut rng = stream(config.seed, Purpose::Noise, state.cursor.epochs as u64, u64::MAX);
            first_order_line::neighbor_negative_sampling(graph, &mut nodes, passes, &mut rng)?;
        } else {
            counts.skipped = first_order::first_order_step(graph, &mut nodes, step_size)?;
        }
        state.nodes = nodes;
        (state.cursor.first_order_done, state.cursor.counts) = (true, counts);
        state.timings.first_order += clock.elapsed().as_secs_f64();
        Ok(())
    }

    /// Second-order step; it can be stopped and resumed between any two buckets.
    fn second_order_step(&self, state: &mut TrainState) -> Result<()> {
        let clock = Instant::now();
        let before = state.timings.second_order;
        let flow = self.second_order_epoch(state, &clock);
        state.timings.second_order = before + clock.elapsed().as_secs_f64();
        let flow = flow?;
        if !(state.nodes.is_finite() && state.contexts.is_finite()) {
            return Err(Error::NotFinite { epoch: self.number(state) + 1, step: "second-order step" });
        }
        stop_on_break(flow)
    }

    fn second_order_epoch(&self, state: &mut TrainState, clock: &Instant) -> Result<ControlFlow<()>> {
        let (config, context) = (&self.config, self.run.context);
        let plan = EpochPlan {
            walk: WalkPlan {
                seed: config.seed,
                epoch: state.cursor.epochs as u64,
                length: config.walk_length,
                window: config.window,
            },
            walks: config.walks,
            negatives: config.negatives_per_pair(),
            noise_exponent: config.noise_exponent,
        };
        let (number, schedule) = (self.number(state), self.schedule(state));
        let walk_count = plan.walks * context.graph.node_count();
        let pairs_before = state.pairs() - state.cursor.counts.pairs;
        let progress = |fraction: f64, pairs: u64| Progress {
            step: Step::SecondOrder,
            epoch: number + 1,
            epochs: self.run_epochs,
            done: (number as f64 + fraction) / self.run_epochs as f64,
            pairs: pairs_before + pairs,
        };
        let tick = |fraction: f64, pairs: u64| (self.run.progress)(&progress(fraction, pairs), None);
        let time_before = state.timings.second_order;
        let mut on_chunk = |state: &mut TrainState| {
            state.timings.second_order = time_before + clock.elapsed().as_secs_f64();
            let fraction = state.cursor.walks as f64 / walk_count as f64;
            (self.run.progress)(&progress(fraction, state.cursor.counts.pairs), Some(state))
        };
        let step_size = |fraction: f64| schedule.step_size(config.beta, fraction);
        if config.blocks > 0 {
            return Ok(context.second_order.epoch(state, &plan, &step_size, &tick, &mut on_chunk));
        }
        if state.cursor.walks >= walk_count {
            return Ok(ControlFlow::Continue(()));
        }
        let TrainState { nodes, contexts, .. } = state;
        let counts = reference::epoch(context.graph, nodes, contexts, &plan, step_size, &tick)?;
        state.cursor.counts.add(counts);
        (state.cursor.walks, state.cursor.rounds) = (walk_count, Rounds::new());
        Ok(on_chunk(state))
    }

    /// EM and community steps; both undone if one is interrupted.
    fn em_and_community_step(&self, state: &mut TrainState) -> Result<MixtureReport> {
        self.announce(Step::Fit, state)?;
        let rate = self.config.gamma * self.config.learning_rate;
        let points = state.nodes.all_points();
        let (mixture, report) = em_step(state, &self.config, &points)?;
        let clock = Instant::now();
        if rate > 0.0 {
            let mut nodes = state.nodes.clone();
            community::community_step(&mut nodes, &points, &mixture, rate)?;
            state.nodes = nodes;
        }
        (state.mixture, state.pretrained_communities) = (Some(mixture), None);
        state.timings.community += clock.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Records the report of the epoch and moves the cursor to the next.
    fn end_epoch(&self, state: &mut TrainState, mixture: Option<MixtureReport>) {
        state.history.push(EpochReport {
            epoch: self.number(state) + 1,
            dim: self.config.dim,
            learning_rate: self.schedule(state).learning_rate(1.0),
            pairs: state.cursor.counts.pairs,
            dropped_steps: state.cursor.counts.skipped,
            mixture,
        });
        let Cursor { is_pretraining, epochs, .. } = state.cursor;
        state.cursor = Cursor { is_pretraining, epochs: epochs + 1, ..Cursor::default() };
    }

    fn record_snapshot(&self, state: &mut TrainState) {
        if self.run.keeps_snapshots && !state.cursor.is_pretraining {
            let epoch = state.history.last().map_or(0, |report| report.epoch);
            let nodes = state.nodes.points(self.run.context.rows);
            let mixture = state.mixture.as_ref().and_then(Mixture::hyperbolic).cloned();
            state.snapshots.push(Snapshot { epoch, nodes, mixture });
        }
    }

    /// Calls the progress callback at the beginning of a step.
    fn announce(&self, step: Step, state: &TrainState) -> Result<()> {
        let (number, epochs) = (self.number(state), self.first_epoch + self.config.total_epochs());
        let walks = self.config.walks * self.run.context.graph.node_count();
        let fraction = state.cursor.walks as f64 / walks.max(1) as f64;
        let done = (number as f64 + fraction) / self.run_epochs.max(1) as f64;
        let progress = Progress {
            step,
            epoch: (number + 1).min(epochs),
            epochs: self.run_epochs,
            done: done.min(1.0),
            pairs: state.pairs(),
        };
        stop_on_break((self.run.progress)(&progress, None))
    }

    /// Completed epochs of the run.
    fn number(&self, state: &TrainState) -> usize {
        self.first_epoch + state.cursor.epochs
    }

    fn schedule(&self, state: &TrainState) -> Schedule<'_> {
        Schedule { config: &self.config, epoch: state.cursor.epochs }
    }
}

fn stop_on_break(flow: ControlFlow<()>) -> Result<()> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}

/// EM step: fits the mixture to the nodes' points, without changing it in the state.
///
/// The first fit starts from the communities of the pre-training or, without, from micro-clusters merged by Ward's method; later fits start from the last mixture.
/// (K-means after a pre-training finds likelier mixtures of worse communities.) ComE's mixture is refitted from scratch each time: a
/// component that is thin in some direction explains none of its points once they have moved, and would be lost.
fn em_step(
    state: &mut TrainState,
    config: &ResolvedConfig,
    points: &Points,
) -> Result<(Mixture, MixtureReport)> {
    let clock = Instant::now();
    let mut mixture_config = MixtureConfig::for_geometry(config.geometry, points, config.communities);
    if let Some(scale_shrinkage) = config.scale_shrinkage {
        mixture_config.scale_shrinkage = scale_shrinkage;
    }
    let initial = match &state.pretrained_communities {
        Some(communities) => {
            let responsibilities = Responsibilities::one_hot(config.communities, communities);
            Some(maximization(points, &responsibilities, mixture_config.scale_floor)?.into())
        }
        None => state.mixture.clone(),
    };
    let Fit { mixture, iterations, converged, log_likelihood } = match initial {
        Some(mixture) if config.geometry != Geometry::Come => mixture.refine(points, &mixture_config)?,
        _ => Mixture::fit(config.geometry, points, &mixture_config, config.seed)?,
    };
    state.timings.em += clock.elapsed().as_secs_f64();
    Ok((mixture, MixtureReport { iterations, converged, log_likelihood }))
}

/// Final fit: centres the points, where that is an isometry of the losses, and fits the mixture to them.
///
/// # Errors
/// If the mixture cannot be fitted, or [`Error::Interrupted`]; the state can be resumed then.
pub(super) fn finish(state: &mut TrainState, config: &ResolvedConfig) -> Result<()> {
    let mut points = state.nodes.all_points();
    if !state.cursor.is_centered
        && let Some(center) = config.geometry.center(&points)
    {
        let back: Vec<f64> = center.iter().map(|c| -c).collect();
        state.nodes.translate(&back);
        state.nodes.write_points(&mut points);
        state.contexts.translate(&back);
        if let Some(mixture) = &mut state.mixture {
            let means = match mixture {
                Mixture::Hyperbolic(mixture) => &mut mixture.means,
                Mixture::Euclidean(mixture) => &mut mixture.means,
            };
            for (k, mean) in means.clone().rows().enumerate() {
                config.geometry.translate(&back, mean, means.row_mut(k));
            }
        }
    }
    state.cursor.is_centered = true;
    let (mixture, report) = em_step(state, config, &points)?;
    (state.mixture, state.pretrained_communities) = (Some(mixture), None);
    if let Some(last) = state.history.last_mut() {
        last.mixture = Some(report);
    }
    state.cursor.is_finished = true;
    Ok(())
}
