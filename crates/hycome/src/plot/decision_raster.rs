//! Raster of a classifier's predictions.
//!
//! The square around the disc has [`SIDE`] rows and columns; a cell has the class of its centre. The hyperbolic size
//! of a cell grows towards the boundary: 0.011 at the centre, 0.16 at distance 4 from it.

use crate::classify::Classifier;
use crate::points::Points;

/// Rows and columns.
pub(super) const SIDE: usize = 360;

/// Predicted class of each cell, row by row from the top; none outside the disc. The classifier is two-dimensional.
pub(super) fn predictions(classifier: &Classifier) -> Vec<Option<usize>> {
    let middle = |i: usize| 2.0 * (i as f64 + 0.5) / SIDE as f64 - 1.0;
    let places = (0..SIDE * SIDE).map(|cell| [middle(cell % SIDE), -middle(cell / SIDE)]);
    let inside: Vec<bool> = places.clone().map(|[x, y]| x.hypot(y) < 1.0 - 1e-6).collect();
    let data = places.zip(&inside).filter(|(_, inside)| **inside).flat_map(|(place, _)| place).collect();
    // Points of the disc are valid, so this fails only on interruption, and the result is not used.
    let Ok(scores) = classifier.scores(&Points::new(2, data)) else { return vec![None; SIDE * SIDE] };
    let mut next = 0..;
    inside.iter().map(|&is| is.then(|| scores.ranking(next.next().expect("it never ends"))[0])).collect()
}

/// Run-length encoding: each value with the length of its run.
pub(super) fn run_lengths<T: Copy + PartialEq>(values: &[T]) -> impl Iterator<Item = (T, usize)> + '_ {
    values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labels;
    use crate::classify::{ClassifierConfig, Method, fit};

    #[test]
    fn cells_have_the_class_of_their_centre_and_fill_the_disc() {
        let points = Points::new(2, vec![-0.5, 0.1, -0.4, -0.1, -0.5, 0.0, 0.5, 0.1, 0.4, -0.1, 0.5, 0.0]);
        let labels = Labels::from_lists(
            vec!["west".into(), "east".into()],
            [[0], [0], [0], [1], [1], [1]].map(Vec::from).to_vec(),
        );
        let config = ClassifierConfig { method: Method::Knn, neighbors: 3, ..ClassifierConfig::default() };
        let predictions = predictions(&fit(&points, &labels, &config).unwrap().classifier);
        let at = |x: f64, y: f64| {
            let cell = |share: f64| (share * SIDE as f64) as usize;
            predictions[cell((1.0 - y) / 2.0) * SIDE + cell((1.0 + x) / 2.0)]
        };
        assert_eq!([at(-0.5, 0.0), at(0.5, 0.0), at(-0.3, 0.8), at(0.3, -0.8)], [0, 1, 0, 1].map(Some));
        assert_eq!(at(0.8, 0.8), None, "outside the disc");
        let inside = predictions.iter().flatten().count() as f64 / (SIDE * SIDE) as f64;
        assert!((inside - std::f64::consts::FRAC_PI_4).abs() < 0.005);
    }

    #[test]
    fn runs_have_their_lengths() {
        assert_eq!(run_lengths(&[1, 1, 2, 1]).collect::<Vec<_>>(), [(1, 2), (2, 1), (1, 1)]);
        assert_eq!(run_lengths::<u8>(&[]).count(), 0);
    }

    #[test]
    fn cells_have_the_documented_size() {
        let cell = 2.0 / SIDE as f64;
        let length = |radius: f64| 2.0 * cell / (1.0 - radius * radius);
        assert!((length(0.0) - 0.011).abs() < 0.0005);
        assert!((length((4.0f64 / 2.0).tanh()) - 0.16).abs() < 0.005);
    }
}
