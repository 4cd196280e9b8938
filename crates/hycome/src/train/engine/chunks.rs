//! Chunks of an epoch's walks: large enough that a bucket has many contexts of each node, small enough for memory.

/// Target positives per node and chunk.
const CHUNK_PAIRS_PER_NODE: usize = 256;

/// Minimum on larger graphs, where the target would exceed [`CHUNK_PAIRS`].
const MIN_PAIRS_PER_NODE: usize = 64;

/// Maximum positives per chunk on graphs of moderate size, about ten bytes each.
const CHUNK_PAIRS: usize = 1 << 22;

/// Maximum positives per chunk on the largest graphs: seven gigabytes.
const MAX_CHUNK_PAIRS: usize = 5 << 27;

/// Walks per chunk, of `total` walks of an epoch.
pub(crate) fn walks_per_chunk(length: usize, window: usize, node_count: usize, total: usize) -> usize {
    let walks = |pairs: usize| pairs.div_ceil(length * (window + 1)).max(1);
    let target = walks(CHUNK_PAIRS_PER_NODE * node_count);
    let max = walks(CHUNK_PAIRS.max(MIN_PAIRS_PER_NODE * node_count).min(MAX_CHUNK_PAIRS));
    if target <= max {
        return target;
    }
    // Where chunks are smaller than the target they are equal, so that none is a small remainder.
    total.div_ceil(total.div_ceil(max).max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_large_graph_are_equal_and_those_of_a_small_one_as_large_as_the_target() {
        let nodes = 1_000_000;
        let size = walks_per_chunk(20, 5, nodes, nodes);
        assert_eq!((size, nodes.div_ceil(size)), (500_000, 2), "not 533,334 and a remainder");
        assert_eq!(walks_per_chunk(80, 5, 1000, 10_000), (256_000usize).div_ceil(480));
        assert_eq!(walks_per_chunk(20, 5, nodes, 0), 1, "an empty epoch has chunks of one walk");
    }
}
