//! `hycome classify`: cross-validated node classification on a run's points.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use hycome::classify::{
    ClassifierConfig, CrossValidation, Method, MultiClass, Summary, Validation, cross_validate, fit,
};
use hycome::io::model_file;
use serde::Serialize;

use crate::Usage;
use crate::args::data_dir::DataOptions;
use crate::args::{labels, output_format, saved_run};
use crate::report::LabelsReport;
use crate::term::output::shown;
use crate::term::{style, summary};

/// Classify nodes by their points, scored by cross-validation.
///
/// Labelled nodes are split into folds; each fold is predicted by a classifier trained on the others. Scores are means
/// over folds and repetitions, with standard deviations. The last row, `majority`, is the majority-class baseline.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A run: the output folder of `hycome embed`, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Ground-truth labels: a file with lines `node label [label …]` or one label per line in node order, or a graph
    /// that has labels, such as `karate`. Unlabelled nodes are ignored.
    #[arg(long, value_name = "LABELS", help_heading = "Input")]
    labels: PathBuf,
    #[command(flatten)]
    data: DataOptions,
    /// Classifiers to compare, separated by commas. `logistic` and `svm` need a hyperbolic run [default: logistic;
    /// euclidean-logistic for Euclidean runs].
    #[arg(long, value_enum, value_name = "METHOD", value_delimiter = ',', help_heading = "Method")]
    method: Vec<Method>,
    /// L2 regularization strength of `logistic`, `svm` and `euclidean-logistic`, in units of one node's loss; typically
    /// 0.01 to 10.
    #[arg(
        long,
        value_name = "X",
        allow_negative_numbers = true,
        default_value_t = ClassifierConfig::default().regularization,
        help_heading = "Method"
    )]
    regularization: f64,
    /// Number of neighbours for `knn`; typically 3 to 50.
    #[arg(long, value_name = "N", default_value_t = ClassifierConfig::default().neighbors, help_heading = "Method")]
    neighbors: usize,
    /// How `logistic` and `euclidean-logistic` treat several classes: one joint fit, or one per class against the rest, as in
    /// the paper. Nodes with several labels are always fitted one-vs-rest.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t = ClassifierConfig::default().multi_class,
        help_heading = "Method"
    )]
    multi_class: MultiClass,
    /// Number of random restarts of `logistic` and `svm`, 1 to 1000; the fit with the lowest loss is kept.
    #[arg(long, value_name = "N", default_value_t = ClassifierConfig::default().restarts, help_heading = "Method")]
    restarts: usize,
    /// Number of cross-validation folds.
    #[arg(long, value_name = "N", default_value_t = CrossValidation::default().folds, help_heading = "Validation")]
    folds: usize,
    /// Number of repetitions with different folds.
    #[arg(long, value_name = "N", default_value_t = CrossValidation::default().runs, help_heading = "Validation")]
    runs: usize,
    /// Random seed of the folds.
    #[arg(long, value_name = "S", default_value_t = CrossValidation::default().seed, help_heading = "Validation")]
    seed: u64,
    /// Also fit on all labelled nodes, and save the model for `hycome predict`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    save_model: Option<PathBuf>,
    /// Print a JSON object instead of the table.
    #[arg(long, help_heading = "Output")]
    json: bool,
}

const AFTER_HELP: &str = "\
Scores, all from 0 to 1:
  precision@n  fraction of the n top-ranked classes that are correct
  micro F1     over all node-class pairs, with as many classes as the node has
  macro F1     per class, then averaged: small classes count as much as large

Examples:
  hycome classify karate-run --labels karate
  hycome classify run --labels classes.txt --method gaussian,logistic,knn
  hycome classify run --labels classes.txt --save-model m.safetensors";

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    nodes: usize,
    dim: usize,
    labels: LabelsReport,
    validation: CrossValidation,
    results: Vec<Outcome>,
    /// Path of the saved model.
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
        anyhow::bail!(Usage(format!("--save-model needs one method, but --method has {found}")));
    }
    if let Some(path) = &args.save_model {
        output_format::expect(path, "a model", &["safetensors", "st"], false)?;
    }
    let run = saved_run::load(&args.run)?;
    let labels = labels::load(&args.labels, &run.names, &args.data)?;
    let validation = CrossValidation { folds: args.folds, runs: args.runs, seed: args.seed };
    let geometry = run.config.geometry;
    let config = |method| ClassifierConfig {
        method,
        geometry,
        neighbors: args.neighbors,
        regularization: args.regularization,
        multi_class: args.multi_class,
        restarts: args.restarts,
    };
    let mut methods =
        if args.method.is_empty() { vec![Method::default_for(geometry)] } else { args.method.clone() };
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
            "{method} did not converge in {}; increase --regularization",
            style::pluralize(folds, "fold", "folds"),
        ));
    }
    if let Some(path) = &args.save_model {
        let learnt = fit(&run.nodes, &labels, &config(methods[0]))?;
        if !learnt.converged {
            warnings.push("the saved model did not converge".to_owned());
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
    summary::print_report(&report, args.json, &report.warnings, || text(&report, args))
}

fn text(report: &Report, args: &Args) -> String {
    let style = style::stdout();
    let mut text = String::new();
    let nodes = style::pluralize(report.nodes, "node", "nodes");
    let run = format!("{}: {nodes}, {} dimensions", shown(&args.run), report.dim);
    summary::section(&mut text, style, "run", &[run]);
    summary::section(&mut text, style, "labels", &[summary::labels_text(&report.labels, report.nodes)]);
    let CrossValidation { folds, runs, seed } = report.validation;
    let validation = format!("{folds} folds, {}, seed {seed}", style::pluralize(runs, "run", "runs"));
    summary::section(&mut text, style, "validation", &[validation]);
    text.push('\n');
    text.push_str(&table(&report.results, style));
    if let Some(path) = &args.save_model {
        text.push('\n');
        summary::section(&mut text, style, "written", &[shown(path)]);
        let next = format!(
            "hycome predict {} --model {}",
            summary::shell_quote(&args.run),
            summary::shell_quote(path)
        );
        summary::section(&mut text, style, "next", &[next]);
    }
    text
}

/// A row per method. Multi-label data has columns for precision@3 and @5, and deviations only in `--json`.
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
