//! Random restarts; the best is kept.
//!
//! Restarts are trained in parallel, each with its own seed, so the result does not depend on threads.

use std::ops::ControlFlow;
use std::time::Instant;

use rayon::prelude::*;

use super::checkpoint::CheckpointPolicy;
use super::layout::disc_layout;
use super::progress::{ProgressCallback, ProgressHub};
use super::report::{RestartReport, Timings};
use super::resolved::ResolvedConfig;
use super::state::TrainState;
use super::training_run::{TrainContext, TrainingRun};
use crate::error::{Error, Result};
use crate::graph::{Graph, NodeNames};
use crate::metrics::{conductance, imbalance, mean_conductance};
use crate::points::Points;
use crate::rng::{Purpose, stream};

/// Settings of all restarts.
pub(super) struct RestartOptions<'a> {
    pub config: &'a ResolvedConfig,
    pub names: &'a NodeNames,
    pub keeps_snapshots: bool,
    pub has_layout: bool,
    pub checkpoints: Option<&'a CheckpointPolicy>,
}

/// The best restart, and reports of all.
pub(super) struct RestartOutcome {
    pub state: TrainState,
    /// Empty if there was only one.
    pub reports: Vec<RestartReport>,
    /// Two-dimensional layout, if there is one.
    pub layout: Option<Points>,
    /// Wall time.
    pub timings: Timings,
}

/// How the training of all restarts ended.
pub(super) enum Ended {
    Finished(Box<RestartOutcome>),
    /// State of each restart; none where it has not begun.
    Stopped(Vec<Option<TrainState>>),
}

/// Trains all restarts and keeps the one whose communities have the lowest [penalized conductance](RestartScore).
///
/// Restarts continue from `states` where they have one. If `callback` breaks or an [`interrupt`](crate::interrupt) is requested, the last
/// checkpoint is made at once, before any further work.
///
/// # Errors
/// If points of some restart stop being finite.
pub(super) fn train_restarts(
    context: &TrainContext<'_>,
    options: &RestartOptions<'_>,
    mut states: Vec<Option<TrainState>>,
    callback: &mut ProgressCallback<'_>,
) -> Result<Ended> {
    let clock = Instant::now();
    states.resize(options.config.restarts, None);
    let hub = ProgressHub::new(context, options, &states, callback);
    let train = |(restart, state)| train_restart(context, options, &hub, restart, state);
    let states: Vec<Option<TrainState>> =
        states.into_par_iter().enumerate().map(train).collect::<Result<_>>()?;
    let is_finished = |state: &Option<TrainState>| state.as_ref().is_some_and(TrainState::is_finished);
    if hub.has_broken() || !states.iter().all(is_finished) {
        return Ok(stop(&hub, states));
    }
    hub.checkpoint_finished(&states);
    let mut states: Vec<TrainState> = states.into_iter().flatten().collect();
    let (kept, scores, layout) = match choose_and_lay_out(context, options, &hub, &mut states) {
        Err(Error::Interrupted) => return Ok(stop(&hub, states.into_iter().map(Some).collect())),
        chosen => chosen?,
    };
    if states.len() == 1 {
        let state = states.remove(0);
        let timings = state.timings;
        return Ok(Ended::Finished(Box::new(RestartOutcome { state, reports: Vec::new(), layout, timings })));
    }
    let reports = states.iter().zip(&scores).enumerate().map(|(restart, (state, score))| RestartReport {
        conductance: score.conductance,
        pairs: state.history.iter().map(|epoch| epoch.pairs).sum(),
        dropped_steps: state.history.iter().map(|epoch| epoch.dropped_steps).sum(),
        kept: restart == kept,
    });
    let reports = reports.collect();
    let total: Timings = states.iter().map(|state| state.timings).sum();
    let timings = total.spread_over(clock.elapsed().as_secs_f64());
    Ok(Ended::Finished(Box::new(RestartOutcome {
        state: states.swap_remove(kept),
        reports,
        layout,
        timings,
    })))
}

