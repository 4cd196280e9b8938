//! Parallel job runner: trains several jobs at a time and appends each result to the log.
//!
//! Training on a small graph gains little from threads, so as many jobs run at a time as there are threads and as memory
//! allows, and the workers share the threads evenly. Results are deterministic: they do not depend on the pool.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hycome::io::LoadedGraph;
use hycome::machine;
use hycome::train::memory::{self, Estimate, Size};
use rayon::{ThreadPool, ThreadPoolBuildError};

use crate::{Job, Outcome, Record, ResultLog, fingerprint};

/// A job with the graph that its [`Source`](crate::Source) names.
pub type JobOnGraph<'a> = (&'a Job, &'a LoadedGraph);

/// Parallel job runner.
pub struct Runner<'a> {
    /// Total number of threads.
    pub threads: usize,
    /// Creates the thread pool of a worker.
    pub pool: &'a (dyn Fn(usize) -> Result<ThreadPool, ThreadPoolBuildError> + Sync),
    /// Polled by all workers; once it returns `true`, unfinished jobs are abandoned.
    pub should_stop: &'a (dyn Fn() -> bool + Sync),
    /// Progress callback, called from the workers.
    pub progress: &'a (dyn Fn(RunnerProgress) + Sync),
}

/// Progress over all jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerProgress {
    /// Number of finished jobs.
    pub finished: usize,
    /// Finished jobs plus the completed fractions of running ones.
    pub done: f64,
}

/// Error of a [`Runner`] or of [`validate`].
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The settings of a job are invalid for its graph.
    #[error("{graph}: {source}")]
    InvalidJob {
        /// Name of the graph.
        graph: String,
        /// The reason.
        source: hycome::Error,
    },
    /// The log has results of a graph that changed since.
    #[error("{graph}: the logged results are of other data")]
    ChangedGraph {
        /// Name of the graph.
        graph: String,
    },
    /// A job needs more memory than there is.
    #[error("{graph}: {source}")]
    OutOfMemory {
        /// Name of the graph.
        graph: String,
        /// The estimate and the limit.
        source: hycome::Error,
    },
    /// The threads of a worker could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// A result could not be logged.
    #[error(transparent)]
    Log(#[from] hycome::Error),
}

