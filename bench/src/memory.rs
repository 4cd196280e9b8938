//! Memory estimate against peak memory.
//!
//! Graphs of increasing size, with ten edges per node, are generated and trained by the command, which reports both
//! numbers; each training runs in its own process.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use hycome_experiments::markdown::MarkdownTable;
use serde_json::Value;

use crate::report::{OutputOptions, header};

/// Hyperparameters: one second-order epoch and the final fit; further epochs and fits need no more memory.
const SETTINGS: &str = "--warmup-epochs 1 --epochs 0 --walks 1 --walk-length 20 --threads 2 --quiet --json";

/// Nodes of the smallest graph; each further graph has ten times as many.
const SMALLEST: usize = 10_000;

/// Flags of `memory`.
#[derive(Debug, clap::Args)]
pub struct Memory {
    /// The hycome command.
    #[arg(long, value_name = "FILE", default_value = "target/release/hycome")]
    command: PathBuf,
    /// Nodes of the largest graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    largest: usize,
    /// Embedding dimensions, comma-separated.
    #[arg(long, value_name = "M", value_delimiter = ',', default_values_t = [2, 10, 128])]
    dims: Vec<usize>,
    /// Numbers of communities, comma-separated.
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = [2, 20])]
    communities: Vec<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Memory {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut report = header("Memory estimate");
        report += &format!(
            "Generated graphs with ten edges per node, `{SETTINGS}`. *Estimated* is the estimate that `hycome embed` \
             prints before training (`expected_memory_bytes` in `--json`) and compares with `--max-memory`; *measured* is \
             the peak of the process, including pages of the memory-mapped graph.\n\n"
        );
        let folder = tempfile::tempdir()?;
        let mut table = MarkdownTable::new(&[
            "nodes",
            "dim",
            "communities",
            "estimated, MB",
            "measured, MB",
            "estimated / measured",
        ]);
        let sizes = std::iter::successors(Some(SMALLEST), |nodes| nodes.checked_mul(10));
        for nodes in sizes.take_while(|&nodes| nodes <= self.largest) {
            let graph = self.graph(folder.path(), nodes)?;
            for &dim in &self.dims {
                for &communities in &self.communities {
                    eprintln!("{nodes} nodes, {dim} dimensions, {communities} communities");
                    let (estimated, measured) = self.train(folder.path(), &graph, dim, communities)?;
                    let megabytes = |bytes: f64| format!("{:.0}", bytes / 1e6);
                    let share = format!("{:.0} %", 100.0 * estimated / measured);
                    table.row(&[
                        &nodes,
                        &dim,
                        &communities,
                        &megabytes(estimated),
                        &megabytes(measured),
                        &share,
                    ]);
                }
            }
        }
        report += &table.finish();
        self.output.write(&report)
    }

    fn graph(&self, folder: &Path, nodes: usize) -> anyhow::Result<PathBuf> {
        let (text, graph) = (folder.join("graph.txt"), folder.join(format!("{nodes}.hyg")));
        let mut make = Command::new(&self.command);
        make.args([
            "generate",
            "power-law",
            "--average-degree",
            "20",
            "--quiet",
            "--nodes",
            &nodes.to_string(),
            "-o",
        ]);
        output(make.arg(&text))?;
        output(Command::new(&self.command).arg("convert").arg(&text).arg("-o").arg(&graph))?;
        Ok(graph)
    }

    /// Estimated and peak memory of a training in bytes.
    fn train(
        &self,
        folder: &Path,
        graph: &Path,
        dim: usize,
        communities: usize,
    ) -> anyhow::Result<(f64, f64)> {
        let mut train = Command::new(&self.command);
        train.arg("embed").arg(graph).arg("-o").arg(folder.join("run")).args(SETTINGS.split(' '));
        train.args(["--dim", &dim.to_string(), "--communities", &communities.to_string()]);
        let report: Value = serde_json::from_slice(&output(&mut train)?)?;
        let number = |key: &str| report[key].as_f64().with_context(|| format!("the report has no {key}"));
        Ok((number("expected_memory_bytes")?, number("peak_memory_bytes")?))
    }
}

/// Standard output of a command that succeeds.
fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
