//! Text utilities of the parsers: lines and columns, positions of errors, quoting.
//!
//! Columns are separated by any run of spaces, tabs and commas. A line that is empty or starts with `#` or
//! `%` holds no data. A fault has a byte offset, which is converted to a line number only when it
//! is reported, so that parallel parsing needs no line counts.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::table::not_text;
use crate::io::progress::{ReadCallback, ReadStep};
use crate::{Error, Result};

/// The text of a file that was read, and the path its faults are reported under.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub path: &'a Path,
    pub bytes: &'a [u8],
    pub progress: ReadCallback<'a>,
}

/// A syntax error at a byte offset of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub offset: usize,
    pub expected: String,
    pub found: String,
}

impl Fault {
    pub(crate) fn new(offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { offset, expected: expected.into(), found: found.into() }
    }
}

/// Size of the chunks in which large files are parsed.
pub(crate) const CHUNK_BYTES: usize = 1 << 22;

impl<'a> Text<'a> {
    /// The text without a UTF-8 byte order mark.
    pub(crate) fn new(path: &'a Path, bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { path, bytes, progress: ReadCallback::default() }
    }

    /// The same text, with a progress callback for its parsing.
    pub(crate) fn with_progress(self, progress: ReadCallback<'a>) -> Self {
        Self { progress, ..self }
    }

    /// Reports how many bytes are parsed.
    pub(crate) fn report_parsed(self, bytes: usize) {
        self.progress.notify(ReadStep::Parsing, bytes as u64, Some(self.bytes.len() as u64));
    }

    /// The lines that hold data, trimmed, with their byte offsets, from the line at `range.start`.
    pub(crate) fn data_lines(self, range: Range<usize>) -> impl Iterator<Item = (usize, &'a [u8])> {
        let mut rest = range;
        std::iter::from_fn(move || self.next_data_line(&mut rest))
    }

    /// The first line in `rest` that holds data, trimmed, with its byte offset; `rest` is what follows.
    pub(crate) fn next_data_line(self, rest: &mut Range<usize>) -> Option<(usize, &'a [u8])> {
        while rest.start < rest.end {
            let start = rest.start;
            let line = &self.bytes[rest.clone()];
            let length = memchr::memchr(b'\n', line).unwrap_or(line.len());
            rest.start = (start + length + 1).min(rest.end);
            let line = trim(&line[..length]);
            if !line.is_empty() && !matches!(line[0], b'#' | b'%') {
                return Some((start, line));
            }
        }
        None
    }

    /// Number of lines in a range, the last one perhaps without an end.
    pub(crate) fn line_count(self, range: Range<usize>) -> usize {
        memchr::memchr_iter(b'\n', &self.bytes[range]).count() + 1
    }

    /// Applies `parse` to chunks of the text that end at line ends, in parallel; results are in the order of the text.
    pub(crate) fn in_chunks<T: Send, E: Send>(
        self,
        from: usize,
        size: usize,
        parse: impl Fn(Range<usize>) -> std::result::Result<T, E> + Send + Sync,
    ) -> Vec<std::result::Result<T, E>> {
        let mut chunks = Vec::new();
        let mut start = from;
        while start < self.bytes.len() {
            let tail = self.bytes.get(start + size..).unwrap_or(&[]);
            let end = self.bytes.len() - tail.len();
            let end = memchr::memchr(b'\n', tail).map_or(self.bytes.len(), |at| end + at + 1);
            chunks.push(start..end);
            start = end;
        }
        let parsed = AtomicUsize::new(from);
        let with_progress = |range: Range<usize>| {
            let length = range.len();
            let piece = parse(range);
            if piece.is_ok() {
                self.report_parsed(parsed.fetch_add(length, Ordering::Relaxed) + length);
            }
            piece
        };
        chunks.into_par_iter().map(with_progress).collect()
    }

    /// The error that reports `fault`.
    pub(crate) fn error(self, fault: Fault) -> Error {
        let before = &self.bytes[..fault.offset.min(self.bytes.len())];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        Error::Line { path: self.path.into(), line, expected: fault.expected, found: fault.found }
    }

    /// An error about the text as a whole.
    pub(crate) fn content_error(self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::Content { path: self.path.into(), expected: expected.into(), found: found.into() }
    }

    /// `result`, its fault reported.
    pub(crate) fn report<T>(self, result: std::result::Result<T, Fault>) -> Result<T> {
        result.map_err(|fault| self.error(fault))
    }
}

/// Whether a byte separates columns.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b'\r')
}

fn trim(mut line: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = line
        && is_separator(*first)
    {
        line = rest;
    }
    while let [rest @ .., last] = line
        && is_separator(*last)
    {
        line = rest;
    }
    line
}

/// The columns of a trimmed line.
pub(crate) fn columns(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| is_separator(byte)).filter(|column| !column.is_empty())
}

/// The first `N` columns of a trimmed line, empty where there are fewer, and whether there are more.
pub(crate) fn first_columns<const N: usize>(line: &[u8]) -> ([&[u8]; N], bool) {
    let mut all = columns(line);
    let first = std::array::from_fn(|_| all.next().unwrap_or_default());
    (first, all.next().is_some())
}

