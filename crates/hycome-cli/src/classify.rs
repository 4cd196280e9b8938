//! `hycome classify`: how well a run's points tell classes apart.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use hycome::classify::{ClassifierConfig, CrossValidation, Method, Summary, Validation, cross_validate, fit};
use hycome::io::model_file;
use serde::Serialize;

use crate::data::DataOptions;
use crate::output::shown;
use crate::report::LabelsReport;
use crate::{Usage, formats, labels, output, runs, style, summary};

/// Learn the classes of nodes from their points, and score that on nodes held out.
///
/// The nodes with a label are dealt into folds. Each fold is held out once while a classifier learns from the
/// others, and what it says of the held-out nodes is compared with their labels. The scores are means over all folds
/// and runs, with the standard deviation. The last line, `majority`, gives every node the commonest class: a method
/// that is not above it has learnt nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A folder that `hycome embed` wrote, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Classes of the nodes: a file of lines `node label [label …]`, or one label per line in the order of the
    /// nodes; or a graph that carries labels, such as `karate`. Nodes without a label are left out.
    #[arg(long, value_name = "LABELS", help_heading = "Input")]
    labels: PathBuf,
    #[command(flatten)]
    data: DataOptions,
    /// How to tell classes apart; several are separated by commas and compared. Flat runs know neither `logistic` nor
    /// `svm` [default: logistic; of flat runs euclidean-logistic].
    #[arg(long, value_enum, value_name = "METHOD", value_delimiter = ',', help_heading = "Method")]
    method: Vec<Method>,
    /// `logistic`, `svm`, `euclidean-logistic`: how strongly gentle slopes are preferred, as much as so many nodes.
    /// More keeps a few odd nodes from bending the borders; usual are 0.01 to 10.
    #[arg(
        long,
        value_name = "X",
        allow_negative_numbers = true,
        default_value_t = ClassifierConfig::default().regularization,
        help_heading = "Method"
    )]
    regularization: f64,
    /// `knn`: number of nearest nodes that vote; usual are 3 to 50.
    #[arg(long, value_name = "N", default_value_t = ClassifierConfig::default().neighbors, help_heading = "Method")]
    neighbors: usize,
    /// Parts of which one is held out: 5 means that four fifths are learnt from.
    #[arg(long, value_name = "N", default_value_t = CrossValidation::default().folds, help_heading = "Validation")]
    folds: usize,
    /// How often the nodes are dealt anew.
    #[arg(long, value_name = "N", default_value_t = CrossValidation::default().runs, help_heading = "Validation")]
    runs: usize,
    /// Random seed of the dealing.
    #[arg(long, value_name = "S", default_value_t = CrossValidation::default().seed, help_heading = "Validation")]
    seed: u64,
    /// Also learn from all nodes with a label, and write that for `hycome predict`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save_model: Option<PathBuf>,
    /// Print one JSON object instead of the table.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

const AFTER_HELP: &str = "\
Scores, all from 0 to 1:
  precision@n  share of the n classes ranked first that are right
  micro F1     the same for as many classes as the node has
  macro F1     by class, then averaged: small classes count as much as large

