//! Jobs done side by side, each result put into the store at once.
//!
//! Trainings of small graphs gain little from threads, so as many jobs run at a time as there are threads, and share
//! the threads evenly. No result depends on that: a training gives the same bytes in any pool.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use hycome::experiments::{Job, Outcome, Record, Store, fingerprint, machine};
use hycome::io::LoadedGraph;
use hycome::train::memory::{self, Estimate, Size};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::{escaped, say, shown};
use crate::progress::Log;
use crate::style::{self, counted};
use crate::{Usage, interrupt};

/// A job, and the graph it names.
pub type Task<'a> = (&'a Job, &'a LoadedGraph);

/// How the jobs are done.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    /// Threads in all.
    pub threads: usize,
    pub quiet: bool,
}

impl Workers {
    /// As many threads as asked for, or as there are cores.
    pub fn new(threads: Option<u16>, quiet: bool) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: threads.map_or_else(cores, usize::from), quiet }
    }

    /// Does what is not in the store yet; fails if interrupted, with what is done in the store.
    pub fn run(&self, tasks: &[Task<'_>], store: Store, path: &Path) -> anyhow::Result<Store> {
        check(tasks, &store, path)?;
        let left: Vec<Task<'_>> =
            tasks.iter().filter(|(job, _)| store.find(job).is_none()).copied().collect();
        if !self.quiet {
            self.announce(tasks.len(), left.len(), &store, path);
        }
        interrupt::watch();
        let watch = Watch::new(left.len(), self.quiet);
        let store = Mutex::new(store);
        let next = AtomicUsize::new(0);
        let failure = Mutex::new(None);
        let is_over = AtomicBool::new(false);
        let workers = self.fitting(&left)?;
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let threads = self.threads / workers + usize::from(worker < self.threads % workers);
                let (left, store, watch, next, failure, is_over) =
                    (&left, &store, &watch, &next, &failure, &is_over);
                scope.spawn(move || {
                    let work = || -> anyhow::Result<()> {
                        let pool = interrupt::pool(threads).context("cannot start threads")?;
                        while let Some(&(job, loaded)) = left.get(next.fetch_add(1, Ordering::SeqCst)) {
                            let must_stop = || interrupt::requested() || is_over.load(Ordering::SeqCst);
                            if must_stop() {
                                break;
                            }
                            let outcome = pool.install(|| attempt(job, loaded, worker, watch, &must_stop));
                            let Some(outcome) = outcome else { break };
                            let record = Record { job: job.clone(), outcome };
                            store.lock().expect("no worker panics with the store").append(record)?;
                            watch.done(worker);
                        }
                        Ok(())
                    };
                    if let Err(error) = work() {
                        is_over.store(true, Ordering::SeqCst);
                        failure.lock().expect("nobody panics with it").get_or_insert(error);
                    }
                });
            }
        });
        watch.bar.finish_and_clear();
        if let Some(error) = failure.into_inner().expect("nobody panics with it") {
            return Err(error);
        }
        let store = store.into_inner().expect("no worker panics with the store");
        let done = tasks.iter().filter(|(job, _)| store.find(job).is_some()).count();
        if interrupt::requested() && done < tasks.len() {
            bail!(
                "interrupted; {} of {} are in {}, and the same command goes on from there",
                done,
                counted(tasks.len(), "result", "results"),
                shown(path)
            );
        }
        Ok(store)
    }

    /// How many of these jobs may run at a time, so that they have room in memory together.
    fn fitting(&self, left: &[Task<'_>]) -> anyhow::Result<usize> {
        let mut most = 1;
        for (job, loaded) in left {
            let size = Size::of(&loaded.graph, self.threads);
            memory::expect_within(None, &job.config, &size).with_context(|| escaped(&job.source.graph))?;
            most = most.max(Estimate::new(&job.config, &size).peak());
        }
        let available = machine::available_memory().unwrap_or(u64::MAX);
        let room = usize::try_from(available / most).unwrap_or(usize::MAX);
        Ok(self.threads.min(left.len()).min(room.max(1)))
    }

    fn announce(&self, all: usize, left: usize, store: &Store, path: &Path) {
        let path = shown(path);
        if store.was_torn {
            say(&format!(
                "note: {path} ended in half a line, which was dropped; that training is done again"
            ));
        }
        if left < all {
            let done = all - left;
            say(&format!("note: {done} of {} are in {path} already", counted(all, "result", "results")));
        }
        let foreign = store.records().len() - (all - left).min(store.records().len());
        if foreign > 0 {
            let (results, are) =
                (counted(foreign, "result", "results"), if foreign == 1 { "is" } else { "are" });
            say(&format!("note: {results} in {path} {are} of other settings, and left out here"));
        }
    }
}

