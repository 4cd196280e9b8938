//! Outlines of a classifier's regions, by marching squares.
//!
//! On a grid, class k has the margin f_k = score_k − max of the other scores, which is positive where k wins. The line f_k = 0 crosses
//! a cell where corners differ in sign; the crossings on the cell's sides are interpolated linearly, so outlines are smooth
//! although the grid is coarse. Places beyond the rim have the margin of the nearest place inside, and the picture is clipped to the disc.

use std::collections::BTreeMap;

use super::curves::Place;
use crate::classify::Classifier;
use crate::points::Points;

/// Grid points in each direction.
const SIDE: usize = 257;

/// The grid reaches a little beyond the disc.
const REACH: f64 = 1.02;

/// Places farther out than this have the margin of the nearest place at this radius: less than a pixel from the rim, another class may
/// win in the last sliver, which would be drawn as a broken line along the rim.
const RIM: f64 = 1.0 - 1e-3;

/// Closed outlines of each class's region, class after class. The classifier is one of two dimensions.
pub(super) fn outlines(classifier: &Classifier) -> Vec<Vec<Vec<Place>>> {
    let places = (0..SIDE * SIDE).flat_map(|i| {
        let [x, y] = position((i % SIDE) as f64, (i / SIDE) as f64);
        let shrink = (RIM / x.hypot(y)).min(1.0);
        [shrink * x, shrink * y]
    });
    let scores = classifier
        .scores(&Points::new(2, places.collect()))
        .expect("places of the disc are points of the ball");
    let of_class = |class: usize| {
        let margin = |i: usize| {
            let others = scores.row(i).iter().enumerate().filter(|(k, _)| *k != class);
            let best = others.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
            let won = scores.ranking(i)[0] == class;
            // Scores may be equal, or infinite where a class is impossible: the sign is that of the ranking.
            let size = (scores.row(i)[class] - best).abs().clamp(f64::MIN_POSITIVE, 1e300);
            if won { size } else { -size }
        };
        loops(&(0..SIDE * SIDE).map(margin).collect::<Vec<f64>>())
    };
    (0..classifier.classes.len()).map(of_class).collect()
}

fn position(column: f64, row: f64) -> Place {
    let at = |i: f64| REACH * (2.0 * i / (SIDE - 1) as f64 - 1.0);
    [at(column), -at(row)]
}

/// Closed lines around the places where the margin is positive; outside of the grid it is negative.
fn loops(margins: &[f64]) -> Vec<Vec<Place>> {
    // One more row and column on each side, so that outlines close.
    const WIDE: usize = SIDE + 2;
    let at = |column: usize, row: usize| {
        let inside = (1..=SIDE).contains(&column) && (1..=SIDE).contains(&row);
        if inside { margins[(row - 1) * SIDE + column - 1] } else { f64::NEG_INFINITY }
    };
    // Around a cell clockwise, an outline leaves where inside turns to outside and comes back at the next turn. The next cell sees
    // the same side the other way round, so every crossing begins one piece and ends another.
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut crossing: BTreeMap<usize, Place> = BTreeMap::new();
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
            side = next.remove(&side).expect("every crossing that ends a piece begins another");
        }
        found.push(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(line: &[Place]) -> f64 {
        let pairs = line.iter().zip(line.iter().cycle().skip(1));
        0.5 * pairs.map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>().abs()
    }

    fn field(f: impl Fn(Place) -> f64) -> Vec<Vec<Place>> {
        loops(
            &(0..SIDE * SIDE)
                .map(|i| f(position((i % SIDE) as f64, (i / SIDE) as f64)))
                .collect::<Vec<f64>>(),
        )
    }

    #[test]
    fn a_circle_is_one_smooth_line() {
        let found = field(|[x, y]| 0.5 - x.hypot(y));
        assert_eq!(found.len(), 1);
        assert!(found[0].iter().all(|p| (p[0].hypot(p[1]) - 0.5).abs() < 1e-4));
        assert!((area(&found[0]) - std::f64::consts::PI / 4.0).abs() < 1e-3);
    }

    #[test]
    fn rings_saddles_and_the_whole_grid_are_closed_lines() {
        assert_eq!(field(|[x, y]| 0.2 - (x.hypot(y) - 0.6).abs()).len(), 2, "a ring has two outlines");
        let saddle = field(|[x, y]| x * y);
        assert!((saddle.iter().map(|line| area(line)).sum::<f64>() - 2.0 * REACH * REACH).abs() < 0.02);
        let all = field(|_| 1.0);
        assert_eq!(all.len(), 1);
        assert!((area(&all[0]) - 4.0 * REACH * REACH).abs() < 1e-9);
        assert!(field(|_| -1.0).is_empty());
    }
}
