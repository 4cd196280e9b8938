//! `hycome evaluate`: a run's communities scored on a graph.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::experiments::machine;
use hycome::metrics::Scores;
use hycome::{NodeId, NodeNames, TrainConfig};
use serde::Serialize;

use crate::load::{self, GraphOptions};
use crate::output::{self, escaped, shown};
use crate::report::{Dropped, LabelsReport};
use crate::scoring::{self, Community};
use crate::{runs, style, summary};

/// Score a run's communities on a graph: conductance, modularity and, with labels, NMI, ARI, precision@1.
///
/// Nodes are matched by name, so the graph may come in another format or order than the one that was trained.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome evaluate karate-run --graph karate
  hycome evaluate run --graph edges.csv --labels classes.txt --json")]
pub struct Args {
    /// A folder that `hycome embed` wrote, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The graph, as `hycome embed` takes it.
    #[arg(long, value_name = "GRAPH", help_heading = "Input")]
    graph: PathBuf,
    #[command(flatten)]
    options: GraphOptions,
    /// Print one JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The object that `--json` prints.
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
    let run = runs::load(&args.run)?;
    let options = GraphOptions { many_classes: true, ..args.options.clone() };
    let input = load::load(&args.graph, &options, false)?;
    let loaded = &input.loaded;
    let rows = match_nodes(&run.names, &loaded.names, &args.run, &args.graph)?;
    let responsibilities = run.responsibilities()?;
    let (communities, probabilities) = (responsibilities.communities(), responsibilities.probabilities());
    let communities: Vec<u32> = rows.iter().map(|&row| communities[row as usize]).collect();
    let probabilities: Vec<f64> = rows.iter().map(|&row| probabilities[row as usize]).collect();
    let labels = loaded.labels.as_ref();
    let scored = scoring::score(&loaded.graph, labels, &communities, &probabilities, run.mixture.len());

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
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&text(&report, args))?;
    }
    summary::warn(&report.warnings);
    Ok(())
}

fn text(report: &Report, args: &Args) -> String {
    let style = style::stdout();
    let mut text = String::new();
    let run = format!(
        "{}: {} dimensions, {}, seed {}",
        shown(&args.run),
        report.dim,
        style::counted(report.communities, "community", "communities"),
        report.seed,
    );
    summary::part(&mut text, style, "run", &[run]);
    let graph = format!(
        "{}: {}, {}{}",
        escaped(&report.graph),
        style::counted(report.nodes, "node", "nodes"),
        style::counted(report.edges, "edge", "edges"),
        summary::dropped_words(&report.dropped),
    );
    let labels = report.labels.as_ref().map(|labels| summary::labels_words(labels, report.nodes));
    let lines: Vec<String> = [graph].into_iter().chain(labels).collect();
    summary::part(&mut text, style, "graph", &lines);
    text.push('\n');
    summary::community_table(&mut text, style, &report.community_details, report.nodes);
    text.push('\n');
    summary::scores(&mut text, style, &report.metrics);
    text
}

/// For each node of the graph the run's row of the same name; both must have the same nodes.
fn match_nodes(
    of_run: &NodeNames,
    of_graph: &NodeNames,
    run: &Path,
    graph: &Path,
) -> anyhow::Result<Vec<NodeId>> {
    if of_run == of_graph {
        return Ok((0..of_run.len() as NodeId).collect());
    }
    let (run, graph) = (shown(run), shown(graph));
    let index = of_graph.index();
    let foreign = of_run.iter().find(|name| index.get(name).is_none());
    if let Some(name) = foreign {
        bail!("{run}: node `{}` is not in {graph}; give the graph that was trained", escaped(&name));
    }
    let index = of_run.index();
    let rows: Vec<Option<NodeId>> = of_graph.iter().map(|name| index.get(&name)).collect();
    if let Some(node) = rows.iter().position(Option::is_none) {
        bail!(
            "{graph}: node `{}` is not in {run}, which has {} of the graph's {} nodes; if it was trained with \
             --largest-component, give that here too",
            escaped(&of_graph.name(node as NodeId)),
            style::count(of_run.len() as u64),
            style::count(of_graph.len() as u64),
        );
    }
    Ok(rows.into_iter().flatten().collect())
}
