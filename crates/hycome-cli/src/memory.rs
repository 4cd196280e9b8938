//! How much memory a training will take, and whether that is more than it may.

use hycome::TrainConfig;
use hycome::experiments::machine;
use hycome::train::memory::{Estimate, Size};

use crate::style;

/// What the process will have at its peak, in bytes: what it has now and what the training adds, or what it had already.
///
/// Fails if that is more than the limit.
pub fn expect_within(limit: Option<u64>, config: &TrainConfig, size: &Size) -> anyhow::Result<u64> {
    let estimate = Estimate::new(config, size);
    let now = machine::resident_memory().unwrap_or(0);
    let expected = (now + estimate.peak()).max(machine::peak_memory().unwrap_or(0));
    anyhow::ensure!(
        limit.is_none_or(|limit| expected <= limit),
        "the training would take about {} of memory, and --max-memory is {}; {}, or raise the limit",
        style::bytes(expected),
        style::bytes(limit.unwrap_or(0)),
        estimate.remedy(),
    );
    Ok(expected)
}

/// A number of bytes, such as 500M or 1.5G; the letters are powers of a thousand.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let refused = || format!("expected a size such as 500M or 2G, found {text:?}");
    let number = text.trim_end_matches(['B', 'b']);
    let (number, power) = match number.char_indices().last() {
        Some((at, letter)) if letter.is_ascii_alphabetic() => {
            let power = "KMGT".find(letter.to_ascii_uppercase()).ok_or_else(refused)?;
            (&number[..at], power as i32 + 1)
        }
        _ => (number, 0),
    };
    let bytes = number.parse::<f64>().map_err(|_| refused())? * 1000f64.powi(power);
    if (1.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_with_a_letter() {
        for (text, bytes) in
            [("500M", 500_000_000), ("2G", 2_000_000_000), ("1.5gb", 1_500_000_000), ("7", 7), ("3kB", 3000)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "2X", "-1G", "nan", "1e30", "0", "2 G", "é"] {
            assert!(parse_size(text).unwrap_err().starts_with("expected a size such as"), "{text}");
        }
    }
}
