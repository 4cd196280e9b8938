//! A bar with rate and time left, where somebody watches.

use std::io::IsTerminal;
use std::time::Instant;

use hycome::train::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style;

/// The bar advances in so many steps.
const STEPS: u64 = 1000;

/// How a training goes on, drawn on standard error.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    /// A bar; it is not drawn if `quiet`, or where standard error is not a terminal.
    pub fn new(quiet: bool) -> Self {
        let is_drawn = !quiet && std::io::stderr().is_terminal();
        let target =
            if is_drawn { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        let template = "training {bar:20} {percent:>3} %  {wide_msg}";
        bar.set_style(
            ProgressStyle::with_template(template).expect("the template is sound").progress_chars("━╸─"),
        );
        Self { bar, start: Instant::now() }
    }

    /// Shows how far it is.
    pub fn update(&self, progress: &Progress) {
        let elapsed = self.start.elapsed().as_secs_f64();
        let rate = progress.pairs as f64 / elapsed.max(1e-3);
        let left = elapsed * (1.0 - progress.done) / progress.done.max(1e-6);
        self.bar.set_position((progress.done * STEPS as f64) as u64);
        self.bar.set_message(format!(
            "epoch {}/{}  {} pairs/s  {} left",
            progress.epoch,
            progress.epochs,
            style::short(rate),
            style::duration(left),
        ));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