/// Every setting is in its range, and every result in the store is of the graph as it is now.
fn check(tasks: &[Task<'_>], store: &Store, path: &Path) -> anyhow::Result<()> {
    let mut sums: Vec<(*const LoadedGraph, u32)> = Vec::new();
    for (job, loaded) in tasks {
        let name = escaped(&job.source.graph);
        job.check(loaded).map_err(|error| Usage(format!("{name}: {error}")))?;
        let Some(measured) = store.find(job).and_then(|record| record.outcome.measured()) else { continue };
        let place: *const LoadedGraph = *loaded;
        let sum = match sums.iter().find(|(other, _)| *other == place) {
            Some(&(_, sum)) => sum,
            None => {
                sums.push((place, fingerprint(loaded)));
                sums[sums.len() - 1].1
            }
        };
        if measured.fingerprint != sum {
            let path = shown(path);
            bail!(
                "{path}: its results are of another `{name}` than the one there is now; give another name with -o"
            );
        }
    }
    Ok(())
}

/// One job; none if it was stopped.
fn attempt(
    job: &Job,
    loaded: &LoadedGraph,
    worker: usize,
    watch: &Watch,
    must_stop: &(dyn Fn() -> bool + Sync),
) -> Option<Outcome> {
    let measured = job.measure(loaded, &mut |progress| {
        watch.update(worker, progress.done);
        if must_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match measured {
        Ok(measured) => measured.map(Outcome::Measured),
        Err(hycome::Error::Interrupted) => None,
        Err(error) => Some(Outcome::Failed(error.to_string())),
    }
}

/// Steps of the bar for a job.
const STEPS: f64 = 1000.0;

/// Progress of all jobs together on standard error.
struct Watch {
    bar: ProgressBar,
    log: Mutex<Log>,
    start: Instant,
    all: usize,
    /// Jobs that are done, and how far each worker is with its own.
    progress: Mutex<(usize, Vec<f64>)>,
}

impl Watch {
    fn new(all: usize, quiet: bool) -> Self {
        let is_drawn = !quiet && all > 0 && std::io::stderr().is_terminal();
        let target =
            if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some((STEPS * all as f64) as u64), target);
        let template = "training {bar:20} {percent:>3} %  {wide_msg}";
        bar.set_style(
            ProgressStyle::with_template(template).expect("the template is sound").progress_chars("━╸─"),
        );
        let log = Mutex::new(Log::new(quiet));
        Self { bar, log, start: Instant::now(), all, progress: Mutex::new((0, Vec::new())) }
    }

    fn update(&self, worker: usize, done: f64) {
        let mut progress = self.progress.lock().expect("nobody panics with it");
        if progress.1.len() <= worker {
            progress.1.resize(worker + 1, 0.0);
        }
        progress.1[worker] = done;
        let sum = progress.0 as f64 + progress.1.iter().sum::<f64>();
        let finished = progress.0;
        drop(progress);
        let elapsed = self.start.elapsed().as_secs_f64();
        let left = elapsed * (self.all as f64 - sum) / sum.max(1e-6);
        self.bar.set_position((STEPS * sum) as u64);
        let left = style::duration(left);
        self.bar.set_message(format!("{finished} of {} done  {left} left", self.all));
        let line =
            || format!("{finished} of {} done, {left} left", counted(self.all, "training", "trainings"));
        self.log.lock().expect("nobody panics with it").progress(sum / self.all as f64, line);
    }

    fn done(&self, worker: usize) {
        self.progress.lock().expect("nobody panics with it").0 += 1;
        self.update(worker, 0.0);
    }
}
