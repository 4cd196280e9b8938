//! Format detection, from the extension and the content.
//!
//! Formats that cannot be read are refused by name first (see [`crate::io::formats::unsupported`]). `.gml`, `.mtx`, `.mat` and `.hyg`, and the
//! usual endings of edge lists, determine the format. Any other name, and standard input, is detected from the start of the
//! content; the fallback is an edge list.

use std::path::Path;

use crate::io::formats::table::not_text;
use crate::io::formats::text::Text;
use crate::io::formats::unsupported;
use crate::io::graph_file;
use crate::io::input::stem_and_extension;
use crate::{Error, Result};

/// A supported graph format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum Format {
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
    /// A [graph file](crate::io::graph_file).
    GraphFile,
}

impl Format {
    /// The format of `bytes` in a file with this extension (in lower case).
    pub(crate) fn of(path: &Path, extension: &str, bytes: &[u8]) -> Result<Self> {
        let sniffed = Self::sniff(bytes);
        if sniffed == Self::EdgeList
            && let Some(found) = unsupported::detect(bytes, extension)
        {
            let expected = "an edge list, GML, Matrix Market or MATLAB 5".to_owned();
            let found = format!("{}; {}", found.name, found.remedy);
            return Err(Error::Content { path: path.into(), expected, found });
        }
        let format = match extension {
            "gml" => Self::Gml,
            "mtx" | "mm" => Self::MatrixMarket,
            "mat" => Self::Matlab,
            graph_file::EXTENSION => Self::GraphFile,
            "csv" | "tsv" | "edges" | "edgelist" => Self::EdgeList,
            _ => sniffed,
        };
        if !matches!(format, Self::Matlab | Self::GraphFile) {
            refuse_zeros(path, bytes, "another kind of file")?;
        }
        Ok(format)
    }

    /// The format according to the content.
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

    /// Name of the format.
    #[must_use]
    pub(crate) fn description(self) -> &'static str {
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

/// Whether a content is a graph in a format that is recognized but cannot be read; `path` has the extension.
#[must_use]
pub fn is_unsupported(path: &Path, bytes: &[u8]) -> bool {
    let (_, extension) = stem_and_extension(path);
    Format::sniff(bytes) == Format::EdgeList && unsupported::detect(bytes, &extension).is_some()
}

/// Refuses the start of a stream that is neither text nor a supported format, with the name of the format if it is detected.
pub(crate) fn expect_text(start: Text<'_>) -> Result<()> {
    if Format::sniff(start.bytes) == Format::Matlab {
        return Ok(());
    }
    if let Some(found) = unsupported::by_signature(start.bytes) {
        return Err(start.content_error("text in UTF-8", format!("{}; {}", found.name, found.remedy)));
    }
    refuse_zeros(start.path, start.bytes, "another kind of file, an endless device")?;
    let end = memchr::memrchr(b'\n', start.bytes).unwrap_or(start.bytes.len());
    let is_binary = |line: &[u8]| std::str::from_utf8(line).is_err_and(|error| error.error_len().is_some());
    match start.data_lines(0..end).find(|(_, line)| is_binary(line)) {
        Some((offset, line)) => Err(start.error(not_text(offset, line))),
        None => Ok(()),
    }
}

fn refuse_zeros(path: &Path, bytes: &[u8], kind: &str) -> Result<()> {
    if !bytes[..bytes.len().min(INSPECTED_BYTES)].contains(&0) {
        return Ok(());
    }
    let found = format!("zero bytes; it is {kind}, or text in UTF-16");
    Err(Error::Content { path: path.into(), expected: "text in UTF-8".to_owned(), found })
}

/// Bytes that are inspected.
const INSPECTED_BYTES: usize = 1 << 16;

/// Whether a `graph [` comes after nothing but comments and `key value` lines of GML.
fn starts_like_gml(text: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&text[..text.len().min(INSPECTED_BYTES)]);
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
        let (_, extension) = crate::io::input::stem_and_extension(Path::new(name));
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
    fn formats_we_cannot_read_are_refused_by_name() {
        for (name, bytes, found) in [
            ("a.zip", &b"PK\x03\x04"[..], "a zip archive; unpack it first"),
            ("a.gml", b"<?xml version=\"1.0\"?>\n<graphml>", "a GraphML file"),
            ("a.csv", b"{\"nodes\": []}", "JSON"),
            ("a.g6", b"D?{", "graph6"),
        ] {
            let (_, extension) = crate::io::input::stem_and_extension(Path::new(name));
            let message = Format::of(Path::new(name), &extension, bytes).unwrap_err().to_string();
            assert!(message.starts_with(name) && message.contains(found), "{message}");
        }
    }
}
