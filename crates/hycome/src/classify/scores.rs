//! Class scores, and the rankings and probabilities derived from them.

use super::sigmoid;

/// Score of each class at each point.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassScores {
    pub(super) classes: usize,
    pub(super) single_label: bool,
    pub(super) data: Vec<f64>,
}

impl ClassScores {
    /// Scores of point `i`, one per class: unnormalized log-probabilities for single-label data, log-odds for
    /// multi-label data.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.classes..(i + 1) * self.classes]
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.classes.max(1)
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Classes of point `i` in descending order of score; ties are broken by class index.
    #[must_use]
    pub fn ranking(&self, i: usize) -> Vec<usize> {
        let row = self.row(i);
        let mut classes: Vec<usize> = (0..row.len()).collect();
        classes.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        classes
    }

    /// Probability of each class at point `i`.
    #[must_use]
    pub fn probabilities(&self, i: usize) -> Vec<f64> {
        let row = self.row(i);
        if !self.single_label {
            return row.iter().map(|&score| sigmoid(score)).collect();
        }
        let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return vec![1.0 / row.len() as f64; row.len()]; // no class has any weight
        }
        let weights: Vec<f64> = row.iter().map(|score| (score - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}
