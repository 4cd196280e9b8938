//! What a training was expected to take of memory, beside what it took.
//!
//! Graphs of growing size, with ten edges for each node, are made and trained by the command, each training in a process of
//! its own, which reports both numbers.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use hycome::experiments::markdown::Table;
use serde_json::Value;

use crate::report::{OutputOptions, header};

/// Settings of every training: one epoch of walks and the last fit, whose memory is that of every other epoch and fit.
const SETTINGS: &str = "--warmup-epochs 1 --epochs 0 --walks 1 --walk-length 20 --threads 2 --quiet --json";

/// The smallest graph; each next has ten times the nodes.
const SMALLEST: usize = 10_000;

/// Flags of `memory`.
#[derive(Debug, clap::Args)]
pub struct Memory {
    /// The command whose memory is measured.
    #[arg(long, value_name = "FILE", default_value = "target/release/hycome")]
    command: PathBuf,
    /// Nodes of the largest graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    largest: usize,
    /// Dimensions.
    #[arg(long, value_name = "M", value_delimiter = ',', default_values_t = [2, 10, 128])]
    dims: Vec<usize>,
    /// Communities.
    #[arg(long, value_name = "K", value_delimiter = ',', default_values_t = [2, 20])]
    communities: Vec<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Memory {
    /// Measures everything and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut report = header("Memory: expected and used");
        report += &format!(
            "Generated graphs with ten edges for each node, `{SETTINGS}`. *Expected* is what `hycome embed` tells before the \
             training, as `expected_memory_bytes` of `--json`, and compares with `--max-memory`; *used* is the peak of the \
             whole process, the pages of the mapped graph included.\n\n"
        );
        let folder = tempfile::tempdir()?;
        let mut table =
            Table::new(&["nodes", "dim", "communities", "expected, MB", "used, MB", "expected of used"]);
        let sizes = std::iter::successors(Some(SMALLEST), |nodes| nodes.checked_mul(10));
        for nodes in sizes.take_while(|&nodes| nodes <= self.largest) {
            let graph = self.graph(folder.path(), nodes)?;
            for &dim in &self.dims {
                for &communities in &self.communities {
                    eprintln!("{nodes} nodes, {dim} dimensions, {communities} communities");
                    let (expected, used) = self.train(folder.path(), &graph, dim, communities)?;
                    let megabytes = |bytes: f64| format!("{:.0}", bytes / 1e6);
                    let share = format!("{:.0} %", 100.0 * expected / used);
                    table.row(&[&nodes, &dim, &communities, &megabytes(expected), &megabytes(used), &share]);
                }
            }
        }
        report += &table.finish();
        self.output.put(&report)
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

    /// Bytes expected and used by a training.
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

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
