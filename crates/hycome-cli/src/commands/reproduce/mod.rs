//! `hycome reproduce`: the paper's tables, with our results beside them.

mod report;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use hycome::datasets::{Dataset, dataset};
use hycome::io::LoadedGraph;
use hycome_experiments::tables::{HYPERBOLIC, PaperTable, TABLES, source};
use hycome_experiments::{
    DatasetSummary, Job, JobOnGraph, Protocol, ReproductionPlan, ReproductionReport, ResultLog,
};
use serde_json::{Map, Value};

use crate::Usage;
use crate::args::data_dir::{DataOptions, get_command};
use crate::args::{config_file, output_format};
use crate::commands::sweep::load_source;
use crate::file_set::{self, FileSet};
use crate::jobs::JobPool;
use crate::term::output::{self, notify, shown};
use crate::term::style;

/// Reproduce the paper's tables, with our results beside the published ones.
///
/// Each cell is marked ahead, level or behind. Level means within the standard deviations of both, or equal after
/// rounding to the published digits. Graphs that are not downloaded are skipped (see `hycome datasets get`). Results
/// are saved to the output folder as they complete: the same command resumes, and tables share trainings.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome reproduce table4                    small graphs, built in: a minute
  hycome reproduce all --quick               minutes; fewer seeds, walks, dimensions
  hycome reproduce table2 --only dblp --seeds 10 -o dblp-tables
  hycome reproduce all --config settings.toml
  hycome reproduce table4 --protocol paper   the paper's own method and grid

Settings apply to all trainings, and those under the name of a graph to its own:
  learning_rate = 0.02
  [blogcatalog]
  alpha = 0.1")]
pub struct Args {
    /// Table of the paper.
    #[arg(value_enum, value_name = "TABLE", default_value = "all")]
    table: Choice,
    /// Protocol: hycome's defaults, or that of the paper.
    ///
    /// `paper` selects window, negatives, loss weights and learning rate of each graph and dimension by conductance from the
    /// paper's grid, with 10 warm-up epochs, curvature 1, one start, no pre-training, no shrinkage of scales and one-vs-rest
    /// logistic regression. With five seeds it has up to twenty times as many trainings.
    #[arg(long, value_enum, default_value = "default")]
    protocol: ProtocolChoice,
    /// Quick check with fewer seeds, walks, dimensions and repetitions, without flickr; not comparable to the paper.
    #[arg(long)]
    quick: bool,
    /// Number of seeds, 1 to N [default: 5; 2 with --quick].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Only these graphs, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// TOML file with hyperparameters that override the defaults.
    #[arg(long = "config", value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Number of threads, shared by concurrent trainings; does not affect the results [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    #[command(flatten)]
    data: DataOptions,
    /// Output folder for report.md, report.json and results.jsonl [default: reproduce; reproduce-paper with --protocol
    /// paper].
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print a JSON object instead of the tables.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Community detection, unsupervised.
    Table2,
    /// Node classification.
    Table3,
    /// Node classification on small graphs.
    Table4,
    /// Majority-community baseline.
    Table5,
    /// All tables.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProtocolChoice {
    /// hycome's defaults, the same rules for every graph.
    Default,
    /// The grid and the settings of the paper.
    Paper,
}

/// Default number of seeds.
const SEEDS: u64 = 5;
const QUICK_SEEDS: u64 = 2;

/// Walks per node with `--quick`, instead of the paper's ten.
const QUICK_WALKS: u64 = 2;

/// Dimensions of the paper, and with `--quick`.
const DIMS: [usize; 3] = [2, 5, 10];
const QUICK_DIMS: [usize; 2] = [2, 10];

/// Graphs skipped by `--quick`.
const SLOW: [&str; 1] = ["flickr"];

pub fn run(args: &Args) -> anyhow::Result<()> {
    let number = match args.table {
        Choice::Table2 => Some(2),
        Choice::Table3 => Some(3),
        Choice::Table4 => Some(4),
        Choice::Table5 => Some(5),
        Choice::All => None,
    };
    let tables: Vec<&PaperTable> =
        TABLES.iter().filter(|table| number.is_none_or(|number| table.number == number)).collect();
    let mut plan = plan(args)?;
    let requested = requested(&tables, args)?;
    let workers = JobPool::new(args.threads, args.quiet);
    let output = output_folder(args);
    output_format::refuse_standard_output(&output)?;
    file_set::probe(&output)?;

    let mut graphs: HashMap<&'static str, LoadedGraph> = HashMap::new();
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers.threads).build();
    let pool = pool.context("cannot start threads")?;
    for dataset in requested {
        let Some(loaded) = pool.install(|| load(dataset, &args.data))? else {
            missing.push(dataset);
            continue;
        };
        let labels = loaded.labels.as_ref().with_context(|| format!("`{}` has no labels", dataset.name))?;
        present.push(pool.install(|| DatasetSummary::new(dataset.name, labels, plan.runs))?);
        graphs.insert(dataset.name, loaded);
    }
    let names: Vec<&str> = missing.iter().map(|dataset| dataset.name).collect();
    if !missing.is_empty() && !args.quiet {
        notify(&format!(
            "note: skipped, not downloaded: {}; get them with `{}`",
            names.join(" "),
            get_command(&missing)
        ));
    }

    std::fs::create_dir_all(&output)
        .with_context(|| format!("{}: cannot create the folder", shown(&output)))?;
    let log = train(&mut plan, &tables, &present, &graphs, workers, &output.join("results.jsonl"))?;

    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let command = format!("hycome {}", arguments.join(" "));
    let report = ReproductionReport::new(&plan, &tables, &present, names, &log, command);
    let (markdown, json) = (report.markdown(), output::json(&report)?);
    let files: [(&str, &[u8]); 2] = [("report.md", markdown.as_bytes()), ("report.json", json.as_bytes())];
    FileSet::stage(&output, &files)?.commit()?;
    if args.json {
        return output::print(&json);
    }
    if !args.quiet {
        output::print(&report::text(&report, style::stdout()))?;
        let folder = shown(&output);
        notify(&format!("written: {}/: report.md, report.json, results.jsonl", folder.trim_end_matches('/')));
    }
    Ok(())
}

