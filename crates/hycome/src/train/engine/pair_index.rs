//! Pair index: skip-gram pairs of a chunk of walks, grouped by node and block without ever storing the pairs unsorted.
//!
//! A bucket needs the contexts in one block of every node of another block, node by node. Each position of a walk has several
//! contexts, so positions are sorted, not pairs: walks are stored one after the other, and every position becomes an [`Occurrence`]
//! of its node with its context window. Sorting is a two-pass radix partition, each pass within what a cache holds:
//!
//! 1. each batch of walks partitions its occurrences into bins of [`BIN_ROWS`] nodes ([`WalkChunk::generate`]);
//! 2. a block that is about to be trained gathers its bins from all batches, sorts each by node with a counting sort and
//!    reads the windows, now in the order in which they are needed ([`WalkChunk::contexts`]).
//!
//! Windows have a random size per position, as in word2vec (Mikolov et al. 2013), which weights near contexts more.

use std::ops::Range;
use std::sync::Mutex;

use prefetch_index::prefetch_index;
use rayon::prelude::*;

use super::partition::Partition;
use crate::graph::NodeId;
use crate::rng::{Purpose, Stream, stream};
use crate::sampling::{INTERLEAVED_WALKS, InterleavedWalks, Walker};

/// Occurrences per batch, approximately: few enough to spread batches over threads, enough for every bin to get some.
const BATCH_OCCURRENCES: usize = 1 << 14;

/// Nodes per bin; the occurrences of this many fill a megabyte or two.
const BIN_ROWS: usize = 1 << 14;

/// Occurrences between the prefetch of a window and its use.
const PREFETCH_DISTANCE: usize = 16;

/// Batches between the prefetch of a bin and its use.
const PREFETCH_BATCHES: usize = 4;

/// Bytes that a position of a walk takes in a [`WalkChunk`].
pub(crate) const BYTES_PER_POSITION: usize = size_of::<NodeId>() + size_of::<Occurrence>();

/// Bytes of a context in [`Contexts::rows`], and of an entry of [`Contexts::ends`].
pub(crate) const BYTES_PER_CONTEXT: usize = size_of::<u32>();
/// See [`BYTES_PER_CONTEXT`].
pub(crate) const BYTES_PER_END: usize = size_of::<(u32, u32)>();

/// Walks of one epoch: their random streams, length and window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkPlan {
    /// Seed of the run.
    pub seed: u64,
    /// Epoch; with the walk's number it addresses the random stream.
    pub epoch: u64,
    /// Nodes per walk.
    pub length: usize,
    /// Maximum context window; each position draws its own from 1 to this.
    pub window: usize,
}

/// Walks of a chunk and the index of their occurrences. Reused from chunk to chunk, so that memory is allocated once.
#[derive(Debug, Default)]
pub(crate) struct WalkChunk {
    /// Walks one after the other, each with room for full length.
    nodes: Vec<NodeId>,
    batches: Vec<Batch>,
}

/// Occurrences of a batch of walks, partitioned into bins; within a bin in the order of the walks.
#[derive(Debug, Default)]
struct Batch {
    occurrences: Vec<Occurrence>,
    /// Start of each bin, and the end of the last.
    starts: Vec<u32>,
}

/// A position of a walk: the node there and its context window.
#[derive(Clone, Copy, Debug, Default)]
struct Occurrence {
    /// First node of the window, as an index into [`WalkChunk::nodes`].
    from: u32,
    /// Length of the window, centre included.
    len: u16,
    /// Row of the centre within its bin.
    row: u16,
}

impl Occurrence {
    #[inline(always)]
    fn window(self) -> Range<usize> {
        self.from as usize..self.from as usize + self.len as usize
    }
}

/// Contexts in one block of the nodes of another: the positive pairs of a bucket.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    /// Context rows, counted from the start of their block, grouped by node.
    pub rows: Vec<u32>,
    /// For each node with contexts: its row, counted from the start of its block, and the end of its group in `rows`.
    pub ends: Vec<(u32, u32)>,
}

