//! O₂: each node predicts the nodes it meets on random walks.
//!
//! The loss of a node φᵢ seen with context φ'ⱼ is −ln σ(−d²(φᵢ, φ'ⱼ)) − Σₖ ln σ(d²(φᵢ, φ'ₖ)) over negatives k, d² being what
//! the geometry measures pairs by ([`super::flat_kernel`] has the others). Walks
//! are made a chunk at a time ([`super::visits`]), while the buckets ([`super::blocks`]) of the chunk before are
//! trained ([`super::schedule`]). A bucket cuts each node's contexts into groups, draws
//! tiles of noise for each ([`super::deck`]) and gives both to the [`Kernel`].

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::blocks::Blocks;
use super::config::TrainConfig;
use super::deck::{Deck, Hand};
use super::flat_kernel::{Dot, FlatKernel, Squared};
use super::kernel::{BallKernel, Group, Kernel};
use super::lanes::{Kind, LANES, Lanes, Pace};
use super::schedule::{Rounds, for_each_bucket};
use super::table::Table;
use super::ticker::Ticker;
use super::tiles::{Tiles, tile_at_origin};
use super::visits::{Contexts, Spare, WalkPlan, Walks};
use crate::geometry::Geometry;
use crate::graph::Graph;
use crate::interrupt;
use crate::rng::{Purpose, Stream, stream};
use crate::sample::Walker;

/// A chunk makes about this many positives per node, so that a bucket finds many contexts of each node.
const CHUNK_PAIRS_PER_NODE: usize = 256;

/// On larger graphs, where that would be more than [`CHUNK_PAIRS`], at least this many.
const LEAST_PAIRS_PER_NODE: usize = 64;

/// A chunk of a graph of moderate size holds at most this many positives, some ten bytes each.
const CHUNK_PAIRS: usize = 1 << 22;

/// A chunk of the largest graphs holds at most this many: seven gigabytes.
const LARGEST_CHUNK_PAIRS: usize = 5 << 27;

/// Tiles that are compared together have at most this many bytes, so that they stay in the nearest cache.
const NEAR: usize = 1 << 13;

/// Contexts that are asked for before they are picked, where a block of them is too large for the nearer caches.
const AHEAD: usize = 16;

/// The size of such a block, in bytes.
const FAR: usize = 1 << 22;

/// Enough to number the buckets of 4096 blocks of nodes and as many of contexts, the most there can be.
const BUCKET_BITS: u32 = 24;

/// Walks, noise and blocks of a graph whose nodes are in the order of [`Blocks::order`].
#[derive(Debug)]
pub struct SecondOrder<'g> {
    walker: Walker<'g>,
    decks: Vec<Deck>,
    blocks: Blocks,
    node_count: usize,
}

/// What an epoch of it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Pairs seen together.
    pub positives: u64,
    /// Pair updates: positives and their negatives.
    pub pairs: u64,
    /// Steps that were not made because they would have left the ball; none in flat space.
    pub dropped: u64,
}

/// How an epoch is to be walked.
#[derive(Clone, Copy, Debug)]
pub struct EpochPlan {
    /// Streams, lengths and windows.
    pub walk: WalkPlan,
    /// Walks from each node.
    pub walks: usize,
    /// Negatives of each positive, on average.
    pub negatives: f64,
}

/// How things are after a chunk of walks.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// φ.
    pub nodes: &'a Table,
    /// φ'.
    pub contexts: &'a Table,
    /// Walks of the epoch that are trained.
    pub walks: usize,
    /// All walks of the epoch.
    pub all: usize,
    /// What the epoch did so far.
    pub counts: Counts,
}

/// How far the walks of an epoch are; enough to resume it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reached {
    /// Walks whose chunks are trained.
    pub walks: usize,
    /// Buckets of the next chunk that are; empty if it has not begun.
    pub rounds: Rounds,
    /// What they did.
    pub counts: Counts,
}

