//! Embedding table in training: single-precision coordinates, each row followed by its conformal slack 1−|x|².
//!
//! Every formula of a pair update needs the slack and none the norm; stored beside the coordinates it stays accurate near the boundary.
//! In Euclidean space rows have the same stride, and one in place of the slack.

use rayon::prelude::*;

use crate::geometry::Geometry;
use crate::points::Points;
use crate::rng::Stream;

/// Embedding table: one row per node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    geometry: Geometry,
    dim: usize,
    data: Vec<f32>,
}

impl Table {
    /// `count` rows at the origin of the ball.
    #[must_use]
    pub(crate) fn at_origin(count: usize, dim: usize) -> Self {
        Self::new(Geometry::Poincare, count, dim)
    }

    /// `count` rows at the origin.
    #[must_use]
    pub(crate) fn new(geometry: Geometry, count: usize, dim: usize) -> Self {
        let mut data = vec![0.0; count * (dim + 1)];
        for row in data.chunks_exact_mut(dim + 1) {
            row[dim] = 1.0;
        }
        Self { geometry, dim, data }
    }

    /// `count` rows with normally distributed coordinates of this standard deviation, from one stream.
    #[must_use]
    pub(crate) fn random(
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

    /// Geometry of the rows.
    #[must_use]
    pub(crate) fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Coordinates per row.
    #[must_use]
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// Numbers per row: coordinates and slack.
    #[must_use]
    pub(crate) fn stride(&self) -> usize {
        self.dim + 1
    }

    /// Number of rows.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.stride()
    }

    /// The coordinates of row `i`.
    #[must_use]
    pub(crate) fn row(&self, i: usize) -> &[f32] {
        &self.data[i * self.stride()..][..self.dim]
    }

    /// The coordinates of row `i` and its slack.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn row_with_slack(&self, i: usize) -> &[f32] {
        &self.data[i * self.stride()..][..self.stride()]
    }

    /// All rows, each with its slack.
    #[cfg(test)]
    pub(crate) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.data.chunks_exact_mut(self.dim + 1)
    }

    /// Sets row `i` to a point, in the ball clamped to the radius limit.
    pub(crate) fn set(&mut self, i: usize, point: &[f64]) {
        let stride = self.stride();
        put(self.geometry, &mut self.data[i * stride..][..stride], point);
    }

    /// Translates every row by the isometry that takes the origin to `point` (in the ball a Möbius translation).
    pub(crate) fn translate(&mut self, point: &[f64]) {
        let (geometry, dim) = (self.geometry, self.dim);
        let buffers = || (vec![0.0; dim], vec![0.0; dim]);
        self.data.par_chunks_exact_mut(dim + 1).for_each_init(buffers, |(from, moved), row| {
            from.iter_mut().zip(&*row).for_each(|(from, &c)| *from = f64::from(c));
            geometry.translate(point, from, moved);
            put(geometry, row, moved);
        });
    }

    /// All rows with their slacks.
    pub(crate) fn data_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }

    /// All rows with their slacks.
    #[must_use]
    pub(crate) fn data(&self) -> &[f32] {
        &self.data
    }

    /// Table from rows of `dim` coordinates and their slack; `None` if the length does not fit.
    #[must_use]
    pub(crate) fn from_data(geometry: Geometry, dim: usize, data: Vec<f32>) -> Option<Self> {
        let table = Self { geometry, dim, data };
        (dim > 0 && table.data.len().is_multiple_of(table.stride())).then_some(table)
    }

    /// Whether every coordinate is finite and, in the ball, every row inside.
    #[must_use]
    pub(crate) fn is_finite(&self) -> bool {
        self.data
            .chunks_exact(self.stride())
            .all(|row| row[..=self.dim].iter().all(|c| c.is_finite()) && row[self.dim] > 0.0)
    }

    /// All rows in double precision.
    #[must_use]
    pub(crate) fn all_points(&self) -> Points {
        let mut points = Points::zeros(self.len(), self.dim);
        self.write_points(&mut points);
        points
    }

    /// Writes all rows in double precision to as many points.
    pub(crate) fn write_points(&self, points: &mut Points) {
        let rows = self.data.par_chunks_exact(self.stride());
        points.par_rows_mut().zip(rows).for_each(|(point, row)| widen(row, point));
    }

    /// Points in double precision, `order[i]` being the row of point `i`.
    #[must_use]
    pub(crate) fn points(&self, order: &[u32]) -> Points {
        let mut points = Points::zeros(order.len(), self.dim);
        points.par_rows_mut().zip(order).for_each(|(point, &row)| widen(self.row(row as usize), point));
        points
    }
}

/// Converts the coordinates of a row to double precision.
fn widen(row: &[f32], point: &mut [f64]) {
    point.iter_mut().zip(row).for_each(|(to, &from)| *to = f64::from(from));
}

/// Sets a row to a point.
fn put(geometry: Geometry, row: &mut [f32], point: &[f64]) {
    let dim = point.len();
    if geometry.is_euclidean() {
        row.iter_mut().zip(point).for_each(|(to, from)| *to = *from as f32);
        return;
    }
    let limit = (1.0 - 2.0 * f64::from(super::pair_update::MIN_CONFORMAL_SLACK)).sqrt();
    let norm = crate::geometry::poincare::squared_norm(point).sqrt();
    let shrink = if norm > limit { limit / norm } else { 1.0 };
    for (to, from) in row.iter_mut().zip(point) {
        *to = (from * shrink) as f32;
    }
    row[dim] = exact_slack(&row[..dim]);
}

/// 1−|x|² of single-precision coordinates, exact to rounding, and at least half the slack limit.
fn exact_slack(row: &[f32]) -> f32 {
    let square: f64 = row.iter().map(|&c| f64::from(c) * f64::from(c)).sum();
    ((1.0 - square) as f32).max(0.5 * super::pair_update::MIN_CONFORMAL_SLACK)
}