/// Validates the settings of all jobs, and that logged results are of the graphs as they are now.
///
/// # Errors
/// [`RunnerError::InvalidJob`] or [`RunnerError::ChangedGraph`] for the first job at fault.
pub fn validate(jobs: &[JobOnGraph<'_>], log: &ResultLog) -> Result<(), RunnerError> {
    let mut fingerprints: HashMap<*const LoadedGraph, u32> = HashMap::new();
    for &(job, loaded) in jobs {
        let graph = || job.source.graph.clone();
        job.check(loaded).map_err(|source| RunnerError::InvalidJob { graph: graph(), source })?;
        let Some(logged) = log.find(job).and_then(|record| record.outcome.metrics()) else { continue };
        let current = *fingerprints.entry(loaded).or_insert_with(|| fingerprint(loaded));
        if logged.fingerprint != current {
            return Err(RunnerError::ChangedGraph { graph: graph() });
        }
    }
    Ok(())
}

impl Runner<'_> {
    /// Runs the jobs that have no result in the log. After a stop, the log has the results of the finished jobs.
    ///
    /// # Errors
    /// If a job does not fit into memory, threads cannot be started, or a result cannot be logged. Results logged before the
    /// error stay.
    pub fn run(&self, jobs: &[JobOnGraph<'_>], log: ResultLog) -> Result<ResultLog, RunnerError> {
        let pending: Vec<JobOnGraph<'_>> =
            jobs.iter().filter(|(job, _)| log.find(job).is_none()).copied().collect();
        let workers = self.workers(&pending)?;
        let queue = Queue {
            pending,
            next: AtomicUsize::new(0),
            log: Mutex::new(log),
            failure: Mutex::new(None),
            has_failed: AtomicBool::new(false),
            progress: Mutex::new((0, vec![0.0; workers])),
        };
        std::thread::scope(|scope| {
            for worker in 0..workers {
                let threads = self.threads / workers + usize::from(worker < self.threads % workers);
                let queue = &queue;
                scope.spawn(move || {
                    if let Err(error) = self.work(worker, threads, queue) {
                        queue.has_failed.store(true, Ordering::SeqCst);
                        queue.failure.lock().expect(NO_PANIC).get_or_insert(error);
                    }
                });
            }
        });
        match queue.failure.into_inner().expect(NO_PANIC) {
            Some(error) => Err(error),
            None => Ok(queue.log.into_inner().expect(NO_PANIC)),
        }
    }

    /// Number of jobs that run at a time, so that they fit into memory together.
    fn workers(&self, pending: &[JobOnGraph<'_>]) -> Result<usize, RunnerError> {
        let mut largest = 1;
        for (job, loaded) in pending {
            let size = Size::of(&loaded.graph, self.threads);
            memory::expect_within(None, &job.config, &size)
                .map_err(|source| RunnerError::OutOfMemory { graph: job.source.graph.clone(), source })?;
            largest = largest.max(Estimate::new(&job.config, &size).peak());
        }
        let available = machine::available_memory().unwrap_or(u64::MAX);
        let room = usize::try_from(available / largest).unwrap_or(usize::MAX);
        Ok(self.threads.min(pending.len()).min(room.max(1)))
    }

    /// Runs jobs of the queue until it is empty or the runner stops.
    fn work(&self, worker: usize, threads: usize, queue: &Queue<'_>) -> Result<(), RunnerError> {
        let pool = (self.pool)(threads)?;
        let must_stop = || (self.should_stop)() || queue.has_failed.load(Ordering::SeqCst);
        while let Some(&(job, loaded)) = queue.pending.get(queue.next.fetch_add(1, Ordering::SeqCst)) {
            if must_stop() {
                break;
            }
            let outcome = pool.install(|| self.attempt(job, loaded, worker, queue, &must_stop));
            let Some(outcome) = outcome else { break };
            queue.log.lock().expect(NO_PANIC).append(Record { job: job.clone(), outcome })?;
            queue.progress.lock().expect(NO_PANIC).0 += 1;
            self.notify(queue, worker, 0.0);
        }
        Ok(())
    }

    /// Runs a job; `None` if it was stopped.
    fn attempt(
        &self,
        job: &Job,
        loaded: &LoadedGraph,
        worker: usize,
        queue: &Queue<'_>,
        must_stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Outcome> {
        let metrics = job.measure(loaded, &mut |progress| {
            self.notify(queue, worker, progress.done);
            if must_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match metrics {
            Ok(metrics) => metrics.map(Outcome::Measured),
            Err(hycome::Error::Interrupted) => None,
            Err(error) => Some(Outcome::Failed(error.to_string())),
        }
    }

    fn notify(&self, queue: &Queue<'_>, worker: usize, fraction: f64) {
        let mut progress = queue.progress.lock().expect(NO_PANIC);
        progress.1[worker] = fraction;
        let (finished, done) = (progress.0, progress.0 as f64 + progress.1.iter().sum::<f64>());
        drop(progress);
        (self.progress)(RunnerProgress { finished, done });
    }
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("threads", &self.threads).finish_non_exhaustive()
    }
}

const NO_PANIC: &str = "no worker panics while it holds a lock";

/// State that the workers share.
struct Queue<'a> {
    pending: Vec<JobOnGraph<'a>>,
    next: AtomicUsize,
    log: Mutex<ResultLog>,
    failure: Mutex<Option<RunnerError>>,
    has_failed: AtomicBool,
    /// Number of finished jobs, and the completed fraction of each worker's job.
    progress: Mutex<(usize, Vec<f64>)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use hycome::{TrainConfig, datasets};

    fn jobs(seeds: std::ops::RangeInclusive<u64>) -> Vec<Job> {
        let job = |seed| {
            let config = TrainConfig {
                seed,
                communities: Some(2),
                walks: Some(1),
                epochs: 1,
                warmup_epochs: 1,
                ..TrainConfig::default()
            };
            Job { source: Source { graph: "karate".into(), ..Source::default() }, config, classify: None }
        };
        seeds.map(job).collect()
    }

    fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    }

    /// Results without their times.
    fn scores(log: &ResultLog, jobs: &[Job]) -> Vec<Vec<(String, f64)>> {
        let scores = |job| log.find(job)?.outcome.metrics().map(|metrics| metrics.scores.clone());
        jobs.iter().map(|job| scores(job).unwrap_or_default().into_iter().collect()).collect()
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let loaded = datasets::builtin("karate").expect("it is built in").load();
        let jobs = jobs(1..=3);
        let on_graph: Vec<JobOnGraph<'_>> = jobs.iter().map(|job| (job, &loaded)).collect();
        let with = |threads: usize| {
            let log = ResultLog::open(&folder.path().join(format!("{threads}.jsonl"))).unwrap();
            let last = Mutex::new(None);
            let progress = |progress: RunnerProgress| {
                let mut last = last.lock().unwrap();
                let finished = last.map_or(0, |last: RunnerProgress| last.finished);
                *last = Some(RunnerProgress { finished: finished.max(progress.finished), ..progress });
            };
            let runner = Runner { threads, pool: &pool, should_stop: &|| false, progress: &progress };
            let log = runner.run(&on_graph, log).unwrap();
            assert_eq!(last.into_inner().unwrap().expect("there was progress").finished, 3);
            scores(&log, &jobs)
        };
        let (one, four) = (with(1), with(4));
        assert!(one.iter().all(|scores| !scores.is_empty()));
        assert_eq!(one, four);
    }

    #[test]
    fn a_stopped_runner_keeps_finished_results_and_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let loaded = datasets::builtin("karate").expect("it is built in").load();
        let jobs = jobs(1..=3);
        let on_graph: Vec<JobOnGraph<'_>> = jobs.iter().map(|job| (job, &loaded)).collect();
        let finished = AtomicUsize::new(0);
        let progress = |progress: RunnerProgress| finished.store(progress.finished, Ordering::SeqCst);
        let should_stop = || finished.load(Ordering::SeqCst) > 0;
        let runner = Runner { threads: 1, pool: &pool, should_stop: &should_stop, progress: &progress };
        let log = runner.run(&on_graph, ResultLog::open(&path).unwrap()).unwrap();
        assert_eq!(log.records().len(), 1);
        let runner = Runner { should_stop: &|| false, ..runner };
        let log = runner.run(&on_graph, log).unwrap();
        assert_eq!(log.records().len(), 3);
    }

    #[test]
    fn invalid_jobs_and_changed_graphs_are_found_before_training() {
        let folder = tempfile::tempdir().unwrap();
        let mut loaded = datasets::builtin("karate").expect("it is built in").load();
        let mut jobs = jobs(1..=1);
        let log = ResultLog::open(&folder.path().join("results.jsonl")).unwrap();
        let runner = Runner { threads: 1, pool: &pool, should_stop: &|| false, progress: &|_| {} };
        let log = runner.run(&[(&jobs[0], &loaded)], log).unwrap();
        validate(&[(&jobs[0], &loaded)], &log).unwrap();
        loaded.labels = None;
        let error = validate(&[(&jobs[0], &loaded)], &log).unwrap_err();
        assert!(matches!(error, RunnerError::ChangedGraph { .. }), "{error}");
        jobs[0].config.communities = Some(35);
        let error = validate(&[(&jobs[0], &loaded)], &log).unwrap_err();
        assert!(matches!(error, RunnerError::InvalidJob { .. }), "{error}");
    }
}
