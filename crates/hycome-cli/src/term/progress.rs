//! Progress on standard error: a bar on a terminal, log lines elsewhere.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hycome::io::{ReadProgress, ReadStep};
use hycome::train::{Progress, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::term::output::notify;
use crate::term::style;

/// Width of the bar in columns.
const BAR: usize = 20;

/// Commands shorter than this log nothing.
const SILENCE: Duration = Duration::from_secs(2);

/// Longest time between log lines…
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// … unless this fraction of the work is done earlier.
const LOG_FRACTION: f64 = 0.1;

/// Progress of a command.
#[derive(Debug)]
pub struct Bar {
    /// Drawn on a terminal, hidden elsewhere.
    bar: ProgressBar,
    state: Arc<Mutex<State>>,
    /// Stops the heartbeat when it is dropped.
    _heartbeat: Option<Sender<()>>,
}

/// Rate limiter for log lines where standard error is not a terminal.
#[derive(Debug)]
pub struct Log {
    is_on: bool,
    start: Instant,
    /// Time of the last line, and the fraction done then.
    last: Option<(Instant, f64)>,
    /// What the command is doing, for the heartbeat.
    current: String,
}

impl Log {
    /// Logs nothing if `quiet` or on a terminal, where a bar is drawn.
    pub fn new(quiet: bool) -> Self {
        Self {
            is_on: !quiet && !std::io::stderr().is_terminal(),
            start: Instant::now(),
            last: None,
            current: String::new(),
        }
    }

    /// Logs the start of a phase.
    pub fn phase(&mut self, name: &str) {
        name.clone_into(&mut self.current);
        if self.is_on && self.start.elapsed() >= SILENCE {
            self.write(name, 0.0);
        }
    }

    /// Logs the fraction of the work that is done, 0 to 1, if a line is due.
    pub fn progress(&mut self, done: f64, line: impl FnOnce() -> String) {
        if !self.is_on {
            return;
        }
        self.current = line();
        if self.start.elapsed() < SILENCE {
            return;
        }
        let is_due = self.last.is_none_or(|(time, before)| {
            let passed = time.elapsed();
            passed >= LOG_INTERVAL || passed >= SILENCE && done >= before + LOG_FRACTION
        });
        if is_due {
            let line = std::mem::take(&mut self.current);
            self.write(&line, done);
            self.current = line;
        }
    }

    /// Logs what the command is still doing if it has logged nothing for [`LOG_INTERVAL`].
    fn heartbeat(&mut self) {
        let (time, done) = self.last.unwrap_or((self.start, 0.0));
        if self.is_on && !self.current.is_empty() && time.elapsed() >= LOG_INTERVAL {
            let elapsed = style::duration(self.start.elapsed().as_secs_f64());
            self.write(&format!("{} ({elapsed} so far)", self.current), done);
        }
    }

    /// Restarts the fraction at zero.
    fn restart(&mut self) {
        self.last = self.last.map(|(time, _)| (time, 0.0));
    }

    fn write(&mut self, text: &str, done: f64) {
        notify(text);
        self.last = Some((Instant::now(), done));
    }
}

/// The bar on the terminal, if there is one.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn drawn() -> MutexGuard<'static, Option<ProgressBar>> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hides the bar while `write` prints to the terminal.
pub fn suspend<T>(write: impl FnOnce() -> T) -> T {
    let bar = drawn().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

#[derive(Debug)]
struct State {
    /// Start of training: time, fraction done and pairs, which are not zero on resume.
    training: Option<(Instant, f64, u64)>,
    /// Current step of a reader.
    reading: Option<ReadStep>,
    log: Log,
}

impl Bar {
    /// Shows nothing if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let is_drawn = !quiet && std::io::stderr().is_terminal();
        let target =
            if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{spinner} {wide_msg}").expect("the template is sound"));
        if is_drawn {
            bar.enable_steady_tick(Duration::from_millis(100));
            *drawn() = Some(bar.clone());
        }
        let state = Arc::new(Mutex::new(State { training: None, reading: None, log: Log::new(quiet) }));
        let _heartbeat = if state_of(&state).log.is_on { heartbeat(&state) } else { None };
        Self { bar, state, _heartbeat }
    }

    /// Shows the current phase before or after training.
    pub fn phase(&self, name: &str) {
        self.bar.set_message(format!("{name} …"));
        self.state().log.phase(name);
    }

    /// Shows the progress of reading the file `name`.
    pub fn read(&self, name: &str, progress: &ReadProgress) {
        let mut state = self.state();
        if state.reading.replace(progress.step) != Some(progress.step) {
            state.log.restart();
        }
        let verb = match progress.step {
            ReadStep::Reading => "reading",
            ReadStep::Parsing => "parsing",
            _ => "building the graph of",
        };
        let done = match progress.done {
            Some(done) => Some(format!("{:.0} %", 100.0 * done)),
            None => (progress.bytes > 0).then(|| style::bytes(progress.bytes)),
        };
        // A narrow terminal truncates the name, not the percentage.
        self.bar.set_message(match &done {
            Some(done) => format!("{verb} {done}  {name}"),
            None => format!("{verb} {name} …"),
        });
        state.log.progress(progress.done.unwrap_or(0.0), || match done {
            Some(done) => format!("{verb} {name}: {done}"),
            None => format!("{verb} {name}"),
        });
    }

    /// Shows the progress of training.
    pub fn update(&self, progress: &Progress) {
        let mut state = self.state();
        let now = Instant::now();
        let &mut (began, from, pairs) = state.training.get_or_insert((now, progress.done, progress.pairs));
        let elapsed = now.duration_since(began).as_secs_f64();
        let trained = progress.done - from;
        let line = Line {
            progress,
            rate: (elapsed > 0.5).then(|| (progress.pairs - pairs.min(progress.pairs)) as f64 / elapsed),
            // Neither EM nor the initialization is part of the fraction that is done.
            left: (elapsed > 0.5 && trained > 0.0 && !is_unmeasured(progress.step))
                .then(|| elapsed * (1.0 - progress.done) / trained),
        };
        self.bar.set_message(line.drawn());
        state.log.progress(progress.done, || line.parts().join(", "));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        *drawn() = None;
        self.bar.finish_and_clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        state_of(&self.state)
    }
}

fn state_of(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread that logs during long phases which report no progress of their own; it ends when the sender is dropped.
/// `None` if the system has no thread to spare.
fn heartbeat(state: &Arc<Mutex<State>>) -> Option<Sender<()>> {
    let (sender, receiver) = channel();
    let state = Arc::clone(state);
    let tick = move || {
        while receiver.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
            state_of(&state).log.heartbeat();
        }
    };
    std::thread::Builder::new()
        .name("heartbeat".to_owned())
        .stack_size(64 << 10)
        .spawn(tick)
        .ok()
        .map(|_| sender)
}

/// Removes the bar on an early return.
impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Formats the progress of training.
struct Line<'a> {
    progress: &'a Progress,
    rate: Option<f64>,
    left: Option<f64>,
}

