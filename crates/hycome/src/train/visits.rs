//! The walks of a chunk, and the contexts that each node meets on them.
//!
//! A bucket wants the contexts of one block that the nodes of another have met, node by node. A position of a walk has
//! several contexts, so it is positions that are sorted, not pairs: walks are written one after the other, and every
//! position becomes a visit of its node. Visits are sorted twice, each time within what a cache holds: a batch of walks
//! puts its own on shelves, one for some thousand nodes, and a block that is to be trained takes its shelves one by
//! one, sorts each by node and reads the contexts around each visit, now in the order in which they are needed.

use std::ops::Range;
use std::sync::Mutex;

use prefetch_index::prefetch_index;
use rayon::prelude::*;

use super::blocks::Blocks;
use crate::graph::NodeId;
use crate::rng::{Purpose, Stream, stream};
use crate::sample::{ABREAST, Together, Walker};

/// Visits of a batch, about: few enough to spread batches over threads, many enough for every shelf to get some.
const BATCH_VISITS: usize = 1 << 14;

/// Nodes of a shelf; the visits of so many fill a megabyte or two.
const SHELF_ROWS: usize = 1 << 14;

/// Visits whose walks are asked for before they are read, so that memory answers in time.
const AHEAD: usize = 16;

/// Batches whose visits are.
const BATCHES_AHEAD: usize = 4;

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

/// The walks of a chunk. Kept from chunk to chunk, so that memory is asked for once.
#[derive(Debug, Default)]
pub struct Walks {
    /// One walk after the other, each with room for a whole one.
    nodes: Vec<NodeId>,
    batches: Vec<Batch>,
}

/// The visits of some walks, shelf by shelf; on a shelf in the order of the walks.
#[derive(Debug, Default)]
struct Batch {
    visits: Vec<Visit>,
    /// Where each shelf begins, and where the last one ends.
    starts: Vec<u32>,
}

/// A node on a walk, and the window around it.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    /// The first node of the window, as a place in [`Walks::nodes`].
    from: u32,
    /// Nodes of the window, the visited one among them.
    len: u16,
    /// The visited node, counted from the first of its shelf.
    row: u16,
}

impl Visit {
    #[inline(always)]
    fn window(self) -> Range<usize> {
        self.from as usize..self.from as usize + self.len as usize
    }
}

/// What the nodes of a block met in another.
#[derive(Debug, Default)]
pub struct Contexts {
    /// Contexts, counted from the start of their block, node by node.
    pub rows: Vec<u32>,
    /// The nodes that met any, counted from the start of theirs, and where the contexts of each end.
    pub ends: Vec<(u32, u32)>,
}

/// Contexts that have served, so that memory is asked for once.
#[derive(Debug, Default)]
pub struct Spare(Mutex<Vec<Contexts>>);

impl Spare {
    /// Takes contexts back that nobody needs any more.
    pub fn put(&self, mut contexts: Contexts) {
        contexts.rows.clear();
        contexts.ends.clear();
        self.0.lock().expect("nobody failed while holding it").push(contexts);
    }

    fn take(&self) -> Contexts {
        self.0.lock().expect("nobody failed while holding it").pop().unwrap_or_default()
    }
}

/// Where the visits of a node are put.
#[derive(Clone, Copy)]
struct Shelves {
    blocks: Blocks,
    /// Shelves of a block.
    of_a_block: usize,
}

impl Shelves {
    fn new(blocks: Blocks) -> Self {
        Self { blocks, of_a_block: blocks.size.div_ceil(SHELF_ROWS) }
    }

    fn count(self) -> usize {
        self.blocks.count * self.of_a_block
    }

    /// The shelf of a node, and its row there.
    #[inline(always)]
    fn of(self, node: NodeId) -> (usize, u16) {
        let block = self.blocks.of(node);
        let row = node as usize - block * self.blocks.size;
        (block * self.of_a_block + row / SHELF_ROWS, (row % SHELF_ROWS) as u16)
    }
}

/// What a thread needs to make a batch.
#[derive(Default)]
struct Desk {
    together: Together,
    /// The visits in the order of the walks, each with its shelf.
    visits: Vec<(u32, Visit)>,
}

