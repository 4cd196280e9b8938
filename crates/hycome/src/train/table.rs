//! The rows that training moves: coordinates in single precision, and 1−|x|² beside them.
//!
//! A row is `dim` coordinates, then its slack 1−|x|², then zeros up to a whole number of registers. Every formula
//! of a pair needs the slack and none the norm. A step computes it afresh from the new coordinates: updated in closed
//! form, its relative error would grow by a factor at every step, and rows that are drawn often would drift out of the ball.

use crate::geometry::poincare::translate;
use crate::points::Points;
use crate::rng::Stream;

/// Rows of an embedding in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    shape: Shape,
    data: Vec<f32>,
}

/// How a row lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Coordinates of a point.
    pub dim: usize,
    /// Numbers from one row to the next.
    pub stride: usize,
}

impl Shape {
    /// The shape of rows of `dim` coordinates: up to three fit one half register, else whole ones.
    #[must_use]
    pub fn new(dim: usize) -> Self {
        Self { dim, stride: if dim < 4 { 4 } else { (dim + 1).next_multiple_of(8) } }
    }
}

impl Table {
    /// `count` rows at the origin.
    #[must_use]
    pub fn at_origin(count: usize, dim: usize) -> Self {
        let shape = Shape::new(dim);
        let mut data = vec![0.0; count * shape.stride];
        for row in data.chunks_exact_mut(shape.stride) {
            row[dim] = 1.0;
        }
        Self { shape, data }
    }

    /// `count` rows with normal coordinates of this deviation, one stream for all.
    #[must_use]
    pub fn scattered(count: usize, dim: usize, deviation: f64, stream: &mut Stream) -> Self {
        let mut table = Self::at_origin(count, dim);
        let mut point = vec![0.0; dim];
        for i in 0..count {
            point.iter_mut().for_each(|c| *c = deviation * stream.normal());
            table.set(i, &point);
        }
        table
    }

    /// Rows from points; what lies outside the radius limit is drawn in to it.
    #[must_use]
    pub fn from_points(points: &Points) -> Self {
        let mut table = Self::at_origin(points.len(), points.dim());
        for (i, row) in points.rows().enumerate() {
            table.set(i, row);
        }
        table
    }

    /// The shape of its rows.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.shape.stride
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The coordinates of row `i`.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.shape.stride..][..self.shape.dim]
    }

    /// Puts a point into row `i`, drawn in to the radius limit if it is farther out.
    pub fn set(&mut self, i: usize, point: &[f64]) {
        let limit = (1.0 - 2.0 * f64::from(super::lanes::SLACK_LIMIT)).sqrt();
        let norm = crate::geometry::poincare::squared_norm(point).sqrt();
        let shrink = if norm > limit { limit / norm } else { 1.0 };
        let row = &mut self.data[i * self.shape.stride..][..self.shape.dim + 1];
        for (to, from) in row.iter_mut().zip(point) {
            *to = (from * shrink) as f32;
        }
        row[self.shape.dim] = exact_slack(&row[..self.shape.dim]);
    }

    /// Moves every row by the Möbius translation that takes the origin to `point`: all distances stay.
    pub fn translate(&mut self, point: &[f64]) {
        let mut moved = vec![0.0; self.shape.dim];
        for i in 0..self.len() {
            let row: Vec<f64> = self.row(i).iter().map(|&c| f64::from(c)).collect();
            translate(point, &row, &mut moved);
            self.set(i, &moved);
        }
    }

    /// All rows, padding included.
    pub fn data_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }

    /// Whether every coordinate is a number inside the ball.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.data
            .chunks_exact(self.shape.stride)
            .all(|row| row[..=self.shape.dim].iter().all(|c| c.is_finite()) && row[self.shape.dim] > 0.0)
    }

    /// All rows in double precision.
    #[must_use]
    pub fn all_points(&self) -> Points {
        let rows = (0..self.len()).flat_map(|row| self.row(row).iter().map(|&c| f64::from(c)));
        Points::new(self.shape.dim, rows.collect())
    }

    /// The points in double precision, `order[i]` being the row of point `i`.
    #[must_use]
    pub fn points(&self, order: &[u32]) -> Points {
        let rows = order.iter().flat_map(|&row| self.row(row as usize).iter().map(|&c| f64::from(c)));
        Points::new(self.shape.dim, rows.collect())
    }
}

/// 1−|x|² of single-precision coordinates, exact to rounding, and never below half the radius limit.
fn exact_slack(row: &[f32]) -> f32 {
    let square: f64 = row.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
    ((1.0 - square) as f32).max(0.5 * super::lanes::SLACK_LIMIT)
}
