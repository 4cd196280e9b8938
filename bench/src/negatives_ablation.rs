//! Ablation: negative samples per pair or shared by a window.
//!
//! A window of random reach 1 to W has W + 1 pairs on average, so N negatives per window are N/(W + 1) per pair: fewer
//! updates, and a different balance of attraction and repulsion.

use hycome::TrainConfig;
use hycome::train::NegativeSharing::{self, Center};
use hycome::train::{GraphSize, ResolvedConfig};
use hycome_experiments::markdown::MarkdownTable;

use crate::graphs::{self, DataOptions};
use crate::quality_run;
use crate::report::{OutputOptions, header};

/// Compared settings: the default, and five and ten negatives per window.
const SETTINGS: [(NegativeSharing, Option<usize>); 3] =
    [(NegativeSharing::None, None), (Center, Some(5)), (Center, Some(10))];

/// Flags of `negatives-ablation`.
#[derive(Debug, clap::Args)]
pub struct NegativesAblation {
    #[command(flatten)]
    data: DataOptions,
    /// Train with seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Names of benchmark graphs, comma-separated.
    #[arg(long, value_name = "NAMES", default_value = "dblp,books,football,polblogs", value_delimiter = ',')]
    graphs: Vec<String>,
    /// Embedding dimension.
    #[arg(long, value_name = "M", default_value_t = 2)]
    dim: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl NegativesAblation {
    /// Trains every graph with all settings and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let columns =
            ["graph", "negatives", "per pair", "accuracy (worst seed)", "conductance", "NMI", "seconds"];
        let mut table = MarkdownTable::new(&columns);
        for name in &self.graphs {
            let Some(loaded) = graphs::load(name, &self.data.folder())? else {
                eprintln!("{name}: files are missing, skipped");
                continue;
            };
            let classes = loaded.labels.as_ref().map_or(1, |labels| labels.used_class_count());
            for (negative_sharing, negatives) in SETTINGS {
                let config = TrainConfig {
                    dim: Some(self.dim),
                    negative_sharing,
                    negatives,
                    ..TrainConfig::default()
                };
                let resolved = ResolvedConfig::for_size(&config, classes, GraphSize::of(&loaded.graph));
                let setting = description(&resolved);
                let runs = quality_run::run(&format!("{name}, {setting}"), &loaded, &config, self.seeds)?;
                table.row(&[
                    name,
                    &setting,
                    &format!("{:.2}", resolved.negatives_per_pair()),
                    &format!("{} ({:.3})", runs.accuracy, runs.accuracy.min()),
                    &runs.conductance,
                    &runs.nmi,
                    &format!("{:.1}", runs.seconds.mean()),
                ]);
            }
        }
        let explanation = format!(
            "Default hyperparameters except `negatives` and `negative_sharing`, dim {}: mean ± standard deviation over seeds 1 to {}.\n\n",
            self.dim, self.seeds
        );
        self.output.write(&(header("Negative sharing") + &explanation + &table.finish()))
    }
}

fn description(config: &ResolvedConfig) -> String {
    let negatives = config.negatives;
    match config.negative_sharing {
        NegativeSharing::None => format!("{negatives} per pair (default)"),
        Center => format!("{negatives} per window"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_described() {
        let resolved = |config| ResolvedConfig::for_size(&config, 12, GraphSize { nodes: 100, edges: 300 });
        assert_eq!(description(&resolved(TrainConfig::default())), "5 per pair (default)");
        let config = TrainConfig { negatives: Some(10), negative_sharing: Center, ..TrainConfig::default() };
        assert_eq!(description(&resolved(config)), "10 per window");
    }
}
