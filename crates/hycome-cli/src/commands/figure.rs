//! `hycome figure`: the figures of the paper.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use hycome::classify::{self, ClassifierConfig};
use hycome::plot::chart::{Axis, Chart, DataPoint, Mark, Series};
use hycome::plot::{Content, Layers, Panel, Scene, label_distribution};
use hycome::special::log_zeta;
use hycome::{TrainConfig, Trainer, datasets};

use crate::Usage;
use crate::args::graph::{self, GraphOptions};
use crate::commands::plot::figure_file::{FigureOptions, Format, first_given};
use crate::commands::plot::run_data::{RunData, RunInputs, per_run_arg};
use crate::term::output::{notify, shown};
use crate::term::progress::Bar;

/// Edge limit of a figure.
const MAX_EDGES: usize = 20_000;

/// Draw a figure of the paper, in SVG, PNG or PDF.
///
/// Without runs, the built-in graphs karate, books, football and polblogs are trained first, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome figure geodesics -o geodesics.pdf
  hycome figure gmm -o gmm.svg
  hycome figure logistic football -o football.png
  hycome figure labels run --graph edges.csv --labels classes.txt -o labels.pdf
  hycome figure label-distribution dblp wikipedia blogcatalog -o shares.svg")]
pub struct Args {
    /// Figure.
    #[arg(value_enum)]
    kind: Kind,
    /// Runs, or names of built-in graphs to train; for `label-distribution` graphs.
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Output file: .svg, .png or .pdf.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    inputs: RunInputs,
    #[command(flatten)]
    figure: FigureOptions,
    /// Random seed for built-in graphs [default: 1].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Geodesics and circles of the Poincaré disc.
    Geodesics,
    /// Normalizing constant of the Riemannian Gaussian, by dimension.
    Zeta,
    /// Nodes and edges, coloured by ground-truth label.
    Embedding,
    /// Communities as Gaussians: contours and means.
    Gmm,
    /// Decision regions of hyperbolic logistic regression.
    Logistic,
    /// Ground-truth labels beside detected communities.
    Labels,
    /// Share of each class among the labels of a graph.
    LabelDistribution,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = Format::of(&args.output)?;
    if format == Format::Html {
        bail!(Usage(format!(
            "{}: expected a .svg, .png or .pdf file; `hycome plot` writes the viewer",
            shown(&args.output)
        )));
    }
    args.figure.check(&args.output, format)?;
    if matches!(args.kind, Kind::Geodesics | Kind::Zeta) {
        let given = first_given(&[
            (!args.runs.is_empty(), "RUN"),
            (!args.inputs.graph.is_empty(), "--graph"),
            (!args.inputs.labels.is_empty(), "--labels"),
            (args.seed.is_some(), "--seed"),
        ]);
        if let Some(flag) = given {
            bail!(Usage(format!(
                "{}: this figure shows no run, so {flag} has no effect; remove it",
                shown(&args.output)
            )));
        }
    }
    let group = if args.kind == Kind::Labels { 2 } else { 1 };
    let panels = match args.kind {
        Kind::Geodesics => vec![plain("Geodesics and circles of the Poincaré disc", Content::Geodesics)],
        Kind::Zeta => vec![plain("Normalizing constant of the Gaussian", Content::Chart(zeta()))],
        Kind::LabelDistribution => label_distributions(args)?,
        _ => {
            let mut panels = Vec::new();
            for data in load_runs(args)? {
                panels.extend(panels_of(args.kind, &data)?);
            }
            panels
        }
    };
    args.figure.write(&args.output, format, panels, group)?;
    notify(&format!("{}: written", shown(&args.output)));
    Ok(())
}

fn plain(title: &str, content: Content) -> Panel {
    Panel { title: title.to_owned(), note: None, content }
}

/// Graphs of a figure without arguments.
const BUILTIN: [&str; 4] = ["karate", "books", "football", "polblogs"];

