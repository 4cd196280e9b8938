//! Reading a graph: input, format detection, parsing, construction of the graph.

use std::path::{Path, PathBuf};

use super::files::graph as graph_file;
use super::formats::detect::Format;
use super::formats::text::Text;
#[cfg(feature = "formats")]
use super::formats::{csv_folder, gml, matlab, matrix_market};
use super::formats::{edge_list, table};
use super::input::{Input, Reading, stem_and_extension};
use super::limits::Limits;
use super::progress::{ReadCallback, ReadStep};
use crate::graph::{
    ColumnsRead, Direction, EdgePieces, Labels, LoadedGraph, NodeId, NodeNames, ReadNote, RepeatedEdges,
};
use crate::{Error, Result};

/// Output of a format's parser.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub edges: EdgePieces,
    pub names: NodeNames,
    pub labels: Option<Labels>,
    pub header: Option<String>,
    pub direction: Direction,
    pub columns: Option<ColumnsRead>,
    /// Notes of the parser.
    pub notes: Vec<ReadNote>,
}

impl Parsed {
    /// Edges without labels or header, of unknown direction.
    pub(super) fn new(edges: impl Into<EdgePieces>, names: NodeNames) -> Self {
        Self {
            edges: edges.into(),
            names,
            labels: None,
            header: None,
            direction: Direction::Unknown,
            columns: None,
            notes: Vec::new(),
        }
    }
}

/// Options of [`read_graph_with`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How repeated edges are combined.
    pub repeated: RepeatedEdges,
    /// Whether the first line of an edge list is a header; `None` detects it.
    pub header: Option<bool>,
    /// Limits on decompression.
    pub limits: Limits,
}

/// Reads a graph from a file, a CSV folder or, if the path is `-`, standard input.
pub fn read_graph(path: &Path) -> Result<LoadedGraph> {
    read_graph_with(path, &ReadOptions::default())
}

/// [`read_graph`] with other options.
pub fn read_graph_with(path: &Path, options: &ReadOptions) -> Result<LoadedGraph> {
    read_graph_with_progress(path, options, ReadCallback::default())
}

/// [`read_graph_with`], with progress reported to `progress`.
pub fn read_graph_with_progress(
    path: &Path,
    options: &ReadOptions,
    progress: ReadCallback<'_>,
) -> Result<LoadedGraph> {
    if path.is_dir() {
        let name =
            path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let name = name.unwrap_or_else(|| path.display().to_string());
        #[cfg(feature = "formats")]
        let parsed = csv_folder::read(path, &options.limits, progress)?;
        #[cfg(not(feature = "formats"))]
        let parsed = not_built(path, Format::CsvFolder)?;
        return finish(path, name, Format::CsvFolder, parsed, options, progress);
    }
    if let Some(loaded) = graph_file::open(path)? {
        return Ok(loaded);
    }
    let inspect = |start: Text<'_>| inspect_graph(start, options);
    let input = Reading::new(&options.limits).with_progress(progress).inspected(&inspect).read(path)?;
    parse_input(input, options, progress)
}

/// Refuses a stream whose start is already invalid.
fn inspect_graph(start: Text<'_>, options: &ReadOptions) -> Result<()> {
    let (_, extension) = stem_and_extension(start.path);
    let format = Format::of(start.path, &extension, start.bytes)?;
    let end = memchr::memrchr(b'\n', start.bytes).unwrap_or(0);
    let lines = Text::new(start.path, &start.bytes[..end]);
    // The delimiter is detected from this many lines; with fewer the rest may change it.
    if format == Format::EdgeList && lines.data_lines(0..end).nth(table::INSPECTED_LINES).is_some() {
        edge_list::parse(lines, None, options.header)?;
    }
    Ok(())
}

/// Reads a graph from bytes in memory; `path` is for error messages, and its extension may select the format.
pub fn read_graph_from_bytes(path: &Path, bytes: Vec<u8>, options: &ReadOptions) -> Result<LoadedGraph> {
    let input = Input::from_bytes(PathBuf::from(path), bytes, &options.limits)?;
    parse_input(input, options, ReadCallback::default())
}

