//! Parts of the engine for the benchmarks of this repository; not part of the public interface.

use std::ops::ControlFlow;

use super::config::TrainConfig;
use super::engine::pair_index::WalkPlan;
use super::engine::pair_update::StepSize;
use super::engine::partition::Partition;
use super::objective::second_order::{EpochPlan, SecondOrder};
use super::resolved::{GraphSize, ResolvedConfig};
use super::state::{Cursor, TrainState};
use crate::graph::Graph;
pub use crate::sampling::{INTERLEAVED_WALKS, InterleavedWalks, Walker};

/// Number of blocks that a graph of `node_count` nodes is partitioned into, given the setting `blocks`.
#[must_use]
pub fn block_count(node_count: usize, blocks: usize) -> usize {
    Partition::new(node_count, blocks).block_count
}

/// Positives and pair updates of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct EpochPairs {
    /// Positive pairs.
    pub positives: u64,
    /// Positives and negatives.
    pub pairs: u64,
}

/// Second-order training of a graph, without the other steps.
#[derive(Debug)]
pub struct SecondOrderBench {
    graph: Graph,
    config: ResolvedConfig,
    state: TrainState,
}

impl SecondOrderBench {
    /// Random points of `dim` dimensions, and the default settings.
    #[must_use]
    pub fn new(graph: &Graph, dim: usize) -> Self {
        let asked = TrainConfig { dim: Some(dim), warmup_epochs: 0, epochs: 0, ..TrainConfig::default() };
        let config = ResolvedConfig::for_size(&asked, 1, GraphSize::of(graph));
        let order = Partition::new(graph.node_count(), config.blocks).order(graph, config.seed);
        let state = TrainState::new(&config, graph.node_count());
        Self { graph: graph.induced(&order), config, state }
    }

    /// Trains epochs of `walks` walks per node, window 5 and 5 negatives; calls `each` around every epoch.
    pub fn epochs(
        &mut self,
        count: u64,
        walks: usize,
        mut each: impl FnMut(&mut (dyn FnMut() -> EpochPairs + Send)),
    ) {
        let second_order = SecondOrder::new(&self.graph, self.config.blocks, self.config.noise_exponent);
        let step_size = StepSize { rate: 2.0 * self.config.learning_rate as f32, curvature: 1.0 };
        for epoch in 0..count {
            let walk = WalkPlan { seed: 1, epoch, length: self.config.walk_length, window: 5 };
            let plan = EpochPlan { walk, walks, negatives: 5.0, noise_exponent: self.config.noise_exponent };
            each(&mut || {
                self.state.cursor = Cursor::default();
                let tick = |_, _| ControlFlow::Continue(());
                let mut on_chunk = |_: &mut TrainState| ControlFlow::Continue(());
                let _ = second_order.epoch(&mut self.state, &plan, &|_| step_size, &tick, &mut on_chunk);
                let counts = self.state.cursor.counts;
                EpochPairs { positives: counts.positives, pairs: counts.pairs }
            });
        }
    }
}
