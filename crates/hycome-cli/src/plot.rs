//! `hycome plot`: pictures of runs.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ValueEnum;
use hycome::io::{StagedFile, history_file};
use hycome::plot::edges::MOST_EDGES;
use hycome::plot::{Content, Panel, Scene, Shown, page};

use crate::output::{say, shown};
use crate::picture::{Format, Paper, first_given};
use crate::scenes::{self, Knowledge};
use crate::{Usage, against, predict, style};

/// Edges of a figure unless asked otherwise: more are grey in print, and make large files.
const FIGURE_EDGES: usize = 20_000;

/// Draw runs: an interactive page, or a figure in SVG, PNG or PDF.
///
/// The page is one file that needs neither server nor network: drag to move the hyperbolic plane, point at nodes, find
/// them by name. `hycome embed` writes one too. A run holds no edges; with `--graph` they are drawn, and degrees and
/// scores are known. A figure may show several runs side by side, or, with `--metric` and `--against`, how a score depends on
/// a setting.
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
    /// Folders that `hycome embed` wrote, or the run.safetensors in them; with `--against` also the .jsonl of a sweep.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// The picture; its extension says what it is: .html, .svg, .png or .pdf.
    #[arg(short, long, value_name = "FILE", default_value = "disc.html")]
    output: PathBuf,
    #[command(flatten)]
    knowledge: Knowledge,
    /// A classifier that `hycome classify --save-model` wrote, to colour by and to draw its regions.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    model: Vec<PathBuf>,
    /// Edges drawn at most; of more, a random sample, which is reported [default: 200000 in a page,
    /// 20000 in a figure].
    #[arg(long, value_name = "N", help_heading = "Picture")]
    edges: Option<usize>,
    /// What the picture is called [default: the graph's name].
    #[arg(long, value_name = "TEXT", help_heading = "Picture")]
    title: Option<String>,
    #[command(flatten)]
    paper: Paper,
    /// What colours of a figure mean [default: community].
    #[arg(long, value_enum, help_heading = "Figure")]
    color: Option<Color>,
    /// Draw no Gaussians in a figure.
    #[arg(long, help_heading = "Figure")]
    no_contours: bool,
    /// Write the names of the nodes with the most neighbours into a figure.
    #[arg(long, help_heading = "Figure")]
    names: bool,
    /// Chart these numbers of metrics.json, separated by commas, instead of drawing discs: nmi, ari, conductance,
    /// modularity, precision_at_1, or any other such as seconds.total.
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "against", help_heading = "Sweep")]
    metric: Vec<String>,
    /// The setting that the chart has across: dim, seed, learning_rate, or any other number of metrics.json.
    #[arg(long, value_name = "NAME", requires = "metric", help_heading = "Sweep")]
    against: Option<String>,
    /// Let equal steps across be equal factors.
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
        args.paper.check(&args.output, format)?;
    }
    if let Some(against) = &args.against {
        refuse(&args.output, "a chart of scores", args.of_discs())?;
        let (panels, count) =
            against::panels(&args.runs, &args.metric, against, args.log, args.title.as_deref())?;
        args.paper.write(&args.output, format, panels, 1)?;
        say(&format!("{}: {}", shown(&args.output), style::counted(count, "run", "runs")));
        return Ok(());
    }
    if format == Format::Html {
        refuse(&args.output, "a page, which has controls for it", args.of_figures())?;
        let [path] = args.runs.as_slice() else {
            bail!(Usage(format!(
                "{}: a page shows one run, but {} are given; a figure (.svg, .png, .pdf) shows several",
                shown(&args.output),
                args.runs.len()
            )));
        };
        let scene = scene(args, path, 0, MOST_EDGES)?;
        let snapshots = history_file::load_beside(path, scene.points.len(), scene.projection.dim)?;
        let scene = scene.with_history(&snapshots);
        StagedFile::write(&args.output, page::to_html(&scene).as_bytes())?.put_in_place()?;
        tell(&args.output, &scene);
        return Ok(());
    }
    let mut panels = Vec::new();
    for (place, path) in args.runs.iter().enumerate() {
        let scene = scene(args, path, place, FIGURE_EDGES)?;
        let coloring = coloring(args.color.unwrap_or(Color::Community), &scene)?;
        tell(&args.output, &scene);
        panels.push(panel(args, scene, coloring));
    }
    args.paper.write(&args.output, format, panels, 1)
}

impl Args {
    /// A flag that was given and that only figures have.
    fn of_figures(&self) -> Option<&'static str> {
        let flags =
            [(self.names, "--names"), (self.no_contours, "--no-contours"), (self.color.is_some(), "--color")];
        first_given(&flags).or_else(|| self.paper.given())
    }

    /// A flag that was given and that only pictures of discs have.
    fn of_discs(&self) -> Option<&'static str> {
        first_given(&[
            (!self.knowledge.graph.is_empty(), "--graph"),
            (!self.knowledge.labels.is_empty(), "--labels"),
            (!self.model.is_empty(), "--model"),
            (self.edges.is_some(), "--edges"),
            (self.names, "--names"),
            (self.no_contours, "--no-contours"),
            (self.color.is_some(), "--color"),
        ])
    }
}

/// Refuses a flag that would have no effect.
fn refuse(output: &Path, what: &str, flag: Option<&str>) -> anyhow::Result<()> {
    match flag {
        Some(flag) => {
            bail!(Usage(format!("{}: {flag} has no effect on {what}; leave it out", shown(output))))
        }
        None => Ok(()),
    }
}

fn scene(args: &Args, path: &Path, place: usize, most_edges: usize) -> anyhow::Result<Scene> {
    let mut known = args.knowledge.of_run(path, place, args.runs.len())?;
    if let Some(title) = &args.title {
        known.title.clone_from(title);
    }
    let scene = known.scene(args.edges.unwrap_or(most_edges))?;
    Ok(match scenes::for_place(&args.model, "model", place, args.runs.len())? {
        Some(model) => {
            scene.with_classifier(&predict::load_model(model, &known.run, path)?, &known.run.nodes)?
        }
        None => scene,
    })
}

/// The place of the colouring that was asked for.
fn coloring(color: Color, scene: &Scene) -> anyhow::Result<usize> {
    let key = color.key();
    let Some(coloring) = scene.colorings.iter().position(|coloring| coloring.key == key) else {
        let flag = if key == "label" { "--labels, or --graph with a graph that has some" } else { "--model" };
        bail!(Usage(format!("--color {key} needs {flag}")));
    };
    Ok(coloring)
}

fn panel(args: &Args, scene: Scene, coloring: usize) -> Panel {
    let shown = Shown { edges: true, contours: !args.no_contours, regions: true, names: args.names };
    let (title, note) = (scene.title.clone(), scene.projection.subtitle());
    Panel { title, note, content: Content::Disc { scene: Box::new(scene), coloring, shown } }
}

fn tell(path: &Path, scene: &Scene) {
    let edges = match &scene.edges {
        Some(edges) => style::counted(edges.pairs.len(), "edge", "edges"),
        None => "no edges, as no --graph was given".to_owned(),
    };
    say(&format!("{}: {}, {edges}", shown(path), style::counted(scene.points.len(), "node", "nodes")));
    for note in &scene.notes {
        say(&format!("note: {note}"));
    }
}
