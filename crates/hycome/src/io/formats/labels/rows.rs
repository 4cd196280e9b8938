//! Parser of label files: rows of a node and its labels, in any of these layouts.
//!
//! | shape | read as |
//! |---|---|
//! | one word per line | labels of the nodes in order |
//! | two columns between tabs, semicolons or commas | node, label; a node may come again with another label |
//! | more columns, with a header | the column of nodes and the one of labels, by their names |
//! | more columns, without one | refused: extra columns are no classes |
//! | words between spaces | a node and all its labels |
//!
//! A line with a node alone is a node without a label.

use crate::graph::ColumnsRead;
use crate::io::formats::header::{EdgeColumns, Likeness};
use crate::io::formats::table::{Delimiter, ONE_LINE_NAME, for_each_row, plain_word, spans_lines};
use crate::io::formats::text::{Fault, Text, columns, quoted};

/// A node of a label file, and where its line is.
pub(crate) struct LabelRow {
    pub offset: usize,
    pub node: String,
    pub labels: Vec<String>,
}

/// All rows, and how they were found.
#[derive(Default)]
pub(crate) struct LabelRows {
    pub rows: Vec<LabelRow>,
    pub columns: Option<ColumnsRead>,
    /// The first line, in quotes, if it was read as a header.
    pub header: Option<String>,
}

/// Whether every line is one word, so that labels belong to the nodes in order.
pub(crate) fn is_one_per_line(text: Text<'_>) -> bool {
    let mut lines = text.data_lines(0..text.bytes.len()).peekable();
    lines.peek().is_some() && lines.all(|(_, line)| columns(line).count() == 1 && !line.contains(&b';'))
}

/// Names of a column that holds nodes.
const NODES: [&str; 9] = ["node", "nodeid", "id", "vertex", "vertexid", "name", "user", "userid", "nodes"];

/// Names, and ends of names, of a column that holds labels.
const LABELS: [&str; 18] = [
    "label",
    "class",
    "community",
    "group",
    "cluster",
    "category",
    "type",
    "department",
    "dept",
    "club",
    "labels",
    "classes",
    "module",
    "party",
    "faction",
    "gt",
    "groundtruth",
    "conference",
];

pub(crate) fn is_node_word(word: &str) -> bool {
    NODES.contains(&plain_word(word).as_str())
}

fn is_label_word(word: &str) -> bool {
    let word = plain_word(word);
    let long = |end: &&str| end.len() > 3 && word.ends_with(*end);
    LABELS.iter().any(|label| word == *label) || LABELS.iter().any(long)
}

/// The rows of a label file whose lines name their nodes; `is_node` tests for nodes of the graph, if there is one.
pub(crate) fn label_rows(
    text: Text<'_>,
    is_node: Option<&dyn Fn(&str) -> bool>,
) -> std::result::Result<LabelRows, Fault> {
    if is_member_list(text) {
        let expected = "lines `node label`; write one for each member of a community";
        return Err(Fault::new(
            0,
            expected,
            "a SNAP .cmty file, whose lines are the members of a community each",
        ));
    }
    let delimiter = Delimiter::of(text, true);
    refuse_edges(text, delimiter, is_node)?;
    let Delimiter::Byte(_) = delimiter else { return spaced(text, is_node) };
    let table = table(text, delimiter, is_node);
    // `b 10,9` is a list of labels between spaces, although each line has a comma.
    if let Some(is_node) = is_node
        && delimiter == Delimiter::Byte(b',')
        && text.data_lines(0..text.bytes.len()).all(|(_, line)| line.contains(&b' '))
        && !table.as_ref().is_ok_and(|table| table.rows.iter().any(|row| is_node(&row.node)))
        && let Ok(other) = spaced(text, Some(is_node))
        && other.rows.iter().any(|row| is_node(&row.node))
    {
        return Ok(other);
    }
    table
}

/// Refuses an edge list with a header, whose second column would be read as labels.
fn refuse_edges(
    text: Text<'_>,
    delimiter: Delimiter,
    is_node: Option<&dyn Fn(&str) -> bool>,
) -> std::result::Result<(), Fault> {
    let Some((offset, line)) = text.data_lines(0..text.bytes.len()).next() else { return Ok(()) };
    let names = delimiter.split(line);
    let is_named = matches!(EdgeColumns::named(&names), Some((_, Likeness::Certain)));
    let is_of_nodes = names.first().is_some_and(|first| is_node.is_some_and(|is_node| is_node(first)));
    if is_named && !is_of_nodes && header_columns(&names, is_node).is_none() {
        let found = format!("the header of an edge list, {}", delimiter.quoted(&names));
        return Err(Fault::new(offset, "`node label`", found));
    }
    Ok(())
}

/// Whether the first line is that of the tables of communities and predictions that hycome writes.
pub(crate) fn has_own_header(text: Text<'_>, delimiter: Delimiter) -> bool {
    let Some((_, line)) = text.data_lines(0..text.bytes.len()).next() else { return false };
    [["node", "community", "probability"], ["node", "label", "probability"]]
        .iter()
        .any(|names| delimiter.split(line).iter().eq(names))
}

/// Whether the first line names a column of nodes and one of labels, as that of the `communities.tsv` of a run does, and not the
/// ends of edges.
pub(crate) fn has_label_header(text: Text<'_>, delimiter: Delimiter) -> bool {
    let Some((_, line)) = text.data_lines(0..text.bytes.len()).next() else { return false };
    let names = delimiter.split(line);
    header_columns(&names, None).is_some() && EdgeColumns::named(&names).is_none()
}

