//! Figures reported in the paper, and how a measurement compares with them.
//!
//! The figures are in `paper.txt`, in percent as printed. A measured mean m with standard deviation s over seeds is *level*
//! with a reported figure p, printed with the deviation t or none, if |m − p| is at most √(s² + t²) or half a unit of the
//! last digit of p: the difference is within the variance of the two or rounding. Otherwise it is *ahead* or *behind*.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::SeedStats;

const FIGURES: &str = include_str!("paper.txt");

/// A figure reported in the paper, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Mean, as printed.
    mean: &'static str,
    /// Standard deviation, as printed.
    deviation: Option<&'static str>,
}

/// Reported figures of a cell, one per score of its table.
#[must_use]
pub fn reported(table: u8, data: &str, dim: usize, column: &str) -> Vec<Reported> {
    let is_cell = |words: &[&str]| {
        words[0].parse() == Ok(table) && words[1] == data && words[2].parse() == Ok(dim) && words[3] == column
    };
    let lines = FIGURES.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| line.split_whitespace().collect::<Vec<&'static str>>());
    let row = rows.into_iter().find(|words| is_cell(words)).unwrap_or_default();
    row.iter().skip(4).map(|figure| Reported::new(figure)).collect()
}

impl Reported {
    fn new(figure: &'static str) -> Self {
        match figure.split_once('±') {
            Some((mean, deviation)) => Self { mean, deviation: Some(deviation) },
            None => Self { mean: figure, deviation: None },
        }
    }

    /// Mean in percent.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean.parse().expect("a printed mean is a number")
    }

    /// Standard deviation in percent.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        self.deviation.map(|deviation| deviation.parse().expect("a printed deviation is a number"))
    }

    /// Half a unit of the last printed digit.
    fn rounding(&self) -> f64 {
        let digits = self.mean.split_once('.').map_or(0, |(_, digits)| digits.len());
        0.5 * 10f64.powi(-(digits as i32))
    }

    /// Compares measured values, given as fractions.
    #[must_use]
    pub fn verdict(&self, measured: &SeedStats, smaller_is_better: bool) -> Verdict {
        let (mean, deviation) = (100.0 * measured.mean(), 100.0 * measured.deviation().unwrap_or(0.0));
        let gain = if smaller_is_better { self.mean() - mean } else { mean - self.mean() };
        let tolerance = deviation.hypot(self.deviation().unwrap_or(0.0)).max(self.rounding());
        match gain {
            gain if gain > tolerance => Verdict::Ahead,
            gain if gain < -tolerance => Verdict::Behind,
            _ => Verdict::Level,
        }
    }
}

impl fmt::Display for Reported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mean)?;
        self.deviation.map_or(Ok(()), |deviation| write!(f, " ± {deviation}"))
    }
}

/// `{"mean": …, "deviation": …}`, in percent.
impl Serialize for Reported {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::json!({ "mean": self.mean(), "deviation": self.deviation() }).serialize(serializer)
    }
}

/// Comparison of a measurement with a reported figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better by more than the tolerance.
    Ahead,
    /// Within the tolerance.
    Level,
    /// Worse by more than the tolerance.
    Behind,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 3] = [Self::Ahead, Self::Level, Self::Behind];

    /// Symbol used in tables.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Ahead => '▲',
            Self::Level => '=',
            Self::Behind => '▼',
        }
    }

    /// Name used in text.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ahead => "ahead",
            Self::Level => "level",
            Self::Behind => "behind",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reported_figure_is_a_number() {
        let mut figures = 0;
        for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&'static str> = line.split_whitespace().collect();
            assert!(words.len() >= 5, "{line}");
            for figure in words[4..].iter().map(|figure| Reported::new(figure)) {
                assert!((0.0..=100.0).contains(&figure.mean()) && figure.deviation() >= None, "{line}");
                figures += 1;
            }
        }
        // 24 rows of three; 12 of one and 36 of three; 16 of one; 16 of one and 12 of three.
        assert_eq!(figures, 72 + 12 + 108 + 16 + 16 + 36);
    }

    #[test]
    fn reported_figures_are_looked_up() {
        let shown = |cell: Vec<Reported>| cell.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        assert_eq!(shown(reported(2, "dblp", 2, "h-gmm")), "79.3 ± 3.3, 6.9 ± 1.2, 57.6 ± 2.5");
        assert_eq!(shown(reported(3, "blogcatalog", 10, "logistic")), "34.3, 19.6, 14.6");
        assert_eq!(shown(reported(4, "football", 2, "svm")), "24 ± 3");
        assert!(reported(4, "dblp", 2, "svm").is_empty());
    }

    #[test]
    fn level_takes_both_deviations_into_account() {
        // √(0.3² + 0.4²) = 0.5; the deviation of the values m ± 0.3/√2 is 0.3.
        let figure = Reported::new("80.0±0.4");
        let half = 0.003 / 2f64.sqrt();
        let verdict = |mean: f64| figure.verdict(&SeedStats(vec![mean - half, mean + half]), false);
        assert_eq!(
            [0.8049, 0.8051, 0.7951, 0.7949].map(verdict),
            [Verdict::Level, Verdict::Ahead, Verdict::Level, Verdict::Behind]
        );
        assert_eq!(Reported::new("83±7.5").verdict(&SeedStats(vec![0.839]), false), Verdict::Level);
    }

    #[test]
    fn level_is_within_our_deviation_or_the_rounding_if_no_other_is_printed() {
        let figure = Reported::new("79.3");
        let verdict = |values: &[f64]| figure.verdict(&SeedStats(values.to_vec()), false);
        assert_eq!(verdict(&[0.7934]), Verdict::Level);
        assert_eq!(verdict(&[0.7936]), Verdict::Ahead);
        assert_eq!(verdict(&[0.7924]), Verdict::Behind);
        assert_eq!(verdict(&[0.79, 0.81]), Verdict::Level);
        assert_eq!(verdict(&[0.80, 0.801]), Verdict::Ahead);
        assert_eq!(Reported::new("39").verdict(&SeedStats(vec![0.394]), false), Verdict::Level);
        assert_eq!(Reported::new("6.9").verdict(&SeedStats(vec![0.05]), true), Verdict::Ahead);
    }
}
