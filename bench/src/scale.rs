//! Scaling of time and memory with graph size.
//!
//! Graphs of increasing size, with ten edges per node, are generated, written as graph files and trained, each in its
//! own process. The work is proportional to the number of nodes: one walk of 20 nodes each. The exponent b of time ≈
//! a·edgesᵇ would be one if memory latency did not depend on size. The cost of page faults belongs to the machine, so
//! every graph is also trained in a process with pre-faulted memory ([`crate::prefault`]).

use crate::power_law_fit::exponent;
use crate::prefault::{self, PAGE};
use crate::report::{OutputOptions, header};
use crate::single::{Generation, Measurement, Training, run_in_process, run_in_process_with_env};
use hycome::machine;
use hycome_experiments::markdown::MarkdownTable;

/// Nodes of the graphs; in the last two, a block of rows exceeds every cache.
const SIZES: [usize; 5] = [10_000, 100_000, 1_000_000, 4_000_000, 10_000_000];

/// Hyperparameters: one second-order epoch and a single component, so that the time of EM is negligible.
pub const SETTINGS: &str =
    "--communities 1 --warmup-epochs 1 --epochs 0 --walks 1 --walk-length 20 --window 5 --negatives 5";

/// LFR graph of the size of Flickr, with about as many communities but more even degrees.
const FLICKR: &str = "lfr --nodes 80513 --average-degree 149.5 --max-degree 1000 --min-community 150 \
                      --max-community 850 --mixing 0.3";

/// Number of classes of Flickr.
const FLICKR_COMMUNITIES: usize = 195;

/// Pre-faulted memory relative to the peak of the training: a margin for fragmentation.
const PREFAULT_FACTOR: f64 = 1.3;

/// Minimum total seconds of the repetitions of a graph: short runs are more sensitive to other load.
const MIN_SECONDS: f64 = 10.0;

/// From this number of nodes on, the rows of a bucket exceed a core's private cache: a megabyte in ten dimensions.
const CACHE_LIMIT_NODES: usize = 100_000;

/// Flags of `scale`.
#[derive(Debug, clap::Args)]
pub struct Scale {
    /// Nodes of the largest graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    largest: usize,
    /// Embedding dimension.
    #[arg(long, value_name = "M", default_value_t = 10)]
    dim: usize,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = machine::cores())]
    threads: usize,
    /// Minimum number of repetitions; the shortest counts.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..))]
    repeats: u8,
    /// Also train a graph of the size of Flickr end to end, with default hyperparameters and 195 communities.
    #[arg(long)]
    flickr: bool,
    #[command(flatten)]
    output: OutputOptions,
}

