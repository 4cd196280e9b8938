//! Ctrl-C, or a request to end: the first one ends a training at its next rest, the second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody looks at [`REQUESTED`] now and then.
static WATCHED: AtomicBool = AtomicBool::new(false);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on a first Ctrl-C is only remembered.
pub fn watch() {
    if WATCHED.swap(true, Ordering::SeqCst) {
        return;
    }
    // Without a handler Ctrl-C ends the program, which is safe too: nothing is ever half-written.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(1);
        }
        crate::output::say("\nstopping; once more leaves at once");
    });
}

/// Whether Ctrl-C was pressed, or the system asked to end.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Fails if Ctrl-C was pressed.
pub fn check() -> anyhow::Result<()> {
    anyhow::ensure!(!requested(), "interrupted; nothing was written");
    Ok(())
}
