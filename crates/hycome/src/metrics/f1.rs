//! F1: the harmonic mean of precision and recall, over all decisions or class by class.
//!
//! A node is given some classes, and some of them are right. With t, f and u the numbers of classes that were given
//! and are right, given and are wrong, and not given but right,
//!
//! > F1 = 2t/(2t + f + u).
//!
//! The micro F1 counts over all nodes and classes at once, so large classes decide it; with one class given to each
//! node that has one it is the share of right nodes. The macro F1 is the mean of the F1 of each class, so every
//! class counts the same. Classes that no node has and none was given are left out.

use super::GroundTruthRef;

/// Both kinds of F1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F1 {
    /// Over all decisions, 0 to 1.
    pub micro: f64,
    /// Mean over classes, 0 to 1.
    pub macro_average: f64,
}

/// F1 of the classes given to each node; nodes without a known class are not looked at.
///
/// ```
/// use hycome::metrics::{GroundTruth, f1};
/// let truth = GroundTruth::single(&[0, 0, 0, 1]);
/// let found = f1(&[vec![0], vec![0], vec![1], vec![1]], truth.view());
/// assert_eq!((found.micro, found.macro_average), (0.75, (0.8 + 2.0 / 3.0) / 2.0));
/// ```
///
/// # Panics
/// If there is not one list of distinct classes for each node.
#[must_use]
pub fn f1(given: &[Vec<u32>], truth: GroundTruthRef<'_>) -> F1 {
    assert_eq!(given.len(), truth.node_count(), "there is one list for each node");
    let largest = given.iter().flatten().max().map_or(0, |&class| class as usize + 1);
    // for each class: given and right, given, right
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
    fn several_classes_for_a_node_count_each() {
        // Given and right: 0 at the first node, 1 at the second. Wrong: 1 at the first. Missed: 2 at the first.
        let truth = GroundTruth::from_lists([&[0, 2][..], &[1]]);
        let found = f1(&[vec![0, 1], vec![1]], truth.view());
        assert_eq!(found.micro, 2.0 * 2.0 / (4.0 + 1.0 + 1.0));
        assert_eq!(found.macro_average, (1.0 + 2.0 / 3.0 + 0.0) / 3.0);
    }

    #[test]
    fn classes_that_never_come_are_left_out() {
        let truth = GroundTruth::single(&[0, 5]);
        assert_eq!(f1(&[vec![0], vec![5]], truth.view()), F1 { micro: 1.0, macro_average: 1.0 });
    }

    #[test]
    fn nothing_known_scores_zero() {
        let truth = GroundTruth::from_lists([&[][..]]);
        assert_eq!(f1(&[vec![0]], truth.view()), F1 { micro: 0.0, macro_average: 0.0 });
    }
}
