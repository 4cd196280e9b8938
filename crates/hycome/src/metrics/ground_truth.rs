//! Ground-truth classes of nodes, in the layout used by the metrics.
//!
//! Single-label, multi-label and unlabelled nodes share one layout, compressed sparse rows: the classes of node `i`
//! are `classes[offsets[i]..offsets[i + 1]]`. [`GroundTruthRef`] borrows it, [`GroundTruth`] owns it.

/// Borrowed ground-truth classes of each node.
#[derive(Clone, Copy, Debug)]
pub struct GroundTruthRef<'a> {
    /// Row offsets into `classes`: `node_count + 1` non-decreasing entries.
    pub offsets: &'a [usize],
    /// Concatenated class ids; distinct within a node, each below `class_count`.
    pub classes: &'a [u32],
    /// Number of classes.
    pub class_count: usize,
}

impl<'a> GroundTruthRef<'a> {
    /// Classes of `node`; empty if unlabelled.
    #[must_use]
    pub(crate) fn of(self, node: usize) -> &'a [u32] {
        &self.classes[self.offsets[node]..self.offsets[node + 1]]
    }

    /// Number of nodes, labelled or not.
    #[must_use]
    pub(crate) fn node_count(self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Labelled nodes, in order.
    pub(crate) fn labeled(self) -> impl Iterator<Item = usize> + use<'a> {
        (0..self.node_count()).filter(move |&node| !self.of(node).is_empty())
    }

    /// Whether any node has more than one class.
    #[must_use]
    pub(crate) fn is_multi_label(self) -> bool {
        self.offsets.windows(2).any(|ends| ends[1] - ends[0] > 1)
    }

    /// Number of nodes in each class.
    ///
    /// # Panics
    /// If a class id is not below `class_count`.
    #[must_use]
    pub(crate) fn class_sizes(self) -> Vec<usize> {
        super::cluster_sizes(self.classes, self.class_count)
    }

    /// Asserts that there is one cluster per node.
    pub(super) fn check_nodes(self, clusters: &[u32]) {
        assert_eq!(clusters.len(), self.node_count(), "clusters and ground truth have the same nodes");
    }
}

/// Owned ground-truth classes of each node.
///
/// ```
/// use hycome::metrics::GroundTruth;
/// let truth = GroundTruth::from_lists([&[0, 2][..], &[], &[1]]);
/// assert_eq!(truth.offsets, [0, 2, 2, 3]); // two classes, none, one
/// assert_eq!(truth.classes, [0, 2, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    /// As [`GroundTruthRef::offsets`].
    pub offsets: Vec<usize>,
    /// As [`GroundTruthRef::classes`].
    pub classes: Vec<u32>,
    /// As [`GroundTruthRef::class_count`].
    pub class_count: usize,
}

impl GroundTruth {
    /// Creates single-label ground truth; the number of classes is the largest id plus one.
    #[must_use]
    pub fn single(classes: &[u32]) -> Self {
        Self::from_lists(classes.iter().map(std::slice::from_ref))
    }

    /// Creates multi-label ground truth; the number of classes is the largest id plus one.
    #[must_use]
    pub fn from_lists<'a>(lists: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut truth = Self { offsets: vec![0], classes: Vec::new(), class_count: 0 };
        for list in lists {
            truth.classes.extend_from_slice(list);
            truth.offsets.push(truth.classes.len());
        }
        truth.class_count = truth.classes.iter().max().map_or(0, |&largest| largest as usize + 1);
        truth
    }

    /// Borrows the ground truth.
    #[must_use]
    pub fn view(&self) -> GroundTruthRef<'_> {
        GroundTruthRef { offsets: &self.offsets, classes: &self.classes, class_count: self.class_count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_labels_are_lists_of_one() {
        let truth = GroundTruth::single(&[2, 0, 2]);
        assert_eq!(truth, GroundTruth::from_lists([&[2][..], &[0], &[2]]));
        assert!(!truth.view().is_multi_label());
        assert_eq!(truth.view().class_sizes(), [1, 0, 2]);
    }

    #[test]
    fn a_node_with_two_classes_makes_it_multi_label() {
        assert!(GroundTruth::from_lists([&[0][..], &[0, 1]]).view().is_multi_label());
    }

    #[test]
    fn unlabelled_nodes_have_no_class() {
        let truth = GroundTruth::from_lists([]);
        assert_eq!((truth.view().node_count(), truth.class_count), (0, 0));
        assert_eq!(GroundTruthRef { offsets: &[], classes: &[], class_count: 0 }.node_count(), 0);
    }
}
