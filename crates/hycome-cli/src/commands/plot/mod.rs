//! `hycome plot`: interactive viewer, figures and sweep charts.

pub mod figure_file;
pub mod run_data;
mod sweep_chart;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use hycome::io::{AtomicFile, history_file};
use hycome::plot::MAX_EDGES;
use hycome::plot::{Content, Layers, Panel, Scene, page};

use crate::Usage;
use crate::commands::predict;
use crate::term::output::{notify, shown};
use crate::term::style;
use figure_file::{FigureOptions, Format, first_given};
use run_data::{RunData, RunInputs};

/// Default edge limit of a figure: more only turn grey, and make large files.
const FIGURE_EDGES: usize = 20_000;

/// Plot runs: an interactive viewer (HTML), or a figure in SVG, PNG or PDF.
///
/// The viewer is one self-contained file: drag to translate the hyperbolic plane, hover over nodes, search by name.
/// `hycome embed` writes one too. A run does not contain edges; `--graph` adds them, with degrees and scores. A figure
/// can show several runs side by side or, with `--metric` and `--against`, a metric as a function of a hyperparameter.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome plot karate-run --graph karate -o disc.html
  hycome plot run --graph edges.csv --labels classes.txt -o figure.pdf
  hycome plot run --labels classes.txt --model m.safetensors -o disc.html
  hycome plot seed-1 seed-2 seed-3 --graph edges.csv -o seeds.svg --size 1200x450
  hycome plot runs/* --metric nmi,ari --against dim -o sweep.svg
  hycome plot grid.jsonl --metric nmi --against dim -o sweep.svg")]
pub struct Args {
    /// Runs: output folders of `hycome embed`, or the run.safetensors in them; with `--against` also results of a sweep
    /// (.jsonl).
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Output file; the extension selects the format: .html, .svg, .png or .pdf.
    #[arg(short, long, value_name = "FILE", default_value = "disc.html")]
    output: PathBuf,
    #[command(flatten)]
    inputs: RunInputs,
    /// Model saved by `hycome classify --save-model`: adds predictions and decision regions.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    model: Vec<PathBuf>,
    /// Maximum number of edges; larger graphs are sampled at random, with a note [default: 200000 in the viewer, 20000
    /// in a figure].
    #[arg(long, value_name = "N", help_heading = "Content")]
    edges: Option<usize>,
    /// Title [default: name of the graph].
    #[arg(long, value_name = "TEXT", help_heading = "Content")]
    title: Option<String>,
    #[command(flatten)]
    figure: FigureOptions,
    /// Node attribute that determines colours [default: community].
    #[arg(long, value_enum, help_heading = "Figure")]
    color: Option<Color>,
    /// Do not draw the Gaussians.
    #[arg(long, help_heading = "Figure")]
    no_contours: bool,
    /// Label the nodes of highest degree.
    #[arg(long, help_heading = "Figure")]
    names: bool,
    /// Metrics on the y axis, separated by commas: nmi, ami, ari, conductance, modularity, precision_at_1, or any other
    /// number in metrics.json, such as seconds.total.
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "against", help_heading = "Sweep")]
    metric: Vec<String>,
    /// Hyperparameter on the x axis: dim, seed, learning_rate, or any other number in metrics.json.
    #[arg(long, value_name = "NAME", requires = "metric", help_heading = "Sweep")]
    against: Option<String>,
    /// Use a logarithmic x axis.
    #[arg(long, requires = "against", help_heading = "Sweep")]
    log: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Community,
    Label,
    Prediction,
}

impl Color {
    fn key(self) -> &'static str {
        match self {
            Self::Community => "community",
            Self::Label => "label",
            Self::Prediction => "prediction",
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = Format::of(&args.output)?;
    if format != Format::Html {
        args.figure.check(&args.output, format)?;
    }
    if let Some(against) = &args.against {
        refuse(&args.output, "a chart of scores", args.disc_flag())?;
        let (panels, count) =
            sweep_chart::panels(&args.runs, &args.metric, against, args.log, args.title.as_deref())?;
        args.figure.write(&args.output, format, panels, 1)?;
        notify(&format!("{}: {}", shown(&args.output), style::pluralize(count, "run", "runs")));
        return Ok(());
    }
    if format == Format::Html {
        refuse(&args.output, "the viewer, which has controls for it", args.figure_flag())?;
        let [path] = args.runs.as_slice() else {
            bail!(Usage(format!(
                "{}: the viewer shows one run, but {} are given; use a figure (.svg, .png, .pdf) for several",
                shown(&args.output),
                args.runs.len()
            )));
        };
        let data = load_run(args, path, 0)?;
        let snapshots = history_file::load_beside(path, data.run.nodes.len(), data.run.nodes.dim())?;
        let scene = scene(args, path, 0, &data, MAX_EDGES)?.with_history(&data.run, &snapshots)?;
        AtomicFile::write(&args.output, page::to_html(&scene).as_bytes())?.commit()?;
        report(&args.output, &scene);
        return Ok(());
    }
    let mut panels = Vec::new();
    for (index, path) in args.runs.iter().enumerate() {
        let scene = scene(args, path, index, &load_run(args, path, index)?, FIGURE_EDGES)?;
        let coloring = coloring(args.color.unwrap_or(Color::Community), &scene)?;
        report(&args.output, &scene);
        panels.push(panel(args, scene, coloring));
    }
    args.figure.write(&args.output, format, panels, 1)
}

impl Args {
    /// The first flag given that applies only to figures.
    fn figure_flag(&self) -> Option<&'static str> {
        let flags =
            [(self.names, "--names"), (self.no_contours, "--no-contours"), (self.color.is_some(), "--color")];
        first_given(&flags).or_else(|| self.figure.given())
    }

    /// The first flag given that does not apply to charts.
    fn disc_flag(&self) -> Option<&'static str> {
        first_given(&[
            (!self.inputs.graph.is_empty(), "--graph"),
            (!self.inputs.labels.is_empty(), "--labels"),
            (!self.model.is_empty(), "--model"),
            (self.edges.is_some(), "--edges"),
            (self.names, "--names"),
            (self.no_contours, "--no-contours"),
            (self.color.is_some(), "--color"),
        ])
    }
}

/// Fails for a flag that would have no effect.
fn refuse(output: &Path, what: &str, flag: Option<&str>) -> anyhow::Result<()> {
    match flag {
        Some(flag) => {
            bail!(Usage(format!("{}: {flag} has no effect on {what}; remove it", shown(output))))
        }
        None => Ok(()),
    }
}

fn load_run(args: &Args, path: &Path, index: usize) -> anyhow::Result<RunData> {
    let mut data = args.inputs.of_run(path, index, args.runs.len())?;
    if let Some(title) = &args.title {
        data.title.clone_from(title);
    }
    Ok(data)
}

fn scene(args: &Args, path: &Path, index: usize, data: &RunData, max_edges: usize) -> anyhow::Result<Scene> {
    let scene = data.scene(args.edges.unwrap_or(max_edges))?;
    Ok(match run_data::per_run_arg(&args.model, "model", index, args.runs.len())? {
        Some(model) => {
            scene.with_classifier(&predict::load_model(model, &data.run, path)?, &data.run.nodes)?
        }
        None => scene,
    })
}

/// Index of the requested colouring.
fn coloring(color: Color, scene: &Scene) -> anyhow::Result<usize> {
    let key = color.key();
    let Some(coloring) = scene.colorings.iter().position(|coloring| coloring.key == key) else {
        let flag = if key == "label" { "--labels, or --graph with a graph that has some" } else { "--model" };
        bail!(Usage(format!("--color {key} needs {flag}")));
    };
    Ok(coloring)
}

fn panel(args: &Args, scene: Scene, coloring: usize) -> Panel {
    let layers = Layers { edges: true, contours: !args.no_contours, regions: true, names: args.names };
    let (title, note) = (scene.title.clone(), scene.view.subtitle());
    Panel { title, note, content: Content::Disc { scene: Box::new(scene), coloring, layers } }
}

fn report(path: &Path, scene: &Scene) {
    let edges = match &scene.edges {
        Some(edges) => style::pluralize(edges.pairs.len(), "edge", "edges"),
        None => "no edges (give --graph to draw them)".to_owned(),
    };
    notify(&format!("{}: {}, {edges}", shown(path), style::pluralize(scene.points.len(), "node", "nodes")));
    for note in &scene.notes {
        notify(&format!("note: {note}"));
    }
}
