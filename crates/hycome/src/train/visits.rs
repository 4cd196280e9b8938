//! The walks of a chunk, and the contexts that each node meets on them.
//!
//! A bucket wants the contexts of one block that the nodes of another have met, node by node. A position of a walk has
//! several contexts, so it is positions that are sorted, not pairs: walks are written one after the other, every
//! position becomes a visit in the list of its node's block, and a block that is to be trained sorts its visits by
//! node and reads the contexts around each, now in the order in which they are needed.

use std::ops::Range;
use std::sync::Mutex;

use prefetch_index::prefetch_index;
use rayon::prelude::*;

use super::blocks::Blocks;
use crate::graph::NodeId;
use crate::rng::{Purpose, Stream, stream};
use crate::sample::{ABREAST, Together, Walker};

/// Walks that are made together by one task: few enough to spread over threads.
pub(super) const BATCH_WALKS: usize = 256;

/// Visits that are asked for before they are read, so that memory answers in time.
const AHEAD: usize = 16;

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
    /// The visits of each batch, by the block of the node.
    batches: Vec<Vec<Vec<Visit>>>,
}

/// A node on a walk, and the window around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    node: NodeId,
    window: Window,
}

/// Places in [`Walks::nodes`]: from the first to before the second.
type Window = (u32, u32);

/// What the nodes of a block met in another.
#[derive(Debug, Default)]
pub struct Contexts {
    /// Contexts, counted from the start of their block, node by node.
    pub rows: Vec<u32>,
    /// The nodes that met any, counted from the start of theirs, and where the contexts of each end.
    pub ends: Vec<(u32, u32)>,
}

/// Lists that have served, so that memory is asked for once.
#[derive(Debug, Default)]
pub struct Spare {
    contexts: Mutex<Vec<Contexts>>,
    windows: Mutex<Vec<Vec<Window>>>,
}

impl Spare {
    /// Takes contexts back that nobody needs any more.
    pub fn put(&self, mut contexts: Contexts) {
        contexts.rows.clear();
        contexts.ends.clear();
        self.contexts.lock().expect("nobody failed while holding it").push(contexts);
    }

    fn contexts(&self) -> Contexts {
        self.contexts.lock().expect("nobody failed while holding it").pop().unwrap_or_default()
    }

    fn windows(&self) -> Vec<Window> {
        self.windows.lock().expect("nobody failed while holding it").pop().unwrap_or_default()
    }

    fn put_windows(&self, windows: Vec<Window>) {
        self.windows.lock().expect("nobody failed while holding it").push(windows);
    }
}

impl Walks {
    /// Makes the walks `walks` of an epoch; walk `w` starts at node `w mod n`.
    pub fn make(
        &mut self,
        walker: &Walker,
        node_count: usize,
        walks: Range<usize>,
        plan: &WalkPlan,
        blocks: Blocks,
    ) {
        self.nodes.resize(walks.len() * plan.length, 0);
        self.batches.resize_with(walks.len().div_ceil(BATCH_WALKS), Vec::new);
        let room = self.nodes.par_chunks_mut(BATCH_WALKS * plan.length);
        self.batches.par_iter_mut().zip(room).enumerate().for_each(|(i, (visits, room))| {
            visits.resize_with(blocks.count, || {
                Vec::with_capacity(visits_in_a_list(plan.length, blocks.count))
            });
            visits.iter_mut().for_each(Vec::clear);
            let mut together = Together::default();
            let mut place = i * BATCH_WALKS * plan.length;
            let first = walks.start + i * BATCH_WALKS;
            let numbers: Vec<usize> = (first..(first + BATCH_WALKS).min(walks.end)).collect();
            for (numbers, room) in numbers.chunks(ABREAST).zip(room.chunks_mut(ABREAST * plan.length)) {
                let streams = numbers.iter().map(|&w| stream(plan.seed, Purpose::Walk, plan.epoch, w as u64));
                let starts = numbers.iter().map(|&w| (w % node_count) as NodeId);
                walker.walk_together(starts.zip(streams), plan.length, &mut together);
                for ((walk, rng), room) in together.walks().zip(room.chunks_mut(plan.length)) {
                    room[..walk.len()].copy_from_slice(walk);
                    for (&node, window) in walk.iter().zip(windows(walk.len(), plan.window, rng)) {
                        let window = ((place + window.start) as u32, (place + window.end) as u32);
                        visits[blocks.of(node)].push(Visit { node, window });
                    }
                    place += plan.length;
                }
            }
        });
    }

