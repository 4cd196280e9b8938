//! Detection of unsupported formats, so that they are refused by name with a remedy.
//!
//! First by signature, then by the layout of the lines, and last by the extension. The rules for lines never match an edge
//! list that can be read.

use std::collections::HashSet;

use crate::io::formats::header::EdgeColumns;

/// An unsupported format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    /// Name for error messages.
    pub name: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

const fn unsupported(name: &'static str, remedy: &'static str) -> Unsupported {
    Unsupported { name, remedy }
}

const WRITE_LINES: &str = "write `source,target` lines from it";
const NETWORKX: &str = "write an edge list from it, for example with networkx";

const TWICE: Unsupported = unsupported("a file that was compressed twice", "decompress it first");
const TAR: Unsupported = unsupported("a tar archive", "unpack it first");
const GRAPHML: Unsupported = unsupported("a GraphML file", "convert it to .gml, for example with networkx");
const GEXF: Unsupported = unsupported("a GEXF file", "convert it to .gml, for example with networkx");
const XML: Unsupported = unsupported("an XML file", WRITE_LINES);
const JSON: Unsupported = unsupported("JSON, perhaps node-link data", NETWORKX);
const JSON_LINES: Unsupported =
    unsupported("JSON lines", "write `source,target,weight` lines from them, for example with jq -r");
const PAJEK: Unsupported =
    unsupported("a Pajek file", "write its *Edges or *Arcs as `source target weight` lines");
const DOT: Unsupported = unsupported("a DOT file of Graphviz", "convert it to .gml with gv2gml");
const GRAPH6: Unsupported = unsupported("a graph6 or sparse6 file", NETWORKX);
const LGL: Unsupported = unsupported("an LGL file", "write `source target` lines from it");
const METIS: Unsupported = unsupported("a METIS file", "write one line `source target` for each edge");
const ADJACENCY: Unsupported = unsupported(
    "an adjacency list, whose lines are the neighbours of a node",
    "write one line `source target` for each",
);
const SIF: Unsupported =
    unsupported("a SIF file of Cytoscape", "write its first and third column as `source target` lines");
const DICTIONARIES: Unsupported = unsupported(
    "an edge list with Python dictionaries",
    "write it with networkx.write_weighted_edgelist, or with data=False",
);
const BARS: Unsupported =
    unsupported("a table whose columns are separated by |", "replace | by a comma or a tab");

/// Signatures at the start of a content.
const SIGNATURES: [(&[u8], Unsupported); 11] = [
    (b"\x89HDF", unsupported("an HDF5 file", "if it is from MATLAB, save it there with -v7")),
    (b"PK\x03\x04", unsupported("a zip archive", "unpack it first")),
    (b"\x1f\x8b", TWICE),
    (b"\x28\xb5\x2f\xfd", TWICE),
    (b"BZh", unsupported("a bzip2 stream", "decompress it first")),
    (b"\xfd7zXZ", unsupported("an xz stream", "decompress it first")),
    (b"PAR1", unsupported("a Parquet file", WRITE_LINES)),
    (b"\x93NUMPY", unsupported("a NumPy array", WRITE_LINES)),
    ("⛾ gt".as_bytes(), unsupported("a graph-tool file", "save it there as .gml")),
    (b"SQLite format 3", unsupported("an SQLite database", WRITE_LINES)),
    (b"%PDF-", unsupported("a PDF", "give the graph's own file")),
];

/// Bytes that are inspected for a signature.
const INSPECTED_BYTES: usize = 4096;

/// The unsupported format of `bytes` in a file with this extension (in lower case), if it is one.
pub(crate) fn detect(bytes: &[u8], extension: &str) -> Option<Unsupported> {
    by_signature(bytes).or_else(|| by_lines(bytes, extension))
}