/// Free list of [`Contexts`] buffers, so that memory is allocated once.
#[derive(Debug, Default)]
pub(crate) struct BufferPool(Mutex<Vec<Contexts>>);

impl BufferPool {
    /// Returns a buffer to the pool.
    pub(crate) fn put(&self, mut contexts: Contexts) {
        contexts.rows.clear();
        contexts.ends.clear();
        self.0.lock().expect("no holder has panicked").push(contexts);
    }

    fn take(&self) -> Contexts {
        self.0.lock().expect("no holder has panicked").pop().unwrap_or_default()
    }
}

/// Mapping from nodes to bins; bins do not cross blocks.
#[derive(Clone, Copy)]
struct BinLayout {
    partition: Partition,
    bins_per_block: usize,
}

impl BinLayout {
    fn new(partition: Partition) -> Self {
        Self { partition, bins_per_block: partition.block_size.div_ceil(BIN_ROWS) }
    }

    fn count(self) -> usize {
        self.partition.block_count * self.bins_per_block
    }

    /// Bins of a block.
    fn of_block(self, block: usize) -> Range<usize> {
        block * self.bins_per_block..(block + 1) * self.bins_per_block
    }

    /// Bin of a node, and its row there.
    #[inline(always)]
    fn of_node(self, node: NodeId) -> (usize, u16) {
        let block = self.partition.block_of(node);
        let row = node as usize - block * self.partition.block_size;
        (block * self.bins_per_block + row / BIN_ROWS, (row % BIN_ROWS) as u16)
    }
}

/// Per-thread scratch space for generating a batch.
#[derive(Default)]
struct Scratch {
    walks: InterleavedWalks,
    /// Occurrences in the order of the walks, each with its bin.
    occurrences: Vec<(u32, Occurrence)>,
}

/// Where walks of a chunk come from.
#[derive(Clone, Copy)]
pub(crate) struct WalkSource<'a> {
    /// The walker of the graph.
    pub walker: &'a Walker<'a>,
    /// Nodes of the graph; walk `w` starts at node `w mod node_count`.
    pub node_count: usize,
    /// Streams, length and window.
    pub plan: &'a WalkPlan,
    /// Blocks of the graph.
    pub partition: Partition,
}

impl WalkChunk {
    /// Generates the walks `walks` of an epoch and indexes them. Once `is_stopped` the remaining batches are skipped, and the chunk
    /// must not be used.
    pub(crate) fn generate(
        &mut self,
        source: &WalkSource<'_>,
        walks: Range<usize>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) {
        let length = source.plan.length;
        let per_batch = walks_per_batch(length);
        self.nodes.resize(walks.len() * length, 0);
        self.batches.resize_with(walks.len().div_ceil(per_batch), Batch::default);
        let rooms = self.nodes.par_chunks_mut(per_batch * length);
        self.batches.par_iter_mut().zip(rooms).enumerate().for_each_init(
            Scratch::default,
            |scratch, (i, (batch, room))| {
                if is_stopped() {
                    return;
                }
                let first = walks.start + i * per_batch;
                let numbers = first..(first + per_batch).min(walks.end);
                batch.generate(source, numbers, i * per_batch * length, room, scratch);
            },
        );
    }

    /// Contexts of the nodes of a block, by the block of the context; those of a node are in the order of the walks.
    #[must_use]
    pub(crate) fn contexts(
        &self,
        block: usize,
        partition: Partition,
        node_count: usize,
        pool: &BufferPool,
    ) -> Vec<Contexts> {
        let mut contexts: Vec<Contexts> = (0..partition.block_count).map(|_| pool.take()).collect();
        let bins = BinLayout::new(partition).of_block(block);
        let occurrences = self.batches.iter().flat_map(|batch| batch.in_bins(bins.clone()));
        let total: usize = occurrences.map(|occurrence| occurrence.len as usize).sum();
        for contexts in &mut contexts {
            contexts.rows.reserve((total + total / 16) / partition.block_count);
        }
        let mut bin = Bin::default();
        let rows = partition.range(block, node_count);
        for (number, start) in bins.zip(rows.clone().step_by(BIN_ROWS)) {
            bin.gather(&self.batches, number, BIN_ROWS.min(rows.end - start));
            self.append_contexts(&bin, start as NodeId, rows.start as NodeId, partition, &mut contexts);
        }
        contexts
    }