    /// What the nodes of a block met, in each block; each node's contexts are in the order of the walks.
    #[must_use]
    pub fn contexts(&self, block: usize, blocks: Blocks, node_count: usize, spare: &Spare) -> Vec<Contexts> {
        let rows = blocks.range(block, node_count);
        let mut windows = spare.windows();
        let ends = self.windows_by_node(block, &rows, &mut windows);
        let met: usize = windows.iter().map(|&(from, to)| (to - from) as usize).sum();
        let mut contexts: Vec<Contexts> = (0..blocks.count).map(|_| spare.contexts()).collect();
        for contexts in &mut contexts {
            contexts.rows.reserve(met / blocks.count);
        }
        let mut start = 0;
        for (row, &end) in (0..).zip(&ends) {
            let node = rows.start as NodeId + row;
            for visit in start..end as usize {
                if let Some(&(from, to)) = windows.get(visit + AHEAD) {
                    prefetch_index(&self.nodes, from as usize);
                    prefetch_index(&self.nodes, to as usize - 1);
                }
                let (from, to) = windows[visit];
                for &context in &self.nodes[from as usize..to as usize] {
                    // A walk that returns to its centre says nothing about a neighbour.
                    if context != node {
                        let block = blocks.of(context);
                        contexts[block].rows.push(context - (block * blocks.size) as u32);
                    }
                }
            }
            for met in &mut contexts {
                let end = met.rows.len() as u32;
                if met.ends.last().map_or(0, |&(_, last)| last) < end {
                    met.ends.push((row, end));
                }
            }
            start = end as usize;
        }
        spare.put_windows(windows);
        contexts
    }

    /// Sorts the windows of a block's visits by node; where each node's end.
    fn windows_by_node(&self, block: usize, rows: &Range<usize>, windows: &mut Vec<Window>) -> Vec<u32> {
        let visits = || self.batches.iter().flat_map(|visits| &visits[block]);
        let row = |visit: &Visit| visit.node as usize - rows.start;
        let mut next = vec![0u32; rows.len() + 1];
        visits().for_each(|visit| next[row(visit) + 1] += 1);
        for row in 0..rows.len() {
            next[row + 1] += next[row];
        }
        windows.resize(next[rows.len()] as usize, (0, 0));
        visits().for_each(|visit| {
            let place = &mut next[row(visit)];
            windows[*place as usize] = visit.window;
            *place += 1;
        });
        next.pop();
        next
    }
}

/// Visits for which a batch has room in its list of a block; the lists of blocks with hubs will grow.
pub(super) fn visits_in_a_list(length: usize, blocks: usize) -> usize {
    let all = BATCH_WALKS * length;
    all.min((all + all / 8).div_ceil(blocks))
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
        let ring: Vec<(u32, u32)> = (0..2000).map(|i| (i, (i + 1) % 2000)).collect();
        let graph = Graph::from_edges(ring);
        let blocks = Blocks::new(2000, 3);
        assert_eq!(blocks.count, 3);
        let plan = WalkPlan { seed: 1, epoch: 0, length: 20, window: 3 };
        let walker = Walker::new(&graph);
        let mut plain = vec![vec![Vec::new(); 3]; 2000];
        let mut walk = Vec::new();
        for w in 1900..2600 {
            let mut rng = stream(1, Purpose::Walk, 0, w);
            walker.walk(w as u32 % 2000, 20, &mut rng, &mut walk);
            for (&node, window) in walk.iter().zip(windows(walk.len(), 3, &mut rng)) {
                for &context in walk[window].iter().filter(|&&context| context != node) {
                    let block = context as usize / blocks.size;
                    plain[node as usize][block].push(context - (block * blocks.size) as u32);
                }
            }
        }
        let mut walks = Walks::default();
        walks.make(&walker, 2000, 0..300, &plan, blocks); // forgotten
        walks.make(&walker, 2000, 1900..2600, &plan, blocks);
        let spare = Spare::default();
        for block in [1, 0, 1, 2] {
            let met = walks.contexts(block, blocks, 2000, &spare);
            for (context_block, met) in met.iter().enumerate() {
                let (mut start, mut left) = (0, met.ends.iter());
                for node in blocks.range(block, 2000).filter(|&node| !plain[node][context_block].is_empty()) {
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
        walks.make(&Walker::new(&graph), 3, 0..3, &plan, blocks);
        let met = walks.contexts(0, blocks, 3, &Spare::default());
        assert_eq!(met[0].ends.iter().map(|&(row, _)| row).collect::<Vec<_>>(), [0, 1]);
        assert!(met[0].rows.iter().all(|&context| context < 2));
    }
}
