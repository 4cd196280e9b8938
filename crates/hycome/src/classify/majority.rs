//! The commonest class: what can be said of a node without looking at its point.
//!
//! Every class scores the share of the nodes that have it, so that every node is given the same ranking. A
//! classifier that does not beat it has learnt nothing; where nodes have several classes that is harder than it
//! looks.

use crate::Labels;

/// The share of the nodes that have each class.
pub(super) fn shares(labels: &Labels) -> Vec<f64> {
    labels.class_sizes().into_iter().map(|size| size as f64 / labels.node_count() as f64).collect()
}