/// The format according to signatures, which no edge list or label file matches.
pub(crate) fn by_signature(bytes: &[u8]) -> Option<Unsupported> {
    if let Some((_, found)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(*found);
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(TAR);
    }
    let text = start_of(bytes);
    let start = text.trim_start();
    if start.starts_with('<') {
        return markup(start);
    }
    if let Some(found) = json(start) {
        return Some(found);
    }
    let is_comment = |line: &&str| {
        line.is_empty() || ["#", "%", "//", "/*", "*/", "* "].iter().any(|c| line.starts_with(c))
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !is_comment(line));
    let first = lines.next()?;
    let lower = first.to_ascii_lowercase();
    if ["*vertices", "*network", "*arcs", "*edges"].iter().any(|word| lower.starts_with(word)) {
        return Some(PAJEK);
    }
    let word = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let opens = first.contains('{') || lines.next().is_some_and(|line| line.starts_with('{'));
    if matches!(word, "graph" | "digraph" | "strict") && opens {
        return Some(DOT);
    }
    [">>graph6", ">>sparse6", ">>digraph6"].iter().any(|start| lower.starts_with(start)).then_some(GRAPH6)
}

/// The start of a content, without a UTF-8 byte order mark.
fn start_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(&text[..text.len().min(INSPECTED_BYTES)])
}

/// The format of a text that starts with `<`.
fn markup(start: &str) -> Option<Unsupported> {
    let has = |tag: &str| start.contains(tag);
    if has("<graphml") {
        Some(GRAPHML)
    } else if has("<gexf") {
        Some(GEXF)
    } else {
        ["<?xml", "<!DOCTYPE", "<!--", "<html"].iter().any(|tag| start.starts_with(tag)).then_some(XML)
    }
}

/// JSON: a brace or bracket, then what can follow it.
fn json(start: &str) -> Option<Unsupported> {
    let inner = start.strip_prefix(['{', '['])?.trim_start();
    let is_object = start.starts_with('{');
    let is_json = match inner.chars().next() {
        Some('"' | '}' | ']') | None => true,
        Some('{' | '[') => !is_object,
        _ => false,
    };
    let mut lines = start.lines().map(str::trim);
    let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
    let are_lines = is_object && first.ends_with('}') && second.starts_with('{');
    is_json.then_some(if are_lines { JSON_LINES } else { JSON })
}

/// Bytes whose lines are inspected.
const INSPECTED_LINE_BYTES: usize = 1 << 18;

/// The inspected lines, and whether they are all lines.
fn inspected_lines(bytes: &[u8]) -> (Vec<&str>, bool) {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_whole = text.len() <= INSPECTED_LINE_BYTES;
    let end = if is_whole {
        text.len()
    } else {
        memchr::memrchr(b'\n', &text[..INSPECTED_LINE_BYTES]).unwrap_or(0)
    };
    let text = std::str::from_utf8(&text[..end]).unwrap_or_default();
    (text.split('\n').map(str::trim).collect(), is_whole)
}

/// Lines that are neither empty nor comments.
fn data_lines<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    lines.iter().copied().filter(|line| !line.is_empty() && !line.starts_with(['#', '%'])).collect()
}

/// A table with `|` between columns, whose lines would otherwise be read as one label each.
pub(crate) fn columns_between_bars(bytes: &[u8]) -> Option<Unsupported> {
    are_columns_between_bars(&data_lines(&inspected_lines(bytes).0)).then_some(BARS)
}

/// The format according to the lines, else the extension.
fn by_lines(bytes: &[u8], extension: &str) -> Option<Unsupported> {
    let (lines, is_whole) = inspected_lines(bytes);
    let data = data_lines(&lines);
    let first = data.first().copied().unwrap_or_default();
    if first.ends_with('}') && (first.contains(" {'") || first.ends_with(" {}")) {
        return Some(DICTIONARIES);
    }
    if are_columns_between_bars(&data) {
        return Some(BARS);
    }
    if is_lgl(&lines) {
        return Some(LGL);
    }
    if is_graph6(&data) {
        return Some(GRAPH6);
    }
    if is_metis(&lines, is_whole, matches!(extension, "graph" | "metis")) {
        return Some(METIS);
    }
    if is_sif(&data) {
        return Some(SIF);
    }
    if is_adjacency_list(&data) {
        return Some(ADJACENCY);
    }
    Some(match extension {
        "g6" | "s6" | "d6" => GRAPH6,
        "lgl" => LGL,
        "metis" => METIS,
        "adjlist" => ADJACENCY,
        "sif" => SIF,
        "net" | "paj" => PAJEK,
        "dot" | "gv" => DOT,
        "json" | "jsonl" | "ndjson" => JSON,
        "graphml" => GRAPHML,
        "gexf" => GEXF,
        _ => return None,
    })
}

