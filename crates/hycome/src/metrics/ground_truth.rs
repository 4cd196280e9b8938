//! Ground truth: the classes of nodes, as the metrics read them.
//!
//! One layout serves single labels, several labels and none: compressed sparse rows, the classes of node
//! `i` being `classes[offsets[i]..offsets[i + 1]]`. [`GroundTruthRef`] borrows it from wherever it lives,
//! [`GroundTruth`] makes it from lists.

/// Ground-truth classes of each node, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct GroundTruthRef<'a> {
    /// Where each node's classes begin in `classes`: one entry per node and a last one; never decreasing.
    pub offsets: &'a [usize],
    /// Class ids of all nodes, one node after the other; distinct within a node, each below `class_count`.
    pub classes: &'a [u32],
    /// Number of classes.
    pub class_count: usize,
}

impl<'a> GroundTruthRef<'a> {
    /// The classes of `node`; empty if it has no label.
    #[must_use]
    pub fn of(self, node: usize) -> &'a [u32] {
        &self.classes[self.offsets[node]..self.offsets[node + 1]]
    }

    /// Number of nodes, with classes or without.
    #[must_use]
    pub fn node_count(self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The nodes that have at least one class, in order.
    pub fn labeled(self) -> impl Iterator<Item = usize> + use<'a> {
        (0..self.node_count()).filter(move |&node| !self.of(node).is_empty())
    }

    /// Whether some node has more than one class.
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

    /// Asserts that there is one cluster for each node.
    pub(super) fn check_nodes(self, clusters: &[u32]) {
        assert_eq!(clusters.len(), self.node_count(), "clusters and ground truth have the same nodes");
    }
}

/// Ground-truth classes of each node, owned.
///
/// ```
/// use hycome::metrics::GroundTruth;
/// let truth = GroundTruth::from_lists([&[0, 2][..], &[], &[1]]);
/// assert_eq!(truth.view().of(0), [0, 2]);
/// assert_eq!(truth.view().labeled().collect::<Vec<_>>(), [0, 2]);
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
    /// One class for each node; there are as many classes as the largest id asks for.
    #[must_use]
    pub fn single(classes: &[u32]) -> Self {
        Self::from_lists(classes.iter().map(std::slice::from_ref))
    }

    /// Any number of classes for each node; there are as many classes as the largest id asks for.
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

    /// What the metrics take.
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
    fn no_labels_are_no_class() {
        let truth = GroundTruth::from_lists([]);
        assert_eq!((truth.view().node_count(), truth.class_count), (0, 0));
        assert_eq!(GroundTruthRef { offsets: &[], classes: &[], class_count: 0 }.node_count(), 0);
    }
}
