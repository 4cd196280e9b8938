//! Text formatting: colours on a terminal, numbers, durations, line wrapping.

use std::io::IsTerminal;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    colours: bool,
}

/// Style for standard output.
pub fn stdout() -> Style {
    Style { colours: use_colours(std::io::stdout().is_terminal()) }
}

/// Style for standard error.
pub fn stderr() -> Style {
    Style { colours: use_colours(std::io::stderr().is_terminal()) }
}

/// Colours need a capable terminal, and can be turned off with `NO_COLOR` (<https://no-color.org>).
fn use_colours(is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    is_terminal && set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Headings.
    pub fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Secondary text.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// Errors.
    pub fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Warnings.
    pub fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }
}

/// An integer with thousands separators: 1,234,567.
pub fn count(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 edge`, `78 edges`.
pub fn pluralize(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number as u64), if number == 1 { one } else { many })
}

/// A number with a metric suffix: 23 M.
pub fn short(number: f64) -> String {
    match number {
        n if n >= 1e10 => format!("{:.0} G", n / 1e9),
        n if n >= 1e9 => format!("{:.1} G", n / 1e9),
        n if n >= 1e7 => format!("{:.0} M", n / 1e6),
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n if n >= 1e4 => format!("{:.0} k", n / 1e3),
        n if n >= 1e3 => format!("{:.1} k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// A duration: `0.31 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 59.5 => format!("{s:.0} s"),
        s if s < 3599.5 => {
            let whole = s.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        }
        s => {
            let minutes = (s / 60.0).round() as u64;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

/// Bytes: `812 kB`, `41.3 MB`.
pub fn bytes(number: u64) -> String {
    if number < 1000 { format!("{number} B") } else { format!("{}B", short(number as f64)) }
}

/// Truncates to `length` characters, with an ellipsis.
pub fn truncate(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let mut start: String = text.chars().take(length - 1).collect();
    start.push('…');
    start
}

/// Wraps at spaces to `width` columns. The first line starts at column `start`, the others are indented.
pub fn wrapped(text: &str, width: usize, start: usize, indent: usize) -> String {
    let [start, indent] = [start, indent].map(|columns| " ".repeat(columns));
    let options = textwrap::Options::new(width)
        .initial_indent(&start)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options).split_off(start.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        let shown = [0u64, 12, 999, 1000, 1_234_567, 100_000].map(count);
        assert_eq!(shown, ["0", "12", "999", "1,000", "1,234,567", "100,000"]);
    }

    #[test]
    fn durations_and_sizes_are_short() {
        assert_eq!(
            [0.0, 9.99, 12.0, 60.0, 200.0, 7500.0].map(duration),
            ["0.00 s", "9.99 s", "12 s", "1 min 0 s", "3 min 20 s", "2 h 5 min"]
        );
        assert_eq!([15.0, 1234.0, 23_400_000.0].map(short), ["15", "1.2 k", "23 M"]);
    }

    #[test]
    fn long_text_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 7, 0, 2), "one two\n  three");
        assert_eq!(truncate("abcdef", 4), "abc…");
    }
}
