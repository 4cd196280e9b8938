//! One course of training: from a start through all epochs to the last fit.

use std::ops::ControlFlow;
use std::time::Instant;

use super::blocks::WalkPlan;
use super::config::TrainConfig;
use super::lanes::Pace;
use super::report::{EpochReport, MixtureReport, Progress, Seconds};
use super::second_order::{Counts, EpochPlan, SecondOrder};
use super::snapshot::Snapshot;
use super::table::Table;
use super::tiles::Tiles;
use super::{Watch, community, first_order, line, plain, start};
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

/// The points of a training and their communities, from one start.
#[derive(Debug)]
pub struct Course {
    config: TrainConfig,
    /// φ, by rows.
    pub nodes: Table,
    /// φ', by rows.
    pub contexts: Tiles,
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
        Self {
            config,
            nodes,
            contexts,
            guide: None,
            mixture: None,
            history: Vec::new(),
            snapshots: None,
            seconds: Seconds::default(),
        }
    }

    /// Runs all epochs, or as many as `watch` lets.
    ///
    /// # Errors
    /// If points stop being finite.
    pub fn train(&mut self, ground: &Ground<'_>, watch: &mut Watch<'_>) -> Result<()> {
        let mut flow = self.seek_guidance(ground, watch)?;
        for epoch in 0..self.epochs() {
            if flow.is_continue() {
                flow = self.epoch(ground, epoch, watch)?;
                self.keep_snapshot(ground);
            }
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
    fn seek_guidance(&mut self, ground: &Ground<'_>, watch: &mut Watch<'_>) -> Result<ControlFlow<()>> {
        let (warmup_epochs, epochs) =
            (self.guide_epochs(ground.communities), self.guide_epochs(ground.communities) + self.epochs());
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
        let mut guide = Course::new(ground, in_more);
        guide.train(ground, &mut |progress| {
            let done = progress.done * warmup_epochs as f64 / epochs as f64;
            flow = watch(&Progress { epochs, done, ..*progress });
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
    fn epoch(&mut self, ground: &Ground<'_>, epoch: usize, watch: &mut Watch<'_>) -> Result<ControlFlow<()>> {
        let (config, epochs) = (&self.config, self.epochs());
        let Ground { graph, second_order, .. } = ground;
        let (number, all) =
            (self.guide_epochs(ground.communities) + epoch, self.guide_epochs(ground.communities) + epochs);
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
        let mut dropped_steps = 0;
        if config.geometry == Geometry::Come {
            let visits = line::Visits {
                passes: line::passes(graph, config.walks * config.walk_length * graph.node_count()),
                negatives: config.negatives_for(ground.communities),
                pace: pace(config.alpha, 0.0),
            };
            let mut noise = stream(config.seed, Purpose::Noise, epoch as u64, u64::MAX);
            line::tell_neighbors_from_noise(graph, &mut self.nodes, visits, &mut noise);
        } else {
            dropped_steps += first_order::attract_neighbors(graph, &mut self.nodes, pace(config.alpha, 0.0));
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
            let pull = config.gamma_or_usual() * config.learning_rate;
            mixture = Some(self.fit_communities(ground)?);
            clock = Instant::now();
            if pull > 0.0 {
                let fitted = self.mixture.as_ref().expect("the mixture was just fitted");
                let points = self.nodes.all_points();
                community::gather_communities(&mut self.nodes, &points, fitted, pull)?;
            }
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
    /// from the last mixture. (K-means beside a guide finds likelier mixtures of worse communities.) ComE's mixture is fitted
    /// anew each time: a community that is thin in some direction explains none of its points once they have moved, and
    /// would be lost.
    fn fit_communities(&mut self, ground: &Ground<'_>) -> Result<MixtureReport> {
        let mut clock = Instant::now();
        let points = self.nodes.all_points();
        let geometry = self.config.geometry;
        let config = MixtureConfig::in_geometry(geometry, &points, ground.communities);
        if let Some(guide) = self.guide.take() {
            let certain = Responsibilities::certain(ground.communities, &guide);
            self.mixture = Some(maximization(&points, &certain, config.scale_floor)?.into());
        }
        let Fit { mixture, iterations, converged, log_likelihood } = match self.mixture.take() {
            Some(mixture) if geometry != Geometry::Come => mixture.refine(&points, &config)?,
            _ => Mixture::fit(geometry, &points, &config, self.config.seed)?,
        };
        self.mixture = Some(mixture);
        self.seconds.em += lap(&mut clock);
        Ok(MixtureReport { iterations, converged, log_likelihood })
    }

    /// The last fit: communities of the points as they are now, moved so that their barycenter is the origin.
    fn finish(&mut self, ground: &Ground<'_>) -> Result<()> {
        let points = self.nodes.all_points();
        if let Some(center) = self.center(&points) {
            let back: Vec<f64> = center.iter().map(|c| -c).collect();
            self.nodes.translate(&back);
            let mut contexts = self.contexts.to_table();
            contexts.translate(&back);
            self.contexts = Tiles::new(&contexts);
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
        let report = self.fit_communities(ground)?;
        if let Some(last) = self.history.last_mut() {
            last.mixture = Some(report);
        }
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

    fn guide_epochs(&self, communities: usize) -> usize {
        let guided = !self.config.geometry.is_flat()
            && self.config.dim <= start::GUIDED_DIM
            && communities <= start::MOST_COMMUNITIES;
        if guided { self.epochs() / GUIDE_SHARE } else { 0 }
    }
}

/// Seconds since `clock`, which starts again.
fn lap(clock: &mut Instant) -> f64 {
    let seconds = clock.elapsed().as_secs_f64();
    *clock = Instant::now();
    seconds
}
