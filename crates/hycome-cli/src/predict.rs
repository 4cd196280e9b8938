//! `hycome predict`: labels for the nodes of a run, from a saved classifier.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::classify::Classifier;
use hycome::io::model_file;
use hycome::{NodeId, Run};
use serde::Serialize;

use crate::data::DataOptions;
use crate::formats::{self, Table};
use crate::output::shown;
use crate::{labels, output, runs, style, summary};

/// Label the nodes of a run with a model that `hycome classify` saved: node, label, probability.
///
/// The lines are separated by tabs below a header; a file whose name ends in .csv is quoted CSV, one in .json the object of
/// --json, and .gz or .zst compress either. The model must have been learnt from the same run, which is
/// checked: points of another training lie elsewhere, even of the same graph. In names, tabs, ends of lines, control
/// characters and backslashes
/// are written \t, \n, \r, \u{1b} and \\.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome predict karate-run --model m.safetensors
  hycome predict run --model m.safetensors --unlabelled classes.txt -o new.tsv
  hycome predict run --model m.safetensors --top 3 --json")]
pub struct Args {
    /// A folder that `hycome embed` wrote, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The file that `hycome classify --save-model` wrote.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Only nodes that have no label in this file, which is read as `hycome classify --labels` does.
    #[arg(long, value_name = "LABELS")]
    unlabelled: Option<PathBuf>,
    #[command(flatten)]
    data: DataOptions,
    /// Labels for each node, the most probable first, a line each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Write them to a file instead: .tsv, .csv or .json.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object instead.
    #[arg(long)]
    json: bool,
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    nodes: usize,
    dim: usize,
    method: &'static str,
    classes: Vec<String>,
    /// Whether a node has one class, so that the probabilities of a node add up to one.
    exclusive: bool,
    predictions: Vec<Prediction>,
}

#[derive(Debug, Serialize)]
struct Prediction {
    node: String,
    label: String,
    probability: f64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = args.output.as_ref().map(|path| Table::of(path, "a table of predictions")).transpose()?;
    let run = runs::load(&args.run)?;
    let classifier = load_model(&args.model, &run, &args.run)?;
    let known =
        args.unlabelled.as_ref().map(|path| labels::load(path, &run.names, &args.data)).transpose()?;
    let asked = |node: &NodeId| known.as_ref().is_none_or(|labels| labels.of(*node).is_empty());
    let nodes: Vec<NodeId> = (0..run.nodes.len() as NodeId).filter(asked).collect();
    let scores = classifier.scores(&run.nodes)?;
    let mut predictions = Vec::new();
    for &node in &nodes {
        let probabilities = scores.probabilities(node as usize);
        for class in scores.ranking(node as usize).into_iter().take(args.top as usize) {
            predictions.push(Prediction {
                node: run.names.name(node).into_owned(),
                label: classifier.classes[class].clone(),
                probability: probabilities[class],
            });
        }
    }
    if nodes.is_empty() {
        output::say("note: every node has a label already");
    }
    let report = Report {
        nodes: nodes.len(),
        dim: classifier.dim,
        method: classifier.method.name(),
        classes: classifier.classes,
        exclusive: classifier.exclusive,
        predictions,
    };
    if let (Some(path), Some(format)) = (&args.output, format) {
        format.stage(path, COLUMNS, rows(&report), || output::json(&report))?.put_in_place()?;
        output::say(&format!("{}: {}", shown(path), style::counted(nodes.len(), "node", "nodes")));
    }
    if args.json {
        return output::print_json(&report);
    }
    if args.output.is_none() {
        output::print(&formats::tsv(COLUMNS, rows(&report)))?;
    }
    Ok(())
}

/// The classifier of a file, if it was learnt from this run, which came from `path`.
pub fn load_model(model: &Path, run: &Run, path: &Path) -> anyhow::Result<Classifier> {
    let classifier = model_file::load(model)?;
    if let Some(why) = classifier.mismatch(run) {
        bail!(
            "{}: the model {why}, so it says nothing about {}; learn one by `hycome classify {} --save-model`",
            shown(model),
            shown(path),
            summary::shell_word(path),
        );
    }
    Ok(classifier)
}

const COLUMNS: [&str; 3] = ["node", "label", "probability"];

fn rows(report: &Report) -> impl Iterator<Item = [Cow<'_, str>; 3]> {
    report.predictions.iter().map(|Prediction { node, label, probability }| {
        [node.into(), label.into(), format!("{probability:.6}").into()]
    })
}
