//! One course of training: from a start through all epochs to the last fit.

use std::ops::ControlFlow;
use std::time::Instant;

use super::config::TrainConfig;
use super::lanes::Pace;
use super::report::{EpochReport, MixtureReport, Progress, Seconds, StartReport, Step};
use super::run::Run;
use super::schedule::Rounds;
use super::second_order::{Chunk, Counts, EpochPlan, Reached, SecondOrder};
use super::snapshot::Snapshot;
use super::stand::{Position, Stand};
use super::table::Table;
use super::visits::WalkPlan;
use super::{community, first_order, line, plain, start};
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::translate;
use crate::graph::{Graph, NodeId, NodeNames};
use crate::mixture::{Fit, Mixture, MixtureConfig, Responsibilities, maximization};
use crate::points::Points;
use crate::rng::{Purpose, stream};

/// The step size ends at this share of where it started.
const LAST_RATE: f64 = 0.01;

/// The guide of a training in few dimensions gets one epoch for this many.
const GUIDE_SHARE: usize = 4;

/// What all courses on a graph share.
#[derive(Debug)]
pub struct Ground<'g> {
    /// The graph, its nodes in the order of rows.
    pub graph: &'g Graph,
    /// The row of each node.
    pub rows: &'g [NodeId],
    /// How many communities are looked for.
    pub communities: usize,
    /// Walks and noise.
    pub second_order: SecondOrder<'g>,
    /// A checksum of the graph; zero if no checkpoint needs it.
    pub fingerprint: u32,
}

/// Progress callback of a course, called from any thread; [`ControlFlow::Break`] stops the course. Where the course could be
/// resumed, the second argument makes its state.
pub type CourseWatch<'a> = dyn Fn(&Progress, Option<&dyn Fn() -> Stand>) -> ControlFlow<()> + Sync + 'a;

/// The points of a training and their communities, from one start.
#[derive(Debug)]
pub struct Course {
    config: TrainConfig,
    /// A short training in more dimensions, until it is done.
    guiding: Option<Box<Course>>,
    position: Position,
    /// φ, by rows.
    pub nodes: Table,
    /// φ', by rows.
    pub contexts: Table,
    /// Communities of the guide, where the first fit begins.
    guide: Option<Vec<u32>>,
    /// The communities; none before the first fit.
    pub mixture: Option<Mixture>,
    /// One report per epoch.
    pub history: Vec<EpochReport>,
    /// A snapshot of each epoch, if they are kept.
    pub snapshots: Option<Vec<Snapshot>>,
    /// Where the time went.
    pub seconds: Seconds,
}

impl Course {
    /// A course that has not begun; the points are scattered.
    pub fn new(ground: &Ground<'_>, config: TrainConfig) -> Self {
        let (nodes, contexts) =
            start::scattered(config.geometry, ground.graph.node_count(), config.dim, config.seed);
        let guide_config = guide_config(&config, ground.communities);
        Self {
            config,
            guiding: guide_config.map(|config| Box::new(Self::new(ground, config))),
            position: Position::default(),
            nodes,
            contexts,
            guide: None,
            mixture: None,
            history: Vec::new(),
            snapshots: None,
            seconds: Seconds::default(),
        }
    }

    /// A course that goes on from where it stood; the stand must be of this graph and these settings.
    pub fn resume(ground: &Ground<'_>, config: TrainConfig, mut stand: Stand) -> Self {
        let mut course = Self::new(ground, config);
        course.snapshots = Some(std::mem::take(&mut stand.snapshots));
        match course.guiding.take() {
            Some(mut guide) if stand.position.is_guide => {
                guide.stand_at(stand);
                course.guiding = Some(guide);
            }
            _ => course.stand_at(stand),
        }
        course
    }

    fn stand_at(&mut self, stand: Stand) {
        self.position = Position { is_guide: false, ..stand.position };
        (self.nodes, self.contexts) = (stand.nodes, stand.contexts);
        (self.guide, self.mixture) = (stand.guide, stand.mixture);
        (self.history, self.seconds) = (stand.history, stand.seconds);
    }