impl Scale {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut report = header("Scaling");
        report += &format!(
            "Generated graphs, dim {}, {} threads, `{SETTINGS}`; minimum of at least {} runs and {MIN_SECONDS} \
             seconds. Every training runs in its own process.\n\n\
             Loading memory-maps a graph file and validates it. Memory is the peak of the process, including pages of \
             the mapped file.\n\n",
            self.dim, self.threads, self.repeats
        );
        let models: [(&str, Generator); 2] = [("LFR", lfr_arguments), ("power law", power_law_arguments)];
        let mut graphs = MarkdownTable::new(&GRAPH_COLUMNS);
        let mut times = MarkdownTable::new(&TIME_COLUMNS);
        let mut growth = MarkdownTable::new(&GROWTH_COLUMNS);
        for (model, arguments) in models {
            let mut rows = Vec::new();
            for nodes in self.sizes() {
                eprintln!("{model}, {nodes} nodes");
                let row = self.measure(arguments, nodes)?;
                row.add_graph_to(&mut graphs, model);
                row.add_times_to(&mut times, model);
                rows.push(row);
            }
            growth.row(&[
                &model,
                &exponents(&rows, |row| row.prefaulted.result.second_order),
                &exponents(&rows, |row| row.prefaulted.result.training.wall),
                &exponents(&rows, |row| row.trained.result.second_order),
                &exponents(&rows, |row| row.trained.result.training.wall),
                &exponents(&rows, |row| row.trained.result.load.wall),
                &exponents(&rows, |row| row.trained.peak_memory as f64),
            ]);
        }
        report += &graphs.finish();
        report += "*Second order* is skip-gram training on walks; *training* is everything, including preparation and \
                   the final fit. *Pre-faulted*: the process touched all the memory it needs before the clock started. \
                   Otherwise pages are faulted in during the run, which costs the given *system* CPU seconds. The last \
                   column is the mean cost of a page fault while the process pre-faulted its memory; it depends on the \
                   machine and on the amount.\n\n";
        report += &times.finish();
        report += &format!(
            "Exponent b of a·edgesᵇ by least squares: over all sizes, over sizes from {CACHE_LIMIT_NODES} nodes, where the \
             rows of a bucket exceed a core's private cache, and, in parentheses, between consecutive sizes:\n\n"
        );
        report += &growth.finish();
        if self.flickr {
            report += &self.flickr()?;
        }
        self.output.write(&report)
    }

    fn sizes(&self) -> Vec<usize> {
        SIZES.into_iter().filter(|&nodes| nodes <= self.largest).collect()
    }

    fn measure(&self, arguments: Generator, nodes: usize) -> anyhow::Result<Row> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made.hyg").display().to_string();
        let made = run_in_process(&arguments(nodes, &path))?;
        let arguments = self.training(&path, SETTINGS);
        let trained: Measurement<Training> = self.best(|| run_in_process(&arguments))?;
        let prefaulted_bytes = (PREFAULT_FACTOR * trained.peak_memory as f64) as usize;
        let arguments = [arguments, words(&format!("--prefault {prefaulted_bytes}"))].concat();
        let prefaulted = self.best(|| run_in_process_with_env(&arguments, &[prefault::KEEP_FREED_MEMORY]))?;
        Ok(Row { made, trained, prefaulted, prefaulted_bytes })
    }

    /// Minimum over all repetitions.
    fn best(
        &self,
        train: impl Fn() -> anyhow::Result<Measurement<Training>>,
    ) -> anyhow::Result<Measurement<Training>> {
        let wall = |measured: &Measurement<Training>| measured.result.training.wall;
        let mut best = train()?;
        let (mut made, mut seconds) = (1, wall(&best));
        while made < u32::from(self.repeats) || seconds < MIN_SECONDS {
            let next = train()?;
            (made, seconds) = (made + 1, seconds + wall(&next));
            if wall(&next) < wall(&best) {
                best = next;
            }
        }
        Ok(best)
    }

    /// Arguments of `single` for a training run.
    fn training(&self, path: &str, settings: &str) -> Vec<String> {
        let (dim, threads) = (self.dim, self.threads);
        let settings = words(&format!("--dim {dim} --threads {threads} {settings}"));
        [words("training --graph"), vec![path.to_owned()], settings].concat()
    }

    /// Table of the phases on the graph of the size of Flickr.
    fn flickr(&self) -> anyhow::Result<String> {
        eprintln!("graph of the size of Flickr");
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("flickr.hyg").display().to_string();
        let made: Measurement<Generation> = run_in_process(&generate(&path, FLICKR))?;
        let Measurement::<Training> { result: trained, peak_memory, .. } =
            run_in_process(&self.training(&path, &format!("--communities {FLICKR_COMMUNITIES} --scores")))?;
        let mut table = MarkdownTable::new(&["quantity", "measured"]);
        let mut add = |what: &str, value: String| table.row(&[&what, &value]);
        add("loading the graph file", format!("{:.1} ms", 1e3 * trained.load.wall));
        add("training", format!("{:.1} s", trained.training.wall));
        add("first-order steps (O₁)", format!("{:.1} s", trained.first_order));
        add("second-order steps (O₂)", format!("{:.1} s", trained.second_order));
        add("EM", format!("{:.1} s", trained.em));
        add("community steps (O₃)", format!("{:.1} s", trained.community));
        let per_pair = 1e9 * trained.second_order / trained.pairs as f64;
        add(
            "second-order pair updates",
            format!("{:.1} million, {per_pair:.1} ns each", trained.pairs as f64 / 1e6),
        );
        add("peak memory", format!("{:.0} MB", peak_memory as f64 / 1e6));
        add("conductance", format!("{:.3}", trained.conductance.unwrap_or(f64::NAN)));
        add("NMI with the generated communities", format!("{:.3}", trained.nmi.unwrap_or(f64::NAN)));
        Ok(format!(
            "## Graph of the size of Flickr\n\n`{FLICKR}` generates {} nodes, {} edges and {} communities. Trained \
             with {FLICKR_COMMUNITIES} communities, dim {}, {} threads, default settings:\n\n{}",
            made.result.nodes,
            made.result.edges,
            made.result.communities,
            self.dim,
            trained.threads,
            table.finish()
        ))
    }
}

/// Maps a number of nodes and a path to the arguments of `single` that generate the graph.
type Generator = fn(usize, &str) -> Vec<String>;

/// Arguments of `single` for an LFR graph with ten edges per node.
pub fn lfr_arguments(nodes: usize, path: &str) -> Vec<String> {
    let settings = "--average-degree 20 --max-degree 200 --max-community 1000";
    generate(path, &format!("lfr --nodes {nodes} {settings}"))
}

