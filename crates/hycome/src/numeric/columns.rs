//! Structure-of-arrays layout: blocks of [`ROWS`] rows, with one column per coordinate in each block.
//!
//! Inner loops run over one coordinate of many rows, so they are vectorized for any number of coordinates. A block is
//! also the unit of parallel work: partial sums are computed per block and added in the order of the blocks, so that
//! results do not depend on the number of threads. Within a block, sums have [`LANES`] accumulators independent of the
//! SIMD width.

use rayon::prelude::*;

use crate::Points;

/// Rows per block: in ten dimensions the coordinates fill two thirds of the L1 cache.
pub(crate) const ROWS: usize = 256;

/// Independent accumulators, which hide the latency of additions.
pub(crate) const LANES: usize = 8;

/// Minimum number of blocks per parallel task.
pub(crate) const MIN_BLOCKS: usize = 16;

/// One value for each row of a block.
pub(crate) type Column = [f64; ROWS];

/// Rows of equal width in blocks of columns, zero-padded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnBlocks {
    width: usize,
    len: usize,
    /// Coordinate j of block b is column b·width + j.
    columns: Vec<Column>,
}

impl ColumnBlocks {
    /// Creates rows of zeros.
    pub(crate) fn zeros(width: usize, len: usize) -> Self {
        Self { width, len, columns: vec![[0.0; ROWS]; width * len.div_ceil(ROWS)] }
    }

    /// Transposes all points.
    pub(crate) fn new(points: &Points) -> Self {
        Self::gather(points, points.len(), |i| i)
    }

    /// Gathers `len` points in parallel; row `i` is point `row(i)`.
    pub(crate) fn gather(points: &Points, len: usize, row: impl Fn(usize) -> usize + Sync) -> Self {
        let mut blocks = Self::zeros(points.dim(), len);
        blocks.par_blocks_mut().enumerate().with_min_len(MIN_BLOCKS).for_each(|(b, columns)| {
            for (i, place) in (b * ROWS..len.min((b + 1) * ROWS)).enumerate() {
                columns.iter_mut().zip(points.row(row(place))).for_each(|(column, &x)| column[i] = x);
            }
        });
        blocks
    }

    /// Creates `len` rows of `width` values; `fill(i, row)` writes row `i` over the previous row.
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

    /// One-hot encodes row `i` at coordinate `hot[i]`.
    pub(crate) fn fill_one_hot(&mut self, hot: &[u32]) {
        self.columns.fill([0.0; ROWS]);
        for (i, &j) in hot.iter().enumerate() {
            self.columns[i / ROWS * self.width + j as usize][i % ROWS] = 1.0;
        }
    }

    /// Number of columns.
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

    /// Rows of block `b`: [`ROWS`], or fewer in the last.
    pub(crate) fn block_len(&self, b: usize) -> usize {
        ROWS.min(self.len - b * ROWS)
    }

    /// Columns of block `b`.
    pub(crate) fn block(&self, b: usize) -> &[Column] {
        &self.columns[b * self.width..(b + 1) * self.width]
    }

    /// Parallel mutable iterator over the columns of each block.
    pub(crate) fn par_blocks_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [Column]> {
        self.columns.par_chunks_exact_mut(self.width.max(1))
    }

    /// Values of row `i`.
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = f64> + '_ {
        self.block(i / ROWS).iter().map(move |column| column[i % ROWS])
    }

    /// All values in row-major order.
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
    fn rows_round_trip() {
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
    fn gather_selects_the_rows() {
        let points = Points::new(1, (0..600).map(f64::from).collect());
        let odd = ColumnBlocks::gather(&points, 300, |i| 2 * i + 1);
        assert!((0..300).all(|i| odd.row(i).eq([f64::from(2 * i as u32 + 1)])));
    }

    #[test]
    fn column_sums_match_a_scalar_loop() {
        let x: Column = std::array::from_fn(|i| i as f64);
        assert_eq!((sum(&x), dot(&x, &x)), (32_640.0, 5_559_680.0));
    }
}
