//! `hycome sweep`: grid search over hyperparameters and seeds.

mod table;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::io::{LoadedGraph, stage};
use hycome_experiments::csv::to_csv;
use hycome_experiments::{Grid, Group, Job, JobOnGraph, Record, ResultLog, SeedStats, Source, groups};
use serde::Serialize;

use crate::Usage;
use crate::args::data_dir::DataOptions;
use crate::args::graph::{self, GraphOptions, ReadingOptions};
use crate::args::suggestion::did_you_mean;
use crate::args::{config_file, output_format};
use crate::jobs::JobPool;
use crate::term::output::{self, escaped, notify, shown};
use crate::term::progress::Bar;
use crate::term::{style, summary};

/// Grid search: train every combination of hyperparameters over several seeds and rank them.
///
/// The grid is a TOML file: `graph`, and any hyperparameter of `hycome embed` with a value or a list of values. Each
/// result is appended to a JSON Lines file as it completes. The same command resumes an interrupted sweep, and an
/// extended grid reuses existing results. Results do not depend on the number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// TOML file; paths in it are relative to the current folder.
    #[arg(value_name = "GRID")]
    grid: PathBuf,
    /// Metric to rank by, for each number of communities alone: modularity, conductance, nmi, ami, ari, precision_at_1, or of a classifier, such as
    /// logistic.micro_f1. Conductance (lower is better) falls with the number of communities.
    #[arg(long, value_name = "SCORE", default_value = "modularity")]
    by: String,
    #[command(flatten)]
    data: DataOptions,
    /// Results file, JSON Lines [default: name of the grid with .jsonl, in the current folder].
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Also write a CSV table with a row per training.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Print a JSON object instead of the table.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// Number of threads, shared by concurrent trainings; does not affect the results [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

const AFTER_HELP: &str = "\
A grid:
  graph = [\"football\", \"polblogs\"]
  largest_component = true
  seeds = 5                        # 1 to 5; or a list
  dim = [2, 10]
  learning_rate = [0.01, 0.02]
  classify = [\"logistic\", \"knn\"]   # cross-validated

Examples:
  hycome sweep grid.toml
  hycome sweep grid.toml --by nmi --csv grid.csv --json";

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report<'a> {
    version: &'static str,
    results: String,
    by: &'a str,
    /// The best combination of each graph and number of communities.
    best: Vec<Best<'a>>,
    combinations: Vec<Combination<'a>>,
    warnings: Vec<String>,
}

/// The best combination of a graph with one number of communities.
///
/// Numbers of communities are not ranked against each other: conductance and the scores against labels would prefer the
/// fewest or the most.
#[derive(Clone, Copy, Debug, Serialize)]
struct Best<'a> {
    graph: &'a str,
    communities: Option<usize>,
    /// Index of the combination.
    combination: usize,
}

