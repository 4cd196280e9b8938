//! Label files: the classes of nodes, as lines of text.
//!
//! Two forms. In the first a line is `node label [label …]`; a node may come more than once, its labels
//! unite. In the second every line holds a single label and line i belongs to node i, counted from 0 if the
//! graph has a node called `0` and else from 1; this needs nodes that are called by numbers, and no empty
//! line between the labels, for it would shift the rest. A file whose lines all have one column is in the
//! second form. Nodes without a label are fine; a label without a node is not.

use std::path::{Path, PathBuf};

use super::input::{Input, Limits};
use super::text::{Fault, Text, columns, quoted, utf8};
use crate::Result;
use crate::graph::{Labels, NodeId, NodeNames};

/// Reads the labels of the nodes called `names` from a file or, if the path is `-`, standard input.
pub fn read_labels(path: &Path, names: &NodeNames) -> Result<Labels> {
    let input = Input::read(path, &Limits::default())?;
    parse(Text::new(&input.path, &input.bytes), names)
}

/// Reads labels from bytes in memory; `path` is what messages call them.
pub fn read_labels_from_bytes(path: &Path, bytes: Vec<u8>, names: &NodeNames) -> Result<Labels> {
    let input = Input::from_bytes(PathBuf::from(path), bytes, &Limits::default())?;
    parse(Text::new(&input.path, &input.bytes), names)
}

/// The labels in `text` of the nodes called `names`.
pub(super) fn parse(text: Text, names: &NodeNames) -> Result<Labels> {
    let lines = || text.data_lines(0..text.bytes.len());
    if lines().next().is_none() {
        return Err(text.content_error("lines `node label`, or a label per line", "none"));
    }
    let one_per_line = lines().all(|(_, line)| columns(line).count() == 1);
    let pairs = if one_per_line { in_order(text, names) } else { by_name(text, names) };
    let pairs = text.report(pairs)?;
    if pairs.is_empty() {
        return Err(text.content_error("lines `node label`, or a label per line", "only a header"));
    }
    Ok(Labels::from_pairs(names.len(), &pairs, &[]))
}

type Pairs<'a> = std::result::Result<Vec<(NodeId, &'a str)>, Fault>;

/// Words a first line may start with that is a header.
const HEADERS: [&[u8]; 5] = [b"node", b"id", b"name", b"node_id", b"nodeid"];

/// Whether a first line that starts with this word is a header, if no node is called so.
pub(super) fn is_header(word: &[u8]) -> bool {
    HEADERS.iter().any(|header| word.eq_ignore_ascii_case(header))
}

/// Lines `node label [label …]`.
pub(super) fn by_name<'a>(text: Text<'a>, names: &NodeNames) -> Pairs<'a> {
    let index = names.index();
    let mut pairs = Vec::new();
    let mut first = true;
    for (offset, line) in text.data_lines(0..text.bytes.len()) {
        let mut columns = columns(line);
        let name = columns.next().unwrap_or_default();
        let node = std::str::from_utf8(name).ok().and_then(|name| index.get(name));
        if node.is_none() && first && is_header(name) {
            first = false;
            continue;
        }
        first = false;
        let Some(node) = node else {
            let example = names
                .iter()
                .next()
                .map_or(String::new(), |name| format!(" such as {}", quoted(name.as_bytes())));
            let expected = format!("a node of the graph{example} before its labels");
            return Err(Fault::new(offset, expected, quoted(name)));
        };
        let before = pairs.len();
        for label in columns {
            pairs.push((node, utf8(label, offset)?));
        }
        if pairs.len() == before {
            return Err(Fault::new(offset, "`node label [label …]`", quoted(line)));
        }
    }
    Ok(pairs)
}

/// A label per line, for nodes called by numbers.
fn in_order<'a>(text: Text<'a>, names: &NodeNames) -> Pairs<'a> {
    let lines: Vec<(usize, &[u8])> = text.data_lines(0..text.bytes.len()).collect();
    if !names.are_numbers() {
        let expected = "`node label [label …]`, for the nodes of this graph are not called by numbers";
        return Err(Fault::new(lines[0].0, expected, quoted(lines[0].1)));
    }
    if let Some(offset) = empty_line(text, lines[0].0, lines[lines.len() - 1].0) {
        let expected = "a label on every line; write `node label` where some nodes have none";
        return Err(Fault::new(offset, expected, "an empty line"));
    }
    let index = names.index();
    let first = if index.get("0").is_some() { 0 } else { 1 };
    let mut pairs = Vec::with_capacity(lines.len());
    for (number, (offset, label)) in (first..).zip(lines) {
        let name = (number as usize).to_string();
        let Some(node) = index.get(&name) else {
            let expected = format!(
                "at most {} labels, a line each for nodes {first}, {}, …; write `node label` if they are called otherwise",
                names.len(),
                first + 1
            );
            return Err(Fault::new(offset, expected, format!("a label for node {name}")));
        };
        pairs.push((node, utf8(label, offset)?));
    }
    Ok(pairs)
}

