//! Structure-of-arrays layout of rows: blocks of [`ROWS`] rows, within a block one column for each coordinate.
//!
//! Every inner loop runs over the same coordinate of many rows and becomes vector code whatever the number of
//! coordinates. A block is also the unit of parallel work: threads take blocks, every block has sums of its own, and these
//! are added in the order of the blocks, so that no result depends on the number of threads. Within a block sums are
//! kept in [`LANES`] parts whatever the width of the machine's vectors.

use rayon::prelude::*;

use crate::Points;

/// Rows in a block: at ten dimensions its coordinates fill two thirds of a first-level cache.
pub(crate) const ROWS: usize = 256;

/// Partial sums kept side by side, so that an addition need not wait for the one before.
pub(crate) const LANES: usize = 8;

/// Blocks that are worth a parallel task.
pub(crate) const MIN_BLOCKS: usize = 16;

/// One number for each row of a block.
pub(crate) type Column = [f64; ROWS];

/// Rows of equal width in blocks of columns; rows after the last are zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnBlocks {
    width: usize,
    len: usize,
    /// Coordinate j of block b is column b·width + j.
    columns: Vec<Column>,
}

impl ColumnBlocks {
    /// Rows of zeros.
    pub(crate) fn zeros(width: usize, len: usize) -> Self {
        Self { width, len, columns: vec![[0.0; ROWS]; width * len.div_ceil(ROWS)] }
    }

    /// All points, a row each.
    pub(crate) fn new(points: &Points) -> Self {
        Self::gather(points, points.len(), |i| i)
    }

    /// `len` of the points, in parallel; row `i` is point `row(i)`.
    pub(crate) fn gather(points: &Points, len: usize, row: impl Fn(usize) -> usize + Sync) -> Self {
        let mut blocks = Self::zeros(points.dim(), len);
        blocks.par_blocks_mut().enumerate().with_min_len(MIN_BLOCKS).for_each(|(b, columns)| {
            for (i, place) in (b * ROWS..len.min((b + 1) * ROWS)).enumerate() {
                columns.iter_mut().zip(points.row(row(place))).for_each(|(column, &x)| column[i] = x);
            }
        });
        blocks
    }

    /// `len` rows of `width` numbers, row `i` written by `fill(i, row)`; the buffer holds the row before.
    pub(crate) fn from_rows(width: usize, len: usize, mut fill: impl FnMut(usize, &mut [f64])) -> Self {
        let mut blocks = Self::zeros(width, len);
        let mut row = vec![0.0; width];
        for i in 0..len {
            fill(i, &mut row);
            let block = &mut blocks.columns[i / ROWS * width..];
            block.iter_mut().zip(&row).for_each(|(column, &x)| column[i % ROWS] = x);
        }
        blocks
    }

    /// Sets row `i` to one at coordinate `hot[i]` and zero elsewhere.
    pub(crate) fn fill_one_hot(&mut self, hot: &[u32]) {
        self.columns.fill([0.0; ROWS]);
        for (i, &j) in hot.iter().enumerate() {
            self.columns[i / ROWS * self.width + j as usize][i % ROWS] = 1.0;
        }
    }

    /// Numbers in a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Number of blocks.
    pub(crate) fn block_count(&self) -> usize {
        self.len.div_ceil(ROWS)
    }

    /// Rows of block `b`: [`ROWS`], but fewer in the last.
    pub(crate) fn block_len(&self, b: usize) -> usize {
        ROWS.min(self.len - b * ROWS)
    }

    /// The columns of block `b`.
    pub(crate) fn block(&self, b: usize) -> &[Column] {
        &self.columns[b * self.width..(b + 1) * self.width]
    }

    /// The columns of each block in order, to be changed in parallel.
    pub(crate) fn par_blocks_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [Column]> {
        self.columns.par_chunks_exact_mut(self.width.max(1))
    }

    /// The numbers of row `i`.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = f64> + '_ {
        self.block(i / ROWS).iter().map(move |column| column[i % ROWS])
    }

    /// All numbers, row after row.
    pub(crate) fn to_rows(&self) -> Vec<f64> {
        let mut rows = Vec::with_capacity(self.len * self.width);
        (0..self.len).for_each(|i| rows.extend(self.row(i)));
        rows
    }
}

/// Dot product of two columns.
#[inline(always)]
pub(crate) fn dot(x: &Column, y: &Column) -> f64 {
    let mut lanes = [0.0; LANES];
    for i in (0..ROWS).step_by(LANES) {
        for l in 0..LANES {
            lanes[l] += x[i + l] * y[i + l];
        }
    }
    lanes.iter().sum()
}

/// Sum of a column.
#[inline(always)]
pub(crate) fn sum(x: &Column) -> f64 {
    dot(x, &[1.0; ROWS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_is_in_its_place() {
        let points = Points::new(3, (0..900).map(|i| f64::from(i) * 1e-4).collect());
        let blocks = ColumnBlocks::new(&points);
        assert_eq!((blocks.block_count(), blocks.block_len(1)), (2, 44));
        for (i, x) in points.rows().enumerate() {
            assert!(blocks.row(i).eq(x.iter().copied()));
        }
        assert!(blocks.block(1).iter().all(|column| column[44..].iter().all(|&x| x == 0.0)));
        assert_eq!(blocks.to_rows(), points.as_slice());
        assert_eq!(ColumnBlocks::from_rows(3, 300, |i, row| row.copy_from_slice(points.row(i))), blocks);
    }

    #[test]
    fn gathered_rows_are_those_that_were_named() {
        let points = Points::new(1, (0..600).map(f64::from).collect());
        let odd = ColumnBlocks::gather(&points, 300, |i| 2 * i + 1);
        assert!((0..300).all(|i| odd.row(i).eq([f64::from(2 * i as u32 + 1)])));
    }

    #[test]
    fn sums_of_columns_are_those_of_a_plain_loop() {
        let x: Column = std::array::from_fn(|i| i as f64);
        assert_eq!((sum(&x), dot(&x, &x)), (32_640.0, 5_559_680.0));
    }
}