/// Trains one restart; returns its state, finished or not, or none if it was stopped before it began.
fn train_restart(
    context: &TrainContext<'_>,
    options: &RestartOptions<'_>,
    hub: &ProgressHub<'_, '_>,
    restart: usize,
    state: Option<TrainState>,
) -> Result<Option<TrainState>> {
    if hub.is_stopped() {
        hub.stop();
        return Ok(state);
    }
    let config =
        ResolvedConfig { seed: restart_seed(options.config.seed, restart), ..options.config.clone() };
    let mut state = state.unwrap_or_else(|| TrainState::new(&config, context.graph.node_count()));
    let run = TrainingRun {
        context,
        config: &config,
        keeps_snapshots: options.keeps_snapshots,
        progress: &|progress, state| hub.notify(restart, progress, state),
    };
    match run.train(&mut state)? {
        ControlFlow::Break(()) => hub.stop(),
        ControlFlow::Continue(()) => hub.record_finished(restart, &state),
    }
    Ok(Some(state))
}

/// Makes the last checkpoint of a training that is stopped.
fn stop(hub: &ProgressHub<'_, '_>, mut states: Vec<Option<TrainState>>) -> Ended {
    hub.save(&mut states);
    Ended::Stopped(states)
}

/// The best state as [`choose`] finds it, and its layout.
fn choose_and_lay_out(
    context: &TrainContext<'_>,
    options: &RestartOptions<'_>,
    hub: &ProgressHub<'_, '_>,
    states: &mut [TrainState],
) -> Result<(usize, Vec<RestartScore>, Option<Points>)> {
    let (kept, scores) = choose(context.graph, states)?;
    if !options.has_layout {
        return Ok((kept, scores, None));
    }
    let layout = disc_layout(context, &states[kept], options.config, &|| hub.notify_layout())?;
    Ok((kept, scores, layout))
}

/// Index of the best state, whose communities are then numbered by size, and the scores; one state needs no score.
fn choose(graph: &Graph, states: &mut [TrainState]) -> Result<(usize, Vec<RestartScore>)> {
    let mut scores = Vec::new();
    if states.len() > 1 {
        scores = states.par_iter().map(|state| score_restart(graph, state)).collect::<Result<_>>()?;
    }
    let best = best_of(&scores);
    states[best].number_communities_by_size()?;
    Ok((best, scores))
}

/// Index of the lowest score; the first of equal ones, and of none at all.
fn best_of(scores: &[RestartScore]) -> usize {
    let compare = |&a: &usize, &b: &usize| {
        let order = scores[a].rank_key().partial_cmp(&scores[b].rank_key());
        order.expect("conductances are numbers")
    };
    (0..scores.len()).min_by(compare).unwrap_or(0)
}

/// Quality of a restart, the lower the better.
///
/// Tiny communities count as if all their edges left them, and a restart with a giant community comes after all others ([`imbalance`]):
/// otherwise restarts that found no communities would win.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RestartScore {
    has_giant: bool,
    /// Sum of conductances, tiny communities counting one.
    penalized_conductance: f64,
    /// Mean conductance.
    conductance: f64,
}

impl RestartScore {
    /// Score of a clustering into `count` communities.
    fn new(graph: &Graph, communities: &[u32], count: usize) -> Self {
        let sizes = imbalance::cluster_sizes(communities, count);
        let least = imbalance::tiny_limit(&sizes);
        let each = conductance(graph, communities, count);
        let penalized =
            each.iter().zip(&sizes).map(|(&own, &size)| if (size as f64) < least { 1.0 } else { own });
        Self {
            has_giant: imbalance::has_giant(&sizes),
            penalized_conductance: penalized.sum(),
            conductance: mean_conductance(graph, communities, count),
        }
    }

    fn rank_key(&self) -> (bool, f64) {
        (self.has_giant, self.penalized_conductance)
    }
}

fn score_restart(graph: &Graph, state: &TrainState) -> Result<RestartScore> {
    let mixture = state.mixture.as_ref().expect("training ends with a fit of the mixture");
    let communities = mixture.communities(&state.nodes.all_points())?;
    Ok(RestartScore::new(graph, &communities, mixture.len()))
}

