//! Runs the library's work so that Python stays responsive.
//!
//! All work runs in a thread of its own, without the interpreter lock: other Python threads continue, and the calling thread polls
//! for signals, which reach the main thread of Python alone, and only while it looks. Ctrl-C sets the [`Interrupt`] that all threads of the
//! pool poll.
//!
//! | function | on Ctrl-C |
//! |---|---|
//! | [`detached`] | waits a moment for the work to notice the flag, then raises; work that never polls is abandoned, and its result dropped |
//! | [`scoped`] | raises as soon as the work returns; for work that polls and borrows large arrays, or must not be abandoned half way |
//! | [`watched`] | the same for a training, which returns what it has learnt so far |
//!
//! The rayon pool lives as long as the work. One that outlived it would be dead in a process that was forked later, and the next call
//! there would wait for ever.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use hycome::interrupt::Interrupt;
use hycome::train::Progress;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::error::exception;

/// Interval between two polls for signals.
const TICK: Duration = Duration::from_millis(50);

/// How long work may take to return after Ctrl-C before it is abandoned; with [`TICK`] well below a second.
const GRACE: Duration = Duration::from_millis(400);

/// Progress callback of a training, which tells it to continue or to stop.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Runs work that owns its input on one thread per core; Ctrl-C is raised within a second whatever the work does.
pub fn detached<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> hycome::Result<T> + Send + 'static,
) -> PyResult<T> {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    let (sender, result) = sync_channel(1);
    let worker = std::thread::spawn(move || {
        // Nobody receives the result of abandoned work. It holds nothing of Python, so it can be dropped in this thread.
        let _ = sender.send(pool(None, flag).map(|pool| pool.install(work)));
    });
    py.detach(move || {
        loop {
            match result.recv_timeout(TICK) {
                Ok(done) => return done.map_err(no_threads)?.map_err(exception),
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => std::panic::resume_unwind(panic),
                    Ok(()) => unreachable!("a worker that did not panic has sent its result"),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(raised) = Python::attach(|py| py.check_signals()) {
                interrupt.set();
                let _ = result.recv_timeout(GRACE);
                return Err(raised);
            }
        }
    })
}

/// Runs work that borrows its input on one thread per core; Ctrl-C is raised as soon as the work returns, so it must poll or be short.
pub fn scoped<T: Send>(py: Python<'_>, work: impl FnOnce() -> hycome::Result<T> + Send) -> PyResult<T> {
    let (result, raised) = py.detach(|| supervised(None, None, |_, _| work()));
    raised.map_or(result, Err)
}

/// Runs a training on this many threads, by default one per core, and reports its progress to `listener`.
///
/// Returns what the work returned, and whether Ctrl-C stopped it. An exception of the listener stops the work too, and is raised.
pub fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Watch<'_>) -> hycome::Result<T> + Send,
) -> PyResult<(T, bool)> {
    let (result, raised) = py.detach(|| {
        supervised(threads, listener, |teller, interrupt| {
            let mut watch = |progress: &Progress| {
                let _ = teller.try_send(*progress); // while the channel is full, only the next report is passed on
                if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            work(&mut watch)
        })
    });
    match raised {
        None => Ok((result?, false)),
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Ok((result?, true)),
        Some(error) => Err(error),
    }
}

/// Runs `work` in the threads of a pool, and polls for signals until it returns. Returns its result, and the exception that stopped it.
fn supervised<T: Send>(
    threads: Option<usize>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(SyncSender<Progress>, &Interrupt) -> hycome::Result<T> + Send,
) -> (PyResult<T>, Option<PyErr>) {
    let interrupt = Interrupt::default();
    let (teller, told) = sync_channel::<Progress>(1);
    std::thread::scope(|scope| {
        let flag = &interrupt;
        let worker = scope.spawn(move || -> PyResult<T> {
            let pool = pool(threads, flag.clone()).map_err(no_threads)?;
            pool.install(|| work(teller, flag)).map_err(exception)
        });
        let raised = supervise(&told, listener, &interrupt);
        let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (result, raised)
    })
}

/// Passes progress on and polls for signals until the work drops its end of the channel. The first exception interrupts the work.
fn supervise(
    told: &Receiver<Progress>,
    listener: Option<&Py<PyAny>>,
    interrupt: &Interrupt,
) -> Option<PyErr> {
    let mut raised = None;
    loop {
        let progress = match told.recv_timeout(TICK) {
            Ok(progress) => Some(progress),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return raised,
        };
        if raised.is_none()
            && let Err(error) = Python::attach(|py| pass_on(py, listener, progress))
        {
            raised = Some(error);
            interrupt.set();
        }
    }
}

/// Handles signals that have arrived, and calls the listener.
fn pass_on(py: Python<'_>, listener: Option<&Py<PyAny>>, progress: Option<Progress>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(listener), Some(Progress { epoch, epochs, done, pairs, .. })) = (listener, progress) {
        listener.call1(py, (epoch, epochs, done, pairs))?;
    }
    Ok(())
}

fn pool(threads: Option<usize>, interrupt: Interrupt) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .start_handler(move |_| interrupt.watch_on_this_thread())
        .build()
}

fn no_threads(error: ThreadPoolBuildError) -> PyErr {
    PyRuntimeError::new_err(format!("cannot start threads: {error}"))
}
