//! The arithmetic of the E step on one block of points, for every component.
//!
//! Within a block the coordinates stand one column after the other, so that every inner loop runs over the same
//! coordinate of [`ROWS`] points and becomes vector code whatever the dimension.

use pulp::{Simd, WithSimd};

use super::{Component, Whiten};
use crate::Points;

/// Points of a block.
pub const ROWS: usize = 64;

/// A number for each point of a block.
pub type Column = [f64; ROWS];

/// Points in blocks of columns; rows after the last point are zero.
pub struct Blocks {
    dim: usize,
    columns: Vec<Column>,
}

impl Blocks {
    /// The points by blocks.
    pub fn new(points: &Points) -> Self {
        let dim = points.dim();
        let mut columns = vec![[0.0; ROWS]; points.len().div_ceil(ROWS) * dim];
        for (i, x) in points.rows().enumerate() {
            for (column, &x) in columns[i / ROWS * dim..].iter_mut().zip(x) {
                column[i % ROWS] = x;
            }
        }
        Self { dim, columns }
    }

    /// A column for each coordinate of block `b`.
    pub fn block(&self, b: usize) -> &[Column] {
        &self.columns[b * self.dim..(b + 1) * self.dim]
    }
}

/// ln(π·N(x)) of every component at every point of a block.
pub struct LogDensities<'a> {
    /// The points.
    pub block: &'a [Column],
    /// The Gaussians.
    pub components: &'a [Component],
}

impl WithSimd for LogDensities<'_> {
    type Output = Vec<Column>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Column> {
        let mut away = vec![[0.0; ROWS]; self.block.len()];
        let mut densities = vec![[0.0; ROWS]; self.components.len()];
        for (component, density) in self.components.iter().zip(&mut densities) {
            for ((away, x), &mean) in away.iter_mut().zip(self.block).zip(&component.mean) {
                for r in 0..ROWS {
                    away[r] = x[r] - mean;
                }
            }
            let squares = match &component.whiten {
                Whiten::Round(inverse) => round(&away, *inverse),
                Whiten::Full(inverse) => full(&away, inverse),
            };
            for r in 0..ROWS {
                density[r] = component.log_height - 0.5 * squares[r];
            }
        }
        densities
    }
}

#[inline(always)]
fn round(away: &[Column], inverse: f64) -> Column {
    let mut squares = [0.0; ROWS];
    for column in away {
        for r in 0..ROWS {
            let z = inverse * column[r];
            squares[r] = z.mul_add(z, squares[r]);
        }
    }
    squares
}

#[inline(always)]
fn full(away: &[Column], inverse: &[f64]) -> Column {
    let mut squares = [0.0; ROWS];
    for (i, row) in inverse.chunks_exact(away.len()).enumerate() {
        let mut z = [0.0f64; ROWS];
        for (column, &share) in away[..=i].iter().zip(row) {
            for r in 0..ROWS {
                z[r] = share.mul_add(column[r], z[r]);
            }
        }
        for r in 0..ROWS {
            squares[r] = z[r].mul_add(z[r], squares[r]);
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::super::{FlatMixture, Spreads, cholesky};
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn a_block_has_the_densities_of_its_points_one_by_one() {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        for dim in [1, 2, 7, 40] {
            let points = Points::new(dim, (0..dim * 100).map(|_| rng.normal()).collect());
            let means = points.slice(0..2);
            let weights = vec![0.3, 0.7];
            let square = |i: usize, j: usize| if i == j { 1.0 + i as f64 } else { 0.3 / (1 + i + j) as f64 };
            let covariance: Vec<f64> = (0..dim * dim).map(|at| square(at / dim, at % dim)).collect();
            assert!(cholesky::factor(&covariance, dim).is_some());
            let full = Spreads::Full(covariance.repeat(2));
            for spreads in [full, Spreads::Round(vec![0.5, 3.0])] {
                let mixture = FlatMixture { weights: weights.clone(), means: means.clone(), spreads };
                let components = mixture.components().unwrap();
                let blocks = Blocks::new(&points);
                for (i, x) in points.rows().enumerate() {
                    let block = blocks.block(i / ROWS);
                    let found = pulp::Arch::new().dispatch(LogDensities { block, components: &components });
                    for (found, component) in found.iter().zip(&components) {
                        let expected = component.log_density(x);
                        assert!((found[i % ROWS] - expected).abs() < 1e-11 * (1.0 + expected.abs()));
                    }
                }
            }
        }
    }
}
