//! `hycome generate`: a graph made to measure, with its labels.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use hycome::generate::{
    Generated, Hyperbolic, HyperbolicConfig, LfrConfig, PowerLawConfig, SbmConfig, hyperbolic, lfr,
    power_law, sbm,
};
use hycome::io::{StagedFile, graph_file, stage, write_communities, write_edges};
use serde::Serialize;
use serde_json::{Value, json};

use crate::output::{self, say, shown};
use crate::style::{self, Style, count, counted, duration};
use crate::{Usage, interrupt, summary};

/// Make a graph whose communities, degrees or points are known, to try things on.
///
/// The graph is written as lines `source target`, its nodes called 0, 1, …, and the community of each node to a file of
/// labels beside it. Numbers are dealt out at random, so a node's number says nothing about it. A node without neighbours
/// stands in the file as an edge to itself, which hycome reads as just that: a node without neighbours.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate lfr --nodes 10000 --mixing 0.4 -o lfr.edges
  hycome embed lfr.edges --labels lfr.labels
  hycome generate power-law --nodes 1000000 -o large.edges.zst
  hycome generate sbm --sizes 50,100,200 -o - | hycome info -")]
pub struct Args {
    #[command(subcommand)]
    model: Model,
}

#[derive(Debug, Subcommand)]
enum Model {
    Lfr(LfrArgs),
    Sbm(SbmArgs),
    PowerLaw(PowerLawArgs),
    Hyperbolic(HyperbolicArgs),
}

/// Communities of unequal sizes among nodes of unequal degrees: the LFR benchmark.
///
/// Degrees and sizes follow power laws, and a share of each node's neighbours, the mixing, is outside its community. The
/// summary tells the mixing that came out, and how many edge ends found no partner and were left out.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate lfr -o lfr.edges
  hycome generate lfr -n 1000000 -m 0.5 --average-degree 20 --max-degree 500 \\
      --max-community 2000 -o large.edges.gz")]
struct LfrArgs {
    #[command(flatten)]
    config: LfrConfig,
    #[command(flatten)]
    labels: LabelsOutput,
    #[command(flatten)]
    output: Output,
}

/// Blocks, with edges of one probability within and another between them: the stochastic block model.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate sbm -n 10000 -k 20 --degree-between 4 -o sbm.edges
  hycome generate sbm --sizes 50,100,200 --p-in 0.2 --p-out 0.01 -o sbm.edges")]
struct SbmArgs {
    /// Number of nodes.
    #[arg(short, long, value_name = "N", default_value_t = 1000)]
    nodes: usize,
    /// Number of blocks, of equal sizes.
    #[arg(short = 'k', long, value_name = "K", default_value_t = 5)]
    communities: usize,
    /// Nodes of each block, separated by commas, instead of --nodes and --communities.
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with_all = ["nodes", "communities"])]
    sizes: Option<Vec<usize>>,
    /// Average number of neighbours within the block.
    #[arg(long, value_name = "K", default_value_t = 8.0)]
    degree_within: f64,
    /// Average number of neighbours in other blocks.
    #[arg(long, value_name = "K", default_value_t = 2.0)]
    degree_between: f64,
    /// Probability of an edge within a block, 0 to 1, instead of the degrees.
    #[arg(long, value_name = "P", requires = "p_out", conflicts_with_all = ["degree_within", "degree_between"])]
    p_in: Option<f64>,
    /// Probability of an edge between blocks, 0 to 1.
    #[arg(long, value_name = "P", requires = "p_in")]
    p_out: Option<f64>,
    /// Random seed: the same seed gives the same graph, on any number of threads.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    labels: LabelsOutput,
    #[command(flatten)]
    output: Output,
}

/// Degrees that follow a power law, and no communities: the Chung-Lu model, for trying sizes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate power-law -n 1000000 --average-degree 20 -o large.edges.zst")]
struct PowerLawArgs {
    #[command(flatten)]
    config: PowerLawConfig,
    #[command(flatten)]
    output: Output,
}

