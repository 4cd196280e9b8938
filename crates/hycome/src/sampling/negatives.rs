//! Negative sampling distribution: P(v) ∝ degree(v)^(3/4) (Mikolov et al. 2013).
//!
//! The exponent lies between uniform sampling and sampling by frequency.

use super::AliasTable;
use crate::graph::{Graph, NodeId};
use crate::rng::Stream;

/// Exponent of the degree.
const DEGREE_EXPONENT: f64 = 0.75;

/// Unnormalized probability of a node as a negative sample.
#[must_use]
pub(crate) fn negative_weight(graph: &Graph, node: NodeId) -> f64 {
    (graph.degree(node) as f64).powf(DEGREE_EXPONENT)
}

/// Draws negative samples one by one from all nodes.
#[derive(Clone, Debug)]
pub(crate) struct NegativeSampler {
    table: Option<AliasTable>,
}

impl NegativeSampler {
    /// Sampler of a graph.
    #[must_use]
    pub(crate) fn new(graph: &Graph) -> Self {
        let weights: Vec<f64> = graph.nodes().map(|node| negative_weight(graph, node)).collect();
        Self { table: AliasTable::new(&weights) }
    }

    /// A node; `None` if every node is isolated.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Stream) -> Option<u32> {
        self.table.as_ref().map(|table| table.draw(stream))
    }
}
