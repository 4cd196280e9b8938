//! Random walks.
//!
//! From a node the walk goes to a neighbour, chosen uniformly or in proportion to the edge's weight. Walks
//! are never stored: the stream of (epoch, walk) makes the same one again.

use crate::graph::{Graph, NodeId};
use crate::rng::Stream;
use crate::sample::AliasTable;

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
            let choice = match self.choices.get(node as usize) {
                Some(Some(table)) => table.draw(stream),
                _ => stream.below(neighbors.len() as u32),
            };
            node = neighbors[choice as usize];
            walk.push(node);
        }
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
