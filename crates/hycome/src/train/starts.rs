//! Several starts, of which the best is kept.
//!
//! Starts are trained side by side; each is a [`Course`] of its own seed, so the result does not depend on threads.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Watch;
use super::config::TrainConfig;
use super::course::{Course, Ground};
use super::numbering;
use super::report::{Progress, Seconds, StartReport, Step};
use super::stand::{Checkpoint, Checkpoints, Stand};
use crate::error::{Error, Result};
use crate::graph::{NodeId, NodeNames};
use crate::interrupt;
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

/// How the training of all starts ended.
pub enum Ended {
    Finished(Box<Best>),
    /// Where each start can be resumed; none where it had not begun.
    Stopped(Vec<Option<Stand>>),
}

/// What is asked of all starts.
pub struct Task<'a> {
    pub config: &'a TrainConfig,
    pub names: &'a NodeNames,
    pub keeps_snapshots: bool,
    pub checkpoints: Option<&'a Checkpoints>,
}

/// When all starts are trained, a checkpoint is made unless the last one is younger than this: what follows, such as
/// scoring, may fail or be interrupted.
const FRESH: Duration = Duration::from_secs(10);

/// Trains from as many starts as the settings say, and keeps the one whose communities have the lowest conductance.
///
/// Slivers count as if all their edges left them, and a training with a giant comes after all others: otherwise those that
/// found no communities would win ([`sizes`]). Starts are resumed where `stands` says they are. If `watch` breaks or an
/// [`interrupt`] is requested, the last checkpoint is made at once, before any further work.
///
/// # Errors
/// If points of some course stop being finite.
pub fn best(
    ground: &Ground<'_>,
    task: &Task<'_>,
    mut stands: Vec<Option<Stand>>,
    watch: &mut Watch<'_>,
) -> Result<Ended> {
    let (clock, config) = (Instant::now(), task.config);
    let count = config.starts_for(ground.graph.node_count());
    stands.resize(count, None);
    // Checkpoints repeat where the other starts stand; a start alone says it anew each time, and is not kept twice.
    let others = if count > 1 { stands.clone() } else { vec![None] };
    let audience = Audience::new(ground, task, others, watch);
    let train = |(start, stand): (usize, Option<Stand>)| {
        if audience.is_stopped() {
            return Ok(stand.map(|stand| Trained::NotBegun(Box::new(stand))));
        }
        let config = TrainConfig { seed: seed_of(config.seed, start), ..config.clone() };
        let mut course = match stand {
            Some(stand) => Course::resume(ground, config, stand),
            None => Course::new(ground, config),
        };
        course.snapshots = task.keeps_snapshots.then(|| course.snapshots.take().unwrap_or_default());
        let flow = course.train(ground, &|progress, stand| audience.tell(start, progress, stand))?;
        if flow.is_break() {
            audience.stop();
            return Ok(Some(Trained::Stopped(Box::new(course))));
        }
        audience.end(start, &course);
        Ok(Some(Trained::Finished(Box::new(course))))
    };
    let trained: Vec<Option<Trained>> =
        stands.into_par_iter().enumerate().map(train).collect::<Result<_>>()?;
    if trained.iter().any(|trained| !matches!(trained, Some(Trained::Finished(_)))) {
        return Ok(audience.leave(trained));
    }
    audience.keep_the_end(&trained);
    let mut courses: Vec<Course> = trained.into_iter().flatten().map(Trained::into_course).collect();
    if count == 1 {
        let mut course = courses.remove(0);
        match numbering::by_size(&mut course) {
            Err(Error::Interrupted) => {
                return Ok(audience.leave(vec![Some(Trained::Finished(Box::new(course)))]));
            }
            numbered => numbered?,
        }
        return Ok(Ended::Finished(Box::new(Best { seconds: course.seconds, course, starts: Vec::new() })));
    }
    let judged: Result<Vec<Judgement>> = courses.par_iter().map(|course| judge(ground, course)).collect();
    let kept = judged.and_then(|judged| {
        let against = |&start: &usize| (judged[start].has_giant, judged[start].counted);
        let kept = (0..count)
            .min_by(|a, b| against(a).partial_cmp(&against(b)).expect("conductances are numbers"))
            .expect("there is a start");
        numbering::by_size(&mut courses[kept])?;
        Ok((kept, judged))
    });
    let (kept, judged) = match kept {
        Err(Error::Interrupted) => {
            let finished = courses.into_iter().map(|course| Some(Trained::Finished(Box::new(course))));
            return Ok(audience.leave(finished.collect()));
        }
        kept => kept?,
    };
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
    Ok(Ended::Finished(Box::new(Best { course: courses.swap_remove(kept), starts, seconds })))
}

/// How the training of one start ended.
enum Trained {
    NotBegun(Box<Stand>),
    Stopped(Box<Course>),
    Finished(Box<Course>),
}

impl Trained {
    fn into_stand(self) -> Stand {
        match self {
            Self::NotBegun(stand) => *stand,
            Self::Stopped(course) | Self::Finished(course) => course.into_stand(),
        }
    }

