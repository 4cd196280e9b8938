//! `hycome communities`: community assignments of a run.

use std::path::PathBuf;

use clap::ValueEnum;
use hycome::Run;
use hycome::metrics::{cluster_sizes, warnings};
use hycome::mixture::{KMeansConfig, Mixture, MixtureConfig, kmeans_in};
use hycome::train::memory::expect_fit;
use serde::Serialize;

use crate::args::{output_format, saved_run};
use crate::node_table::{self, TableFormat};
use crate::term::{output, summary};

/// Print the community of each node: node, community (counted from 0), probability.
///
/// The output is tab-separated with a header. A file ending in .csv is CSV, one in .json is the --json object; .gz and
/// .zst compress. By default the communities are those of the training; another number, another seed or `--method
/// kmeans` refits them to the trained points, without retraining. Tabs, line ends, control characters and backslashes
/// in names are escaped as \t, \n, \r, \u{1b} and \\.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome communities karate-run
  hycome communities karate-run --communities 4 -o four.tsv
  hycome communities karate-run --method kmeans --json")]
pub struct Args {
    /// A run: the output folder of `hycome embed`, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Clustering method: `gmm`, a Gaussian mixture with probabilities; `kmeans`, nearest centroid, where every
    /// probability is 1.
    #[arg(long, value_enum, default_value_t = Method::Gmm)]
    method: Method,
    /// Number of communities [default: as trained].
    #[arg(short = 'k', long, value_name = "K")]
    communities: Option<usize>,
    /// Random seed of a refit [default: that of the run].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write to a file instead: .tsv, .csv or .json; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a JSON object instead.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Gmm,
    Kmeans,
}

/// The `--json` object.
#[derive(Debug, Serialize)]
struct Report {
    nodes: usize,
    dim: usize,
    communities: usize,
    sizes: Vec<usize>,
    method: Method,
    /// Whether they were refitted, rather than taken from the training.
    refitted: bool,
    seed: u64,
    warnings: Vec<String>,
    assignments: Vec<Assignment>,
}

#[derive(Debug, Serialize)]
struct Assignment {
    node: String,
    community: u32,
    probability: f64,
}

/// A community and a probability for each node.
struct Assignments {
    communities: Vec<u32>,
    probabilities: Vec<f64>,
    count: usize,
    refitted: bool,
    converged: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    output_format::one_to_standard_output(args.output.as_deref(), args.json)?;
    let format =
        args.output.as_ref().map(|path| TableFormat::of(path, "a table of communities")).transpose()?;
    let run = saved_run::load(&args.run)?;
    let found = find(&run, args)?;
    let sizes = cluster_sizes(&found.communities, found.count);
    let mut messages = warnings(&sizes, None);
    if !found.converged {
        messages.push("the refit did not converge".to_owned());
    }
    let report = || Report {
        nodes: run.nodes.len(),
        dim: run.nodes.dim(),
        communities: found.count,
        sizes: sizes.clone(),
        method: args.method,
        refitted: found.refitted,
        seed: args.seed.unwrap_or(run.config.seed),
        warnings: messages.clone(),
        assignments: assignments(&run, &found),
    };
    if let (Some(path), Some(format)) = (&args.output, format) {
        let rows = node_table::community_rows(&run.names, &found.communities, &found.probabilities);
        let file = format.stage(path, node_table::COMMUNITY_COLUMNS, rows, || output::json(&report()))?;
        file.commit()?;
    }
    summary::warn(&messages);
    if args.json {
        return output::print_json(&report());
    }
    if args.output.is_none() {
        output::print(&node_table::communities_tsv(&run.names, &found.communities, &found.probabilities))?;
    }
    Ok(())
}

fn assignments(run: &Run, found: &Assignments) -> Vec<Assignment> {
    let rows = run.names.iter().zip(&found.communities).zip(&found.probabilities);
    rows.map(|((node, &community), &probability)| Assignment {
        node: node.into_owned(),
        community,
        probability,
    })
    .collect()
}

fn find(run: &Run, args: &Args) -> anyhow::Result<Assignments> {
    let count = args.communities.unwrap_or(run.mixture.len());
    let seed = args.seed.unwrap_or(run.config.seed);
    let geometry = run.config.geometry;
    if args.method == Method::Kmeans {
        let found =
            kmeans_in(geometry, &run.nodes, count, &KMeansConfig::default(), seed)?.numbered_by_size();
        let probabilities = vec![1.0; found.assignment.len()];
        return Ok(Assignments {
            communities: found.assignment,
            probabilities,
            count,
            refitted: true,
            converged: found.converged,
        });
    }
    let refitted = count != run.mixture.len() || args.seed.is_some();
    if refitted && count <= run.nodes.len() {
        expect_fit(&run.config, run.nodes.len(), count, rayon::current_num_threads())?;
    }
    let (responsibilities, converged) = if refitted {
        let config = MixtureConfig::for_geometry(geometry, &run.nodes, count);
        let found = Mixture::fit(geometry, &run.nodes, &config, seed)?;
        let mixture = found.mixture.numbered_by_size(&run.nodes)?;
        (mixture.responsibilities(&run.nodes)?, found.converged)
    } else {
        (run.responsibilities()?, true)
    };
    Ok(Assignments {
        communities: responsibilities.communities(),
        probabilities: responsibilities.probabilities(),
        count,
        refitted,
        converged,
    })
}
