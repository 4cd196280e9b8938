//! Second-order loss O₂: skip-gram with negative sampling on random walks (Mikolov et al. 2013; Perozzi et al. 2014).
//!
//! The loss of a node φᵢ with context φ'ⱼ is −ln σ(−d²(φᵢ, φ'ⱼ)) − Σₖ ln σ(d²(φᵢ, φ'ₖ)) over negatives k. An epoch is a sequence of
//! chunks of walks ([`pair_index`](crate::train::engine::pair_index)); while the buckets of a chunk are trained in parallel
//! ([`scheduler`](crate::train::engine::scheduler), [`bucket`](crate::train::engine::bucket)), the walks of the next are generated.

use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::graph::Graph;
use crate::interrupt;
use crate::rng::{Purpose, stream};
use crate::sampling::Walker;
use crate::train::engine::bucket::Bucket;
use crate::train::engine::chunks::walks_per_chunk;
use crate::train::engine::negative_sampler::BlockNegativeSampler;
use crate::train::engine::pair_index::{BufferPool, Contexts, WalkChunk, WalkPlan, WalkSource};
use crate::train::engine::pair_update::StepSize;
use crate::train::engine::partition::Partition;
use crate::train::engine::scheduler::{Rounds, for_each_bucket};
use crate::train::engine::throttle::Throttle;
use crate::train::state::TrainState;

/// Bits that number the buckets of a chunk: enough for 4096 blocks of nodes and of contexts, the maximum.
const BUCKET_BITS: u32 = 24;

/// Walker, negative samplers and partition of a graph whose nodes are in the order of [`Partition::order`].
#[derive(Debug)]
pub(crate) struct SecondOrder<'g> {
    walker: Walker<'g>,
    samplers: Vec<BlockNegativeSampler>,
    partition: Partition,
    node_count: usize,
}

/// Walks and negatives of an epoch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EpochPlan {
    /// Random streams, length and window of the walks.
    pub walk: WalkPlan,
    /// Walks per node.
    pub walks: usize,
    /// Negatives per positive pair, on average.
    pub negatives: f64,
    /// Exponent of the degree in their distribution.
    pub noise_exponent: f64,
}

/// Progress callback within a chunk: the fraction of the epoch's walks that is trained and its pair updates so far. It is called from any
/// thread, a few times a second; [`ControlFlow::Break`] stops the epoch between two buckets.
pub(crate) type Tick<'a> = dyn Fn(f64, u64) -> ControlFlow<()> + Sync + 'a;

/// Callback after each chunk, when the state can be resumed; [`ControlFlow::Break`] stops the epoch.
pub(crate) type OnChunk<'a> = dyn FnMut(&mut TrainState) -> ControlFlow<()> + 'a;

impl<'g> SecondOrder<'g> {
    /// Prepares walks and negatives of a graph partitioned into at most `max_blocks` blocks.
    #[must_use]
    pub(crate) fn new(graph: &'g Graph, max_blocks: usize, noise_exponent: f64) -> Self {
        let node_count = graph.node_count();
        let partition = Partition::new(node_count, max_blocks);
        let sampler =
            |block| BlockNegativeSampler::new(graph, partition.range(block, node_count), noise_exponent);
        let samplers = (0..partition.block_count).map(sampler).collect();
        Self { walker: Walker::new(graph), samplers, partition, node_count }
    }

