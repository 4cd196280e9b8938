//! The short run: every target on sound inputs, on what is kept, and on some thousand changes of both.
//!
//! It is the same each time. A find names the seed that made it; the long run is `fuzz/run`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hycome_fuzz::mutate::mutated;
use hycome_fuzz::seeds::seeds;
use hycome_fuzz::{TARGETS, Target};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Changed inputs for each target.
const CHANGES: u64 = 4000;

fn holds(target: Target, input: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(input))).is_ok()
}

#[test]
fn no_target_fails_on_sound_and_kept_inputs() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(seeds.len() > 1, "{name} has inputs to start from");
        for (file, input) in seeds {
            assert!(holds(target, &input), "target {name} fails on its input {file}");
        }
    }
}

#[test]
fn no_target_fails_on_changed_inputs() {
    for (name, target) in TARGETS {
        let inputs: Vec<Vec<u8>> = seeds(name).into_iter().map(|(_, input)| input).collect();
        for seed in 0..CHANGES {
            let input = mutated(&inputs, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            assert!(
                holds(target, &input),
                "target {name} fails on the input of seed {seed}: b\"{}\"",
                input.escape_ascii()
            );
        }
    }
}
