//! Distances and logarithms up to the boundary, against values of another program at 80 digits.
//!
//! `tests/data/distance_values.csv` was made by `tools/distance_values.py` (mpmath).

use hycome::geometry::poincare::{distance, log};

/// Relative error of distances and, in the length of the vector, of logarithms.
const RELATIVE: f64 = 1e-13;

#[test]
fn distances_have_all_their_digits_up_to_the_boundary() {
    let mut rows = 0;
    for line in include_str!("../data/distance_values.csv").lines().skip(1) {
        let fields: Vec<Vec<f64>> = line
            .split(',')
            .map(|field| field.split(' ').map(|number| number.parse().expect("a number")).collect())
            .collect();
        let [_, x, y, expected, vector] = fields.as_slice() else { panic!("{line}") };
        let expected = expected[0];
        for found in [distance(x, y), distance(y, x)] {
            assert!((found / expected - 1.0).abs() < RELATIVE, "{found} for {expected}: {line}");
        }
        let mut out = vec![0.0; x.len()];
        let found = log(x, y, &mut out);
        assert!((found / expected - 1.0).abs() < RELATIVE, "log: {found} for {expected}: {line}");
        let norm = |v: &[f64]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
        let off: Vec<f64> = out.iter().zip(vector).map(|(found, known)| found - known).collect();
        let error = norm(&off) / norm(vector);
        assert!(error < RELATIVE, "the vector is off by {error}: {line}");
        rows += 1;
    }
    assert!(rows > 100, "{rows}");
}
