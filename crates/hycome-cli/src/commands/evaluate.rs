//! `hycome evaluate`: scores of a run's communities on a graph.

use std::path::{Path, PathBuf};

use hycome::machine;
use hycome::metrics::Scores;
use hycome::{NodeId, NodeNames, TrainConfig};
use serde::Serialize;

use crate::args::graph::{self, GraphOptions};
use crate::args::saved_run;
use crate::partition_scores::{self, Community};
use crate::report::{Dropped, LabelsReport};
use crate::term::output::{escaped, shown};
use crate::term::progress::Bar;
use crate::term::{style, summary};

/// Score the communities of a run: conductance, modularity and, with labels, NMI, AMI, ARI, precision@1.
///
/// Nodes are matched by name, so the graph may be in another format or order than in training.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome evaluate karate-run --graph karate
  hycome evaluate run --graph edges.csv --labels classes.txt --json")]
pub struct Args {
    /// A run: the output folder of `hycome embed`, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The graph, as for `hycome embed`.
    #[arg(long, value_name = "GRAPH", help_heading = "Input")]
    graph: PathBuf,
    #[command(flatten)]
    options: GraphOptions,
    /// Print a JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    graph: String,
    nodes: usize,
    edges: usize,
    components: usize,
    weighted: bool,
    dropped: Dropped,
    labels: Option<LabelsReport>,
    dim: usize,
    communities: usize,
    sizes: Vec<usize>,
    seed: u64,
    config: TrainConfig,
    epochs: usize,
    metrics: Scores,
    warnings: Vec<String>,
    pairs: u64,
    dropped_steps: u64,
    peak_memory_bytes: Option<u64>,
    community_details: Vec<Community>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let run = saved_run::load(&args.run)?;
    let options = GraphOptions { many_classes: true, ..args.options.clone() };
    let input = graph::load(&args.graph, &options, false, &Bar::new(false))?;
    let loaded = &input.loaded;
    let rows = align_nodes(&run.names, &loaded.names, &args.run, &args.graph)?;
    let responsibilities = run.responsibilities()?;
    let (communities, probabilities) = (responsibilities.communities(), responsibilities.probabilities());
    let communities: Vec<u32> = rows.iter().map(|&row| communities[row as usize]).collect();
    let probabilities: Vec<f64> = rows.iter().map(|&row| probabilities[row as usize]).collect();
    let labels = loaded.labels.as_ref();
    let scored =
        partition_scores::score(&loaded.graph, labels, &communities, &probabilities, run.mixture.len());

    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        graph: loaded.name.clone(),
        nodes: loaded.graph.node_count(),
        edges: loaded.graph.edge_count(),
        components: loaded.graph.component_count(),
        weighted: loaded.graph.is_weighted(),
        dropped: Dropped::new(loaded, input.nodes_before),
        labels: labels.map(LabelsReport::new),
        dim: run.nodes.dim(),
        communities: run.mixture.len(),
        sizes: scored.sizes,
        seed: run.config.seed,
        epochs: run.history.len(),
        pairs: run.pairs(),
        dropped_steps: run.dropped_steps(),
        config: run.config,
        metrics: scored.scores,
        warnings: scored.warnings,
        peak_memory_bytes: machine::peak_memory(),
        community_details: scored.communities,
    };
    summary::print_report(&report, args.json, &report.warnings, || text(&report, args))
}

fn text(report: &Report, args: &Args) -> String {
    let style = style::stdout();
    let mut text = String::new();
    let run = format!(
        "{}: {} dimensions, {}, seed {}",
        shown(&args.run),
        report.dim,
        style::pluralize(report.communities, "community", "communities"),
        report.seed,
    );
    summary::section(&mut text, style, "run", &[run]);
    let graph = format!(
        "{}: {}, {}{}",
        escaped(&report.graph),
        style::pluralize(report.nodes, "node", "nodes"),
        style::pluralize(report.edges, "edge", "edges"),
        summary::removed_text(&report.dropped),
    );
    let labels = report.labels.as_ref().map(|labels| summary::labels_text(labels, report.nodes));
    let lines: Vec<String> = [graph].into_iter().chain(labels).collect();
    summary::section(&mut text, style, "graph", &lines);
    text.push('\n');
    summary::community_table(&mut text, style, &report.community_details, report.nodes);
    text.push('\n');
    summary::scores(&mut text, style, &report.metrics);
    text
}

/// For each node of the graph, the run's row of the same name; both must have the same nodes.
fn align_nodes(
    of_run: &NodeNames,
    of_graph: &NodeNames,
    run: &Path,
    graph: &Path,
) -> anyhow::Result<Vec<NodeId>> {
    saved_run::find_nodes(of_run, of_graph, run, graph)?;
    let (run, graph) = (shown(run), shown(graph));
    of_graph.find_in(of_run).map_err(|node| {
        anyhow::anyhow!(
            "{graph}: node `{}` is not in {run}, which has {} of the graph's {} nodes; if it was trained with \
             --largest-component, give that flag here too",
            escaped(&of_graph.name(node)),
            style::count(of_run.len() as u64),
            style::count(of_graph.len() as u64),
        )
    })
}
