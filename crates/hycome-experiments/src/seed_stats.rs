//! Mean and standard deviation over seeds.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Values of a score over seeds; NaN if the score is undefined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeedStats(pub Vec<f64>);

impl SeedStats {
    /// Arithmetic mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Sample standard deviation (n − 1); `None` for fewer than two values.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        if self.0.len() < 2 {
            return None;
        }
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|x| (x - mean) * (x - mean)).sum();
        Some((squares / (self.0.len() - 1) as f64).sqrt())
    }

    /// Minimum.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Mean and deviation in percent with one digit: `83.2 ± 2.7`.
    #[must_use]
    pub fn percent(&self) -> String {
        let mean = format!("{:.1}", 100.0 * self.mean());
        self.deviation().map_or(mean.clone(), |deviation| format!("{mean} ± {:.1}", 100.0 * deviation))
    }
}

impl fmt::Display for SeedStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = self.mean();
        if mean.is_nan() {
            return f.write_str("n/a");
        }
        write!(f, "{mean:.3}")?;
        self.deviation().map_or(Ok(()), |deviation| write!(f, " ± {deviation:.3}"))
    }
}

/// `{"mean": …, "deviation": …, "values": […]}`.
impl Serialize for SeedStats {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SeedStats", 3)?;
        object.serialize_field("mean", &self.mean())?;
        object.serialize_field("deviation", &self.deviation())?;
        object.serialize_field("values", &self.0)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_shows_mean_and_deviation() {
        let sample = SeedStats(vec![0.7, 0.8, 0.9]);
        assert_eq!(sample.to_string(), "0.800 ± 0.100");
        assert_eq!(sample.percent(), "80.0 ± 10.0");
        assert_eq!(sample.min(), 0.7);
        assert_eq!(SeedStats(vec![0.25]).to_string(), "0.250");
        assert_eq!(SeedStats(vec![f64::NAN]).to_string(), "n/a");
    }

    #[test]
    fn json_is_an_object_with_the_values() {
        let json = serde_json::to_value(SeedStats(vec![0.5])).unwrap();
        assert_eq!(json, serde_json::json!({ "mean": 0.5, "deviation": null, "values": [0.5] }));
    }
}
