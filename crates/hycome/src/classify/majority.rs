//! Majority-class baseline: ranks classes by frequency and ignores the point.
//!
//! The score of a class is its frequency, so every node gets the same ranking. A classifier that does not beat this
//! baseline has learnt nothing; on multi-label data the baseline can be surprisingly strong.

use crate::Labels;

/// Fraction of nodes in each class.
pub(super) fn frequencies(labels: &Labels) -> Vec<f64> {
    labels.class_sizes().into_iter().map(|size| size as f64 / labels.node_count() as f64).collect()
}
