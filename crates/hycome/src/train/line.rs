//! O₁ by dot products: neighbours against noise, as LINE and ComE have it.
//!
//! The loss of a node i and its neighbour j is −ln σ(⟨φᵢ, φⱼ⟩) − Σₖ ln σ(−⟨φᵢ, φₖ⟩) over negatives k, both points being nodes
//! and none a context. Attraction alone, which is all that O₁ is [in the ball](super::first_order), would have no
//! minimum here: dot products grow with the length of the points for ever. Each edge is visited from both of its ends,
//! so that the negatives of a node are in proportion to its degree. An epoch has as many visits as its walks have nodes
//! ([`passes`]), as in ComE's program. It runs on one thread.

use super::first_order::{POLL, compare_rows};
use super::flat_kernel::{Dot, FlatKernel};
use super::kernel::{Group, Kernel};
use super::lanes::{Kind, LANES, Pace};
use super::table::Table;
use super::tiles::tile_at_origin;
use crate::error::Result;
use crate::graph::{Graph, NodeId};
use crate::interrupt;
use crate::rng::Stream;
use crate::sample::NoiseSampler;

/// How often an epoch visits every edge, if its walks have so many nodes.
#[must_use]
pub fn passes(graph: &Graph, walk_nodes: usize) -> usize {
    let visits_of_a_pass = 2 * graph.edge_count();
    ((walk_nodes as f64 / visits_of_a_pass.max(1) as f64).round() as usize).max(1)
}

/// How edges are visited.
#[derive(Clone, Copy, Debug)]
pub struct Visits {
    /// How often each.
    pub passes: usize,
    /// Negatives for each end of it, each time.
    pub negatives: usize,
    /// How far points move.
    pub pace: Pace,
}

/// Visits every edge from both ends.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), with some edges visited and others not.
pub fn tell_neighbors_from_noise(
    graph: &Graph,
    nodes: &mut Table,
    visits: Visits,
    rng: &mut Stream,
) -> Result<()> {
    pulp::Arch::new().dispatch(Visit { graph, nodes, visits, rng })
}

/// The visit, compiled once for each instruction set.
struct Visit<'a> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    visits: Visits,
    rng: &'a mut Stream,
}

impl pulp::WithSimd for Visit<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Result<()> {
        let Visits { passes, negatives, pace } = self.visits;
        let (stride, noise) = (self.nodes.stride(), NoiseSampler::new(self.graph));
        let mut kernel = FlatKernel::<Dot>::new(self.nodes.dim());
        let mut group = Group::new(self.nodes.len());
        let mut picked = tile_at_origin(self.nodes.dim());
        let rows = self.nodes.data_mut();
        let mut drawn: Vec<NodeId> = Vec::new();
        for node in (0..passes).flat_map(|_| self.graph.nodes()) {
            if node % POLL == 0 {
                interrupt::check()?;
            }
            let own = node as usize * stride;
            for neighbors in self.graph.neighbors(node).chunks(LANES) {
                kernel.start(&rows[own..][..stride]);
                group.fill(neighbors);
                compare_rows(&mut kernel, Kind::Seen, &group, rows, &mut picked, pace);
                drawn.clear();
                let draws = (0..negatives * neighbors.len()).filter_map(|_| noise.draw(self.rng));
                drawn.extend(draws.filter(|&other| other != node));
                for others in drawn.chunks(LANES) {
                    group.fill(others);
                    compare_rows(&mut kernel, Kind::Noise, &group, rows, &mut picked, pace);
                }
                kernel.finish(&mut rows[own..][..stride]);
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
    fn neighbors_come_to_have_larger_products_than_strangers() {
        // Two cliques of eight.
        let clique = |first: u32| (0..8).flat_map(move |i| (0..i).map(move |j| (first + i, first + j)));
        let graph = Graph::from_edges(clique(0).chain(clique(8)));
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut nodes = Table::scattered(Geometry::Come, 16, 4, 0.1, &mut rng);
        let visits = Visits { passes: 100, negatives: 1, pace: Pace { rate: 0.1, curvature: 1.0 } };
        tell_neighbors_from_noise(&graph, &mut nodes, visits, &mut stream(1, Purpose::Noise, 0, 0)).unwrap();
        let points = nodes.all_points();
        let product =
            |i: usize, j: usize| -> f64 { points.row(i).iter().zip(points.row(j)).map(|(a, b)| a * b).sum() };
        let pairs = || (0..16).flat_map(|i| (0..i).map(move |j| (i, j)));
        let joined = pairs().filter(|(i, j)| i / 8 == j / 8).map(|(i, j)| product(i, j));
        let strangers = pairs().filter(|(i, j)| i / 8 != j / 8).map(|(i, j)| product(i, j));
        let (least, most) =
            (joined.fold(f64::INFINITY, f64::min), strangers.fold(f64::NEG_INFINITY, f64::max));
        assert!(least > most + 1.0, "neighbours have {least} at least, strangers {most} at most");
        assert!(points.as_slice().iter().all(|c| c.abs() < 5.0), "noise keeps points short: {points:?}");
    }

    #[test]
    fn an_epoch_visits_as_many_ends_of_edges_as_its_walks_have_nodes() {
        let graph = Graph::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert_eq!((passes(&graph, 800), passes(&graph, 1)), (100, 1));
    }
}
