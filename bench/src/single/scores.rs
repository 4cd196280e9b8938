//! Scores of random communities: the worst case, without memory locality.

use std::path::PathBuf;

use hycome::NodeId;
use hycome::io::read_graph;
use hycome::metrics::{mean_conductance, modularity, normalized_mutual_information};
use serde::Serialize;

use super::ThreadOptions;
use crate::clock::{Time, time};

/// Number of communities of each partition.
pub const COMMUNITIES: u32 = 100;

/// Flags of `single scores`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// File of the graph.
    file: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// A score and its time.
#[derive(Clone, Copy, Debug, Serialize)]
struct Score {
    value: f64,
    #[serde(flatten)]
    time: Time,
}

/// Measurement of the scores.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Scoring {
    nodes: usize,
    edges: usize,
    threads: usize,
    communities: u32,
    conductance: Score,
    modularity: Score,
    nmi: Score,
}

impl Options {
    /// Computes the scores.
    pub fn measure(&self) -> anyhow::Result<Scoring> {
        let loaded = read_graph(&self.file)?;
        let graph = &loaded.graph;
        let number = |node: NodeId| -> u32 { loaded.names.name(node).parse().unwrap_or(node) };
        let found: Vec<u32> = graph.nodes().map(|node| community(number(node), FOUND)).collect();
        let truth: Vec<u32> = graph.nodes().map(|node| community(number(node), TRUTH)).collect();
        let pool = self.threads.pool()?;
        let timed = |score: &(dyn Fn() -> f64 + Sync)| {
            let (time, value) = time(|| pool.install(score));
            Score { value, time }
        };
        Ok(Scoring {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            threads: self.threads.count(),
            communities: COMMUNITIES,
            conductance: timed(&|| mean_conductance(graph, &found, COMMUNITIES as usize)),
            modularity: timed(&|| modularity(graph, &found)),
            nmi: timed(&|| normalized_mutual_information(&found, &truth)),
        })
    }
}

/// Odd multipliers of two hashes. `bench/peers/workers/communities.py` has the same.
const FOUND: u32 = 2_654_435_761;
const TRUTH: u32 = 2_246_822_519;

/// Pseudorandom community of a node.
fn community(node: u32, multiplier: u32) -> u32 {
    (node.wrapping_mul(multiplier) >> 7) % COMMUNITIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communities_have_similar_sizes() {
        let mut sizes = [0; COMMUNITIES as usize];
        (0..100_000).for_each(|number| sizes[community(number, FOUND) as usize] += 1);
        assert!(sizes.iter().all(|size| (900..1100).contains(size)), "{sizes:?}");
    }
}