/// Lines without another separator that all have the same number of `|`, at least one.
fn are_columns_between_bars(data: &[&str]) -> bool {
    let bars = |line: &str| line.matches('|').count();
    let Some(first) = data.first() else { return false };
    let is_row = |line: &&str| bars(line) == bars(first) && !line.contains([' ', '\t', ',', ';']);
    bars(first) > 0 && data.iter().all(is_row)
}

/// LGL: `# name` lines, each above the neighbours of that node; at least one neighbour has a `#` line too.
fn is_lgl(lines: &[&str]) -> bool {
    let heads: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix('#')).map(str::trim).collect();
    if heads.len() < 2 || heads.iter().any(|head| head.is_empty() || head.contains(char::is_whitespace)) {
        return false;
    }
    let heads: HashSet<&str> = heads.into_iter().collect();
    let data = || lines.iter().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_neighbor = |line: &&&str| {
        let mut words = line.split_whitespace().skip(1);
        words.next().is_none_or(|weight| weight.parse::<f64>().is_ok()) && words.next().is_none()
    };
    data().next().is_some()
        && data().all(|line| is_neighbor(&line))
        && data().any(|line| line.split_whitespace().next().is_some_and(|name| heads.contains(name)))
}

/// Graphs of fewer nodes have codes so short that words can match.
const SMALLEST_CODE: usize = 6;

/// graph6: lines that are each the code of a graph of at most 62 nodes: its number of nodes, then as many characters as that needs.
fn is_graph6(data: &[&str]) -> bool {
    let is_code = |line: &&str| {
        let code = line.as_bytes();
        let nodes = usize::from(code[0].wrapping_sub(63));
        let bits = nodes * nodes.saturating_sub(1) / 2;
        let padding = bits.next_multiple_of(6) - bits;
        (SMALLEST_CODE..=62).contains(&nodes)
            && code.len() == 1 + bits.div_ceil(6)
            && code.iter().all(|byte| (63..=126).contains(byte))
            && (code[code.len() - 1] - 63) & ((1 << padding) - 1) == 0
    };
    !data.is_empty() && data.iter().all(is_code)
}

/// METIS: a first line `nodes edges [format]`, then as many lines as nodes that have two entries for each edge.
fn is_metis(lines: &[&str], is_whole: bool, is_called_so: bool) -> bool {
    let mut lines = lines.iter().filter(|line| !line.starts_with('%'));
    let Some(first) = lines.next() else { return false };
    let sizes: Option<Vec<usize>> = first.split(' ').map(|size| size.parse().ok()).collect();
    let Some(sizes) = sizes.filter(|sizes| (2..=4).contains(&sizes.len())) else { return false };
    if is_called_so {
        return true;
    }
    let mut rows: Vec<&str> = lines.copied().collect();
    rows.pop_if(|last| last.is_empty()); // the end of the last line
    let widths = || rows.iter().map(|row| row.split_whitespace().count());
    let is_edge_list = widths().all(|width| width == 2) || widths().all(|width| width == 3);
    is_whole
        && rows.len() == sizes[0]
        && !is_edge_list
        && (sizes.len() > 2 || widths().sum::<usize>() == sizes[1].saturating_mul(2))
}

/// SIF: `source relation target`, all lines with the same relation.
fn is_sif(data: &[&str]) -> bool {
    let mut relations = data.iter().map(|line| {
        let words: Vec<&str> = line.split(['\t', ' ']).filter(|word| !word.is_empty()).collect();
        let is_number = |word: &&str| word.parse::<f64>().is_ok();
        let fits = words.len() >= 3 && !is_number(&words[1]) && !words[2..].iter().all(is_number);
        fits.then(|| words[1])
    });
    let Some(Some(relation)) = relations.next() else { return false };
    let names: Vec<String> = data[0].split_whitespace().map(str::to_owned).collect();
    data.len() > 1 && EdgeColumns::named(&names).is_none() && relations.all(|other| other == Some(relation))
}

