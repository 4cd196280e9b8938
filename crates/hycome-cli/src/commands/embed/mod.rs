//! `hycome embed`: train a node embedding and communities, score them, write a run.

mod files;
pub mod help;
mod report;
mod summary;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::ArgMatches;
use hycome::io::{checkpoint_file, history_file, run_file};
use hycome::machine::readable;
use hycome::plot::MAX_EDGES;
use hycome::train::memory::{Size, expect_within};
use hycome::train::{Checkpoint, CheckpointPolicy, Trained};
use hycome::{Run, TrainConfig, Trainer};

use crate::Usage;
use crate::args::checkpoint::{self, CheckpointOptions, CheckpointWriter, Origin};
use crate::args::graph::{self, GraphOptions, Input};
use crate::args::{config_file, memory_size, output_format};
use crate::interrupt::{self, Deferred};
use crate::node_table::communities_tsv;
use crate::partition_scores::{self, PartitionScores};
use crate::run_dir::RunDir;
use crate::term::output::{self, escaped, notify, shown};
use crate::term::progress::Bar;
use crate::term::style;
use crate::term::summary::{shell_quote, warn};
use files::{MAX_VIEWER_NODES, RunFiles, viewer};
use report::{EmbedReport, SecondsReport};

/// Train a node embedding and detect communities; write both to a folder, with scores.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The graph: a dataset name (karate, books, football, polblogs; dblp and others after `hycome datasets get`), a
    /// file (edge list, GML, Matrix Market, MATLAB 5; optionally .gz or .zst), a folder with edges.csv, or - for
    /// standard input. Use ./karate for a file of that name.
    #[arg(value_name = "GRAPH", required_unless_present = "resume")]
    graph: Option<PathBuf>,
    #[command(flatten)]
    options: GraphOptions,
    /// Output folder [default: NAME-run].
    #[arg(short, long = "output", value_name = "DIR")]
    output: Option<PathBuf>,
    /// Do not write the interactive viewer, disc.html.
    #[arg(long)]
    no_plot: bool,
    /// Save the points of every epoch to history.safetensors, and add a training animation to disc.html.
    #[arg(long)]
    history: bool,
    /// Print a JSON object instead of the summary.
    #[arg(long)]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    config: TrainConfig,
    #[command(flatten)]
    checkpoints: CheckpointOptions,
    /// TOML file with hyperparameters, such as `learning_rate = 0.02`; flags override it.
    #[arg(long = "config", value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Number of threads; does not affect the result [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Memory limit, such as 500M or 2G; training that needs more is refused before it starts [default: available
    /// memory].
    #[arg(long, value_name = "SIZE", value_parser = memory_size::parse_size)]
    max_memory: Option<u64>,
}

const AFTER_HELP: &str = "\
Examples:
  hycome embed karate
  hycome embed football --dim 10 --seed 7 -o football-10
  hycome embed edges.csv.gz --communities 8
  hycome embed graph.mat --labels classes.txt --largest-component --json
  zcat edges.gz | hycome embed - --communities 4 -o run
  hycome embed --resume run

The output folder contains run.safetensors (points, mixture and settings, in
the safetensors format), communities.tsv (node, community counted from 0,
probability), metrics.json (the --json object) and disc.html (interactive
viewer of the Poincaré disc; not for Euclidean geometries).";

/// A training to run.
struct Task {
    origin: Origin,
    folder: Option<PathBuf>,
    history: bool,
    start: Start,
}

/// Initial state of a training.
enum Start {
    New(TrainConfig),
    Resume(Checkpoint, RunDir),
}

impl Task {
    fn new(args: &Args, matches: &ArgMatches) -> anyhow::Result<Self> {
        if let Some(folder) = &args.output {
            output_format::refuse_standard_output(folder)?;
        }
        match &args.checkpoints.resume {
            Some(folder) => Self::resumed(folder, args, matches),
            None => Self::fresh(args, matches),
        }
    }

    fn fresh(args: &Args, matches: &ArgMatches) -> anyhow::Result<Self> {
        let config = config_file::merge(args.config_file.as_deref(), &args.config, matches)?;
        config.validate()?;
        if args.history && config.geometry.is_euclidean() {
            anyhow::bail!(Usage(format!(
                "--history animates the Poincaré disc, which --geometry {} does not have; remove one of them",
                config.geometry.name()
            )));
        }
        let graph = args.graph.clone().context("GRAPH is required")?;
        let options = GraphOptions { many_classes: config.communities.is_some(), ..args.options.clone() };
        let origin = Origin { graph, options, no_plot: args.no_plot };
        let (folder, history) = (args.output.clone(), args.history);
        Ok(Self { origin, folder, history, start: Start::New(config) })
    }