    fn into_course(self) -> Course {
        match self {
            Self::Stopped(course) | Self::Finished(course) => *course,
            Self::NotBegun(_) => unreachable!("all starts were trained"),
        }
    }
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

/// Adds up what the courses report, for the progress callback and for checkpoints.
struct Audience<'a, 'w> {
    task: &'a Task<'a>,
    rows: &'a [NodeId],
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
        ground: &'a Ground<'_>,
        task: &'a Task<'a>,
        stands: Vec<Option<Stand>>,
        watch: &'a mut Watch<'w>,
    ) -> Self {
        let nothing = Progress { step: Step::FirstOrder, epoch: 1, epochs: 1, done: 0.0, pairs: 0 };
        let (courses, last) = (vec![nothing; stands.len()], vec![(Instant::now(), 1); stands.len()]);
        let state = State { courses, stands, last, flow: ControlFlow::Continue(()), watch };
        Self { task, rows: ground.rows, fingerprint: ground.fingerprint, state: Mutex::new(state) }
    }

    /// Passes on the progress of a course as that of the whole; once the callback has broken off, all courses do.
    fn tell(&self, start: usize, progress: &Progress, stand: Option<&dyn Fn() -> Stand>) -> ControlFlow<()> {
        let mut state = self.state();
        state.courses[start] = *progress;
        let done = state.courses.iter().map(|course| course.done).sum::<f64>() / state.courses.len() as f64;
        let pairs = state.courses.iter().map(|course| course.pairs).sum();
        if state.flow.is_continue() {
            state.flow = (state.watch)(&Progress { done, pairs, ..*progress });
        }
        if state.flow.is_break() {
            return state.flow;
        }
        let (Some(checkpoints), Some(stand)) = (self.task.checkpoints, stand) else { return state.flow };
        let (time, epoch) = state.last[start];
        let epochs_passed = checkpoints.epochs.is_some_and(|epochs| progress.epoch >= epoch + epochs);
        if epochs_passed || time.elapsed() >= checkpoints.time {
            state.stands[start] = Some(stand());
            self.keep(&mut state.stands);
            state.last[start] = (Instant::now(), progress.epoch);
            if state.stands.len() == 1 {
                state.stands[start] = None;
            }
        }
        state.flow
    }

    /// Whether no course is to be begun any more.
    fn is_stopped(&self) -> bool {
        interrupt::is_requested() || self.state().flow.is_break()
    }

    /// Stops all courses.
    fn stop(&self) {
        self.state().flow = ControlFlow::Break(());
    }

    /// Remembers how a course ended, while others go on.
    fn end(&self, start: usize, course: &Course) {
        let mut state = self.state();
        if self.task.checkpoints.is_some() && state.flow.is_continue() && state.courses.len() > 1 {
            state.stands[start] = Some(course.stand());
        }
    }

    /// Makes a checkpoint of what is trained to its end, unless the last one is nearly as new.
    fn keep_the_end(&self, trained: &[Option<Trained>]) {
        let mut state = self.state();
        let last = state.last.iter().map(|last| last.0).max();
        let fresh = self.task.checkpoints.map_or(FRESH, |checkpoints| checkpoints.time.min(FRESH));
        if self.task.checkpoints.is_none() || last.is_some_and(|last| last.elapsed() < fresh) {
            return;
        }
        if let [Some(Trained::Finished(course))] = trained {
            state.stands[0] = Some(course.stand());
        }
        self.keep(&mut state.stands);
        state.stands.clear();
    }

    /// Makes the last checkpoint of a training that is stopped.
    fn leave(&self, trained: Vec<Option<Trained>>) -> Ended {
        let mut stands = trained.into_iter().map(|trained| trained.map(Trained::into_stand)).collect();
        self.keep(&mut stands);
        Ended::Stopped(stands)
    }

    fn keep(&self, stands: &mut Vec<Option<Stand>>) {
        let Some(checkpoints) = self.task.checkpoints else { return };
        let mut checkpoint = Checkpoint {
            config: self.task.config.clone(),
            keeps_snapshots: self.task.keeps_snapshots,
            fingerprint: self.fingerprint,
            rows: self.rows.to_vec(),
            names: self.task.names.clone(),
            starts: std::mem::take(stands),
        };
        (checkpoints.keep)(&checkpoint);
        *stands = std::mem::take(&mut checkpoint.starts);
    }

    fn state(&self) -> MutexGuard<'_, State<'a, 'w>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Run, TrainOutcome, Trainer};
    use crate::{datasets, metrics};

    fn karate(config: TrainConfig, watch: &mut Watch<'_>) -> (Run, f64) {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let mut trainer = Trainer::new(&karate.graph, config).unwrap();
        assert_eq!(trainer.train(watch).unwrap(), TrainOutcome::Finished);
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
    fn a_callback_that_breaks_is_called_no_more_and_nothing_else_is_computed() {
        let karate = datasets::builtin("karate").expect("it is built in").load();
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let mut trainer = Trainer::new(&karate.graph, short(4)).unwrap();
        let ended = trainer.train(&mut |_| {
            asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            ControlFlow::Break(())
        });
        assert_eq!(ended.unwrap(), TrainOutcome::Stopped);
        assert_eq!(asked.into_inner(), 1);
        let checkpoint = trainer.into_checkpoint().expect("it was stopped");
        assert!(
            checkpoint.starts.iter().flatten().all(|stand| stand.mixture.is_none()),
            "nothing was fitted"
        );
        assert!(checkpoint.progress().done < 0.1, "{:?}", checkpoint.progress());
    }
}