/// Adjacency list: lines of a node and its neighbours, of different lengths, where nearly all neighbours have a line and are many.
fn is_adjacency_list(data: &[&str]) -> bool {
    let rows: Vec<Vec<&str>> = data.iter().map(|line| line.split_whitespace().collect()).collect();
    let widths = || rows.iter().map(Vec::len);
    if data.iter().any(|line| line.contains([',', ';']))
        || widths().max() <= Some(3)
        || widths().min() == widths().max()
    {
        return false;
    }
    let nodes: HashSet<&str> = rows.iter().map(|row| row[0]).collect();
    let neighbors: HashSet<&str> = rows.iter().flat_map(|row| &row[1..]).copied().collect();
    nodes.len() == rows.len() && 4 * neighbors.len() > rows.len() && neighbors.is_subset(&nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(bytes: &[u8], extension: &str) -> &'static str {
        detect(bytes, extension).map_or("nothing", |found| found.name)
    }

    #[test]
    fn contents_are_recognised_whatever_they_are_called() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(named(&tar, "txt"), TAR.name);
        for (text, found) in [
            ("{\"nodes\": []}", JSON),
            ("{\n  \"directed\": false", JSON),
            ("[\n {\"source\": 1}", JSON),
            (" \n{ }", JSON),
            ("{\"source\": 1}\n{\"source\": 2}\n", JSON_LINES),
            ("*Vertices 3\n1 \"a\"", PAJEK),
            ("% by hand\n*network x\n*Vertices 3\n", PAJEK),
            ("digraph G {\n a -> b\n}", DOT),
            ("// made by hand\nstrict graph\n{\n a -- b\n}", DOT),
            ("/* made by hand */\ngraph \"x\" {a -- b}", DOT),
            (">>graph6<<D?{", GRAPH6),
            ("E?~o\nFCpb_\n", GRAPH6),
            ("\u{feff}<?xml version=\"1.0\"?>\n<graphml xmlns=\"x\">", GRAPHML),
            ("<graphml>", GRAPHML),
            ("<?xml version=\"1.0\"?><gexf>", GEXF),
            ("<?xml version=\"1.0\"?><svg>", XML),
            ("a b {'weight': 4}\n", DICTIONARIES),
            ("# a\nb\nc 2.5\n# b\nc\n", LGL),
            ("3 2\n2\n1 3\n2\n", METIS),
            ("% by hand\n4 3\n2\n1 3\n2 4\n3\n", METIS),
            ("a|b\nb|c\n", BARS),
            ("# by hand\nsource|target|weight\na|b|2\n", BARS),
            ("a pp b\nb pp c\n", SIF),
            ("a\tpp\tb\tc\nb\tpp\tc\n", SIF),
            ("1 2 3 4\n2 3\n3\n4\n", ADJACENCY),
        ] {
            for extension in ["txt", "csv", ""] {
                assert_eq!(named(text.as_bytes(), extension), found.name, "{text:?}");
            }
        }
    }

    #[test]
    fn extensions_name_what_contents_do_not() {
        for (extension, found) in
            [("g6", GRAPH6), ("lgl", LGL), ("adjlist", ADJACENCY), ("sif", SIF), ("metis", METIS)]
        {
            assert_eq!(named(b"1 2 3\n2 4\n", extension), found.name);
        }
        assert_eq!(named(b"4 4\n2 4\n1 3\n2 4\n1 3\n", "graph"), METIS.name, "a cycle");
    }

    #[test]
    fn edge_lists_and_labels_are_nothing_else() {
        for text in [
            "1 2\n2 3\n",
            "4 4\n2 4\n1 3\n2 4\n1 3\n",
            "2 1\n1 2\n2 1\n",
            "1 2 0.5\n2 3 1\n",
            "graph theory\n",
            "{a} {b}\n",
            "[a] [b]\n",
            "<a> <b>\n",
            "source target type\na b x\nb c x\n",
            "a b c\n1 2 3\n",
            "# comment\n# another one\nx\ny\n",
            "# x\nx y\n",
            "East\nWest\nEast\n",
            "sp|P1|A sp|P2|B\nsp|P2|B sp|P3|C\n",
            "Action|Comedy\nDrama\n",
            "x\ny\nx\n",
            "1 2 5 6\n2 5\n3 6\n4 5 6\n5 6\n6 5\n7 5\n8 5\n9 5\n10 6\n11 6\n12 5\n",
            "",
        ] {
            assert_eq!(named(text.as_bytes(), "txt"), "nothing", "{text:?}");
        }
    }
}
