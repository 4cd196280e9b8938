//! Tables: text whose columns are separated by one delimiter, with quotes as in CSV.
//!
//! A file is a table if every line of data has the delimiter: a tab, else a semicolon, else a comma. Only then can
//! names contain spaces. In all other files columns are separated by any run of spaces, tabs and commas.

use crate::io::formats::text::{Fault, Text, columns, quoted};

/// What separates the columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delimiter {
    /// This byte.
    Byte(u8),
    /// Any run of spaces, tabs and commas.
    Space,
}

/// Lines that are inspected to detect the delimiter.
pub(crate) const INSPECTED_LINES: usize = 1000;

/// A line with more columns is not one of a table. It bounds what a file of one endless line costs.
const MAX_COLUMNS: usize = 1000;

/// A line of words, such as a node and all its labels, has no more than this.
const MAX_WORDS: usize = 100_000;

/// Bytes between two progress callbacks.
const PROGRESS_BYTES: usize = 1 << 20;

impl Delimiter {
    /// The delimiter of a text; lines that are a single word may do without it if `lone_words`.
    pub(crate) fn of(text: Text<'_>, lone_words: bool) -> Self {
        let lines: Vec<&[u8]> =
            text.data_lines(0..text.bytes.len()).map(|(_, line)| line).take(INSPECTED_LINES).collect();
        let is_lone = |line: &[u8]| lone_words && columns(line).count() == 1;
        let separates = |byte: u8| {
            let having = lines.iter().filter(|line| memchr::memchr(byte, line).is_some()).count();
            let fits = |line: &&[u8]| {
                let mut separators = memchr::memchr_iter(byte, line);
                (separators.next().is_some() && separators.nth(MAX_COLUMNS).is_none()) || is_lone(line)
            };
            2 * having >= lines.len().max(1) && lines.iter().all(fits)
        };
        b"\t;,".iter().copied().find(|&byte| separates(byte)).map_or(Self::Space, Self::Byte)
    }

    /// Fields as they stand in the line, in quotes for messages.
    pub(crate) fn quoted(self, fields: &[String]) -> String {
        let byte = if let Self::Byte(byte) = self { byte } else { b' ' };
        quoted(fields.join(char::from(byte).encode_utf8(&mut [0; 4])).as_bytes())
    }

    /// Name for error messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Byte(b'\t') => "tabs",
            Self::Byte(b';') => "semicolons",
            Self::Byte(_) => "commas",
            Self::Space => "spaces",
        }
    }

    /// The fields of one line; of a line that is too wide for a table only the first.
    pub(crate) fn split(self, line: &[u8]) -> Vec<String> {
        match self {
            Self::Byte(byte) => {
                let mut record = csv::ByteRecord::new();
                let read = reader(byte, line).read_byte_record(&mut record);
                if matches!(read, Ok(true)) {
                    return record.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
                }
                Vec::new()
            }
            Self::Space => columns(line)
                .take(MAX_COLUMNS)
                .map(|field| String::from_utf8_lossy(field).into_owned())
                .collect(),
        }
    }
}

fn reader(delimiter: u8, bytes: &[u8]) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(bytes)
}

/// What a name should be, for messages.
pub(crate) const ONE_LINE_NAME: &str = "a name on one line (is a closing quote missing?)";

/// Whether a field contains a line break, as one does whose closing quote is missing.
pub(crate) fn spans_lines(field: &str) -> bool {
    field.contains(['\n', '\r'])
}

/// Whether the text of a row of several lines, with the comments above it, ends inside a quoted field.
fn is_unclosed(text: &[u8]) -> bool {
    let is_comment = |line: &&[u8]| line.is_empty() || line.starts_with(b"#");
    let row = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).skip_while(is_comment);
    row.map(|line| memchr::memchr_iter(b'"', line).count()).sum::<usize>() % 2 == 1
}

