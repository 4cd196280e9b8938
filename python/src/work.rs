//! Runs library code on a thread pool while Python stays responsive to signals and other threads.
//!
//! Library code runs on a worker thread without the GIL, so other Python threads continue. The calling thread polls for
//! signals, because Python runs signal handlers only on the main thread and only when it checks for them. Ctrl-C sets
//! an [`Interrupt`] that the threads of the pool poll.
//!
//! | function | on Ctrl-C |
//! |---|---|
//! | [`run_detached`] | waits briefly for the work, then raises; work that does not poll is abandoned, its result dropped |
//! | [`run_scoped`] | raises when the work returns; for work that polls and borrows arrays, or must not be abandoned |
//! | [`run_interruptible`] | the same for training, which returns its state so far |
//!
//! Each call builds its own rayon pool. The threads of a pool that outlives the call do not exist in a forked child,
//! where the next call would block forever.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use hycome::interrupt::Interrupt;
use hycome::train::Progress;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::error::to_pyerr;

/// Interval between two polls for signals.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How long work may take to return after Ctrl-C before it is abandoned. Together with [`POLL_INTERVAL`] it is well
/// below a second.
const GRACE_PERIOD: Duration = Duration::from_millis(400);

/// Progress callback of the trainer; `ControlFlow::Break` stops training.
pub type ProgressCallback<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Runs work that owns its input, with one thread per core. Ctrl-C is raised within a second even if the work never
/// polls.
pub fn run_detached<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> hycome::Result<T> + Send + 'static,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    let (sender, result) = sync_channel(1);
    let worker = std::thread::spawn(move || {
        // Abandoned work has no receiver. Its result holds no Python objects, so it can be dropped on this thread.
        let _ = sender.send(pool(None, flag).map(|pool| pool.install(work)));
    });
    py.detach(move || {
        loop {
            match result.recv_timeout(POLL_INTERVAL) {
                Ok(done) => return done.map_err(pool_error)?.map_err(to_pyerr),
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => unreachable!("a worker that did not panic has sent its result"),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(raised) = Python::attach(|py| py.check_signals()) {
                interrupt.set();
                let _ = result.recv_timeout(GRACE_PERIOD);
                return Err(raised);
            }
        }
    })
}

/// Runs work that borrows its input, with one thread per core. Ctrl-C is raised when the work returns, so it must poll
/// or be short.
pub fn run_scoped<T: Send>(py: Python<'_>, work: impl FnOnce() -> hycome::Result<T> + Send) -> PyResult<T> {
    let (result, raised) = py.detach(|| run_supervised(None, None, |_, _| work()));
    raised.map_or(result, Err)
}

/// Runs training with this number of threads, by default one per core, and passes its progress to `callback`.
///
/// Returns the result of the work, and whether Ctrl-C stopped it. An exception raised by the callback also stops the
/// work and is propagated.
pub fn run_interruptible<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut ProgressCallback<'_>) -> hycome::Result<T> + Send,
) -> PyResult<(T, bool)> {
    let (result, raised) = py.detach(|| {
        run_supervised(threads, callback, |sender, interrupt| {
            let mut notify = |progress: &Progress| {
                let _ = sender.try_send(*progress); // progress is dropped while the previous report is unread
                if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            work(&mut notify)
        })
    });
    match raised {
        None => Ok((result?, false)),
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Ok((result?, true)),
        Some(error) => Err(error),
    }
}

/// Runs `work` on a pool and polls for signals until it returns. Returns its result, and the exception that stopped it.
fn run_supervised<T: Send>(
    threads: Option<usize>,
    callback: Option<&Py<PyAny>>,
    work: impl FnOnce(SyncSender<Progress>, &Interrupt) -> hycome::Result<T> + Send,
) -> (PyResult<T>, Option<PyErr>) {
    let interrupt = Interrupt::default();
    let (sender, receiver) = sync_channel::<Progress>(1);
    std::thread::scope(|scope| {
        let flag = &interrupt;
        let worker = scope.spawn(move || -> PyResult<T> {
            let pool = pool(threads, flag.clone()).map_err(pool_error)?;
            pool.install(|| work(sender, flag)).map_err(to_pyerr)
        });
        let raised = supervise(&receiver, callback, &interrupt);
        let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (result, raised)
    })
}

/// Forwards progress and polls for signals until the work drops the sender. The first exception interrupts the work.
fn supervise(
    receiver: &Receiver<Progress>,
    callback: Option<&Py<PyAny>>,
    interrupt: &Interrupt,
) -> Option<PyErr> {
    let mut raised = None;
    loop {
        let progress = match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(progress) => Some(progress),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return raised,
        };
        if raised.is_none()
            && let Err(error) = Python::attach(|py| poll(py, callback, progress))
        {
            raised = Some(error);
            interrupt.set();
        }
    }
}

/// Handles pending signals and calls the callback.
fn poll(py: Python<'_>, callback: Option<&Py<PyAny>>, progress: Option<Progress>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(callback), Some(Progress { epoch, epochs, done, pairs, .. })) = (callback, progress) {
        callback.call1(py, (epoch, epochs, done, pairs))?;
    }
    Ok(())
}

fn pool(threads: Option<usize>, interrupt: Interrupt) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .start_handler(move |_| interrupt.watch_on_this_thread())
        .build()
}

fn pool_error(error: ThreadPoolBuildError) -> PyErr {
    PyRuntimeError::new_err(format!("cannot start threads: {error}"))
}