/// Progress callback inside a chunk: the share of the epoch's walks that is trained and the pair updates so far. It is called from
/// any thread, a few times a second; [`ControlFlow::Break`] stops the epoch between two buckets.
pub type Tick<'a> = dyn Fn(f64, u64) -> ControlFlow<()> + Sync + 'a;

impl Counts {
    /// Adds what another part of the epoch did.
    pub fn add(&mut self, other: Self) {
        self.positives += other.positives;
        self.pairs += other.pairs;
        self.dropped += other.dropped;
    }
}

impl<'g> SecondOrder<'g> {
    /// Prepares the walks of a graph cut into at most `block_count` blocks.
    #[must_use]
    pub fn new(graph: &'g Graph, block_count: usize) -> Self {
        let node_count = graph.node_count();
        let blocks = Blocks::new(node_count, block_count);
        let decks =
            (0..blocks.count).map(|block| Deck::new(graph, blocks.range(block, node_count))).collect();
        Self { walker: Walker::new(graph), decks, blocks, node_count }
    }

    /// Trains one epoch, or the rest of it from `reached` on; `pace` gives the step size at a share of the epoch, `watch` is
    /// called after every chunk.
    ///
    /// The epoch stops between two buckets if `tick` breaks or [`interrupt`] is requested, and after a chunk if `watch`
    /// breaks. It can be resumed from what is returned, with the same result.
    #[allow(clippy::too_many_arguments)] // what is moved, by which pairs, how, and who is told
    pub fn epoch(
        &self,
        nodes: &mut Table,
        contexts: &mut Table,
        plan: &EpochPlan,
        mut reached: Reached,
        pace: impl Fn(f64) -> Pace,
        tick: &Tick<'_>,
        watch: &mut dyn FnMut(&Chunk<'_>) -> ControlFlow<()>,
    ) -> (Reached, ControlFlow<()>) {
        let walk_count = plan.walks * self.node_count;
        let size = chunk_walks(plan.walk.length, plan.walk.window, self.node_count, walk_count);
        let chunk = |number: usize| number * size..((number + 1) * size).min(walk_count);
        let has_broken = AtomicBool::new(false);
        let is_stopped = || has_broken.load(Ordering::Relaxed) || interrupt::is_requested();
        let make = |walks: &mut Walks, number: usize| {
            walks.make(&self.walker, self.node_count, chunk(number), &plan.walk, self.blocks, &is_stopped);
        };
        let (mut walks, mut next, spare) = (Walks::default(), Walks::default(), Spare::default());
        let first = reached.walks.div_ceil(size);
        if reached.walks < walk_count {
            make(&mut walks, first);
        }
        let ticker = Ticker::default();
        for number in first..walk_count.div_ceil(size) {
            // Walks that were being made when the stop was requested are incomplete.
            if is_stopped() {
                return (reached, ControlFlow::Break(()));
            }
            let Range { start, end } = chunk(number);
            let pace = pace(start as f64 / walk_count as f64);
            let buckets = Mutex::new(reached.counts);
            let done = AtomicUsize::new(reached.rounds.iter().map(|&rounds| rounds as usize).sum());
            let bucket_count = self.blocks.count * self.blocks.count;
            let report = |trained: Counts| {
                let pairs = {
                    let mut counts = buckets.lock().expect("no bucket has failed");
                    counts.add(trained);
                    counts.pairs
                };
                let share = (done.fetch_add(1, Ordering::Relaxed) + 1) as f64 / bucket_count as f64;
                let walks = start as f64 + share * (end - start) as f64;
                if ticker.is_due() && tick(walks / walk_count as f64, pairs).is_break() {
                    has_broken.store(true, Ordering::Relaxed);
                }
            };
            let task = ChunkTask { walks: &walks, spare: &spare, plan, chunk: start as u64, pace };
            let (rounds, ()) = rayon::join(
                || self.train(nodes, contexts, &task, &reached.rounds, &is_stopped, &report),
                || {
                    if end < walk_count {
                        make(&mut next, number + 1);
                    }
                },
            );
            std::mem::swap(&mut walks, &mut next);
            reached.counts = buckets.into_inner().expect("no bucket has failed");
            if rounds.iter().any(|&done| (done as usize) < self.blocks.count) {
                reached.rounds = rounds;
                return (reached, ControlFlow::Break(()));
            }
            (reached.walks, reached.rounds) = (end, Rounds::new());
            let chunk = Chunk { nodes, contexts, walks: end, all: walk_count, counts: reached.counts };
            if watch(&chunk).is_break() || is_stopped() {
                return (reached, ControlFlow::Break(()));
            }
        }
        (reached, ControlFlow::Continue(()))
    }

    /// All buckets of a chunk but those of `rounds`; returns the rounds that are done then.
    fn train(
        &self,
        nodes: &mut Table,
        contexts: &mut Table,
        task: &ChunkTask<'_>,
        rounds: &[u32],
        is_stopped: &(dyn Fn() -> bool + Sync),
        report: &(dyn Fn(Counts) + Sync),
    ) -> Rounds {
        let &ChunkTask { walks, spare, plan, chunk, pace } = task;
        let (dim, stride, blocks, geometry) = (nodes.dim(), nodes.stride(), self.blocks, nodes.geometry());
        // What the nodes of a block met is known from its first bucket on.
        let node_blocks =
            nodes.data_mut().chunks_mut(blocks.size * stride).map(|rows| (rows, Vec::<Contexts>::new()));
        let context_blocks = contexts.data_mut().chunks_mut(blocks.size * stride);
        for_each_bucket(
            node_blocks,
            context_blocks,
            rounds,
            is_stopped,
            |node_block, context_block, (node_rows, met), context_rows| {
                if met.is_empty() {
                    *met = walks.contexts(node_block, blocks, self.node_count, spare);
                }
                let met = std::mem::take(&mut met[context_block]);
                let bucket = node_block * blocks.count + context_block;
                let name = (chunk << BUCKET_BITS) ^ bucket as u64;
                let task = Bucket {
                    dim,
                    node_rows,
                    context_rows,
                    met: &met,
                    deck: &self.decks[context_block],
                    negatives: plan.negatives,
                    rng: stream(plan.walk.seed, Purpose::Noise, plan.walk.epoch, name),
                    pace,
                };
                let done = match geometry {
                    Geometry::Poincare => train::<BallKernel>(task),
                    Geometry::Come => train::<FlatKernel<Dot>>(task),
                    Geometry::Euclidean => train::<FlatKernel<Squared>>(task),
                };
                spare.put(met);
                report(done);
            },
        )
    }
}

/// A chunk's walks, and how its pairs are trained.
struct ChunkTask<'a> {
    walks: &'a Walks,
    spare: &'a Spare,
    plan: &'a EpochPlan,
    /// The chunk's first walk, which names its random streams.
    chunk: u64,
    pace: Pace,
}

