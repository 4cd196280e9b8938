//! `hycome embed`: train a graph's points and communities, score them, write them down.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use clap::ArgMatches;
use hycome::experiments::machine;
use hycome::geometry::Geometry;
use hycome::io::{checkpoint_file, history_file, run_file};
use hycome::plot::edges::MOST_EDGES;
use hycome::plot::page;
use hycome::train::memory::{Size, expect_within};
use hycome::train::{Checkpoint, Checkpoints, Seconds, Snapshot, TrainOutcome};
use hycome::{Run, TrainConfig, Trainer};
use serde_json::Value;

use crate::checkpoint::{self, CheckpointOptions, Keeper, Origin};
use crate::interrupt::Deferred;
use crate::load::{self, GraphOptions, Input};
use crate::output::{self, Bundle, escaped, say, shown};
use crate::place::Place;
use crate::progress::Bar;
use crate::report::{Dropped, EmbedReport, LabelsReport, SecondsReport};
use crate::scoring::{self, Scored};
use crate::{config_file, interrupt, memory, scenes, style, summary};

/// Steps out of the ball up to this share are a matter of course; beyond it the learning rate is too high.
const DROPPED_SHARE: f64 = 1e-3;

/// Coordinates of flat points beyond this have run away; those of karate, for one, stay below four.
const RUN_AWAY: f64 = 1000.0;

/// The page in a run's folder.
const PAGE: &str = "disc.html";

/// A page of more nodes is made only for those who ask `hycome plot` for it: browsers take long to open it.
const MOST_PLOTTED: usize = 200_000;

/// Learn points and communities of a graph, score them, and write them to a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// A known graph (karate, books, football, polblogs; dblp and others after `hycome datasets get`), a file (edge
    /// list, GML, Matrix Market, MATLAB 5; .gz and .zst too), a folder with edges.csv, or - for standard input.
    /// Write ./karate for a file of that name.
    #[arg(value_name = "GRAPH", required_unless_present = "resume")]
    graph: Option<PathBuf>,
    #[command(flatten)]
    options: GraphOptions,
    /// Folder for run.safetensors, communities.tsv, metrics.json and, of the ball, disc.html [default: NAME-run].
    #[arg(short, long = "output", value_name = "DIR", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Write no disc.html.
    #[arg(long, help_heading = "Output")]
    no_plot: bool,
    /// Keep the points after each epoch in history.safetensors, and show the training as a film in disc.html.
    #[arg(long, help_heading = "Output")]
    history: bool,
    /// Print one JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    #[command(flatten)]
    config: TrainConfig,
    #[command(flatten)]
    checkpoints: CheckpointOptions,
    /// TOML file with settings, such as `learning_rate = 0.02`; flags win over it.
    #[arg(long = "config", value_name = "FILE", help_heading = "Training")]
    config_file: Option<PathBuf>,
    /// Threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Training")]
    threads: Option<u16>,
    /// Refuse a training that would take more memory than this, such as 500M or 2G, before it begins [default: what the
    /// machine has].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse_size, help_heading = "Training")]
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

The folder holds run.safetensors (all points and settings, for hycome and any
safetensors reader), communities.tsv (node, community counted from 0,
probability), metrics.json (the object that --json prints) and disc.html (the
picture of the Poincaré disc: open it in a browser; flat runs have none).";

