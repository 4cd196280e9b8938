//! Ablation: blocked against sequential SGD.
//!
//! Sequential SGD processes pairs in the order of the walks, in double precision, with negatives from the whole graph.
//! One block trains the pairs of a chunk in one bucket, grouped by node; several blocks draw negatives from a part of
//! the nodes and reorder the pairs. If the scores agree within their deviations, blocking costs no quality.

use anyhow::Context;
use hycome::TrainConfig;
use hycome::train::bench_support::block_count;

use crate::graphs::{self, DataOptions};
use crate::quality_run;
use crate::report::{OutputOptions, header};
use hycome_experiments::markdown::MarkdownTable;

/// Flags of `block-ablation`.
#[derive(Debug, clap::Args)]
pub struct BlockAblation {
    #[command(flatten)]
    data: DataOptions,
    /// Train with seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Name of a benchmark graph.
    #[arg(long, value_name = "NAME", default_value = "dblp")]
    graph: String,
    /// Embedding dimensions, comma-separated.
    #[arg(long, value_name = "M", default_value = "2", value_delimiter = ',')]
    dim: Vec<usize>,
    /// Walks per node and epoch; few, because sequential SGD is slow.
    #[arg(long, default_value_t = 2)]
    walks: usize,
    /// Numbers of blocks, comma-separated; 0 is sequential SGD.
    #[arg(long, value_name = "B", default_value = "0,1,8,32", value_delimiter = ',')]
    blocks: Vec<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

impl BlockAblation {
    /// Trains with every number of blocks and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let folder = self.data.folder();
        let loaded = graphs::load(&self.graph, &folder)?
            .with_context(|| format!("the files of {} are not in {}", self.graph, folder.display()))?;
        let columns = ["dim", "blocks", "accuracy (worst seed)", "conductance", "NMI", "seconds"];
        let mut table = MarkdownTable::new(&columns);
        for &dim in &self.dim {
            for &requested in &self.blocks {
                let config = TrainConfig {
                    dim: Some(dim),
                    blocks: requested,
                    walks: Some(self.walks),
                    ..TrainConfig::default()
                };
                let runs = quality_run::run(
                    &format!("{}, dim {dim}, blocks {requested}", self.graph),
                    &loaded,
                    &config,
                    self.seeds,
                )?;
                table.row(&[
                    &dim,
                    &blocks(requested, loaded.graph.node_count()),
                    &format!("{} ({:.3})", runs.accuracy, runs.accuracy.min()),
                    &runs.conductance,
                    &runs.nmi,
                    &format!("{:.1}", runs.seconds.mean()),
                ]);
            }
        }
        let explanation = format!(
            "{}, default hyperparameters except `dim`, `blocks` and `walks` = {}: mean ± standard deviation over seeds 1 \
             to {}. Small graphs have fewer blocks than requested.\n\n",
            self.graph, self.walks, self.seeds
        );
        self.output.write(&(header("Blocked SGD against sequential SGD") + &explanation + &table.finish()))
    }
}

/// Requested number of blocks, and the effective one if the graph is too small.
fn blocks(requested: usize, node_count: usize) -> String {
    if requested == 0 {
        return "0 (sequential)".into();
    }
    match block_count(node_count, requested) {
        count if count == requested => requested.to_string(),
        count => format!("{count} ({requested} requested)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_blocks_than_requested_are_reported() {
        assert_eq!(blocks(0, 13_184), "0 (sequential)");
        assert_eq!(blocks(8, 13_184), "8");
        assert_eq!(blocks(32, 13_184), "25 (32 requested)");
    }
}
