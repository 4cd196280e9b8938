//! `hycome convert`: a graph kept in a file that opens at once, or as an edge list.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hycome::io::{EdgeFormat, graph_file, is_stream, stage_edges};
use serde::Serialize;

use crate::load::{self, GraphOptions};
use crate::output::{self, escaped, shown};
use crate::report::Dropped;
use crate::style::{self, count, counted};
use crate::{formats, summary};

/// Write a graph to a file that opens at once, or as an edge list for other programs.
///
/// Text is parsed anew each time; a graph file holds neighbours, weights, names and labels as they lie in
/// memory. Every command takes it as GRAPH, maps it instead of reading it, and finds the same graph. It is
/// checked whenever it is opened. NumPy reads it too (it is safetensors).
///
/// A name that ends in .csv, .tsv, .edges or .txt (optionally followed by .gz or .zst) gets an edge list instead: a line
/// for each edge, with its weight if there are weights, and an edge to itself for a node without neighbours. It is read
/// back before it is put in place, so it holds the same graph. Labels are not kept in an edge list.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome convert edges.csv.gz                  writes edges.hyg
  hycome convert edges.csv --labels classes.txt -o graph.hyg
  hycome convert karate.gml -o karate.csv      source,target
  hycome embed graph.hyg")]
pub struct Args {
    /// A known graph (see `hycome datasets list`), a file, a folder, or - for standard input.
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,
    #[command(flatten)]
    options: GraphOptions,
    /// Where to write it: .hyg, or .csv, .tsv, .edges or .txt [default: NAME.hyg in the current folder].
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print one JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    graph: String,
    file: String,
    /// None if it went into a device or a pipe.
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
    let format = args.output.as_deref().map_or(Ok(Format::GraphFile), Format::of)?;
    let options = GraphOptions { many_classes: true, ..args.options.clone() };
    let input = load::load(&args.graph, &options, args.quiet)?;
    let loaded = &input.loaded;
    let load = clock.elapsed().as_secs_f64();
    let path = args.output.clone().unwrap_or_else(|| default_file(&loaded.name));
    match format {
        Format::GraphFile => graph_file::save(loaded, &path)?,
        Format::Edges(format) => stage_edges(&path, &loaded.graph, &loaded.names, format)?.put_in_place()?,
    }
    let keeps_labels = format == Format::GraphFile;
    if loaded.labels.is_some() && !keeps_labels && !args.quiet {
        output::say("note: an edge list has no labels, so they are not written; a .hyg file keeps them");
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
            output::say(text.trim_end()); // standard output may be where the graph went
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
        counted(report.nodes, "node", "nodes"),
        counted(report.edges, "edge", "edges"),
        summary::dropped_words(&report.dropped),
    );
    summary::part(&mut text, style, "graph", &[size]);
    let bytes = report.bytes.map_or(String::new(), |bytes| format!(", {} bytes", count(bytes)));
    let file = format!("{}{bytes}", shown(path));
    summary::part(&mut text, style, "written", &[file]);
    text
}

/// What a graph is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    GraphFile,
    Edges(EdgeFormat),
}

impl Format {
    /// The format that a file's extension asks for.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        const KNOWN: [&str; 5] = [graph_file::EXTENSION, "csv", "tsv", "edges", "txt"];
        let extension = formats::extension(path);
        let edges = EdgeFormat::of_extension(&extension);
        formats::expect(path, "a graph", &KNOWN, edges.is_some())?;
        Ok(edges.map_or(Self::GraphFile, Self::Edges))
    }
}

/// `NAME.hyg` in the current folder, whatever characters the name has.
fn default_file(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.{}", output::file_name(name), graph_file::EXTENSION))
}