/// Gives the settings, which are fields of the library's config, headings of their own.
pub fn arrange_help(mut command: clap::Command) -> clap::Command {
    let fields = serde_json::to_value(TrainConfig::default()).unwrap_or_default();
    for (field, default) in fields.as_object().into_iter().flatten() {
        let heading = match field.as_str() {
            "communities" | "dim" | "geometry" | "seed" => "Main settings",
            "alpha" | "beta" | "gamma" => "Losses",
            "walks" | "walk_length" | "window" | "negatives" | "negatives_per" => "Walks",
            _ => "Training",
        };
        command = command.mut_arg(field, |arg| {
            // `-h` shows what most trainings need, `--help` everything.
            let arg = arg.help_heading(heading).hide_short_help(heading != "Main settings");
            match default {
                Value::Number(number) if heading != "Main settings" => {
                    arg.value_name(if number.is_f64() { "X" } else { "N" })
                }
                _ => arg,
            }
        });
    }
    // What is changed moves to the end, and headings come in the order of their first flags.
    let command = command
        .mut_arg("config_file", |arg| arg.hide_short_help(true))
        .mut_arg("threads", |arg| arg)
        .mut_arg("max_memory", |arg| arg)
        .mut_arg("checkpoint_minutes", |arg| arg.hide_short_help(true))
        .mut_arg("checkpoint_epochs", |arg| arg.hide_short_help(true));
    command.mut_arg("communities", |arg| arg.short('k').display_order(0))
}

/// A training that is to be made.
struct Task {
    origin: Origin,
    folder: Option<PathBuf>,
    history: bool,
    begin: Begin,
}

/// Where a training begins.
enum Begin {
    New(TrainConfig),
    Left(Checkpoint, Place),
}

impl Task {
    fn new(args: &Args, matches: &ArgMatches) -> anyhow::Result<Self> {
        let Some(folder) = &args.checkpoints.resume else {
            let config = config_file::merge(args.config_file.as_deref(), &args.config, matches)?;
            config.validate()?;
            if args.history && config.geometry.is_flat() {
                let geometry = config.geometry.name();
                anyhow::bail!(crate::Usage(format!(
                    "--history is a film of the Poincaré disc, which --geometry {geometry} does not have; leave one of them out"
                )));
            }
            let graph = args.graph.clone().context("a graph was asked for")?;
            let options = GraphOptions { many_classes: config.communities.is_some(), ..args.options.clone() };
            let origin = Origin { graph, options, no_plot: args.no_plot };
            return Ok(Self {
                origin,
                folder: args.output.clone(),
                history: args.history,
                begin: Begin::New(config),
            });
        };
        checkpoint::refuse_settings(matches)?;
        let place = Place::of_checkpoint(folder)?;
        let (checkpoint, origin) = checkpoint_file::load(&place.checkpoint())?;
        let origin = Origin::from_text(&origin, args.graph.as_deref(), folder)?;
        let history = checkpoint.keeps_snapshots;
        Ok(Self { origin, folder: Some(folder.clone()), history, begin: Begin::Left(checkpoint, place) })
    }
}

