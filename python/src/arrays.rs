//! Conversions between NumPy arrays and the library's types.
//!
//! Results are moved into arrays without copying. Arguments are borrowed; only [`to_points`] copies, because the
//! library's points own their coordinates.

use hycome::Points;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::error::value_error;

/// Borrowed rows of a C-contiguous matrix.
pub struct Rows<'a> {
    pub dim: usize,
    pub count: usize,
    data: &'a [f64],
}

impl<'a> Rows<'a> {
    pub fn new(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let (count, dim) = (array.shape()[0], array.shape()[1]);
        if dim == 0 {
            return Err(value_error("points need at least one coordinate, but have none"));
        }
        Ok(Self { dim, count, data: contiguous(array.as_slice())? })
    }

    /// Row `i`; a single row is broadcast.
    pub fn row(&self, i: usize) -> &'a [f64] {
        let i = if self.count == 1 { 0 } else { i };
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    pub fn to_points(&self) -> Points {
        Points::new(self.dim, self.data.to_vec())
    }
}

/// Copies the rows of a matrix into the library's points.
pub fn to_points(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Points> {
    Ok(Rows::new(array)?.to_points())
}

/// Borrows the elements of an array.
pub fn as_slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    contiguous(array.as_slice())
}

fn contiguous<T, E>(elements: Result<&[T], E>) -> PyResult<&[T]> {
    elements.map_err(|_| value_error("the array must be contiguous; use numpy.ascontiguousarray"))
}

/// Moves a vector into a one-dimensional array.
pub fn array1<T: Element>(py: Python<'_>, data: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, data)
}

/// Moves row-major data into a matrix with this number of columns.
pub fn array2<T: Element>(py: Python<'_>, columns: usize, data: Vec<T>) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = data.len() / columns.max(1);
    PyArray1::from_vec(py, data).reshape([rows, columns])
}

/// Moves points into a matrix with one row per point.
pub fn points_array(py: Python<'_>, points: Points) -> PyResult<Bound<'_, PyArray2<f64>>> {
    array2(py, points.dim(), points.into_vec())
}
