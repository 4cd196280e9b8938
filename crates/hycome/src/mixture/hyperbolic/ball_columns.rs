//! Points of the Poincaré ball in blocks of columns.

use rayon::prelude::*;

use crate::geometry::poincare;
use crate::numeric::columns::{Column, ColumnBlocks, MIN_BLOCKS, ROWS};
use crate::{Error, Points, Result};

/// Points of the ball with 1/(1−|x|²) beside the coordinates. Rows after the last point are at the origin.
#[derive(Clone, Debug)]
pub(super) struct BallColumns {
    coordinates: ColumnBlocks,
    /// 1/(1−|x|²), a column for each block.
    inverse_slack: Vec<Column>,
}

/// One block of [`BallColumns`].
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    /// A column for each coordinate.
    pub coordinates: &'a [Column],
    /// 1/(1−|x|²).
    pub inverse_slack: &'a Column,
    /// Rows that are points.
    pub len: usize,
}

impl BallColumns {
    /// The points, which must be finite and inside the ball.
    pub(super) fn new(points: &Points) -> Result<Self> {
        let columns = Self::gather(points, points.len(), |i| i);
        let is_outside = |&inverse: &f64| inverse.is_nan() || inverse <= 0.0 || inverse.is_infinite();
        match columns.inverse_slack.as_flattened().par_iter().position_first(is_outside) {
            None => Ok(columns),
            Some(i) => Err(Error::Config {
                parameter: "points",
                expected: "finite and inside the unit ball".into(),
                found: format!("of norm {} in row {i}", (1.0 - poincare::slack(points.row(i))).sqrt()),
            }),
        }
    }

    /// `len` of points that are inside the ball; row `i` is point `row(i)`.
    pub(super) fn gather(points: &Points, len: usize, row: impl Fn(usize) -> usize + Sync) -> Self {
        let coordinates = ColumnBlocks::gather(points, len, &row);
        let mut inverse_slack = vec![[1.0; ROWS]; coordinates.block_count()];
        inverse_slack.par_iter_mut().enumerate().with_min_len(MIN_BLOCKS).for_each(|(b, column)| {
            for (inverse, i) in column.iter_mut().zip(b * ROWS..len.min((b + 1) * ROWS)) {
                *inverse = 1.0 / poincare::slack(points.row(row(i)));
            }
        });
        Self { coordinates, inverse_slack }
    }

    /// Number of coordinates.
    pub(super) fn dim(&self) -> usize {
        self.coordinates.width()
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of blocks.
    pub(super) fn block_count(&self) -> usize {
        self.coordinates.block_count()
    }

    /// Block number `b`.
    pub(super) fn block(&self, b: usize) -> Block<'_> {
        Block {
            coordinates: self.coordinates.block(b),
            inverse_slack: &self.inverse_slack[b],
            len: self.coordinates.block_len(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slacks_are_those_of_the_points() {
        let points = Points::new(3, (0..900).map(|i| f64::from(i) * 1e-4).collect());
        let columns = BallColumns::new(&points).unwrap();
        assert_eq!((columns.block_count(), columns.block(1).len), (2, 44));
        for i in 0..300 {
            let block = columns.block(i / ROWS);
            assert_eq!(block.inverse_slack[i % ROWS], 1.0 / poincare::slack(points.row(i)));
        }
    }

    #[test]
    fn points_outside_the_ball_are_refused() {
        for bad in [1.0, 2.0, f64::NAN, f64::INFINITY] {
            let error = BallColumns::new(&Points::new(2, vec![0.0, 0.0, bad, 0.0])).unwrap_err();
            assert!(error.to_string().contains("row 1"), "{error}");
        }
    }
}
