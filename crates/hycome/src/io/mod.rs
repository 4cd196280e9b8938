//! Graphs and labels out of files.
//!
//! [`read_graph`] takes whatever the published graphs come in: edge lists, GML, Matrix Market, MATLAB 5
//! files and the CSV folders of BlogCatalog and Flickr, compressed or not. The format follows from the
//! extension where that says enough, otherwise from how the content starts. Every format ends as the same
//! [`LoadedGraph`]: undirected, simple, with a count of what was left out on the way. [`graph_file::save`] keeps it in a
//! file of our own, which is mapped the next time instead of read.
//!
//! Any input, however strange, is read or refused with one sentence that says where the fault is; a size
//! written in a file is checked against the bytes that are there before anything of that size is made.

mod bipartite;
pub mod checkpoint_file;
mod csv_folder;
mod disk;
mod edge_list;
mod edge_table;
mod format;
mod gml;
mod gml_tokens;
pub mod graph_file;
mod header;
pub mod history_file;
mod input;
mod label_file;
mod label_rows;
mod labels;
mod mat5;
mod matlab;
mod matrix_market;
pub mod model_file;
mod notes;
mod numbering;
pub mod run_file;
mod staged;
mod table;
mod target;
mod temporary;
mod tensors;
mod text;
mod transaction;
mod write;
mod write_edges;

use std::path::{Path, PathBuf};

pub use disk::sync_folder;
pub use format::Format;
pub use input::{Limits, read_bytes};
pub use label_file::{LabelFile, looks_like_labels, read_label_file_from_bytes};
pub use labels::{LabelOptions, LoadedLabels, read_labels, read_labels_from_bytes, read_labels_with};
pub use notes::{ColumnsRead, ReadNote};
pub use staged::StagedFile;
pub use target::is_stream;
pub use temporary::open_without_links;
pub use transaction::{commit, recover_folder};
pub use write::{stage, write_communities, write_edges};
pub use write_edges::{EdgeFormat, stage_edges};

use crate::graph::{Cleaning, Direction, EdgePieces, Graph, Labels, NodeNames, RepeatedEdges};
use crate::{Error, Result};
use input::Input;

/// A graph that was read, and what was learnt on the way.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedGraph {
    /// The file's name without folder and extensions.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// What the file calls the nodes.
    pub names: NodeNames,
    /// The classes of the nodes, if the file holds them.
    pub labels: Option<Labels>,
    /// Edges as written: lines of an edge list, entries of a matrix.
    pub rows: usize,
    /// What of them was left out.
    pub cleaning: Cleaning,
    /// The first line of an edge list, in quotes, where it was taken for a header and so is no edge.
    pub header: Option<String>,
    /// The format, in words.
    pub format: &'static str,
    /// Which columns were taken for what, if it is a table.
    pub columns: Option<ColumnsRead>,
    /// What was guessed, merged or left out.
    pub notes: Vec<ReadNote>,
}

/// What a format's reader hands over.
#[derive(Debug)]
struct Parsed {
    edges: EdgePieces,
    names: NodeNames,
    labels: Option<Labels>,
    header: Option<String>,
    direction: Direction,
    columns: Option<ColumnsRead>,
    /// What the reader itself has noticed.
    notes: Vec<ReadNote>,
}

impl Parsed {
    /// Edges without labels or header, of unknown direction.
    fn new(edges: impl Into<EdgePieces>, names: NodeNames) -> Self {
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

/// How a graph is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How repeated edges are combined.
    pub repeated: RepeatedEdges,
    /// Whether the first line of an edge list is a header; `None` finds out.
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
    if path.is_dir() {
        let name =
            path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let name = name.unwrap_or_else(|| path.display().to_string());
        return finish(path, name, Format::CsvFolder, csv_folder::read(path, &options.limits)?, options);
    }
    if let Some(loaded) = graph_file::open(path)? {
        return Ok(loaded);
    }
    let input = Input::read(path, &options.limits)?;
    parse_input(input, options)
}

/// Reads a graph from bytes in memory; `path` is what messages call them, and its extension may say the format.
pub fn read_graph_from_bytes(path: &Path, bytes: Vec<u8>, options: &ReadOptions) -> Result<LoadedGraph> {
    let input = Input::from_bytes(PathBuf::from(path), bytes, &options.limits)?;
    parse_input(input, options)
}

fn parse_input(input: Input, options: &ReadOptions) -> Result<LoadedGraph> {
    let (path, bytes) = (input.path.as_path(), input.bytes.as_slice());
    let (name, extension) = input::stem_and_extension(path);
    let text = text::Text::new(path, bytes);
    let format = Format::of(path, &extension, bytes)?;
    let parsed = match format {
        Format::EdgeList => edge_list::parse(text, None, options.header)?,
        Format::Gml => gml::parse(text)?,
        Format::MatrixMarket => matrix_market::parse(text)?,
        Format::Matlab => matlab::parse(path, bytes, &options.limits)?,
        Format::GraphFile => return graph_file::from_bytes(bytes, path),
        Format::CsvFolder => unreachable!("bytes are not a folder"),
    };
    drop(input.bytes); // the text is as large as the graph
    finish(path, name, format, parsed, options)
}

/// The graph of the raw edges. Weights that are all one are no weights; a graph without edges is refused.
fn finish(
    path: &Path,
    name: String,
    format: Format,
    parsed: Parsed,
    options: &ReadOptions,
) -> Result<LoadedGraph> {
    let rows = parsed.edges.len();
    let times_note = times(&parsed.edges);
    let shared_note = parsed.columns.as_ref().and_then(|columns| {
        bipartite::shared_ids(&parsed.edges, &parsed.names, columns, parsed.header.is_some())
    });
    let (graph, cleaning) = parsed.edges.build(options.repeated, parsed.direction);
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
        Direction::Unknown if is_matrix && (1..graph.edge_count()).contains(&cleaning.mirrored) => {
            notes.push(ReadNote::Directed { declared: false });
        }
        _ => {}
    }
    notes.extend(ReadNote::of_cleaning(&cleaning));
    notes.extend(times_note);
    notes.extend(shared_note);
    let format = format.description();
    Ok(LoadedGraph { name, graph, names, labels, rows, cleaning, header, format, columns, notes })
}

/// Whether the weights look like points in time: all of them whole numbers in the range of Unix times in seconds,
/// milliseconds or microseconds from 1973 to 2100, or all of them years.
fn times(edges: &EdgePieces) -> Option<ReadNote> {
    const FEW: usize = 4;
    let weights = || edges.pieces.iter().filter_map(|piece| piece.weights.as_ref()).flatten();
    let whole = |w: &f32| w.fract() == 0.0;
    if edges.len() < FEW || weights().next().is_none() || !weights().all(whole) {
        return None;
    }
    let most = weights().fold(0.0f32, |most, &w| most.max(w));
    let least = weights().fold(f32::INFINITY, |least, &w| least.min(w));
    let within = |unit: f32| least >= 1e8 * unit && most <= 4.2e9 * unit;
    let years = least >= 1900.0 && most <= 2100.0 && least < most;
    let is_time = within(1.0) || within(1e3) || within(1e6) || years;
    is_time.then_some(ReadNote::WeightsLookLikeTimes { smallest: f64::from(least), largest: f64::from(most) })
}