#[derive(Debug, Serialize)]
struct Combination<'a> {
    #[serde(flatten)]
    job: &'a Job,
    seeds: Vec<u64>,
    failures: usize,
    metrics: &'a BTreeMap<String, SeedStats>,
    train_seconds: SeedStats,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(csv) = &args.csv {
        output_format::expect(csv, "the table of --csv", &["csv"], true)?;
    }
    if let Some(results) = &args.output {
        output_format::expect(results, "results", &["jsonl", "ndjson"], false)?;
    }
    let table = read(&args.grid)?;
    let mut grid = Grid::expand(&args.grid, &table).map_err(|error| Usage(error.to_string()))?;
    let workers = JobPool::new(args.threads, args.quiet);
    let graphs = load_graphs(&mut grid.jobs, &args.data, workers.threads)?;
    let path = args.output.clone().unwrap_or_else(|| default_file(&args.grid));
    let tasks: Vec<JobOnGraph<'_>> = grid.jobs.iter().map(|job| (job, &graphs[&job.source])).collect();
    check_metric(&args.by, &tasks)?;
    let log = workers.run(&tasks, ResultLog::open(&path)?, &path)?;

    let records: Vec<&Record> = grid.jobs.iter().filter_map(|job| log.find(job)).collect();
    let mut found = groups(&records);
    found.sort_by(|a, b| {
        let name = |job: &Job| job.source.graph.clone();
        let graph = |group: &Group<'_>| grid.jobs.iter().position(|job| name(job) == name(group.job));
        let communities = |group: &Group<'_>| group.job.config.communities;
        let place = |group: &Group<'_>| (graph(group), communities(group));
        place(a).cmp(&place(b)).then_with(|| a.compare(b, &args.by))
    });
    let best = best(&found, &args.by);
    let mut warnings = warnings(&found, &best);
    if args.by.ends_with("conductance") && grid.varied.iter().any(|key| key == "communities") {
        warnings.push(
            "conductance falls with the number of communities, so it cannot select it: combinations are ranked for \
             each number alone; compare numbers by modularity"
                .to_owned(),
        );
    }
    if let Some(csv) = &args.csv {
        let text = to_csv(&records);
        stage(csv, |out| out.write_all(text.as_bytes()))?.commit()?;
    }
    if args.json {
        let report = Report {
            version: env!("CARGO_PKG_VERSION"),
            results: path.display().to_string(),
            by: &args.by,
            combinations: found.iter().map(Combination::new).collect(),
            best,
            warnings,
        };
        return output::print_json(&report);
    }
    if !args.quiet {
        let style = style::stdout();
        let mut text = table::text(&found, &grid.varied, &args.by, style);
        text.push('\n');
        for best in &best {
            let job = found[best.combination].job;
            text.push_str(&table::best(best.graph, job, &grid.varied, &args.by, style));
        }
        output::print(&text)?;
        summary::warn(&warnings);
        let csv = args.csv.as_ref().map_or(String::new(), |csv| format!(", {}", shown(csv)));
        notify(&format!("written: {}{csv}", shown(&path)));
    }
    Ok(())
}

impl<'a> Combination<'a> {
    fn new(group: &'a Group<'a>) -> Self {
        let measured = group.records.iter().filter_map(|record| record.outcome.metrics());
        Self {
            job: group.job,
            seeds: group.records.iter().map(|record| record.job.config.seed).collect(),
            failures: group.failures,
            metrics: &group.metrics,
            train_seconds: SeedStats(measured.map(|measured| measured.train_seconds).collect()),
        }
    }
}

/// Reads the grid; fails for unknown keys.
fn read(path: &Path) -> anyhow::Result<serde_json::Map<String, serde_json::Value>> {
    let table = config_file::table(path)?;
    let keys = Grid::keys();
    if let Some(key) = table.keys().find(|key| !keys.contains(key)) {
        let near = did_you_mean(key, keys.iter().map(String::as_str));
        let (place, key, keys) = (shown(path), escaped(key), keys.join(", "));
        anyhow::bail!(Usage(format!("{place}: unknown key `{key}`{near}; expected one of {keys}")));
    }
    Ok(table)
}

/// Loads every graph once, and sets missing numbers of communities to the number of classes.
fn load_graphs(
    jobs: &mut [Job],
    data: &DataOptions,
    threads: usize,
) -> anyhow::Result<HashMap<Source, LoadedGraph>> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    let mut graphs: HashMap<Source, LoadedGraph> = HashMap::new();
    for job in jobs {
        if !graphs.contains_key(&job.source) {
            let loaded = pool.install(|| load_source(&job.source, data))?;
            graphs.insert(job.source.clone(), loaded);
        }
        let labels = graphs[&job.source].labels.as_ref();
        let classes = labels.map(hycome::Labels::used_class_count).filter(|&classes| classes > 0);
        let name = escaped(&job.source.graph);
        if job.config.communities.is_none() {
            let missing = || {
                Usage(format!("{name} has no labels whose classes could be counted; give communities = K"))
            };
            job.config.communities = Some(classes.ok_or_else(missing)?);
        }
        if job.classify.is_some() && classes.is_none() {
            anyhow::bail!(Usage(format!("{name} has no labels, which `classify` needs")));
        }
    }
    Ok(graphs)
}

