//! Negatives for each pair against negatives once for each window.
//!
//! A window that reaches 1 to W nodes to either side has W + 1 pairs on average, so N negatives for each window are
//! N/(W + 1) for each pair: fewer updates, and another balance of attraction and repulsion.

use hycome::TrainConfig;
use hycome::experiments::markdown::Table;
use hycome::train::NegativesPer::{self, Center, Pair};

use crate::graphs::{self, DataOptions};
use crate::report::{OutputOptions, header};
use crate::trial;

/// What is compared: the default, and five and ten negatives for each window.
const SETTINGS: [(NegativesPer, Option<usize>); 3] = [(Pair, None), (Center, Some(5)), (Center, Some(10))];

/// Flags of `noise`.
#[derive(Debug, clap::Args)]
pub struct Noise {
    #[command(flatten)]
    data: DataOptions,
    /// Train with seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// The graphs, by their names in the table of `quality`, separated by commas.
    #[arg(long, value_name = "NAMES", default_value = "dblp,books,football,polblogs", value_delimiter = ',')]
    graphs: Vec<String>,
    /// Dimensions.
    #[arg(long, value_name = "M", default_value_t = 2)]
    dim: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl Noise {
    /// Trains every graph with all settings and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let columns =
            ["graph", "negatives", "a pair gets", "precision@1 (worst)", "conductance", "NMI", "seconds"];
        let mut table = Table::new(&columns);
        for name in &self.graphs {
            let Some(loaded) = graphs::load(name, &self.data.folder())? else {
                eprintln!("{name}: its files are not here, left out");
                continue;
            };
            let classes = loaded.labels.as_ref().map_or(1, |labels| labels.used_class_count());
            for (negatives_per, negatives) in SETTINGS {
                let config =
                    TrainConfig { dim: self.dim, negatives_per, negatives, ..TrainConfig::default() };
                let setting = words(&config, classes);
                let trials = trial::run(&format!("{name}, {setting}"), &loaded, &config, self.seeds)?;
                table.row(&[
                    name,
                    &setting,
                    &format!("{:.2}", config.negatives_of_a_pair(classes, loaded.graph.node_count())),
                    &format!("{} ({:.3})", trials.precision, trials.precision.least()),
                    &trials.conductance,
                    &trials.nmi,
                    &format!("{:.1}", trials.seconds.mean()),
                ]);
            }
        }
        let explanation = format!(
            "Default settings but `negatives` and `negatives_per`, dim {}: means ± standard deviations over seeds 1 to {}.\n\n",
            self.dim, self.seeds
        );
        self.output.put(&(header("Negatives for each pair or each window") + &explanation + &table.finish()))
    }
}

fn words(config: &TrainConfig, classes: usize) -> String {
    let negatives = config.negatives_for(classes);
    match config.negatives_per {
        Pair => format!("{negatives} a pair (default)"),
        Center => format!("{negatives} a window"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_in_words() {
        assert_eq!(words(&TrainConfig::default(), 12), "6 a pair (default)");
        let config = TrainConfig { negatives: Some(10), negatives_per: Center, ..TrainConfig::default() };
        assert_eq!(words(&config, 12), "10 a window");
    }
}
