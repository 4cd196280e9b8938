//! Orders in which the nodes of a graph can lie in memory.

use std::cmp::Reverse;
use std::collections::VecDeque;

use hycome::rng::{Purpose, stream};
use hycome::{Graph, NodeId};

/// An order of nodes.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum Order {
    /// As in the file.
    #[default]
    Given,
    /// At random.
    Random,
    /// Nodes with many neighbours first.
    Degree,
    /// Neighbours near each other: breadth first, one component after the other.
    Breadth,
}

impl Order {
    /// The graph with its nodes in this order.
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
    let mut is_met = vec![false; graph.node_count()];
    let mut waiting = VecDeque::new();
    for root in graph.nodes() {
        if !std::mem::replace(&mut is_met[root as usize], true) {
            waiting.push_back(root);
        }
        while let Some(node) = waiting.pop_front() {
            order.push(node);
            for &neighbor in graph.neighbors(node) {
                if !std::mem::replace(&mut is_met[neighbor as usize], true) {
                    waiting.push_back(neighbor);
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
        for order in [Order::Given, Order::Random, Order::Degree, Order::Breadth] {
            assert_eq!(order.apply(graph.clone()).edge_count(), graph.edge_count());
        }
    }
}
