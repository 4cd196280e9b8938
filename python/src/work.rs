//! Runs the library's work so that Python stays responsive.
//!
//! All work runs in a thread of its own, without the interpreter lock: other Python threads continue, and the calling thread polls
//! for signals, which reach the main thread of Python alone, and only while it looks. Ctrl-C sets the [`Interrupt`] that all threads of the
//! pool watch; the library's loops poll it and return early, and then the exception is raised.
//!
//! The rayon pool lives as long as the call. One that outlived it would be dead in a process that was forked later, and the next call
//! there would wait for ever.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use hycome::interrupt::Interrupt;
use hycome::train::Progress;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::error::exception;

/// How long Ctrl-C may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// Progress callback of a training, which tells it to continue or to stop.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Does the work on this many threads, by default one for each core; Ctrl-C is raised as soon as the work returns.
pub fn detached<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    work: impl FnOnce() -> hycome::Result<T> + Send,
) -> PyResult<T> {
    let (result, raised) = py.detach(|| supervised(threads, None, |_, _| work()));
    raised.map_or(result, Err)
}

/// The same for a training, which reports its progress to `listener`.
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
            let pool = pool(threads, flag.clone())?;
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

fn pool(threads: Option<usize>, interrupt: Interrupt) -> PyResult<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .start_handler(move |_| interrupt.watch_on_this_thread())
        .build()
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}
