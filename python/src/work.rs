//! The one gate through which everything that computes goes.
//!
//! Behind it the interpreter lock is released, so other Python threads go on, and rayon has a pool that lives as long as the call:
//! a pool that outlived it would be dead in a process that was forked later, and the next call there would wait for ever.
//!
//! Signals reach the main thread of Python alone, and only while it looks. So a long training runs in a thread of its own, and
//! the calling thread stays to hear of the progress, to pass it on, and to look for Ctrl-C.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use hycome::train::Progress;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

use crate::error::exception;

/// How long Ctrl-C may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// What a training hears: go on or stop.
pub type Watch<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a;

/// Does the work without the interpreter lock, on so many threads; all cores if none is said.
pub fn detached<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    work: impl FnOnce() -> hycome::Result<T> + Send,
) -> PyResult<T> {
    py.detach(|| pool(threads)?.install(work).map_err(exception))
}

/// The same for long work that tells its progress: `listener` is called with it, and Ctrl-C stops the work.
///
/// What was learnt until then is returned, and whether it was stopped. An exception of the listener stops the work too, and is
/// raised.
pub fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    listener: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut Watch<'_>) -> hycome::Result<T> + Send,
) -> PyResult<(T, bool)> {
    let (result, raised) = py.detach(|| {
        let stop = AtomicBool::new(false);
        let (teller, told) = sync_channel::<Progress>(1);
        std::thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || -> PyResult<T> {
                let mut watch = |progress: &Progress| {
                    let _ = teller.try_send(*progress); // who is not listening yet will hear the next
                    if stop.load(Ordering::Relaxed) {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                pool(threads)?.install(|| work(&mut watch)).map_err(exception)
            });
            let mut raised = None;
            loop {
                let progress = match told.recv_timeout(TICK) {
                    Ok(progress) => Some(progress),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| pass_on(py, listener, progress))
                {
                    raised = Some(error);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (result, raised)
        })
    });
    match raised {
        None => Ok((result?, false)),
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Ok((result?, true)),
        Some(error) => Err(error),
    }
}

/// Looks for signals and tells the listener.
fn pass_on(py: Python<'_>, listener: Option<&Py<PyAny>>, progress: Option<Progress>) -> PyResult<()> {
    py.check_signals()?;
    if let (Some(listener), Some(Progress { epoch, epochs, done, pairs, .. })) = (listener, progress) {
        listener.call1(py, (epoch, epochs, done, pairs))?;
    }
    Ok(())
}

fn pool(threads: Option<usize>) -> PyResult<rayon::ThreadPool> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    builder.build().map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}
