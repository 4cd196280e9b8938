//! Normalizing constant ζ and mean squared distance against values of mpmath at higher precision.
//!
//! `tests/data/zeta_values.csv` was made by `tools/zeta_values.py` (mpmath, 50 digits).

use hycome::special::{log_zeta, mean_squared_distance, scale_from_spread};

/// Documented precision: ten digits.
const RELATIVE: f64 = 1e-10;

/// Logarithms below this magnitude are compared by absolute error, since they are differences of larger numbers.
const NEAR_ZERO: f64 = 1e-3;

fn check(table: &str) -> usize {
    let mut rows = 0;
    for line in table.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let fields: Vec<f64> = line.split(',').map(|f| f.trim().parse().expect("a number")).collect();
        let (dim, scale, zeta, spread) = (fields[0] as usize, fields[1], fields[2], fields[3]);
        let error =
            (log_zeta(dim, scale) - zeta).abs() / if zeta.abs() < NEAR_ZERO { 1.0 } else { zeta.abs() };
        assert!(error < RELATIVE, "log ζ at m = {dim}, σ = {scale}: {} for {zeta}", log_zeta(dim, scale));
        let found = mean_squared_distance(dim, scale);
        assert!(
            (found / spread - 1.0).abs() < RELATIVE,
            "Φ⁻¹ at m = {dim}, σ = {scale}: {found} for {spread}"
        );
        let found = scale_from_spread(dim, spread);
        assert!((found / scale - 1.0).abs() < RELATIVE, "Φ at m = {dim}, σ = {scale}: {found}");
        rows += 1;
    }
    rows
}

#[test]
fn zeta_agrees_with_mpmath() {
    assert_eq!(check(include_str!("../data/zeta_values.csv")), 130);
}
