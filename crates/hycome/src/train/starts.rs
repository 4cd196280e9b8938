//! Several starts, of which the best is kept.
//!
//! Starts are trained side by side; each is a [`Course`] of its own seed, so the result does not depend on threads.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::Watch;
use super::config::TrainConfig;
use super::course::{Course, Ground};
use super::report::{Progress, Seconds, StartReport};
use super::stand::{Checkpoint, Checkpoints, Stand};
use crate::error::Result;
use crate::metrics::{conductance, mean_conductance, sizes};
use crate::rng::{Purpose, stream};

/// The course that was kept, and what became of all.
pub struct Best {
    pub course: Course,
    /// Empty if there was one start only.
    pub starts: Vec<StartReport>,
    /// Where the time on the wall went.
    pub seconds: Seconds,
}

/// What is asked of all starts.
pub struct Task<'a> {
    pub config: &'a TrainConfig,
    pub keeps_snapshots: bool,
    pub checkpoints: Option<&'a Checkpoints>,
}

/// Trains from as many starts as the settings say, and keeps the one whose communities have the lowest conductance.
///
/// Slivers count as if all their edges left them, and a training with a giant comes after all others: otherwise those that
/// found no communities would win ([`sizes`]). Starts go on where `stands` says they are.
///
/// # Errors
/// If points of some course stop being finite.
pub fn best(
    ground: &Ground<'_>,
    task: &Task<'_>,
    mut stands: Vec<Option<Stand>>,
    watch: &mut Watch<'_>,
) -> Result<Best> {
    let (clock, config) = (Instant::now(), task.config);
    let count = config.starts_for(ground.graph.node_count());
    stands.resize(count, None);
    // Checkpoints repeat where the other starts stand; a start alone says it anew each time, and is not kept twice.
    let others = if count > 1 { stands.clone() } else { vec![None] };
    let audience = Audience::new(ground, task, others, watch);
    let train = |(start, stand): (usize, Option<Stand>)| {
        let config = TrainConfig { seed: seed_of(config.seed, start), ..config.clone() };
        let mut course = match stand {
            Some(stand) => Course::resume(ground, config, stand),
            None => Course::new(ground, config),
        };
        course.snapshots = task.keeps_snapshots.then(|| course.snapshots.take().unwrap_or_default());
        course.train(ground, &mut |progress, stand| audience.tell(start, progress, stand))?;
        audience.end(start, &course);
        Ok(course)
    };
    let mut courses: Vec<Course> = stands.into_par_iter().enumerate().map(train).collect::<Result<_>>()?;
    audience.leave();
    if count == 1 {
        let course = courses.remove(0);
        return Ok(Best { seconds: course.seconds, course, starts: Vec::new() });
    }
    let judged: Vec<Judgement> =
        courses.par_iter().map(|course| judge(ground, course)).collect::<Result<_>>()?;
    let against = |&start: &usize| (judged[start].has_giant, judged[start].counted);
    let kept = (0..count)
        .min_by(|a, b| against(a).partial_cmp(&against(b)).expect("conductances are numbers"))
        .expect("there is a start");
    let reports = courses.iter().enumerate().map(|(start, course)| StartReport {
        conductance: judged[start].conductance,
        pairs: course.history.iter().map(|epoch| epoch.pairs).sum(),
        dropped_steps: course.history.iter().map(|epoch| epoch.dropped_steps).sum(),
        kept: start == kept,
    });
    let starts = reports.collect();
    let seconds = courses
        .iter()
        .map(|course| course.seconds)
        .sum::<Seconds>()
        .spread_over(clock.elapsed().as_secs_f64());
    Ok(Best { course: courses.swap_remove(kept), starts, seconds })
}

struct Judgement {
    has_giant: bool,
    /// Sum of conductances, slivers counting one.
    counted: f64,
    conductance: f64,
}

/// What speaks against a course, and the mean conductance of its communities.
fn judge(ground: &Ground<'_>, course: &Course) -> Result<Judgement> {
    let mixture = course.mixture.as_ref().expect("training ends with a fit of the mixture");
    let count = mixture.len();
    let communities = mixture.communities(&course.nodes.all_points())?;
    let sizes = sizes::cluster_sizes(&communities, count);
    let least = sizes::least_size(&sizes);
    let each = conductance(ground.graph, &communities, count);
    let counted = each.iter().zip(&sizes).map(|(&own, &size)| if (size as f64) < least { 1.0 } else { own });
    Ok(Judgement {
        has_giant: sizes::has_giant(&sizes),
        counted: counted.sum(),
        conductance: mean_conductance(ground.graph, &communities, count),
    })
}

/// The seed of a start; the first has the seed of the training.
fn seed_of(seed: u64, start: usize) -> u64 {
    if start == 0 { seed } else { stream(seed, Purpose::Again, 0, start as u64).bits() }
}

/// Adds up what the courses report, for the one who watches and for checkpoints.
struct Audience<'a, 'w> {
    task: &'a Task<'a>,
    fingerprint: u32,
    state: Mutex<State<'a, 'w>>,
}

struct State<'a, 'w> {
    courses: Vec<Progress>,
    stands: Vec<Option<Stand>>,
    /// When each made its last checkpoint, and in which epoch.
    last: Vec<(Instant, usize)>,
    flow: ControlFlow<()>,
    watch: &'a mut Watch<'w>,
}