    /// Appends the contexts of the nodes of a bin whose first node is `start`.
    fn append_contexts(
        &self,
        bin: &Bin,
        start: NodeId,
        block_start: NodeId,
        partition: Partition,
        contexts: &mut [Contexts],
    ) {
        let mut upcoming = bin.occurrences.iter().skip(PREFETCH_DISTANCE);
        let mut begin = 0;
        for (node, &end) in (start..).zip(&bin.ends) {
            for occurrence in &bin.occurrences[begin..end as usize] {
                if let Some(next) = upcoming.next() {
                    prefetch_index(&self.nodes, next.window().start);
                    prefetch_index(&self.nodes, next.window().end - 1);
                }
                for &context in &self.nodes[occurrence.window()] {
                    // Skips the centre itself, and returns of the walk to it: a node is not its own context.
                    if context != node {
                        let block = partition.block_of(context);
                        contexts[block].rows.push(context - (block * partition.block_size) as u32);
                    }
                }
            }
            for contexts in &mut *contexts {
                let end = contexts.rows.len() as u32;
                if contexts.ends.last().map_or(0, |&(_, last)| last) < end {
                    contexts.ends.push((node - block_start, end));
                }
            }
            begin = end as usize;
        }
    }
}

impl Batch {
    /// Generates the walks `numbers` into `room`, which starts at index `start` of the chunk, and partitions their occurrences.
    fn generate(
        &mut self,
        source: &WalkSource<'_>,
        numbers: Range<usize>,
        mut start: usize,
        room: &mut [NodeId],
        scratch: &mut Scratch,
    ) {
        let &WalkSource { walker, node_count, plan, partition } = source;
        let bins = BinLayout::new(partition);
        scratch.occurrences.clear();
        let numbers: Vec<usize> = numbers.collect();
        let rooms = room.chunks_mut(INTERLEAVED_WALKS * plan.length);
        for (numbers, room) in numbers.chunks(INTERLEAVED_WALKS).zip(rooms) {
            let streams = numbers.iter().map(|&w| stream(plan.seed, Purpose::Walk, plan.epoch, w as u64));
            let starts = numbers.iter().map(|&w| (w % node_count) as NodeId);
            walker.walk_interleaved(starts.zip(streams), plan.length, &mut scratch.walks);
            for ((walk, rng), room) in scratch.walks.iter_mut().zip(room.chunks_mut(plan.length)) {
                room[..walk.len()].copy_from_slice(walk);
                for (&node, window) in walk.iter().zip(windows(walk.len(), plan.window, rng)) {
                    let (bin, row) = bins.of_node(node);
                    let from = (start + window.start) as u32;
                    let len = window.len() as u16;
                    scratch.occurrences.push((bin as u32, Occurrence { from, len, row }));
                }
                start += plan.length;
            }
        }
        self.partition(&scratch.occurrences, bins.count());
    }

    /// Counting sort of occurrences by bin.
    fn partition(&mut self, occurrences: &[(u32, Occurrence)], bins: usize) {
        self.starts.clear();
        // One entry more: during the scatter the start of a bin is one to the right of its final place.
        self.starts.resize(bins + 2, 0);
        occurrences.iter().for_each(|&(bin, _)| self.starts[bin as usize + 2] += 1);
        prefix_sum(&mut self.starts);
        self.occurrences.resize(occurrences.len(), Occurrence::default());
        for &(bin, occurrence) in occurrences {
            let next = &mut self.starts[bin as usize + 1];
            self.occurrences[*next as usize] = occurrence;
            *next += 1;
        }
        self.starts.pop();
    }

