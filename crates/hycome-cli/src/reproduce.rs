//! `hycome reproduce`: the paper's tables, measured again and set beside what it printed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use hycome::datasets::{Dataset, dataset};
use hycome::experiments::tables::{HYPERBOLIC, PaperTable, TABLES, source};
use hycome::experiments::{Job, Plan, Present, Store};
use hycome::io::LoadedGraph;
use serde_json::{Map, Value};

use crate::data::DataOptions;
use crate::output::{self, Bundle, say, shown};
use crate::reproduce_report::Report;
use crate::sweep::load_source;
use crate::workers::{Task, Workers};
use crate::{Usage, config_file, style};

/// Run the paper's experiments on the graphs that are here, and print its figures beside what was measured.
///
/// Each cell is marked: ahead, level or behind. Level means within one standard deviation over our seeds, or alike after
/// rounding to the printed digits. Graphs that are not downloaded are left out (see `hycome datasets get`). Trainings are
/// kept in the output folder as they come: an interrupted run goes on from there, and tables share them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome reproduce table4                    small graphs, built in: a minute
  hycome reproduce all --quick               minutes; fewer seeds, walks and dimensions
  hycome reproduce table2 --only dblp --seeds 10 -o dblp-tables
  hycome reproduce all --config settings.toml

Settings apply to all trainings, and those under the name of a graph to its own:
  learning_rate = 0.02
  [blogcatalog]
  alpha = 0.1")]
pub struct Args {
    /// Which table.
    #[arg(value_enum, value_name = "TABLE", default_value = "all")]
    table: Choice,
    /// Fewer seeds, walks, dimensions and runs, and no flickr: a first look, which is no repetition of the paper.
    #[arg(long)]
    quick: bool,
    /// Train with seeds 1 to N [default: 5, with --quick 2].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Only these graphs, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// TOML file with settings that differ from the defaults.
    #[arg(long = "config", value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Threads, which trainings share; the results do not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    #[command(flatten)]
    data: DataOptions,
    /// Folder for report.md, report.json and the trainings, results.jsonl.
    #[arg(short, long, value_name = "DIR", default_value = "reproduce", help_heading = "Output")]
    output: PathBuf,
    /// Print one JSON object instead of the tables.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Communities found without labels.
    Table2,
    /// Classes learnt from labels.
    Table3,
    /// Classes of small graphs.
    Table4,
    /// The most common community.
    Table5,
    /// All of them.
    All,
}

/// Seeds where none are given.
const SEEDS: u64 = 5;
const QUICK_SEEDS: u64 = 2;

/// Walks of a quick run, instead of the paper's ten.
const QUICK_WALKS: u64 = 2;

/// Dimensions of the paper, and of a quick run.
const DIMS: [usize; 3] = [2, 5, 10];
const QUICK_DIMS: [usize; 2] = [2, 10];

/// Graphs that take longer than a quick run should.
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
    let plan = plan(args)?;
    let asked = asked(&tables, args)?;
    let workers = Workers::new(args.threads, args.quiet);
    output::probe(&args.output)?;

    let mut graphs: HashMap<&'static str, LoadedGraph> = HashMap::new();
    let (mut present, mut missing) = (Vec::new(), Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers.threads).build();
    let pool = pool.context("cannot start threads")?;
    for dataset in asked {
        let Some(loaded) = pool.install(|| load(dataset, &args.data))? else {
            missing.push(dataset.name);
            continue;
        };
        let labels = loaded.labels.as_ref().with_context(|| format!("`{}` has no labels", dataset.name))?;
        present.push(pool.install(|| Present::new(dataset.name, labels, plan.runs))?);
        graphs.insert(dataset.name, loaded);
    }
    if !missing.is_empty() && !args.quiet {
        let names = missing.join(" ");
        say(&format!("note: not here, so left out: {names}; `hycome datasets get {names}` downloads them"));
    }

    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("{}: cannot make the folder", shown(&args.output)))?;
    let path = args.output.join("results.jsonl");
    let store = Store::open(&path)?;
    let jobs = plan.jobs(&tables, &present, &|job: &Job| store.find(job).is_some());
    let graph =
        |job: &Job| graphs.iter().find(|(name, _)| **name == job.source.graph).map(|(_, loaded)| loaded);
    let tasks: Vec<Task<'_>> = jobs.iter().filter_map(|job| Some((job, graph(job)?))).collect();
    let store = workers.run(&tasks, store, &path)?;

    let report = Report::new(&plan, &tables, &present, missing, &store, args.quick);
    let (markdown, json) = (report.markdown(), output::json(&report)?);
    let files: [(&str, &[u8]); 2] = [("report.md", markdown.as_bytes()), ("report.json", json.as_bytes())];
    Bundle::stage(&args.output, &files)?.put_in_place()?;
    if args.json {
        return output::print(&json);
    }
    if !args.quiet {
        output::print(&report.text(style::stdout()))?;
        let folder = shown(&args.output);
        say(&format!("written: {}/: report.md, report.json, results.jsonl", folder.trim_end_matches('/')));
    }
    Ok(())
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
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
    let plan = Plan {
        seeds: (1..=seeds).collect(),
        dims: if args.quick { QUICK_DIMS.to_vec() } else { DIMS.to_vec() },
        runs: if args.quick { 1 } else { hycome::classify::CrossValidation::default().runs },
        settings,
        settings_of,
    };
    for data in TABLES.iter().flat_map(|table| table.data) {
        let config = plan.config(&HYPERBOLIC, data, 2).map_err(Usage)?;
        config.validate()?;
    }
    Ok(plan)
}

/// The graphs of the tables, each once, that were asked for.
fn asked(tables: &[&PaperTable], args: &Args) -> anyhow::Result<Vec<&'static Dataset>> {
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
        anyhow::bail!(Usage(format!("--only: the table has none of these graphs, but {}", there.join(", "))));
    }
    Ok(names.into_iter().filter_map(dataset).collect())
}

fn unknown_graph(name: &str) -> String {
    let names: Vec<&str> = hycome::datasets::MANIFEST.iter().map(|dataset| dataset.name).collect();
    format!("no graph is called `{}`; there are {}", output::escaped(name), names.join(", "))
}

/// The graph with what of it is used; none if it is not here.
fn load(dataset: &'static Dataset, data: &DataOptions) -> anyhow::Result<Option<LoadedGraph>> {
    let is_here = data.folder().is_some_and(|folder| dataset.find(&folder).is_some());
    if dataset.builtin().is_none() && !is_here {
        return Ok(None);
    }
    let source = source(dataset.name);
    debug_assert_eq!(Path::new(&source.graph), Path::new(dataset.name));
    load_source(&source, data).map(Some)
}
