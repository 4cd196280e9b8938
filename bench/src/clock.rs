//! Wall time and CPU time.
//!
//! On a machine with other load, CPU time is more reliable than wall time.

#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Elapsed time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Wall time.
    pub wall: f64,
    /// CPU time of all threads of this process; zero if the system does not report it.
    pub cpu: f64,
}

impl Time {
    /// Longer than any measurement: the identity of [`min`](Self::min).
    pub const MAX: Self = Self { wall: f64::INFINITY, cpu: f64::INFINITY };

    /// Component-wise minimum.
    pub fn min(self, other: Self) -> Self {
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu) }
    }

    /// Time per item of `count` items.
    pub fn over(self, count: usize) -> Self {
        Self { wall: self.wall / count as f64, cpu: self.cpu / count as f64 }
    }
}

/// Runs and times `work`.
pub fn time<T>(work: impl FnOnce() -> T) -> (Time, T) {
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    (Time { wall: wall.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu }, result)
}

/// CPU seconds of this process so far, user and system.
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

/// System CPU seconds of this process so far, mostly spent in page faults.
#[cfg(unix)]
pub fn system_seconds() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF);
    usage.map_or(0.0, |usage| {
        let time = usage.system_time();
        time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64
    })
}

/// Not available.
#[cfg(not(unix))]
pub fn system_seconds() -> f64 {
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimum_is_component_wise() {
        let a = Time { wall: 1.0, cpu: 3.0 };
        let b = Time { wall: 2.0, cpu: 1.0 };
        assert_eq!(a.min(b), Time { wall: 1.0, cpu: 1.0 });
    }
}
