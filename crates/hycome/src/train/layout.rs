//! Two-dimensional layout of a trained model, for pictures.
//!
//! Communities are found in more dimensions than a screen has, and a projection of these puts them on top of each other. The layout is a
//! second embedding of the same graph, in the Poincaré disc, whose communities are given: centres of communities are placed by the stress of
//! their target distances ([`super::initialization`]), every node starts at its communities, and the second-order loss is trained for a few
//! epochs. After each of them, communities that spread into others are contracted: nodes and contexts move towards the Fréchet mean of
//! their community, the further the more certain the model is of it, as in the community loss with the memberships of the model. So
//! communities stay apart, and nodes between communities lie between them. The layout changes neither the embedding nor the communities.

use std::ops::ControlFlow;

use super::engine::pair_index::WalkPlan;
use super::engine::table::Table;
use super::initialization::{MAX_LAYOUT_COMMUNITIES, Pretrained, init_from_pretrained};
use super::objective::second_order::EpochPlan;
use super::resolved::{GraphSize, ResolvedConfig};
use super::schedule::Schedule;
use super::state::TrainState;
use super::training_run::TrainContext;
use crate::error::{Error, Result};
use crate::geometry::Geometry;
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::{distance, exp, log};
use crate::interrupt;
use crate::points::Points;

/// Nodes of a walk, at most: half of the default suffices for a picture.
const MAX_WALK_LENGTH: usize = 40;

/// Epochs of the layout.
const EPOCHS: usize = 6;

/// Root mean square distance of a community's nodes from its mean, at most, as a fraction of that mean's distance from the nearest other.
const MAX_SPREAD: f64 = 0.25;

/// Fraction of the way to the mean of its community that a node moves after an epoch, at most.
const MAX_PULL: f64 = 0.9;

/// Number of the first epoch of walks, far from those of training: a layout has random streams of its own.
const FIRST_EPOCH: u64 = 1 << 32;

/// Points of the nodes in the disc, in the order of the graph; none in Euclidean space, in two dimensions, and for too many communities.
///
/// # Errors
/// If points stop being finite, or [`Error::Interrupted`], also if `progress` breaks.
pub(super) fn disc_layout(
    context: &TrainContext<'_>,
    state: &TrainState,
    config: &ResolvedConfig,
    progress: &(dyn Fn() -> ControlFlow<()> + Sync),
) -> Result<Option<Points>> {
    let Some(mixture) = state.mixture.clone() else { return Ok(None) };
    if config.geometry != Geometry::Poincare || config.dim <= 2 || mixture.len() > MAX_LAYOUT_COMMUNITIES {
        return Ok(None);
    }
    let config = settings(config, GraphSize::of(context.graph));
    let model = Pretrained { points: state.nodes.all_points(), mixture };
    if progress().is_break() {
        return Err(Error::Interrupted);
    }
    let members = Members::new(&model)?;
    let (nodes, contexts) = init_from_pretrained(context.graph, &model, &members.communities, &config)?;
    drop(model);
    let mut layout = TrainState { nodes, contexts, ..TrainState::new(&config, 0) };
    for epoch in 0..EPOCHS {
        let plan = EpochPlan {
            walk: WalkPlan {
                seed: config.seed,
                epoch: FIRST_EPOCH + epoch as u64,
                length: config.walk_length,
                window: config.window,
            },
            walks: config.walks,
            negatives: config.negatives_per_pair(),
            noise_exponent: config.noise_exponent,
        };
        let schedule = Schedule { config: &config, epoch };
        let step_size = |fraction: f64| schedule.step_size(config.beta, fraction);
        let (tick, mut on_chunk) = (|_: f64, _: u64| progress(), |_: &mut TrainState| progress());
        layout.cursor = Default::default();
        if context.second_order.epoch(&mut layout, &plan, &step_size, &tick, &mut on_chunk).is_break() {
            return Err(Error::Interrupted);
        }
        if !(layout.nodes.is_finite() && layout.contexts.is_finite()) {
            return Err(Error::NotFinite { epoch: epoch + 1, step: "layout" });
        }
        members.gather(&mut layout.nodes)?;
        members.gather(&mut layout.contexts)?;
    }
    let points = layout.nodes.all_points();
    if let Some(center) = config.geometry.center(&points) {
        layout.nodes.translate(&center.iter().map(|c| -c).collect::<Vec<_>>());
    }
    Ok(Some(layout.nodes.points(context.rows)))
}

/// Settings of the layout: those of two dimensions with the walks of the training.
fn settings(config: &ResolvedConfig, size: GraphSize) -> ResolvedConfig {
    let mut asked = config.to_config();
    (asked.dim, asked.curvature, asked.negatives, asked.learning_rate) = (Some(2), None, None, None);
    (asked.pretrain_dim, asked.warmup_epochs, asked.epochs) = (Some(0), 1, EPOCHS - 1);
    (asked.walk_length, asked.blocks) = (asked.walk_length.min(MAX_WALK_LENGTH), asked.blocks.max(1));
    ResolvedConfig::for_size(&asked, config.communities, size)
}

/// The community of each row, and how certain the model is of it.
struct Members {
    communities: Vec<u32>,
    probabilities: Vec<f64>,
    count: usize,
}