/// How the walks of an epoch are cut.
pub(super) struct Chunks {
    /// Walks of a chunk.
    pub walks: usize,
    /// Walks of the epoch.
    pub all: usize,
}

/// The chunks of an epoch of these settings, on a graph of so many nodes.
pub(super) fn chunks(config: &TrainConfig, window: usize, node_count: usize) -> Chunks {
    let all = config.walks * node_count;
    Chunks { walks: chunk_walks(config.walk_length, window, node_count, all), all }
}

/// Walks of a chunk, of `all` walks of an epoch.
fn chunk_walks(length: usize, window: usize, node_count: usize, all: usize) -> usize {
    let walks = |pairs: usize| pairs.div_ceil(length * (window + 1)).max(1);
    let wanted = walks(CHUNK_PAIRS_PER_NODE * node_count);
    let most = walks(CHUNK_PAIRS.max(LEAST_PAIRS_PER_NODE * node_count).min(LARGEST_CHUNK_PAIRS));
    if wanted <= most {
        return wanted;
    }
    // Where chunks are smaller than one would like, none shall be a small rest.
    all.div_ceil(all.div_ceil(most).max(1)).max(1)
}

/// A bucket's rows and what it needs to train its pairs.
struct Bucket<'a> {
    dim: usize,
    node_rows: &'a mut [f32],
    context_rows: &'a mut [f32],
    met: &'a Contexts,
    deck: &'a Deck,
    negatives: f64,
    rng: Stream,
    pace: Pace,
}

