//! Negative sampling distribution: P(v) ∝ degree(v)^x (Mikolov et al. 2013, with x = 3/4).
//!
//! The noise exponent x interpolates between uniform sampling, 0, and sampling by frequency, 1.

use super::AliasTable;
use crate::graph::{Graph, NodeId};
use crate::rng::Stream;

/// Unnormalized probability of a node as a negative sample.
#[must_use]
pub(crate) fn negative_weight(graph: &Graph, node: NodeId, noise_exponent: f64) -> f64 {
    let degree = graph.degree(node) as f64;
    if degree > 0.0 { degree.powf(noise_exponent) } else { 0.0 }
}

/// Draws negative samples one by one from all nodes.
#[derive(Clone, Debug)]
pub(crate) struct NegativeSampler {
    table: Option<AliasTable>,
}

impl NegativeSampler {
    /// Sampler of a graph.
    #[must_use]
    pub(crate) fn new(graph: &Graph, noise_exponent: f64) -> Self {
        let weights: Vec<f64> =
            graph.nodes().map(|node| negative_weight(graph, node, noise_exponent)).collect();
        Self { table: AliasTable::new(&weights) }
    }

    /// A node; `None` if every node is isolated.
    #[inline(always)]
    pub(crate) fn draw(&self, stream: &mut Stream) -> Option<u32> {
        self.table.as_ref().map(|table| table.draw(stream))
    }
}
