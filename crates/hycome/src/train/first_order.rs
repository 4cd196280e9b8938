//! O₁: neighbours attract each other.
//!
//! The loss of an edge is −ln σ(−d²(φᵢ, φⱼ)). Each edge is visited once an epoch, with its node of lower row
//! first; rows lie in random order, so this is a random order of edges. It runs on one thread: an epoch has
//! hundreds of walk pairs for every edge.

use super::kernel::{Group, Kernel};
use super::lanes::Pace;
use super::table::Table;
use crate::graph::Graph;

/// Edges of a node that share one step of it.
const GROUP_NEIGHBORS: usize = 16;

/// Visits every edge once; returns the number of dropped steps.
pub fn attract_neighbors(graph: &Graph, nodes: &mut Table, pace: Pace) -> u64 {
    pulp::Arch::new().dispatch(Attract { graph, nodes, pace })
}

/// The visit, compiled once for each instruction set.
struct Attract<'a> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    pace: Pace,
}

impl pulp::WithSimd for Attract<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> u64 {
        let shape = self.nodes.shape();
        let mut kernel = Kernel::new(shape);
        let mut group = Group::new(self.nodes.len(), GROUP_NEIGHBORS);
        let mut point = vec![0.0; shape.stride];
        for node in self.graph.nodes() {
            let neighbors = self.graph.neighbors(node);
            let later = &neighbors[neighbors.partition_point(|&neighbor| neighbor < node)..];
            for neighbors in later.chunks(GROUP_NEIGHBORS) {
                neighbors.iter().for_each(|&neighbor| group.add_seen(neighbor));
                let rows = self.nodes.data_mut();
                let own = node as usize * shape.stride;
                point.copy_from_slice(&rows[own..own + shape.stride]);
                kernel.update(&mut point, rows, &group, self.pace);
                rows[own..own + shape.stride].copy_from_slice(&point);
                group.clear();
            }
        }
        kernel.dropped
    }
}
