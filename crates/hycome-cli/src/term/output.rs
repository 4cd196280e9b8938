//! Standard output and standard error: results, messages, and escaping of untrusted text.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::Context;
use hycome::json::is_unsafe;

/// Prints a result. A closed pipe, as with `| head`, is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("standard output: cannot write")
        }
        _ => Ok(()),
    }
}

/// Prints a value as JSON.
pub fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&json(value)?)
}

/// A value as JSON text.
pub fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(hycome::json::to_string_pretty(value)? + "\n")
}

/// Writes a message to standard error. Errors are ignored: there is nowhere left to report them.
pub fn notify(message: &str) {
    let _ = crate::term::progress::suspend(|| writeln!(std::io::stderr().lock(), "{message}"));
}

/// Escapes a name so that it stays one field of a line and cannot control a terminal.
///
/// A backslash becomes `\\`, a tab `\t`, line ends `\n` and `\r`; other control characters and those
/// that reorder text become `\u{hex}`. Everything else is unchanged.
pub fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for (at, c) in name.char_indices() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c => push_sanitized(&mut text, name, at, c),
        }
    }
    text
}

/// Escapes what could control a terminal; unlike [`escaped`], backslashes are unchanged.
pub fn sanitized(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    message.char_indices().for_each(|(at, c)| push_sanitized(&mut text, message, at, c));
    text
}

/// Appends the character at `at` of `whole`, escaped if it controls a terminal or reorders text.
fn push_sanitized(text: &mut String, whole: &str, at: usize, c: char) {
    if is_unsafe(c) && !is_joiner(whole, at, c) {
        text.push_str(&format!("\\u{{{:x}}}", c as u32));
    } else {
        text.push(c);
    }
}

/// Whether a character is a zero-width (non-)joiner between letters or emoji, as in Persian and Hindi names.
fn is_joiner(whole: &str, at: usize, c: char) -> bool {
    let joins = |c: char| c.is_alphabetic() || c > '\u{2ff}' && !c.is_whitespace() && !is_unsafe(c);
    matches!(c, '\u{200c}' | '\u{200d}')
        && whole[..at].chars().next_back().is_some_and(joins)
        && whole[at + c.len_utf8()..].chars().next().is_some_and(joins)
}

/// A path for a message.
pub fn shown(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// An output path for a message; `-` is standard output.
pub fn shown_output(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { shown(path) }
}

/// A graph's name as a file name in the current folder: separators and control characters become `_`.
pub fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || matches!(c, '/' | '\\' | ':') { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escaped("a\tb\nc\\d\re"), "a\\tb\\nc\\\\d\\re");
        assert_eq!(escaped("\u{1b}[31m\u{7}\u{9b}"), "\\u{1b}[31m\\u{7}\\u{9b}");
        assert_eq!(escaped("\u{202e}é名=1"), "\\u{202e}é名=1");
    }

    #[test]
    fn joiners_between_letters_and_emoji_are_kept() {
        for name in ["می\u{200c}خواهم", "क्\u{200d}ष", "👩\u{200d}🔬", "👩\u{fe0f}\u{200d}🔬"]
        {
            assert_eq!(escaped(name), name);
            assert_eq!(sanitized(name), name);
        }
        assert_eq!(escaped("\u{200d}a\u{200c} b\u{200d}"), "\\u{200d}a\\u{200c} b\\u{200d}");
    }
}
