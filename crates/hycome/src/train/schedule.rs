//! Which bucket is trained when.
//!
//! In round r of a chunk, block p of the nodes meets block p + r (mod B) of the contexts. A bucket needs its two
//! blocks and nothing else, so it waits for two buckets only, not for the whole round before: for the one that had its
//! nodes, (r − 1, p), and for the one that had its contexts, (r − 1, p + 1). Every block thus sees its buckets in the
//! same order whatever the threads do, and no thread is idle while a bucket is ready.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use rayon::Scope;

/// Calls `train(p, q, nodes[p], contexts[q])` once for all blocks p and q, side by side where they share no block.
pub fn for_each_bucket<N: Send, C: Send>(
    nodes: impl IntoIterator<Item = N>,
    contexts: impl IntoIterator<Item = C>,
    train: impl Fn(usize, usize, &mut N, &mut C) + Sync,
) {
    let nodes: Vec<_> = nodes.into_iter().map(Mutex::new).collect();
    let contexts: Vec<_> = contexts.into_iter().map(Mutex::new).collect();
    let count = nodes.len();
    assert_eq!(count, contexts.len(), "both tables are cut alike");
    let waits_for = (0..count * count).map(|_| AtomicU8::new(2)).collect();
    let schedule = Schedule { nodes, contexts, waits_for, train };
    rayon::scope(|scope| (0..count).for_each(|block| schedule.start(scope, 0, block)));
}

struct Schedule<N, C, F> {
    nodes: Vec<Mutex<N>>,
    contexts: Vec<Mutex<C>>,
    /// For each round and block of nodes, how many buckets have yet to be done before.
    waits_for: Vec<AtomicU8>,
    train: F,
}

impl<N: Send, C: Send, F: Fn(usize, usize, &mut N, &mut C) + Sync> Schedule<N, C, F> {
    fn start<'s>(&'s self, scope: &Scope<'s>, round: usize, block: usize) {
        scope.spawn(move |scope| {
            let count = self.nodes.len();
            let context_block = (block + round) % count;
            {
                // Never contended: whoever had a block before has let go of it before this bucket was started.
                let mut nodes = self.nodes[block].lock().expect("no bucket has failed");
                let mut contexts = self.contexts[context_block].lock().expect("no bucket has failed");
                (self.train)(block, context_block, &mut nodes, &mut contexts);
            }
            if round + 1 < count {
                for next in [block, (block + count - 1) % count] {
                    if self.waits_for[(round + 1) * count + next].fetch_sub(1, Ordering::AcqRel) == 1 {
                        self.start(scope, round + 1, next);
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
                    for_each_bucket(&mut nodes, &mut contexts, |p, q, nodes, contexts| {
                        nodes.push(q);
                        contexts.push(p);
                    });
                });
                for p in 0..count {
                    let met: Vec<usize> = (0..count).map(|round| (p + round) % count).collect();
                    assert_eq!(nodes[p], met, "{count} blocks, {threads} threads, nodes {p}");
                    let met: Vec<usize> = (0..count).map(|round| (p + count - round) % count).collect();
                    assert_eq!(contexts[p], met, "{count} blocks, {threads} threads, contexts {p}");
                }
            }
        }
    }
}
