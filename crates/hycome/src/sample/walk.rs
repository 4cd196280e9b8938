//! Random walks.
//!
//! From a node the walk goes to a neighbour, chosen uniformly or in proportion to the edge's weight. Walks
//! are never stored: the stream of (epoch, walk) makes the same one again.
//!
//! On a graph larger than the caches a step waits for memory twice, for the place of the neighbours and for the
//! neighbour, and a walk can do nothing meanwhile. Walks that go abreast ([`Walker::walk_together`]) wait together.

use crate::graph::{Graph, NodeId};
use crate::rng::Stream;
use crate::sample::AliasTable;

/// Walks that are made abreast: as many as a core has loads under way at once, or a little more.
pub const ABREAST: usize = 16;

/// Walks on a graph.
#[derive(Debug)]
pub struct Walker<'g> {
    graph: &'g Graph,
    /// Per node the table of its edge weights; empty for an unweighted graph.
    choices: Vec<Option<AliasTable>>,
}

impl<'g> Walker<'g> {
    /// A walker; weights, where the graph has them, steer it.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        let table = |node| {
            let weights: Vec<f64> = graph.weights(node)?.iter().map(|&w| f64::from(w)).collect();
            AliasTable::new(&weights)
        };
        let choices = if graph.is_weighted() { graph.nodes().map(table).collect() } else { Vec::new() };
        Self { graph, choices }
    }

    /// Writes a walk of `length` nodes from `start` into `walk`; an isolated node walks nowhere.
    pub fn walk(&self, start: NodeId, length: usize, stream: &mut Stream, walk: &mut Vec<NodeId>) {
        walk.clear();
        walk.push(start);
        let mut node = start;
        while walk.len() < length {
            let neighbors = self.graph.neighbors(node);
            if neighbors.is_empty() {
                return;
            }
            node = neighbors[self.choose(node, neighbors, stream)];
            walk.push(node);
        }
    }

    /// Makes the walks that [`Walker::walk`] makes from these starts with these streams, all abreast.
    pub fn walk_together(
        &self,
        starts: impl Iterator<Item = (NodeId, Stream)>,
        length: usize,
        together: &mut Together,
    ) {
        together.restart(starts);
        let mut choices: [(&[NodeId], usize); ABREAST] = [(&[], 0); ABREAST];
        for _ in 1..length {
            // Two loops: the loads of one do not wait for each other.
            for (choice, (walk, stream)) in choices.iter_mut().zip(together.walks()) {
                let node = *walk.last().expect("a walk has its start");
                let neighbors = self.graph.neighbors(node);
                let chosen = if neighbors.is_empty() { 0 } else { self.choose(node, neighbors, stream) };
                *choice = (neighbors, chosen);
            }
            for (&(neighbors, chosen), (walk, _)) in choices.iter().zip(together.walks()) {
                walk.extend(neighbors.get(chosen));
            }
        }
    }

    /// Which neighbour comes next.
    #[inline(always)]
    fn choose(&self, node: NodeId, neighbors: &[NodeId], stream: &mut Stream) -> usize {
        let choice = match self.choices.get(node as usize) {
            Some(Some(table)) => table.draw(stream),
            _ => stream.below(neighbors.len() as u32),
        };
        choice as usize
    }
}

/// Up to [`ABREAST`] walks and their streams.
#[derive(Debug, Default)]
pub struct Together {
    walks: Vec<Vec<NodeId>>,
    streams: Vec<Stream>,
}

impl Together {
    fn restart(&mut self, starts: impl Iterator<Item = (NodeId, Stream)>) {
        self.streams.clear();
        for (i, (start, stream)) in starts.take(ABREAST).enumerate() {
            if self.walks.len() == i {
                self.walks.push(Vec::new());
            }
            self.walks[i].clear();
            self.walks[i].push(start);
            self.streams.push(stream);
        }
    }

    /// Each walk, and the stream that made it, which may go on.
    pub fn walks(&mut self) -> impl Iterator<Item = (&mut Vec<NodeId>, &mut Stream)> {
        self.walks.iter_mut().zip(&mut self.streams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;
    use crate::rng::{Purpose, stream};

    #[test]
    fn every_step_is_an_edge() {
        let graph = Graph::from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (1, 3)]);
        let mut walk = Vec::new();
        Walker::new(&graph).walk(2, 50, &mut stream(1, Purpose::Walk, 0, 0), &mut walk);
        assert_eq!((walk.len(), walk[0]), (50, 2));
        assert!(walk.windows(2).all(|step| graph.neighbors(step[0]).contains(&step[1])));
    }

    #[test]
    fn walks_abreast_are_the_walks_one_by_one() {
        let edges = EdgeList {
            node_count: 7, // the last is isolated
            pairs: vec![(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (4, 5)],
            weights: Some(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        };
        for graph in [edges.clone().build().0, EdgeList { weights: None, ..edges }.build().0] {
            let walker = Walker::new(&graph);
            let of = |w: u32| stream(1, Purpose::Walk, 0, u64::from(w));
            let mut together = Together::default();
            for starts in [0..7u32, 3..5] {
                walker.walk_together(starts.clone().map(|w| (w, of(w))), 20, &mut together);
                assert_eq!(together.walks().count(), starts.len());
                for (start, (walk, stream)) in starts.zip(together.walks()) {
                    let (mut alone, mut its_stream) = (Vec::new(), of(start));
                    walker.walk(start, 20, &mut its_stream, &mut alone);
                    assert_eq!(*walk, alone);
                    assert_eq!(stream.bits(), its_stream.bits(), "both streams stand at the same place");
                }
            }
        }
    }

    #[test]
    fn an_isolated_node_walks_nowhere() {
        let (graph, _) = EdgeList { node_count: 3, pairs: vec![(0, 1)], weights: None }.build();
        let mut walk = Vec::new();
        Walker::new(&graph).walk(2, 50, &mut stream(1, Purpose::Walk, 0, 0), &mut walk);
        assert_eq!(walk, [2]);
    }

    #[test]
    fn weights_steer_the_walk() {
        let edges = EdgeList { node_count: 3, pairs: vec![(0, 1), (0, 2)], weights: Some(vec![9.0, 1.0]) };
        let (graph, _) = edges.build();
        let (walker, mut walk) = (Walker::new(&graph), Vec::new());
        let to_one = (0..10_000)
            .filter(|&i| {
                walker.walk(0, 2, &mut stream(1, Purpose::Walk, 0, i), &mut walk);
                walk[1] == 1
            })
            .count();
        // Six standard deviations of a binomial of 10,000 draws at 0.9.
        assert!(to_one.abs_diff(9_000) < 180, "{to_one}");
    }
}
