//! Time on the wall and on the processor.
//!
//! On a machine that does other work too, the seconds of the processor say more than those of the wall.

#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// How long something took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// On the wall.
    pub wall: f64,
    /// On the processor, all threads of this process added up; zero where the system does not tell it.
    pub cpu: f64,
}

impl Time {
    /// Longer than anything.
    pub const LONGEST: Self = Self { wall: f64::INFINITY, cpu: f64::INFINITY };

    /// The shorter of two on both clocks.
    pub fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }

    /// The share of one of `count`.
    pub fn over(self, count: usize) -> Self {
        Self { wall: self.wall / count as f64, cpu: self.cpu / count as f64 }
    }
}

/// Runs `work` and says how long it took.
pub fn time<T>(work: impl FnOnce() -> T) -> (Time, T) {
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    (Time { wall: wall.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu }, result)
}

/// Seconds of this process so far, user and system.
#[cfg(unix)]
fn cpu_seconds() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    now.map_or(0.0, |now| Duration::from(now).as_secs_f64())
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    0.0
}

/// Seconds that the system has worked for this process so far, for the most part finding memory for it.
#[cfg(unix)]
pub fn system_seconds() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF);
    usage.map_or(0.0, |usage| {
        let time = usage.system_time();
        time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64
    })
}

/// Not known.
#[cfg(not(unix))]
pub fn system_seconds() -> f64 {
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_shortest() {
        let a = Time { wall: 1.0, cpu: 3.0 };
        let b = Time { wall: 2.0, cpu: 1.0 };
        assert_eq!(a.min(b), Time { wall: 1.0, cpu: 1.0 });
    }
}
