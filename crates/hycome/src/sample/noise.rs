//! Negative samples: nodes drawn with probability ∝ degree^(3/4).
//!
//! The exponent, from word2vec, lies between uniform noise and noise by frequency.

use super::AliasTable;
use crate::graph::{Graph, NodeId};
use crate::rng::Stream;

/// How strongly noise prefers nodes of high degree.
const DEGREE_EXPONENT: f64 = 0.75;

/// How much a node weighs as noise.
#[must_use]
pub fn noise_weight(graph: &Graph, node: NodeId) -> f64 {
    (graph.degree(node) as f64).powf(DEGREE_EXPONENT)
}

/// Draws negatives, one by one, from all nodes.
#[derive(Clone, Debug)]
pub struct NoiseSampler {
    table: Option<AliasTable>,
}

impl NoiseSampler {
    /// The sampler of a graph.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let weights: Vec<f64> = graph.nodes().map(|node| noise_weight(graph, node)).collect();
        Self { table: AliasTable::new(&weights) }
    }

    /// A node; `None` if every node is isolated.
    #[inline(always)]
    pub fn draw(&self, stream: &mut Stream) -> Option<u32> {
        self.table.as_ref().map(|table| table.draw(stream))
    }
}
