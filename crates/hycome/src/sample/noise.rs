//! Negative samples: nodes drawn with probability ∝ degree^(3/4).
//!
//! The exponent, from word2vec, lies between uniform noise and noise by frequency. A sampler serves one
//! contiguous range of nodes, so that its table stays in the nearest cache.

use std::ops::Range;

use super::AliasTable;
use crate::graph::Graph;
use crate::rng::Stream;

/// How strongly noise prefers nodes of high degree.
const DEGREE_EXPONENT: f64 = 0.75;

/// Draws negatives from a range of nodes.
#[derive(Clone, Debug)]
pub struct NoiseSampler {
    table: Option<AliasTable>,
}

impl NoiseSampler {
    /// The sampler of the nodes in `range`.
    #[must_use]
    pub fn new(graph: &Graph, range: Range<usize>) -> Self {
        let weights: Vec<f64> =
            range.map(|node| (graph.degree(node as u32) as f64).powf(DEGREE_EXPONENT)).collect();
        Self { table: AliasTable::new(&weights) }
    }

    /// A node, counted from the start of the range; `None` if every node of it is isolated.
    #[inline(always)]
    pub fn draw(&self, stream: &mut Stream) -> Option<u32> {
        self.table.as_ref().map(|table| table.draw(stream))
    }
}
