//! Which edges a picture shows.
//!
//! All of them, up to a limit; beyond it a sample in which every edge is equally likely. The list is in random order,
//! so that any beginning of it is such a sample too: a picture that has to be quick draws a beginning.

use super::svg::grouped;
use crate::graph::{Graph, NodeId};
use crate::rng::{Purpose, stream};

/// Edges shown unless asked otherwise: as many as a browser draws smoothly.
pub const MOST_EDGES: usize = 200_000;

/// Some edges of a graph, in random order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownEdges {
    /// The edges, each once.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Edges of the graph.
    pub total: usize,
}

impl ShownEdges {
    /// At most so many edges of the graph; the same seed gives the same ones.
    #[must_use]
    pub fn sample(graph: &Graph, most: usize, seed: u64) -> Self {
        let mut rng = stream(seed, Purpose::Picture, 0, 0);
        let mut pairs: Vec<(NodeId, NodeId)> = Vec::with_capacity(most.min(graph.edge_count()));
        let mut seen = 0u64;
        // Reservoir sampling: edge i replaces one of those kept with probability most/i.
        for u in graph.nodes() {
            for &v in graph.neighbors(u).iter().filter(|&&v| u < v) {
                seen += 1;
                if pairs.len() < most {
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

    /// What the picture says about edges it leaves out; nothing if it shows all.
    #[must_use]
    pub fn rule(&self) -> Option<String> {
        let (shown, total) = (self.pairs.len(), self.total);
        (shown < total).then(|| {
            let (shown, total) = (grouped(shown), grouped(total));
            format!("{shown} of {total} edges are shown, drawn at random: each was equally likely to stay")
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
    fn few_edges_are_all_shown_and_no_rule_is_stated() {
        let shown = ShownEdges::sample(&ring(10), 10, 1);
        let mut pairs = shown.pairs.clone();
        pairs.sort_unstable();
        assert_eq!(pairs.len(), 10);
        assert_eq!(pairs[..3], [(0, 1), (0, 9), (1, 2)]);
        assert_eq!(shown.rule(), None);
    }

    #[test]
    fn many_edges_are_thinned_evenly_and_the_rule_is_stated() {
        let graph = ring(1000);
        let mut counts = vec![0; 1000];
        for seed in 0..400 {
            let shown = ShownEdges::sample(&graph, 100, seed);
            assert_eq!((shown.pairs.len(), shown.total), (100, 1000));
            for &(u, v) in &shown.pairs {
                counts[if v == u + 1 { u as usize } else { 999 }] += 1;
            }
        }
        // 400 samples of a tenth: 40 expected, standard deviation 6
        assert!(counts.iter().all(|&count| (10..=75).contains(&count)), "{counts:?}");
        let rule = ShownEdges::sample(&graph, 100, 1).rule().unwrap();
        assert!(rule.starts_with("100 of 1,000 edges are shown"), "{rule}");
    }

    #[test]
    fn a_picture_without_edges_can_be_asked_for() {
        assert!(ShownEdges::sample(&ring(10), 0, 1).pairs.is_empty());
    }
}
