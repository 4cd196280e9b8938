//! Signals that ask the command to end: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//!
//! Most of the time nothing is at stake, as files appear whole or not at all, and the first signal ends the program at once. Work that
//! can be saved is done in one of two other ways: [`watch`] lets it be stopped between two items, [`Deferred`] lets a
//! training write its checkpoint whatever comes. The exit code is 128 and the number of the signal, as shells have it: 130,
//! 143 or 129. Signals that are ignored when the command starts, as under `nohup`, stay ignored.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{LazyLock, Once};

use hycome::interrupt::Interrupt;

/// The first signal; zero before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether somebody polls [`requested`], so that the first signal only sets the flag.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether a checkpoint is yet to be written, so that no signal ends the program.
static DEFERRED: AtomicBool = AtomicBool::new(false);

/// Polled by the library on the threads of our pools.
static FLAG: LazyLock<Interrupt> = LazyLock::new(Interrupt::default);

/// Handles signals from now on.
pub fn install() {
    static INSTALLED: Once = Once::new();
    // Without a handler a signal ends the program, which is safe too: nothing is ever half-written.
    INSTALLED.call_once(handle_signals);
}

#[cfg(unix)]
fn handle_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
    let listen = move || signals.forever().for_each(receive);
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
}

#[cfg(not(unix))]
fn handle_signals() {
    const SIGINT: i32 = 2;
    let _ = ctrlc::set_handler(|| receive(SIGINT));
}

/// Whether a signal is ignored, as `nohup` and shells without job control set it for their children.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored_in(&status, signal)
}

/// The line `SigIgn` of a process's status is a mask in hexadecimal digits, the first signal being its lowest bit.
#[cfg(any(target_os = "linux", target_os = "android", test))]
fn ignored_in(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Elsewhere the system cannot be asked without unsafe code; `nohup` takes the terminal away, and that can be seen.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn is_ignored(signal: i32) -> bool {
    use std::io::IsTerminal;
    signal == signal_hook::consts::SIGHUP && !std::io::stderr().is_terminal()
}

fn receive(signal: i32) {
    let is_first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    FLAG.set();
    if DEFERRED.load(Ordering::SeqCst) {
        crate::output::say(if is_first {
            "\nstopping after the current step; a checkpoint is written"
        } else {
            "\nstill stopping; please wait for the checkpoint"
        });
    } else if is_first && WATCHED.load(Ordering::SeqCst) {
        crate::output::say("\nstopping; once more exits at once");
    } else {
        std::process::exit(i32::from(exit_code().unwrap_or(1)));
    }
}

/// From now on the first signal is only remembered, and the second one ends the program.
pub fn watch() {
    WATCHED.store(true, Ordering::SeqCst);
}

/// As long as this lives, no signal ends the program: what is computed stops at [`requested`] and is saved first.
#[derive(Debug)]
pub struct Deferred(());

impl Deferred {
    pub fn new() -> Self {
        DEFERRED.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        DEFERRED.store(false, Ordering::SeqCst);
    }
}

/// Whether a signal asked to end.
pub fn requested() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// Fails if a signal asked to end.
pub fn check() -> anyhow::Result<()> {
    anyhow::ensure!(!requested(), "interrupted; nothing was written");
    Ok(())
}

/// The exit code of a command that a signal ended: 128 and its number.
pub fn exit_code() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::SeqCst);
    (signal != 0).then(|| 128 + signal as u8)
}

/// A pool of threads on which the library stops at a signal.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.start_handler(|_| FLAG.watch_on_this_thread()).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status_of_the_process() {
        let status = "Name:\thycome\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000003\n";
        assert!(ignored_in(status, 1) && ignored_in(status, 2));
        assert!(!ignored_in(status, 15) && !ignored_in("", 1));
    }
}
