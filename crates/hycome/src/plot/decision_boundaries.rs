//! Decision boundaries of a classifier, by marching squares.
//!
//! On a grid, class k has the margin f_k = score_k − max of the other scores, which is positive where k is predicted.
//! The level set f_k = 0 crosses a cell whose corners differ in sign; crossings on its sides are interpolated
//! linearly, so that boundaries are smooth on a coarse grid. Grid points outside the disc have the margin of the
//! nearest point inside, and the drawing is clipped to the disc.

use std::collections::BTreeMap;

use super::curves::DiscPoint;
use crate::classify::Classifier;
use crate::points::Points;

/// Grid points in each direction.
const SIDE: usize = 257;

/// Half side of the grid, slightly larger than the disc.
const HALF_SIDE: f64 = 1.02;

/// Norm to which grid points are clamped: less than a pixel from the boundary, another class may win in a sliver,
/// which would be drawn as a broken line along the boundary.
const MAX_NORM: f64 = 1.0 - 1e-3;

/// Closed outlines of the decision region of each class. The classifier is two-dimensional.
pub(super) fn outlines(classifier: &Classifier) -> Vec<Vec<Vec<DiscPoint>>> {
    let places = (0..SIDE * SIDE).flat_map(|i| {
        let [x, y] = position((i % SIDE) as f64, (i / SIDE) as f64);
        let shrink = (MAX_NORM / x.hypot(y)).min(1.0);
        [shrink * x, shrink * y]
    });
    let scores = classifier.scores(&Points::new(2, places.collect())).expect("points of the disc are valid");
    let of_class = |class: usize| {
        let margin = |i: usize| {
            let others = scores.row(i).iter().enumerate().filter(|(k, _)| *k != class);
            let best = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
            let won = scores.ranking(i)[0] == class;
            // Scores may be tied, or infinite for impossible classes: the sign follows the ranking.
            let size = (scores.row(i)[class] - best).abs().clamp(f64::MIN_POSITIVE, 1e300);
            if won { size } else { -size }
        };
        contours(&(0..SIDE * SIDE).map(margin).collect::<Vec<f64>>())
    };
    (0..classifier.classes.len()).map(of_class).collect()
}

fn position(column: f64, row: f64) -> DiscPoint {
    let at = |i: f64| HALF_SIDE * (2.0 * i / (SIDE - 1) as f64 - 1.0);
    [at(column), -at(row)]
}

/// Closed contours around the points with positive margin; outside the grid it is negative.
fn contours(margins: &[f64]) -> Vec<Vec<DiscPoint>> {
    // Padded by one row and column on each side, so that contours close.
    const WIDE: usize = SIDE + 2;
    let at = |column: usize, row: usize| {
        let inside = (1..=SIDE).contains(&column) && (1..=SIDE).contains(&row);
        if inside { margins[(row - 1) * SIDE + column - 1] } else { f64::NEG_INFINITY }
    };
    // Clockwise around a cell, a contour leaves where inside turns to outside and returns at the next change. The
    // adjacent cell sees the shared side reversed, so every crossing starts one segment and ends another.
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut crossing: BTreeMap<usize, DiscPoint> = BTreeMap::new();
    for row in 0..WIDE - 1 {
        for column in 0..WIDE - 1 {
            let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
            let values = corners.map(|(c, r)| at(c, r));
            let inside = values.map(|value| value > 0.0);
            if inside == [true; 4] || inside == [false; 4] {
                continue;
            }
            let cell = 2 * (row * WIDE + column);
            let sides = [cell, cell + 3, cell + 2 * WIDE, cell + 1]; // top, right, bottom, left
            for side in (0..4).filter(|&side| inside[side] && !inside[(side + 1) % 4]) {
                let back = (1..4).map(|step| (side + step) % 4).find(|&k| !inside[k] && inside[(k + 1) % 4]);
                let Some(back) = back else { continue };
                next.insert(sides[side], sides[back]);
                let (from, to) = (corners[side], corners[(side + 1) % 4]);
                let (a, b) = (values[side], values[(side + 1) % 4]);
                let share = if b == f64::NEG_INFINITY { 0.0 } else { a / (a - b) };
                let between = |a: usize, b: usize| a as f64 + share * (b as f64 - a as f64) - 1.0;
                crossing.insert(sides[side], position(between(from.0, to.0), between(from.1, to.1)));
            }
        }
    }
    let mut found = Vec::new();
    while let Some((first, mut side)) = next.pop_first() {
        let mut line = vec![crossing[&first]];
        while side != first {
            line.push(crossing[&side]);
            side = next.remove(&side).expect("every crossing ends one segment and starts another");
        }
        found.push(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(line: &[DiscPoint]) -> f64 {
        let pairs = line.iter().zip(line.iter().cycle().skip(1));
        0.5 * pairs.map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>().abs()
    }

    fn field(f: impl Fn(DiscPoint) -> f64) -> Vec<Vec<DiscPoint>> {
        contours(
            &(0..SIDE * SIDE)
                .map(|i| f(position((i % SIDE) as f64, (i / SIDE) as f64)))
                .collect::<Vec<f64>>(),
        )
    }

    #[test]
    fn circle_is_one_smooth_contour() {
        let found = field(|[x, y]| 0.5 - x.hypot(y));
        assert_eq!(found.len(), 1);
        assert!(found[0].iter().all(|p| (p[0].hypot(p[1]) - 0.5).abs() < 1e-4));
        assert!((area(&found[0]) - std::f64::consts::PI / 4.0).abs() < 1e-3);
    }

    #[test]
    fn rings_saddles_and_the_full_grid_have_closed_contours() {
        assert_eq!(field(|[x, y]| 0.2 - (x.hypot(y) - 0.6).abs()).len(), 2, "a ring has two outlines");
        let saddle = field(|[x, y]| x * y);
        assert!(
            (saddle.iter().map(|line| area(line)).sum::<f64>() - 2.0 * HALF_SIDE * HALF_SIDE).abs() < 0.02
        );
        let all = field(|_| 1.0);
        assert_eq!(all.len(), 1);
        assert!((area(&all[0]) - 4.0 * HALF_SIDE * HALF_SIDE).abs() < 1e-9);
        assert!(field(|_| -1.0).is_empty());
    }
}
