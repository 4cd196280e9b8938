//! Which format a file has.
//!
//! `.gml`, `.mtx`, `.mat` and `.hyg`, and the usual endings of edge lists, are taken at their word. Any other name,
//! and standard input, is decided by how the content starts; what starts like nothing we know is an edge
//! list. Formats we know but cannot read are refused by name, with what to do.

use std::path::Path;

use super::graph_file;
use crate::{Error, Result};

/// A format that graphs come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// `source target [weight]` per line.
    EdgeList,
    /// Graph Modelling Language.
    Gml,
    /// Matrix Market coordinate format.
    MatrixMarket,
    /// MATLAB 5 and 7 files.
    Matlab,
    /// A folder of `edges.csv`, `group-edges.csv`, `nodes.csv`, `groups.csv`.
    CsvFolder,
    /// A [graph file](super::graph_file) of our own.
    GraphFile,
}

/// How contents start that we cannot read, and what they are.
const FOREIGN: [(&[u8], &str); 11] = [
    (b"\x89HDF", "an HDF5 file; if it is from MATLAB, save it there with -v7"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x1f\x8b", "a file that was compressed twice; decompress it first"),
    (b"\x28\xb5\x2f\xfd", "a file that was compressed twice; decompress it first"),
    (b"BZh", "a bzip2 stream; decompress it first"),
    (b"\xfd7zXZ", "an xz stream; decompress it first"),
    (b"PAR1", "a Parquet file; write `source,target` lines from it"),
    (b"\x93NUMPY", "a NumPy array; write `source,target` lines from it"),
    ("⛾ gt".as_bytes(), "a graph-tool file; save it there as .gml"),
    (b"<?xml", "an XML file; convert GraphML or GEXF to .gml, for example with networkx"),
    (b"<graphml", "a GraphML file; convert it to .gml, for example with networkx"),
];

impl Format {
    /// The format of `bytes` in a file with this extension (in lower case).
    pub(super) fn of(path: &Path, extension: &str, bytes: &[u8]) -> Result<Self> {
        let foreign = FOREIGN.iter().find(|(start, _)| bytes.starts_with(start));
        if let Some((_, found)) = foreign {
            let expected = "an edge list, GML, Matrix Market or MATLAB 5".to_owned();
            return Err(Error::Content { path: path.into(), expected, found: (*found).to_owned() });
        }
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if !matches!(extension, "gml" | "mtx" | "mm" | "mat" | graph_file::EXTENSION)
            && let Some(found) = foreign_text(text, extension)
        {
            let expected = "an edge list, GML, Matrix Market or MATLAB 5".to_owned();
            return Err(Error::Content { path: path.into(), expected, found: found.to_owned() });
        }
        let format = match extension {
            "gml" => Self::Gml,
            "mtx" | "mm" => Self::MatrixMarket,
            "mat" => Self::Matlab,
            graph_file::EXTENSION => Self::GraphFile,
            "csv" | "tsv" | "edges" | "edgelist" => Self::EdgeList,
            _ => Self::sniff(bytes),
        };
        if !matches!(format, Self::Matlab | Self::GraphFile) && bytes[..bytes.len().min(GLANCE)].contains(&0)
        {
            let expected = "text in UTF-8".to_owned();
            let found = "zero bytes; it is another kind of file, or text in UTF-16".to_owned();
            return Err(Error::Content { path: path.into(), expected, found });
        }
        Ok(format)
    }

    /// The format that `bytes` look like.
    fn sniff(bytes: &[u8]) -> Self {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if text.len() >= 14 && text[..14].eq_ignore_ascii_case(b"%%MatrixMarket") {
            return Self::MatrixMarket;
        }
        if bytes.starts_with(b"MATLAB 5.0 MAT-file") || bytes.starts_with(b"MATLAB 7.3 MAT-file") {
            return Self::Matlab;
        }
        if graph_file::looks_like_graph_file(bytes) {
            return Self::GraphFile;
        }
        if starts_like_gml(text) { Self::Gml } else { Self::EdgeList }
    }

    /// The format in words.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::EdgeList => "edge list",
            Self::Gml => "GML",
            Self::MatrixMarket => "Matrix Market",
            Self::Matlab => "MATLAB 5",
            Self::CsvFolder => "CSV folder",
            Self::GraphFile => "graph file",
        }
    }
}

