//! Cholesky decomposition of a covariance, and the inverse of the factor.
//!
//! A symmetric positive definite matrix is Σ = L·Lᵀ with one lower triangular L of positive diagonal. Matrices are
//! stored row after row; above the diagonal a factor has zeros.

/// L of the matrix whose lower half is given; `None` if it is not positive definite.
#[must_use]
pub(super) fn factor(matrix: &[f64], dim: usize) -> Option<Vec<f64>> {
    let mut factor = vec![0.0; dim * dim];
    for i in 0..dim {
        for j in 0..=i {
            let (row, column) = (&factor[i * dim..i * dim + j], &factor[j * dim..j * dim + j]);
            let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
            let rest = matrix[i * dim + j] - product;
            factor[i * dim + j] = if i != j {
                rest / factor[j * dim + j]
            } else if rest > 0.0 && rest.is_finite() {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(factor)
}

/// The inverse of a factor, lower triangular too.
#[must_use]
pub(super) fn invert(factor: &[f64], dim: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; dim * dim];
    for i in 0..dim {
        let scale = 1.0 / factor[i * dim + i];
        let (before, row) = inverse.split_at_mut(i * dim);
        // Row i of L·L⁻¹ is that of the identity: what rows before it add is taken away.
        for (j, known) in before.chunks_exact(dim).enumerate() {
            let share = factor[i * dim + j] * scale;
            row[..=j].iter_mut().zip(known).for_each(|(to, known)| *to -= share * known);
        }
        row[i] = scale;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    fn product(a: &[f64], b: &[f64], dim: usize) -> Vec<f64> {
        let entry = |i: usize, j: usize| (0..dim).map(|k| a[i * dim + k] * b[k * dim + j]).sum::<f64>();
        (0..dim * dim).map(|at| entry(at / dim, at % dim)).collect()
    }

    fn transposed(a: &[f64], dim: usize) -> Vec<f64> {
        (0..dim * dim).map(|at| a[at % dim * dim + at / dim]).collect()
    }

    #[test]
    fn the_factor_times_itself_is_the_matrix_and_times_its_inverse_the_identity() {
        for dim in [1, 2, 5, 20, 64] {
            let mut rng = stream(1, Purpose::Start, dim as u64, 0);
            let root: Vec<f64> = (0..dim * dim).map(|_| rng.normal()).collect();
            let mut matrix = product(&root, &transposed(&root, dim), dim);
            (0..dim).for_each(|i| matrix[i * dim + i] += 0.1);
            let factor = factor(&matrix, dim).unwrap();
            let again = product(&factor, &transposed(&factor, dim), dim);
            let largest = matrix.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            assert!(again.iter().zip(&matrix).all(|(a, b)| (a - b).abs() < 1e-13 * largest), "{dim}");
            let identity = product(&factor, &invert(&factor, dim), dim);
            for (at, found) in identity.iter().enumerate() {
                let expected = if at / dim == at % dim { 1.0 } else { 0.0 };
                assert!((found - expected).abs() < 1e-9, "dim {dim}: {found}");
            }
        }
    }

    #[test]
    fn matrices_that_are_not_positive_definite_have_none() {
        assert_eq!(factor(&[1.0, 2.0, 2.0, 1.0], 2), None);
        assert_eq!(factor(&[0.0], 1), None);
        assert_eq!(factor(&[f64::NAN], 1), None);
        assert_eq!(factor(&[1.0, 0.0, f64::INFINITY, 1.0], 2), None);
    }
}
