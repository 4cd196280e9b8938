//! `hycome convert`: a graph as a memory-mapped graph file or as an edge list.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hycome::io::{EdgeFormat, graph_file, is_stream, stage_edges};
use serde::Serialize;

use crate::args::graph::{self, GraphOptions};
use crate::args::output_format;
use crate::report::Dropped;
use crate::term::output::{self, escaped, shown_output};
use crate::term::progress::Bar;
use crate::term::style::{self, count, pluralize};
use crate::term::summary;

/// Convert a graph to a memory-mapped file that loads instantly, or to an edge list.
///
/// A graph file (.hyg) stores adjacency, weights, names and labels as in memory. Every command accepts it as GRAPH and
/// memory-maps it, with a checksum. It is in the safetensors format, which NumPy can load.
///
/// A name ending in .csv, .tsv, .edges or .txt (optionally followed by .gz or .zst) writes an edge list: a line per
/// edge, with its weight if the graph is weighted, and a self-loop for an isolated node. It is read back before it
/// replaces the target, so it contains the same graph. Labels are not stored in an edge list.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome convert edges.csv.gz                  writes edges.hyg
  hycome convert edges.csv --labels classes.txt -o graph.hyg
  hycome convert karate.gml -o karate.csv      source,target
  hycome embed graph.hyg")]
pub struct Args {
    /// A dataset name (see `hycome datasets list`), a file, a folder, or - for standard input.
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,
    #[command(flatten)]
    options: GraphOptions,
    /// Output file: .hyg, .csv, .tsv, .edges or .txt, or - for CSV on standard output [default: NAME.hyg in the current
    /// folder].
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print a JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    graph: String,
    file: String,
    /// None for a device or a pipe.
    bytes: Option<u64>,
    nodes: usize,
    edges: usize,
    weighted: bool,
    labels: bool,
    dropped: Dropped,
    seconds: Seconds,
}

#[derive(Debug, Serialize)]
struct Seconds {
    load: f64,
    write: f64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let clock = Instant::now();
    output_format::one_to_standard_output(args.output.as_deref(), args.json)?;
    let format = args.output.as_deref().map_or(Ok(Format::GraphFile), Format::of)?;
    let options = GraphOptions { many_classes: true, ..args.options.clone() };
    let input = graph::load(&args.graph, &options, args.quiet, &Bar::new(args.quiet))?;
    let loaded = &input.loaded;
    let load = clock.elapsed().as_secs_f64();
    let path = args.output.clone().unwrap_or_else(|| default_file(&loaded.name));
    match format {
        Format::GraphFile => graph_file::save(loaded, &path)?,
        Format::Edges(format) => stage_edges(&path, &loaded.graph, &loaded.names, format)?.commit()?,
    }
    let keeps_labels = format == Format::GraphFile;
    if loaded.labels.is_some() && !keeps_labels && !args.quiet {
        output::notify("note: labels are not written: an edge list cannot store them, a .hyg file can");
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        graph: loaded.name.clone(),
        file: path.display().to_string(),
        bytes: path.metadata().ok().filter(|metadata| metadata.is_file()).map(|metadata| metadata.len()),
        nodes: loaded.graph.node_count(),
        edges: loaded.graph.edge_count(),
        weighted: loaded.graph.is_weighted(),
        labels: loaded.labels.is_some() && keeps_labels,
        dropped: Dropped::new(loaded, input.nodes_before),
        seconds: Seconds { load, write: clock.elapsed().as_secs_f64() - load },
    };
    if args.json {
        output::print_json(&report)
    } else if args.quiet {
        Ok(())
    } else {
        let text = text(&report, &path);
        if is_stream(&path) {
            output::notify(text.trim_end()); // standard output may contain the graph
            return Ok(());
        }
        output::print(&text)
    }
}

fn text(report: &Report, path: &Path) -> String {
    let style = style::stdout();
    let mut text = String::new();
    let weights = if report.weighted { ", weighted" } else { "" };
    let labels = if report.labels { ", with labels" } else { "" };
    let size = format!(
        "{}: {}, {}{weights}{}{labels}",
        escaped(&report.graph),
        pluralize(report.nodes, "node", "nodes"),
        pluralize(report.edges, "edge", "edges"),
        summary::removed_text(&report.dropped),
    );
    summary::section(&mut text, style, "graph", &[size]);
    let bytes = report.bytes.map_or(String::new(), |bytes| format!(", {} bytes", count(bytes)));
    let file = format!("{}{bytes}", shown_output(path));
    summary::section(&mut text, style, "written", &[file]);
    text
}

/// Output format of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    GraphFile,
    Edges(EdgeFormat),
}

impl Format {
    /// The format for a file's extension.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        const KNOWN: [&str; 5] = [graph_file::EXTENSION, "csv", "tsv", "edges", "txt"];
        if output_format::is_standard_output(path) {
            return Ok(Self::Edges(EdgeFormat::Csv));
        }
        let extension = output_format::extension(path);
        let edges = EdgeFormat::of_extension(&extension);
        output_format::expect(path, "a graph", &KNOWN, edges.is_some())?;
        Ok(edges.map_or(Self::GraphFile, Self::Edges))
    }
}

/// `NAME.hyg` in the current folder.
fn default_file(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.{}", output::file_name(name), graph_file::EXTENSION))
}