/// Points of Gaussians in the Poincaré ball, joined where they are near.
///
/// The probability of an edge falls with the distance of its points: near one within a radius, which is chosen for the
/// average degree, and near zero beyond. Points, Gaussians and radius are written to a JSON file beside the graph.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate hyperbolic -k 8 --dim 5 --scale 0.4 -o near.edges")]
struct HyperbolicArgs {
    #[command(flatten)]
    config: HyperbolicConfig,
    #[command(flatten)]
    labels: LabelsOutput,
    /// File for points, Gaussians and radius, as JSON [default: FILE with its endings replaced by .truth.json].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    truth_out: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
struct LabelsOutput {
    /// File for the communities, lines `node community` [default: FILE with its endings replaced by .labels].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    labels_out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Output {
    /// File for the edges, compressed if its name ends in .gz or .zst; - for standard output, without further files
    /// unless they are named.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Print one JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print nothing but errors (and the object of --json).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// Threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Output")]
    threads: Option<u16>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.model {
        Model::Lfr(args) => make("lfr", &args.output, Some(&args.labels), None, || {
            Ok(Made::new(lfr(&args.config)?, &args.config))
        }),
        Model::Sbm(args) => make("sbm", &args.output, Some(&args.labels), None, || {
            let config = args.config()?;
            Ok(Made::new(sbm(&config)?, &config))
        }),
        Model::PowerLaw(args) => make("power-law", &args.output, None, None, || {
            Ok(Made::new(power_law(&args.config)?, &args.config))
        }),
        Model::Hyperbolic(args) => {
            make("hyperbolic", &args.output, Some(&args.labels), Some(&args.truth_out), || {
                let made = hyperbolic(&args.config)?;
                let truth = truth(&made, &args.config);
                Ok(Made { truth: Some(truth), ..Made::new(made.generated, &args.config) })
            })
        }
    }
}

impl SbmArgs {
    fn config(&self) -> hycome::Result<SbmConfig> {
        let sizes = match &self.sizes {
            Some(sizes) => sizes.clone(),
            None => SbmConfig::equal_sizes(self.nodes, self.communities)?,
        };
        match (self.p_in, self.p_out) {
            (Some(p_in), Some(p_out)) => Ok(SbmConfig { sizes, p_in, p_out, seed: self.seed }),
            _ => SbmConfig::from_degrees(sizes, self.degree_within, self.degree_between, self.seed),
        }
    }
}

/// What a model made.
struct Made {
    generated: Generated,
    config: Value,
    /// What the graph was made from, beyond communities.
    truth: Option<Value>,
}

impl Made {
    fn new(generated: Generated, config: &impl Serialize) -> Self {
        Self { generated, config: json!(config), truth: None }
    }
}

fn truth(made: &Hyperbolic, config: &HyperbolicConfig) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "config": config,
        "radius": made.radius,
        "weights": made.mixture.weights,
        "scales": made.mixture.scales,
        "means": made.mixture.means.rows().collect::<Vec<_>>(),
        "communities": made.generated.communities,
        "points": made.points.rows().collect::<Vec<_>>(),
    })
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    model: &'static str,
    config: Value,
    nodes: usize,
    edges: usize,
    isolated: usize,
    average_degree: f64,
    max_degree: usize,
    communities: Option<Communities>,
    /// Edge ends that found no partner.
    dropped_ends: usize,
    /// Nodes with fewer neighbours inside than asked, for their community is too small.
    cut_nodes: usize,
    files: Files,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Communities {
    count: usize,
    smallest: usize,
    largest: usize,
    /// Share of edge ends that leave their community.
    mixing: f64,
}

/// Where everything goes.
#[derive(Debug, Serialize)]
struct Files {
    edges: PathBuf,
    labels: Option<PathBuf>,
    truth: Option<PathBuf>,
}

/// Edge ends without a partner up to this share are a matter of course; beyond it the graph is not the one asked for.
const DROPPED_SHARE: f64 = 0.01;

