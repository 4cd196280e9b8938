//! A limit on how often a progress callback is called.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between two calls: short enough for a bar to move smoothly and for a stop to be noticed at once.
const INTERVAL: Duration = Duration::from_millis(100);

/// Says when it is time for the next call; shared by threads.
#[derive(Debug)]
pub struct Ticker(Mutex<Instant>);

impl Default for Ticker {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl Ticker {
    /// Whether the last call is long enough ago; if so, the next interval begins. A thread never waits for another here.
    pub fn is_due(&self) -> bool {
        let Ok(mut last) = self.0.try_lock() else { return false };
        let is_due = last.elapsed() >= INTERVAL;
        if is_due {
            *last = Instant::now();
        }
        is_due
    }
}