impl Walks {
    /// Makes the walks `walks` of an epoch; walk `w` starts at node `w mod n`. Once `is_stopped` the rest is skipped, and the
    /// walks are of no use.
    pub fn make(
        &mut self,
        walker: &Walker,
        node_count: usize,
        walks: Range<usize>,
        plan: &WalkPlan,
        blocks: Blocks,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) {
        let (shelves, of_a_batch) = (Shelves::new(blocks), walks_of_a_batch(plan.length));
        self.nodes.resize(walks.len() * plan.length, 0);
        self.batches.resize_with(walks.len().div_ceil(of_a_batch), Batch::default);
        let room = self.nodes.par_chunks_mut(of_a_batch * plan.length);
        self.batches.par_iter_mut().zip(room).enumerate().for_each_init(
            Desk::default,
            |desk, (i, (batch, room))| {
                if is_stopped() {
                    return;
                }
                desk.visits.clear();
                let mut place = i * of_a_batch * plan.length;
                let first = walks.start + i * of_a_batch;
                let numbers: Vec<usize> = (first..(first + of_a_batch).min(walks.end)).collect();
                for (numbers, room) in numbers.chunks(ABREAST).zip(room.chunks_mut(ABREAST * plan.length)) {
                    let streams =
                        numbers.iter().map(|&w| stream(plan.seed, Purpose::Walk, plan.epoch, w as u64));
                    let starts = numbers.iter().map(|&w| (w % node_count) as NodeId);
                    walker.walk_together(starts.zip(streams), plan.length, &mut desk.together);
                    for ((walk, rng), room) in desk.together.walks().zip(room.chunks_mut(plan.length)) {
                        room[..walk.len()].copy_from_slice(walk);
                        for (&node, window) in walk.iter().zip(windows(walk.len(), plan.window, rng)) {
                            let (shelf, row) = shelves.of(node);
                            let from = (place + window.start) as u32;
                            let len = window.len() as u16;
                            desk.visits.push((shelf as u32, Visit { from, len, row }));
                        }
                        place += plan.length;
                    }
                }
                batch.fill(&desk.visits, shelves.count());
            },
        );
    }

    /// What the nodes of a block met, in each block; each node's contexts are in the order of the walks.
    #[must_use]
    pub fn contexts(&self, block: usize, blocks: Blocks, node_count: usize, spare: &Spare) -> Vec<Contexts> {
        let shelves = Shelves::new(blocks);
        let mut contexts: Vec<Contexts> = (0..blocks.count).map(|_| spare.take()).collect();
        let its_shelves = block * shelves.of_a_block..(block + 1) * shelves.of_a_block;
        let visits = self.batches.iter().flat_map(|batch| batch.on(its_shelves.clone()));
        let met: usize = visits.map(|visit| visit.len as usize).sum();
        for contexts in &mut contexts {
            contexts.rows.reserve((met + met / 16) / blocks.count);
        }
        let mut shelf = Shelf::default();
        let rows = blocks.range(block, node_count);
        for (number, start) in its_shelves.zip(rows.clone().step_by(SHELF_ROWS)) {
            shelf.take(&self.batches, number, SHELF_ROWS.min(rows.end - start));
            let mut coming = shelf.visits.iter().skip(AHEAD);
            let mut begin = 0;
            for (node, &end) in (start as NodeId..).zip(&shelf.ends) {
                for visit in &shelf.visits[begin..end as usize] {
                    if let Some(next) = coming.next() {
                        prefetch_index(&self.nodes, next.window().start);
                        prefetch_index(&self.nodes, next.window().end - 1);
                    }
                    for &context in &self.nodes[visit.window()] {
                        // A walk that returns to its centre says nothing about a neighbour.
                        if context != node {
                            let block = blocks.of(context);
                            contexts[block].rows.push(context - (block * blocks.size) as u32);
                        }
                    }
                }
                let row = node - rows.start as NodeId;
                for met in &mut contexts {
                    let end = met.rows.len() as u32;
                    if met.ends.last().map_or(0, |&(_, last)| last) < end {
                        met.ends.push((row, end));
                    }
                }
                begin = end as usize;
            }
        }
        contexts
    }
}

impl Batch {
    /// Puts visits on their shelves.
    fn fill(&mut self, visits: &[(u32, Visit)], shelves: usize) {
        self.starts.clear();
        // One place more: while shelves are filled, where one begins is one to the right of where it will be.
        self.starts.resize(shelves + 2, 0);
        visits.iter().for_each(|&(shelf, _)| self.starts[shelf as usize + 2] += 1);
        add_up(&mut self.starts);
        self.visits.resize(visits.len(), Visit::default());
        for &(shelf, visit) in visits {
            let next = &mut self.starts[shelf as usize + 1];
            self.visits[*next as usize] = visit;
            *next += 1;
        }
        self.starts.pop();
    }

    /// The visits on some shelves.
    fn on(&self, shelves: Range<usize>) -> &[Visit] {
        &self.visits[self.starts[shelves.start] as usize..self.starts[shelves.end] as usize]
    }
}

/// A shelf's visits from all batches, by node.
#[derive(Default)]
struct Shelf {
    visits: Vec<Visit>,
    /// Where the visits of each node end.
    ends: Vec<u32>,
}

