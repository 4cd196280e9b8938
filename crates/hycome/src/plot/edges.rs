//! Sampling of the edges that are drawn.
//!
//! All edges up to a limit; beyond it a uniform random sample. The list is in random order, so that every prefix is a
//! uniform sample too: the viewer draws a prefix while it moves.

use super::figure::svg::with_separators;
use crate::graph::{Graph, NodeId};
use crate::rng::{Purpose, stream};

/// Default maximum number of edges in the viewer.
pub const MAX_EDGES: usize = 200_000;

/// A uniform sample of the edges of a graph, in random order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeSample {
    /// The edges, each once.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Number of edges of the graph.
    pub total: usize,
}

impl EdgeSample {
    /// Samples at most `max` edges, deterministically for a seed (reservoir sampling).
    #[must_use]
    pub(crate) fn sample(graph: &Graph, max: usize, seed: u64) -> Self {
        let mut rng = stream(seed, Purpose::PlotEdges, 0, 0);
        let mut pairs: Vec<(NodeId, NodeId)> = Vec::with_capacity(max.min(graph.edge_count()));
        let mut seen = 0u64;
        // Edge i replaces one in the reservoir with probability max/i.
        for u in graph.nodes() {
            for &v in graph.neighbors(u).iter().filter(|&&v| u < v) {
                seen += 1;
                if pairs.len() < max {
                    pairs.push((u, v));
                } else {
                    let place = (rng.unit() * seen as f64) as usize;
                    if let Some(kept) = pairs.get_mut(place) {
                        *kept = (u, v);
                    }
                }
            }
        }
        rng.shuffle(&mut pairs);
        Self { pairs, total: graph.edge_count() }
    }

    /// A note on the sample; none if it has all edges.
    #[must_use]
    pub(crate) fn note(&self) -> Option<String> {
        let (shown, total) = (self.pairs.len(), self.total);
        (shown < total).then(|| {
            let (shown, total) = (with_separators(shown), with_separators(total));
            format!("{shown} of {total} edges are drawn, a uniform random sample")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(n: u32) -> Graph {
        Graph::from_edges((0..n).map(|u| (u, (u + 1) % n)))
    }

    #[test]
    fn few_edges_are_all_drawn_without_a_note() {
        let shown = EdgeSample::sample(&ring(10), 10, 1);
        let mut pairs = shown.pairs.clone();
        pairs.sort_unstable();
        assert_eq!(pairs.len(), 10);
        assert_eq!(pairs[..3], [(0, 1), (0, 9), (1, 2)]);
        assert_eq!(shown.note(), None);
    }

    #[test]
    fn many_edges_are_sampled_uniformly_with_a_note() {
        let graph = ring(1000);
        let mut counts = vec![0; 1000];
        for seed in 0..400 {
            let shown = EdgeSample::sample(&graph, 100, seed);
            assert_eq!((shown.pairs.len(), shown.total), (100, 1000));
            for &(u, v) in &shown.pairs {
                counts[if v == u + 1 { u as usize } else { 999 }] += 1;
            }
        }
        // 400 samples of a tenth: 40 expected, standard deviation 6
        assert!(counts.iter().all(|&count| (10..=75).contains(&count)), "{counts:?}");
        let rule = EdgeSample::sample(&graph, 100, 1).note().unwrap();
        assert!(rule.starts_with("100 of 1,000 edges are drawn"), "{rule}");
    }

    #[test]
    fn zero_edges_are_possible() {
        assert!(EdgeSample::sample(&ring(10), 0, 1).pairs.is_empty());
    }
}
