//! Label files, read for the nodes of a graph.
//!
//! Two forms. In the first a line names a node and its label or labels, see [`rows`]. In the second every
//! line holds a single label and line i belongs to node i, counted from 0 if the graph has a node called `0` and else
//! from 1; this needs nodes that are called by numbers, and no empty line between the labels, for it would shift the
//! rest. A file whose lines all have one column is in the second form. Nodes without a label are fine; labels of nodes
//! that are not in the graph are ignored, with a note.
//!
//! `rows` parses the lines, `standalone` reads a file without its graph, `detect` distinguishes labels from edges.

pub(crate) mod detect;
pub(crate) mod rows;
pub(crate) mod standalone;

use std::path::{Path, PathBuf};

use crate::Result;
use crate::graph::{ColumnsRead, ReadNote};
use crate::graph::{Labels, NodeId, NodeNames};
use crate::io::formats::text::{Fault, Text, quoted, utf8};
use crate::io::formats::unsupported;
use crate::io::input::{Input, Reading};
use crate::io::limits::Limits;
use crate::io::progress::ReadCallback;
use rows::{LabelRows, is_one_per_line, label_rows};

/// Options of [`read_labels_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelOptions {
    /// Accept more classes than half of the labelled nodes, which otherwise means that a column of ids was read as
    /// the labels.
    pub many_classes: bool,
}

/// Labels with the notes of the reader.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedLabels {
    /// The classes of the nodes.
    pub labels: Labels,
    /// Roles of the columns, if it is a table.
    pub columns: Option<ColumnsRead>,
    /// What the reader guessed or ignored.
    pub notes: Vec<ReadNote>,
}

/// Reads the labels of the nodes called `names` from a file or, if the path is `-`, standard input.
pub fn read_labels(path: &Path, names: &NodeNames) -> Result<Labels> {
    Ok(read_labels_with(path, names, &LabelOptions::default())?.labels)
}

/// [`read_labels`] with other options; also returns notes.
pub fn read_labels_with(path: &Path, names: &NodeNames, options: &LabelOptions) -> Result<LoadedLabels> {
    read_labels_with_progress(path, names, options, ReadCallback::default())
}

/// [`read_labels_with`], with progress reported to `progress`.
pub fn read_labels_with_progress(
    path: &Path,
    names: &NodeNames,
    options: &LabelOptions,
    progress: ReadCallback<'_>,
) -> Result<LoadedLabels> {
    let inspect = |start: Text<'_>| inspect(start, names);
    let input = Reading::new(&Limits::default()).with_progress(progress).inspected(&inspect).read(path)?;
    parse(Text::new(&input.path, &input.bytes).with_progress(progress), names, options)
}

/// Refuses a stream that starts with more labels, one per line, than there are nodes.
fn inspect(start: Text<'_>, names: &NodeNames) -> Result<()> {
    let end = memchr::memrchr(b'\n', start.bytes).unwrap_or(0);
    let lines = Text::new(start.path, &start.bytes[..end]);
    if is_one_per_line(lines) && lines.data_lines(0..end).nth(names.len()).is_some() {
        start.report(in_order(lines, names))?;
    }
    Ok(())
}

/// Reads labels from bytes in memory; `path` is for error messages.
pub fn read_labels_from_bytes(path: &Path, bytes: Vec<u8>, names: &NodeNames) -> Result<Labels> {
    let input = Input::from_bytes(PathBuf::from(path), bytes, &Limits::default())?;
    Ok(parse(Text::new(&input.path, &input.bytes), names, &LabelOptions::default())?.labels)
}

/// What the lines of a label file should be, for messages.
const LINES: &str = "lines `node label`, or a label per line";

