//! `hycome sweep`: every combination of lists of settings, over several seeds.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::experiments::{Grid, Group, Job, Record, Sample, Source, Store, groups};
use hycome::io::{LoadedGraph, stage};
use serde::Serialize;

use crate::data::DataOptions;
use crate::load::{self, GraphOptions, nearest};
use crate::output::{self, escaped, say, shown};
use crate::style;
use crate::workers::{Task, Workers};
use crate::{Usage, config_file, formats, summary, sweep_table};

/// Train every combination of lists of settings over several seeds, and tell which is best.
///
/// The grid is a TOML file: `graph`, and any setting of `hycome embed` with a value or a list of values. Each result is
/// written to a file of lines as soon as it is there. Whatever interrupts the sweep, the same command goes on from there;
/// a grid that has grown uses what is known. The results do not depend on the number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// TOML file with the lists; paths of graphs and labels in it are seen from the current folder.
    #[arg(value_name = "GRID")]
    grid: PathBuf,
    /// Score that decides: modularity, conductance, nmi, ari, precision_at_1, or for a classifier logistic.micro_f1 and
    /// the like. Of conductance less is better, and it cannot choose the number of communities: fewer have less.
    #[arg(long, value_name = "SCORE", default_value = "modularity")]
    by: String,
    #[command(flatten)]
    data: DataOptions,
    /// File of results, a line of JSON each [default: the grid's name with .jsonl, in the current folder].
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Also write a table with a row for each training, as CSV.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Print one JSON object instead of the table.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// Threads, which trainings share; the results do not depend on it [default: all cores].
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
  classify = [\"logistic\", \"knn\"]   # also scored, on nodes held out

Examples:
  hycome sweep grid.toml
  hycome sweep grid.toml --by nmi --csv grid.csv --json";

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report<'a> {
    version: &'static str,
    results: String,
    by: &'a str,
    /// Places of the best combination of each graph among the combinations.
    best: BTreeMap<&'a str, usize>,
    combinations: Vec<Combination<'a>>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Combination<'a> {
    #[serde(flatten)]
    job: &'a Job,
    seeds: Vec<u64>,
    failures: usize,
    metrics: &'a BTreeMap<String, Sample>,
    train_seconds: Sample,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(csv) = &args.csv {
        formats::expect(csv, "the table of --csv", &["csv"], true)?;
    }
    if let Some(results) = &args.output {
        formats::expect(results, "a file of results", &["jsonl", "ndjson"], false)?;
    }
    let table = read(&args.grid)?;
    let mut grid = Grid::expand(&args.grid, &table).map_err(|error| Usage(error.to_string()))?;
    let workers = Workers::new(args.threads, args.quiet);
    let graphs = load_graphs(&mut grid.jobs, &args.data, workers.threads)?;
    let path = args.output.clone().unwrap_or_else(|| default_file(&args.grid));
    let tasks: Vec<Task<'_>> = grid.jobs.iter().map(|job| (job, &graphs[&job.source])).collect();
    known_score(&args.by, &tasks)?;
    let store = workers.run(&tasks, Store::open(&path)?, &path)?;

    let records: Vec<&Record> = grid.jobs.iter().filter_map(|job| store.find(job)).collect();
    let mut found = groups(&records);
    found.sort_by(|a, b| {
        let name = |job: &Job| job.source.graph.clone();
        let graph = |group: &Group<'_>| grid.jobs.iter().position(|job| name(job) == name(group.job));
        graph(a).cmp(&graph(b)).then_with(|| a.compare(b, &args.by))
    });
    let best = best(&found, &args.by);
    let mut warnings = warnings(&found, &best);
    if args.by.ends_with("conductance") && grid.varied.iter().any(|key| key == "communities") {
        warnings.push(
            "conductance falls with the number of communities, so it prefers the fewest; choose the number by modularity"
                .to_owned(),
        );
    }
    if let Some(csv) = &args.csv {
        let text = sweep_table::csv(&records)?;
        stage(csv, |out| out.write_all(text.as_bytes()))?.put_in_place()?;
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
        let mut text = sweep_table::text(&found, &grid.varied, &args.by, style);
        text.push('\n');
        for (name, &place) in &best {
            text.push_str(&sweep_table::best(name, found[place].job, &grid.varied, &args.by, style));
        }
        output::print(&text)?;
        summary::warn(&warnings);
        let csv = args.csv.as_ref().map_or(String::new(), |csv| format!(", {}", shown(csv)));
        say(&format!("written: {}{csv}", shown(&path)));
    }
    Ok(())
}

impl<'a> Combination<'a> {
    fn new(group: &'a Group<'a>) -> Self {
        let measured = group.records.iter().filter_map(|record| record.outcome.measured());
        Self {
            job: group.job,
            seeds: group.records.iter().map(|record| record.job.config.seed).collect(),
            failures: group.failures,
            metrics: &group.metrics,
            train_seconds: Sample(measured.map(|measured| measured.train_seconds).collect()),
        }
    }
}

/// The table of a TOML file; unknown keys are told with what they may have meant.
fn read(path: &Path) -> anyhow::Result<serde_json::Map<String, serde_json::Value>> {
    let table = config_file::table(path)?;
    let keys = Grid::keys();
    if let Some(key) = table.keys().find(|key| !keys.contains(key)) {
        let near = nearest(key, keys.iter().map(String::as_str));
        let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
        let (place, key, keys) = (shown(path), escaped(key), keys.join(", "));
        anyhow::bail!(Usage(format!("{place}: unknown key `{key}`{near}; there are {keys}")));
    }
    Ok(table)
}

/// Loads every graph once, and counts communities where the grid does not say how many.
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
            anyhow::bail!(Usage(format!("{name} has no labels, so `classify` has nothing to learn from")));
        }
    }
    Ok(graphs)
}