    fn resumed(folder: &Path, args: &Args, matches: &ArgMatches) -> anyhow::Result<Self> {
        checkpoint::refuse_settings(matches)?;
        let run_dir = RunDir::of_checkpoint(folder)?;
        let (checkpoint, origin) = checkpoint_file::load(&run_dir.checkpoint())?;
        let origin = Origin::from_text(&origin, args.graph.as_deref(), folder)?;
        let history = checkpoint.keeps_snapshots;
        Ok(Self { origin, folder: Some(folder.into()), history, start: Start::Resume(checkpoint, run_dir) })
    }
}

pub fn run(args: &Args, matches: &ArgMatches) -> anyhow::Result<()> {
    let clock = Instant::now();
    let Task { origin, folder, history, start } = Task::new(args, matches)?;
    let bar = Bar::new(args.quiet);
    let pool = interrupt::pool(args.threads.map_or(0, usize::from)).context("cannot start threads")?;
    bar.phase(&format!("reading {}", graph::display_name(&origin.graph)));
    let input = pool.install(|| graph::load(&origin.graph, &origin.options, args.quiet, &bar))?;
    let load_seconds = clock.elapsed().as_secs_f64();
    let folder = folder.unwrap_or_else(|| default_folder(&input.loaded.name));
    bar.phase("preparing the training");
    let prepared = pool.install(|| prepare(start, args, &origin, &input, &folder, history))?;
    let Prepared { trainer, run_dir, expected_memory } = prepared;
    if !args.quiet {
        notify(&format!("note: training needs about {} of memory", readable(expected_memory)));
    }
    let replaces_run = folder.join(run_file::RUN_FILE).exists();

    let writer = CheckpointWriter::default();
    let checkpoints = writer.checkpoints(&args.checkpoints, origin.to_text(), run_dir.checkpoint());
    // Signals wait for the checkpoint or, if training is too short to have one, for the result.
    let mut deferred = Some(Deferred::new());
    let trained = pool.install(|| train(trainer, &input, history, checkpoints, &bar))?;
    let Some(trained) = trained else { return Err(interrupted(&writer, &folder)) };
    if run_dir.checkpoint().exists() {
        if interrupt::requested() {
            return Err(interrupted(&writer, &folder));
        }
        deferred = None;
    }
    let Trained { run, snapshots, timings, .. } = &trained;
    bar.phase("scoring and writing");
    // Threads that ignore the interrupt flag: from here on the result is written in spite of a deferred signal.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(pool.current_num_threads()).build();
    let pool = pool.context("cannot start threads")?;
    let (scored, communities) = pool.install(|| score(run, &input))?;
    let seconds = SecondsReport::new(load_seconds, timings, clock.elapsed().as_secs_f64());
    let threads = pool.current_num_threads();
    let report = EmbedReport::new(&trained, &input, scored, seconds, threads, expected_memory);

    let run_bytes = run_file::to_bytes(run, &folder.join(run_file::RUN_FILE))?;
    let viewer = || viewer(run, &input, snapshots, args.quiet);
    let files = RunFiles {
        metrics: output::json(&report)?,
        communities,
        viewer: if origin.no_plot { None } else { pool.install(viewer)? },
        history: history.then(|| history_file::to_bytes(snapshots, &run_bytes)),
        run: run_bytes,
    };
    let staged = files.stage(&folder, replaces_run)?;
    deferred.get_or_insert_with(Deferred::new); // the commit is not interrupted
    staged.commit()?;
    bar.finish();

    if args.json {
        output::print(&files.metrics)?;
    } else if !args.quiet {
        let (evaluate, style) = (graph_flags(&origin), style::stdout());
        let text = summary::text(&report, input.title, &folder, &files.names(), evaluate.as_deref(), style);
        output::print(&text)?;
    }
    if !args.quiet {
        if replaces_run {
            notify(&format!("note: replaced the earlier run in {}", shown(&folder)));
        }
        warn(&report.warnings);
    }
    Ok(())
}

/// Everything a training needs to start.
struct Prepared {
    trainer: Trainer,
    run_dir: RunDir,
    expected_memory: u64,
}

