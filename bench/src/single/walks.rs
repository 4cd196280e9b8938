//! Random-walk generation, with the walks kept in memory.

use hycome::rng::{Purpose, stream};
use hycome::train::bench_support::{INTERLEAVED_WALKS, InterleavedWalks, Walker};
use hycome::{Graph, NodeId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use super::node_order::NodeOrder;
use crate::clock::{Time, time};
use crate::graphs::GraphOptions;

/// Walks per parallel task.
const BATCH: usize = 512;

/// Flags of `single walks`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    walks: WalkOptions,
    /// Order of the nodes in memory.
    #[arg(long, value_enum, default_value_t)]
    order: NodeOrder,
    /// Number of repetitions; the shortest counts.
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: usize,
}

/// Number and length of the walks.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct WalkOptions {
    /// Walks per node.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub walks: usize,
    /// Nodes per walk.
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub walk_length: usize,
    /// Interleaved walks, which hide the memory latency of each other.
    #[arg(long, value_name = "N", default_value_t = INTERLEAVED_WALKS, value_parser = interleaved)]
    pub interleaved: usize,
}

fn interleaved(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=INTERLEAVED_WALKS).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {INTERLEAVED_WALKS}"))
}

/// Measurement of walk generation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Walking {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Number of threads.
    pub threads: usize,
    /// Generated walks.
    pub walks: usize,
    /// Steps from a node to a neighbor.
    pub steps: usize,
    /// Time of the generation.
    pub walking: Time,
}

impl Options {
    /// Generates the walks.
    pub fn measure(&self) -> anyhow::Result<Walking> {
        let graph = self.order.apply(self.graph.load()?.graph);
        let pool = self.threads.pool()?;
        let (mut walking, mut walks) = (Time::MAX, Vec::new());
        for _ in 0..self.repeats {
            drop(std::mem::take(&mut walks));
            let (took, made) = time(|| pool.install(|| make(&graph, self.walks)));
            walks = made;
            walking = walking.min(took);
        }
        Ok(Walking {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            threads: self.threads.count(),
            walks: walks.iter().map(|batch| batch.ends.len()).sum(),
            steps: walks.iter().map(|batch| batch.nodes.len() - batch.ends.len()).sum(),
            walking,
        })
    }
}

/// Walks, concatenated.
#[derive(Debug, Default)]
pub struct WalkBatch {
    nodes: Vec<NodeId>,
    ends: Vec<usize>,
}

impl WalkBatch {
    /// Iterates over the walks.
    pub fn iter(&self) -> impl Iterator<Item = &[NodeId]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.nodes[start..end])
    }
}

/// Generates the walks of one training epoch: walk w starts at node w mod n.
pub fn make(graph: &Graph, options: WalkOptions) -> Vec<WalkBatch> {
    let (walker, nodes) = (Walker::new(graph), graph.node_count());
    let count = options.walks * nodes;
    let batch = |batch: usize| {
        let mut made = WalkBatch::default();
        let mut together = InterleavedWalks::default();
        let numbers: Vec<usize> = (batch * BATCH..count.min((batch + 1) * BATCH)).collect();
        made.nodes.reserve_exact(numbers.len() * options.walk_length);
        for numbers in numbers.chunks(options.interleaved) {
            let start = |&w: &usize| ((w % nodes) as NodeId, stream(1, Purpose::Walk, 0, w as u64));
            walker.walk_interleaved(numbers.iter().map(start), options.walk_length, &mut together);
            for (walk, _) in together.iter_mut() {
                made.nodes.extend_from_slice(walk);
                made.ends.push(made.nodes.len());
            }
        }
        made
    };
    (0..count.div_ceil(BATCH)).into_par_iter().map(batch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::ring_of_cliques;

    #[test]
    fn walks_have_the_requested_number_and_length() {
        let graph = ring_of_cliques();
        let made = make(&graph, WalkOptions { walks: 2, walk_length: 5, interleaved: 3 });
        let walks: Vec<&[NodeId]> = made.iter().flat_map(WalkBatch::iter).collect();
        assert_eq!(walks.len(), 2 * 13_184);
        assert!(walks.iter().enumerate().all(|(w, walk)| walk.len() == 5 && walk[0] as usize == w % 13_184));
    }
}