Examples:
  hycome classify karate-run --labels karate
  hycome classify run --labels classes.txt --method gaussian,logistic,knn
  hycome classify run --labels classes.txt --save-model m.safetensors";

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    nodes: usize,
    dim: usize,
    labels: LabelsReport,
    validation: CrossValidation,
    results: Vec<Outcome>,
    /// Where the model was written.
    model: Option<String>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Outcome {
    #[serde(flatten)]
    config: ClassifierConfig,
    #[serde(flatten)]
    scores: Validation,
    seconds: f64,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.save_model.is_some() && args.method.len() > 1 {
        let found = args.method.len();
        anyhow::bail!(Usage(format!("--save-model saves one method, but --method gives {found}")));
    }
    if let Some(path) = &args.save_model {
        formats::expect(path, "a model", &["safetensors", "st"], false)?;
    }
    let run = runs::load(&args.run)?;
    let labels = labels::load(&args.labels, &run.names, &args.data)?;
    let validation = CrossValidation { folds: args.folds, runs: args.runs, seed: args.seed };
    let geometry = run.config.geometry;
    let config = |method| ClassifierConfig {
        method,
        geometry,
        neighbors: args.neighbors,
        regularization: args.regularization,
    };
    let mut methods =
        if args.method.is_empty() { vec![Method::usual(geometry)] } else { args.method.clone() };
    methods.iter().try_for_each(|&method| config(method).validate())?;
    if !methods.contains(&Method::Majority) {
        methods.push(Method::Majority);
    }
    let mut results = Vec::new();
    for &method in &methods {
        let start = Instant::now();
        let scores = cross_validate(&run.nodes, &labels, &config(method), &validation)?;
        results.push(Outcome { config: config(method), scores, seconds: start.elapsed().as_secs_f64() });
    }
    let mut warnings = Vec::new();
    for result in results.iter().filter(|result| result.scores.unconverged > 0) {
        let (folds, method) = (result.scores.unconverged, result.config.method.name());
        warnings.push(format!(
            "{method} had not come to rest at its last step in {}; a larger --regularization helps",
            style::counted(folds, "fold", "folds"),
        ));
    }
    if let Some(path) = &args.save_model {
        let learnt = fit(&run.nodes, &labels, &config(methods[0]))?;
        if !learnt.converged {
            warnings.push("the saved model had not come to rest at its last step".to_owned());
        }
        model_file::save(&learnt.classifier.learnt_from(&run), path)?;
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        nodes: run.nodes.len(),
        dim: run.nodes.dim(),
        labels: LabelsReport::new(&labels),
        validation,
        results,
        model: args.save_model.as_ref().map(|path| path.display().to_string()),
        warnings,
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
    let nodes = style::counted(report.nodes, "node", "nodes");
    let run = format!("{}: {nodes}, {} dimensions", shown(&args.run), report.dim);
    summary::part(&mut text, style, "run", &[run]);
    summary::part(&mut text, style, "labels", &[summary::labels_words(&report.labels, report.nodes)]);
    let CrossValidation { folds, runs, seed } = report.validation;
    let validation = format!("{folds} folds, {}, seed {seed}", style::counted(runs, "run", "runs"));
    summary::part(&mut text, style, "validation", &[validation]);
    text.push('\n');
    text.push_str(&table(&report.results, style));
    if let Some(path) = &args.save_model {
        text.push('\n');
        summary::part(&mut text, style, "written", &[shown(path)]);
        let next = format!(
            "hycome predict {} --model {}",
            summary::shell_word(&args.run),
            summary::shell_word(path)
        );
        summary::part(&mut text, style, "next", &[next]);
    }
    text
}

/// A row for each method. With several classes for a node there is a column more for precision@3 and @5, and less
/// room for deviations, so those are left to `--json`.
fn table(results: &[Outcome], style: style::Style) -> String {
    let mut text = String::new();
    let Some(first) = results.first() else { return text };
    let columns: Vec<(&str, Vec<Option<Summary>>)> = [
        ("precision@1", results.iter().map(|r| Some(r.scores.precision_at_1)).collect::<Vec<_>>()),
        ("@3", results.iter().map(|r| r.scores.precision_at_3).collect()),
        ("@5", results.iter().map(|r| r.scores.precision_at_5).collect()),
        ("micro F1", results.iter().map(|r| Some(r.scores.micro_f1)).collect()),
        ("macro F1", results.iter().map(|r| Some(r.scores.macro_f1)).collect()),
    ]
    .into_iter()
    .filter(|(_, values)| values[0].is_some())
    .collect();
    let with_deviation = !first.scores.multi_label;
    let width = if with_deviation { 15 } else { 11 };
    let mut header = format!("{:<18}", "method");
    columns.iter().for_each(|(name, _)| header.push_str(&format!(" {name:>width$}")));
    let _ = writeln!(text, "{}", style.heading(&header));
    for (row, result) in results.iter().enumerate() {
        let _ = write!(text, "{:<18}", result.config.method.name());
        for Summary { mean, deviation } in columns.iter().filter_map(|(_, values)| values[row]) {
            let value =
                if with_deviation { format!("{mean:.3} ± {deviation:.3}") } else { format!("{mean:.3}") };
            let _ = write!(text, " {value:>width$}");
        }
        text.push('\n');
    }
    text
}
