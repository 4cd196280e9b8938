//! Target values that a mean is compared with.

use std::fmt;

/// A target value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// Lower bound, such as `0.80`; a mean is rounded to its number of digits before the comparison.
    AtLeast(&'static str),
    /// Upper bound, for scores where lower is better.
    AtMost(&'static str),
}

impl Target {
    /// Whether `value` reaches the target after rounding to the target's number of digits.
    pub fn is_reached_by(self, value: f64) -> bool {
        let (Self::AtLeast(bound) | Self::AtMost(bound)) = self;
        let digits = bound.split_once('.').map_or(0, |(_, digits)| digits.len());
        let rounded: f64 = format!("{value:.digits$}").parse().expect("a printed number is a number");
        let bound: f64 = bound.parse().expect("targets are written as numbers");
        match self {
            Self::AtLeast(_) => rounded >= bound,
            Self::AtMost(_) => rounded <= bound,
        }
    }

    /// The target and whether `value` reaches it: `≥ 0.80 ✓`.
    pub fn verdict(self, value: f64) -> String {
        let mark = if self.is_reached_by(value) { '✓' } else { '–' };
        format!("{self} {mark}")
    }
}

impl fmt::Display for Target {
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
    fn values_are_rounded_to_the_digits_of_the_target() {
        assert!(Target::AtLeast("0.80").is_reached_by(0.7951));
        assert!(!Target::AtLeast("0.80").is_reached_by(0.7949));
        assert!(Target::AtMost("0.069").is_reached_by(0.06949));
        assert!(!Target::AtMost("0.069").is_reached_by(0.0696));
        assert!(Target::AtMost("150").is_reached_by(150.4));
        assert!(!Target::AtLeast("0.80").is_reached_by(f64::NAN));
    }

    #[test]
    fn verdicts_show_target_and_mark() {
        assert_eq!(Target::AtLeast("0.80").verdict(0.9), "≥ 0.80 ✓");
        assert_eq!(Target::AtMost("0.50").verdict(0.9), "≤ 0.50 –");
    }
}
