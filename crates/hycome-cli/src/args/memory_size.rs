//! Memory sizes on the command line.

/// Parses a number of bytes such as 500M or 1.5G; suffixes are powers of 1000.
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
    fn sizes_have_a_decimal_suffix() {
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