/// Loads the graph of a job.
pub fn load_source(source: &Source, data: &DataOptions) -> anyhow::Result<LoadedGraph> {
    let options = GraphOptions {
        labels: source.labels.as_ref().map(PathBuf::from),
        largest_component: source.largest_component,
        unweighted: source.unweighted,
        reading: ReadingOptions { repeated: source.repeated, ..ReadingOptions::default() },
        data: data.clone(),
        ..GraphOptions::default()
    };
    anyhow::ensure!(source.graph != "-", Usage("a grid cannot use standard input".into()));
    Ok(graph::load(Path::new(&source.graph), &options, false, &Bar::new(false))?.loaded)
}

/// Fails early for a metric that no training will have.
fn check_metric(by: &str, tasks: &[JobOnGraph<'_>]) -> anyhow::Result<()> {
    let mut scores = vec!["conductance".to_owned(), "modularity".to_owned()];
    if tasks.iter().any(|(_, loaded)| loaded.graph.is_weighted()) {
        scores.extend(["unweighted_conductance", "unweighted_modularity"].map(str::to_owned));
    }
    if tasks.iter().any(|(_, loaded)| loaded.labels.is_some()) {
        scores.extend(["nmi", "nmi_paper", "precision_at_1", "precision_at_1_by_size"].map(str::to_owned));
    }
    let multi_label =
        tasks.iter().any(|(_, loaded)| loaded.labels.as_ref().is_some_and(|l| l.is_multi_label()));
    if tasks.iter().any(|(_, loaded)| loaded.labels.as_ref().is_some_and(|l| !l.is_multi_label())) {
        scores.extend(["ami", "ari"].map(str::to_owned));
    }
    for method in
        tasks.iter().filter_map(|(job, _)| job.classify.as_ref()).flat_map(|classify| &classify.methods)
    {
        let places = if multi_label { &["precision_at_3", "precision_at_5"][..] } else { &[] };
        for score in ["precision_at_1", "micro_f1", "macro_f1"].iter().chain(places) {
            scores.push(format!("{}.{score}", method.name()));
        }
    }
    scores.dedup();
    if scores.iter().any(|score| score == by) {
        return Ok(());
    }
    let near = did_you_mean(by, scores.iter().map(String::as_str));
    scores.sort();
    scores.dedup();
    let (by, scores) = (escaped(by), scores.join(", "));
    anyhow::bail!(Usage(format!(
        "--by: no training of this grid has the metric `{by}`{near}; expected one of {scores}"
    )))
}

/// The first combination of each graph and number of communities that has the metric.
fn best<'a>(groups: &'a [Group<'a>], by: &str) -> Vec<Best<'a>> {
    let mut best: Vec<Best<'a>> = Vec::new();
    for (combination, group) in groups.iter().enumerate() {
        let (graph, communities) = (group.job.source.graph.as_str(), group.job.config.communities);
        let is_first = !best.iter().any(|best| (best.graph, best.communities) == (graph, communities));
        if is_first && group.failures == 0 && group.metrics.contains_key(by) {
            best.push(Best { graph, communities, combination });
        }
    }
    best
}

/// Warnings about the best combinations, and failures.
fn warnings(groups: &[Group<'_>], best: &[Best<'_>]) -> Vec<String> {
    let mut messages = Vec::new();
    for best in best {
        for record in &groups[best.combination].records {
            for message in record.outcome.metrics().map_or(&[][..], |measured| &measured.warnings) {
                let (name, seed) = (escaped(best.graph), record.job.config.seed);
                messages.push(format!("the best of {name}, seed {seed}: {message}"));
            }
        }
    }
    let failures: usize = groups.iter().map(|group| group.failures).sum();
    if let Some(record) =
        groups.iter().flat_map(|group| &group.records).find(|r| r.outcome.metrics().is_none())
        && let hycome_experiments::Outcome::Failed(error) = &record.outcome
    {
        let failed = style::pluralize(failures, "training", "trainings");
        messages.push(format!("{failed} failed, the first with: {error}"));
    }
    messages
}

fn default_file(grid: &Path) -> PathBuf {
    let stem = grid.file_stem().unwrap_or(grid.as_os_str()).to_string_lossy();
    PathBuf::from(format!("{}.jsonl", output::file_name(&stem)))
}
