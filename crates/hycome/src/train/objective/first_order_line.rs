//! First-order loss by dot products with negative sampling, as in LINE (Tang et al. 2015) and ComE (Cavallari et al. 2017).
//!
//! The loss of a node i and its neighbour j is −ln σ(⟨φᵢ, φⱼ⟩) − Σₖ ln σ(−⟨φᵢ, φₖ⟩) over negatives k, both points being nodes
//! and none a context. Attraction alone, which is all of O₁ [in the ball](super::first_order), would have no
//! minimum here: dot products grow without bound with the length of the points. Each edge is visited from both of its ends,
//! so that the negatives of a node are in proportion to its degree. The number of visits of an epoch is the number of positions of its
//! walks ([`passes`]), as in ComE's program. The step is sequential.

use super::first_order::NODES_PER_POLL;
use crate::error::Result;
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::rng::Stream;
use crate::sampling::NegativeSampler;
use crate::train::engine::euclidean::{DotProduct, EuclideanKernel};
use crate::train::engine::kernel::{Kernel, RowGroup, update_rows};
use crate::train::engine::pair_update::{LANES, Label, StepSize};
use crate::train::engine::table::Table;
use crate::train::engine::tiled_rows::origin_tile;

/// Passes over all edges per epoch, given the number of positions of its walks.
#[must_use]
pub(crate) fn passes(graph: &Graph, walk_nodes: usize) -> usize {
    let visits_per_pass = 2 * graph.edge_count();
    ((walk_nodes as f64 / visits_per_pass.max(1) as f64).round() as usize).max(1)
}

/// Passes over the edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgePasses {
    /// Number of passes.
    pub passes: usize,
    /// Negatives per visit.
    pub negatives: usize,
    /// Exponent of the degree in the distribution of negatives.
    pub noise_exponent: f64,
    /// Step size.
    pub step_size: StepSize,
}

/// Passes over all edges, each visited from both ends.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), with some edges visited and others not.
pub(crate) fn neighbor_negative_sampling(
    graph: &Graph,
    nodes: &mut Table,
    passes: EdgePasses,
    rng: &mut Stream,
) -> Result<()> {
    pulp::Arch::new().dispatch(VisitEdges { graph, nodes, passes, rng })
}

/// Passes over all edges, compiled once for each instruction set.
struct VisitEdges<'a> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    passes: EdgePasses,
    rng: &'a mut Stream,
}

impl pulp::WithSimd for VisitEdges<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Result<()> {
        let EdgePasses { passes, negatives, noise_exponent, step_size } = self.passes;
        let (stride, sampler) = (self.nodes.stride(), NegativeSampler::new(self.graph, noise_exponent));
        let mut kernel = EuclideanKernel::<DotProduct>::new(self.nodes.dim());
        let mut group = RowGroup::new(self.nodes.len());
        let mut tile = origin_tile(self.nodes.dim());
        let rows = self.nodes.data_mut();
        let mut negative_rows: Vec<NodeId> = Vec::new();
        for node in (0..passes).flat_map(|_| self.graph.nodes()) {
            if node % NODES_PER_POLL == 0 {
                interrupt::check()?;
            }
            let own = node as usize * stride;
            for neighbors in self.graph.neighbors(node).chunks(LANES) {
                kernel.load_point(&rows[own..][..stride]);
                group.fill(neighbors);
                update_rows(&mut kernel, Label::Positive, &group, rows, &mut tile, step_size);
                negative_rows.clear();
                let draws = (0..negatives * neighbors.len()).filter_map(|_| sampler.draw(self.rng));
                negative_rows.extend(draws.filter(|&other| other != node));
                for others in negative_rows.chunks(LANES) {
                    group.fill(others);
                    update_rows(&mut kernel, Label::Negative, &group, rows, &mut tile, step_size);
                }
                kernel.store_point(&mut rows[own..][..stride]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::rng::{Purpose, stream};

    #[test]
    fn neighbors_get_larger_dot_products_than_other_pairs() {
        // Two cliques of eight.
        let clique = |first: u32| (0..8).flat_map(move |i| (0..i).map(move |j| (first + i, first + j)));
        let graph = Graph::from_edges(clique(0).chain(clique(8)));
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut nodes = Table::random(Geometry::Come, 16, 4, 0.1, &mut rng);
        let passes = EdgePasses {
            passes: 100,
            negatives: 1,
            noise_exponent: 0.75,
            step_size: StepSize { rate: 0.1, curvature: 1.0 },
        };
        neighbor_negative_sampling(&graph, &mut nodes, passes, &mut stream(1, Purpose::Noise, 0, 0)).unwrap();
        let points = nodes.all_points();
        let product =
            |i: usize, j: usize| -> f64 { points.row(i).iter().zip(points.row(j)).map(|(a, b)| a * b).sum() };
        let pairs = || (0..16).flat_map(|i| (0..i).map(move |j| (i, j)));
        let joined = pairs().filter(|(i, j)| i / 8 == j / 8).map(|(i, j)| product(i, j));
        let strangers = pairs().filter(|(i, j)| i / 8 != j / 8).map(|(i, j)| product(i, j));
        let (least, most) =
            (joined.fold(f64::INFINITY, f64::min), strangers.fold(f64::NEG_INFINITY, f64::max));
        assert!(least > most + 1.0, "neighbours have {least} at least, strangers {most} at most");
        assert!(points.as_slice().iter().all(|c| c.abs() < 5.0), "negatives keep points short: {points:?}");
    }

    #[test]
    fn an_epoch_visits_as_many_ends_of_edges_as_its_walks_have_positions() {
        let graph = Graph::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!((passes(&graph, 800), passes(&graph, 1)), (100, 1));
    }
}
