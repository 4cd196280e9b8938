//! `hycome convert`: a graph kept in a file that opens at once.

use std::path::{Path, PathBuf};
use std::time::Instant;

use hycome::io::graph_file;
use serde::Serialize;

use crate::load::{self, GraphOptions};
use crate::output::{self, escaped, shown};
use crate::report::Dropped;
use crate::style::{self, count, counted};
use crate::summary;

/// Write a graph to a file that opens at once: read, cleaned and numbered.
///
/// Text is parsed anew each time; a graph file holds neighbours, weights, names and labels as they lie in
/// memory. Every command takes it as GRAPH, maps it instead of reading it, and finds the same graph. It is
/// checked whenever it is opened. NumPy reads it too (it is safetensors).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome convert edges.csv.gz                  writes edges.hyg
  hycome convert edges.csv --labels classes.txt -o graph.hyg
  hycome embed graph.hyg")]
pub struct Args {
    /// A known graph (see `hycome datasets list`), a file, a folder, or - for standard input.
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,
    #[command(flatten)]
    options: GraphOptions,
    /// Where to write it [default: NAME.hyg in the current folder].
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
    bytes: u64,
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
    let input = load::load(&args.graph, &args.options, args.quiet)?;
    let loaded = &input.loaded;
    let load = clock.elapsed().as_secs_f64();
    let path = args.output.clone().unwrap_or_else(|| default_file(&loaded.name));
    graph_file::save(loaded, &path)?;
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        graph: loaded.name.clone(),
        file: path.display().to_string(),
        bytes: path.metadata().map_or(0, |metadata| metadata.len()),
        nodes: loaded.graph.node_count(),
        edges: loaded.graph.edge_count(),
        weighted: loaded.graph.is_weighted(),
        labels: loaded.labels.is_some(),
        dropped: Dropped::new(loaded, input.nodes_before),
        seconds: Seconds { load, write: clock.elapsed().as_secs_f64() - load },
    };
    if args.json {
        output::print_json(&report)
    } else if args.quiet {
        Ok(())
    } else {
        output::print(&text(&report, &path))
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
    let file = format!("{}, {} bytes", shown(path), count(report.bytes));
    summary::part(&mut text, style, "written", &[file]);
    text
}

/// `NAME.hyg` in the current folder, whatever characters the name has.
fn default_file(name: &str) -> PathBuf {
    PathBuf::from(format!("{}.{}", output::file_name(name), graph_file::EXTENSION))
}
