//! One target under libFuzzer: the one that the environment variable `HYCOME_FUZZ_TARGET` names.

#![no_main]

use std::sync::LazyLock;

use hycome_fuzz::{TARGETS, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    // All work is done by this thread: handing it to another takes longer than most inputs.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build_global().expect("nothing else has made a pool");
    let wanted = std::env::var("HYCOME_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(name, _)| *name == wanted);
    found.expect("HYCOME_FUZZ_TARGET names a target").1
});

fuzz_target!(|data: &[u8]| TARGET(data));