/// Where the first empty line between the offsets of two lines is.
fn empty_line(text: Text, first: usize, last: usize) -> Option<usize> {
    let mut offset = first;
    for line in text.bytes[first..last].split(|&byte| byte == b'\n') {
        if line.iter().all(u8::is_ascii_whitespace) && offset < last {
            return Some(offset);
        }
        offset += line.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, names: &NodeNames) -> Result<Labels> {
        read_labels_from_bytes(Path::new("labels"), text.as_bytes().to_vec(), names)
    }

    fn refusal(text: &str, names: &NodeNames) -> String {
        read(text, names).unwrap_err().to_string()
    }

    #[test]
    fn lines_of_a_node_and_its_labels_unite() {
        let names = NodeNames::from_strings(["a", "b", "c"]);
        let labels = read("# who\nb 10,9\nc\t9\nb 2", &names).unwrap();
        assert_eq!(labels.class_names(), ["2", "9", "10"]);
        assert_eq!((labels.of(0), labels.of(1), labels.of(2)), (&[][..], &[0, 1, 2][..], &[1][..]));
    }

    #[test]
    fn single_labels_belong_to_the_nodes_in_order() {
        let from_one = read("x\ny\nx\n\n", &NodeNames::numbered(1, 3)).unwrap();
        assert_eq!(from_one.first_classes(), [Some(0), Some(1), Some(0)]);
        let from_zero = read("# first\nx\ny", &NodeNames::numbered(0, 3)).unwrap();
        assert_eq!(from_zero.first_classes(), [Some(0), Some(1), None]);
    }

    #[test]
    fn a_header_is_skipped_unless_it_is_a_node() {
        let labels = read("node,club\n1,a", &NodeNames::numbered(1, 1)).unwrap();
        assert_eq!(labels.class_names(), ["a"]);
        let labels = read("node club", &NodeNames::from_strings(["node"])).unwrap();
        assert_eq!(labels.class_names(), ["club"]);
    }

    #[test]
    fn labels_of_unknown_nodes_are_refused() {
        let message = refusal("1 a\n7 b", &NodeNames::numbered(1, 3));
        assert_eq!(
            message,
            "labels:2: expected a node of the graph such as \"1\" before its labels, found \"7\""
        );
    }

    #[test]
    fn more_labels_than_nodes_are_refused() {
        let message = refusal("a\nb\na\n", &NodeNames::numbered(1, 2));
        let expected = "labels:3: expected at most 2 labels, a line each for nodes 1, 2, …; write `node label` \
            if they are called otherwise, found a label for node 3";
        assert_eq!(message, expected);
    }

    #[test]
    fn an_empty_line_that_would_shift_labels_is_refused() {
        let message = refusal("a\n\nb\n", &NodeNames::numbered(1, 3));
        let expected = "labels:2: expected a label on every line; write `node label` where some nodes have none, \
            found an empty line";
        assert_eq!(message, expected);
    }

    #[test]
    fn labels_in_order_need_numbered_nodes() {
        let message = refusal("x\n", &NodeNames::from_strings(["a"]));
        let expected = "labels:1: expected `node label [label …]`, for the nodes of this graph are not called by \
            numbers, found \"x\"";
        assert_eq!(message, expected);
    }

    #[test]
    fn a_node_without_label_among_others_is_refused() {
        let message = refusal("1 a\n2\n", &NodeNames::numbered(1, 2));
        assert_eq!(message, "labels:2: expected `node label [label …]`, found \"2\"");
    }

    #[test]
    fn a_file_without_labels_is_refused() {
        let message = refusal("# nothing\n", &NodeNames::numbered(1, 2));
        assert_eq!(message, "labels: expected lines `node label`, or a label per line, found none");
        let message = refusal("node,label\n", &NodeNames::numbered(1, 2));
        assert_eq!(message, "labels: expected lines `node label`, or a label per line, found only a header");
    }
}
