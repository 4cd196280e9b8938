//! O₁ by dot products: neighbours against noise, as LINE and ComE have it.
//!
//! The loss of a node i and its neighbour j is −ln σ(⟨φᵢ, φⱼ⟩) − Σₖ ln σ(−⟨φᵢ, φₖ⟩) over negatives k, both points being nodes
//! and none a context. Attraction alone, which is all that O₁ is [in the ball](super::first_order), would have no
//! minimum here: dot products grow with the length of the points for ever. Each edge is visited from both of its ends,
//! so that the negatives of a node are in proportion to its degree. It runs on one thread, as there.

use super::first_order::compare_rows;
use super::flat_kernel::{Dot, FlatKernel};
use super::kernel::{Group, Kernel};
use super::lanes::{Kind, LANES, Pace};
use super::table::Table;
use super::tiles::tile_at_origin;
use crate::graph::{Graph, NodeId};
use crate::rng::Stream;
use crate::sample::NoiseSampler;

/// Visits every edge from both ends, with so many negatives each time.
pub fn tell_neighbors_from_noise(
    graph: &Graph,
    nodes: &mut Table,
    pace: Pace,
    negatives: usize,
    rng: &mut Stream,
) {
    pulp::Arch::new().dispatch(Visit { graph, nodes, pace, negatives, rng });
}

/// The visit, compiled once for each instruction set.
struct Visit<'a> {
    graph: &'a Graph,
    nodes: &'a mut Table,
    pace: Pace,
    negatives: usize,
    rng: &'a mut Stream,
}

impl pulp::WithSimd for Visit<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        let (stride, noise) = (self.nodes.stride(), NoiseSampler::new(self.graph));
        let mut kernel = FlatKernel::<Dot>::new(self.nodes.dim());
        let mut group = Group::new(self.nodes.len());
        let mut picked = tile_at_origin(self.nodes.dim());
        let rows = self.nodes.data_mut();
        let mut drawn: Vec<NodeId> = Vec::new();
        for node in self.graph.nodes() {
            let own = node as usize * stride;
            for neighbors in self.graph.neighbors(node).chunks(LANES) {
                kernel.start(&rows[own..][..stride]);
                group.fill(neighbors);
                compare_rows(&mut kernel, Kind::Seen, &group, rows, &mut picked, self.pace);
                drawn.clear();
                let draws = (0..self.negatives * neighbors.len()).filter_map(|_| noise.draw(self.rng));
                drawn.extend(draws.filter(|&other| other != node));
                for others in drawn.chunks(LANES) {
                    group.fill(others);
                    compare_rows(&mut kernel, Kind::Noise, &group, rows, &mut picked, self.pace);
                }
                kernel.finish(&mut rows[own..][..stride]);
            }
        }
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
        for epoch in 0..100 {
            let mut noise = stream(1, Purpose::Noise, epoch, 0);
            tell_neighbors_from_noise(&graph, &mut nodes, Pace { rate: 0.1, curvature: 1.0 }, 3, &mut noise);
        }
        let points = nodes.all_points();
        let product =
            |i: usize, j: usize| -> f64 { points.row(i).iter().zip(points.row(j)).map(|(a, b)| a * b).sum() };
        for i in 0..16 {
            for j in 0..i {
                assert_eq!(product(i, j) > 0.0, i / 8 == j / 8, "{i} {j}: {}", product(i, j));
                assert!(product(i, j).abs() < 20.0, "noise keeps products finite");
            }
        }
    }
}
