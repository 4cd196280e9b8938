//! Whether training in blocks costs quality.
//!
//! Plain order takes one pair after the other as the walks give them, in double precision, with negatives from the
//! whole graph. One block trains the pairs of a chunk in one bucket, grouped by node; more blocks draw negatives from
//! a part of the nodes and visit pairs in another order. If the scores agree within their deviations, blocks are free.

use anyhow::Context;
use hycome::TrainConfig;
use hycome::train::blocks::Blocks;

use crate::graphs::{self, DataOptions};
use crate::report::{OutputOptions, header};
use crate::trial;
use hycome::experiments::markdown::Table;

/// Flags of `order`.
#[derive(Debug, clap::Args)]
pub struct Order {
    #[command(flatten)]
    data: DataOptions,
    /// Train with seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The graph, by its name in the table of `quality`.
    #[arg(long, value_name = "NAME", default_value = "dblp")]
    graph: String,
    /// Dimensions, separated by commas.
    #[arg(long, value_name = "M", default_value = "2", value_delimiter = ',')]
    dim: Vec<usize>,
    /// Walks from each node, per epoch; few, because plain order is slow.
    #[arg(long, default_value_t = 2)]
    walks: usize,
    /// Numbers of blocks, separated by commas; 0 is plain order.
    #[arg(long, value_name = "B", default_value = "0,1,8,32", value_delimiter = ',')]
    blocks: Vec<usize>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Order {
    /// Trains with every number of blocks and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let folder = self.data.folder();
        let loaded = graphs::load(&self.graph, &folder)?
            .with_context(|| format!("the files of {} are not in {}", self.graph, folder.display()))?;
        let columns = ["dim", "blocks", "precision@1 (worst)", "conductance", "NMI", "seconds"];
        let mut table = Table::new(&columns);
        for &dim in &self.dim {
            for &asked in &self.blocks {
                let config = TrainConfig { dim, blocks: asked, walks: self.walks, ..TrainConfig::default() };
                let trials = trial::run(
                    &format!("{}, dim {dim}, blocks {asked}", self.graph),
                    &loaded,
                    &config,
                    self.seeds,
                )?;
                table.row(&[
                    &dim,
                    &blocks(asked, loaded.graph.node_count()),
                    &format!("{} ({:.3})", trials.precision, trials.precision.least()),
                    &trials.conductance,
                    &trials.nmi,
                    &format!("{:.1}", trials.seconds.mean()),
                ]);
            }
        }
        let explanation = format!(
            "{}, default settings but `dim`, `blocks` and {} walks: means ± standard deviations over seeds 1 to {}. Small \
             graphs have fewer blocks than asked for.\n\n",
            self.graph, self.walks, self.seeds
        );
        self.output.put(&(header("Blocks against plain order") + &explanation + &table.finish()))
    }
}

/// The blocks asked for, and how many there are if the graph is too small for them.
fn blocks(asked: usize, node_count: usize) -> String {
    if asked == 0 {
        return "none: plain order".into();
    }
    match Blocks::new(node_count, asked).count {
        count if count == asked => asked.to_string(),
        count => format!("{count} ({asked} asked for)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_blocks_than_asked_for_are_told() {
        assert_eq!(blocks(0, 13_184), "none: plain order");
        assert_eq!(blocks(8, 13_184), "8");
        assert_eq!(blocks(32, 13_184), "25 (32 asked for)");
    }
}
