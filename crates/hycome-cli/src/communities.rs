//! `hycome communities`: who is where, from a run.

use std::path::PathBuf;

use clap::ValueEnum;
use hycome::Run;
use hycome::metrics::{cluster_sizes, warnings};
use hycome::mixture::{KMeansConfig, Mixture, MixtureConfig, kmeans_in};
use hycome::train::memory::expect_fit;
use serde::Serialize;

use crate::formats::Table;
use crate::{output, runs, summary};

/// Print the community of each node of a run: node, community (counted from 0), probability.
///
/// The lines are separated by tabs below a header; a file whose name ends in .csv is quoted CSV, one in .json the object of
/// --json, and .gz or .zst compress either. By default the communities are those that were learnt; with
/// another number, another seed or `--method kmeans` they are found anew among the trained points, which takes no
/// training. In names, tabs, ends of lines, control characters and backslashes are written \t, \n, \r,
/// \u{1b} and \\.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome communities karate-run
  hycome communities karate-run --communities 4 -o four.tsv
  hycome communities karate-run --method kmeans --json")]
pub struct Args {
    /// A folder that `hycome embed` wrote, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// How to find them: `gmm`, a mixture of Gaussians with probabilities; `kmeans`, nearest centres, where every
    /// probability is 1.
    #[arg(long, value_enum, default_value_t = Method::Gmm)]
    method: Method,
    /// Number of communities [default: as learnt].
    #[arg(short = 'k', long, value_name = "K")]
    communities: Option<usize>,
    /// Random seed of a new search [default: the run's].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Write them to a file instead: .tsv, .csv or .json.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object instead.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Gmm,
    Kmeans,
}

/// The object that `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    nodes: usize,
    dim: usize,
    communities: usize,
    sizes: Vec<usize>,
    method: Method,
    /// Whether they were found anew, rather than taken from the training.
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
struct Found {
    communities: Vec<u32>,
    probabilities: Vec<f64>,
    count: usize,
    refitted: bool,
    converged: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = args.output.as_ref().map(|path| Table::of(path, "a table of communities")).transpose()?;
    let run = runs::load(&args.run)?;
    let found = find(&run, args)?;
    let sizes = cluster_sizes(&found.communities, found.count);
    let mut sentences = warnings(&sizes, None);
    if !found.converged {
        sentences.push("the search had not come to rest at its last iteration".to_owned());
    }
    let report = || Report {
        nodes: run.nodes.len(),
        dim: run.nodes.dim(),
        communities: found.count,
        sizes: sizes.clone(),
        method: args.method,
        refitted: found.refitted,
        seed: args.seed.unwrap_or(run.config.seed),
        warnings: sentences.clone(),
        assignments: assignments(&run, &found),
    };
    if let (Some(path), Some(format)) = (&args.output, format) {
        let rows = output::community_rows(&run.names, &found.communities, &found.probabilities);
        let file = format.stage(path, output::COMMUNITY_COLUMNS, rows, || output::json(&report()))?;
        file.put_in_place()?;
    }
    summary::warn(&sentences);
    if args.json {
        return output::print_json(&report());
    }
    if args.output.is_none() {
        output::print(&output::communities_tsv(&run.names, &found.communities, &found.probabilities))?;
    }
    Ok(())
}

fn assignments(run: &Run, found: &Found) -> Vec<Assignment> {
    let rows = run.names.iter().zip(&found.communities).zip(&found.probabilities);
    rows.map(|((node, &community), &probability)| Assignment {
        node: node.into_owned(),
        community,
        probability,
    })
    .collect()
}

fn find(run: &Run, args: &Args) -> anyhow::Result<Found> {
    let count = args.communities.unwrap_or(run.mixture.len());
    let seed = args.seed.unwrap_or(run.config.seed);
    let geometry = run.config.geometry;
    if args.method == Method::Kmeans {
        let found =
            kmeans_in(geometry, &run.nodes, count, &KMeansConfig::default(), seed)?.numbered_by_size();
        let probabilities = vec![1.0; found.assignment.len()];
        return Ok(Found {
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
        let config = MixtureConfig::in_geometry(geometry, &run.nodes, count);
        let found = Mixture::fit(geometry, &run.nodes, &config, seed)?;
        let mixture = found.mixture.numbered_by_size(&run.nodes)?;
        (mixture.responsibilities(&run.nodes)?, found.converged)
    } else {
        (run.responsibilities()?, true)
    };
    Ok(Found {
        communities: responsibilities.communities(),
        probabilities: responsibilities.probabilities(),
        count,
        refitted,
        converged,
    })
}
