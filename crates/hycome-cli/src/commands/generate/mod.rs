//! `hycome generate`: synthetic benchmark graphs.

mod files;
mod report;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Subcommand;
use hycome::generate::{
    Hyperbolic, HyperbolicConfig, LfrConfig, PowerLawConfig, SbmConfig, hyperbolic, lfr, power_law, sbm,
};
use serde_json::{Value, json};

use crate::term::output::{self, notify};
use crate::term::{style, summary};
use files::{Files, Made, beside};
use report::Report;

/// Generate a synthetic graph with known communities, degrees or points.
///
/// The graph is written as an edge list with nodes 0, 1, …, and the community of each node to a label file beside it.
/// Node numbers are a random permutation. An isolated node is written as a self-loop, which hycome reads as an isolated
/// node.
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

/// LFR benchmark: power-law degrees and community sizes (Lancichinetti et al. 2008).
///
/// The mixing parameter is the fraction of each node's neighbours outside its community. The summary reports the
/// resulting mixing, and the number of edge ends without a partner, which are removed.
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

/// Stochastic block model: one edge probability within blocks, another between them.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate sbm -n 10000 -k 20 --degree-between 4 -o sbm.edges
  hycome generate sbm --sizes 50,100,200 --p-in 0.2 --p-out 0.01 -o sbm.edges")]
struct SbmArgs {
    /// Number of nodes.
    #[arg(short, long, value_name = "N", default_value_t = 1000)]
    nodes: usize,
    /// Number of blocks of equal size.
    #[arg(short = 'k', long, value_name = "K", default_value_t = 5)]
    communities: usize,
    /// Block sizes, separated by commas, instead of --nodes and --communities.
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with_all = ["nodes", "communities"])]
    sizes: Option<Vec<usize>>,
    /// Average degree within the block.
    #[arg(long, value_name = "K", default_value_t = 8.0)]
    degree_within: f64,
    /// Average degree to other blocks.
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

/// Chung-Lu model: power-law degrees, no communities; for scaling tests.
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

/// Random geometric graph in the Poincaré ball, on points sampled from Gaussians.
///
/// The edge probability decreases with distance: near one within a radius, which is chosen for the average degree, and
/// near zero beyond. Points, Gaussians and radius are written to a JSON file beside the graph.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome generate hyperbolic -k 8 --dim 5 --scale 0.4 -o near.edges")]
struct HyperbolicArgs {
    #[command(flatten)]
    config: HyperbolicConfig,
    #[command(flatten)]
    labels: LabelsOutput,
    /// Output file for points, Gaussians and radius, as JSON [default: FILE with its extension replaced by
    /// .truth.json].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    truth_out: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, clap::Args)]
struct LabelsOutput {
    /// Output file for the communities, lines `node community` [default: FILE with its extension replaced by .labels].
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    labels_out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct Output {
    /// Output file for the edges: .edges, .txt, .tsv or .csv, optionally followed by .gz or .zst, or .hyg; - for
    /// standard output, in which case other files are written only if requested.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    /// Print a JSON object instead of the summary.
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print only errors (and the --json object).
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// Number of threads; does not affect the result [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=4096), help_heading = "Output")]
    threads: Option<u16>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.model {
        Model::Lfr(args) => generate_graph("lfr", &args.output, Some(&args.labels), None, || {
            Ok(Made::new(lfr(&args.config)?, &args.config))
        }),
        Model::Sbm(args) => generate_graph("sbm", &args.output, Some(&args.labels), None, || {
            let config = args.config()?;
            Ok(Made::new(sbm(&config)?, &config))
        }),
        Model::PowerLaw(args) => generate_graph("power-law", &args.output, None, None, || {
            Ok(Made::new(power_law(&args.config)?, &args.config))
        }),
        Model::Hyperbolic(args) => {
            generate_graph("hyperbolic", &args.output, Some(&args.labels), Some(&args.truth_out), || {
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

/// Generates a graph, writes its files, and reports on it.
fn generate_graph(
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
        "the generated graph has no edges and was not written; increase the number of nodes or the degree"
    );
    files.write(&made)?;
    let report = pool.install(|| Report::new(model, made, files, start));
    if let (false, Some(message)) = (output.quiet, report.warning()) {
        notify(&summary::warning(&message, style::stderr()));
    }
    if output.json {
        return output::print_json(&report);
    }
    match (output.quiet, report.files.edges == Path::new("-")) {
        (true, _) => Ok(()),
        (false, true) => {
            notify(report.text(style::stderr()).trim_end());
            Ok(())
        }
        (false, false) => output::print(&report.text(style::stdout())),
    }
}
