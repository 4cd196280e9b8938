//! Row-major matrix of points in double precision.

use rayon::prelude::*;

/// Points of equal dimension in row-major order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    dim: usize,
    data: Vec<f64>,
}

impl Points {
    /// Points from their coordinates in row-major order.
    ///
    /// # Panics
    /// If `data` does not hold a whole number of rows.
    #[must_use]
    pub fn new(dim: usize, data: Vec<f64>) -> Self {
        assert!(dim > 0 && data.len().is_multiple_of(dim), "data holds whole rows of {dim} coordinates");
        Self { dim, data }
    }

    /// `count` points at the origin.
    #[must_use]
    pub fn zeros(count: usize, dim: usize) -> Self {
        Self::new(dim, vec![0.0; count * dim])
    }

    /// Number of coordinates of a point.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.dim.max(1)
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The coordinates of point `i`.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// The coordinates of point `i`, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// A copy of some of the points.
    #[must_use]
    pub(crate) fn slice(&self, rows: std::ops::Range<usize>) -> Self {
        Self::new(self.dim, self.data[rows.start * self.dim..rows.end * self.dim].to_vec())
    }

    /// All points in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.data.chunks_exact(self.dim.max(1))
    }

    /// All points in order, to be changed in parallel.
    pub(crate) fn par_rows_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [f64]> {
        self.data.par_chunks_exact_mut(self.dim.max(1))
    }

    /// All coordinates in row-major order.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// All coordinates in row-major order, by value.
    #[must_use]
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }
}