pub fn run(args: &Args, matches: &ArgMatches) -> anyhow::Result<()> {
    let start = Instant::now();
    let Task { origin, folder, history, begin } = Task::new(args, matches)?;
    let bar = Bar::new(args.quiet);
    let pool = interrupt::pool(args.threads.map_or(0, usize::from)).context("cannot start threads")?;
    bar.phase(&format!("reading {}", shown(&origin.graph)));
    let input = pool.install(|| load::load(&origin.graph, &origin.options, args.quiet))?;
    let load_seconds = start.elapsed().as_secs_f64();
    let folder = folder.unwrap_or_else(|| default_folder(&input.loaded.name));
    let size = Size {
        keeps_snapshots: history,
        has_page: !origin.no_plot && input.loaded.graph.node_count() <= MOST_PLOTTED,
        ..Size::of(&input.loaded.graph, pool.current_num_threads())
    };
    bar.phase("preparing the training");
    let (trainer, place, expected_memory) = match begin {
        Begin::New(mut config) => {
            if config.communities.is_none() {
                config.communities = Some(count_classes(&input)?);
            }
            let expected = expect_within(args.max_memory, &config, &size)?;
            let trainer = pool.install(|| Trainer::new(&input.loaded.graph, config))?;
            (trainer, Place::new(&folder, args.checkpoints.overwrite)?, expected)
        }
        Begin::Left(checkpoint, place) => {
            let expected = expect_within(args.max_memory, &checkpoint.config, &size)?;
            let trainer = pool.install(|| Trainer::resume(&input.loaded.graph, checkpoint));
            let of_files =
                || format!("{} cannot be resumed on {}", shown(&place.checkpoint()), shown(&origin.graph));
            (trainer.with_context(of_files)?, place, expected)
        }
    };
    memory::announce(expected_memory, args.quiet);
    let is_replaced = folder.join(run_file::RUN_FILE).exists();

    let keeper = Keeper::default();
    let checkpoints = keeper.checkpoints(&args.checkpoints, origin.to_text(), place.checkpoint());
    // A signal waits for the checkpoint or, where so little was trained that there is none, for the result.
    let mut deferred = Some(Deferred::new());
    let trained = pool.install(|| train(trainer, &input, history, checkpoints, &bar));
    let Some((run, seconds, snapshots)) = trained? else { return Err(stopped(&keeper, &folder)) };
    if place.checkpoint().exists() {
        if interrupt::requested() {
            return Err(stopped(&keeper, &folder));
        }
        deferred = None;
    }
    bar.phase("scoring and writing");
    // Threads without the flag: what has come this far is scored and written in spite of a signal that waits.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(pool.current_num_threads()).build();
    let pool = pool.context("cannot start threads")?;
    let (scored, tsv) = pool.install(|| describe(&run, &input))?;
    let seconds = SecondsReport {
        load: load_seconds,
        first_order: seconds.first_order,
        second_order: seconds.second_order,
        community: seconds.community,
        em: seconds.em,
        total: start.elapsed().as_secs_f64(),
    };
    let report = report(&run, &input, scored, seconds, pool.current_num_threads(), expected_memory);

    let run_bytes = run_file::to_bytes(&run, &folder.join(run_file::RUN_FILE))?;
    let json = output::json(&report)?;
    let page = if origin.no_plot { None } else { pool.install(|| picture(args, &run, &input, &snapshots))? };
    let history = history.then(|| history_file::to_bytes(&snapshots, &run_bytes));
    let mut files: Vec<(&str, &[u8])> = vec![
        (run_file::RUN_FILE, &run_bytes),
        ("communities.tsv", tsv.as_bytes()),
        ("metrics.json", json.as_bytes()),
    ];
    files.extend(page.as_ref().map(|page| (PAGE, page.as_bytes())));
    files.extend(history.as_ref().map(|history| (history_file::HISTORY_FILE, history.as_slice())));
    let is_stale = |name: &&str| files.iter().all(|file| file.0 != *name);
    // Without an earlier run a file of such a name is somebody else's.
    let of_earlier: &[&str] = if is_replaced { &[PAGE, history_file::HISTORY_FILE] } else { &[] };
    let stale = of_earlier.iter().copied().filter(is_stale).chain([checkpoint_file::CHECKPOINT_FILE]);
    let bundle = Bundle::stage(&folder, &files)?.removing(stale);
    deferred.get_or_insert_with(Deferred::new); // all files are put in place, or none
    bundle.put_in_place()?;
    bar.finish();

    if args.json {
        output::print(&json)?;
    } else if !args.quiet {
        let evaluate = graph_flags(&origin);
        let names: Vec<&str> = files.iter().map(|file| file.0).collect();
        let text =
            summary::embed(&report, input.title, &folder, &names, evaluate.as_deref(), style::stdout());
        output::print(&text)?;
    }
    if !args.quiet {
        if is_replaced {
            say(&format!("note: {} held an earlier run, which was replaced", shown(&folder)));
        }
        summary::warn(&report.warnings);
    }
    Ok(())
}

/// What is said of a training that was stopped.
fn stopped(keeper: &Keeper, folder: &Path) -> anyhow::Error {
    match keeper.last() {
        Some(Err(error)) => error.context("interrupted"),
        _ => anyhow::anyhow!(
            "interrupted; resume with `hycome embed --resume {0}`, or look at what was learnt so far with \
             `hycome info {0}`",
            summary::shell_word(folder)
        ),
    }
}

