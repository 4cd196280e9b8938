//! Means over seeds, and goals that a mean reaches or not.

use std::fmt;

/// Numbers of several seeds; NaN where a score is not defined.
#[derive(Clone, Debug, Default)]
pub struct Sample(pub Vec<f64>);

impl Sample {
    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// The standard deviation with n − 1; none for fewer than two numbers.
    pub fn deviation(&self) -> Option<f64> {
        if self.0.len() < 2 {
            return None;
        }
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|x| (x - mean) * (x - mean)).sum();
        Some((squares / (self.0.len() - 1) as f64).sqrt())
    }

    /// The smallest number.
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.mean();
        if mean.is_nan() {
            return f.write_str("n/a");
        }
        write!(f, "{mean:.3}")?;
        self.deviation().map_or(Ok(()), |deviation| write!(f, " ± {deviation:.3}"))
    }
}

/// The exponent b of y ≈ a·xᵇ: the slope of the line of least squares through (ln x, ln y).
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

/// A number that a mean should reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// As written, for instance `0.80`: the digits say how a mean is rounded before it is compared.
    AtLeast(&'static str),
    /// As written; smaller is better.
    AtMost(&'static str),
}

impl Goal {
    /// Whether `value` reaches the goal after rounding to the goal's number of digits.
    pub fn is_reached_by(self, value: f64) -> bool {
        let (Self::AtLeast(bound) | Self::AtMost(bound)) = self;
        let digits = bound.split_once('.').map_or(0, |(_, digits)| digits.len());
        let rounded: f64 = format!("{value:.digits$}").parse().expect("a printed number is a number");
        let bound: f64 = bound.parse().expect("goals are written as numbers");
        match self {
            Self::AtLeast(_) => rounded >= bound,
            Self::AtMost(_) => rounded <= bound,
        }
    }

    /// The goal and whether `value` reaches it: `≥ 0.80 ✓`.
    pub fn verdict(self, value: f64) -> String {
        let mark = if self.is_reached_by(value) { '✓' } else { '–' };
        format!("{self} {mark}")
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "≥ {bound}"),
            Self::AtMost(bound) => write!(f, "≤ {bound}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let power = |x: f64| (x, 3.0 * x.powf(1.25));
        assert!((exponent(&[power(1e4), power(3e5), power(1e7)]) - 1.25).abs() < 1e-12);
        // Noise that is even around the middle moves the line, but does not turn it.
        assert!((exponent(&[(1.0, 2.0), (10.0, 5.0), (100.0, 200.0)]) - 1.0).abs() < 1e-12);
        assert!(exponent(&[(1.0, 1.0)]).is_nan());
    }

    #[test]
    fn goals_are_compared_after_rounding_to_their_digits() {
        assert!(Goal::AtLeast("0.80").is_reached_by(0.7951));
        assert!(!Goal::AtLeast("0.80").is_reached_by(0.7949));
        assert!(Goal::AtMost("0.069").is_reached_by(0.06949));
        assert!(!Goal::AtMost("0.069").is_reached_by(0.0696));
        assert!(Goal::AtMost("150").is_reached_by(150.4));
        assert!(!Goal::AtLeast("0.80").is_reached_by(f64::NAN));
    }

    #[test]
    fn verdicts_show_goal_and_mark() {
        assert_eq!(Goal::AtLeast("0.80").verdict(0.9), "≥ 0.80 ✓");
        assert_eq!(Goal::AtMost("0.50").verdict(0.9), "≤ 0.50 –");
    }

    #[test]
    fn samples_print_mean_and_deviation() {
        let sample = Sample(vec![0.7, 0.8, 0.9]);
        assert_eq!(sample.to_string(), "0.800 ± 0.100");
        assert_eq!(sample.least(), 0.7);
        assert_eq!(Sample(vec![0.25]).to_string(), "0.250");
        assert_eq!(Sample(vec![f64::NAN]).to_string(), "n/a");
    }
}