    /// The state from which it can be resumed: before it was trained, and after it was stopped or finished.
    pub fn stand(&self) -> Stand {
        let snapshots = self.snapshots.clone().unwrap_or_default();
        if let Some(guide) = &self.guiding {
            let stand = guide.stand();
            return Stand { position: Position { is_guide: true, ..stand.position }, snapshots, ..stand };
        }
        Stand {
            position: self.position.clone(),
            nodes: self.nodes.clone(),
            contexts: self.contexts.clone(),
            guide: self.guide.clone(),
            mixture: self.mixture.clone(),
            history: self.history.clone(),
            snapshots,
            seconds: self.seconds,
        }
    }

    /// [`Course::stand`] without a copy.
    pub fn into_stand(mut self) -> Stand {
        let snapshots = self.snapshots.take().unwrap_or_default();
        if let Some(guide) = self.guiding.take() {
            let stand = guide.into_stand();
            return Stand { position: Position { is_guide: true, ..stand.position }, snapshots, ..stand };
        }
        Stand {
            position: self.position,
            nodes: self.nodes,
            contexts: self.contexts,
            guide: self.guide,
            mixture: self.mixture,
            history: self.history,
            snapshots,
            seconds: self.seconds,
        }
    }

    /// Runs all epochs that are left and the last fit, unless `watch` or an [`interrupt`](crate::interrupt) stops it before.
    ///
    /// It stops without any further work, and where it stopped it can be resumed.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, ground: &Ground<'_>, watch: &CourseWatch<'_>) -> Result<ControlFlow<()>> {
        match self.advance(ground, watch) {
            Err(Error::Interrupted) => Ok(ControlFlow::Break(())),
            advanced => advanced,
        }
    }

    fn advance(&mut self, ground: &Ground<'_>, watch: &CourseWatch<'_>) -> Result<ControlFlow<()>> {
        if self.position.is_finished {
            return Ok(ControlFlow::Continue(()));
        }
        let mut flow = self.seek_guidance(ground, watch)?;
        while flow.is_continue() && self.position.epochs < self.epochs() {
            flow = self.epoch(ground, watch)?;
            if flow.is_continue() {
                self.keep_snapshot(ground);
            }
        }
        if flow.is_continue() {
            flow = self.announce(Step::Fit, ground, watch);
        }
        if flow.is_continue() {
            self.finish(ground.communities)?;
        }
        Ok(flow)
    }

    /// Tells `watch` that a step begins.
    fn announce(&self, step: Step, ground: &Ground<'_>, watch: &CourseWatch<'_>) -> ControlFlow<()> {
        let guided = guide_config(&self.config, ground.communities).map_or(0, |guide| guide.warmup_epochs);
        let (number, epochs) = (guided + self.position.epochs, guided + self.epochs());
        let walks = self.config.walks * ground.graph.node_count();
        let share = self.position.walks as f64 / walks.max(1) as f64;
        let pairs = self.history.iter().map(|report| report.pairs).sum::<u64>() + self.position.counts.pairs;
        let done = (number as f64 + share) / epochs.max(1) as f64;
        watch(&Progress { step, epoch: (number + 1).min(epochs), epochs, done: done.min(1.0), pairs }, None)
    }

    fn keep_snapshot(&mut self, ground: &Ground<'_>) {
        if let Some(snapshots) = &mut self.snapshots {
            let epoch = self.history.last().map_or(0, |report| report.epoch);
            let nodes = self.nodes.points(ground.rows);
            let mixture = self.mixture.as_ref().and_then(Mixture::hyperbolic).cloned();
            snapshots.push(Snapshot { epoch, nodes, mixture });
        }
    }

    /// In few dimensions, starts from the communities of a short training in more; see [`start`].
    fn seek_guidance(&mut self, ground: &Ground<'_>, watch: &CourseWatch<'_>) -> Result<ControlFlow<()>> {
        let Some(mut guide) = self.guiding.take() else { return Ok(ControlFlow::Continue(())) };
        let (own, epochs) = (guide.epochs(), guide.epochs() + self.epochs());
        let scaled = |progress: &Progress| Progress {
            epochs,
            done: progress.done * own as f64 / epochs as f64,
            ..*progress
        };
        let mut guided = guide.train(ground, &|progress, stand| {
            let of_guide = |stand: &dyn Fn() -> Stand| {
                let stand = stand();
                Stand { position: Position { is_guide: true, ..stand.position }, ..stand }
            };
            match stand {
                Some(stand) => watch(&scaled(progress), Some(&|| of_guide(stand))),
                None => watch(&scaled(progress), None),
            }
        });
        if let Ok(ControlFlow::Continue(())) = guided {
            guided = match guide.announce(Step::Initialization, ground, &|p, _| watch(&scaled(p), None)) {
                ControlFlow::Continue(()) => self.start_from(&mut guide, ground).map(ControlFlow::Continue),
                stopped => Ok(stopped),
            };
        }
        if !matches!(guided, Ok(ControlFlow::Continue(()))) {
            self.guiding = Some(guide);
        }
        guided
    }

    /// Places the points around the communities of the guide, and takes over its history.
    fn start_from(&mut self, guide: &mut Self, ground: &Ground<'_>) -> Result<()> {
        let mixture = guide.mixture.clone().expect("training ends with a fit of the mixture");
        let trained = start::Guide { points: guide.nodes.all_points(), mixture };
        let communities = trained.mixture.communities(&trained.points)?;
        (self.nodes, self.contexts) = start::guided(ground.graph, &trained, &communities, &self.config)?;
        self.guide = Some(communities);
        self.seconds = guide.seconds;
        self.history.append(&mut guide.history);
        Ok(())
    }

    /// One epoch: neighbours, walks and, after the warm-up, communities.
    fn epoch(&mut self, ground: &Ground<'_>, watch: &CourseWatch<'_>) -> Result<ControlFlow<()>> {
        let config = self.config.clone();
        let (graph, epochs, epoch) = (ground.graph, self.epochs(), self.position.epochs);
        let guided = guide_config(&config, ground.communities).map_or(0, |guide| guide.warmup_epochs);
        let (number, all) = (guided + epoch, guided + epochs);
        let rate = |share: f64| {
            let done = (epoch as f64 + share) / epochs as f64;
            config.learning_rate * (1.0 - (1.0 - LAST_RATE) * done)
        };
        let pace = |weight: f64, share: f64| {
            let bent = ((epoch as f64 + share) / config.warmup_epochs.max(1) as f64).min(1.0);
            let curvature = config.curvature_for(ground.communities).powf(bent) as f32;
            Pace { rate: (2.0 * weight * rate(share)) as f32, curvature }
        };

        let mut clock = Instant::now();
        if !self.position.edges {
            if self.announce(Step::FirstOrder, ground, watch).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.visit_edges(ground, pace(config.alpha_for(graph), 0.0))?;
        }
        self.seconds.first_order += lap(&mut clock);

        let plan = EpochPlan {
            walk: WalkPlan {
                seed: config.seed,
                epoch: epoch as u64,
                length: config.walk_length,
                window: config.window_for(graph.node_count()),
            },
            walks: config.walks,
            negatives: config.negatives_of_a_pair(ground.communities, graph.node_count()),
        };
        let before: u64 = self.history.iter().map(|report| report.pairs).sum();
        let progress = |share: f64, pairs: u64| Progress {
            step: Step::SecondOrder,
            epoch: number + 1,
            epochs: all,
            done: (number as f64 + share) / all as f64,
            pairs: before + pairs,
        };
        let (guide, mixture, history, snapshots) =
            (&self.guide, &self.mixture, &self.history, &self.snapshots);
        let (seconds, position) = (self.seconds, &self.position);
        let tick = |share: f64, pairs: u64| watch(&progress(share, pairs), None);
        let mut tell = |chunk: &Chunk<'_>| {
            let stand = || Stand {
                position: Position {
                    walks: chunk.walks,
                    rounds: Rounds::new(),
                    counts: chunk.counts,
                    ..position.clone()
                },
                nodes: chunk.nodes.clone(),
                contexts: chunk.contexts.clone(),
                guide: guide.clone(),
                mixture: mixture.clone(),
                history: history.clone(),
                snapshots: snapshots.clone().unwrap_or_default(),
                seconds: Seconds {
                    second_order: seconds.second_order + clock.elapsed().as_secs_f64(),
                    ..seconds
                },
            };
            let share = chunk.walks as f64 / chunk.all as f64;
            watch(&progress(share, chunk.counts.pairs), Some(&stand))
        };
        let step = |share| pace(config.beta, share);
        let (nodes, contexts) = (&mut self.nodes, &mut self.contexts);
        let Position { walks, rounds, counts, .. } = position.clone();
        let mut reached = Reached { walks, rounds, counts };
        let walk_count = plan.walks * graph.node_count();
        let flow = if config.blocks > 0 {
            let flow;
            (reached, flow) =
                ground.second_order.epoch(nodes, contexts, &plan, reached, step, &tick, &mut tell);
            flow
        } else if reached.walks < walk_count {
            let mut counts = reached.counts;
            counts.add(plain::epoch(graph, nodes, contexts, &plan, step, &tick)?);
            reached = Reached { walks: walk_count, rounds: Rounds::new(), counts };
            tell(&Chunk { nodes, contexts, walks: walk_count, all: walk_count, counts })
        } else {
            ControlFlow::Continue(())
        };
        let Reached { walks, rounds, counts } = reached;
        self.position = Position { walks, rounds, counts, ..position.clone() };
        self.seconds.second_order += lap(&mut clock);
        if !(self.nodes.is_finite() && self.contexts.is_finite()) {
            return Err(Error::NotFinite { epoch: number + 1, step: "walks" });
        }
        if flow.is_break() {
            return Ok(flow);
        }

        let mut mixture = None;
        if epoch >= config.warmup_epochs {
            if self.announce(Step::Fit, ground, watch).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            mixture = Some(self.follow_communities(ground.communities)?);
        }
        self.history.push(EpochReport {
            epoch: number + 1,
            dim: config.dim,
            learning_rate: rate(1.0),
            pairs: counts.pairs,
            dropped_steps: counts.dropped,
            mixture,
        });
        self.position = Position { epochs: epoch + 1, ..Position::default() };
        Ok(ControlFlow::Continue(()))
    }

    /// The first-order step; undone if it is interrupted.
    fn visit_edges(&mut self, ground: &Ground<'_>, pace: Pace) -> Result<()> {
        let (config, graph) = (&self.config, ground.graph);
        let mut nodes = self.nodes.clone();
        let mut counts = Counts::default();
        if config.geometry == Geometry::Come {
            let visits = line::Visits {
                passes: line::passes(graph, config.walks * config.walk_length * graph.node_count()),
                negatives: config.negatives_for(ground.communities),
                pace,
            };
            let mut noise = stream(config.seed, Purpose::Noise, self.position.epochs as u64, u64::MAX);
            line::tell_neighbors_from_noise(graph, &mut nodes, visits, &mut noise)?;
        } else {
            counts.dropped = first_order::attract_neighbors(graph, &mut nodes, pace)?;
        }
        self.nodes = nodes;
        (self.position.edges, self.position.counts) = (true, counts);
        Ok(())
    }

    /// The EM and community steps; undone if they are interrupted.
    fn follow_communities(&mut self, communities: usize) -> Result<MixtureReport> {
        let pull = self.config.gamma_or_usual() * self.config.learning_rate;
        let points = self.nodes.all_points();
        let (mixture, report) = self.fit_communities(&points, communities)?;
        let mut clock = Instant::now();
        if pull > 0.0 {
            let mut nodes = self.nodes.clone();
            community::gather_communities(&mut nodes, &points, &mixture, pull)?;
            self.nodes = nodes;
        }
        (self.mixture, self.guide) = (Some(mixture), None);
        self.seconds.community += lap(&mut clock);
        Ok(report)
    }

    /// Fits the mixture to the nodes' points: the first time from the guide's communities or, without a guide, from K-means; later
    /// from the last mixture. (K-means beside a guide finds likelier mixtures of worse communities.) ComE's mixture is fitted
    /// anew each time: a community that is thin in some direction explains none of its points once they have moved, and
    /// would be lost.
    fn fit_communities(&mut self, points: &Points, communities: usize) -> Result<(Mixture, MixtureReport)> {
        let mut clock = Instant::now();
        let geometry = self.config.geometry;
        let config = MixtureConfig::in_geometry(geometry, points, communities);
        let start = match &self.guide {
            Some(guide) => {
                let certain = Responsibilities::certain(communities, guide);
                Some(maximization(points, &certain, config.scale_floor)?.into())
            }
            None => self.mixture.clone(),
        };
        let Fit { mixture, iterations, converged, log_likelihood } = match start {
            Some(mixture) if geometry != Geometry::Come => mixture.refine(points, &config)?,
            _ => Mixture::fit(geometry, points, &config, self.config.seed)?,
        };
        self.seconds.em += lap(&mut clock);
        Ok((mixture, MixtureReport { iterations, converged, log_likelihood }))
    }

    /// The last fit: communities of the points as they are now, moved so that their barycenter is the origin.
    fn finish(&mut self, communities: usize) -> Result<()> {
        let mut points = self.nodes.all_points();
        if !self.position.is_centered
            && let Some(center) = self.center(&points)
        {
            let back: Vec<f64> = center.iter().map(|c| -c).collect();
            self.nodes.translate(&back);
            self.nodes.write_points(&mut points);
            self.contexts.translate(&back);
            match &mut self.mixture {
                Some(Mixture::Hyperbolic(mixture)) => {
                    let means = mixture.means.clone();
                    means
                        .rows()
                        .enumerate()
                        .for_each(|(k, mean)| translate(&back, mean, mixture.means.row_mut(k)));
                }
                Some(Mixture::Flat(mixture)) => (0..mixture.len()).for_each(|k| {
                    mixture.means.row_mut(k).iter_mut().zip(&back).for_each(|(mean, by)| *mean += by);
                }),
                None => {}
            }
        }
        self.position.is_centered = true;
        let (mixture, report) = self.fit_communities(&points, communities)?;
        (self.mixture, self.guide) = (Some(mixture), None);
        if let Some(last) = self.history.last_mut() {
            last.mixture = Some(report);
        }
        self.position.is_finished = true;
        Ok(())
    }

    /// The course of a stand as it would be if training ended there, without its graph.
    ///
    /// # Errors
    /// If the mixture cannot be fitted.
    pub fn ended(config: &TrainConfig, communities: usize, stand: Stand) -> Result<Self> {
        let guide = guide_config(config, communities).filter(|_| stand.position.is_guide);
        let mut course = Self {
            config: guide.unwrap_or_else(|| config.clone()),
            guiding: None,
            position: Position { is_guide: false, ..stand.position },
            nodes: stand.nodes,
            contexts: stand.contexts,
            guide: stand.guide,
            mixture: stand.mixture,
            history: stand.history,
            snapshots: Some(stand.snapshots),
            seconds: stand.seconds,
        };
        if !course.position.is_finished {
            course.finish(communities)?;
        }
        Ok(course)
    }

    /// The points in the graph's order, and their communities.
    ///
    /// # Panics
    /// If the course is not finished.
    pub fn into_run(
        self,
        rows: &[NodeId],
        names: NodeNames,
        config: TrainConfig,
        starts: Vec<StartReport>,
    ) -> Run {
        Run {
            nodes: self.nodes.points(rows),
            contexts: self.contexts.points(rows),
            mixture: self.mixture.expect("a course ends with a fit of the mixture"),
            names,
            config,
            history: self.history,
            starts,
        }
    }

    /// The middle of the points; none where it may not be moved to the origin, as it would change dot products.
    fn center(&self, points: &Points) -> Option<Vec<f64>> {
        match self.config.geometry {
            Geometry::Poincare => Some(barycenter(points, &vec![1.0; points.len()], None)?.point),
            Geometry::Come => None,
            Geometry::Euclidean => {
                let mut center = vec![0.0; points.dim()];
                let share = 1.0 / points.len() as f64;
                points.rows().for_each(|x| center.iter_mut().zip(x).for_each(|(c, x)| *c += share * x));
                Some(center)
            }
        }
    }

    fn epochs(&self) -> usize {
        self.config.warmup_epochs + self.config.epochs
    }
}

/// The settings of the guide, if there is to be one.
pub(super) fn guide_config(config: &TrainConfig, communities: usize) -> Option<TrainConfig> {
    let warmup_epochs = (config.warmup_epochs + config.epochs) / GUIDE_SHARE;
    let guided = !config.geometry.is_flat()
        && config.dim <= start::GUIDED_DIM
        && communities <= start::MOST_COMMUNITIES
        && warmup_epochs > 0;
    let (dim, curvature) = (start::GUIDE_DIM, None);
    guided.then(|| TrainConfig { dim, curvature, warmup_epochs, epochs: 0, ..config.clone() })
}

/// Seconds since `clock`, which starts again.
fn lap(clock: &mut Instant) -> f64 {
    let seconds = clock.elapsed().as_secs_f64();
    *clock = Instant::now();
    seconds
}