    /// Occurrences in a range of bins.
    fn in_bins(&self, bins: Range<usize>) -> &[Occurrence] {
        &self.occurrences[self.starts[bins.start] as usize..self.starts[bins.end] as usize]
    }
}

/// Occurrences of one bin from all batches, sorted by node.
#[derive(Default)]
struct Bin {
    occurrences: Vec<Occurrence>,
    /// End of each node's occurrences.
    ends: Vec<u32>,
}

impl Bin {
    /// Gathers a bin of `rows` nodes from all batches by a counting sort.
    fn gather(&mut self, batches: &[Batch], bin: usize, rows: usize) {
        self.ends.clear();
        self.ends.resize(rows + 1, 0);
        for (i, batch) in batches.iter().enumerate() {
            if let Some(upcoming) = batches.get(i + 2 * PREFETCH_BATCHES) {
                prefetch_index(&upcoming.starts, bin);
            }
            if let Some(upcoming) = batches.get(i + PREFETCH_BATCHES) {
                prefetch_index(&upcoming.occurrences, upcoming.starts[bin] as usize);
            }
            let occurrences = batch.in_bins(bin..bin + 1);
            occurrences.iter().for_each(|occurrence| self.ends[occurrence.row as usize + 1] += 1);
        }
        prefix_sum(&mut self.ends);
        self.occurrences.resize(self.ends[rows] as usize, Occurrence::default());
        for batch in batches {
            for &occurrence in batch.in_bins(bin..bin + 1) {
                let next = &mut self.ends[occurrence.row as usize];
                self.occurrences[*next as usize] = occurrence;
                *next += 1;
            }
        }
        self.ends.pop();
    }
}

/// In-place prefix sum.
fn prefix_sum(numbers: &mut [u32]) {
    let mut sum = 0;
    for number in numbers {
        sum += *number;
        *number = sum;
    }
}

/// Walks per batch, a multiple of the walks that are interleaved.
fn walks_per_batch(length: usize) -> usize {
    BATCH_OCCURRENCES.div_ceil(length).next_multiple_of(INTERLEAVED_WALKS)
}

