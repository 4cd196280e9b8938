//! Points by blocks of columns: what the arithmetic of a mixture runs over.
//!
//! A block is [`ROWS`] points. Within it the coordinates are stored one column after the other, so that every
//! inner loop goes over the same coordinate of many points and becomes vector code whatever the dimension. A
//! block is also the unit of parallel work: threads take blocks, every block's sums are its own, and they are
//! added in the order of the blocks. So no result depends on the number of threads.

use rayon::prelude::*;

use crate::{Error, Points, Result, geometry::poincare};

/// Points in a block: at ten dimensions its coordinates fill two thirds of a first-level cache.
pub const ROWS: usize = 256;

/// Blocks that are worth a task of their own.
pub const MIN_BLOCKS: usize = 16;

/// One number for each point of a block.
pub type Column = [f64; ROWS];

/// Points in blocks of columns. Rows after the last point are at the origin and have weight zero.
#[derive(Clone, Debug)]
pub struct Columns {
    /// Number of coordinates.
    pub dim: usize,
    /// Number of points.
    pub len: usize,
    /// Coordinate j of block b is column b·dim + j.
    coordinates: Vec<Column>,
    /// 1/(1−|x|²), a column for each block.
    inverse_slack: Vec<Column>,
}

/// One block of [`Columns`].
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// A column for each coordinate.
    pub coordinates: &'a [Column],
    /// 1/(1−|x|²).
    pub inverse_slack: &'a Column,
    /// Rows that are points.
    pub len: usize,
}

impl Columns {
    /// The points, which must be finite and inside the ball.
    pub fn new(points: &Points) -> Result<Self> {
        let columns = Self::gather(points, points.len(), |i| i);
        let outside = |&inverse: &f64| inverse.is_nan() || inverse <= 0.0 || inverse.is_infinite();
        match columns.inverse_slack.as_flattened().par_iter().position_first(outside) {
            None => Ok(columns),
            Some(i) => Err(Error::Config {
                parameter: "points",
                expected: "finite and inside the unit ball".into(),
                found: format!("of norm {} in row {i}", (1.0 - poincare::slack(points.row(i))).sqrt()),
            }),
        }
    }

    /// `len` of points that are inside the ball; number `place` is row `row(place)`.
    pub fn gather(points: &Points, len: usize, row: impl Fn(usize) -> usize + Sync) -> Self {
        let (dim, blocks) = (points.dim(), len.div_ceil(ROWS));
        let mut columns = Self {
            dim,
            len,
            coordinates: vec![[0.0; ROWS]; blocks * dim],
            inverse_slack: vec![[1.0; ROWS]; blocks],
        };
        let coordinates = columns.coordinates.par_chunks_exact_mut(dim.max(1));
        coordinates.zip(&mut columns.inverse_slack).enumerate().with_min_len(MIN_BLOCKS).for_each(
            |(block, (coordinates, inverse_slack))| {
                for (i, place) in (block * ROWS..len.min((block + 1) * ROWS)).enumerate() {
                    let x = points.row(row(place));
                    coordinates.iter_mut().zip(x).for_each(|(column, &x)| column[i] = x);
                    inverse_slack[i] = 1.0 / poincare::slack(x);
                }
            },
        );
        columns
    }

    /// Number of blocks.
    pub fn block_count(&self) -> usize {
        self.inverse_slack.len()
    }

    /// Block number `b`.
    pub fn block(&self, b: usize) -> Block<'_> {
        Block {
            coordinates: &self.coordinates[b * self.dim..(b + 1) * self.dim],
            inverse_slack: &self.inverse_slack[b],
            len: ROWS.min(self.len - b * ROWS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_is_in_its_place() {
        let points = Points::new(3, (0..900).map(|i| f64::from(i) * 1e-4).collect());
        let columns = Columns::new(&points).unwrap();
        assert_eq!((columns.block_count(), columns.block(1).len), (2, 44));
        for i in 0..300 {
            let block = columns.block(i / ROWS);
            for j in 0..3 {
                assert_eq!(block.coordinates[j][i % ROWS], points.row(i)[j]);
            }
            assert_eq!(block.inverse_slack[i % ROWS], 1.0 / poincare::slack(points.row(i)));
        }
    }

    #[test]
    fn points_outside_the_ball_are_refused() {
        for bad in [1.0, 2.0, f64::NAN, f64::INFINITY] {
            let error = Columns::new(&Points::new(2, vec![0.0, 0.0, bad, 0.0])).unwrap_err();
            assert!(error.to_string().contains("row 1"), "{error}");
        }
    }
}