/// Trains what the tables need: first the candidates of the search, if the protocol has one, then the reported trainings.
fn train(
    plan: &mut ReproductionPlan,
    tables: &[&PaperTable],
    present: &[DatasetSummary],
    graphs: &HashMap<&'static str, LoadedGraph>,
    workers: JobPool,
    path: &Path,
) -> anyhow::Result<ResultLog> {
    let mut log = ResultLog::open(path)?;
    let mut jobs = plan.search_jobs(tables, present);
    if !jobs.is_empty() {
        if !workers.quiet {
            let candidates = style::pluralize(jobs.len(), "training", "trainings");
            notify(&format!("note: selecting hyperparameters by conductance: {candidates}"));
        }
        log = workers.run(&on_graphs(&jobs, graphs), log, path)?;
        let score = |job: &Job, name: &str| log.find(job)?.outcome.metrics()?.unweighted(name);
        plan.select(tables, present, &score);
    }
    let reported = plan.jobs(tables, present, &|job: &Job| log.find(job).is_some());
    jobs.extend(reported);
    workers.run(&on_graphs(&jobs, graphs), log, path)
}

/// Jobs with their graphs.
fn on_graphs<'a>(jobs: &'a [Job], graphs: &'a HashMap<&'static str, LoadedGraph>) -> Vec<JobOnGraph<'a>> {
    jobs.iter().filter_map(|job| Some((job, graphs.get(job.source.graph.as_str())?))).collect()
}

fn output_folder(args: &Args) -> PathBuf {
    let default = match args.protocol {
        ProtocolChoice::Default => "reproduce",
        ProtocolChoice::Paper => "reproduce-paper",
    };
    args.output.clone().unwrap_or_else(|| default.into())
}

fn plan(args: &Args) -> anyhow::Result<ReproductionPlan> {
    let seeds = args.seeds.unwrap_or(if args.quick { QUICK_SEEDS } else { SEEDS });
    let mut settings = Map::new();
    if args.quick {
        settings.insert("walks".into(), QUICK_WALKS.into());
    }
    let mut settings_of = Map::new();
    if let Some(path) = &args.config_file {
        let (of_graphs, of_all): (Map<_, _>, Map<_, _>) =
            config_file::table(path)?.into_iter().partition(|(_, value)| value.is_object());
        settings.extend(config_file::check(path, of_all)?);
        for (name, value) in of_graphs {
            let known = dataset(&name).with_context(|| unknown_graph(&name));
            let known = known.map_err(|error| Usage(format!("{}: {error}", shown(path))))?;
            let Value::Object(table) = value else { continue };
            settings_of.insert(known.name.to_owned(), config_file::check(path, table)?.into());
        }
    }
    let protocol = match args.protocol {
        ProtocolChoice::Default => Protocol::Default,
        ProtocolChoice::Paper => Protocol::Paper,
    };
    let plan = ReproductionPlan {
        protocol,
        quick: args.quick,
        seeds: (1..=seeds).collect(),
        dims: if args.quick { QUICK_DIMS.to_vec() } else { DIMS.to_vec() },
        runs: if args.quick { 1 } else { hycome::classify::CrossValidation::default().runs },
        settings,
        settings_of,
        ..ReproductionPlan::default()
    };
    for data in TABLES.iter().flat_map(|table| table.data) {
        let config = plan.config(&HYPERBOLIC, data, 2).map_err(Usage)?;
        config.validate()?;
    }
    Ok(plan)
}

/// The requested graphs of the tables, without duplicates.
fn requested(tables: &[&PaperTable], args: &Args) -> anyhow::Result<Vec<&'static Dataset>> {
    for name in &args.only {
        dataset(name)
            .with_context(|| unknown_graph(name))
            .map_err(|error| Usage(format!("--only: {error}")))?;
    }
    let only: Vec<&str> = args.only.iter().filter_map(|name| Some(dataset(name)?.name)).collect();
    let mut names: Vec<&'static str> = Vec::new();
    for &name in tables.iter().flat_map(|table| table.data) {
        let is_asked =
            if only.is_empty() { !(args.quick && SLOW.contains(&name)) } else { only.contains(&name) };
        if is_asked && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        let there: Vec<&str> = tables.iter().flat_map(|table| table.data).copied().collect();
        anyhow::bail!(Usage(format!(
            "--only: the table has none of these graphs; it has {}",
            there.join(", ")
        )));
    }
    Ok(names.into_iter().filter_map(dataset).collect())
}

fn unknown_graph(name: &str) -> String {
    let names: Vec<&str> = hycome::datasets::MANIFEST.iter().map(|dataset| dataset.name).collect();
    format!("no dataset is named `{}`; expected one of {}", output::escaped(name), names.join(", "))
}

/// Loads a graph; none if it is not downloaded.
fn load(dataset: &'static Dataset, data: &DataOptions) -> anyhow::Result<Option<LoadedGraph>> {
    let is_here = data.folder().is_some_and(|folder| dataset.find(&folder).is_some());
    if dataset.builtin().is_none() && !is_here {
        return Ok(None);
    }
    let source = source(dataset.name);
    debug_assert_eq!(Path::new(&source.graph), Path::new(dataset.name));
    load_source(&source, data).map(Some)
}
