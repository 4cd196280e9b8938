//! Nodes in blocks, and so pairs in buckets that share no row.
//!
//! Nodes are dealt at random into B blocks of equal size. A pair (node, context) belongs to the
//! bucket (block of node, block of context). Buckets that share no block share no row of either table, so threads
//! train them side by side on plain `&mut` slices ([`super::schedule`]). Every bucket has its own random stream and its
//! own order of pairs ([`super::visits`]); which thread runs it does not matter, so the result depends on the seed and on
//! B, never on the number of threads.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use super::lanes::LANES;
use crate::graph::{Graph, NodeId};
use crate::rng::{Purpose, stream};

/// How nodes are cut into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// B.
    pub count: usize,
    /// Rows of a block, in whole tiles; the last may have fewer.
    pub size: usize,
    divider: Divider,
}

impl Blocks {
    /// At most `count` blocks of `node_count` nodes; small graphs get fewer, so that negatives have enough to choose from.
    #[must_use]
    pub fn new(node_count: usize, count: usize) -> Self {
        /// A block of fewer nodes would see too few different negatives.
        const SMALLEST: usize = 512;
        let count = count.min(node_count / SMALLEST).max(1);
        let size = node_count.div_ceil(count).max(1).next_multiple_of(LANES);
        Self { count: node_count.div_ceil(size).max(1), size, divider: Divider::new(size) }
    }

    /// The node of each row: nodes at random over the blocks, and by degree inside a block, for [`super::deck`].
    #[must_use]
    pub fn order(&self, graph: &Graph, seed: u64) -> Vec<NodeId> {
        let mut order: Vec<NodeId> = graph.nodes().collect();
        stream(seed, Purpose::Blocks, 0, 0).shuffle(&mut order);
        order
            .par_chunks_mut(self.size)
            .for_each(|block| block.sort_by_cached_key(|&node| Reverse(graph.degree(node))));
        order
    }

    /// The block of a row.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, row: NodeId) -> usize {
        self.divider.by(row)
    }

    /// The rows of a block.
    #[must_use]
    pub fn range(&self, block: usize, node_count: usize) -> Range<usize> {
        block * self.size..((block + 1) * self.size).min(node_count)
    }
}

/// Division by the block size through one multiplication: exact for every node id.
#[derive(Clone, Copy, Debug)]
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
}
