//! Random walks (DeepWalk, Perozzi et al. 2014).
//!
//! Each step goes to a neighbour, chosen uniformly or in proportion to the weight of the edge. Walks need not be stored: the random stream of
//! (epoch, walk) reproduces them.
//!
//! On a graph larger than the caches a step has two dependent cache misses, the offset of the neighbours and the neighbour. Walks are
//! therefore interleaved ([`Walker::walk_interleaved`]), so that the misses of several walks overlap.

use crate::graph::{Graph, NodeId};
use crate::rng::Stream;
use crate::sampling::AliasTable;

/// Number of interleaved walks: about the outstanding loads of a core.
pub const INTERLEAVED_WALKS: usize = 16;

/// Random walker on a graph.
#[derive(Debug)]
pub struct Walker<'g> {
    graph: &'g Graph,
    /// Alias table of each node's edge weights; empty for an unweighted graph.
    choices: Vec<Option<AliasTable>>,
}

impl<'g> Walker<'g> {
    /// Walker that follows edges in proportion to their weights, if the graph has any.
    #[must_use]
    pub fn new(graph: &'g Graph) -> Self {
        let table = |node| {
            let weights: Vec<f64> = graph.weights(node)?.iter().map(|&w| f64::from(w)).collect();
            AliasTable::new(&weights)
        };
        let choices = if graph.is_weighted() { graph.nodes().map(table).collect() } else { Vec::new() };
        Self { graph, choices }
    }

    /// Writes a walk of `length` nodes from `start` into `walk`; from an isolated node it has one node.
    pub(crate) fn walk(&self, start: NodeId, length: usize, stream: &mut Stream, walk: &mut Vec<NodeId>) {
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

    /// Generates the same walks as [`Walker::walk`] from these starts and streams, interleaved.
    pub fn walk_interleaved(
        &self,
        starts: impl Iterator<Item = (NodeId, Stream)>,
        length: usize,
        interleaved: &mut InterleavedWalks,
    ) {
        interleaved.restart(starts);
        let mut choices: [(&[NodeId], usize); INTERLEAVED_WALKS] = [(&[], 0); INTERLEAVED_WALKS];
        for _ in 1..length {
            // Two loops, each of independent loads.
            for (choice, (walk, stream)) in choices.iter_mut().zip(interleaved.iter_mut()) {
                let node = *walk.last().expect("a walk has a first node");
                let neighbors = self.graph.neighbors(node);
                let chosen = if neighbors.is_empty() { 0 } else { self.choose(node, neighbors, stream) };
                *choice = (neighbors, chosen);
            }
            for (&(neighbors, chosen), (walk, _)) in choices.iter().zip(interleaved.iter_mut()) {
                walk.extend(neighbors.get(chosen));
            }
        }
    }

    /// Index of the next neighbour.
    #[inline(always)]
    fn choose(&self, node: NodeId, neighbors: &[NodeId], stream: &mut Stream) -> usize {
        let choice = match self.choices.get(node as usize) {
            Some(Some(table)) => table.draw(stream),
            _ => stream.below(neighbors.len() as u32),
        };
        choice as usize
    }
}

/// Up to [`INTERLEAVED_WALKS`] walks and their random streams.
#[derive(Debug, Default)]
pub struct InterleavedWalks {
    walks: Vec<Vec<NodeId>>,
    streams: Vec<Stream>,
}

impl InterleavedWalks {
    fn restart(&mut self, starts: impl Iterator<Item = (NodeId, Stream)>) {
        self.streams.clear();
        for (i, (start, stream)) in starts.take(INTERLEAVED_WALKS).enumerate() {
            if self.walks.len() == i {
                self.walks.push(Vec::new());
            }
            self.walks[i].clear();
            self.walks[i].push(start);
            self.streams.push(stream);
        }
    }

    /// Each walk with its stream, positioned after the walk.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&mut Vec<NodeId>, &mut Stream)> {
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
    fn interleaved_walks_equal_single_walks() {
        let edges = EdgeList {
            node_count: 7, // node 6 is isolated
            pairs: vec![(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (4, 5)],
            weights: Some(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        };
        for graph in [edges.clone().build().0, EdgeList { weights: None, ..edges }.build().0] {
            let walker = Walker::new(&graph);
            let of = |w: u32| stream(1, Purpose::Walk, 0, u64::from(w));
            let mut interleaved = InterleavedWalks::default();
            for starts in [0..7u32, 3..5] {
                walker.walk_interleaved(starts.clone().map(|w| (w, of(w))), 20, &mut interleaved);
                assert_eq!(interleaved.iter_mut().count(), starts.len());
                for (start, (walk, stream)) in starts.zip(interleaved.iter_mut()) {
                    let (mut alone, mut its_stream) = (Vec::new(), of(start));
                    walker.walk(start, 20, &mut its_stream, &mut alone);
                    assert_eq!(*walk, alone);
                    assert_eq!(stream.bits(), its_stream.bits(), "both streams are at the same position");
                }
            }
        }
    }

    #[test]
    fn a_walk_from_an_isolated_node_has_one_node() {
        let (graph, _) = EdgeList { node_count: 3, pairs: vec![(0, 1)], weights: None }.build();
        let mut walk = Vec::new();
        Walker::new(&graph).walk(2, 50, &mut stream(1, Purpose::Walk, 0, 0), &mut walk);
        assert_eq!(walk, [2]);
    }

    #[test]
    fn walks_follow_edge_weights() {
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
