//! `hycome figure`: the figures of the paper, by one command each.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use hycome::classify::{self, ClassifierConfig};
use hycome::plot::chart::{Axis, Chart, Sample, Series};
use hycome::plot::{Content, Panel, Scene, Shown};
use hycome::special::log_zeta;
use hycome::{TrainConfig, Trainer, datasets};

use crate::Usage;
use crate::output::{say, shown};
use crate::picture::{Format, Paper, first_given};
use crate::scenes::{Knowledge, Known};

/// Edges of a figure.
const EDGES: usize = 20_000;

/// Draw a figure of the paper, in SVG, PNG or PDF.
///
/// Without runs, the built-in graphs karate, books, football and polblogs are trained for it, which takes some seconds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome figure geodesics -o geodesics.pdf
  hycome figure gmm -o gmm.svg
  hycome figure logistic football -o football.png
  hycome figure labels run --graph edges.csv --labels classes.txt -o labels.pdf")]
pub struct Args {
    /// Which one.
    #[arg(value_enum)]
    kind: Kind,
    /// Runs that `hycome embed` wrote, or names of built-in graphs to train now.
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The figure: .svg, .png or .pdf.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    knowledge: Knowledge,
    #[command(flatten)]
    paper: Paper,
    /// Random seed of graphs that are trained for the figure [default: 1].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Straight lines and circles of the Poincaré disc.
    Geodesics,
    /// The normalising constant of the Gaussian in several dimensions.
    Zeta,
    /// Nodes and edges, coloured by known classes.
    Embedding,
    /// Communities as Gaussians: contours and barycenters.
    Gmm,
    /// Classes learnt by hyperbolic logistic regression, with their regions.
    Logistic,
    /// Known classes beside the communities that were found.
    Labels,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = Format::of(&args.output)?;
    if format == Format::Html {
        bail!(Usage(format!(
            "{}: a figure is a .svg, .png or .pdf file; `hycome plot` writes pages",
            shown(&args.output)
        )));
    }
    args.paper.check(&args.output, format)?;
    if matches!(args.kind, Kind::Geodesics | Kind::Zeta) {
        let given = first_given(&[
            (!args.runs.is_empty(), "RUN"),
            (!args.knowledge.graph.is_empty(), "--graph"),
            (!args.knowledge.labels.is_empty(), "--labels"),
            (args.seed.is_some(), "--seed"),
        ]);
        if let Some(flag) = given {
            bail!(Usage(format!(
                "{}: this figure shows no run, so {flag} has no effect; leave it out",
                shown(&args.output)
            )));
        }
    }
    let group = if args.kind == Kind::Labels { 2 } else { 1 };
    let panels = match args.kind {
        Kind::Geodesics => vec![plain("Geodesics and circles of the Poincaré disc", Content::Geodesics)],
        Kind::Zeta => vec![plain("Normalising constant of the Gaussian", Content::Chart(zeta()))],
        _ => {
            let mut panels = Vec::new();
            for known in known(args)? {
                panels.extend(panels_of(args.kind, &known)?);
            }
            panels
        }
    };
    args.paper.write(&args.output, format, panels, group)?;
    say(&format!("{}: written", shown(&args.output)));
    Ok(())
}

fn plain(title: &str, content: Content) -> Panel {
    Panel { title: title.to_owned(), note: None, content }
}

/// The runs that were named, or the built-in graphs, trained.
fn known(args: &Args) -> anyhow::Result<Vec<Known>> {
    let names = ["karate", "books", "football", "polblogs"].map(PathBuf::from);
    let runs = if args.runs.is_empty() { names.to_vec() } else { args.runs.clone() };
    let of_run = |(place, path): (usize, &PathBuf)| match path.to_str().and_then(datasets::builtin) {
        Some(builtin) if !path.exists() => train(builtin, args.seed.unwrap_or(1)),
        _ => args.knowledge.of_run(path, place, runs.len()),
    };
    runs.iter().enumerate().map(of_run).collect()
}

fn train(builtin: &datasets::Builtin, seed: u64) -> anyhow::Result<Known> {
    let loaded = builtin.load();
    let communities = loaded.labels.as_ref().map(hycome::Labels::used_class_count);
    let config = TrainConfig { communities, seed, ..TrainConfig::default() };
    let mut trainer = Trainer::new(&loaded.graph, config)?;
    trainer.train(&mut |_| ControlFlow::Continue(()))?;
    let run = trainer.into_run(loaded.names);
    Ok(Known { run, title: builtin.name.to_owned(), graph: Some(loaded.graph), labels: loaded.labels })
}

fn panels_of(kind: Kind, known: &Known) -> anyhow::Result<Vec<Panel>> {
    let mut scene = known.scene(EDGES)?;
    for note in &scene.notes {
        say(&format!("note: {}: {note}", known.title));
    }
    let bare = Shown { edges: true, contours: false, regions: false, names: false };
    let labelled = |scene: &Scene| match scene.coloring("label") {
        Some(_) => Ok("label"),
        None => Err(anyhow::Error::new(Usage(format!("{}: this figure needs --labels", known.title)))),
    };
    Ok(match kind {
        Kind::Embedding => {
            let key = labelled(&scene).unwrap_or("community");
            vec![disc(scene, key, "", bare)]
        }
        Kind::Gmm => vec![disc(scene, "community", "", Shown { contours: true, ..bare })],
        Kind::Labels => {
            labelled(&scene)?;
            let found = disc(scene.clone(), "community", ": communities", Shown { contours: true, ..bare });
            vec![disc(scene, "label", ": labels", bare), found]
        }
        Kind::Logistic => {
            labelled(&scene)?;
            let labels = known.labels.as_ref().expect("a scene with labels has them from here");
            let learnt = classify::fit(&known.run.nodes, labels, &ClassifierConfig::default())?;
            scene = scene.with_classifier(&learnt.classifier, &known.run.nodes)?;
            vec![disc(scene, "label", "", Shown { regions: true, ..bare })]
        }
        Kind::Geodesics | Kind::Zeta => Vec::new(),
    })
}

fn disc(scene: Scene, key: &str, suffix: &str, shown: Shown) -> Panel {
    let coloring = scene.colorings.iter().position(|coloring| coloring.key == key).unwrap_or(0);
    let note = scene.projection.subtitle();
    let title = format!("{}{suffix}", scene.title);
    Panel { title, note, content: Content::Disc { scene: Box::new(scene), coloring, shown } }
}

/// ζ_m(σ) from narrow to wide.
fn zeta() -> Chart {
    let scales: Vec<f64> = (0..=120).map(|i| 0.05 * (2f64 / 0.05).powf(f64::from(i) / 120.0)).collect();
    let of_dim = |dim: usize| Series {
        name: format!("m = {dim}"),
        points: scales.iter().map(|&x| Sample { x, y: log_zeta(dim, x).exp(), error: 0.0 }).collect(),
        marked: false,
    };
    Chart {
        x: Axis { name: "scale σ".to_owned(), logarithmic: false },
        y: Axis { name: "ζ(σ)".to_owned(), logarithmic: true },
        series: [2, 3, 4, 5].map(of_dim).to_vec(),
    }
}