/// Makes a graph, writes its files, and tells about it.
fn make(
    model: &'static str,
    output: &Output,
    labels: Option<&LabelsOutput>,
    truth: Option<&Option<PathBuf>>,
    generate: impl FnOnce() -> hycome::Result<Made> + Send,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let beside =
        |asked: &Option<PathBuf>, ending: &str| asked.clone().or_else(|| beside(&output.output, ending));
    let files = Files {
        edges: output.output.clone(),
        labels: labels.and_then(|labels| beside(&labels.labels_out, "labels")),
        truth: truth.and_then(|truth| beside(truth, "truth.json")),
    };
    files.check(output.json)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(output.threads.map_or(0, usize::from))
        .build()
        .context("cannot start threads")?;
    let made = pool.install(generate)?;
    ensure!(
        made.generated.graph.edge_count() > 0,
        "the graph came out without an edge, so it was not written; ask for more nodes or a higher degree"
    );
    files.write(&made)?;
    let report = pool.install(|| Report::new(model, made, files, start));
    if let (false, Some(sentence)) = (output.quiet, report.warning()) {
        say(&summary::warning(&sentence, style::stderr()));
    }
    if output.json {
        return output::print_json(&report);
    }
    match (output.quiet, report.files.edges == Path::new("-")) {
        (true, _) => Ok(()),
        (false, true) => {
            say(report.text(style::stderr()).trim_end());
            Ok(())
        }
        (false, false) => output::print(&report.text(style::stdout())),
    }
}

/// `path` with its endings replaced: `a/b.edges.gz` becomes `a/b.labels`. Nothing is beside standard output.
fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    if path == Path::new("-") {
        return None;
    }
    let compressed = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
    let plain = if compressed { path.with_extension("") } else { path.to_path_buf() };
    Some(plain.with_extension(ending))
}

impl Files {
    /// The paths of files, with the flags that gave them.
    fn paths(&self) -> Vec<(&'static str, &Path)> {
        let more = [("--labels-out", &self.labels), ("--truth-out", &self.truth)];
        let more = more.into_iter().filter_map(|(flag, path)| Some((flag, path.as_deref()?)));
        std::iter::once(("--output", self.edges.as_path())).chain(more).collect()
    }

    /// Fails if the files could not be written: better now than after the work.
    fn check(&self, json: bool) -> anyhow::Result<()> {
        let paths = self.paths();
        for (i, &(flag, path)) in paths.iter().enumerate() {
            if path == Path::new("-") {
                ensure!(
                    i == 0,
                    Usage(format!("{flag} must be a file, but is -; only edges can go to standard output"))
                );
                ensure!(
                    !json,
                    Usage("--json and --output - both need standard output; give --output a file".into())
                );
                continue;
            }
            if let Some((other, _)) = paths[..i].iter().find(|(_, before)| before == &path) {
                bail!(Usage(format!(
                    "{flag} and {other} must be different files, but both are {}",
                    shown(path)
                )));
            }
            ensure!(!path.is_dir(), "{}: cannot write: it is a folder, give a file", shown(path));
            let folder =
                path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            ensure!(folder.is_dir(), "{}: cannot write: there is no folder {}", shown(path), shown(folder));
            output::probe(folder)?;
        }
        Ok(())
    }

    /// Writes all files or none.
    fn write(&self, made: &Made) -> anyhow::Result<()> {
        interrupt::watch();
        let mut staged: Vec<StagedFile> = Vec::new();
        let generated = &made.generated;
        if let Some(path) = &self.labels {
            staged.push(stage(path, |out| write_communities(&generated.communities, out))?);
        }
        if let (Some(path), Some(truth)) = (&self.truth, &made.truth) {
            staged.push(stage(path, |out| {
                serde_json::to_writer(&mut *out, truth)?;
                out.write_all(b"\n")
            })?);
        }
        if self.edges == Path::new("-") {
            match write_edges(&generated.graph, &mut std::io::stdout().lock()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    return Err(error).context("standard output: cannot write");
                }
                _ => {}
            }
        } else if self.edges.extension().is_some_and(|extension| extension == graph_file::EXTENSION) {
            let name = self.edges.file_stem().unwrap_or_default().to_string_lossy();
            staged.push(graph_file::staged(&generated.loaded(&name), &self.edges)?);
        } else {
            staged.push(stage(&self.edges, |out| write_edges(&generated.graph, out))?);
        }
        interrupt::check()?;
        staged.into_iter().try_for_each(|file| Ok(file.put_in_place()?))
    }
}

