//! Bucket scheduler: runs the buckets of a chunk in parallel, in an order that does not depend on threads.
//!
//! In round r of a chunk, block p of the nodes is paired with block p + r (mod B) of the contexts. A bucket needs only its two blocks, so
//! it depends on two buckets, not on the whole previous round: the one that had its nodes, (r − 1, p), and the one that had its contexts,
//! (r − 1, p + 1). Every block thus passes its buckets in the same order on any number of threads, and no thread idles while a bucket is
//! ready. This is the diagonal stratum schedule of Gemulla et al. (2011) without a barrier between strata.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rayon::Scope;

/// Buckets of a chunk that each block of nodes has completed; empty if the chunk has not begun.
///
/// The buckets of a block have a fixed order, so the numbers identify the completed ones, and a chunk can be stopped between any two
/// buckets and resumed.
pub(crate) type Rounds = Vec<u32>;

/// Whether a chunk of `count` blocks can have been stopped in this state; false for corrupt checkpoints.
#[must_use]
pub(crate) fn is_reachable(rounds: &[u32], count: usize) -> bool {
    let follows = |p: usize| rounds[p] <= rounds[(p + 1) % count].saturating_add(1);
    rounds.is_empty()
        || rounds.len() == count && (0..count).all(|p| rounds[p] as usize <= count && follows(p))
}

/// Calls `train(p, q, nodes[p], contexts[q])` once for all blocks p and q except those of the rounds `done`, in parallel where they
/// share no block; returns the completed rounds.
///
/// Once `is_stopped` returns true no further bucket is begun, and the returned rounds are incomplete.
pub(crate) fn for_each_bucket<N: Send, C: Send>(
    nodes: impl IntoIterator<Item = N>,
    contexts: impl IntoIterator<Item = C>,
    done: &[u32],
    is_stopped: impl Fn() -> bool + Sync,
    train: impl Fn(usize, usize, &mut N, &mut C) + Sync,
) -> Rounds {
    let nodes: Vec<_> = nodes.into_iter().map(Mutex::new).collect();
    let contexts: Vec<_> = contexts.into_iter().map(Mutex::new).collect();
    let count = nodes.len();
    assert_eq!(count, contexts.len(), "both tables have the same partition");
    let done = |block: usize| done.get(block % count).map_or(0, |&rounds| rounds as usize);
    let dependencies = |round: usize, block: usize| {
        u8::from(done(block) < round) + if count > 1 { u8::from(done(block + 1) < round) } else { 0 }
    };
    let buckets = (0..count).flat_map(|round| (0..count).map(move |block| (round, block)));
    let scheduler = Scheduler {
        nodes,
        contexts,
        dependencies: buckets.map(|(round, block)| AtomicU8::new(dependencies(round, block))).collect(),
        rounds: (0..count).map(|block| AtomicU32::new(done(block) as u32)).collect(),
        is_stopped,
        train,
    };
    rayon::scope(|scope| {
        for block in 0..count {
            let round = done(block);
            if round < count && dependencies(round, block) == 0 {
                scheduler.spawn(scope, round, block);
            }
        }
    });
    scheduler.rounds.into_iter().map(AtomicU32::into_inner).collect()
}

struct Scheduler<N, C, S, F> {
    nodes: Vec<Mutex<N>>,
    contexts: Vec<Mutex<C>>,
    /// For each round and block of nodes, the number of unfinished buckets it depends on.
    dependencies: Vec<AtomicU8>,
    rounds: Vec<AtomicU32>,
    is_stopped: S,
    train: F,
}

impl<N: Send, C: Send, S: Fn() -> bool + Sync, F: Fn(usize, usize, &mut N, &mut C) + Sync>
    Scheduler<N, C, S, F>
{
    fn spawn<'s>(&'s self, scope: &Scope<'s>, round: usize, block: usize) {
        scope.spawn(move |scope| {
            if (self.is_stopped)() {
                return;
            }
            let count = self.nodes.len();
            let context_block = (block + round) % count;
            {
                // Never contended: the bucket that used a block before has released it before this one is spawned.
                let mut nodes = self.nodes[block].lock().expect("no bucket has panicked");
                let mut contexts = self.contexts[context_block].lock().expect("no bucket has panicked");
                (self.train)(block, context_block, &mut nodes, &mut contexts);
            }
            self.rounds[block].store(round as u32 + 1, Ordering::Release);
            if round + 1 < count {
                for next in [block, (block + count - 1) % count] {
                    if self.dependencies[(round + 1) * count + next].fetch_sub(1, Ordering::AcqRel) == 1 {
                        self.spawn(scope, round + 1, next);
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_trained_once_and_every_block_sees_them_in_the_same_order() {
        for count in [1, 2, 3, 8] {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut nodes, mut contexts) = (vec![Vec::new(); count], vec![Vec::new(); count]);
                pool.install(|| {
                    for_each_bucket(
                        &mut nodes,
                        &mut contexts,
                        &[],
                        || false,
                        |p, q, nodes, contexts| {
                            nodes.push(q);
                            contexts.push(p);
                        },
                    );
                });
                assert_all_in_order(&nodes, &contexts);
            }
        }
    }

    /// Asserts that every block was trained with every other once, in the order of the rounds.
    fn assert_all_in_order(nodes: &[Vec<usize>], contexts: &[Vec<usize>]) {
        let count = nodes.len();
        for p in 0..count {
            let expected: Vec<usize> = (0..count).map(|round| (p + round) % count).collect();
            assert_eq!(nodes[p], expected, "{count} blocks, nodes {p}");
            let expected: Vec<usize> = (0..count).map(|round| (p + count - round) % count).collect();
            assert_eq!(contexts[p], expected, "{count} blocks, contexts {p}");
        }
    }

    #[test]
    fn a_chunk_that_is_stopped_again_and_again_trains_every_bucket_once_and_in_order() {
        for count in [1, 2, 3, 8] {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (mut nodes, mut contexts) = (vec![Vec::new(); count], vec![Vec::new(); count]);
                let (mut rounds, mut stops) = (Rounds::new(), 0);
                while rounds.is_empty() || rounds.iter().any(|&done| (done as usize) < count) {
                    let polls = AtomicU32::new(0);
                    let is_stopped = || polls.fetch_add(1, Ordering::SeqCst) >= 2;
                    rounds = pool.install(|| {
                        for_each_bucket(
                            &mut nodes,
                            &mut contexts,
                            &rounds,
                            is_stopped,
                            |p, q, nodes, contexts| {
                                nodes.push(q);
                                contexts.push(p);
                            },
                        )
                    });
                    assert!(is_reachable(&rounds, count), "{rounds:?}");
                    stops += 1;
                    assert!(stops <= count * count, "{count} blocks, {threads} threads: {rounds:?}");
                }
                assert_all_in_order(&nodes, &contexts);
            }
        }
    }

    #[test]
    fn rounds_that_no_stop_leads_to_are_known() {
        assert!(is_reachable(&[], 3) && is_reachable(&[1, 0, 1], 3) && is_reachable(&[3, 3, 3], 3));
        for rounds in [&[2, 0, 1][..], &[4, 4, 4], &[1, 1], &[u32::MAX; 3]] {
            assert!(!is_reachable(rounds, 3), "{rounds:?}");
        }
    }
}
