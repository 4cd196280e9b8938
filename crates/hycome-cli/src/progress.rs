//! Progress on standard error: a line that is redrawn on a terminal, log lines elsewhere.

use std::io::IsTerminal;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hycome::train::{Progress, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::say;
use crate::style;

/// Columns of the bar.
const BAR: usize = 20;

/// A command that takes less than this logs nothing.
const SILENCE: Duration = Duration::from_secs(2);

/// A log line comes at the latest after this time, if there is any progress…
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// … or after this share of the training.
const LOG_SHARE: f64 = 0.1;

/// The progress of a command, shown unless it is quiet.
#[derive(Debug)]
pub struct Bar {
    /// Drawn on a terminal, hidden elsewhere.
    bar: ProgressBar,
    state: Mutex<State>,
}

/// Decides when a line of progress is logged where standard error is not a terminal.
#[derive(Debug)]
pub struct Log {
    is_on: bool,
    start: Instant,
    /// When the last line was logged, and how much was done then.
    last: Option<(Instant, f64)>,
}

impl Log {
    /// Nothing is logged if `quiet`, nor on a terminal, where a bar is drawn.
    pub fn new(quiet: bool) -> Self {
        Self { is_on: !quiet && !std::io::stderr().is_terminal(), start: Instant::now(), last: None }
    }

    /// Logs what is being done now.
    pub fn phase(&mut self, name: &str) {
        if self.is_on && self.start.elapsed() >= SILENCE {
            self.write(name, 0.0);
        }
    }

    /// Logs that a share of the work, 0 to 1, is done, if it is time for a line.
    pub fn progress(&mut self, done: f64, line: impl FnOnce() -> String) {
        if !self.is_on || self.start.elapsed() < SILENCE {
            return;
        }
        let is_due = self.last.is_none_or(|(time, before)| {
            let passed = time.elapsed();
            passed >= LOG_INTERVAL || passed >= SILENCE && done >= before + LOG_SHARE
        });
        if is_due {
            self.write(&line(), done);
        }
    }

    fn write(&mut self, text: &str, done: f64) {
        say(text);
        self.last = Some((Instant::now(), done));
    }
}

/// The bar on the terminal, if there is one.
static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn drawn() -> MutexGuard<'static, Option<ProgressBar>> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the bar while something else is written to the terminal.
pub fn aside<T>(write: impl FnOnce() -> T) -> T {
    let bar = drawn().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

#[derive(Debug)]
struct State {
    /// When training began, and how much of it was done then: a resumed one does not begin at zero.
    training: Option<(Instant, f64, u64)>,
    log: Log,
}

impl Bar {
    /// Nothing is shown if `quiet`.
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
        Self { bar, state: Mutex::new(State { training: None, log: Log::new(quiet) }) }
    }

    /// Names what is being done before or after training.
    pub fn phase(&self, name: &str) {
        self.bar.set_message(format!("{name} …"));
        self.state().log.phase(name);
    }

    /// Shows how far the training is.
    pub fn update(&self, progress: &Progress) {
        let mut state = self.state();
        let now = Instant::now();
        let &mut (began, from, pairs) = state.training.get_or_insert((now, progress.done, progress.pairs));
        let elapsed = now.duration_since(began).as_secs_f64();
        let trained = progress.done - from;
        let line = Line {
            progress,
            rate: (elapsed > 0.5).then(|| (progress.pairs - pairs.min(progress.pairs)) as f64 / elapsed),
            left: (elapsed > 0.5 && trained > 0.0).then(|| elapsed * (1.0 - progress.done) / trained),
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error on the way leaves no bar behind.
impl Drop for Bar {
    fn drop(&mut self) {
        self.finish();
    }
}

/// How far a training is, in words.
struct Line<'a> {
    progress: &'a Progress,
    rate: Option<f64>,
    left: Option<f64>,
}

impl Line<'_> {
    /// What matters most comes first: a narrow terminal cuts the end off.
    fn parts(&self) -> Vec<String> {
        let Progress { step, epoch, epochs, done, .. } = *self.progress;
        let percent = 100.0 * done;
        let percent = if percent < 10.0 { format!("{percent:.1}") } else { format!("{percent:.0}") };
        let mut parts = vec![format!("training {percent} %")];
        parts.extend(self.left.map(|left| format!("{} left", style::duration(left))));
        parts.push(format!("epoch {epoch}/{epochs}"));
        match (step, self.rate) {
            (Step::SecondOrder, Some(rate)) => parts.push(format!("{} pairs/s", style::short(rate))),
            (Step::FirstOrder | Step::SecondOrder, _) => {}
            (Step::Fit, _) => parts.push("fitting communities".to_owned()),
            (Step::Initialization, _) => parts.push("placing nodes".to_owned()),
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
    use super::*;

    #[test]
    fn the_time_left_is_seen_on_forty_columns() {
        let progress = Progress { step: Step::SecondOrder, epoch: 1, epochs: 10, done: 0.034, pairs: 1 };
        let line = Line { progress: &progress, rate: Some(12e6), left: Some(17_000.0) };
        let seen: String = line.drawn().chars().take(38).collect();
        assert!(seen.starts_with("training 3.4 %") && seen.contains("left"), "{seen}");
    }
}