/// Whether the extension is that of files whose lines are communities.
fn is_member_list(text: Text<'_>) -> bool {
    let name = text.path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.ends_with(".cmty") || name.contains(".cmty.")
}

/// Words between spaces: a node and all its labels, or a table whose header names its columns.
fn spaced(text: Text<'_>, is_node: Option<&dyn Fn(&str) -> bool>) -> std::result::Result<LabelRows, Fault> {
    let first = text.data_lines(0..text.bytes.len()).next();
    if let Some((_, line)) = first {
        let words = Delimiter::Space.split(line);
        if words.len() > 2 && header_columns(&words, is_node).is_some() {
            return table(text, Delimiter::Space, is_node);
        }
    }
    let mut found = LabelRows::default();
    let mut is_first = true;
    for_each_row(text, Delimiter::Space, |offset, row| {
        let node = row.get(0).unwrap_or_default();
        let header = is_first && is_node_word(node) && !is_node.is_some_and(|is_node| is_node(node));
        is_first = false;
        if header {
            found.header = Some(Delimiter::Space.quoted(&row.iter().map(str::to_owned).collect::<Vec<_>>()));
            return Ok(());
        }
        let labels = row.iter().skip(1).map(str::to_owned).collect();
        found.rows.push(LabelRow { offset, node: node.to_owned(), labels });
        Ok(())
    })?;
    Ok(found)
}

/// The columns of nodes and labels that a header names: several candidates for the first, exactly one for the second.
fn header_columns(names: &[String], is_node: Option<&dyn Fn(&str) -> bool>) -> Option<(Vec<usize>, usize)> {
    if names.first().is_some_and(|first| is_node.is_some_and(|is_node| is_node(first))) {
        return None;
    }
    let mut labels = (0..names.len()).filter(|&i| is_label_word(&names[i]));
    let (label, more) = (labels.next()?, labels.next());
    let mut nodes: Vec<usize> = (0..names.len()).filter(|&i| i != label && is_node_word(&names[i])).collect();
    nodes.sort_by_key(|&i| NODES.iter().position(|word| *word == plain_word(&names[i])));
    (more.is_none() && !nodes.is_empty()).then_some((nodes, label))
}

/// A table of two columns, or of more with a header.
fn table(
    text: Text<'_>,
    delimiter: Delimiter,
    is_node: Option<&dyn Fn(&str) -> bool>,
) -> std::result::Result<LabelRows, Fault> {
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for_each_row(text, delimiter, |offset, row| {
        rows.push((offset, row.iter().map(str::to_owned).collect()));
        Ok(())
    })?;
    let Some((_, first)) = rows.first() else { return Ok(LabelRows::default()) };
    let named = header_columns(first, is_node);
    let wide = rows.iter().find(|(_, row)| row.iter().rposition(|field| !field.is_empty()) >= Some(2));
    let (nodes, label) = match (&named, wide) {
        (Some((nodes, label)), _) => (nodes.clone(), *label),
        (None, None) => (vec![0], 1),
        (None, Some((offset, row))) => return Err(too_wide(*offset, row, first, delimiter)),
    };
    let known_header =
        first.first().is_some_and(|word| is_node_word(word) && !is_node.is_some_and(|is_node| is_node(word)));
    let has_header = named.is_some() || known_header;
    let first = first.clone();
    let start = usize::from(has_header);
    let is_broken =
        |row: &[String]| (nodes.iter().chain([&label])).any(|&i| row.get(i).is_some_and(|s| spans_lines(s)));
    if let Some((offset, row)) = rows.iter().find(|(_, row)| is_broken(row)) {
        return Err(Fault::new(*offset, ONE_LINE_NAME, quoted(row.join(" | ").as_bytes())));
    }
    // Of several columns that may hold the nodes, the one with most nodes of the graph.
    let matches = |&column: &usize| {
        let is_node = |row: &&(usize, Vec<String>)| {
            row.1.get(column).is_some_and(|name| is_node.is_none_or(|is_node| is_node(name)))
        };
        rows[start..].iter().filter(is_node).count()
    };
    let node = nodes.iter().copied().rev().max_by_key(matches).unwrap_or(0);
    let name = |i: usize| match first.get(i).filter(|name| has_header && !name.is_empty()) {
        Some(name) => name.clone(),
        None => format!("column {}", i + 1),
    };
    let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0).min(first.len().max(2));
    let read = ColumnsRead {
        used: vec![("node", name(node)), ("label", name(label))],
        ignored: (0..width).filter(|&i| i != node && i != label).map(name).collect(),
    };
    let header = has_header.then(|| delimiter.quoted(&first));
    let rows = rows
        .into_iter()
        .skip(start)
        .filter_map(|(offset, mut row)| {
            let label = row.get_mut(label).map(std::mem::take).filter(|label| !label.is_empty());
            let node = row.get_mut(node).map(std::mem::take).filter(|node| !node.is_empty())?;
            Some(LabelRow { offset, node, labels: label.into_iter().collect() })
        })
        .collect();
    Ok(LabelRows { rows, columns: Some(read), header })
}

/// The error of a wide table without a header that names its columns.
fn too_wide(offset: usize, row: &[String], first: &[String], delimiter: Delimiter) -> Fault {
    let expected = format!(
        "`node label` between {}, or a first line that names a column such as `node` or `id` and one such as `label` or \
         `class`; cut other columns away",
        delimiter.name()
    );
    let shown = |row: &[String]| quoted(row.join(" | ").as_bytes());
    let found = if row == first {
        format!("{} columns, {}", row.len(), shown(row))
    } else {
        format!("{} columns, {}, below {}", row.len(), shown(row), shown(first))
    };
    Fault::new(offset, expected, found)
}