/// Arguments of `single` for a power-law graph with ten edges per node.
fn power_law_arguments(nodes: usize, path: &str) -> Vec<String> {
    generate(path, &format!("power-law --nodes {nodes} --average-degree 20"))
}

fn generate(path: &str, model: &str) -> Vec<String> {
    [words("generate -o"), vec![path.to_owned()], words(model)].concat()
}

/// Splits a command line into arguments.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

const GRAPH_COLUMNS: [&str; 9] = [
    "model",
    "nodes",
    "edges",
    "generating, s",
    "peak, GB",
    "loading, ms",
    "training peak, MB",
    "bytes per node",
    "bytes per edge",
];

const TIME_COLUMNS: [&str; 11] = [
    "model",
    "nodes",
    "pre-faulted: second order, s",
    "ns per pair update",
    "µs per node",
    "ns per edge",
    "training, s",
    "page-faulted during the run: second order, s",
    "training, s",
    "system CPU s",
    "page-fault cost, µs",
];

const GROWTH_COLUMNS: [&str; 7] = [
    "model",
    "pre-faulted: second order",
    "training",
    "page-faulted during the run: second order",
    "training",
    "loading",
    "peak memory",
];

/// Measurements on one graph.
struct Row {
    made: Measurement<Generation>,
    trained: Measurement<Training>,
    /// Training with pre-faulted memory.
    prefaulted: Measurement<Training>,
    prefaulted_bytes: usize,
}

impl Row {
    fn add_graph_to(&self, table: &mut MarkdownTable, model: &str) {
        let (trained, peak) = (&self.trained.result, self.trained.peak_memory as f64);
        table.row(&[
            &model,
            &trained.nodes,
            &trained.edges,
            &format!("{:.2}", self.made.result.generate.wall),
            &format!("{:.2}", self.made.peak_memory as f64 / 1e9),
            &format!("{:.1}", 1e3 * trained.load.wall),
            &format!("{:.0}", peak / 1e6),
            &format!("{:.0}", peak / trained.nodes as f64),
            &format!("{:.1}", peak / trained.edges as f64),
        ]);
    }

    fn add_times_to(&self, table: &mut MarkdownTable, model: &str) {
        let (trained, prefaulted) = (&self.trained.result, &self.prefaulted.result);
        let pages = (self.prefaulted_bytes / PAGE) as f64;
        table.row(&[
            &model,
            &trained.nodes,
            &format!("{:.2}", prefaulted.second_order),
            &format!("{:.1}", 1e9 * prefaulted.second_order / prefaulted.pairs as f64),
            &format!("{:.1}", 1e6 * prefaulted.second_order / prefaulted.nodes as f64),
            &format!("{:.0}", 1e9 * prefaulted.second_order / prefaulted.edges as f64),
            &format!("{:.2}", prefaulted.training.wall),
            &format!("{:.2}", trained.second_order),
            &format!("{:.2}", trained.training.wall),
            &format!("{:.2}", trained.system),
            &format!("{:.1}", 1e6 * prefaulted.prefault.wall / pages),
        ]);
    }
}

/// Exponents over all sizes, beyond the cache, and from each size to the next: `1.04, 1.02 (1.09, 1.00, 1.03)`.
fn exponents(rows: &[Row], value: impl Fn(&Row) -> f64) -> String {
    let points = |from: usize| -> Vec<(f64, f64)> {
        let rows = rows.iter().filter(|row| row.trained.result.nodes >= from);
        rows.map(|row| (row.trained.result.edges as f64, value(row))).collect()
    };
    exponents_of(&points(0), &points(CACHE_LIMIT_NODES))
}

fn exponents_of(all: &[(f64, f64)], beyond: &[(f64, f64)]) -> String {
    let fitted = |points: &[(f64, f64)]| match points.len() {
        0 | 1 => "–".to_owned(),
        _ => format!("{:.3}", exponent(points)),
    };
    let steps: Vec<String> = all.windows(2).map(|two| format!("{:.2}", exponent(two))).collect();
    format!("{}, {} ({})", fitted(all), fitted(beyond), steps.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_fitted_overall_and_stepwise() {
        let points = [(1.0, 1.0), (10.0, 10.0), (100.0, 1000.0)];
        assert_eq!(exponents_of(&points, &points[1..]), "1.500, 2.000 (1.00, 2.00)");
        assert_eq!(exponents_of(&points[..1], &[]), "–, – ()");
    }

    #[test]
    fn paths_and_settings_become_arguments() {
        let arguments = power_law_arguments(5, "my graph.hyg");
        assert_eq!(arguments[..5], ["generate", "-o", "my graph.hyg", "power-law", "--nodes"]);
    }
}
