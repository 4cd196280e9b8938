//! Stratified folds: every labelled node is held out once.
//!
//! The labelled nodes are shuffled and assigned to folds in round-robin order. Single-label nodes are stratified by
//! class, so class proportions in the folds differ by at most one node.

use crate::graph::{Labels, NodeId};
use crate::rng::{Purpose, stream};

/// The nodes of each class, ascending.
pub(super) fn members(labels: &Labels) -> Vec<Vec<NodeId>> {
    let mut members = vec![Vec::new(); labels.class_count()];
    for node in 0..labels.node_count() as NodeId {
        labels.of(node).iter().for_each(|&class| members[class as usize].push(node));
    }
    members
}

/// Partitions the labelled nodes into `count` folds, each ascending; `run` selects the shuffle.
///
/// ```
/// use hycome::{Labels, classify::folds};
/// let labels = Labels::from_pairs(5, &[(0, "a"), (1, "b"), (3, "a"), (4, "b")], &[]);
/// for fold in folds(&labels, 2, 7, 0) {
///     assert_eq!(fold.len(), 2); // one of each class; node 2 has none
/// }
/// ```
#[must_use]
pub fn folds(labels: &Labels, count: usize, seed: u64, run: u64) -> Vec<Vec<NodeId>> {
    let strata = if labels.is_multi_label() {
        vec![(0..labels.node_count() as NodeId).filter(|&node| !labels.of(node).is_empty()).collect()]
    } else {
        members(labels)
    };
    let mut folds = vec![Vec::new(); count];
    let mut next = 0;
    for (stratum, mut nodes) in strata.into_iter().enumerate() {
        stream(seed, Purpose::Folds, run, stratum as u64).shuffle(&mut nodes);
        for node in nodes {
            folds[next].push(node);
            next = (next + 1) % count;
        }
    }
    folds.iter_mut().for_each(|fold| fold.sort_unstable());
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(classes: &[u32]) -> Labels {
        let names = (0..5).map(|k| k.to_string()).collect();
        Labels::from_lists(names, classes.iter().map(|&class| vec![class]).collect())
    }

    #[test]
    fn folds_partition_the_labelled_nodes() {
        let labels = Labels::from_lists(
            vec!["a".into(), "b".into()],
            (0..50).map(|i| if i % 7 == 0 { vec![] } else { vec![u32::from(i % 3 == 0)] }).collect(),
        );
        let mut all = folds(&labels, 4, 1, 0).concat();
        all.sort_unstable();
        assert_eq!(all, (0..50).filter(|i| i % 7 != 0).collect::<Vec<_>>());
    }

    #[test]
    fn folds_are_stratified_by_class() {
        let classes: Vec<u32> = (0..103).map(|i| if i % 10 == 0 { 2 } else { i % 2 }).collect();
        let labels = labels(&classes);
        let folds = folds(&labels, 5, 3, 0);
        for class in 0..3 {
            let sizes =
                folds.iter().map(|fold| fold.iter().filter(|&&n| classes[n as usize] == class).count());
            let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
            assert!(most - least <= 1, "class {class}: {least} to {most}");
        }
        let sizes: Vec<usize> = folds.iter().map(Vec::len).collect();
        assert!(sizes.iter().all(|&size| size == 20 || size == 21), "{sizes:?}");
    }

    #[test]
    fn folds_are_deterministic_and_differ_between_runs_and_seeds() {
        let labels = labels(&[0; 40]);
        assert_eq!(folds(&labels, 5, 1, 0), folds(&labels, 5, 1, 0));
        assert_ne!(folds(&labels, 5, 1, 0), folds(&labels, 5, 1, 1));
        assert_ne!(folds(&labels, 5, 1, 0), folds(&labels, 5, 2, 0));
    }
}