/// What a text is that is a graph in a format we cannot read, and what to do.
pub(super) fn foreign_text(text: &[u8], extension: &str) -> Option<&'static str> {
    if text.get(257..262) == Some(b"ustar") {
        return Some("a tar archive; unpack it first");
    }
    let start = String::from_utf8_lossy(&text[..text.len().min(GLANCE)]);
    let mut lines =
        start.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '%']));
    let first = lines.next()?;
    let second = lines.next().unwrap_or_default();
    let lower = first.to_ascii_lowercase();
    let word = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_json = first == "{"
        || first == "["
        || first.starts_with("{\"")
        || first.starts_with("[{")
        || first.starts_with("[[");
    if is_json && second.starts_with("{\"") && first.ends_with('}') {
        return Some("JSON lines; write `source,target,weight` lines from them, for example with jq -r");
    }
    if is_json {
        return Some("JSON, perhaps node-link data; write an edge list from it, for example with networkx");
    }
    if lower.starts_with("*vertices") || lower.starts_with("*network") {
        return Some("a Pajek file; write its *Edges or *Arcs as `source target weight` lines");
    }
    let is_dot =
        matches!(word, "graph" | "digraph" | "strict") && (first.contains('{') || second.starts_with('{'));
    if is_dot {
        return Some("a DOT file of Graphviz; convert it to .gml with gv2gml");
    }
    if lower.starts_with(">>graph6") || lower.starts_with(">>sparse6") || matches!(extension, "g6" | "s6") {
        return Some("a graph6 or sparse6 file; write an edge list from it, for example with networkx");
    }
    if extension == "lgl" {
        return Some("an LGL file; write `source target` lines from it");
    }
    if matches!(extension, "adjlist" | "metis") {
        return Some(
            "an adjacency list, whose lines are the neighbours of a node; write one line `source target` for each",
        );
    }
    if first.ends_with('}') && (first.contains(" {\'") || first.ends_with(" {}")) {
        return Some(
            "an edge list with Python dictionaries; write it with networkx.write_weighted_edgelist, or with data=False",
        );
    }
    None
}

/// How much of a content is looked at.
const GLANCE: usize = 4096;

/// Whether a `graph [` comes after nothing but comments and `key value` lines of GML.
fn starts_like_gml(text: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&text[..text.len().min(GLANCE)]);
    let mut lines = start.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    while let Some(line) = lines.next() {
        let mut words = line.splitn(2, char::is_whitespace);
        match (words.next().unwrap_or_default(), words.next().map(str::trim)) {
            ("Creator" | "creator" | "Version" | "version" | "comment", Some(_)) => {}
            ("graph", None) => return lines.next().is_some_and(|line| line.starts_with('[')),
            ("graph", Some(rest)) => return rest.starts_with('['),
            ("graph[", _) => return true,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str, bytes: &[u8]) -> Format {
        let (_, extension) = super::super::input::stem_and_extension(Path::new(name));
        Format::of(Path::new(name), &extension, bytes).unwrap()
    }

    #[test]
    fn extensions_decide_where_they_say_enough() {
        assert_eq!(format("a.gml", b""), Format::Gml);
        assert_eq!(format("a.mtx.gz", b""), Format::MatrixMarket);
        assert_eq!(format("a.mat", b""), Format::Matlab);
        assert_eq!(format("a.csv", b"graph ["), Format::EdgeList);
    }

    #[test]
    fn contents_decide_otherwise() {
        assert_eq!(format("-", b"%%matrixmarket matrix coordinate"), Format::MatrixMarket);
        assert_eq!(format("a.txt", b"Creator \"me\"\n# x\ngraph\n[\n"), Format::Gml);
        assert_eq!(format("a", b"graph [ node [ id 1 ] ]"), Format::Gml);
        assert_eq!(format("a", b"graph theory\n"), Format::EdgeList);
        assert_eq!(format("a", b"1 2"), Format::EdgeList);
        let mut matlab = b"MATLAB 5.0 MAT-file".to_vec();
        matlab.resize(200, 0);
        assert_eq!(format("a", &matlab), Format::Matlab);
    }

    #[test]
    fn texts_of_other_formats_are_named() {
        for (name, text, found) in [
            ("a.json", "{\"nodes\": []}", "JSON,"),
            ("a.json", "{\n  \"directed\": false", "JSON,"),
            ("a.jsonl", "{\"source\": 1}\n{\"source\": 2}\n", "JSON lines"),
            ("a.net", "*Vertices 3\n1 \"a\"", "Pajek"),
            ("a.txt", "*Network x\n*Vertices 3\n", "Pajek"),
            ("a.dot", "digraph G {\n a -> b\n}", "DOT"),
            ("a.txt", "graph\n{\n a -- b\n}", "DOT"),
            ("a.g6", "D?{", "graph6"),
            ("a.txt", ">>graph6<<D?{", "graph6"),
            ("a.nxedges", "a b {'weight': 4}\n", "Python dictionaries"),
            ("a.adjlist", "1 2 3\n2 4\n", "adjacency list"),
        ] {
            let (_, extension) = super::super::input::stem_and_extension(Path::new(name));
            let message = Format::of(Path::new(name), &extension, text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains(found), "{message}");
        }
        assert_eq!(format("a.txt", b"graph theory\n"), Format::EdgeList);
        assert_eq!(format("a.txt", b"{a} {b}\n"), Format::EdgeList);
    }

    #[test]
    fn formats_we_cannot_read_are_refused_by_name() {
        let message = Format::of(Path::new("a.zip"), "zip", b"PK\x03\x04").unwrap_err().to_string();
        let expected = "a.zip: expected an edge list, GML, Matrix Market or MATLAB 5, found a zip archive; unpack it first";
        assert_eq!(message, expected);
    }
}
