//! The rows that training moves: coordinates in single precision, and 1−|x|² beside them.
//!
//! A row is `dim` coordinates, then its slack 1−|x|². Every formula of a pair needs the slack and none the norm. In flat space
//! a row has the same length, and one in the place of the slack.

use rayon::prelude::*;

use crate::geometry::Geometry;
use crate::geometry::poincare::translate;
use crate::points::Points;
use crate::rng::Stream;

/// Rows of an embedding in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    geometry: Geometry,
    dim: usize,
    data: Vec<f32>,
}

impl Table {
    /// `count` rows at the origin of the ball.
    #[must_use]
    pub fn at_origin(count: usize, dim: usize) -> Self {
        Self::new(Geometry::Poincare, count, dim)
    }

    /// `count` rows at the origin.
    #[must_use]
    pub fn new(geometry: Geometry, count: usize, dim: usize) -> Self {
        let mut data = vec![0.0; count * (dim + 1)];
        for row in data.chunks_exact_mut(dim + 1) {
            row[dim] = 1.0;
        }
        Self { geometry, dim, data }
    }

    /// `count` rows with normal coordinates of this deviation, one stream for all.
    #[must_use]
    pub fn scattered(
        geometry: Geometry,
        count: usize,
        dim: usize,
        deviation: f64,
        stream: &mut Stream,
    ) -> Self {
        let mut table = Self::new(geometry, count, dim);
        let mut point = vec![0.0; dim];
        for i in 0..count {
            point.iter_mut().for_each(|c| *c = deviation * stream.normal());
            table.set(i, &point);
        }
        table
    }

    /// Rows from points; what lies outside the ball's radius limit is drawn in to it.
    #[must_use]
    pub fn from_points(geometry: Geometry, points: &Points) -> Self {
        let mut table = Self::new(geometry, points.len(), points.dim());
        for (i, row) in points.rows().enumerate() {
            table.set(i, row);
        }
        table
    }

    /// Where the rows are.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Coordinates of a row.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Numbers from one row to the next: the coordinates and the slack.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.dim + 1
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.stride()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The coordinates of row `i`.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.stride()..][..self.dim]
    }

    /// The coordinates of row `i` and its slack.
    #[must_use]
    pub fn row_with_slack(&self, i: usize) -> &[f32] {
        &self.data[i * self.stride()..][..self.stride()]
    }

    /// All rows, each with its slack.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.data.chunks_exact_mut(self.dim + 1)
    }

    /// Puts a point into row `i`, in the ball drawn in to the radius limit if it is farther out.
    pub fn set(&mut self, i: usize, point: &[f64]) {
        let stride = self.stride();
        put(self.geometry, &mut self.data[i * stride..][..stride], point);
    }

    /// Moves every row by the translation that takes the origin to `point`, in the ball Möbius's: all distances stay.
    pub fn translate(&mut self, point: &[f64]) {
        let (geometry, dim) = (self.geometry, self.dim);
        let buffers = || (vec![0.0; dim], vec![0.0; dim]);
        self.data.par_chunks_exact_mut(dim + 1).for_each_init(buffers, |(from, moved), row| {
            from.iter_mut().zip(&*row).for_each(|(from, &c)| *from = f64::from(c));
            if geometry.is_flat() {
                moved.iter_mut().zip(&*from).zip(point).for_each(|((to, x), by)| *to = x + by);
            } else {
                translate(point, from, moved);
            }
            put(geometry, row, moved);
        });
    }

    /// All rows, their slacks included.
    pub fn data_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }

    /// All rows, their slacks included.
    #[must_use]
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// Rows of `dim` coordinates and their slack; `None` if there are other numbers.
    #[must_use]
    pub fn from_data(geometry: Geometry, dim: usize, data: Vec<f32>) -> Option<Self> {
        let table = Self { geometry, dim, data };
        (dim > 0 && table.data.len().is_multiple_of(table.stride())).then_some(table)
    }

    /// Whether every coordinate is a number and, in the ball, every row inside.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.data
            .chunks_exact(self.stride())
            .all(|row| row[..=self.dim].iter().all(|c| c.is_finite()) && row[self.dim] > 0.0)
    }

    /// All rows in double precision.
    #[must_use]
    pub fn all_points(&self) -> Points {
        let mut points = Points::zeros(self.len(), self.dim);
        self.write_points(&mut points);
        points
    }

    /// Writes all rows in double precision over as many points.
    pub fn write_points(&self, points: &mut Points) {
        let rows = self.data.par_chunks_exact(self.stride());
        points.par_rows_mut().zip(rows).for_each(|(point, row)| widen(row, point));
    }

    /// The points in double precision, `order[i]` being the row of point `i`.
    #[must_use]
    pub fn points(&self, order: &[u32]) -> Points {
        let mut points = Points::zeros(order.len(), self.dim);
        points.par_rows_mut().zip(order).for_each(|(point, &row)| widen(self.row(row as usize), point));
        points
    }
}

/// Writes the coordinates of a row as a point.
fn widen(row: &[f32], point: &mut [f64]) {
    point.iter_mut().zip(row).for_each(|(to, &from)| *to = f64::from(from));
}

/// Puts a point into a row.
fn put(geometry: Geometry, row: &mut [f32], point: &[f64]) {
    let dim = point.len();
    if geometry.is_flat() {
        row.iter_mut().zip(point).for_each(|(to, from)| *to = *from as f32);
        return;
    }
    let limit = (1.0 - 2.0 * f64::from(super::lanes::SLACK_LIMIT)).sqrt();
    let norm = crate::geometry::poincare::squared_norm(point).sqrt();
    let shrink = if norm > limit { limit / norm } else { 1.0 };
    for (to, from) in row.iter_mut().zip(point) {
        *to = (from * shrink) as f32;
    }
    row[dim] = exact_slack(&row[..dim]);
}

/// 1−|x|² of single-precision coordinates, exact to rounding, and never below half the radius limit.
fn exact_slack(row: &[f32]) -> f32 {
    let square: f64 = row.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
    ((1.0 - square) as f32).max(0.5 * super::lanes::SLACK_LIMIT)
}