/// Seed of a restart; the first has the seed of the training.
fn restart_seed(seed: u64, restart: usize) -> u64 {
    if restart == 0 { seed } else { stream(seed, Purpose::Restart, 0, restart as u64).bits() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Run, TrainOutcome, Trainer};
    use crate::{TrainConfig, datasets, metrics};

    fn karate(config: TrainConfig) -> (Run, f64) {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let trainer = Trainer::new(&karate.graph, config).unwrap();
        let run = trainer.train_to_end().unwrap().run;
        let communities = run.responsibilities().unwrap().communities();
        let conductance = metrics::mean_conductance(&karate.graph, &communities, run.mixture.len());
        (run, conductance)
    }

    fn short(restarts: usize) -> TrainConfig {
        TrainConfig {
            communities: Some(3),
            restarts: Some(restarts),
            walks: Some(1),
            warmup_epochs: 1,
            epochs: 1,
            ..TrainConfig::default()
        }
    }

    #[test]
    fn the_restart_of_lowest_conductance_is_kept() {
        let (run, conductance) = karate(short(6));
        let kept: Vec<&RestartReport> = run.restarts.iter().filter(|restart| restart.kept).collect();
        assert_eq!((run.restarts.len(), kept.len()), (6, 1));
        assert!((kept[0].conductance - conductance).abs() < 1e-12, "{conductance} {:?}", run.restarts);
        let conductances = || run.restarts.iter().map(|restart| restart.conductance);
        assert!(kept[0].conductance < conductances().fold(0.0, f64::max), "{:?}", run.restarts);
        // No restart has a giant or tiny community here.
        assert_eq!(kept[0].conductance, conductances().fold(1.0, f64::min), "{:?}", run.restarts);
    }

    /// A ring of four cliques of ten, and a path of `path` nodes that no edge joins to it.
    fn cliques_and_path(path: u32) -> Graph {
        let clique = |first: u32| (0..10).flat_map(move |i| (0..i).map(move |j| (first + i, first + j)));
        let bridges = (0..4).map(|clique| (10 * clique, (10 * clique + 11) % 40));
        let path = (40..39 + path).map(|node| (node, node + 1));
        Graph::from_edges((0..4).flat_map(|c| clique(10 * c)).chain(bridges).chain(path))
    }

    /// Scores of clusterings that give each clique, and the path as the fifth, a community.
    fn scores(graph: &Graph, clusterings: &[[u32; 5]], count: usize) -> Vec<RestartScore> {
        let of = |clustering: &[u32; 5]| {
            let communities: Vec<u32> =
                (0..graph.node_count()).map(|node| clustering[(node / 10).min(4)]).collect();
            RestartScore::new(graph, &communities, count)
        };
        clusterings.iter().map(of).collect()
    }

    #[test]
    fn a_restart_with_a_giant_community_comes_after_all_others() {
        // Cutting off the path alone cuts no edge, but finds no communities.
        let scores = scores(&cliques_and_path(3), &[[0, 0, 0, 0, 1], [0, 0, 1, 1, 0], [0, 1, 0, 1, 0]], 2);
        assert!(scores[0].has_giant && !scores[1].has_giant && !scores[2].has_giant, "{scores:?}");
        assert!(scores[0].conductance < scores[1].conductance, "{scores:?}");
        assert!(scores[0].penalized_conductance < scores[1].penalized_conductance, "not tiny: {scores:?}");
        assert_eq!(best_of(&scores), 1, "{scores:?}");
        assert_eq!(best_of(&scores[..1]), 0, "if all have one, it is kept");
    }

    #[test]
    fn a_tiny_community_counts_as_if_all_its_edges_left_it() {
        let scores = scores(&cliques_and_path(2), &[[0, 0, 1, 1, 2], [0, 0, 1, 2, 0]], 3);
        assert!(scores.iter().all(|score| !score.has_giant), "{scores:?}");
        assert!(scores[0].conductance < scores[1].conductance, "{scores:?}");
        assert!(scores[0].penalized_conductance > 1.0 && scores[1].penalized_conductance < 0.1, "{scores:?}");
        assert_eq!(best_of(&scores), 1, "{scores:?}");
    }

    #[test]
    fn the_first_restart_is_the_training_without_others() {
        let (alone, _) = karate(short(1));
        let (several, _) = karate(short(6));
        assert!(alone.restarts.is_empty());
        assert_eq!(several.restarts[0].pairs, alone.pairs());
        assert_eq!(several.restarts.iter().map(|restart| restart.pairs).sum::<u64>(), several.pairs());
    }

    #[test]
    fn a_callback_that_breaks_is_called_no_more_and_nothing_else_is_computed() {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let calls = std::sync::atomic::AtomicUsize::new(0);
        let ended = Trainer::new(&karate.graph, short(4)).unwrap().train(&mut |_| {
            calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            ControlFlow::Break(())
        });
        let TrainOutcome::Stopped(checkpoint) = ended.unwrap() else { panic!("it was stopped") };
        assert_eq!(calls.into_inner(), 1);
        assert!(
            checkpoint.restarts.iter().flatten().all(|state| state.mixture.is_none()),
            "nothing was fitted"
        );
        assert!(checkpoint.progress().done < 0.1, "{:?}", checkpoint.progress());
    }
}