fn train<K: Kernel>(task: Bucket<'_>) -> Counts {
    pulp::Arch::new().dispatch(Train::<K> { task, kernel: PhantomData })
}

/// The training of a bucket, compiled once for each kernel and instruction set.
struct Train<'a, K> {
    task: Bucket<'a>,
    kernel: PhantomData<K>,
}

impl<K: Kernel> pulp::WithSimd for Train<'_, K> {
    type Output = Counts;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> Counts {
        // Of the dimensions that are drawn the compiler knows the number, and has no loops over two coordinates.
        match self.task.dim {
            2 => self.task.train::<K>(2),
            dim => self.task.train::<K>(dim),
        }
    }
}

impl Bucket<'_> {
    #[inline(always)]
    fn train<K: Kernel>(&mut self, dim: usize) -> Counts {
        let depth = dim + 1;
        let mut deck = self.deck.shuffled(&mut self.rng);
        // Tiles of noise for each context. What a group is owed beyond whole tiles is carried on to the next one; the
        // random start makes every group as likely as any other to get the tile.
        let tiles = if deck.is_empty() { 0.0 } else { self.negatives / LANES as f64 };
        let (mut owed, mut drawn) = (self.rng.unit(), 0u64);
        let mut kernel = K::new(dim);
        let mut group = Group::new(self.context_rows.len() / depth);
        let is_far = size_of_val(self.context_rows) > FAR;
        let mut contexts = Tiles::new(self.context_rows, dim);
        if !deck.is_empty() {
            contexts.lay_out(deck.turn());
        }
        let (mut picked, mut hand) = (tile_at_origin(dim), Hand::default());
        let together = NEAR / (depth * size_of::<Lanes>());
        let mut coming = self.met.rows.iter().skip(AHEAD);
        let mut start = 0;
        for &(row, end) in &self.met.ends {
            let row = &mut self.node_rows[row as usize * depth..][..depth];
            for seen in self.met.rows[start..end as usize].chunks(LANES) {
                if is_far {
                    for &row in coming.by_ref().take(seen.len()) {
                        group.fetch(row);
                        contexts.fetch(row);
                    }
                }
                kernel.start(row);
                group.fill(seen);
                for (lane, &context) in group.rows().iter().enumerate() {
                    contexts.pick(context, &mut picked[..depth], lane);
                }
                kernel.compare(Kind::Seen, &mut picked, group.counts(), self.pace);
                for (lane, &context) in group.rows().iter().enumerate() {
                    contexts.put(context, &picked[..depth], lane);
                }

                owed += seen.len() as f64 * tiles;
                while owed >= 1.0 {
                    if deck.is_dealt() {
                        contexts.lay_out(deck.turn());
                    }
                    let noise = deck.draw((owed as usize).min(together).max(1), &mut hand);
                    kernel.compare_each(Kind::Noise, contexts.laid_out(), noise, deck.counts(), self.pace);
                    owed -= noise.len() as f64;
                    drawn += noise.len() as u64;
                }
                kernel.finish(row);
            }
            start = end as usize;
        }
        contexts.put_back();
        let positives = self.met.rows.len() as u64;
        Counts { positives, pairs: positives + LANES as u64 * drawn, dropped: kernel.dropped() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_of_a_large_graph_are_alike_and_those_of_a_small_one_as_large_as_wanted() {
        let nodes = 1_000_000;
        let size = chunk_walks(20, 5, nodes, nodes);
        assert_eq!((size, nodes.div_ceil(size)), (500_000, 2), "not 533,334 and a rest");
        assert_eq!(chunk_walks(80, 5, 1000, 10_000), (256_000usize).div_ceil(480));
        assert_eq!(chunk_walks(20, 5, nodes, 0), 1, "no walks at all are no chunk of them");
    }
}