/// Context window of each position of a walk of `length` nodes, centre included: the size is uniform on 1 to `max_size` on either
/// side, cut off at the ends of the walk.
pub(crate) fn windows(
    length: usize,
    max_size: usize,
    rng: &mut Stream,
) -> impl Iterator<Item = Range<usize>> + '_ {
    (0..length).map(move |i| {
        let size = 1 + rng.below(max_size as u32) as usize;
        i.saturating_sub(size)..(i + size + 1).min(length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn a_window_has_its_drawn_size_on_both_sides_and_ends_with_the_walk() {
        // Which positions are contexts is decided for each pair by itself, from the drawn size alone.
        for (length, max_size) in [(1, 1), (2, 5), (7, 1), (20, 3), (50, 10)] {
            let found: Vec<Range<usize>> =
                windows(length, max_size, &mut stream(3, Purpose::Walk, 0, length as u64)).collect();
            let mut sizes = stream(3, Purpose::Walk, 0, length as u64);
            assert_eq!(found.len(), length);
            for (center, window) in found.into_iter().enumerate() {
                let size = 1 + i64::from(sizes.below(max_size as u32));
                for position in 0..length + 5 {
                    let distance = (position as i64 - center as i64).abs();
                    let expected = distance <= size && position < length;
                    assert_eq!(
                        window.contains(&position),
                        expected,
                        "{length} {max_size}: {center} {position}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_window_size_from_one_to_the_maximum_is_drawn() {
        let mut rng = stream(1, Purpose::Walk, 0, 0);
        let center = 500;
        let mut seen = [0; 6];
        for _ in 0..600 {
            let window = windows(1001, 5, &mut rng).nth(center).expect("the walk is longer");
            assert_eq!(center - window.start, window.end - 1 - center, "as far to the right as to the left");
            seen[center - window.start] += 1;
        }
        // 600 draws of probability 1/5 each: below 60 is six standard deviations.
        assert!(seen[0] == 0 && seen[1..].iter().all(|&count| count > 60), "{seen:?}");
    }

    #[test]
    fn every_pair_of_the_walks_comes_to_its_node_and_block_in_the_order_of_the_walks() {
        compare_with_the_obvious_way(2000, 700, 1);
        compare_with_the_obvious_way(3 * 2 * BIN_ROWS as u32 - 100, 4000, 2);
    }

    /// Pairs of walks on a ring cut into three blocks of `bins` bins each, against a loop over all pairs of positions.
    fn compare_with_the_obvious_way(nodes: u32, walk_count: usize, bins: usize) {
        let graph = Graph::from_edges((0..nodes).map(|i| (i, (i + 1) % nodes)));
        let node_count = nodes as usize;
        let partition = Partition::new(node_count, 3);
        assert_eq!((partition.block_count, BinLayout::new(partition).bins_per_block), (3, bins));
        let chunk = node_count - 100..node_count - 100 + walk_count;
        let plan = WalkPlan { seed: 1, epoch: 0, length: 20, window: 3 };
        let walker = Walker::new(&graph);
        let mut plain = vec![vec![Vec::new(); 3]; node_count];
        let mut walk = Vec::new();
        for w in chunk.clone() {
            let mut rng = stream(1, Purpose::Walk, 0, w as u64);
            walker.walk(w as u32 % nodes, 20, &mut rng, &mut walk);
            for (i, &node) in walk.iter().enumerate() {
                let size = 1 + rng.below(3) as usize;
                for (j, &context) in walk.iter().enumerate() {
                    if i.abs_diff(j) <= size && context != node {
                        let block = context as usize / partition.block_size;
                        plain[node as usize][block].push(context - (block * partition.block_size) as u32);
                    }
                }
            }
        }
        let source = WalkSource { walker: &walker, node_count, plan: &plan, partition };
        let mut walks = WalkChunk::default();
        walks.generate(&source, 0..300, &|| false); // overwritten
        walks.generate(&source, chunk, &|| false);
        let pool = BufferPool::default();
        for block in [1, 0, 1, 2] {
            let contexts = walks.contexts(block, partition, node_count, &pool);
            for (context_block, contexts) in contexts.iter().enumerate() {
                let (mut start, mut rest) = (0, contexts.ends.iter());
                let range = partition.range(block, node_count);
                for node in range.filter(|&node| !plain[node][context_block].is_empty()) {
                    let &(row, end) = rest.next().expect("the node has contexts");
                    assert_eq!(block * partition.block_size + row as usize, node);
                    let found = &contexts.rows[start..end as usize];
                    assert_eq!(found, plain[node][context_block], "node {node}, block {context_block}");
                    start = end as usize;
                }
                assert!(rest.next().is_none(), "no other node has contexts");
            }
            contexts.into_iter().for_each(|contexts| pool.put(contexts)); // reused
        }
    }

    #[test]
    fn an_isolated_node_has_no_contexts() {
        let (graph, _) = crate::graph::EdgeList { node_count: 3, pairs: vec![(0, 1)], weights: None }.build();
        let partition = Partition::new(3, 8);
        let mut walks = WalkChunk::default();
        let plan = WalkPlan { seed: 1, epoch: 0, length: 5, window: 2 };
        let walker = Walker::new(&graph);
        walks.generate(&WalkSource { walker: &walker, node_count: 3, plan: &plan, partition }, 0..3, &|| {
            false
        });
        let contexts = walks.contexts(0, partition, 3, &BufferPool::default());
        assert_eq!(contexts[0].ends.iter().map(|&(row, _)| row).collect::<Vec<_>>(), [0, 1]);
        assert!(contexts[0].rows.iter().all(|&context| context < 2));
    }
}
