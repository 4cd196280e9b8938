//! One course of training: from a start through all epochs to the last fit.

use std::ops::ControlFlow;
use std::time::Instant;

use super::config::TrainConfig;
use super::lanes::Pace;
use super::report::{EpochReport, MixtureReport, Progress, Seconds};
use super::second_order::{Chunk, EpochPlan, SecondOrder};
use super::snapshot::Snapshot;
use super::stand::{Position, Stand};
use super::table::Table;
use super::visits::WalkPlan;
use super::{community, first_order, line, plain, start};
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::translate;
use crate::graph::{Graph, NodeId};
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
}

/// Hears how far a course is and may break it off; the second argument says where it stands.
pub type CourseWatch<'a> = dyn FnMut(&Progress, &dyn Fn() -> Stand) -> ControlFlow<()> + Send + 'a;

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

    /// Where it stands when all is done.
    pub fn stand(&self) -> Stand {
        Stand {
            position: self.position,
            nodes: self.nodes.clone(),
            contexts: self.contexts.clone(),
            guide: self.guide.clone(),
            mixture: self.mixture.clone(),
            history: self.history.clone(),
            snapshots: self.snapshots.clone().unwrap_or_default(),
            seconds: self.seconds,
        }
    }

    /// Runs all epochs that are left, or as many as `watch` lets.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, ground: &Ground<'_>, watch: &mut CourseWatch<'_>) -> Result<()> {
        if self.position.is_finished {
            return Ok(());
        }
        let mut flow = self.seek_guidance(ground, watch)?;
        while flow.is_continue() && self.position.epochs < self.epochs() {
            flow = self.epoch(ground, watch)?;
            self.keep_snapshot(ground);
        }
        self.finish(ground)
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
    fn seek_guidance(&mut self, ground: &Ground<'_>, watch: &mut CourseWatch<'_>) -> Result<ControlFlow<()>> {
        let mut flow = ControlFlow::Continue(());
        let Some(mut guide) = self.guiding.take() else { return Ok(flow) };
        let (own, epochs) = (guide.epochs(), guide.epochs() + self.epochs());
        guide.train(ground, &mut |progress, stand| {
            let done = progress.done * own as f64 / epochs as f64;
            flow = watch(&Progress { epochs, done, ..*progress }, &|| {
                let stand = stand();
                Stand { position: Position { is_guide: true, ..stand.position }, ..stand }
            });
            flow
        })?;
        self.seconds = guide.seconds;
        self.history.append(&mut guide.history);
        let mixture = guide.mixture.expect("training ends with a fit of the mixture");
        let guide = start::Guide { points: guide.nodes.all_points(), mixture };
        let communities = guide.mixture.communities(&guide.points)?;
        (self.nodes, self.contexts) = start::guided(ground.graph, &guide, &communities, &self.config)?;
        self.guide = Some(communities);
        Ok(flow)
    }

    /// One epoch: neighbours, walks and, after the warm-up, communities.
    fn epoch(&mut self, ground: &Ground<'_>, watch: &mut CourseWatch<'_>) -> Result<ControlFlow<()>> {
        let (config, epochs, position) = (&self.config, self.epochs(), self.position);
        let Ground { graph, second_order, .. } = ground;
        let epoch = position.epochs;
        let guided = guide_config(config, ground.communities).map_or(0, |guide| guide.warmup_epochs);
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
        let mut counts = position.counts;
        if position.walks > 0 {
            // The edges of this epoch were visited before it was left.
        } else if config.geometry == Geometry::Come {
            let visits = line::Visits {
                passes: line::passes(graph, config.walks * config.walk_length * graph.node_count()),
                negatives: config.negatives_for(ground.communities),
                pace: pace(config.alpha_for(graph), 0.0),
            };
            let mut noise = stream(config.seed, Purpose::Noise, epoch as u64, u64::MAX);
            line::tell_neighbors_from_noise(graph, &mut self.nodes, visits, &mut noise);
        } else {
            counts.dropped =
                first_order::attract_neighbors(graph, &mut self.nodes, pace(config.alpha_for(graph), 0.0));
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
        let (guide, mixture, history, snapshots) =
            (&self.guide, &self.mixture, &self.history, &self.snapshots);
        let seconds = self.seconds;
        let mut tell = |chunk: &Chunk<'_>| {
            let done = (number as f64 + chunk.walks as f64 / chunk.all as f64) / all as f64;
            let pairs = before + chunk.counts.pairs;
            watch(&Progress { epoch: number + 1, epochs: all, done, pairs }, &|| Stand {
                position: Position { walks: chunk.walks, counts: chunk.counts, ..position },
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
            })
        };
        let step = |share| pace(config.beta, share);
        let (nodes, contexts) = (&mut self.nodes, &mut self.contexts);
        let (counts, flow) = if config.blocks > 0 {
            second_order.epoch(nodes, contexts, &plan, (position.walks, counts), step, &mut tell)
        } else if position.walks == 0 {
            counts.add(plain::epoch(graph, nodes, contexts, &plan, step));
            let walks = plan.walks * graph.node_count();
            (counts, tell(&Chunk { nodes, contexts, walks, all: walks, counts }))
        } else {
            (counts, ControlFlow::Continue(()))
        };
        self.seconds.second_order += lap(&mut clock);
        if !(self.nodes.is_finite() && self.contexts.is_finite()) {
            return Err(Error::NotFinite { epoch: number + 1, step: "walks" });
        }

        let mut mixture = None;
        let learning_rate = rate(1.0);
        if epoch >= config.warmup_epochs && flow.is_continue() {
            let pull = config.gamma_or_usual() * config.learning_rate;
            let points = self.nodes.all_points();
            mixture = Some(self.fit_communities(&points, ground)?);
            clock = Instant::now();
            if pull > 0.0 {
                let fitted = self.mixture.as_ref().expect("the mixture was just fitted");
                community::gather_communities(&mut self.nodes, &points, fitted, pull)?;
            }
            self.seconds.community += lap(&mut clock);
        }
        self.history.push(EpochReport {
            epoch: number + 1,
            dim: self.config.dim,
            learning_rate,
            pairs: counts.pairs,
            dropped_steps: counts.dropped,
            mixture,
        });
        self.position = Position { epochs: epoch + 1, ..Position::default() };
        Ok(flow)
    }

    /// Fits the mixture to the nodes' points: the first time from the guide's communities or, without a guide, from K-means; later
    /// from the last mixture. (K-means beside a guide finds likelier mixtures of worse communities.) ComE's mixture is fitted
    /// anew each time: a community that is thin in some direction explains none of its points once they have moved, and
    /// would be lost.
    fn fit_communities(&mut self, points: &Points, ground: &Ground<'_>) -> Result<MixtureReport> {
        let mut clock = Instant::now();
        let geometry = self.config.geometry;
        let config = MixtureConfig::in_geometry(geometry, points, ground.communities);
        if let Some(guide) = self.guide.take() {
            let certain = Responsibilities::certain(ground.communities, &guide);
            self.mixture = Some(maximization(points, &certain, config.scale_floor)?.into());
        }
        let Fit { mixture, iterations, converged, log_likelihood } = match self.mixture.take() {
            Some(mixture) if geometry != Geometry::Come => mixture.refine(points, &config)?,
            _ => Mixture::fit(geometry, points, &config, self.config.seed)?,
        };
        self.mixture = Some(mixture);
        self.seconds.em += lap(&mut clock);
        Ok(MixtureReport { iterations, converged, log_likelihood })
    }

    /// The last fit: communities of the points as they are now, moved so that their barycenter is the origin.
    fn finish(&mut self, ground: &Ground<'_>) -> Result<()> {
        let mut points = self.nodes.all_points();
        if let Some(center) = self.center(&points) {
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
        let report = self.fit_communities(&points, ground)?;
        if let Some(last) = self.history.last_mut() {
            last.mixture = Some(report);
        }
        self.position.is_finished = true;
        Ok(())
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