/// Whether a step takes time that the fraction done does not count.
fn is_unmeasured(step: Step) -> bool {
    matches!(step, Step::Fit | Step::Initialization | Step::Layout)
}

impl Line<'_> {
    /// Most important first: a narrow terminal truncates the end.
    fn parts(&self) -> Vec<String> {
        let Progress { step, epoch, epochs, done, .. } = *self.progress;
        let percent = if is_unmeasured(step) { (100.0 * done).min(99.0) } else { 100.0 * done };
        let percent = if percent < 10.0 { format!("{percent:.1}") } else { format!("{percent:.0}") };
        let mut parts = vec![format!("training {percent} %")];
        parts.extend(self.left.map(|left| format!("{} left", style::duration(left))));
        parts.push(format!("epoch {epoch}/{epochs}"));
        match (step, self.rate) {
            (Step::SecondOrder, Some(rate)) => parts.push(format!("{} pairs/s", style::short(rate))),
            (Step::FirstOrder | Step::SecondOrder, _) => {}
            (Step::Fit, _) => parts.push("fitting communities".to_owned()),
            (Step::Initialization, _) => parts.push("initializing".to_owned()),
            (Step::Layout, _) => parts.push("laying out".to_owned()),
        }
        parts
    }

    fn drawn(&self) -> String {
        let full = (self.progress.done.clamp(0.0, 1.0) * BAR as f64) as usize;
        let bar = "━".repeat(full) + &"─".repeat(BAR - full);
        format!("{}  {bar}", self.parts().join("  "))
    }
}

#[cfg(test)]
mod tests {
    use hycome::io::ReadCallback;

    use super::*;

    #[test]
    fn the_remaining_time_fits_forty_columns() {
        let progress = Progress { step: Step::SecondOrder, epoch: 1, epochs: 10, done: 0.034, pairs: 1 };
        let line = Line { progress: &progress, rate: Some(12e6), left: Some(17_000.0) };
        let seen: String = line.drawn().chars().take(38).collect();
        assert!(seen.starts_with("training 3.4 %") && seen.contains("left"), "{seen}");
    }

    #[test]
    fn a_fit_at_the_end_is_not_yet_complete() {
        let progress = Progress { step: Step::Fit, epoch: 10, epochs: 10, done: 1.0, pairs: 1 };
        let line = Line { progress: &progress, rate: None, left: None };
        assert_eq!(line.parts()[0], "training 99 %");
    }

    #[test]
    fn long_reads_are_logged() {
        let Some(long_ago) = Instant::now().checked_sub(2 * SILENCE) else { return };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "1 2\n2 3\n").unwrap();
        let bar = Bar::new(true);
        let read = |start| {
            bar.state().log = Log { is_on: true, start, last: None, current: String::new() };
            let callback = |progress: &ReadProgress| bar.read("graph.csv", progress);
            hycome::io::read_bytes(file.path(), ReadCallback::new(&callback)).unwrap();
            let state = bar.state();
            (state.log.last.is_some(), state.log.current.clone())
        };
        assert_eq!(read(long_ago), (true, "reading graph.csv: 100 %".to_owned()));
        assert!(!read(Instant::now()).0, "a short command logs nothing");
    }

    #[test]
    fn silent_phases_are_logged_by_the_heartbeat() {
        let Some(long_ago) = Instant::now().checked_sub(2 * LOG_INTERVAL) else { return };
        let mut log =
            Log { is_on: true, start: long_ago, last: None, current: "fitting communities".to_owned() };
        log.heartbeat();
        let (time, _) = log.last.expect("a line was due");
        log.heartbeat();
        assert_eq!(log.last.map(|last| last.0), Some(time), "the next line is not due yet");
    }
}
