//! Label files without a graph: the nodes are those that the file mentions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::rows::{is_one_per_line, label_rows};
use super::{LabelOptions, LoadedLabels, parse};
use crate::Result;
use crate::graph::{ColumnsRead, ReadNote};
use crate::graph::{Labels, NodeNames};
use crate::io::formats::text::Text;
use crate::io::input::Input;
use crate::io::limits::Limits;

/// Contents of a label file without its graph.
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
    /// Roles of the columns, if it is a table.
    pub columns: Option<ColumnsRead>,
    /// What the reader guessed or ignored.
    pub notes: Vec<ReadNote>,
}

/// Reads a label file without its graph; `path` is for error messages.
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
}
