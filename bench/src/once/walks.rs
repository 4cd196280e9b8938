//! Random walks, made and kept.

use hycome::rng::{Purpose, stream};
use hycome::sample::{ABREAST, Together, Walker};
use hycome::{Graph, NodeId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use super::order::Order;
use crate::clock::{Time, time};
use crate::graphs::GraphOptions;

/// Walks that one task makes.
const BATCH: usize = 512;

/// Flags of `once walks`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    plan: Plan,
    /// In which order nodes lie in memory.
    #[arg(long, value_enum, default_value_t)]
    order: Order,
    /// Make the walks so many times, and tell the shortest.
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: usize,
}

/// How many walks, and of which length.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// Walks from each node.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub walks: usize,
    /// Nodes of a walk.
    #[arg(long, value_name = "N", default_value_t = 80)]
    pub walk_length: usize,
    /// Walks that go side by side, so that one does not wait for the memory of another.
    #[arg(long, value_name = "N", default_value_t = ABREAST, value_parser = abreast)]
    pub abreast: usize,
}

fn abreast(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=ABREAST).contains(number));
    number.ok_or_else(|| format!("expected a number from 1 to {ABREAST}"))
}

/// What walking took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Walking {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Threads.
    pub threads: usize,
    /// Walks that were made.
    pub walks: usize,
    /// Steps from a node to a neighbour.
    pub steps: usize,
    /// Making them.
    pub walking: Time,
}

impl Options {
    /// Walks.
    pub fn measure(&self) -> anyhow::Result<Walking> {
        let graph = self.order.apply(self.graph.load()?.graph);
        let pool = self.threads.pool()?;
        let (mut walking, mut walks) = (Time::LONGEST, Vec::new());
        for _ in 0..self.repeats {
            drop(std::mem::take(&mut walks));
            let (took, made) = time(|| pool.install(|| make(&graph, self.plan)));
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

/// Walks one after the other.
#[derive(Debug, Default)]
pub struct Walks {
    nodes: Vec<NodeId>,
    ends: Vec<usize>,
}

impl Walks {
    /// The walks.
    pub fn iter(&self) -> impl Iterator<Item = &[NodeId]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.nodes[start..end])
    }
}

/// The walks of an epoch, as a training makes them: walk w starts at node w mod n.
pub fn make(graph: &Graph, plan: Plan) -> Vec<Walks> {
    let (walker, nodes) = (Walker::new(graph), graph.node_count());
    let count = plan.walks * nodes;
    let batch = |batch: usize| {
        let mut made = Walks::default();
        let mut together = Together::default();
        let numbers: Vec<usize> = (batch * BATCH..count.min((batch + 1) * BATCH)).collect();
        made.nodes.reserve_exact(numbers.len() * plan.walk_length);
        for numbers in numbers.chunks(plan.abreast) {
            let start = |&w: &usize| ((w % nodes) as NodeId, stream(1, Purpose::Walk, 0, w as u64));
            walker.walk_together(numbers.iter().map(start), plan.walk_length, &mut together);
            for (walk, _) in together.walks() {
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
    fn as_many_walks_of_the_length_as_asked_for() {
        let graph = ring_of_cliques();
        let made = make(&graph, Plan { walks: 2, walk_length: 5, abreast: 3 });
        let walks: Vec<&[NodeId]> = made.iter().flat_map(Walks::iter).collect();
        assert_eq!(walks.len(), 2 * 13_184);
        assert!(walks.iter().enumerate().all(|(w, walk)| walk.len() == 5 && walk[0] as usize == w % 13_184));
    }
}
