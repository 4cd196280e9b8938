//! Runs jobs in parallel with progress on standard error, stops at signals and reports errors in the terms of the
//! command.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::bail;
use hycome_experiments::{JobOnGraph, ResultLog, Runner, RunnerError, RunnerProgress, validate};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::term::output::{escaped, notify, shown};
use crate::term::progress::Log;
use crate::term::style::{self, pluralize};
use crate::{Usage, interrupt};

/// Runs jobs concurrently.
#[derive(Clone, Copy, Debug)]
pub struct JobPool {
    /// Total number of threads.
    pub threads: usize,
    pub quiet: bool,
}

impl JobPool {
    /// Uses `threads`, or all cores.
    pub fn new(threads: Option<u16>, quiet: bool) -> Self {
        Self { threads: threads.map_or_else(hycome::machine::cores, usize::from), quiet }
    }

    /// Runs the jobs that have no result in the log. An interrupt is an error; finished jobs stay in the log.
    pub fn run(&self, jobs: &[JobOnGraph<'_>], log: ResultLog, path: &Path) -> anyhow::Result<ResultLog> {
        validate(jobs, &log).map_err(|error| described(error, path))?;
        let finished = |log: &ResultLog| jobs.iter().filter(|(job, _)| log.find(job).is_some()).count();
        let pending = jobs.len() - finished(&log);
        if !self.quiet {
            announce(jobs.len(), pending, &log, path);
        }
        interrupt::watch();
        let display = ProgressDisplay::new(pending, self.quiet);
        let runner = Runner {
            threads: self.threads,
            pool: &interrupt::pool,
            should_stop: &interrupt::requested,
            progress: &|progress| display.update(progress),
        };
        let log = runner.run(jobs, log);
        display.bar.finish_and_clear();
        let log = log.map_err(|error| described(error, path))?;
        let done = finished(&log);
        if interrupt::requested() && done < jobs.len() {
            bail!(
                "interrupted; {} of {} are in {}; run the same command to resume",
                done,
                pluralize(jobs.len(), "result", "results"),
                shown(path)
            );
        }
        Ok(log)
    }
}

/// The error in the terms of the command, with its exit code.
fn described(error: RunnerError, path: &Path) -> anyhow::Error {
    match error {
        RunnerError::InvalidJob { graph, source } => Usage(format!("{}: {source}", escaped(&graph))).into(),
        RunnerError::ChangedGraph { graph } => anyhow::anyhow!(
            "{}: its results are of a different version of `{}`; give another file with -o",
            shown(path),
            escaped(&graph)
        ),
        RunnerError::OutOfMemory { graph, source } => anyhow::Error::new(source).context(escaped(&graph)),
        RunnerError::Threads(source) => anyhow::Error::new(source).context("cannot start threads"),
        RunnerError::Log(source) => source.into(),
    }
}

/// Notes on the state of the log before the first job.
fn announce(all: usize, left: usize, log: &ResultLog, path: &Path) {
    let path = shown(path);
    if log.was_truncated {
        notify(&format!(
            "note: {path} ends in an incomplete line, which is removed; that training is repeated"
        ));
    }
    if left < all {
        let done = all - left;
        notify(&format!("note: {done} of {} are already in {path}", pluralize(all, "result", "results")));
    }
    let foreign = log.records().len() - (all - left).min(log.records().len());
    if foreign > 0 {
        let (results, are) =
            (pluralize(foreign, "result", "results"), if foreign == 1 { "is" } else { "are" });
        notify(&format!("note: {results} in {path} {are} of other settings and ignored"));
    }
}

/// Resolution of the bar per job.
const STEPS: f64 = 1000.0;

/// Progress of all jobs on standard error: a bar on a terminal, else log lines.
struct ProgressDisplay {
    bar: ProgressBar,
    log: Mutex<Log>,
    start: Instant,
    all: usize,
}

impl ProgressDisplay {
    fn new(all: usize, quiet: bool) -> Self {
        let is_drawn = !quiet && all > 0 && std::io::stderr().is_terminal();
        let target =
            if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some((STEPS * all as f64) as u64), target);
        let template = "training {percent} %  {msg}  {wide_bar}"; // a narrow terminal cuts the bar off first
        bar.set_style(
            ProgressStyle::with_template(template).expect("the template is sound").progress_chars("━╸─"),
        );
        let log = Mutex::new(Log::new(quiet));
        Self { bar, log, start: Instant::now(), all }
    }

    fn update(&self, RunnerProgress { finished, done }: RunnerProgress) {
        let elapsed = self.start.elapsed().as_secs_f64();
        let left = elapsed * (self.all as f64 - done) / done.max(1e-6);
        self.bar.set_position((STEPS * done) as u64);
        let left = style::duration(left);
        self.bar.set_message(format!("{left} left  {finished} of {} done", self.all));
        let line =
            || format!("{finished} of {} done, {left} left", pluralize(self.all, "training", "trainings"));
        self.log.lock().expect("no callback panics").progress(done / self.all as f64, line);
    }
}
