//! K-nearest-neighbour classifier with Gaussian weights.
//!
//! The k nearest nodes vote for their classes with weights exp(−d²/2h²), where the bandwidth h is the distance of the
//! k-th neighbour. The score of a class is its fraction of the votes. [`PRIOR_VOTES`] additional votes are distributed
//! by class frequency, which ranks classes absent from the neighbourhood.
//!
//! In Euclidean space d is the Euclidean distance. In the ball, neighbours are found without evaluating a logarithm,
//! since the hyperbolic distance is monotone in |x−y|²/((1−|x|²)(1−|y|²)). The search is exhaustive, which for ten
//! thousand nodes is faster than building a spatial index.

use super::majority;
use crate::geometry::Geometry;
use crate::geometry::poincare::squared_difference;
use crate::{Labels, Points};

/// Pseudo-votes distributed by class frequency.
const PRIOR_VOTES: f64 = 1.0;

/// Fitted k-nearest-neighbour classifier: the training nodes and their classes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbors {
    geometry: Geometry,
    points: Points,
    labels: Labels,
    count: usize,
    /// 1/(1−|x|²) of each point; one in Euclidean space.
    inverse_slacks: Vec<f64>,
    /// Fraction of nodes in each class.
    frequencies: Vec<f64>,
}

impl Neighbors {
    /// Makes a classifier in which the `count` nearest of the labelled points vote.
    #[must_use]
    pub(crate) fn new(geometry: Geometry, points: Points, labels: Labels, count: usize) -> Self {
        let inverse_slacks = points.rows().map(|x| geometry.inverse_slack(x)).collect();
        let frequencies = majority::frequencies(&labels);
        Self { geometry, points, labels, count, inverse_slacks, frequencies }
    }

    /// Training points.
    #[must_use]
    pub(crate) fn points(&self) -> &Points {
        &self.points
    }

    /// Classes of the training points.
    #[must_use]
    pub(crate) fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Number of voting neighbours, k.
    #[must_use]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Fraction of the votes for each class at `x`.
    pub(super) fn shares(&self, x: &[f64]) -> Vec<f64> {
        let mut order: Vec<(f64, u32)> = self
            .points
            .rows()
            .zip(&self.inverse_slacks)
            .zip(0..)
            .map(|((y, inverse), node)| (squared_difference(x, y) * inverse, node))
            .collect();
        let by_distance = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if order.len() > self.count {
            order.select_nth_unstable_by(self.count - 1, by_distance);
            order.truncate(self.count);
        }
        order.sort_unstable_by(by_distance); // fixed summation order
        let distance = |&(_, node): &(f64, u32)| self.geometry.distance(x, self.points.row(node as usize));
        let distances: Vec<f64> = order.iter().map(distance).collect();
        let width = distances.last().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
        let mut shares: Vec<f64> = self.frequencies.iter().map(|share| PRIOR_VOTES * share).collect();
        let mut total = PRIOR_VOTES;
        for (&(_, node), distance) in order.iter().zip(distances) {
            let vote = (-0.5 * (distance / width) * (distance / width)).exp();
            total += vote;
            self.labels.of(node).iter().for_each(|&class| shares[class as usize] += vote);
        }
        shares.iter_mut().for_each(|share| *share /= total);
        shares
    }
}
