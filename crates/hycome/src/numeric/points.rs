//! Row-major matrix of points in double precision.

use rayon::prelude::*;

/// Points of equal dimension in row-major order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    dim: usize,
    data: Vec<f64>,
}

impl Points {
    /// Creates points from coordinates in row-major order.
    ///
    /// # Panics
    /// If the length of `data` is not a multiple of `dim`.
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

    /// Dimension of the points.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.dim.max(1)
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Coordinates of point `i`.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// Mutable coordinates of point `i`.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.dim..(i + 1) * self.dim]
    }

    /// Copies a range of points.
    #[must_use]
    pub(crate) fn slice(&self, rows: std::ops::Range<usize>) -> Self {
        Self::new(self.dim, self.data[rows.start * self.dim..rows.end * self.dim].to_vec())
    }

    /// Iterates over the points.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.data.chunks_exact(self.dim.max(1))
    }

    /// Parallel mutable iterator over the points.
    pub(crate) fn par_rows_mut(&mut self) -> impl IndexedParallelIterator<Item = &mut [f64]> {
        self.data.par_chunks_exact_mut(self.dim.max(1))
    }

    /// All coordinates in row-major order.
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// Converts to coordinates in row-major order.
    #[must_use]
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }
}
