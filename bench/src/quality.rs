//! How good: scores with the default settings over several seeds, beside goals and the best peers.

use hycome::TrainConfig;

use crate::goal::Goal::{self, AtLeast, AtMost};
use crate::graphs::{self, DataOptions};
use crate::report::{OutputOptions, header};
use crate::trial::{self, Trials};
use hycome::experiments::markdown::Table;

/// Cluster sizes that are printed.
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

/// A row of the table before it is measured.
#[derive(Debug)]
struct Row {
    graph: &'static str,
    dim: usize,
    /// Of precision@1, conductance and NMI.
    goals: Option<[Goal; 3]>,
    /// The best peer measured: precision@1, conductance, NMI.
    peer: &'static str,
}

const fn row(
    graph: &'static str,
    dim: usize,
    precision: &'static str,
    conductance: &'static str,
    nmi: &'static str,
    peer: &'static str,
) -> Row {
    Row { graph, dim, goals: Some([AtLeast(precision), AtMost(conductance), AtLeast(nmi)]), peer }
}

static ROWS: [Row; 10] = [
    row(
        "dblp",
        2,
        "0.80",
        "0.069",
        "0.68",
        "paper 0.793 / 0.069 / 0.576; trial of this design 0.83 / 0.067 / 0.71",
    ),
    row("dblp", 5, "0.85", "0.058", "0.72", "paper's ComE 0.875 / 0.058 / 0.62; trial 0.84 / 0.057 / 0.73"),
    row(
        "dblp",
        10,
        "0.84",
        "0.055",
        "0.72",
        "Leiden told K = 5: 0.821 / 0.027 / 0.733, with a cluster of 14 nodes",
    ),
    row("karate", 2, "0.97", "0.132", "0.83", "the paper's code 0.971 / 0.132 / 0.837"),
    row("books", 2, "0.85", "0.167", "0.60", "the paper's code 0.876 / 0.167 / 0.638"),
    row("football", 2, "0.80", "0.50", "0.80", "the paper's code 0.774 / 0.545 / 0.774"),
    row("football", 10, "0.913", "0.34", "0.92", "DeepWalk-10 with K-means 0.913 / 0.337 / 0.924"),
    row("polblogs", 2, "0.95", "0.078", "0.72", "DeepWalk-2 with K-means 0.953 / 0.078 / 0.728"),
    Row { graph: "wikipedia", dim: 10, goals: None, peer: "" },
    Row { graph: "blogcatalog", dim: 10, goals: None, peer: "" },
];

impl Quality {
    /// Trains every row's graph and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(only) = &self.only
            && ROWS.iter().all(|row| row.graph != only)
        {
            anyhow::bail!("no graph of the table is called `{only}`");
        }
        let folder = self.data.folder();
        let mut table = Table::new(&[
            "graph",
            "dim",
            "precision@1 (worst)",
            "conductance",
            "NMI",
            "goals",
            "best peer measured",
            "cluster sizes of seed 1",
            "seconds",
        ]);
        let (mut skipped, mut warnings) = (Vec::new(), Vec::new());
        for row in ROWS.iter().filter(|row| self.only.as_deref().is_none_or(|only| row.graph == only)) {
            let Some(loaded) = graphs::load(row.graph, &folder)? else {
                eprintln!("{} is not there and skipped", row.graph);
                skipped.push(format!("{} ({})", row.graph, row.dim));
                continue;
            };
            let config = TrainConfig { dim: row.dim, ..TrainConfig::default() };
            let title = format!("{}, dim {}", row.graph, row.dim);
            let trials = trial::run(&title, &loaded, &config, self.seeds)?;
            let place = |(seed, sentence)| format!("* {title}, seed {seed}: {sentence}\n");
            warnings.extend(trials.warnings.iter().cloned().map(place));
            table.row(&[
                &row.title(),
                &row.dim,
                &format!("{} ({:.3})", trials.precision, trials.precision.least()),
                &trials.conductance,
                &trials.nmi,
                &row.verdicts(&trials),
                &if row.peer.is_empty() { "–" } else { row.peer },
                &first_sizes(&trials.sizes),
                &format!("{:.1}", trials.seconds.mean()),
            ]);
        }
        let mut report = header("How good") + &explanation(self.seeds)? + &table.finish();
        if !skipped.is_empty() {
            report += &format!("Skipped, their files not being there: {}.\n\n", skipped.join(", "));
        }
        if !warnings.is_empty() {
            report += &format!("What cluster sizes say against scores:\n\n{}", warnings.concat());
        }
        self.output.put(&report)
    }
}

impl Row {
    fn title(&self) -> String {
        if self.graph == "polblogs" {
            return "polblogs, largest component".to_owned();
        }
        self.graph.to_owned()
    }

    /// Each goal with its mark, in the order of the columns.
    fn verdicts(&self, trials: &Trials) -> String {
        let Some(goals) = self.goals else { return "none".to_owned() };
        let means = [&trials.precision, &trials.conductance, &trials.nmi].map(|sample| sample.mean());
        let verdicts: Vec<String> = goals.iter().zip(means).map(|(goal, mean)| goal.verdict(mean)).collect();
        verdicts.join(", ")
    }
}

fn explanation(seeds: u64) -> anyhow::Result<String> {
    let config = serde_json::to_string(&TrainConfig::default())?;
    Ok(format!(
        "Means ± standard deviations over seeds 1 to {seeds}, every graph with the same settings but `dim`, `seed` \
         and `communities`, which is the number of classes:\n\n```json\n{config}\n```\n\n\
         Goals are for precision@1, conductance and NMI; ✓ is reached, – is not. A mean is rounded to the goal's \
         number of digits before it is compared. Peers are given in the same order. Seconds are of one \
         training on all cores, without loading.\n\n"
    ))
}

/// The first sizes, and how many more there are.
fn first_sizes(sizes: &[usize]) -> String {
    let shown: Vec<String> = sizes.iter().take(SIZES_SHOWN).map(usize::to_string).collect();
    let more = sizes.len().saturating_sub(SIZES_SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;
    use hycome::experiments::Sample;

    #[test]
    fn verdicts_follow_the_columns() {
        let [precision, conductance, nmi] = [0.9, 0.1, 0.9].map(|mean| Sample(vec![mean]));
        let trials = Trials { precision, conductance, nmi, ..Trials::default() };
        assert_eq!(ROWS[0].verdicts(&trials), "≥ 0.80 ✓, ≤ 0.069 –, ≥ 0.68 ✓");
        assert_eq!(ROWS[9].verdicts(&trials), "none");
    }

    #[test]
    fn goals_are_numbers() {
        let goals = ROWS.iter().filter_map(|row| row.goals).flatten();
        assert_eq!(goals.filter(|goal| !goal.is_reached_by(f64::NAN)).count(), 24);
    }

    #[test]
    fn long_lists_of_sizes_are_cut() {
        assert_eq!(first_sizes(&[5, 3]), "5, 3");
        assert_eq!(first_sizes(&[1; 14]), "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, and 2 more");
    }
}