/// The labels in `text` of the nodes called `names`.
pub(crate) fn parse(text: Text, names: &NodeNames, options: &LabelOptions) -> Result<LoadedLabels> {
    if text.data_lines(0..text.bytes.len()).next().is_none() {
        return Err(text.content_error(LINES, "none"));
    }
    if let Some(found) = unsupported::by_signature(text.bytes) {
        return Err(text.content_error(LINES, found.name));
    }
    if is_one_per_line(text) {
        if let Some(found) = unsupported::columns_between_bars(text.bytes) {
            return Err(text.content_error(LINES, format!("{}; {}", found.name, found.remedy)));
        }
        let pairs = text.report(in_order(text, names))?;
        let labels = Labels::from_pairs(names.len(), &pairs, &[]);
        return finish(text, LoadedLabels { labels, columns: None, notes: Vec::new() }, options);
    }
    let index = names.index();
    let rows = text.report(label_rows(text, Some(&|name| index.get(name).is_some())))?;
    if rows.rows.is_empty() {
        return Err(text.content_error(LINES, "only a header"));
    }
    let loaded = by_name(text, &rows, names, &[])?;
    finish(text, loaded, options)
}

/// Above this number of classes, more classes than half of the labelled nodes are refused: they are ids or names.
const MANY_CLASSES: usize = 100;

/// Up to this number, each node may have a class of its own. Above it such classes are refused, and more classes than
/// half of the nodes are noted.
const FEW_CLASSES: usize = 10;

/// Share of classes in labelled nodes, in percent, above which almost every node has a class of its own.
const DISTINCT_PERCENT: usize = 90;

/// Refuses labels that are probably ids: almost all distinct, or many and more than half as many as labelled nodes.
fn finish(text: Text, mut loaded: LoadedLabels, options: &LabelOptions) -> Result<LoadedLabels> {
    let (classes, nodes) = (loaded.labels.used_class_count(), loaded.labels.labelled_count());
    if classes <= FEW_CLASSES || 2 * classes <= nodes {
        return Ok(loaded);
    }
    let are_distinct = 100 * classes > DISTINCT_PERCENT * nodes;
    if options.many_classes || (classes <= MANY_CLASSES && !are_distinct) {
        loaded.notes.push(ReadNote::ManyClasses { classes, nodes });
        return Ok(loaded);
    }
    let examples: Vec<String> =
        loaded.labels.class_names().iter().take(3).map(|name| quoted(name.as_bytes())).collect();
    let column = loaded.columns.as_ref().and_then(|columns| columns.used.last());
    let column = column.map_or(String::new(), |(_, name)| format!(" in {}", quoted(name.as_bytes())));
    let expected = "fewer classes than half of the labelled nodes; name the column of labels in a header, or set the \
                    number of communities (`communities`) if they are meant";
    let found = format!("{classes} classes for {nodes} nodes{column}, such as {}", examples.join(", "));
    Err(text.content_error(expected, found))
}

/// Number of unknown nodes that a note names.
const EXAMPLES: usize = 3;

/// The labels of rows that name their nodes; `groups` are classes that may have no node.
pub(crate) fn by_name(
    text: Text<'_>,
    rows: &LabelRows,
    names: &NodeNames,
    groups: &[&str],
) -> Result<LoadedLabels> {
    let index = names.index();
    let mut pairs: Vec<(NodeId, &str)> = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    let mut known = 0;
    let mut bare: Vec<NodeId> = Vec::new();
    for row in &rows.rows {
        let Some(node) = index.get(&row.node) else {
            unknown.push(&row.node);
            continue;
        };
        known += 1;
        if row.labels.is_empty() {
            bare.push(node);
        }
        pairs.extend(row.labels.iter().map(|label| (node, label.as_str())));
    }
    if known == 0
        && let Some(row) = rows.rows.first()
    {
        let example =
            names.iter().next().map_or(String::new(), |name| format!(" such as {}", quoted(name.as_bytes())));
        let expected = format!("nodes of the graph{example} before their labels");
        let found = format!("none, the first being {}", quoted(row.node.as_bytes()));
        return Err(text.error(Fault::new(row.offset, expected, found)));
    }
    let mut notes = Vec::new();
    notes.extend(rows.header.clone().map(|line| ReadNote::Header { line }));
    unknown.sort_unstable();
    unknown.dedup();
    if !unknown.is_empty() {
        let examples = unknown.iter().take(EXAMPLES).map(|&name| name.to_owned()).collect();
        notes.push(ReadNote::UnknownNodes { count: unknown.len(), examples });
    }
    let labels = Labels::from_pairs(names.len(), &pairs, groups);
    bare.sort_unstable();
    bare.dedup();
    let without = bare.into_iter().filter(|&node| labels.of(node).is_empty()).count();
    if without > 0 {
        notes.push(ReadNote::NoLabel { count: without });
    }
    if labels.labelled_count() == 0 && groups.is_empty() {
        return Err(text.content_error(LINES, "nodes without labels"));
    }
    Ok(LoadedLabels { labels, columns: rows.columns.clone(), notes })
}

