//! Snapshots of a training, the frames of its animation.

use crate::mixture::GaussianMixture;
use crate::points::Points;

/// Points and communities after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The epoch, counted from 1, as in the [`EpochReport`](super::EpochReport).
    pub epoch: usize,
    /// The nodes' points in the graph's order. They are not centred; only the result is.
    pub nodes: Points,
    /// The communities of the ball; none during the warm-up, nor in Euclidean space.
    pub mixture: Option<GaussianMixture>,
}
