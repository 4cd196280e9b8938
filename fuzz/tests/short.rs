//! Short fuzzing run: every target on its seeds, on the stored corpus, and on deterministic mutations of both.
//!
//! A failure names the seed of the mutation. `fuzz/run` is the long run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hycome_fuzz::mutate::mutated;
use hycome_fuzz::seeds::seeds;
use hycome_fuzz::{TARGETS, Target};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Mutations per target.
const MUTATIONS: u64 = 4000;

fn holds(target: Target, input: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| target(input))).is_ok()
}

#[test]
fn no_target_fails_on_seeds_and_corpus() {
    for (name, target) in TARGETS {
        let seeds = seeds(name);
        assert!(seeds.len() > 1, "{name} has seeds");
        for (file, input) in seeds {
            assert!(holds(target, &input), "target {name} fails on its input {file}");
        }
    }
}

#[test]
fn no_target_fails_on_mutated_inputs() {
    for (name, target) in TARGETS {
        let inputs: Vec<Vec<u8>> = seeds(name).into_iter().map(|(_, input)| input).collect();
        for seed in 0..MUTATIONS {
            let input = mutated(&inputs, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            assert!(
                holds(target, &input),
                "target {name} fails on the input of seed {seed}: b\"{}\"",
                input.escape_ascii()
            );
        }
    }
}
