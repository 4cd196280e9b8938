//! Micro- and macro-averaged F1 score: harmonic mean of precision and recall.
//!
//! With t, f and u the numbers of true positives, false positives and false negatives,
//!
//! > F1 = 2t/(2t + f + u).
//!
//! Micro F1 pools the counts of all classes, so large classes dominate; with one prediction and one class per node it
//! is the accuracy. Macro F1 is the unweighted mean of the F1 of each class. Classes that are neither predicted nor in
//! the ground truth are excluded.

use super::GroundTruthRef;

/// Micro and macro F1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F1 {
    /// Micro average, 0 to 1.
    pub micro: f64,
    /// Macro average, 0 to 1.
    pub macro_average: f64,
}

/// F1 of predicted classes per node; nodes without ground truth are ignored.
///
/// ```
/// use hycome::metrics::{GroundTruth, f1};
/// let truth = GroundTruth::single(&[0, 0, 0, 1]);
/// let found = f1(&[vec![0], vec![0], vec![1], vec![1]], truth.view());
/// assert_eq!((found.micro, found.macro_average), (0.75, (0.8 + 2.0 / 3.0) / 2.0));
/// ```
///
/// # Panics
/// Unless there is one list of distinct classes for each node.
#[must_use]
pub fn f1(given: &[Vec<u32>], truth: GroundTruthRef<'_>) -> F1 {
    assert_eq!(given.len(), truth.node_count(), "there is one list for each node");
    let largest = given.iter().flatten().max().map_or(0, |&class| class as usize + 1);
    // per class: true positives, predicted positives, actual positives
    let mut counts = vec![[0usize; 3]; largest.max(truth.class_count)];
    for node in truth.labeled() {
        for &class in &given[node] {
            let right = truth.of(node).contains(&class);
            counts[class as usize][0] += usize::from(right);
            counts[class as usize][1] += 1;
        }
        truth.of(node).iter().for_each(|&class| counts[class as usize][2] += 1);
    }
    let score = |[both, given, right]: [usize; 3]| 2.0 * both as f64 / (given + right).max(1) as f64;
    let all = counts.iter().fold([0; 3], |all, one| [all[0] + one[0], all[1] + one[1], all[2] + one[2]]);
    let seen: Vec<f64> =
        counts.iter().filter(|count| count[1] + count[2] > 0).map(|&count| score(count)).collect();
    F1 { micro: score(all), macro_average: seen.iter().sum::<f64>() / seen.len().max(1) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::GroundTruth;

    #[test]
    fn multi_label_nodes_count_once_per_class() {
        // True positives: 0 at the first node, 1 at the second. False positive: 1 at the first. False negative: 2 at
        // the first.
        let truth = GroundTruth::from_lists([&[0, 2][..], &[1]]);
        let found = f1(&[vec![0, 1], vec![1]], truth.view());
        assert_eq!(found.micro, 2.0 * 2.0 / (4.0 + 1.0 + 1.0));
        assert_eq!(found.macro_average, (1.0 + 2.0 / 3.0 + 0.0) / 3.0);
    }

    #[test]
    fn absent_classes_are_excluded() {
        let truth = GroundTruth::single(&[0, 5]);
        assert_eq!(f1(&[vec![0], vec![5]], truth.view()), F1 { micro: 1.0, macro_average: 1.0 });
    }

    #[test]
    fn no_ground_truth_scores_zero() {
        let truth = GroundTruth::from_lists([&[][..]]);
        assert_eq!(f1(&[vec![0]], truth.view()), F1 { micro: 0.0, macro_average: 0.0 });
    }
}