impl Members {
    fn new(model: &Pretrained) -> Result<Self> {
        let (mut communities, mut probabilities) = (Vec::new(), Vec::new());
        for block in model.mixture.responsibilities_by_blocks(&model.points) {
            let (_, responsibilities) = block?;
            for row in responsibilities.rows() {
                let best = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]).then(b.cmp(&a)));
                let best = best.expect("a mixture has components");
                communities.push(best as u32);
                probabilities.push(row[best]);
            }
        }
        Ok(Self { communities, probabilities, count: model.mixture.len() })
    }

    /// Moves every row towards the mean of its community, as far as the community is spread too much.
    fn gather(&self, nodes: &mut Table) -> Result<()> {
        let points = nodes.all_points();
        let dim = points.dim();
        let mut coordinates = vec![Vec::new(); self.count];
        for (x, &community) in points.rows().zip(&self.communities) {
            coordinates[community as usize].extend_from_slice(x);
        }
        let mut means = Vec::with_capacity(self.count);
        for members in coordinates {
            interrupt::check()?;
            let members = Points::new(dim, members);
            means.push(barycenter(&members, &vec![1.0; members.len()], None).map(|mean| mean.point));
        }
        let pulls = self.pulls(&points, &means);
        let (mut toward, mut moved) = (vec![0.0; dim], vec![0.0; dim]);
        for (i, x) in points.rows().enumerate() {
            let community = self.communities[i] as usize;
            if let Some(mean) = &means[community] {
                log(x, mean, &mut toward);
                toward.iter_mut().for_each(|v| *v *= pulls[community] * self.probabilities[i]);
                exp(x, &toward, &mut moved);
                nodes.set(i, &moved);
            }
        }
        Ok(())
    }

    /// Fraction of the way to its mean that the nodes of each community have to move.
    fn pulls(&self, points: &Points, means: &[Option<Vec<f64>>]) -> Vec<f64> {
        let mut squares = vec![(0.0, 0usize); self.count];
        for (x, &community) in points.rows().zip(&self.communities) {
            if let Some(mean) = &means[community as usize] {
                let (sum, count) = &mut squares[community as usize];
                *sum += distance(x, mean).powi(2);
                *count += 1;
            }
        }
        let nearest = |k: usize, mean: &[f64]| {
            let others = means.iter().enumerate().filter(|&(other, _)| other != k);
            others
                .filter_map(|(_, other)| other.as_deref())
                .map(|other| distance(mean, other))
                .fold(f64::INFINITY, f64::min)
        };
        let pull = |(k, mean): (usize, &Option<Vec<f64>>)| {
            let (Some(mean), (sum, count)) = (mean, squares[k]) else { return 0.0 };
            let spread = (sum / count.max(1) as f64).sqrt();
            (1.0 - MAX_SPREAD * nearest(k, mean) / spread.max(f64::MIN_POSITIVE)).clamp(0.0, MAX_PULL)
        };
        means.iter().enumerate().map(pull).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TrainConfig, Trainer, datasets, metrics};

    fn layout(dim: Option<usize>, communities: usize) -> (crate::train::Run, Option<Points>) {
        let football = datasets::builtin("football").expect("it is built in").load();
        let config =
            TrainConfig { communities: Some(communities), dim, restarts: Some(1), ..TrainConfig::default() };
        let with =
            Trainer::new(&football.graph, config.clone()).unwrap().with_layout().train_to_end().unwrap().run;
        let without = Trainer::new(&football.graph, config).unwrap().train_to_end().unwrap().run;
        let layout = with.layout.clone();
        assert_eq!(crate::train::Run { layout: None, ..with }, without, "a layout changes nothing else");
        (without, layout)
    }

    #[test]
    fn communities_of_the_model_are_apart_in_the_layout() {
        let (run, layout) = layout(Some(8), 12);
        let layout = layout.expect("eight dimensions have a layout");
        assert_eq!((layout.len(), layout.dim()), (115, 2));
        let communities = run.responsibilities().unwrap().communities();
        let config = crate::mixture::MixtureConfig { communities: 12, restarts: 8, ..Default::default() };
        let found = crate::mixture::fit(&layout, &config, 1).unwrap().mixture;
        let found = crate::mixture::Mixture::from(found).communities(&layout).unwrap();
        let nmi = metrics::normalized_mutual_information(&found, &communities);
        assert!(nmi > 0.9, "{nmi}");
    }

    #[test]
    fn two_dimensions_have_no_layout_and_one_community_has() {
        assert!(layout(Some(2), 3).1.is_none());
        let (_, one) = layout(None, 1);
        assert!(
            one.expect("32 dimensions have a layout")
                .rows()
                .all(|x| crate::geometry::poincare::slack(x) > 0.0)
        );
    }

    #[test]
    fn a_layout_can_be_stopped() {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let config = TrainConfig { communities: Some(2), ..TrainConfig::default() };
        let trainer = Trainer::new(&karate.graph, config.clone()).unwrap().with_layout();
        let outcome = trainer.train(&mut |progress| match progress.step {
            crate::train::Step::Layout => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let crate::train::TrainOutcome::Stopped(checkpoint) = outcome.unwrap() else {
            panic!("it was stopped")
        };
        let resumed =
            Trainer::resume(&karate.graph, *checkpoint).unwrap().with_layout().train_to_end().unwrap().run;
        let straight = Trainer::new(&karate.graph, config).unwrap().with_layout().train_to_end().unwrap().run;
        assert_eq!(resumed, straight);
    }
}
