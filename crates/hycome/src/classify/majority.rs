//! Majority-class baseline: class frequencies, whatever the point.
//!
//! The score of every class is its frequency, so that every node has the same ranking. A classifier that does not beat
//! this baseline has learnt nothing; where nodes have several classes that is harder than it looks.

use crate::Labels;

/// The share of the nodes that have each class.
pub(super) fn frequencies(labels: &Labels) -> Vec<f64> {
    labels.class_sizes().into_iter().map(|size| size as f64 / labels.node_count() as f64).collect()
}