/// The page, unless there are too many nodes.
fn picture(args: &Args, run: &Run, input: &Input, snapshots: &[Snapshot]) -> anyhow::Result<Option<String>> {
    let loaded = &input.loaded;
    if run.config.geometry != Geometry::Poincare {
        if !args.quiet {
            say(&format!(
                "note: {PAGE} is not written: it shows the Poincaré disc, and these points are flat"
            ));
        }
        return Ok(None);
    }
    if run.nodes.len() > MOST_PLOTTED {
        if !args.quiet {
            say(&format!("note: {PAGE} is not written for so many nodes; `hycome plot` writes it"));
        }
        return Ok(None);
    }
    let scene = scenes::compose(run, &loaded.name, Some(&loaded.graph), loaded.labels.as_ref(), MOST_EDGES)?;
    Ok(Some(page::to_html(&scene.with_history(snapshots))))
}

/// The flags that give `hycome evaluate` the same graph, unless it came from standard input.
fn graph_flags(origin: &Origin) -> Option<String> {
    if origin.graph == Path::new("-") {
        return None;
    }
    let mut flags = format!("--graph {}", summary::shell_word(&origin.graph));
    if let Some(labels) = origin.options.labels.as_deref().filter(|&labels| labels != Path::new("-")) {
        flags.push_str(&format!(" --labels {}", summary::shell_word(labels)));
    }
    flags.push_str(&origin.options.reading.flags());
    if origin.options.largest_component {
        flags.push_str(" --largest-component");
    }
    if let Some(data) = &origin.options.data.data {
        flags.push_str(&format!(" --data {}", summary::shell_word(data)));
    }
    Some(flags)
}

/// As many communities as there are classes.
fn count_classes(input: &Input) -> anyhow::Result<usize> {
    let classes = input.loaded.labels.as_ref().map_or(0, hycome::Labels::used_class_count);
    anyhow::ensure!(
        classes > 0,
        crate::Usage(format!(
            "give --communities K, the number of communities to look for: {} has no labels whose classes \
             could be counted",
            escaped(&input.loaded.name)
        ))
    );
    Ok(classes)
}

/// `NAME-run` in the current folder, whatever characters the name has.
fn default_folder(name: &str) -> PathBuf {
    PathBuf::from(format!("{}-run", output::file_name(name)))
}