impl Shelf {
    fn take(&mut self, batches: &[Batch], shelf: usize, rows: usize) {
        self.ends.clear();
        self.ends.resize(rows + 1, 0);
        for (i, batch) in batches.iter().enumerate() {
            if let Some(coming) = batches.get(i + 2 * BATCHES_AHEAD) {
                prefetch_index(&coming.starts, shelf);
            }
            if let Some(coming) = batches.get(i + BATCHES_AHEAD) {
                prefetch_index(&coming.visits, coming.starts[shelf] as usize);
            }
            batch.on(shelf..shelf + 1).iter().for_each(|visit| self.ends[visit.row as usize + 1] += 1);
        }
        add_up(&mut self.ends);
        self.visits.resize(self.ends[rows] as usize, Visit::default());
        for batch in batches {
            for &visit in batch.on(shelf..shelf + 1) {
                let next = &mut self.ends[visit.row as usize];
                self.visits[*next as usize] = visit;
                *next += 1;
            }
        }
        self.ends.pop();
    }
}

/// Every number becomes the sum of all up to it.
fn add_up(numbers: &mut [u32]) {
    let mut sum = 0;
    for number in numbers {
        sum += *number;
        *number = sum;
    }
}

/// Walks of a batch, in whole groups that go abreast.
fn walks_of_a_batch(length: usize) -> usize {
    BATCH_VISITS.div_ceil(length).next_multiple_of(ABREAST)
}

/// For each position of a walk the places around it, itself among them, in a window of random reach.
pub(super) fn windows(
    length: usize,
    reach: usize,
    rng: &mut Stream,
) -> impl Iterator<Item = Range<usize>> + '_ {
    (0..length).map(move |i| {
        let reach = 1 + rng.below(reach as u32) as usize;
        i.saturating_sub(reach)..(i + reach + 1).min(length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn every_pair_of_the_walks_comes_to_its_node_and_block_in_the_order_of_the_walks() {
        compare_with_the_obvious_way(2000, 700, 1);
        compare_with_the_obvious_way(3 * 2 * SHELF_ROWS as u32 - 100, 4000, 2);
    }

    /// Walks on a ring, cut into three blocks of so many shelves each.
    fn compare_with_the_obvious_way(nodes: u32, walk_count: usize, shelves: usize) {
        let graph = Graph::from_edges((0..nodes).map(|i| (i, (i + 1) % nodes)));
        let node_count = nodes as usize;
        let blocks = Blocks::new(node_count, 3);
        assert_eq!((blocks.count, Shelves::new(blocks).of_a_block), (3, shelves));
        let chunk = node_count - 100..node_count - 100 + walk_count;
        let plan = WalkPlan { seed: 1, epoch: 0, length: 20, window: 3 };
        let walker = Walker::new(&graph);
        let mut plain = vec![vec![Vec::new(); 3]; node_count];
        let mut walk = Vec::new();
        for w in chunk.clone() {
            let mut rng = stream(1, Purpose::Walk, 0, w as u64);
            walker.walk(w as u32 % nodes, 20, &mut rng, &mut walk);
            for (&node, window) in walk.iter().zip(windows(walk.len(), 3, &mut rng)) {
                for &context in walk[window].iter().filter(|&&context| context != node) {
                    let block = context as usize / blocks.size;
                    plain[node as usize][block].push(context - (block * blocks.size) as u32);
                }
            }
        }
        let mut walks = Walks::default();
        walks.make(&walker, node_count, 0..300, &plan, blocks, &|| false); // forgotten
        walks.make(&walker, node_count, chunk, &plan, blocks, &|| false);
        let spare = Spare::default();
        for block in [1, 0, 1, 2] {
            let met = walks.contexts(block, blocks, node_count, &spare);
            for (context_block, met) in met.iter().enumerate() {
                let (mut start, mut left) = (0, met.ends.iter());
                let range = blocks.range(block, node_count);
                for node in range.filter(|&node| !plain[node][context_block].is_empty()) {
                    let &(row, end) = left.next().expect("a node that met somebody");
                    assert_eq!(block * blocks.size + row as usize, node);
                    let found = &met.rows[start..end as usize];
                    assert_eq!(found, plain[node][context_block], "node {node}, block {context_block}");
                    start = end as usize;
                }
                assert!(left.next().is_none(), "nobody else met anybody");
            }
            met.into_iter().for_each(|met| spare.put(met)); // serves again
        }
    }

    #[test]
    fn an_isolated_node_meets_nobody() {
        let (graph, _) = crate::graph::EdgeList { node_count: 3, pairs: vec![(0, 1)], weights: None }.build();
        let blocks = Blocks::new(3, 8);
        let mut walks = Walks::default();
        let plan = WalkPlan { seed: 1, epoch: 0, length: 5, window: 2 };
        walks.make(&Walker::new(&graph), 3, 0..3, &plan, blocks, &|| false);
        let met = walks.contexts(0, blocks, 3, &Spare::default());
        assert_eq!(met[0].ends.iter().map(|&(row, _)| row).collect::<Vec<_>>(), [0, 1]);
        assert!(met[0].rows.iter().all(|&context| context < 2));
    }
}
