//! Cooperative cancellation: a flag that long computations poll.
//!
//! The library runs in the caller's rayon pool, so the flag belongs to the pool's threads: the start handler of the pool installs it on
//! each of them, and loops that can take more than a fraction of a second call [`check`] between two parallel steps.
//!
//! ```
//! use hycome::interrupt::{self, Interrupt};
//!
//! let interrupt = Interrupt::default();
//! let flag = interrupt.clone();
//! let pool = rayon::ThreadPoolBuilder::new().start_handler(move |_| flag.watch_on_this_thread()).build()?;
//! assert!(pool.install(interrupt::check).is_ok());
//! interrupt.set(); // for example from the thread of a signal handler
//! assert!(matches!(pool.install(interrupt::check), Err(hycome::Error::Interrupted)));
//! # Ok::<(), rayon::ThreadPoolBuildError>(())
//! ```

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

thread_local! {
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A cancellation flag; clones share it.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicU64>);

/// The flag is set when this many polls are left.
const SET: u64 = 0;

/// The flag is set by [`Interrupt::set`] only.
const NEVER: u64 = u64::MAX;

impl Default for Interrupt {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(NEVER)))
    }
}

impl Interrupt {
    /// A flag that is set by its poll number `polls`, counted from 1.
    ///
    /// Tests use it to stop a computation at every point at which it can be stopped.
    #[must_use]
    pub fn at_poll(polls: u64) -> Self {
        Self(Arc::new(AtomicU64::new(polls)))
    }

    /// Requests every computation that polls this flag to stop.
    pub fn set(&self) {
        self.0.store(SET, Ordering::SeqCst);
    }

    /// Whether [`Interrupt::set`] was called.
    #[must_use]
    pub fn is_set(&self) -> bool {
        match self.0.load(Ordering::SeqCst) {
            SET => true,
            NEVER => false,
            left => self
                .0
                .compare_exchange(left, left - 1, Ordering::SeqCst, Ordering::SeqCst)
                .map_or_else(|now| now == SET, |_| left == 1),
        }
    }

    /// Makes this the flag that [`check`] polls on the current thread, for as long as the thread lives.
    pub fn watch_on_this_thread(&self) {
        CURRENT.with_borrow_mut(|current| *current = Some(self.clone()));
    }
}

/// Whether the current thread has a flag and it is set.
#[must_use]
pub(crate) fn is_requested() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(Interrupt::is_set))
}

/// Fails with [`Error::Interrupted`] if the current thread's flag is set; a thread without a flag is never interrupted.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn check() -> Result<()> {
    if is_requested() { Err(Error::Interrupted) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_can_be_set_by_the_number_of_its_polls() {
        let interrupt = Interrupt::at_poll(3);
        let polls: Vec<bool> = (0..5).map(|_| interrupt.is_set()).collect();
        assert_eq!(polls, [false, false, true, true, true]);
    }

    #[test]
    fn a_flag_interrupts_the_threads_it_was_given_to_and_no_other() {
        let (ours, theirs) = (Interrupt::default(), Interrupt::default());
        let pool = |interrupt: &Interrupt| {
            let flag = interrupt.clone();
            let builder = rayon::ThreadPoolBuilder::new().num_threads(2);
            builder.start_handler(move |_| flag.watch_on_this_thread()).build().unwrap()
        };
        let (our_pool, their_pool) = (pool(&ours), pool(&theirs));
        ours.set();
        assert!(
            our_pool.broadcast(|_| check()).iter().all(|checked| matches!(checked, Err(Error::Interrupted)))
        );
        assert!(their_pool.broadcast(|_| check()).iter().all(Result::is_ok));
        assert!(check().is_ok());
    }
}
