//! Signal handling: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//!
//! By default the first signal exits at once, which is safe because files are replaced atomically. There are two other
//! modes: [`watch`] for work that stops between items, and [`Deferred`] for training, which writes a checkpoint first.
//! The exit code is 128 plus the signal number: 130, 143 or 129. Signals that are ignored at startup, as under `nohup`,
//! stay ignored.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{LazyLock, Once};

use hycome::interrupt::Interrupt;

/// The first signal received, or zero.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Whether [`requested`] is polled, so that the first signal only sets the flag.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// Whether signals are deferred until a checkpoint is written.
static DEFERRED: AtomicBool = AtomicBool::new(false);

/// Polled by the library on threads of [`pool`].
static FLAG: LazyLock<Interrupt> = LazyLock::new(Interrupt::default);

/// Installs the signal handlers.
pub fn install() {
    static INSTALLED: Once = Once::new();
    // If this fails, signals end the program, which is safe too.
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

/// Parses the line `SigIgn` of a process status: a hexadecimal mask, signal 1 in the lowest bit.
#[cfg(any(target_os = "linux", target_os = "android", test))]
fn ignored_in(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

/// Elsewhere this needs unsafe code; `nohup` is recognized because it redirects standard error.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn is_ignored(signal: i32) -> bool {
    use std::io::IsTerminal;
    signal == signal_hook::consts::SIGHUP && !std::io::stderr().is_terminal()
}

fn receive(signal: i32) {
    let is_first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    FLAG.set();
    if DEFERRED.load(Ordering::SeqCst) {
        crate::term::output::notify(if is_first {
            "\nstopping after the current step; a checkpoint is written"
        } else {
            "\nstill stopping; please wait for the checkpoint"
        });
    } else if is_first && WATCHED.load(Ordering::SeqCst) {
        crate::term::output::notify("\nstopping; press again to exit at once");
    } else {
        std::process::exit(i32::from(exit_code().unwrap_or(1)));
    }
}

/// From now on the first signal only sets the flag, and the second exits.
pub fn watch() {
    WATCHED.store(true, Ordering::SeqCst);
}

/// While this value lives, signals only set the flag.
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

/// Whether a signal was received.
pub fn requested() -> bool {
    SIGNAL.load(Ordering::SeqCst) != 0
}

/// Fails if a signal was received.
pub fn check() -> anyhow::Result<()> {
    anyhow::ensure!(!requested(), "interrupted; nothing was written");
    Ok(())
}

/// Exit code after a signal: 128 plus its number.
pub fn exit_code() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::SeqCst);
    (signal != 0).then(|| 128 + signal as u8)
}

/// A thread pool on which the library stops at a signal.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.start_handler(|_| FLAG.watch_on_this_thread()).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_parsed() {
        let status = "Name:\thycome\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000003\n";
        assert!(ignored_in(status, 1) && ignored_in(status, 2));
        assert!(!ignored_in(status, 15) && !ignored_in("", 1));
    }
}
