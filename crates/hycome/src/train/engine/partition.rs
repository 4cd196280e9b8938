//! Partition of rows into blocks, and so of pairs into buckets that share no row.
//!
//! Rows are assigned at random to B blocks of equal size. A pair (node, context) belongs to the bucket (block of node, block of context).
//! Buckets that share no block share no row of either table, so threads train them in parallel on plain `&mut` slices, without locks or
//! lost updates: stratified SGD (Gemulla et al. 2011), as in PyTorch-BigGraph (Lerer et al. 2019). Every bucket has its own random stream
//! and its own order of pairs ([`super::pair_index`]), so the result depends on the seed and on B, never on the number of threads.

use std::cmp::Reverse;
use std::ops::Range;

use rayon::prelude::*;

use super::pair_update::LANES;
use crate::graph::{Graph, NodeId};
use crate::rng::{Purpose, stream};

/// Partition of rows into blocks of equal size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partition {
    /// B, the number of blocks.
    pub block_count: usize,
    /// Rows per block, a multiple of the tile size; the last block may have fewer.
    pub block_size: usize,
    divider: Divider,
}

impl Partition {
    /// Partition of `node_count` rows into at most `max_blocks`; small graphs get fewer, since negatives are drawn from one block.
    #[must_use]
    pub(crate) fn new(node_count: usize, max_blocks: usize) -> Self {
        /// A smaller block would offer too few distinct negatives.
        const MIN_BLOCK_NODES: usize = 512;
        let count = max_blocks.min(node_count / MIN_BLOCK_NODES).max(1);
        let size = node_count.div_ceil(count).max(1).next_multiple_of(LANES);
        Self { block_count: node_count.div_ceil(size).max(1), block_size: size, divider: Divider::new(size) }
    }

    /// Node of each row: blocks are filled at random; within a block nodes are sorted by degree, for [`super::negative_sampler`].
    #[must_use]
    pub(crate) fn order(&self, graph: &Graph, seed: u64) -> Vec<NodeId> {
        let mut order: Vec<NodeId> = graph.nodes().collect();
        stream(seed, Purpose::Blocks, 0, 0).shuffle(&mut order);
        order
            .par_chunks_mut(self.block_size)
            .for_each(|block| block.sort_by_cached_key(|&node| Reverse(graph.degree(node))));
        order
    }

    /// Block of a row.
    #[inline(always)]
    #[must_use]
    pub(crate) fn block_of(&self, row: NodeId) -> usize {
        self.divider.by(row)
    }

    /// Rows of a block.
    #[must_use]
    pub(crate) fn range(&self, block: usize, node_count: usize) -> Range<usize> {
        block * self.block_size..((block + 1) * self.block_size).min(node_count)
    }
}

/// Division by the block size as one multiplication, exact for every node id.
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
            return node as usize; // blocks of one row
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