/// A whole number up to `u32::MAX` written the plain way, without sign or leading zeros.
pub(crate) fn plain_u32(column: &[u8]) -> Option<u32> {
    if column.is_empty() || column.len() > 10 || (column[0] == b'0' && column.len() > 1) {
        return None;
    }
    let mut value = 0u64;
    for &byte in column {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    value.try_into().ok()
}

/// The two numbers of a line that is nothing but `number separator number`, and its length with its end.
///
/// Fast path: most lines of most files have this form.
#[inline]
pub(crate) fn plain_line(bytes: &[u8]) -> Option<(u32, u32, usize)> {
    let (first, middle) = leading_number(bytes)?;
    if !matches!(bytes.get(middle)?, b' ' | b'\t' | b',') {
        return None;
    }
    let rest = &bytes[middle + 1..];
    let (second, end) = leading_number(rest)?;
    (*rest.get(end)? == b'\n').then_some((first, second, middle + end + 2))
}

/// The plain number of at most nine digits at the start, and its length.
#[inline]
fn leading_number(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0u32;
    for (length, byte) in bytes.iter().take(10).enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            let is_plain = length > 0 && (bytes[0] != b'0' || length == 1);
            return is_plain.then_some((value, length));
        }
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit)); // ten digits are not used
    }
    None
}

/// Whether a name is a whole number of any size written the plain way.
pub(crate) fn is_plain_integer(name: &str) -> bool {
    name == "0"
        || (!name.is_empty() && !name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A column as text, or the fault that it is not text.
pub(crate) fn utf8(column: &[u8], offset: usize) -> std::result::Result<&str, Fault> {
    match std::str::from_utf8(column) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(not_text(offset, column)),
    }
}

/// Valid weights, for error messages.
const WEIGHT: &str = "a weight of 0 or from 1.4e-45 to 3.4e38";

/// A weight: finite, not negative, and neither too large nor too small for 32 bits.
pub(crate) fn weight(column: &[u8], offset: usize) -> std::result::Result<f32, Fault> {
    let value = std::str::from_utf8(column).ok().and_then(|text| text.parse::<f64>().ok());
    // A number too small for 64 bits is parsed as zero, which would remove the edge.
    let digits = column.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
    let vanished = value == Some(0.0) && digits.into_iter().any(|byte| (b'1'..=b'9').contains(byte));
    let weight = value.filter(|_| !vanished).and_then(checked_weight);
    weight.ok_or_else(|| Fault::new(offset, WEIGHT, quoted(column)))
}

/// `value` in 32 bits if it can be a weight.
pub(crate) fn checked_weight(value: f64) -> Option<f32> {
    let weight = value as f32;
    let vanished = weight == 0.0 && value != 0.0;
    (weight.is_finite() && weight >= 0.0 && !vanished).then_some(weight.abs())
}

/// Longest quotation in a message, in characters.
const QUOTE_LENGTH: usize = 60;

/// What was found, in quotes, shortened, with control characters escaped so that a terminal ignores them.
pub(crate) fn quoted(found: &[u8]) -> String {
    let start = &found[..found.len().min(4 * QUOTE_LENGTH + 4)];
    let text = String::from_utf8_lossy(start);
    let mut shown: String = text.chars().take(QUOTE_LENGTH).flat_map(char::escape_debug).collect();
    if start.len() < found.len() || text.chars().nth(QUOTE_LENGTH).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_short_and_harmless() {
        assert_eq!(quoted(b"a\x1b[31mb"), "\"a\\u{1b}[31mb\"");
        assert_eq!(quoted("é\u{202e}".as_bytes()), "\"é\\u{202e}\"");
        assert_eq!(quoted(&[b'x'; 1000]).chars().count(), QUOTE_LENGTH + 3);
        assert_eq!(quoted(b"\xff"), "\"\u{fffd}\"");
    }

    #[test]
    fn data_lines_skip_comments_and_know_their_offsets() {
        let text = Text::new(Path::new("x"), b"\xef\xbb\xbf# a\r\n\r\n 1\t2 \r\n% b\n3,4");
        let lines: Vec<_> = text.data_lines(0..text.bytes.len()).collect();
        assert_eq!(lines, [(7, &b"1\t2"[..]), (18, &b"3,4"[..])]);
        let error = text.error(Fault::new(18, "this", "that"));
        assert_eq!(error.to_string(), "x:5: expected this, found that");
    }

    #[test]
    fn columns_are_separated_by_runs() {
        let (first, more) = first_columns::<3>(b"a , b\t\tc");
        assert_eq!((first, more), ([&b"a"[..], b"b", b"c"], false));
        assert!(first_columns::<3>(b"a b c d").1);
        assert_eq!(first_columns::<3>(b"a").0[1], b"");
    }

    #[test]
    fn only_plain_numbers_are_numbers() {
        assert_eq!(plain_u32(b"4294967295"), Some(u32::MAX));
        assert_eq!(plain_u32(b"0"), Some(0));
        for text in ["", "00", "007", "-1", "+1", "4294967296", "99999999999", "1x", "1.0"] {
            assert_eq!(plain_u32(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn plain_lines_are_two_numbers_and_a_separator() {
        assert_eq!(plain_line(b"10,0\nx"), Some((10, 0, 5)));
        assert_eq!(plain_line(b"999999999\t7\n"), Some((999_999_999, 7, 12)));
        for line in [
            "1 2",
            "1  2\n",
            "1 2 \n",
            "01 2\n",
            "1 2 3\n",
            "1 2\r\n",
            "1000000000 2\n",
            " 1 2\n",
            "#\n",
            "",
            "1 \n",
        ] {
            assert_eq!(plain_line(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn weights_that_no_edge_can_have_are_refused() {
        for text in ["nan", "NaN", "inf", "-1", "1e300", "1e-300", "-inf", "x", ""] {
            assert!(weight(text.as_bytes(), 0).is_err(), "{text:?}");
        }
        assert_eq!(weight(b"0.5", 0), Ok(0.5));
        assert_eq!(weight(b"-0", 0).map(f32::is_sign_positive), Ok(true));
    }
}
