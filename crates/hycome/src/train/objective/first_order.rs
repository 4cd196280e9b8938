//! First-order loss O₁: neighbours attract each other.
//!
//! The loss of an edge is −ln σ(−d²(φᵢ, φⱼ)), first-order proximity (LINE, Tang et al. 2015) by hyperbolic distance. Each edge is visited
//! once an epoch, from its node of lower row; blocks are filled at random, so this is nearly a random order of edges. The step is
//! sequential: an epoch has hundreds of walk pairs for every edge.

use std::marker::PhantomData;

use crate::error::Result;
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::train::engine::euclidean::{EuclideanKernel, SquaredDistance};
use crate::train::engine::kernel::{Kernel, RowGroup, update_rows};
use crate::train::engine::pair_update::{LANES, Label, StepSize};
use crate::train::engine::poincare::PoincareKernel;
use crate::train::engine::table::Table;
use crate::train::engine::tiled_rows::{origin_tile, prefetch};

/// Nodes between the prefetch of their neighbours and its use.
const PREFETCH_DISTANCE: usize = 2;

/// Nodes between two polls of [`interrupt`].
pub(super) const NODES_PER_POLL: NodeId = 1 << 10;

/// Gradient step of every edge, by distance in the ball or in Euclidean space; returns the number of skipped updates.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), with some edges visited and others not.
pub(crate) fn first_order_step(graph: &Graph, nodes: &mut Table, step_size: StepSize) -> Result<u64> {
    if nodes.geometry().is_euclidean() {
        return dispatch::<EuclideanKernel<SquaredDistance>>(graph, nodes, step_size);
    }
    dispatch::<PoincareKernel>(graph, nodes, step_size)
}

fn dispatch<K: Kernel>(graph: &Graph, nodes: &mut Table, step_size: StepSize) -> Result<u64> {
    pulp::Arch::new().dispatch(VisitEdges::<K> { graph, nodes, step_size, kernel: PhantomData })
}

/// Pass over all edges, compiled once for each kernel and instruction set.
struct VisitEdges<'a, K> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    step_size: StepSize,
    kernel: PhantomData<K>,
}

impl<K: Kernel> pulp::WithSimd for VisitEdges<'_, K> {
    type Output = Result<u64>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Result<u64> {
        let (stride, mut kernel) = (self.nodes.stride(), K::new(self.nodes.dim()));
        let mut group = RowGroup::new(self.nodes.len());
        let mut tile = origin_tile(self.nodes.dim());
        let rows = self.nodes.data_mut();
        let mut upcoming = self.graph.nodes().skip(PREFETCH_DISTANCE);
        for node in self.graph.nodes() {
            if node % NODES_PER_POLL == 0 {
                interrupt::check()?;
            }
            for &neighbor in upcoming.next().into_iter().flat_map(|node| later(self.graph, node)) {
                group.prefetch(neighbor);
                prefetch(rows, neighbor as usize * stride, stride);
            }
            let own = node as usize * stride;
            for neighbors in later(self.graph, node).chunks(LANES) {
                group.fill(neighbors);
                kernel.load_point(&rows[own..][..stride]);
                update_rows(&mut kernel, Label::Positive, &group, rows, &mut tile, self.step_size);
                kernel.store_point(&mut rows[own..][..stride]);
            }
        }
        Ok(kernel.skipped())
    }
}

/// Neighbours of a node that lie in later rows.
fn later(graph: &Graph, node: NodeId) -> &[NodeId] {
    let neighbors = graph.neighbors(node);
    &neighbors[neighbors.partition_point(|&neighbor| neighbor < node)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::poincare::distance;

    #[test]
    fn every_edge_brings_its_nodes_closer_and_no_update_is_skipped() {
        // Both ends of each edge must move: few neighbours leave lanes empty, and empty lanes must not spoil the step.
        let graph = Graph::from_edges([(0, 1), (2, 3), (2, 4)]);
        let mut nodes = Table::at_origin(5, 2);
        let start = [[0.3, 0.0], [-0.3, 0.0], [0.0, 0.4], [0.5, 0.0], [-0.5, 0.1]];
        start.iter().enumerate().for_each(|(i, point)| nodes.set(i, point));
        let skipped = first_order_step(&graph, &mut nodes, StepSize { rate: 0.1, curvature: 1.0 }).unwrap();
        let moved = nodes.all_points();
        assert_eq!(skipped, 0);
        for (u, v) in [(0, 1), (2, 3), (2, 4)] {
            assert!(distance(moved.row(u), moved.row(v)) < distance(&start[u], &start[v]));
        }
        for (i, start) in start.iter().enumerate() {
            assert!(distance(moved.row(i), start) > 0.01, "node {i} moved");
        }
    }
}