/// Calls `each` with the byte offset and the fields of every row, except comments and empty rows.
pub(crate) fn for_each_row(
    text: Text<'_>,
    delimiter: Delimiter,
    mut each: impl FnMut(usize, &csv::StringRecord) -> std::result::Result<(), Fault>,
) -> std::result::Result<(), Fault> {
    let mut reported = 0;
    let mut each = |offset: usize, row: &csv::StringRecord| {
        if offset >= reported + PROGRESS_BYTES {
            reported = offset;
            text.report_parsed(offset);
        }
        each(offset, row)
    };
    let Delimiter::Byte(byte) = delimiter else {
        for (offset, line) in text.data_lines(0..text.bytes.len()) {
            if columns(line).nth(MAX_WORDS).is_some() {
                return Err(Fault::new(offset, format!("at most {MAX_WORDS} words in a line"), quoted(line)));
            }
            let fields: Option<csv::StringRecord> =
                columns(line).map(|field| std::str::from_utf8(field).ok()).collect();
            each(offset, &fields.ok_or_else(|| not_text(offset, line))?)?;
        }
        return Ok(());
    };
    let mut reader = reader(byte, text.bytes);
    let mut record = csv::ByteRecord::new();
    loop {
        let offset = reader.position().byte() as usize;
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(Fault::new(offset, "rows of a table", error.to_string())),
        }
        let offset = record.position().map_or(offset, |position| position.byte() as usize);
        if memchr::memchr(b'\n', record.as_slice()).is_some()
            && is_unclosed(&text.bytes[offset..reader.position().byte() as usize])
        {
            let line = text.bytes[offset..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            return Err(Fault::new(offset, "a closing quote", quoted(line)));
        }
        if record.iter().all(<[u8]>::is_empty) || record.get(0).is_some_and(|first| first.starts_with(b"%")) {
            continue;
        }
        let bad = record.iter().find(|field| std::str::from_utf8(field).is_err() || field.contains(&0));
        if let Some(field) = bad {
            return Err(not_text(offset, field));
        }
        let Ok(fields) = csv::StringRecord::from_byte_record(record.clone()) else { continue };
        each(offset, &fields)?;
    }
}

/// The error for bytes that are not UTF-8.
pub(crate) fn not_text(offset: usize, found: &[u8]) -> Fault {
    let hint =
        if found.contains(&0) { "" } else { "; if it is Latin-1, iconv -f latin1 -t utf-8 converts it" };
    Fault::new(offset, "text in UTF-8", format!("the bytes {}{hint}", quoted(found)))
}

/// A column's name without case, spaces and punctuation.
pub(crate) fn plain_word(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn delimiter(text: &str) -> Delimiter {
        Delimiter::of(Text::new(Path::new("t"), text.as_bytes()), false)
    }

    #[test]
    fn the_delimiter_is_in_every_line() {
        assert_eq!(delimiter("a b,c\n# no\nd,e f\n"), Delimiter::Byte(b','));
        assert_eq!(delimiter("a;b,c\nd;e\n"), Delimiter::Byte(b';'));
        assert_eq!(delimiter("a\tb,c\nd\te\n"), Delimiter::Byte(b'\t'));
        assert_eq!(delimiter("a b\nc,d\n"), Delimiter::Space);
        assert_eq!(delimiter(""), Delimiter::Space);
    }

    #[test]
    fn quotes_are_those_of_csv() {
        let text = Text::new(Path::new("t"), b"\"Valjean, Jean\",Cosette, 3\n#x\n\n\"a \"\"b\"\"\",c\n");
        let mut rows = Vec::new();
        let read = for_each_row(text, Delimiter::Byte(b','), |offset, row| {
            rows.push((offset, row.iter().map(str::to_owned).collect::<Vec<_>>()));
            Ok(())
        });
        assert_eq!(read, Ok(()));
        assert_eq!(rows[0].1, ["Valjean, Jean", "Cosette", "3"]);
        assert_eq!(rows[1].1, ["a \"b\"", "c"]);
    }
}
