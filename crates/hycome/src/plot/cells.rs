//! The class that a classifier gives to every place of the disc, on a raster.
//!
//! A square around the disc has [`SIDE`] rows and columns; a cell has the class of its middle. Towards the rim a cell is
//! a longer way of the plane: 0.011 at the centre, 0.16 at a distance of 4 from it.

use crate::classify::Classifier;
use crate::points::Points;

/// Rows and columns.
pub(super) const SIDE: usize = 360;

/// The class of each cell, row by row from the top; none outside of the disc. The classifier is one of two dimensions.
pub(super) fn winners(classifier: &Classifier) -> Vec<Option<usize>> {
    let middle = |i: usize| 2.0 * (i as f64 + 0.5) / SIDE as f64 - 1.0;
    let places = (0..SIDE * SIDE).map(|cell| [middle(cell % SIDE), -middle(cell / SIDE)]);
    let inside: Vec<bool> = places.clone().map(|[x, y]| x.hypot(y) < 1.0 - 1e-6).collect();
    let data = places.zip(&inside).filter(|(_, inside)| **inside).flat_map(|(place, _)| place).collect();
    // Places of the disc are points of the ball, so this fails only if it is interrupted, and the picture is not used.
    let Ok(scores) = classifier.scores(&Points::new(2, data)) else { return vec![None; SIDE * SIDE] };
    let mut next = 0..;
    inside.iter().map(|&is| is.then(|| scores.ranking(next.next().expect("it never ends"))[0])).collect()
}

/// Equal neighbours of a row of values together: each value with how often it comes.
pub(super) fn runs<T: Copy + PartialEq>(values: &[T]) -> impl Iterator<Item = (T, usize)> + '_ {
    values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Labels;
    use crate::classify::{ClassifierConfig, Method, fit};

    #[test]
    fn cells_have_the_class_of_their_place_and_fill_the_disc() {
        let points = Points::new(2, vec![-0.5, 0.1, -0.4, -0.1, -0.5, 0.0, 0.5, 0.1, 0.4, -0.1, 0.5, 0.0]);
        let labels = Labels::from_lists(
            vec!["west".into(), "east".into()],
            [[0], [0], [0], [1], [1], [1]].map(Vec::from).to_vec(),
        );
        let config = ClassifierConfig { method: Method::Knn, neighbors: 3, ..ClassifierConfig::default() };
        let winners = winners(&fit(&points, &labels, &config).unwrap().classifier);
        let at = |x: f64, y: f64| {
            let cell = |share: f64| (share * SIDE as f64) as usize;
            winners[cell((1.0 - y) / 2.0) * SIDE + cell((1.0 + x) / 2.0)]
        };
        assert_eq!([at(-0.5, 0.0), at(0.5, 0.0), at(-0.3, 0.8), at(0.3, -0.8)], [0, 1, 0, 1].map(Some));
        assert_eq!(at(0.8, 0.8), None, "outside of the disc");
        let inside = winners.iter().flatten().count() as f64 / (SIDE * SIDE) as f64;
        assert!((inside - std::f64::consts::FRAC_PI_4).abs() < 0.005);
    }

    #[test]
    fn equal_neighbours_come_together() {
        assert_eq!(runs(&[1, 1, 2, 1]).collect::<Vec<_>>(), [(1, 2), (2, 1), (1, 1)]);
        assert_eq!(runs::<u8>(&[]).count(), 0);
    }

    #[test]
    fn cells_are_as_long_as_is_said() {
        let cell = 2.0 / SIDE as f64;
        let length = |radius: f64| 2.0 * cell / (1.0 - radius * radius);
        assert!((length(0.0) - 0.011).abs() < 0.0005);
        assert!((length((4.0f64 / 2.0).tanh()) - 0.16).abs() < 0.005);
    }
}
