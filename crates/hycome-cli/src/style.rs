//! How text looks: colours where a terminal shows them, numbers that can be read.

use std::io::IsTerminal;

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    colours: bool,
}

/// For standard output.
pub fn stdout() -> Style {
    Style { colours: wants_colours(std::io::stdout().is_terminal()) }
}

/// For standard error.
pub fn stderr() -> Style {
    Style { colours: wants_colours(std::io::stderr().is_terminal()) }
}

/// A terminal that can, and a person who did not say no (<https://no-color.org>).
fn wants_colours(is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    is_terminal && set("NO_COLOR").is_none() && set("TERM").is_some_and(|term| term != "dumb")
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colours { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// What begins a part.
    pub fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What may be skipped.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// What went wrong.
    pub fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// What one should know.
    pub fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }
}

/// A whole number with separators: 1,234,567.
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

/// So many of something: `1 edge`, `78 edges`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number as u64), if number == 1 { one } else { many })
}

/// A large number in short: 23.4 M.
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

/// `text` cut to a number of characters, with a sign that it was.
pub fn shortened(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let mut start: String = text.chars().take(length - 1).collect();
    start.push('…');
    start
}

/// Lines of at most `width` characters, broken between words, the first one beginning at column `start` and the
/// others indented.
pub fn wrapped(text: &str, width: usize, start: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = start;
    for word in text.split(' ') {
        let length = word.chars().count();
        if lines.is_empty() {
            // The first word stands wherever the line begins.
        } else if column + 1 + length > width {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
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
    fn long_text_is_broken_between_words() {
        assert_eq!(wrapped("one two three", 7, 0, 2), "one two\n  three");
        assert_eq!(shortened("abcdef", 4), "abc…");
    }
}
