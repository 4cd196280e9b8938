//! Several starts, of which the best is kept.
//!
//! Starts are trained side by side; each is a [`Course`] of its own seed, so the result does not depend on threads.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::Watch;
use super::config::TrainConfig;
use super::course::{Course, Ground};
use super::report::{Progress, Seconds, StartReport};
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

/// Trains from as many starts as the settings say, and keeps the one whose communities have the lowest conductance.
///
/// Slivers count as if all their edges left them, and a training with a giant comes after all others: otherwise those that
/// found no communities would win ([`sizes`]).
///
/// # Errors
/// If points of some course stop being finite.
pub fn best(
    ground: &Ground<'_>,
    config: &TrainConfig,
    keeps_snapshots: bool,
    watch: &mut Watch<'_>,
) -> Result<Best> {
    let clock = Instant::now();
    let count = config.starts_for(ground.graph.node_count());
    let audience = Audience::new(count, watch);
    let train = |start: usize| {
        let config = TrainConfig { seed: seed_of(config.seed, start), ..config.clone() };
        let mut course = Course::new(ground, config);
        course.snapshots = keeps_snapshots.then(Vec::new);
        course.train(ground, &mut |progress| audience.tell(start, progress))?;
        Ok(course)
    };
    let mut courses: Vec<Course> = (0..count).into_par_iter().map(train).collect::<Result<_>>()?;
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

/// Adds up what the courses report, for the one who watches.
struct Audience<'a, 'w>(Mutex<(Vec<Progress>, ControlFlow<()>, &'a mut Watch<'w>)>);

impl<'a, 'w> Audience<'a, 'w> {
    fn new(starts: usize, watch: &'a mut Watch<'w>) -> Self {
        let nothing = Progress { epoch: 1, epochs: 1, done: 0.0, pairs: 0 };
        Self(Mutex::new((vec![nothing; starts], ControlFlow::Continue(()), watch)))
    }

    /// Passes on the progress of a course as that of the whole; once the watcher has broken off, all courses do.
    fn tell(&self, start: usize, progress: &Progress) -> ControlFlow<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (courses, flow, watch) = &mut *inner;
        courses[start] = *progress;
        let done = courses.iter().map(|course| course.done).sum::<f64>() / courses.len() as f64;
        let pairs = courses.iter().map(|course| course.pairs).sum();
        if flow.is_continue() {
            *flow = watch(&Progress { done, pairs, ..*progress });
        }
        *flow
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
