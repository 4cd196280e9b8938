//! O₁: neighbours attract each other.
//!
//! The loss of an edge is −ln σ(−d²(φᵢ, φⱼ)). Each edge is visited once an epoch, with its node of lower row
//! first; blocks are filled at random, so this is nearly a random order of edges. It runs on one thread: an epoch has
//! hundreds of walk pairs for every edge.

use std::marker::PhantomData;

use super::flat_kernel::{FlatKernel, Squared};
use super::kernel::{BallKernel, Group, Kernel};
use super::lanes::{Kind, LANES, Lanes, Pace};
use super::table::Table;
use super::tiles::{fetch, tile_at_origin};
use crate::error::Result;
use crate::graph::{Graph, NodeId};
use crate::interrupt;

/// Nodes whose neighbours are asked for before they are compared, so that memory answers in time.
const AHEAD: usize = 2;

/// Nodes between two polls of [`interrupt`].
pub(super) const POLL: NodeId = 1 << 10;

/// Visits every edge once; returns the number of dropped steps. Pairs are measured by distance, in the ball or flat.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), with some edges visited and others not.
pub fn attract_neighbors(graph: &Graph, nodes: &mut Table, pace: Pace) -> Result<u64> {
    if nodes.geometry().is_flat() {
        return attract::<FlatKernel<Squared>>(graph, nodes, pace);
    }
    attract::<BallKernel>(graph, nodes, pace)
}

fn attract<K: Kernel>(graph: &Graph, nodes: &mut Table, pace: Pace) -> Result<u64> {
    pulp::Arch::new().dispatch(Attract::<K> { graph, nodes, pace, kernel: PhantomData })
}

/// The visit, compiled once for each kernel and instruction set.
struct Attract<'a, K> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    pace: Pace,
    kernel: PhantomData<K>,
}

impl<K: Kernel> pulp::WithSimd for Attract<'_, K> {
    type Output = Result<u64>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Result<u64> {
        let (stride, mut kernel) = (self.nodes.stride(), K::new(self.nodes.dim()));
        let mut group = Group::new(self.nodes.len());
        let mut picked = tile_at_origin(self.nodes.dim());
        let rows = self.nodes.data_mut();
        let mut coming = self.graph.nodes().skip(AHEAD);
        for node in self.graph.nodes() {
            if node % POLL == 0 {
                interrupt::check()?;
            }
            for &neighbor in coming.next().into_iter().flat_map(|node| later(self.graph, node)) {
                group.fetch(neighbor);
                fetch(rows, neighbor as usize * stride, stride);
            }
            let own = node as usize * stride;
            for neighbors in later(self.graph, node).chunks(LANES) {
                group.fill(neighbors);
                kernel.start(&rows[own..][..stride]);
                compare_rows(&mut kernel, Kind::Seen, &group, rows, &mut picked, self.pace);
                kernel.finish(&mut rows[own..][..stride]);
            }
        }
        Ok(kernel.dropped())
    }
}

/// Neighbours of a node that lie in later rows.
fn later(graph: &Graph, node: NodeId) -> &[NodeId] {
    let neighbors = graph.neighbors(node);
    &neighbors[neighbors.partition_point(|&neighbor| neighbor < node)..]
}

/// Compares the kernel's point with the rows of a group; `picked` is a tile to lay them into.
#[inline(always)]
pub(super) fn compare_rows<K: Kernel>(
    kernel: &mut K,
    kind: Kind,
    group: &Group,
    rows: &mut [f32],
    picked: &mut [Lanes],
    pace: Pace,
) {
    let stride = picked.len();
    for (lane, &other) in group.rows().iter().enumerate() {
        let row = &rows[other as usize * stride..][..stride];
        (0..stride).for_each(|i| picked[i][lane] = row[i]);
    }
    kernel.compare(kind, picked, group.counts(), pace);
    for (lane, &other) in group.rows().iter().enumerate() {
        let row = &mut rows[other as usize * stride..][..stride];
        (0..stride).for_each(|i| row[i] = picked[i][lane]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::poincare::distance;

    #[test]
    fn every_edge_brings_its_nodes_closer_and_no_step_is_dropped() {
        // Both ends of each edge must move: few neighbours leave lanes empty, and empty lanes must not spoil the step.
        let graph = Graph::from_edges([(0, 1), (2, 3), (2, 4)]);
        let mut nodes = Table::at_origin(5, 2);
        let start = [[0.3, 0.0], [-0.3, 0.0], [0.0, 0.4], [0.5, 0.0], [-0.5, 0.1]];
        start.iter().enumerate().for_each(|(i, point)| nodes.set(i, point));
        let dropped = attract_neighbors(&graph, &mut nodes, Pace { rate: 0.1, curvature: 1.0 }).unwrap();
        let moved = nodes.all_points();
        assert_eq!(dropped, 0);
        for (u, v) in [(0, 1), (2, 3), (2, 4)] {
            assert!(distance(moved.row(u), moved.row(v)) < distance(&start[u], &start[v]));
        }
        for (i, start) in start.iter().enumerate() {
            assert!(distance(moved.row(i), start) > 0.01, "node {i} moved");
        }
    }
}
