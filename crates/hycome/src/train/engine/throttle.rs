//! Rate limit for progress callbacks.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Minimum time between two calls: short enough for a smooth progress bar and a prompt stop.
const INTERVAL: Duration = Duration::from_millis(100);

/// Rate limiter shared by threads.
#[derive(Debug)]
pub(crate) struct Throttle(Mutex<Instant>);

impl Default for Throttle {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl Throttle {
    /// Whether the interval since the last call has passed; if so, a new interval begins. Never blocks.
    pub(crate) fn is_due(&self) -> bool {
        let Ok(mut last) = self.0.try_lock() else { return false };
        let is_due = last.elapsed() >= INTERVAL;
        if is_due {
            *last = Instant::now();
        }
        is_due
    }
}
