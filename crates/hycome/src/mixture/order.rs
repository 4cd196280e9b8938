//! Order of components by size: 0 is the largest.
//!
//! EM and K-means return components in the arbitrary order of their first centres. Results are numbered by the number of points
//! whose most probable component it is; components of equal size keep their order.

use super::euclidean::{Covariances, EuclideanMixture};
use super::{GaussianMixture, KMeans, Mixture};
use crate::metrics::imbalance::cluster_sizes;
use crate::{Points, Result};

/// Component indices by decreasing number of points; the lower index first among equals.
#[must_use]
pub(crate) fn largest_first(communities: &[u32], count: usize) -> Vec<usize> {
    let sizes = cluster_sizes(communities, count);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&k| std::cmp::Reverse(sizes[k])); // stable
    order
}

impl Mixture {
    /// The same mixture with its components numbered by how many of the points are most probably theirs.
    ///
    /// # Errors
    /// As [`Mixture::responsibilities`].
    pub fn numbered_by_size(self, points: &Points) -> Result<Self> {
        let order = self.largest_first(points)?;
        Ok(self.reordered(&order))
    }

    /// The order of [`largest_first`] for these points.
    ///
    /// # Errors
    /// As [`Mixture::responsibilities`].
    pub(crate) fn largest_first(&self, points: &Points) -> Result<Vec<usize>> {
        Ok(largest_first(&self.communities(points)?, self.len()))
    }

    /// The mixture whose component k is this one's component `order[k]`.
    #[must_use]
    pub(crate) fn reordered(self, order: &[usize]) -> Self {
        match self {
            Self::Hyperbolic(mixture) => Self::Hyperbolic(mixture.reordered(order)),
            Self::Euclidean(mixture) => Self::Euclidean(mixture.reordered(order)),
        }
    }
}

impl GaussianMixture {
    /// The mixture whose component k is this one's component `order[k]`.
    #[must_use]
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        Self {
            weights: picked(&self.weights, 1, order),
            means: picked_rows(&self.means, order),
            scales: picked(&self.scales, 1, order),
        }
    }
}

impl EuclideanMixture {
    /// The mixture whose component k is this one's component `order[k]`.
    #[must_use]
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let covariances = match &self.covariances {
            Covariances::Spherical(scales) => Covariances::Spherical(picked(scales, 1, order)),
            Covariances::Full(all) => Covariances::Full(picked(all, self.dim() * self.dim(), order)),
        };
        Self { weights: picked(&self.weights, 1, order), means: picked_rows(&self.means, order), covariances }
    }
}

impl KMeans {
    /// The same clusters, numbered by size.
    #[must_use]
    pub fn numbered_by_size(mut self) -> Self {
        let order = largest_first(&self.assignment, self.means.len());
        let mut number = vec![0; order.len()];
        for (new, &old) in (0..).zip(&order) {
            number[old] = new;
        }
        self.assignment.iter_mut().for_each(|k| *k = number[*k as usize]);
        self.means = picked_rows(&self.means, &order);
        self
    }
}

fn picked_rows(points: &Points, order: &[usize]) -> Points {
    Points::new(points.dim(), picked(points.as_slice(), points.dim(), order))
}

/// Chunks of `width` numbers in a new order.
fn picked(values: &[f64], width: usize, order: &[usize]) -> Vec<f64> {
    order.iter().flat_map(|&k| &values[k * width..(k + 1) * width]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_component_moves_with_it() {
        let means = Points::new(2, vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        let full = EuclideanMixture {
            weights: vec![0.5, 0.3, 0.2],
            means: means.clone(),
            covariances: Covariances::Full((0..12).map(f64::from).collect()),
        };
        let moved = full.reordered(&[2, 0, 1]);
        assert_eq!(moved.weights, [0.2, 0.5, 0.3]);
        assert_eq!(moved.means.row(0), [0.4, 0.5]);
        assert_eq!(
            moved.covariances,
            Covariances::Full([8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7].map(f64::from).to_vec())
        );
        let ball = GaussianMixture { weights: full.weights, means, scales: vec![1.0, 2.0, 3.0] };
        let moved = ball.reordered(&[1, 2, 0]);
        assert_eq!((moved.weights, moved.scales), (vec![0.3, 0.2, 0.5], vec![2.0, 3.0, 1.0]));
        assert_eq!(moved.means.row(2), [0.0, 0.1]);
    }

    #[test]
    fn clusters_are_numbered_by_size_and_keep_their_points() {
        let found = KMeans {
            means: Points::new(1, vec![0.1, 0.2, 0.3]),
            assignment: vec![1, 2, 2, 0, 2, 1],
            inertia: 1.0,
            iterations: 1,
            converged: true,
        };
        let numbered = found.clone().numbered_by_size();
        assert_eq!(numbered.assignment, [1, 0, 0, 2, 0, 1]);
        for (old, new) in found.assignment.iter().zip(&numbered.assignment) {
            assert_eq!(found.means.row(*old as usize), numbered.means.row(*new as usize));
        }
        assert_eq!(numbered.clone().numbered_by_size(), numbered);
    }
}