/// Trains to the end; none if it was interrupted.
fn train(
    mut trainer: Trainer,
    input: &Input,
    history: bool,
    checkpoints: Checkpoints,
    bar: &Bar,
) -> anyhow::Result<Option<(Run, Seconds, Vec<Snapshot>)>> {
    trainer.keep_checkpoints(checkpoints);
    if history {
        trainer.keep_snapshots();
    }
    trainer.set_names(input.loaded.names.clone());
    let outcome = trainer.train(&mut |progress| {
        bar.update(progress);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if outcome == TrainOutcome::Stopped {
        return Ok(None);
    }
    let seconds = trainer.seconds();
    let snapshots = trainer.take_snapshots();
    Ok(Some((trainer.into_run(input.loaded.names.clone()), seconds, snapshots)))
}

/// The scores, and the table of nodes.
fn describe(run: &Run, input: &Input) -> anyhow::Result<(Scored, String)> {
    let responsibilities = run.responsibilities()?;
    let (communities, probabilities) = (responsibilities.communities(), responsibilities.probabilities());
    let (graph, labels) = (&input.loaded.graph, input.loaded.labels.as_ref());
    let mut scored = scoring::score(graph, labels, &communities, &probabilities, run.mixture.len());
    scored.warnings.extend(training_warnings(run));
    Ok((scored, output::communities_tsv(&run.names, &communities, &probabilities)))
}

/// What the training itself has to say against its result.
fn training_warnings(run: &Run) -> Vec<String> {
    let mut sentences = Vec::new();
    let share = run.dropped_steps() as f64 / run.pairs().max(1) as f64;
    if share > DROPPED_SHARE {
        sentences.push(format!(
            "{:.1} % of the steps would have left the ball and were not made; lower --learning-rate",
            100.0 * share
        ));
    }
    let largest = run.nodes.as_slice().iter().fold(0.0f64, |most, c| most.max(c.abs()));
    if largest > RUN_AWAY {
        sentences.push(format!(
            "coordinates have grown to {largest:.0}, so the training has run away; lower --learning-rate"
        ));
    }
    let last = run.history.last().and_then(|epoch| epoch.mixture.as_ref());
    if let Some(mixture) = last.filter(|mixture| !mixture.converged) {
        sentences.push(format!(
            "the last fit of the communities had not come to rest after {} iterations; probabilities may \
             still change",
            mixture.iterations
        ));
    }
    sentences
}

fn report(
    run: &Run,
    input: &Input,
    scored: Scored,
    seconds: SecondsReport,
    threads: usize,
    expected_memory_bytes: u64,
) -> EmbedReport {
    let loaded = &input.loaded;
    let rate = run.pairs() as f64 / seconds.second_order;
    EmbedReport {
        version: env!("CARGO_PKG_VERSION"),
        graph: loaded.name.clone(),
        nodes: loaded.graph.node_count(),
        edges: loaded.graph.edge_count(),
        components: loaded.graph.component_count(),
        weighted: loaded.graph.is_weighted(),
        notes: load::note_texts(&loaded.notes),
        dropped: Dropped::new(loaded, input.nodes_before),
        labels: loaded.labels.as_ref().map(LabelsReport::new),
        dim: run.nodes.dim(),
        communities: run.mixture.len(),
        sizes: scored.sizes,
        seed: run.config.seed,
        threads,
        config: run.config.clone(),
        epochs: run.history.len(),
        metrics: scored.scores,
        warnings: scored.warnings,
        pairs: run.pairs(),
        pairs_per_second: rate.is_finite().then_some(rate),
        dropped_steps: run.dropped_steps(),
        peak_memory_bytes: machine::peak_memory(),
        expected_memory_bytes,
        community_details: scored.communities,
        history: run.history.clone(),
        starts: run.starts.clone(),
        seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hycome::mixture::GaussianMixture;
    use hycome::train::{EpochReport, MixtureReport};
    use hycome::{NodeNames, Points};

    fn run(dropped_steps: u64, converged: bool) -> Run {
        let mixture = Some(MixtureReport { iterations: 100, converged, log_likelihood: 0.0 });
        Run {
            nodes: Points::zeros(1, 2),
            contexts: Points::zeros(1, 2),
            mixture: GaussianMixture { weights: vec![1.0], means: Points::zeros(1, 2), scales: vec![1.0] }
                .into(),
            names: NodeNames::numbered(0, 1),
            config: TrainConfig::default(),
            history: vec![EpochReport {
                epoch: 1,
                dim: 2,
                learning_rate: 0.1,
                pairs: 1000,
                dropped_steps,
                mixture,
            }],
            starts: Vec::new(),
        }
    }

    #[test]
    fn dropped_steps_and_open_fits_are_told() {
        assert!(training_warnings(&run(1, true)).is_empty());
        assert!(
            training_warnings(&run(25, true))[0].starts_with("2.5 % of the steps would have left the ball")
        );
        assert!(training_warnings(&run(0, false))[0].contains("had not come to rest after 100 iterations"));
    }

    #[test]
    fn the_folder_is_named_after_the_graph_and_stays_here() {
        assert_eq!(default_folder("karate"), Path::new("karate-run"));
        assert_eq!(default_folder("/"), Path::new("_-run"));
    }
}
