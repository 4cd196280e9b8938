//! Pairs dealt into buckets that share no row.
//!
//! Nodes are dealt at random into B blocks of equal size. A pair (node, context) belongs to the
//! bucket (block of node, block of context). Buckets that share no block share no row of either table, so threads
//! train them side by side on plain `&mut` slices ([`super::schedule`]). Every bucket has its own random stream and its
//! own order of pairs; which thread runs it does not matter, so the result depends on the seed and on B, never on the
//! number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::lanes::LANES;
use crate::graph::{Graph, NodeId};
use crate::rng::{Purpose, stream};
use crate::sample::{ABREAST, Together, Walker};

/// Walks that are dealt together by one task. Small enough to spread over threads, large enough that each bucket gets a run of pairs.
pub(super) const BATCH_WALKS: usize = 256;

/// How nodes are cut into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// B.
    pub count: usize,
    /// Rows of a block, in whole tiles; the last may have fewer.
    pub size: usize,
}

impl Blocks {
    /// At most `count` blocks of `node_count` nodes; small graphs get fewer, so that negatives have enough to choose from.
    #[must_use]
    pub fn new(node_count: usize, count: usize) -> Self {
        /// A block of fewer nodes would see too few different negatives.
        const SMALLEST: usize = 512;
        let count = count.min(node_count / SMALLEST).max(1);
        let size = node_count.div_ceil(count).max(1).next_multiple_of(LANES);
        Self { count: node_count.div_ceil(size).max(1), size }
    }

    /// The node of each row: nodes at random over the blocks, and by degree inside a block, for [`super::deck`].
    #[must_use]
    pub fn order(&self, graph: &Graph, seed: u64) -> Vec<NodeId> {
        let mut order: Vec<NodeId> = graph.nodes().collect();
        stream(seed, Purpose::Blocks, 0, 0).shuffle(&mut order);
        for block in order.chunks_mut(self.size) {
            block.sort_by_key(|&node| std::cmp::Reverse(graph.degree(node)));
        }
        order
    }

    /// The rows of a block.
    #[must_use]
    pub fn range(&self, block: usize, node_count: usize) -> Range<usize> {
        block * self.size..((block + 1) * self.size).min(node_count)
    }
}

/// Walks of one epoch, as the configuration says.
#[derive(Clone, Copy, Debug)]
pub struct WalkPlan {
    /// Seed of the run.
    pub seed: u64,
    /// Epoch, which names the streams.
    pub epoch: u64,
    /// Nodes of a walk.
    pub length: usize,
    /// Largest window; each position draws its own from 1 to this.
    pub window: usize,
}

/// The pairs of a batch of walks, by bucket. Kept from chunk to chunk, so that memory is asked for once.
#[derive(Debug, Default)]
pub struct Batch {
    buckets: Vec<Vec<(NodeId, NodeId)>>,
}

impl Batch {
    /// The pairs of bucket (block of node, block of context), in the order of the walks.
    #[must_use]
    pub fn bucket(&self, bucket: usize) -> &[(NodeId, NodeId)] {
        &self.buckets[bucket]
    }
}

/// Makes the walks `walks` of an epoch and deals their pairs into `batches`; walk `w` starts at node `w mod n`.
pub fn deal(
    walker: &Walker,
    node_count: usize,
    walks: Range<usize>,
    plan: &WalkPlan,
    blocks: Blocks,
    batches: &mut Vec<Batch>,
) {
    let divide = Divider::new(blocks.size);
    batches.resize_with(walks.len().div_ceil(BATCH_WALKS), Batch::default);
    batches.par_iter_mut().enumerate().for_each(|(i, batch)| {
        batch.buckets.resize_with(blocks.count * blocks.count, Vec::new);
        batch.buckets.iter_mut().for_each(Vec::clear);
        let mut together = Together::default();
        let mut walk_blocks = Vec::with_capacity(plan.length);
        let numbers: Vec<usize> = walks.clone().skip(i * BATCH_WALKS).take(BATCH_WALKS).collect();
        for numbers in numbers.chunks(ABREAST) {
            let streams = numbers.iter().map(|&w| stream(plan.seed, Purpose::Walk, plan.epoch, w as u64));
            let starts = numbers.iter().map(|&w| (w % node_count) as NodeId);
            walker.walk_together(starts.zip(streams), plan.length, &mut together);
            for (walk, rng) in together.walks() {
                walk_blocks.clear();
                walk_blocks.extend(walk.iter().map(|&node| divide.by(node)));
                windows(walk, plan.window, rng, |i, j| {
                    batch.buckets[walk_blocks[i] * blocks.count + walk_blocks[j]].push((walk[i], walk[j]));
                });
            }
        }
    });
}

/// Calls `give(i, j)` for each position of a walk and each other in a window of random reach around it.
#[inline(always)]
pub fn windows(
    walk: &[NodeId],
    reach: usize,
    rng: &mut crate::rng::Stream,
    mut give: impl FnMut(usize, usize),
) {
    for (i, &node) in walk.iter().enumerate() {
        let reach = 1 + rng.below(reach as u32) as usize;
        for j in i.saturating_sub(reach)..(i + reach + 1).min(walk.len()) {
            // A walk that returns to its centre says nothing about a neighbour.
            if walk[j] != node {
                give(i, j);
            }
        }
    }
}

/// Division by the block size through one multiplication: exact for every node id.
#[derive(Clone, Copy)]
struct Divider {
    inverse: u64,
}

impl Divider {
    fn new(size: usize) -> Self {
        Self { inverse: (u64::MAX / size as u64).wrapping_add(1) }
    }

    #[inline(always)]
    fn by(self, node: NodeId) -> usize {
        if self.inverse == 0 {
            return node as usize; // blocks of one node
        }
        ((u128::from(self.inverse) * u128::from(node)) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dividing_by_multiplication_is_exact() {
        for size in [1usize, 2, 3, 7, 512, 1648, 65_537, 4_000_000_000] {
            let divide = Divider::new(size);
            for node in (0..u32::MAX).step_by(999_983).chain([0, 1, u32::MAX]) {
                assert_eq!(divide.by(node), node as usize / size, "{node} / {size}");
            }
        }
    }

    #[test]
    fn dealing_keeps_every_pair_and_puts_it_in_its_bucket() {
        let ring: Vec<(u32, u32)> = (0..2000).map(|i| (i, (i + 1) % 2000)).collect();
        let graph = Graph::from_edges(ring);
        let blocks = Blocks::new(2000, 3);
        assert_eq!(blocks.count, 3);
        let plan = WalkPlan { seed: 1, epoch: 0, length: 20, window: 3 };
        let walker = Walker::new(&graph);
        let mut plain = Vec::new();
        let mut walk = Vec::new();
        for w in 0..300 {
            let mut rng = stream(1, Purpose::Walk, 0, w);
            walker.walk(w as u32 % 2000, 20, &mut rng, &mut walk);
            windows(&walk, 3, &mut rng, |i, j| plain.push((walk[i], walk[j])));
        }
        let mut dealt = Vec::new();
        let mut batches = Vec::new();
        deal(&walker, 2000, 0..300, &plan, blocks, &mut batches);
        for batch in batches {
            for bucket in 0..9 {
                for &(node, context) in batch.bucket(bucket) {
                    assert_eq!((node as usize / blocks.size) * 3 + context as usize / blocks.size, bucket);
                    dealt.push((node, context));
                }
            }
        }
        plain.sort_unstable();
        dealt.sort_unstable();
        assert_eq!(plain, dealt);
    }
}