/// Loads what a job names.
pub fn load_source(source: &Source, data: &DataOptions) -> anyhow::Result<LoadedGraph> {
    let options = GraphOptions {
        labels: source.labels.as_ref().map(PathBuf::from),
        largest_component: source.largest_component,
        unweighted: source.unweighted,
        data: data.clone(),
        ..GraphOptions::default()
    };
    anyhow::ensure!(source.graph != "-", Usage("a grid cannot read standard input".into()));
    Ok(load::load(Path::new(&source.graph), &options, false)?.loaded)
}

/// Refuses a score that no training will have, before anything is trained.
fn known_score(by: &str, tasks: &[Task<'_>]) -> anyhow::Result<()> {
    let mut scores = vec!["conductance".to_owned(), "modularity".to_owned()];
    if tasks.iter().any(|(_, loaded)| loaded.graph.is_weighted()) {
        scores.extend(["unweighted_conductance", "unweighted_modularity"].map(str::to_owned));
    }
    if tasks.iter().any(|(_, loaded)| loaded.labels.is_some()) {
        scores.extend(["nmi", "ari", "precision_at_1", "precision_at_1_by_size"].map(str::to_owned));
    }
    let multi_label =
        tasks.iter().any(|(_, loaded)| loaded.labels.as_ref().is_some_and(|l| l.is_multi_label()));
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
    let near = nearest(by, scores.iter().map(String::as_str));
    let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
    scores.sort();
    scores.dedup();
    let (by, scores) = (escaped(by), scores.join(", "));
    anyhow::bail!(Usage(format!(
        "--by: no training of this grid has the score `{by}`{near}; they have {scores}"
    )))
}

/// The first combination of each graph, where it has the score.
fn best<'a>(groups: &'a [Group<'a>], by: &str) -> BTreeMap<&'a str, usize> {
    let mut best = BTreeMap::new();
    for (place, group) in groups.iter().enumerate() {
        if group.failures == 0 && group.metrics.contains_key(by) {
            best.entry(group.job.source.graph.as_str()).or_insert(place);
        }
    }
    best
}

/// What the sizes of the best combinations say against their scores, and what failed.
fn warnings(groups: &[Group<'_>], best: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut sentences = Vec::new();
    for (name, &place) in best {
        for record in &groups[place].records {
            for sentence in record.outcome.measured().map_or(&[][..], |measured| &measured.warnings) {
                let (name, seed) = (escaped(name), record.job.config.seed);
                sentences.push(format!("the best of {name}, seed {seed}: {sentence}"));
            }
        }
    }
    let failures: usize = groups.iter().map(|group| group.failures).sum();
    if let Some(record) =
        groups.iter().flat_map(|group| &group.records).find(|r| r.outcome.measured().is_none())
        && let hycome::experiments::Outcome::Failed(error) = &record.outcome
    {
        let failed = style::counted(failures, "training", "trainings");
        sentences.push(format!("{failed} failed, the first with: {error}"));
    }
    sentences
}

fn default_file(grid: &Path) -> PathBuf {
    let stem = grid.file_stem().unwrap_or(grid.as_os_str()).to_string_lossy();
    PathBuf::from(format!("{}.jsonl", output::file_name(&stem)))
}
