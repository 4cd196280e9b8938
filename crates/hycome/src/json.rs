//! JSON serialization that is safe to print: control characters and bidirectional marks are escaped as `\uXXXX`.
//!
//! JSON itself requires escapes only for U+0000 to U+001F. Node names are untrusted text, so the other control characters and
//! invisible marks are escaped too. Every parser reads the same value.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Whether a character controls a terminal, or changes the direction or the lines of text around it.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A value as one line of JSON.
///
/// # Errors
/// If the value cannot be JSON, for instance a map whose keys are not text.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    write_with(value, &mut text, CompactFormatter)?;
    Ok(String::from_utf8(text).expect("JSON is text"))
}

/// A value as indented JSON.
///
/// # Errors
/// If the value cannot be JSON, for instance a map whose keys are not text.
pub fn to_string_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    write_with(value, &mut text, PrettyFormatter::new())?;
    Ok(String::from_utf8(text).expect("JSON is text"))
}

/// Writes a value as one line of JSON.
///
/// # Errors
/// Those of `out`, and those of [`to_string`].
pub fn to_writer(out: impl io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    write_with(value, out, CompactFormatter)
}

fn write_with(
    value: &impl Serialize,
    out: impl io::Write,
    formatter: impl Formatter,
) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(formatter)))
}

/// A formatter that escapes what [`is_unsafe`].
struct Escaping<F>(F);

/// Forwards calls to the inner formatter.
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {
        $(fn $name<W: ?Sized + io::Write>(&mut self, out: &mut W $(, $argument: $type)*) -> io::Result<()> {
            self.0.$name(out $(, $argument)*)
        })*
    };
}

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_unsafe) {
            let (before, tail) = rest.split_at(at);
            let mut tail = tail.chars();
            self.0.write_string_fragment(out, before)?;
            let c = tail.next().map_or(0, u32::from);
            write!(out, "\\u{c:04x}")?; // all of them are below U+10000
            rest = tail.as_str();
        }
        self.0.write_string_fragment(out, rest)
    }

    forward! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_characters_are_escaped_and_parsed_back() {
        let marks = (0..=0xffff).filter_map(char::from_u32).filter(|&c| is_unsafe(c));
        let name: String = marks.flat_map(|c| ['a', c]).chain("é名😀\"\\".chars()).collect();
        let value = serde_json::json!({ &name: [name, 1.5, null], "empty": [{}, []] });
        for text in [to_string(&value).unwrap(), to_string_pretty(&value).unwrap().replace('\n', "")] {
            assert!(!text.contains(is_unsafe));
            assert!(text.contains("\\u009b") && text.contains("\\u202e") && text.contains("é名😀"));
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        }
    }

    #[test]
    fn other_text_is_what_serde_json_writes() {
        let value = serde_json::json!({ "a": [1, 2.5, { "b": "é\n" }], "c": {}, "d": [] });
        assert_eq!(to_string(&value).unwrap(), serde_json::to_string(&value).unwrap());
        assert_eq!(to_string_pretty(&value).unwrap(), serde_json::to_string_pretty(&value).unwrap());
    }
}
