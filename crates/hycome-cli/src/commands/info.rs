//! `hycome info`: statistics of a graph, a label file or a run.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hycome::io::{
    LabelFile, LoadedGraph, ReadCallback, checkpoint_file, graph_file, is_unsupported, looks_like_labels,
    read_bytes, read_graph_from_bytes, read_label_file_from_bytes, run_file,
};
use hycome::metrics::cluster_sizes;
use hycome::train::{EpochReport, RestartReport};
use hycome::{Graph, Labels, Run, TrainConfig};
use serde::Serialize;

use crate::args::data_dir::DataOptions;
use crate::args::graph::{self, ReadingOptions};
use crate::args::saved_run;
use crate::report::Dropped;
use crate::term::output::{self, escaped, notify, shown};
use crate::term::progress::Bar;
use crate::term::style::{self, Style, count, pluralize};
use crate::term::summary;

/// Describe a graph, a label file or a run.
///
/// Graphs: nodes, edges, components, degrees, labels, and what was removed on reading. Labels: lines, nodes, classes.
/// Runs: sizes, hyperparameters and training history.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome info polblogs
  hycome info graph.mat --json
  hycome info karate-run")]
pub struct Args {
    /// A dataset name (see `hycome datasets list`), a file, a folder, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Content type [default: detected; two columns whose first is unique while the second mostly repeats are labels].
    #[arg(long = "as", value_enum, value_name = "KIND")]
    kind: Option<Kind>,
    #[command(flatten)]
    reading: ReadingOptions,
    #[command(flatten)]
    data: DataOptions,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Graph,
    Labels,
    Run,
}

/// Content of the file.
enum Content {
    Graph(Box<LoadedGraph>, Option<&'static str>),
    Labels(LabelFile),
    Run(Box<Run>),
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let content = read(args)?;
    if let Content::Graph(loaded, _) = &content {
        graph::report_columns(loaded);
    }
    let style = style::stdout();
    match (&content, args.json) {
        (Content::Graph(loaded, title), false) => output::print(&graph_text(loaded, *title, style)),
        (Content::Labels(file), false) => output::print(&labels_text(file, &args.file, style)),
        (Content::Run(run), false) => output::print(&run_text(run, &args.file, style)?),
        (Content::Graph(loaded, _), true) => output::print_json(&GraphReport::new(loaded)),
        (Content::Labels(file), true) => output::print_json(&LabelFileReport::new(file)),
        (Content::Run(run), true) => output::print_json(&RunReport::new(run)?),
    }
}

fn read(args: &Args) -> anyhow::Result<Content> {
    let path = args.file.as_path();
    if args.kind != Some(Kind::Labels)
        && args.kind != Some(Kind::Run)
        && let Some((loaded, title)) = graph::load_dataset(path, &args.data, &args.reading)?
    {
        return Ok(Content::Graph(Box::new(loaded), Some(title)));
    }
    if path.is_dir() {
        let is_run = args.kind == Some(Kind::Run) || saved_run::is_run(path);
        return Ok(if is_run {
            Content::Run(Box::new(saved_run::load_file(path)?))
        } else {
            Content::Graph(Box::new(graph::read_graph(path, &args.reading, &Bar::new(false))?), None)
        });
    }
    if matches!(args.kind, None | Some(Kind::Graph))
        && let Some(loaded) = graph_file::open(path)?
    {
        return Ok(Content::Graph(Box::new(loaded), None));
    }
    if matches!(args.kind, None | Some(Kind::Run))
        && path.file_name().is_some_and(|name| name == checkpoint_file::CHECKPOINT_FILE)
    {
        return Ok(Content::Run(Box::new(saved_run::load_file(path)?)));
    }
    let name = if path == Path::new("-") { "standard input".into() } else { path.to_path_buf() };
    let bar = Bar::new(false);
    let bytes = read_bytes(path, ReadCallback::new(&|progress| bar.read(&shown(&name), progress)))?;
    let is_named_labels =
        path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("label"));
    let kind = args.kind.unwrap_or_else(|| {
        if run_file::looks_like_run(&bytes) {
            Kind::Run
        } else if is_unsupported(path, &bytes) {
            Kind::Graph // the graph reader reports the format
        } else if is_named_labels || has_generic_name(path) && looks_like_labels(&bytes) {
            Kind::Labels
        } else {
            Kind::Graph
        }
    });
    Ok(match kind {
        Kind::Run => Content::Run(Box::new(run_file::from_bytes(&bytes, &name)?)),
        Kind::Labels => {
            let file = read_label_file_from_bytes(&name, bytes)?;
            if let Some(columns) = &file.columns {
                notify(&format!("reads labels: {columns}"));
            }
            graph::report_notes(&file.notes);
            if args.kind.is_none() && !is_named_labels && !file.one_per_line {
                notify("note: read as labels; --as graph reads it as an edge list");
            }
            Content::Labels(file)
        }
        Kind::Graph => {
            let options = args.reading.read_options();
            Content::Graph(Box::new(read_graph_from_bytes(&name, bytes, &options)?), None)
        }
    })
}

