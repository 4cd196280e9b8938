//! Node orderings, which determine memory locality.

use std::cmp::Reverse;
use std::collections::VecDeque;

use hycome::rng::{Purpose, stream};
use hycome::{Graph, NodeId};

/// A node ordering.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum NodeOrder {
    /// As in the file.
    #[default]
    Given,
    /// Random permutation.
    Random,
    /// Descending degree.
    Degree,
    /// Breadth-first, component by component.
    Breadth,
}

impl NodeOrder {
    /// Reorders the nodes of a graph.
    pub fn apply(self, graph: Graph) -> Graph {
        let mut order: Vec<NodeId> = graph.nodes().collect();
        match self {
            Self::Given => return graph,
            Self::Random => stream(1, Purpose::Blocks, 0, 0).shuffle(&mut order),
            Self::Degree => order.sort_by_key(|&node| Reverse(graph.degree(node))),
            Self::Breadth => order = breadth_first(&graph),
        }
        graph.induced(&order)
    }
}

fn breadth_first(graph: &Graph) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(graph.node_count());
    let mut is_visited = vec![false; graph.node_count()];
    let mut queue = VecDeque::new();
    for root in graph.nodes() {
        if !std::mem::replace(&mut is_visited[root as usize], true) {
            queue.push_back(root);
        }
        while let Some(node) = queue.pop_front() {
            order.push(node);
            for &neighbor in graph.neighbors(node) {
                if !std::mem::replace(&mut is_visited[neighbor as usize], true) {
                    queue.push_back(neighbor);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graphs::ring_of_cliques;

    #[test]
    fn every_order_has_every_node_once() {
        let graph = ring_of_cliques();
        let mut order = breadth_first(&graph);
        assert!(order.windows(2).any(|pair| pair[0] > pair[1]));
        order.sort_unstable();
        assert!(order.into_iter().eq(graph.nodes()));
        for order in [NodeOrder::Given, NodeOrder::Random, NodeOrder::Degree, NodeOrder::Breadth] {
            assert_eq!(order.apply(graph.clone()).edge_count(), graph.edge_count());
        }
    }
}