fn parse_input(input: Input, options: &ReadOptions, progress: ReadCallback<'_>) -> Result<LoadedGraph> {
    let (path, bytes) = (input.path.as_path(), input.bytes.as_slice());
    let (name, extension) = stem_and_extension(path);
    let text = Text::new(path, bytes).with_progress(progress);
    let format = Format::of(path, &extension, bytes)?;
    let parsed = match format {
        Format::EdgeList => edge_list::parse(text, None, options.header)?,
        Format::GraphFile => return graph_file::from_bytes(bytes, path),
        Format::CsvFolder => unreachable!("bytes are not a folder"),
        #[cfg(feature = "formats")]
        Format::Gml => gml::parse(text)?,
        #[cfg(feature = "formats")]
        Format::MatrixMarket => matrix_market::parse(text)?,
        #[cfg(feature = "formats")]
        Format::Matlab => matlab::parse(path, bytes, &options.limits)?,
        #[cfg(not(feature = "formats"))]
        Format::Gml | Format::MatrixMarket | Format::Matlab => not_built(path, format)?,
    };
    drop(input.bytes); // frees the text, which is as large as the graph
    finish(path, name, format, parsed, options, progress)
}

/// Refuses a format whose reader is not part of this build.
#[cfg(not(feature = "formats"))]
fn not_built(path: &Path, format: Format) -> Result<Parsed> {
    let expected = "an edge list or a graph file, as this build lacks the feature `formats`".to_owned();
    Err(Error::Content { path: path.into(), expected, found: format.description().to_owned() })
}

/// The graph of the raw edges. Weights that are all one are no weights; a graph without edges is refused.
fn finish(
    path: &Path,
    name: String,
    format: Format,
    parsed: Parsed,
    options: &ReadOptions,
    progress: ReadCallback<'_>,
) -> Result<LoadedGraph> {
    let rows = parsed.edges.len();
    progress.notify(ReadStep::Building, 0, None);
    let guessed = guesses(&parsed);
    let (graph, stats) = parsed.edges.build(options.repeated, parsed.direction);
    if graph.edge_count() == 0 {
        let found = match (rows, parsed.header) {
            (0, None) => "none".to_owned(),
            (0, Some(header)) => format!("none but a header, {header}"),
            (1, _) => "one that is a self loop or weighs nothing".to_owned(),
            (rows, _) => format!("{rows} that are self loops or weigh nothing"),
        };
        return Err(Error::Content { path: path.into(), expected: "at least one edge".to_owned(), found });
    }
    let Parsed { names, labels, header, direction, columns, mut notes, .. } = parsed;
    notes.extend(header.clone().map(|line| ReadNote::Header { line }));
    let is_matrix = matches!(format, Format::MatrixMarket | Format::Matlab);
    match direction {
        Direction::Directed => notes.push(ReadNote::Directed { declared: true }),
        // A triangle of a symmetric matrix has no edge in both directions; one with some but not all is asymmetric.
        Direction::Unknown if is_matrix && (1..graph.edge_count()).contains(&stats.mirrored) => {
            notes.push(ReadNote::Directed { declared: false });
        }
        _ => {}
    }
    notes.extend(ReadNote::of_stats(&stats));
    notes.extend(guessed);
    let format = format.description();
    Ok(LoadedGraph { name, graph, names, labels, rows, stats, header, format, columns, notes })
}

/// Notes on edges that are valid but perhaps not intended.
fn guesses(parsed: &Parsed) -> Vec<ReadNote> {
    let pieces = &parsed.edges.pieces;
    let weights: Vec<&[f32]> = pieces.iter().filter_map(|piece| piece.weights.as_deref()).collect();
    let pairs: Vec<&[(NodeId, NodeId)]> = pieces.iter().map(|piece| piece.pairs.as_slice()).collect();
    let shared = parsed.columns.as_ref().and_then(|columns| {
        let name = |role| columns.used.iter().find(|used| used.0 == role).map(|used| used.1.as_str());
        let named = name("source").zip(name("target")).filter(|_| parsed.header.is_some());
        ReadNote::of_columns(&pairs, &parsed.names, named)
    });
    ReadNote::of_weights(&weights).into_iter().chain(shared).collect()
}
