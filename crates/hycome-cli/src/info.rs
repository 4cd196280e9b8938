//! `hycome info`: what is in a file.

use std::path::PathBuf;

/// Tell what is in a file: a graph, labels or a run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A built-in graph, a file, a folder or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print one JSON object instead.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let _ = (&args.file, args.json);
    anyhow::bail!("not there yet")
}
