//! Runs the fuzz target in the environment variable `HYCOME_FUZZ_TARGET` with libFuzzer.

#![no_main]

use std::sync::LazyLock;

use hycome_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    // Run everything on this thread: waking another one takes longer than most inputs.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("the global pool is built only here");
    let wanted = std::env::var("HYCOME_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.expect("HYCOME_FUZZ_TARGET names a target").1
});

fuzz_target!(|data: &[u8]| TARGET(data));