    /// Trains one epoch, or the rest of it from the cursor of the state; `step_size` gives the step size at a fraction of the epoch.
    ///
    /// The epoch stops between two buckets if `tick` breaks or [`interrupt`] is requested, and after a chunk if `on_chunk`
    /// breaks. It can be resumed from the state, with the same result.
    pub(crate) fn epoch(
        &self,
        state: &mut TrainState,
        plan: &EpochPlan,
        step_size: &dyn Fn(f64) -> StepSize,
        tick: &Tick<'_>,
        on_chunk: &mut OnChunk<'_>,
    ) -> ControlFlow<()> {
        let walk_count = plan.walks * self.node_count;
        let size = walks_per_chunk(plan.walk.length, plan.walk.window, self.node_count, walk_count);
        let walks_of = |chunk: usize| chunk * size..((chunk + 1) * size).min(walk_count);
        let has_broken = AtomicBool::new(false);
        let is_stopped = || has_broken.load(Ordering::Relaxed) || interrupt::is_requested();
        let source = WalkSource {
            walker: &self.walker,
            node_count: self.node_count,
            plan: &plan.walk,
            partition: self.partition,
        };
        let generate = |walks: &mut WalkChunk, chunk| walks.generate(&source, walks_of(chunk), &is_stopped);
        let (mut current, mut next) = (WalkChunk::default(), WalkChunk::default());
        let (pool, throttle) = (BufferPool::default(), Throttle::default());
        let first = state.cursor.walks.div_ceil(size);
        if state.cursor.walks < walk_count {
            generate(&mut current, first);
        }
        for chunk in first..walk_count.div_ceil(size) {
            // Walks that were being generated when the stop was requested are incomplete.
            if is_stopped() {
                return ControlFlow::Break(());
            }
            let Range { start, end } = walks_of(chunk);
            let task = ChunkTask {
                walks: &current,
                pool: &pool,
                plan,
                first_walk: start as u64,
                step_size: step_size(start as f64 / walk_count as f64),
                is_stopped: &is_stopped,
            };
            let report = |trained: f64, pairs: u64| {
                let walks = start as f64 + trained * (end - start) as f64;
                if throttle.is_due() && tick(walks / walk_count as f64, pairs).is_break() {
                    has_broken.store(true, Ordering::Relaxed);
                }
            };
            let (rounds, ()) = rayon::join(
                || self.train_chunk(state, &task, &report),
                || {
                    if end < walk_count {
                        generate(&mut next, chunk + 1);
                    }
                },
            );
            std::mem::swap(&mut current, &mut next);
            if rounds.iter().any(|&done| (done as usize) < self.partition.block_count) {
                state.cursor.rounds = rounds;
                return ControlFlow::Break(());
            }
            (state.cursor.walks, state.cursor.rounds) = (end, Rounds::new());
            if on_chunk(state).is_break() || is_stopped() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Trains the remaining buckets of a chunk and returns the completed rounds; `report` gets the fraction of the chunk that is
    /// trained and the pair updates of the epoch.
    fn train_chunk(
        &self,
        state: &mut TrainState,
        task: &ChunkTask<'_>,
        report: &(dyn Fn(f64, u64) + Sync),
    ) -> Rounds {
        let &ChunkTask { walks, pool, plan, first_walk, step_size, is_stopped } = task;
        let TrainState { cursor, nodes, contexts, .. } = state;
        let (dim, stride, geometry) = (nodes.dim(), nodes.stride(), nodes.geometry());
        let Partition { block_count, block_size, .. } = self.partition;
        let counts = Mutex::new(cursor.counts);
        let done = AtomicUsize::new(cursor.rounds.iter().map(|&rounds| rounds as usize).sum());
        // The contexts of a block of nodes are indexed when its first bucket begins.
        let node_blocks =
            nodes.data_mut().chunks_mut(block_size * stride).map(|rows| (rows, Vec::<Contexts>::new()));
        let context_blocks = contexts.data_mut().chunks_mut(block_size * stride);
        let rounds = for_each_bucket(
            node_blocks,
            context_blocks,
            &cursor.rounds,
            is_stopped,
            |node_block, context_block, (node_rows, indexed), context_rows| {
                if indexed.is_empty() {
                    *indexed = walks.contexts(node_block, self.partition, self.node_count, pool);
                }
                let contexts = std::mem::take(&mut indexed[context_block]);
                let number = (first_walk << BUCKET_BITS) ^ (node_block * block_count + context_block) as u64;
                let bucket = Bucket {
                    dim,
                    node_rows,
                    context_rows,
                    contexts: &contexts,
                    sampler: &self.samplers[context_block],
                    negatives: plan.negatives,
                    rng: stream(plan.walk.seed, Purpose::Noise, plan.walk.epoch, number),
                    step_size,
                };
                let trained = bucket.train(geometry);
                pool.put(contexts);
                let pairs = {
                    let mut counts = counts.lock().expect("no bucket has panicked");
                    counts.add(trained);
                    counts.pairs
                };
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                report(done as f64 / (block_count * block_count) as f64, pairs);
            },
        );
        cursor.counts = counts.into_inner().expect("no bucket has panicked");
        rounds
    }
}

/// Walks of a chunk and the settings of its training.
struct ChunkTask<'a> {
    walks: &'a WalkChunk,
    pool: &'a BufferPool,
    plan: &'a EpochPlan,
    /// First walk of the chunk; it addresses the random streams of the buckets.
    first_walk: u64,
    step_size: StepSize,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
}
