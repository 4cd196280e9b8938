//! A label file without its graph: what `hycome info` can say of it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::format::foreign_text;
use super::input::{Input, Limits};
use super::label_rows::{is_one_per_line, label_rows};
use super::labels::{LabelOptions, LoadedLabels, parse};
use super::notes::{ColumnsRead, ReadNote};
use super::table::Delimiter;
use super::text::{Text, columns};
use crate::Result;
use crate::graph::{Labels, NodeNames};

/// What a label file says by itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LabelFile {
    /// The nodes it mentions, in order of appearance; `1`, `2`, … if it mentions none and has one label per line.
    pub names: NodeNames,
    /// Their labels.
    pub labels: Labels,
    /// Lines that hold data, a header included.
    pub lines: usize,
    /// Whether the lines hold a label each and belong to the nodes in order.
    pub one_per_line: bool,
    /// Which columns were taken for what, if it is a table.
    pub columns: Option<ColumnsRead>,
    /// What was guessed or left out.
    pub notes: Vec<ReadNote>,
}

/// Reads a label file of whatever nodes it mentions; `path` is what messages call it.
///
/// # Errors
/// If the bytes are damaged, or are not lines of labels.
pub fn read_label_file_from_bytes(path: &Path, bytes: Vec<u8>) -> Result<LabelFile> {
    let input = Input::from_bytes(PathBuf::from(path), bytes, &Limits::default())?;
    let text = Text::new(&input.path, &input.bytes);
    let lines = text.data_lines(0..text.bytes.len()).count();
    let one_per_line = is_one_per_line(text);
    let names = if one_per_line {
        NodeNames::numbered(1, lines)
    } else {
        let rows = text.report(label_rows(text, None))?;
        let mut seen = HashSet::new();
        NodeNames::from_strings(
            rows.rows.iter().map(|row| &row.node).filter(|name| seen.insert(name.as_str())),
        )
    };
    let LoadedLabels { labels, columns, notes, .. } =
        parse(text, &names, &LabelOptions { many_classes: true })?;
    Ok(LabelFile { names, labels, lines, one_per_line, columns, notes })
}

/// Lines that are looked at to tell labels from edges.
const GLANCE: usize = 10_000;

/// Bytes of an uncompressed file that are looked at.
const GLANCE_BYTES: usize = 1 << 20;

/// Files of fewer lines than this are not judged by how often names come.
const FEW: usize = 8;

/// Whether a text is more likely a label file than an edge list: one column, or more than three somewhere
/// with no more labels than lines (unlike prose), or a first column that never repeats beside a second that mostly does and has other values.
#[must_use]
pub fn looks_like_labels(bytes: &[u8]) -> bool {
    let compressed = bytes.starts_with(b"\x1f\x8b") || bytes.starts_with(b"\x28\xb5\x2f\xfd");
    let glance = match memchr::memrchr(b'\n', &bytes[..bytes.len().min(GLANCE_BYTES)]) {
        Some(end) if !compressed && bytes.len() > GLANCE_BYTES => &bytes[..end],
        _ => bytes,
    };
    let Ok(input) = Input::from_bytes(PathBuf::new(), glance.to_vec(), &Limits::default()) else {
        return false;
    };
    let text = Text::new(&input.path, &input.bytes);
    if std::str::from_utf8(&text.bytes[..text.bytes.len().min(4096)]).is_err_and(|e| e.error_len().is_some())
    {
        return false;
    }
    // A table between semicolons is judged by its two columns like any other; a known format is no label file.
    let delimiter = Delimiter::of(text, true);
    if foreign_text(text.bytes, "").is_some() {
        return false;
    }
    if delimiter == Delimiter::Byte(b';') {
        let commas: Vec<u8> = text.bytes.iter().map(|&byte| if byte == b';' { b',' } else { byte }).collect();
        return looks_like_labels(&commas);
    }
    let lines: Vec<&[u8]> = text.data_lines(0..text.bytes.len()).map(|(_, line)| line).take(GLANCE).collect();
    let widths = || lines.iter().map(|line| columns(line).count());
    if lines.is_empty() || widths().all(|width| width == 1) {
        return !lines.is_empty();
    }
    if widths().any(|width| width != 2) {
        let labels: HashSet<&[u8]> = lines.iter().flat_map(|line| columns(line).skip(1)).collect();
        let (least, most) = (widths().min(), widths().max());
        return least == Some(2) && most > Some(3) && labels.len() <= lines.len();
    }
    let column = |i: usize| lines.iter().filter_map(move |line| columns(line).nth(i)).collect::<HashSet<_>>();
    let (first, second) = (column(0), column(1));
    lines.len() >= FEW && first.len() == lines.len() && 4 * second.len() <= lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> LabelFile {
        read_label_file_from_bytes(Path::new("labels"), text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn nodes_are_those_that_the_file_mentions() {
        let file = read("node label\nb x\na y z\nb z\n");
        assert_eq!((file.names.len(), file.lines, file.one_per_line), (2, 4, false));
        assert_eq!(file.labels.class_names(), ["x", "y", "z"]);
        assert!(file.labels.is_multi_label());
    }

    #[test]
    fn one_label_per_line_numbers_the_nodes() {
        let file = read("x\ny\nx\n");
        assert!(file.one_per_line && file.names == NodeNames::numbered(1, 3));
    }

    #[test]
    fn what_is_no_label_file_is_refused() {
        assert!(read_label_file_from_bytes(Path::new("l"), b"a x\nb\n".to_vec()).is_ok(), "b has no label");
        assert!(read_label_file_from_bytes(Path::new("l"), b"\n".to_vec()).is_err());
        assert!(read_label_file_from_bytes(Path::new("l"), b"\xff\xfe x\n".to_vec()).is_err());
    }

    #[test]
    fn labels_look_unlike_edges() {
        let labels: String = (0..20).map(|i| format!("{i}\t{}\n", i % 3)).collect();
        assert!(looks_like_labels(labels.as_bytes()));
        assert!(looks_like_labels(b"a\nb\na\n"));
        assert!(looks_like_labels(b"1 a\n2 a b c\n3 b\n"));
        let path: String = (0..20).map(|i| format!("{i} {}\n", i + 1)).collect();
        assert!(!looks_like_labels(path.as_bytes()));
        assert!(!looks_like_labels(b"1 2 0.5\n2 3 1\n"));
        assert!(!looks_like_labels(b"The file\nfootball.gml holds the games of one season,\nas a graph\n"));
        assert!(!looks_like_labels(b"a;b;1\nb;c;2\n"));
        assert!(!looks_like_labels(b"{\"nodes\":[]}"));
        assert!(!looks_like_labels(b""));
        assert!(!looks_like_labels(b"\x1f\x8b\x00"));
    }
}