impl Report {
    fn new(model: &'static str, made: Made, files: Files, start: Instant) -> Self {
        let Made { generated, config, .. } = made;
        let graph = &generated.graph;
        let sizes = generated.community_sizes();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            model,
            config,
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            isolated: generated.isolated_count(),
            average_degree: generated.average_degree(),
            max_degree: graph.nodes().map(|node| graph.degree(node)).max().unwrap_or(0),
            communities: (!sizes.is_empty()).then(|| Communities {
                count: sizes.len(),
                smallest: sizes.iter().copied().min().unwrap_or(0),
                largest: sizes.iter().copied().max().unwrap_or(0),
                mixing: generated.mixing(),
            }),
            dropped_ends: generated.dropped_ends,
            cut_nodes: generated.cut_nodes,
            files,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// What speaks against the result.
    fn warning(&self) -> Option<String> {
        let share = self.dropped_ends as f64 / (2 * self.edges + self.dropped_ends) as f64;
        (share > DROPPED_SHARE).then(|| {
            format!(
                "{:.1} % of the edge ends found no partner and were left out; with more or larger communities, or lower \
                 degrees, more would",
                100.0 * share
            )
        })
    }

    /// The summary, for people.
    fn text(&self, style: Style) -> String {
        let mut text = String::new();
        let mut part = |heading, lines: &[String]| summary::part(&mut text, style, heading, lines);
        let seed = &self.config["seed"];
        part("graph", &[format!("{}, seed {seed}, made in {}", self.title(), duration(self.seconds))]);
        let isolated = match self.isolated {
            0 => String::new(),
            isolated => format!(", {} of them isolated", count(isolated)),
        };
        let mut size = vec![
            format!("{}{isolated}", counted(self.nodes, "node", "nodes")),
            counted(self.edges, "edge", "edges"),
        ];
        if self.dropped_ends > 0 {
            let ends = counted(self.dropped_ends, "edge end", "edge ends");
            size.push(format!("left out: {ends} without a partner"));
        }
        part("size", &size);
        part("degrees", &[format!("mean {:.2}, largest {}", self.average_degree, count(self.max_degree))]);
        if let Some(Communities { count: number, smallest, largest, mixing }) = self.communities {
            let sizes =
                format!("{} of {} to {}", count(number), count(smallest), counted(largest, "node", "nodes"));
            part("communities", &[sizes]);
            let asked =
                self.config["mixing"].as_f64().map_or(String::new(), |asked| format!(" ({asked} asked)"));
            let mut lines = vec![format!("{mixing:.4} of the edge ends leave their community{asked}")];
            if self.cut_nodes > 0 {
                let nodes = counted(self.cut_nodes, "node has", "nodes have");
                lines.push(format!("{nodes} more outside than asked, in communities too small for them"));
            }
            part("mixing", &lines);
        }
        let is_file = |path: &&Path| path != &Path::new("-");
        let paths: Vec<String> =
            self.files.paths().iter().map(|(_, path)| *path).filter(is_file).map(shown).collect();
        part("written", &paths);
        if self.files.edges != Path::new("-") {
            let edges = summary::shell_word(&self.files.edges);
            let labels =
                self.files.labels.as_deref().map(|path| format!(" --labels {}", summary::shell_word(path)));
            let flags = labels.unwrap_or_else(|| " --communities 10".to_owned());
            part("next", &[format!("hycome embed {edges}{flags}")]);
        }
        text
    }

    fn title(&self) -> &'static str {
        match self.model {
            "lfr" => "LFR benchmark",
            "sbm" => "stochastic block model",
            "power-law" => "power-law degrees",
            _ => "near points of hyperbolic space",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_beside_the_edges() {
        let labels = |path: &str| beside(Path::new(path), "labels");
        assert_eq!(labels("a/b.edges.gz"), Some("a/b.labels".into()));
        assert_eq!(labels("b.c.txt"), Some("b.c.labels".into()));
        assert_eq!(labels("edges"), Some("edges.labels".into()));
        assert_eq!(labels("-"), None);
    }
}
