//! Centering: the isometry that moves the barycenter of the points to the origin.
//!
//! The parametrization of hyperplanes and the initial values depend on the origin. Centering the points first makes the
//! fit equivariant under isometries; the fitted hyperplanes are mapped back afterwards.

use super::super::nearest_centroid;
use super::hyperplane::Hyperplane;
use crate::geometry::{barycenter::barycenter, lorentz, poincare};
use crate::numeric::columns::ColumnBlocks;
use crate::rng::{Purpose, stream};
use crate::{Labels, Points};

/// Translation that moves the barycenter of the points to the origin.
pub(super) struct Centering {
    center: Vec<f64>,
}

impl Centering {
    /// Computes the centering of one or more points.
    pub(super) fn new(points: &Points) -> Self {
        let center = barycenter(points, &vec![1.0; points.len()], None).expect("there is a point").point;
        Self { center }
    }

    /// Translates `x`.
    fn centered(&self, x: &[f64]) -> Vec<f64> {
        let back: Vec<f64> = self.center.iter().map(|c| -c).collect();
        let mut centered = vec![0.0; x.len()];
        poincare::translate(&back, x, &mut centered);
        centered
    }

    /// Centred points, lifted to the hyperboloid.
    pub(super) fn examples(&self, points: &Points) -> ColumnBlocks {
        ColumnBlocks::from_rows(points.dim() + 1, points.len(), |i, row| {
            lorentz::lift(&self.centered(points.row(i)), row)
        })
    }

    /// Initial parameters of each class, for each restart: first the hyperplanes half way to the barycenters, then those
    /// half way to random nodes of the classes.
    ///
    /// The nodes depend on the labels alone, so that a fit is deterministic.
    pub(super) fn starts(&self, points: &Points, labels: &Labels, restarts: usize) -> Vec<Vec<Vec<f64>>> {
        let means = nearest_centroid::means(points, labels);
        let mut starts = vec![means.rows().map(|mean| self.half_way(mean)).collect::<Vec<_>>()];
        if restarts == 1 {
            return starts;
        }
        let mut members = vec![Vec::new(); labels.class_count()];
        for node in 0..labels.node_count() {
            labels.of(node as u32).iter().for_each(|&class| members[class as usize].push(node));
        }
        starts.extend((1..restarts as u64).map(|restart| {
            let draw = |(class, nodes): (usize, &Vec<usize>)| {
                let mut rng = stream(0, Purpose::Hyperplanes, restart, class as u64);
                self.half_way(points.row(nodes[rng.below(nodes.len() as u32) as usize]))
            };
            members.iter().enumerate().map(draw).collect()
        }));
        starts
    }

    /// Parameters of the hyperplane half way from the barycenter to `target`, with scale one.
    fn half_way(&self, target: &[f64]) -> Vec<f64> {
        let mut start = self.centered(target);
        let norm = poincare::norm(&start);
        if norm > 0.0 {
            start.iter_mut().for_each(|z| *z /= norm);
        } else {
            start[0] = 1.0;
        }
        start.push(norm.atanh()); // half the distance
        start
    }

    /// Normals of the hyperplanes in the original coordinates.
    pub(super) fn normals(&self, hyperplanes: &[Hyperplane]) -> Points {
        let mut center = vec![0.0; self.center.len() + 1];
        lorentz::lift(&self.center, &mut center);
        let normals =
            hyperplanes.iter().flat_map(|hyperplane| uncentered_normal(&hyperplane.normal, &center));
        Points::new(center.len(), normals.collect())
    }
}

/// Maps a normal back: returns n′ with ⟨n′, X⟩ = ⟨n, X′⟩, where X′ is X translated by minus the lifted `center` C.
///
/// X′ = (C₀X₀ − ⟨C, X⟩, X − X₀C + ⟨C, X⟩/(1+C₀)·C), with sums over the spatial coordinates.
fn uncentered_normal(normal: &[f64], center: &[f64]) -> Vec<f64> {
    let along: f64 = normal[1..].iter().zip(&center[1..]).map(|(n, c)| n * c).sum();
    let factor = along / (1.0 + center[0]) - normal[0];
    let mut moved = vec![normal[0] * center[0] - along];
    moved.extend(normal[1..].iter().zip(&center[1..]).map(|(n, c)| n + factor * c));
    moved
}

#[cfg(test)]
mod tests {
    use super::super::hyperplane::DecisionFunction;
    use super::*;

    #[test]
    fn uncentering_preserves_decision_values() {
        let points = Points::new(3, vec![0.3, 0.2, -0.1, 0.8, 0.1, 0.4, 0.5, -0.6, 0.2]);
        let centering = Centering::new(&points);
        let examples = centering.examples(&points);
        let hyperplane = Hyperplane::new(DecisionFunction::Distance, &[0.7, -0.4, 1.1, 0.6]);
        let normals = centering.normals(std::slice::from_ref(&hyperplane));
        let mut lifted = [0.0; 4];
        for i in 0..3 {
            lorentz::lift(points.row(i), &mut lifted);
            let product: f64 = normals.row(0).iter().zip(lifted).map(|(n, x)| n * x).sum();
            assert!((product - hyperplane.product(&examples.row(i).collect::<Vec<f64>>())).abs() < 1e-13);
        }
    }

    #[test]
    fn initial_hyperplane_is_half_way_to_the_class_barycenter() {
        let points = Points::new(2, vec![0.6, 0.0, -0.6, 0.0]);
        let labels = Labels::from_pairs(2, &[(0, "east"), (1, "west")], &[]);
        let starts = Centering::new(&points).starts(&points, &labels, 1);
        let [classes] = &starts[..] else { panic!("there is one start") };
        assert_eq!(classes[1][..2], [-1.0, 0.0]);
        assert!((2.0 * classes[1][2] - poincare::distance(&[0.0, 0.0], &[0.6, 0.0])).abs() < 1e-14);
    }

    #[test]
    fn restarts_begin_half_way_to_nodes_of_the_class() {
        let points = Points::new(2, vec![0.6, 0.1, 0.5, -0.2, -0.6, 0.0, -0.5, 0.0]);
        let labels = Labels::from_pairs(4, &[(0, "east"), (1, "east"), (2, "west"), (3, "west")], &[]);
        let centering = Centering::new(&points);
        let starts = centering.starts(&points, &labels, 20);
        assert_eq!(starts.len(), 20);
        for start in &starts[1..] {
            assert!([0, 1].map(|node| centering.half_way(points.row(node))).contains(&start[0]));
            assert!([2, 3].map(|node| centering.half_way(points.row(node))).contains(&start[1]));
        }
        assert!(starts[2..].iter().any(|start| *start != starts[1]));
    }
}
