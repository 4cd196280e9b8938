//! Goals that a mean reaches or not.

use std::fmt;

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
}
