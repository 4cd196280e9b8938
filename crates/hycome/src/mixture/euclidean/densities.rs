//! SIMD kernels of EM and K-means on one block of points of Euclidean space.

use pulp::{Simd, WithSimd};

use super::{Component, Whitening};
use crate::Points;
use crate::numeric::columns::{Column, ROWS};

/// Log-densities ln(π·N(x)) of every component at every point of a block.
pub(super) struct LogDensities<'a> {
    /// The points.
    pub block: &'a [Column],
    /// The Gaussians.
    pub components: &'a [Component],
}

impl WithSimd for LogDensities<'_> {
    type Output = Vec<Column>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Column> {
        let mut difference = vec![[0.0; ROWS]; self.block.len()];
        let mut densities = vec![[0.0; ROWS]; self.components.len()];
        for (component, density) in self.components.iter().zip(&mut densities) {
            for ((difference, x), &mean) in difference.iter_mut().zip(self.block).zip(&component.mean) {
                for r in 0..ROWS {
                    difference[r] = x[r] - mean;
                }
            }
            let squares = match &component.whitening {
                Whitening::Spherical(inverse) => spherical(&difference, *inverse),
                Whitening::Full(inverse) => full(&difference, inverse),
            };
            for r in 0..ROWS {
                density[r] = component.log_height - 0.5 * squares[r];
            }
        }
        densities
    }
}

/// The nearest of several centres for each point of a block: its index and squared distance.
pub(super) struct FindNearest<'a> {
    /// The points.
    pub block: &'a [Column],
    /// The centres.
    pub means: &'a Points,
}

impl WithSimd for FindNearest<'_> {
    type Output = (Column, Column);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (Column, Column) {
        let (mut index, mut least) = ([0.0; ROWS], [f64::INFINITY; ROWS]);
        for (k, mean) in self.means.rows().enumerate() {
            let mut square = [0.0; ROWS];
            for (x, &mean) in self.block.iter().zip(mean) {
                for r in 0..ROWS {
                    square[r] += (x[r] - mean) * (x[r] - mean);
                }
            }
            for r in 0..ROWS {
                let less = square[r] < least[r];
                least[r] = if less { square[r] } else { least[r] };
                index[r] = if less { k as f64 } else { index[r] };
            }
        }
        (index, least)
    }
}

#[inline(always)]
fn spherical(difference: &[Column], inverse: f64) -> Column {
    let mut squares = [0.0; ROWS];
    for column in difference {
        for r in 0..ROWS {
            let z = inverse * column[r];
            squares[r] = z.mul_add(z, squares[r]);
        }
    }
    squares
}

#[inline(always)]
fn full(difference: &[Column], inverse: &[f64]) -> Column {
    let mut squares = [0.0; ROWS];
    for (i, row) in inverse.chunks_exact(difference.len()).enumerate() {
        let mut z = [0.0f64; ROWS];
        for (column, &share) in difference[..=i].iter().zip(row) {
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
    use super::super::{Covariances, EuclideanMixture, cholesky};
    use super::*;
    use crate::numeric::columns::ColumnBlocks;
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
            let full = Covariances::Full(covariance.repeat(2));
            for covariances in [full, Covariances::Spherical(vec![0.5, 3.0])] {
                let mixture =
                    EuclideanMixture { weights: weights.clone(), means: means.clone(), covariances };
                let components = mixture.components().unwrap();
                let blocks = ColumnBlocks::new(&points);
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