fn prepare(
    start: Start,
    args: &Args,
    origin: &Origin,
    input: &Input,
    folder: &Path,
    history: bool,
) -> anyhow::Result<Prepared> {
    let graph = &input.loaded.graph;
    let has_page = !origin.no_plot && graph.node_count() <= MAX_VIEWER_NODES;
    let size = Size {
        keeps_snapshots: history,
        page_edges: has_page.then_some(MAX_EDGES),
        ..Size::of(graph, rayon::current_num_threads())
    };
    match start {
        Start::New(mut config) => {
            if config.communities.is_none() {
                config.communities = Some(class_count(input)?);
            }
            let expected_memory = expect_within(args.max_memory, &config, &size)?;
            let trainer = Trainer::new(graph, config)?;
            let run_dir = RunDir::new(folder, args.checkpoints.overwrite)?;
            Ok(Prepared { trainer, run_dir, expected_memory })
        }
        Start::Resume(checkpoint, run_dir) => {
            let expected_memory = expect_within(args.max_memory, &checkpoint.config.to_config(), &size)?;
            let trainer = Trainer::resume(graph, checkpoint).with_context(|| {
                format!("{} cannot be resumed on {}", shown(&run_dir.checkpoint()), shown(&origin.graph))
            })?;
            Ok(Prepared { trainer, run_dir, expected_memory })
        }
    }
}

/// The number of label classes, as the default number of communities.
fn class_count(input: &Input) -> anyhow::Result<usize> {
    let classes = input.loaded.labels.as_ref().map_or(0, hycome::Labels::used_class_count);
    anyhow::ensure!(
        classes > 0,
        Usage(format!(
            "give --communities K, the number of communities: {} has no labels whose classes could be counted",
            escaped(&input.loaded.name)
        ))
    );
    Ok(classes)
}

/// `NAME-run` in the current folder.
fn default_folder(name: &str) -> PathBuf {
    PathBuf::from(format!("{}-run", output::file_name(name)))
}

/// Trains to the end; none if interrupted.
fn train(
    mut trainer: Trainer,
    input: &Input,
    history: bool,
    checkpoints: CheckpointPolicy,
    bar: &Bar,
) -> anyhow::Result<Option<Trained>> {
    trainer = trainer.with_checkpoints(checkpoints).with_names(input.loaded.names.clone());
    trainer = trainer.with_layout();
    if history {
        trainer = trainer.with_snapshots();
    }
    let outcome = trainer.train(&mut |progress| {
        bar.update(progress);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(outcome.finished())
}

/// The error of an interrupted training.
fn interrupted(writer: &CheckpointWriter, folder: &Path) -> anyhow::Error {
    match writer.last() {
        Some(Err(error)) => error.context("interrupted"),
        _ => anyhow::anyhow!(
            "interrupted; resume with `hycome embed --resume {0}`, or inspect the unfinished run with \
             `hycome info {0}`",
            shell_quote(folder)
        ),
    }
}

/// Scores of the communities, and the table of nodes.
fn score(run: &Run, input: &Input) -> anyhow::Result<(PartitionScores, String)> {
    let responsibilities = run.responsibilities()?;
    let (communities, probabilities) = (responsibilities.communities(), responsibilities.probabilities());
    let (graph, labels) = (&input.loaded.graph, input.loaded.labels.as_ref());
    let scored = partition_scores::score(graph, labels, &communities, &probabilities, run.mixture.len());
    Ok((scored, communities_tsv(&run.names, &communities, &probabilities)))
}

/// Flags with which `hycome evaluate` loads the same graph; none for standard input.
fn graph_flags(origin: &Origin) -> Option<String> {
    if origin.graph == Path::new("-") {
        return None;
    }
    let mut flags = format!("--graph {}", shell_quote(&origin.graph));
    if let Some(labels) = origin.options.labels.as_deref().filter(|&labels| labels != Path::new("-")) {
        flags.push_str(&format!(" --labels {}", shell_quote(labels)));
    }
    flags.push_str(&origin.options.reading.flags());
    if origin.options.largest_component {
        flags.push_str(" --largest-component");
    }
    if let Some(data) = &origin.options.data.data {
        flags.push_str(&format!(" --data {}", shell_quote(data)));
    }
    Some(flags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_folder_is_in_the_current_one() {
        assert_eq!(default_folder("karate"), Path::new("karate-run"));
        assert_eq!(default_folder("/"), Path::new("_-run"));
    }
}
