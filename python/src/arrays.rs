//! NumPy arrays in and out.
//!
//! What the library computed is given away, not copied: a vector becomes the memory of an array. What comes in is read where it is;
//! [`points`] alone makes a copy, since the library's points own their numbers.

use hycome::Points;
use numpy::{
    Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::error::refuse;

/// Rows of a table that somebody gave us.
pub struct Rows<'a> {
    pub dim: usize,
    pub count: usize,
    data: &'a [f64],
}

impl<'a> Rows<'a> {
    pub fn of(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        let (count, dim) = (array.shape()[0], array.shape()[1]);
        if dim == 0 {
            return Err(refuse("points need at least one coordinate, but have none"));
        }
        Ok(Self { dim, count, data: slice(array.as_slice())? })
    }

    /// Row `i`, or the only one.
    pub fn row(&self, i: usize) -> &'a [f64] {
        let i = if self.count == 1 { 0 } else { i };
        &self.data[i * self.dim..(i + 1) * self.dim]
    }

    pub fn to_points(&self) -> Points {
        Points::new(self.dim, self.data.to_vec())
    }
}

/// The rows as points of the library.
pub fn points(array: &PyReadonlyArray2<'_, f64>) -> PyResult<Points> {
    Ok(Rows::of(array)?.to_points())
}

/// The numbers of an array, where they lie.
pub fn numbers<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    slice(array.as_slice())
}

fn slice<T, E>(numbers: Result<&[T], E>) -> PyResult<&[T]> {
    numbers.map_err(|_| refuse("the array must be contiguous; numpy.ascontiguousarray makes it so"))
}

/// A vector as an array, without a copy.
pub fn vector<T: Element>(py: Python<'_>, data: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, data)
}

/// Rows of so many columns as a table, without a copy.
pub fn table<T: Element>(py: Python<'_>, columns: usize, data: Vec<T>) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = data.len() / columns.max(1);
    PyArray1::from_vec(py, data).reshape([rows, columns])
}

/// Points as a table, without a copy.
pub fn rows(py: Python<'_>, points: Points) -> PyResult<Bound<'_, PyArray2<f64>>> {
    table(py, points.dim(), points.into_vec())
}