/// A label per line, for nodes called by numbers.
fn in_order<'a>(text: Text<'a>, names: &NodeNames) -> std::result::Result<Vec<(NodeId, &'a str)>, Fault> {
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
    use crate::error::assert_mentions;

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

    fn loaded(text: &str, names: &NodeNames) -> LoadedLabels {
        parse(Text::new(Path::new("labels"), text.as_bytes()), names, &LabelOptions::default()).unwrap()
    }

    #[test]
    fn labels_of_unknown_nodes_are_left_out_and_noted() {
        let loaded = loaded("1 a\n7 b\n9 b", &NodeNames::numbered(1, 3));
        assert_eq!(loaded.labels.class_names(), ["a"]);
        let examples = vec!["7".to_owned(), "9".to_owned()];
        assert_eq!(loaded.notes, [ReadNote::UnknownNodes { count: 2, examples }]);
        let message = refusal("8 a\n7 b", &NodeNames::numbered(1, 3));
        let expected = "labels:1: … \"8\"";
        assert_mentions(&message, expected);
    }

    #[test]
    fn names_with_spaces_stay_whole_in_tables() {
        for separator in [',', '\t', ';'] {
            let text = format!("1{separator}Mr. Hi\n2{separator}Officer\n3{separator}Mr. Hi\n");
            let labels = read(&text, &NodeNames::numbered(1, 3)).unwrap();
            assert_eq!(labels.class_names(), ["Mr. Hi", "Officer"], "{separator:?}");
        }
        let quoted = read("\"a, b\",x\nc,\"y\"\n", &NodeNames::from_strings(["a, b", "c"])).unwrap();
        assert_eq!(quoted.class_names(), ["x", "y"]);
    }

    #[test]
    fn other_columns_are_no_classes() {
        let names = NodeNames::numbered(0, 3);
        let table = loaded(
            "id,facebook_id,page_name,page_type\n0,145,The Voice,tv\n1,191,U.S. Army,gov\n2,5,A,tv\n",
            &names,
        );
        assert_eq!(table.labels.class_names(), ["gov", "tv"]);
        let columns = table.columns.unwrap().to_string();
        assert_eq!(columns, "node=id, label=page_type; 2 columns ignored: facebook_id, page_name");
        let own = loaded("node\tcommunity\tprobability\n0\t1\t0.9\n1\t2\t0.8\n", &names);
        assert_eq!(own.labels.class_names(), ["1", "2"]);
        let message = refusal("0,145,tv\n1,191,gov\n", &names);
        assert!(message.contains("cut other columns away, found 3 columns, \"0 | 145 | tv\""), "{message}");
    }

    #[test]
    fn a_column_of_ids_is_not_taken_for_labels() {
        let text: String = (0..300).map(|i| format!("{i},page {i}\n")).collect();
        let names = NodeNames::numbered(0, 300);
        let message = refusal(&text, &names);
        assert!(message.contains("300 classes for 300 nodes in \"column 2\""), "{message}");
        let options = LabelOptions { many_classes: true };
        let loaded = parse(Text::new(Path::new("l"), text.as_bytes()), &names, &options).unwrap();
        assert_eq!(loaded.notes, [ReadNote::ManyClasses { classes: 300, nodes: 300 }]);
    }

    #[test]
    fn few_labels_that_are_all_distinct_are_no_classes() {
        let names = NodeNames::numbered(1, 34);
        let text =
            |classes: usize| -> String { (1..=34).map(|i| format!("{i} c{}\n", i % classes)).collect() };
        let message = refusal(&text(34), &names);
        assert!(message.contains("34 classes for 34 nodes, such as \"c0\""), "{message}");
        let one_per_line: String = (1..=34).map(|i| format!("c{i}\n")).collect();
        assert!(refusal(&one_per_line, &names).contains("34 classes for 34 nodes"));
        let many = loaded(&text(18), &names);
        assert_eq!(many.notes, [ReadNote::ManyClasses { classes: 18, nodes: 34 }]);
        // A class for each of a few nodes may be meant.
        assert_eq!(loaded("1 a\n2 b\n3 c\n", &names).notes, []);
    }

    #[test]
    fn an_edge_list_with_a_header_is_refused() {
        let names = NodeNames::numbered(1, 4);
        for text in ["source,target\n1,2\n2,3\n", "from to\n1 2\n2 3\n"] {
            assert!(refusal(text, &names).contains("found the header of an edge list"), "{text:?}");
        }
        let labels = loaded("source,target\na,b\n", &NodeNames::from_strings(["a", "source"])).labels;
        assert_eq!(labels.class_names(), ["b", "target"], "a node called `source`");
    }

    #[test]
    fn a_quote_that_is_not_closed_is_refused() {
        let names = NodeNames::numbered(1, 4);
        for text in ["node,label\n1,\"a\n2,\"a\n3,b\n", "node,label\n1,\"a\n2,a\n3,b\n"] {
            assert!(refusal(text, &names).contains("quote"), "{text:?}");
        }
    }

    #[test]
    fn columns_between_bars_are_refused() {
        let expected = "found a table whose columns are separated by |; replace | by a comma or a tab";
        let message = refusal("1|a\n2|b\n3|a\n", &NodeNames::numbered(1, 3));
        assert!(message.ends_with(expected), "{message}");
        let bars = loaded("a|b\nc\na|b\n", &NodeNames::numbered(1, 3));
        assert_eq!(bars.labels.class_names(), ["a|b", "c"], "a bar inside a label");
    }

    #[test]
    fn communities_as_member_lists_are_refused() {
        let text = b"1\t2\t3\n4\t5\n".to_vec();
        let message =
            read_labels_from_bytes(Path::new("a.cmty.txt"), text.clone(), &NodeNames::numbered(1, 5));
        assert!(message.unwrap_err().to_string().contains("SNAP .cmty"));
        assert!(read_labels_from_bytes(Path::new("a.txt"), text, &NodeNames::numbered(1, 5)).is_err());
    }

    #[test]
    fn more_labels_than_nodes_are_refused() {
        let message = refusal("a\nb\na\n", &NodeNames::numbered(1, 2));
        let expected = "labels:3: … 2 labels … node 3";
        assert_mentions(&message, expected);
    }

    #[test]
    fn an_empty_line_that_would_shift_labels_is_refused() {
        let message = refusal("a\n\nb\n", &NodeNames::numbered(1, 3));
        let expected = "labels:2: … `node label`";
        assert_mentions(&message, expected);
    }

    #[test]
    fn labels_in_order_need_numbered_nodes() {
        let message = refusal("x\n", &NodeNames::from_strings(["a"]));
        let expected = "labels:1: … \"x\"";
        assert_mentions(&message, expected);
    }

    #[test]
    fn a_node_alone_has_no_label() {
        for text in ["1 a\n2\n", "1,a\n2,\n", "1\ta\n2\t\n", "1,a\n2\n"] {
            let loaded = loaded(text, &NodeNames::numbered(1, 2));
            assert_eq!(loaded.labels.first_classes(), [Some(0), None], "{text:?}");
            assert_eq!(loaded.notes, [ReadNote::NoLabel { count: 1 }]);
        }
    }

    #[test]
    fn a_file_without_labels_is_refused() {
        let message = refusal("# nothing\n", &NodeNames::numbered(1, 2));
        assert_mentions(&message, "labels: … `node label`");
        let message = refusal("node,label\n", &NodeNames::numbered(1, 2));
        assert_mentions(&message, "labels: … `node label` … header");
    }
}
