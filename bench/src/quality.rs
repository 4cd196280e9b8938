//! Quality benchmark: scores with default hyperparameters over several seeds, against targets and references.

use hycome::TrainConfig;

use crate::graphs::{self, DataOptions};
use crate::quality_run::{self, QualityRuns};
use crate::report::{OutputOptions, header};
use crate::target::Target::{self, AtLeast, AtMost};
use hycome_experiments::markdown::MarkdownTable;

/// Number of cluster sizes printed.
const SIZES_SHOWN: usize = 12;

/// Flags of `quality`.
#[derive(Debug, clap::Args)]
pub struct Quality {
    #[command(flatten)]
    data: DataOptions,
    /// Train with seeds 1 to N.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only the rows of this graph.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

/// A row of the table: graph, dimension, targets.
#[derive(Debug)]
struct Row {
    graph: &'static str,
    /// The default if none.
    dim: Option<usize>,
    /// Targets of accuracy, conductance and NMI.
    targets: Option<[Target; 3]>,
    /// Best known accuracy, conductance and NMI of other methods.
    reference: &'static str,
}

const fn row(
    graph: &'static str,
    dim: Option<usize>,
    accuracy: &'static str,
    conductance: &'static str,
    nmi: &'static str,
    reference: &'static str,
) -> Row {
    Row { graph, dim, targets: Some([AtLeast(accuracy), AtMost(conductance), AtLeast(nmi)]), reference }
}

static ROWS: [Row; 12] = [
    row("dblp", None, "0.84", "0.055", "0.72", LEIDEN),
    row("dblp", Some(2), "0.80", "0.069", "0.68", "paper 0.793 / 0.069 / 0.576"),
    row("dblp", Some(10), "0.84", "0.055", "0.72", LEIDEN),
    row("karate", None, "0.97", "0.132", "0.83", "the paper's code 0.971 / 0.132 / 0.837"),
    row("books", None, "0.85", "0.167", "0.60", "the paper's code 0.876 / 0.167 / 0.638"),
    row("books", Some(2), "0.85", "0.167", "0.60", "the paper's code 0.876 / 0.167 / 0.638"),
    row("football", None, "0.913", "0.34", "0.92", "DeepWalk-10 with K-means 0.913 / 0.337 / 0.924"),
    row("football", Some(2), "0.80", "0.50", "0.80", "the paper's code 0.774 / 0.545 / 0.774"),
    row("polblogs", None, "0.95", "0.078", "0.72", "DeepWalk-2 with K-means 0.953 / 0.078 / 0.728"),
    row("polblogs", Some(2), "0.95", "0.078", "0.72", "DeepWalk-2 with K-means 0.953 / 0.078 / 0.728"),
    Row { graph: "wikipedia", dim: None, targets: None, reference: "" },
    Row { graph: "blogcatalog", dim: None, targets: None, reference: "" },
];

/// Leiden with the resolution that gives five communities on DBLP.
const LEIDEN: &str = "Leiden with K = 5: 0.821 / 0.027 / 0.733, with a cluster of 14 nodes";

impl Quality {
    /// Trains all rows and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(only) = &self.only
            && ROWS.iter().all(|row| row.graph != only)
        {
            anyhow::bail!("the table has no graph `{only}`");
        }
        let folder = self.data.folder();
        let mut table = MarkdownTable::new(&[
            "graph",
            "dim",
            "accuracy (worst seed)",
            "conductance",
            "NMI",
            "targets",
            "reference",
            "cluster sizes of seed 1",
            "seconds",
        ]);
        let (mut skipped, mut warnings) = (Vec::new(), Vec::new());
        for row in ROWS.iter().filter(|row| self.only.as_deref().is_none_or(|only| row.graph == only)) {
            let Some(loaded) = graphs::load(row.graph, &folder)? else {
                eprintln!("{}: files are missing, skipped", row.graph);
                skipped.push(format!("{} ({})", row.graph, row.dim_text()));
                continue;
            };
            let config = TrainConfig { dim: row.dim, ..TrainConfig::default() };
            let title = format!("{}, dim {}", row.graph, row.dim_text());
            let runs = quality_run::run(&title, &loaded, &config, self.seeds)?;
            let line = |(seed, warning)| format!("* {title}, seed {seed}: {warning}\n");
            warnings.extend(runs.warnings.iter().cloned().map(line));
            table.row(&[
                &row.title(),
                &row.dim_text(),
                &format!("{} ({:.3})", runs.accuracy, runs.accuracy.min()),
                &runs.conductance,
                &runs.nmi,
                &row.verdicts(&runs),
                &if row.reference.is_empty() { "–" } else { row.reference },
                &first_sizes(&runs.sizes),
                &format!("{:.1}", runs.seconds.mean()),
            ]);
        }
        let mut report = header("Quality on public graphs") + &explanation(self.seeds)? + &table.finish();
        if !skipped.is_empty() {
            report += &format!("Skipped because their files are missing: {}.\n\n", skipped.join(", "));
        }
        if !warnings.is_empty() {
            report += &format!("Warnings about cluster sizes:\n\n{}", warnings.concat());
        }
        self.output.write(&report)
    }
}