/// Label distributions of the given graphs, or of the built-in ones.
fn label_distributions(args: &Args) -> anyhow::Result<Vec<Panel>> {
    let given = first_given(&[(!args.inputs.graph.is_empty(), "--graph"), (args.seed.is_some(), "--seed")]);
    if let Some(flag) = given {
        let output = shown(&args.output);
        bail!(Usage(format!(
            "{output}: this figure shows graphs without training, so {flag} has no effect; remove it"
        )));
    }
    let graphs = if args.runs.is_empty() { BUILTIN.map(PathBuf::from).to_vec() } else { args.runs.clone() };
    let of_graph = |(index, path): (usize, &PathBuf)| {
        let labels = per_run_arg(&args.inputs.labels, "labels", index, graphs.len())?.map(Path::to_owned);
        let options = GraphOptions { labels, data: args.inputs.data.clone(), ..GraphOptions::default() };
        let loaded = graph::load(path, &options, true, &Bar::new(false))?.loaded;
        let Some(labels) = loaded.labels.filter(|labels| labels.used_class_count() > 0) else {
            bail!(Usage(format!("{}: this figure needs --labels", shown(path))));
        };
        Ok(label_distribution(&loaded.name, &labels))
    };
    graphs.iter().enumerate().map(of_graph).collect()
}

/// Loads the given runs, or trains built-in graphs.
fn load_runs(args: &Args) -> anyhow::Result<Vec<RunData>> {
    let names = BUILTIN.map(PathBuf::from);
    let runs = if args.runs.is_empty() { names.to_vec() } else { args.runs.clone() };
    let of_run = |(index, path): (usize, &PathBuf)| match path.to_str().and_then(datasets::builtin) {
        Some(builtin) if !path.exists() => train(builtin, args.seed.unwrap_or(1)),
        _ => args.inputs.of_run(path, index, runs.len()),
    };
    runs.iter().enumerate().map(of_run).collect()
}

fn train(builtin: &datasets::Builtin, seed: u64) -> anyhow::Result<RunData> {
    let loaded = builtin.load();
    let communities = loaded.labels.as_ref().map(hycome::Labels::used_class_count);
    let config = TrainConfig { communities, seed, dim: Some(2), ..TrainConfig::default() };
    let run = Trainer::new(&loaded.graph, config)?.with_names(loaded.names).train_to_end()?.run;
    Ok(RunData { run, title: builtin.name.to_owned(), graph: Some(loaded.graph), labels: loaded.labels })
}

fn panels_of(kind: Kind, data: &RunData) -> anyhow::Result<Vec<Panel>> {
    let mut scene = data.scene(MAX_EDGES)?;
    for note in &scene.notes {
        notify(&format!("note: {}: {note}", data.title));
    }
    let bare = Layers { edges: true, contours: false, regions: false, names: false };
    let labelled = |scene: &Scene| match scene.coloring("label") {
        Some(_) => Ok("label"),
        None => Err(anyhow::Error::new(Usage(format!("{}: this figure needs --labels", data.title)))),
    };
    Ok(match kind {
        Kind::Embedding => {
            let key = labelled(&scene).unwrap_or("community");
            vec![disc(scene, key, "", bare)]
        }
        Kind::Gmm => vec![disc(scene, "community", "", Layers { contours: true, ..bare })],
        Kind::Labels => {
            labelled(&scene)?;
            let found = disc(scene.clone(), "community", ": communities", Layers { contours: true, ..bare });
            vec![disc(scene, "label", ": labels", bare), found]
        }
        Kind::Logistic => {
            labelled(&scene)?;
            let labels = data.labels.as_ref().expect("labels of a scene come from its run data");
            let learnt = classify::fit(&data.run.nodes, labels, &ClassifierConfig::default())?;
            scene = scene.with_classifier(&learnt.classifier, &data.run.nodes)?;
            vec![disc(scene, "label", "", Layers { regions: true, ..bare })]
        }
        Kind::Geodesics | Kind::Zeta | Kind::LabelDistribution => Vec::new(),
    })
}

fn disc(scene: Scene, key: &str, suffix: &str, layers: Layers) -> Panel {
    let coloring = scene.colorings.iter().position(|coloring| coloring.key == key).unwrap_or(0);
    let note = scene.view.subtitle();
    let title = format!("{}{suffix}", scene.title);
    Panel { title, note, content: Content::Disc { scene: Box::new(scene), coloring, layers } }
}

/// ζ_m(σ) from narrow to wide.
fn zeta() -> Chart {
    let scales: Vec<f64> = (0..=120).map(|i| 0.05 * (2f64 / 0.05).powf(f64::from(i) / 120.0)).collect();
    let of_dim = |dim: usize| Series {
        name: format!("m = {dim}"),
        points: scales.iter().map(|&x| DataPoint { x, y: log_zeta(dim, x).exp(), error: 0.0 }).collect(),
        mark: Mark::Line,
    };
    Chart {
        x: Axis { name: "scale σ".to_owned(), logarithmic: false },
        y: Axis { name: "ζ(σ)".to_owned(), logarithmic: true },
        series: [2, 3, 4, 5].map(of_dim).to_vec(),
    }
}