/// Whether a file's extension does not identify a graph.
fn has_generic_name(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    ![".gml", ".mtx", ".mm", ".mat", ".hyg", ".edges", ".edgelist"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

#[derive(Debug, Serialize)]
struct GraphReport {
    kind: &'static str,
    name: String,
    format: &'static str,
    /// Edges in the file, before cleaning.
    rows: usize,
    nodes: usize,
    edges: usize,
    weighted: bool,
    /// What was guessed, merged or ignored on reading.
    notes: Vec<String>,
    components: usize,
    largest_component: usize,
    isolated: usize,
    density: f64,
    degrees: Degrees,
    dropped: Dropped,
    labels: Option<ClassesReport>,
}

#[derive(Debug, Serialize)]
struct Degrees {
    least: usize,
    median: f64,
    mean: f64,
    most: usize,
}

#[derive(Debug, Serialize)]
struct ClassesReport {
    /// Classes with at least one node.
    classes: usize,
    labelled_nodes: usize,
    multi_label: bool,
    sizes: Vec<ClassSize>,
}

#[derive(Debug, Serialize)]
struct ClassSize {
    class: String,
    nodes: usize,
}

impl GraphReport {
    fn new(loaded: &LoadedGraph) -> Self {
        let graph = &loaded.graph;
        let (n, m) = (graph.node_count(), graph.edge_count());
        Self {
            kind: "graph",
            name: loaded.name.clone(),
            format: loaded.format,
            rows: loaded.rows,
            nodes: n,
            edges: m,
            weighted: graph.is_weighted(),
            notes: graph::note_texts(&loaded.notes),
            components: graph.component_count(),
            largest_component: graph.largest_component().len(),
            isolated: graph.nodes().filter(|&node| graph.degree(node) == 0).count(),
            density: if n > 1 { 2.0 * m as f64 / (n as f64 * (n - 1) as f64) } else { 0.0 },
            degrees: Degrees::new(graph),
            dropped: Dropped::new(loaded, n),
            labels: loaded.labels.as_ref().map(ClassesReport::new),
        }
    }
}

impl Degrees {
    fn new(graph: &Graph) -> Self {
        let mut degrees: Vec<usize> = graph.nodes().map(|node| graph.degree(node)).collect();
        degrees.sort_unstable();
        let n = degrees.len();
        if n == 0 {
            return Self { least: 0, median: 0.0, mean: 0.0, most: 0 };
        }
        Self {
            least: degrees[0],
            median: 0.5 * (degrees[(n - 1) / 2] + degrees[n / 2]) as f64,
            mean: 2.0 * graph.edge_count() as f64 / n as f64,
            most: degrees[n - 1],
        }
    }
}

impl ClassesReport {
    fn new(labels: &Labels) -> Self {
        let sizes = labels.class_names().iter().zip(labels.class_sizes());
        Self {
            classes: labels.used_class_count(),
            labelled_nodes: labels.labelled_count(),
            multi_label: labels.is_multi_label(),
            sizes: sizes.map(|(class, nodes)| ClassSize { class: class.clone(), nodes }).collect(),
        }
    }
}

fn graph_text(loaded: &LoadedGraph, title: Option<&str>, style: Style) -> String {
    let report = GraphReport::new(loaded);
    let mut text = String::new();
    let mut lines = vec![format!("{}, {}", escaped(&report.name), report.format)];
    lines.extend(title.map(str::to_owned));
    summary::section(&mut text, style, "graph", &lines);
    let weights = if report.weighted { ", weighted" } else { "" };
    let isolated = match report.isolated {
        0 => String::new(),
        isolated => format!(", {} isolated", count(isolated as u64)),
    };
    let largest = match report.components {
        1 => String::new(),
        _ => format!(", the largest of {}", pluralize(report.largest_component, "node", "nodes")),
    };
    let nodes = [
        format!("{}{isolated}", pluralize(report.nodes, "node", "nodes")),
        format!(
            "{}{weights}{}",
            pluralize(report.edges, "edge", "edges"),
            summary::removed_text(&report.dropped)
        ),
        format!("{}{largest}", pluralize(report.components, "component", "components")),
        if report.density < 1e-3 {
            format!("density {:.2e}", report.density)
        } else {
            format!("density {:.4}", report.density)
        },
    ];
    summary::section(&mut text, style, "size", &nodes);
    let Degrees { least, median, mean, most } = report.degrees;
    let degrees =
        format!("{} to {}, mean {mean:.2}, median {median}", count(least as u64), count(most as u64));
    summary::section(&mut text, style, "degrees", &[degrees]);
    match &report.labels {
        Some(labels) => classes_part(&mut text, labels, report.nodes, style),
        None => summary::section(&mut text, style, "labels", &["none".to_owned()]),
    }
    text
}

/// Maximum number of classes listed by name.
const MAX_CLASSES: usize = 12;

fn classes_part(text: &mut String, labels: &ClassesReport, nodes: usize, style: Style) {
    let report = crate::report::LabelsReport {
        classes: labels.classes,
        labelled_nodes: labels.labelled_nodes,
        multi_label: labels.multi_label,
    };
    let mut sizes: Vec<&ClassSize> = labels.sizes.iter().filter(|class| class.nodes > 0).collect();
    sizes.sort_by_key(|class| std::cmp::Reverse(class.nodes));
    let mut list: Vec<String> = sizes
        .iter()
        .take(MAX_CLASSES)
        .map(|class| {
            let name = style::truncate(&escaped(&class.class), 30);
            format!("{name} ({})", count(class.nodes as u64)).replace(' ', "\u{a0}")
        })
        .collect();
    if sizes.len() > MAX_CLASSES {
        list.push(format!("and {} more", count((sizes.len() - MAX_CLASSES) as u64)));
    }
    summary::section(text, style, "labels", &[summary::labels_text(&report, nodes), list.join(", ")]);
}

#[derive(Debug, Serialize)]
struct LabelFileReport {
    kind: &'static str,
    lines: usize,
    nodes: usize,
    one_per_line: bool,
    #[serde(flatten)]
    classes: ClassesReport,
}

impl LabelFileReport {
    fn new(file: &LabelFile) -> Self {
        Self {
            kind: "labels",
            lines: file.lines,
            nodes: file.names.len(),
            one_per_line: file.one_per_line,
            classes: ClassesReport::new(&file.labels),
        }
    }
}

fn labels_text(file: &LabelFile, path: &Path, style: Style) -> String {
    let mut text = String::new();
    let form = if file.one_per_line { "one label per line" } else { "`node label [label …]`" };
    let lines = pluralize(file.lines, "line", "lines");
    summary::section(&mut text, style, "label file", &[format!("{}: {lines}, {form}", shown(path))]);
    classes_part(&mut text, &ClassesReport::new(&file.labels), file.names.len(), style);
    text
}

#[derive(Debug, Serialize)]
struct RunReport {
    kind: &'static str,
    nodes: usize,
    dim: usize,
    communities: usize,
    sizes: Vec<usize>,
    weights: Vec<f64>,
    /// Of isotropic Gaussians; covariances of others are in the run's file.
    scales: Option<Vec<f64>>,
    seed: u64,
    config: TrainConfig,
    epochs: usize,
    pairs: u64,
    dropped_steps: u64,
    history: Vec<EpochReport>,
    restarts: Vec<RestartReport>,
}

impl RunReport {
    fn new(run: &Run) -> anyhow::Result<Self> {
        Ok(Self {
            kind: "run",
            nodes: run.nodes.len(),
            dim: run.nodes.dim(),
            communities: run.mixture.len(),
            sizes: cluster_sizes(&run.responsibilities()?.communities(), run.mixture.len()),
            weights: run.mixture.weights().to_vec(),
            scales: run.mixture.scales().map(<[f64]>::to_vec),
            seed: run.config.seed,
            config: run.config.clone(),
            epochs: run.history.len(),
            pairs: run.pairs(),
            dropped_steps: run.dropped_steps(),
            history: run.history.clone(),
            restarts: run.restarts.clone(),
        })
    }
}

/// Maximum number of rows in the table of epochs, and how many of them are the first ones.
const MAX_EPOCHS: usize = 20;
const FIRST_EPOCHS: usize = 4;

/// Maximum number of community sizes listed.
const MAX_SIZES: usize = 30;

fn run_text(run: &Run, path: &Path, style: Style) -> anyhow::Result<String> {
    let report = RunReport::new(run)?;
    let mut text = String::new();
    let size = format!(
        "{} in {} dimensions, {}",
        pluralize(report.nodes, "node", "nodes"),
        report.dim,
        pluralize(report.communities, "community", "communities"),
    );
    summary::section(&mut text, style, "run", &[shown(path), size]);
    let mut sizes: Vec<String> =
        report.sizes.iter().take(MAX_SIZES).map(|&size| count(size as u64)).collect();
    if report.sizes.len() > MAX_SIZES {
        sizes.push("…".to_owned());
    }
    summary::section(&mut text, style, "sizes", &[sizes.join(" ")]);
    let settings = serde_json::to_value(&report.config)?;
    let settings: Vec<String> = settings
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null())
        .map(|(key, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("--{}\u{a0}{text}", key.replace('_', "-"))
        })
        .collect();
    summary::section(&mut text, style, "settings", &[settings.join(" ")]);
    if !report.restarts.is_empty() {
        summary::section(&mut text, style, "restarts", &[summary::restarts_text(&report.restarts)]);
    }
    text.push('\n');
    let header = format!(
        "{:>5}  {:>4}  {:>13}  {:>15}  {:>13}  {:>4}  {:>14}",
        "epoch", "dim", "learning rate", "pairs", "skipped", "EM", "log likelihood"
    );
    text.push_str(&style.heading(&header));
    text.push('\n');
    for (i, epoch) in report.history.iter().enumerate() {
        if report.history.len() > MAX_EPOCHS && i >= FIRST_EPOCHS {
            let first_of_last = report.history.len() - (MAX_EPOCHS - FIRST_EPOCHS);
            if i == FIRST_EPOCHS {
                text.push_str("    …\n");
            }
            if i < first_of_last {
                continue;
            }
        }
        let (iterations, likelihood) = epoch.mixture.as_ref().map_or(("-".into(), "-".into()), |mixture| {
            let open = if mixture.converged { "" } else { "…" };
            (format!("{}{open}", mixture.iterations), format!("{:.4}", mixture.log_likelihood))
        });
        text.push_str(&format!(
            "{:>5}  {:>4}  {:>13.5}  {:>15}  {:>13}  {iterations:>4}  {likelihood:>14}\n",
            epoch.epoch,
            epoch.dim,
            epoch.learning_rate,
            count(epoch.pairs),
            count(epoch.dropped_steps),
        ));
    }
    Ok(text)
}
