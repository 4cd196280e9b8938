//! Power-law fit of cost against size.

/// Exponent b of y ≈ a·xᵇ: the slope of the least-squares line through (ln x, ln y).
///
/// NaN for fewer than two different x.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / count;
    let product: f64 = logs.iter().map(|&(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let square: f64 = logs.iter().map(|&(x, _)| (x - mean_x) * (x - mean_x)).sum();
    product / square
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponent_of_a_power_law_is_recovered() {
        let power = |x: f64| (x, 3.0 * x.powf(1.25));
        assert!((exponent(&[power(1e4), power(3e5), power(1e7)]) - 1.25).abs() < 1e-12);
        // Symmetric noise shifts the line but keeps its slope.
        assert!((exponent(&[(1.0, 2.0), (10.0, 5.0), (100.0, 200.0)]) - 1.0).abs() < 1e-12);
        assert!(exponent(&[(1.0, 1.0)]).is_nan());
    }
}
