//! `hycome predict`: labels predicted by a saved classifier.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::classify::Classifier;
use hycome::io::model_file;
use hycome::{NodeId, Run};
use serde::Serialize;

use crate::args::data_dir::DataOptions;
use crate::args::{labels, output_format, saved_run};
use crate::node_table::{self, TableFormat};
use crate::term::output::{self, shown};
use crate::term::{style, summary};

/// Predict node labels with a model saved by `hycome classify`: node, label, probability.
///
/// The output is tab-separated with a header. A file ending in .csv is CSV, one in .json is the --json object; .gz and
/// .zst compress. The model must be fitted to the same run, because another training places nodes elsewhere. Tabs, line
/// ends, control characters and backslashes in names are escaped as \t, \n, \r, \u{1b} and \\.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome predict karate-run --model m.safetensors
  hycome predict run --model m.safetensors --unlabelled classes.txt -o new.tsv
  hycome predict run --model m.safetensors --top 3 --json")]
pub struct Args {
    /// A run: the output folder of `hycome embed`, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Model saved by `hycome classify --save-model`.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Only predict nodes without a label in this file (as for `hycome classify --labels`).
    #[arg(long, value_name = "LABELS")]
    unlabelled: Option<PathBuf>,
    #[command(flatten)]
    data: DataOptions,
    /// Number of labels per node, the most probable first.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,
    /// Write to a file instead: .tsv, .csv or .json; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report {
    nodes: usize,
    dim: usize,
    method: &'static str,
    classes: Vec<String>,
    /// Whether classes are mutually exclusive, so that probabilities of a node sum to one.
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
    output_format::one_to_standard_output(args.output.as_deref(), args.json)?;
    let format =
        args.output.as_ref().map(|path| TableFormat::of(path, "a table of predictions")).transpose()?;
    let run = saved_run::load(&args.run)?;
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
        output::notify("note: all nodes are already labelled");
    }
    let report = Report {
        nodes: nodes.len(),
        dim: classifier.dim,
        method: classifier.method.name(),
        classes: classifier.classes,
        exclusive: classifier.single_label,
        predictions,
    };
    if let (Some(path), Some(format)) = (&args.output, format) {
        format.stage(path, COLUMNS, rows(&report), || output::json(&report))?.commit()?;
        output::notify(&format!(
            "{}: {}",
            output::shown_output(path),
            style::pluralize(nodes.len(), "node", "nodes")
        ));
    }
    if args.json {
        return output::print_json(&report);
    }
    if args.output.is_none() {
        output::print(&node_table::tsv(COLUMNS, rows(&report)))?;
    }
    Ok(())
}

/// Loads a classifier; fails unless it was fitted to this run, loaded from `path`.
pub fn load_model(model: &Path, run: &Run, path: &Path) -> anyhow::Result<Classifier> {
    let classifier = model_file::load(model)?;
    if let Some(why) = classifier.mismatch(run) {
        bail!(
            "{}: the model {why}, so it does not apply to {}; fit one with `hycome classify {} --save-model`",
            shown(model),
            shown(path),
            summary::shell_quote(path),
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