impl<'a, 'w> Audience<'a, 'w> {
    fn new(
        ground: &Ground<'_>,
        task: &'a Task<'a>,
        stands: Vec<Option<Stand>>,
        watch: &'a mut Watch<'w>,
    ) -> Self {
        let nothing = Progress { epoch: 1, epochs: 1, done: 0.0, pairs: 0 };
        let (courses, last) = (vec![nothing; stands.len()], vec![(Instant::now(), 1); stands.len()]);
        let fingerprint = task.checkpoints.map_or(0, |_| ground.graph.fingerprint());
        let state = State { courses, stands, last, flow: ControlFlow::Continue(()), watch };
        Self { task, fingerprint, state: Mutex::new(state) }
    }

    /// Passes on the progress of a course as that of the whole; once the watcher has broken off, all courses do.
    fn tell(&self, start: usize, progress: &Progress, stand: &dyn Fn() -> Stand) -> ControlFlow<()> {
        let mut state = self.state();
        state.courses[start] = *progress;
        let done = state.courses.iter().map(|course| course.done).sum::<f64>() / state.courses.len() as f64;
        let pairs = state.courses.iter().map(|course| course.pairs).sum();
        if state.flow.is_continue() {
            state.flow = (state.watch)(&Progress { done, pairs, ..*progress });
        }
        let Some(checkpoints) = self.task.checkpoints else { return state.flow };
        let (time, epoch) = state.last[start];
        let epochs_passed = checkpoints.epochs.is_some_and(|epochs| progress.epoch >= epoch + epochs);
        if state.flow.is_break() {
            state.stands[start] = Some(stand());
        } else if epochs_passed || time.elapsed() >= checkpoints.time {
            state.stands[start] = Some(stand());
            self.keep(&mut state);
            state.last[start] = (Instant::now(), progress.epoch);
            if state.stands.len() == 1 {
                state.stands[start] = None;
            }
        }
        state.flow
    }

    /// Remembers how a course ended, while others go on.
    fn end(&self, start: usize, course: &Course) {
        let mut state = self.state();
        if self.task.checkpoints.is_some() && state.flow.is_continue() && state.courses.len() > 1 {
            state.stands[start] = Some(course.stand());
        }
    }

    /// Makes the last checkpoint, if the watcher has broken off.
    fn leave(&self) {
        let mut state = self.state();
        if state.flow.is_break() {
            self.keep(&mut state);
        }
    }

    fn keep(&self, state: &mut State<'_, '_>) {
        let Some(checkpoints) = self.task.checkpoints else { return };
        let mut checkpoint = Checkpoint {
            config: self.task.config.clone(),
            keeps_snapshots: self.task.keeps_snapshots,
            fingerprint: self.fingerprint,
            starts: std::mem::take(&mut state.stands),
        };
        (checkpoints.keep)(&checkpoint);
        state.stands = std::mem::take(&mut checkpoint.starts);
    }

    fn state(&self) -> MutexGuard<'_, State<'a, 'w>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Run, Trainer};
    use crate::{datasets, metrics};

    fn karate(config: TrainConfig, watch: &mut Watch<'_>) -> (Run, f64) {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let mut trainer = Trainer::new(&karate.graph, config).unwrap();
        trainer.train(watch).unwrap();
        let run = trainer.into_run(karate.names);
        let communities = run.responsibilities().unwrap().communities();
        let conductance = metrics::mean_conductance(&karate.graph, &communities, run.mixture.len());
        (run, conductance)
    }

    fn short(starts: usize) -> TrainConfig {
        TrainConfig {
            communities: Some(3),
            starts: Some(starts),
            walks: 1,
            warmup_epochs: 1,
            epochs: 1,
            ..TrainConfig::default()
        }
    }

    #[test]
    fn the_start_of_lowest_conductance_is_kept() {
        let (run, conductance) = karate(short(6), &mut |_| ControlFlow::Continue(()));
        let kept: Vec<&StartReport> = run.starts.iter().filter(|start| start.kept).collect();
        assert_eq!((run.starts.len(), kept.len()), (6, 1));
        assert!((kept[0].conductance - conductance).abs() < 1e-12, "{conductance} {:?}", run.starts);
        let lowest = run.starts.iter().map(|start| start.conductance).fold(1.0, f64::min);
        let highest = run.starts.iter().map(|start| start.conductance).fold(0.0, f64::max);
        assert!(kept[0].conductance < highest, "starts differ: {:?}", run.starts);
        assert_eq!(kept[0].conductance, lowest, "no size speaks against a start here: {:?}", run.starts);
    }

    #[test]
    fn the_first_start_is_the_training_without_others() {
        let (alone, _) = karate(short(1), &mut |_| ControlFlow::Continue(()));
        let (several, _) = karate(short(6), &mut |_| ControlFlow::Continue(()));
        assert!(alone.starts.is_empty());
        assert_eq!(several.starts[0].pairs, alone.pairs());
        assert_eq!(several.starts.iter().map(|start| start.pairs).sum::<u64>(), several.pairs());
    }

    #[test]
    fn who_breaks_off_is_asked_no_more() {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let (run, _) = karate(short(4), &mut |_| {
            asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            ControlFlow::Break(())
        });
        assert_eq!(asked.into_inner(), 1);
        assert!(run.history.len() < 4, "all starts stop at their next report");
    }
}