impl Row {
    fn title(&self) -> String {
        if self.graph == "polblogs" {
            return "polblogs, largest component".to_owned();
        }
        self.graph.to_owned()
    }

    fn dim_text(&self) -> String {
        self.dim.map_or("default".to_owned(), |dim| dim.to_string())
    }

    /// Targets with their verdicts, in the order of the columns.
    fn verdicts(&self, runs: &QualityRuns) -> String {
        let Some(targets) = self.targets else { return "none".to_owned() };
        let means = [&runs.accuracy, &runs.conductance, &runs.nmi].map(|stats| stats.mean());
        let verdicts: Vec<String> =
            targets.iter().zip(means).map(|(target, mean)| target.verdict(mean)).collect();
        verdicts.join(", ")
    }
}

fn explanation(seeds: u64) -> anyhow::Result<String> {
    let config = serde_json::to_string(&TrainConfig::default())?;
    Ok(format!(
        "Mean ± standard deviation over seeds 1 to {seeds}. All graphs share the hyperparameters below, where null is the default of \
         [hyperparameters](../reference/hyperparameters.md), except `dim`, `seed` and `communities`, which is the number of classes:\n\n```json\n{config}\n```\n\n\
         Targets and references are for clustering accuracy (precision@1 in the paper), conductance and NMI; ✓ marks \
         a target that is reached and – one that is missed, after rounding to the target's number of digits. Seconds are the mean \
         time of one training on all cores, without loading.\n\n"
    ))
}

/// The largest sizes, and the number of omitted ones.
fn first_sizes(sizes: &[usize]) -> String {
    let shown: Vec<String> = sizes.iter().take(SIZES_SHOWN).map(usize::to_string).collect();
    let more = sizes.len().saturating_sub(SIZES_SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;
    use hycome_experiments::SeedStats;

    #[test]
    fn verdicts_follow_the_columns() {
        let [accuracy, conductance, nmi] = [0.9, 0.1, 0.9].map(|mean| SeedStats(vec![mean]));
        let runs = QualityRuns { accuracy, conductance, nmi, ..QualityRuns::default() };
        assert_eq!(ROWS[0].verdicts(&runs), "≥ 0.84 ✓, ≤ 0.055 –, ≥ 0.72 ✓");
        assert_eq!(ROWS[11].verdicts(&runs), "none");
    }

    #[test]
    fn targets_are_numbers() {
        let targets = ROWS.iter().filter_map(|row| row.targets).flatten();
        assert_eq!(targets.filter(|target| !target.is_reached_by(f64::NAN)).count(), 30);
    }

    #[test]
    fn long_lists_of_sizes_are_truncated() {
        assert_eq!(first_sizes(&[5, 3]), "5, 3");
        assert_eq!(first_sizes(&[1; 14]), "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, and 2 more");
    }
}
