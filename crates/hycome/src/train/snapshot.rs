//! The training as a film: where the points were after each epoch.

use crate::mixture::GaussianMixture;
use crate::points::Points;

/// Points and communities after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The epoch, counted from 1, as in the [`EpochReport`](super::EpochReport).
    pub epoch: usize,
    /// The nodes' points in the graph's order. They may have drifted as a whole; only the end of a training centres them.
    pub nodes: Points,
    /// The communities of the ball; none during the warm-up, nor in flat space.
    pub mixture: Option<GaussianMixture>,
}
