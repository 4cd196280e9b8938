//! How time and memory grow with the graph.
//!
//! Graphs of growing size, with ten edges for each node, are generated, written as graph files and trained, each in a
//! process of its own. The work grows in proportion to the nodes: one walk of 20 from each. So the exponent b of
//! time ≈ a·edgesᵇ would be one if memory were equally near for all sizes.

use crate::growth::exponent;
use crate::once::{Generation, Measured, Training, in_a_process};
use crate::report::{OutputOptions, header};
use hycome::experiments::machine;
use hycome::experiments::markdown::Table;

/// Nodes of the graphs; the last two show how time grows once no cache holds a block of rows.
const SIZES: [usize; 5] = [10_000, 100_000, 1_000_000, 4_000_000, 10_000_000];

/// Settings of every training: one epoch of O₂ and a single component, so that fits take no time to speak of.
pub const SETTINGS: &str =
    "--communities 1 --warmup-epochs 1 --epochs 0 --walks 1 --walk-length 20 --window 5 --negatives 5";

/// A graph of the size of Flickr, with about as many communities; its degrees are less unequal.
const FLICKR: &str = "lfr --nodes 80513 --average-degree 149.5 --max-degree 1000 --min-community 150 \
                      --max-community 850 --mixing 0.3";

/// Flickr's classes.
const FLICKR_COMMUNITIES: usize = 195;

/// Flags of `scale`.
#[derive(Debug, clap::Args)]
pub struct Scale {
    /// Nodes of the largest graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    largest: usize,
    /// Dimensions.
    #[arg(long, value_name = "M", default_value_t = 10)]
    dim: usize,
    /// Threads; by default one for each core.
    #[arg(long, value_name = "T", default_value_t = machine::cores())]
    threads: usize,
    /// Also train a graph of the size of Flickr end to end, with default settings and its 195 communities.
    #[arg(long)]
    flickr: bool,
    #[command(flatten)]
    output: OutputOptions,
}

impl Scale {
    /// Measures everything and prints the tables.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut report = header("How time and memory grow");
        report += &format!(
            "Generated graphs, dim {}, {} threads, `{SETTINGS}`. *Second order* is the training of walks; *training* is \
             all of it, preparations and the last fit included; *system* are the seconds of processor that the system took \
             of it, for the most part to find memory. Loading maps a graph file and checks it. Memory is that \
             of the whole process at its peak, the pages of the mapped file included. Every graph has a process of \
             its own.\n\n",
            self.dim, self.threads
        );
        let models: [(&str, Arguments); 2] = [("LFR", lfr_arguments), ("power law", power_law_arguments)];
        let mut growth = Table::new(&[
            "model",
            "second order",
            "training",
            "processor without the system",
            "loading",
            "peak memory",
        ]);
        let mut sizes = Table::new(&COLUMNS);
        for (model, arguments) in models {
            let mut rows = Vec::new();
            for nodes in self.sizes() {
                eprintln!("{model}, {nodes} nodes");
                let row = self.measure(arguments, nodes)?;
                row.add_to(&mut sizes, model);
                rows.push(row);
            }
            growth.row(&[
                &model,
                &exponents(&rows, |row| row.trained.result.second_order),
                &exponents(&rows, |row| row.trained.result.training.wall),
                &exponents(&rows, |row| row.trained.result.training.cpu - row.trained.result.system),
                &exponents(&rows, |row| row.trained.result.load.wall),
                &exponents(&rows, |row| row.trained.peak_memory as f64),
            ]);
        }
        report += &sizes.finish();
        report += "The exponent b of a·edgesᵇ, by least squares over all sizes; in brackets, from each size to the \
                   next:\n\n";
        report += &growth.finish();
        if self.flickr {
            report += &self.flickr()?;
        }
        self.output.put(&report)
    }

    fn sizes(&self) -> Vec<usize> {
        SIZES.into_iter().filter(|&nodes| nodes <= self.largest).collect()
    }

    fn measure(&self, arguments: Arguments, nodes: usize) -> anyhow::Result<Row> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("made.hyg").display().to_string();
        let made = in_a_process(&arguments(nodes, &path))?;
        let trained = self.train(&path, SETTINGS)?;
        Ok(Row { made, trained })
    }

    fn train(&self, path: &str, settings: &str) -> anyhow::Result<Measured<Training>> {
        let (dim, threads) = (self.dim, self.threads);
        let settings = words(&format!("--dim {dim} --threads {threads} {settings}"));
        in_a_process(&[words("training --graph"), vec![path.to_owned()], settings].concat())
    }

    /// The graph of Flickr's size: a table of parts.
    fn flickr(&self) -> anyhow::Result<String> {
        eprintln!("a graph of the size of Flickr");
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("flickr.hyg").display().to_string();
        let made: Measured<Generation> = in_a_process(&generate(&path, FLICKR))?;
        let Measured { result: trained, peak_memory, .. } =
            self.train(&path, &format!("--communities {FLICKR_COMMUNITIES} --scores"))?;
        let mut table = Table::new(&["what", "measured"]);
        let mut add = |what: &str, value: String| table.row(&[&what, &value]);
        add("loading the graph file", format!("{:.1} ms", 1e3 * trained.load.wall));
        add("training", format!("{:.1} s", trained.training.wall));
        add("of it neighbours (O₁)", format!("{:.1} s", trained.first_order));
        add("walks (O₂)", format!("{:.1} s", trained.second_order));
        add("fits (EM)", format!("{:.1} s", trained.em));
        add("the pull to communities (O₃)", format!("{:.1} s", trained.community));
        let per_pair = 1e9 * trained.second_order / trained.pairs as f64;
        add(
            "pair updates on walks",
            format!("{:.1} million, {per_pair:.1} ns each", trained.pairs as f64 / 1e6),
        );
        add("peak memory", format!("{:.0} MB", peak_memory as f64 / 1e6));
        add("conductance", format!("{:.3}", trained.conductance.unwrap_or(f64::NAN)));
        add("NMI with the generated communities", format!("{:.3}", trained.nmi.unwrap_or(f64::NAN)));
        Ok(format!(
            "## A graph of the size of Flickr\n\n`{FLICKR}` made {} nodes, {} edges and {} communities; trained into \
             {FLICKR_COMMUNITIES} communities, dim {}, {} threads, default settings:\n\n{}",
            made.result.nodes,
            made.result.edges,
            made.result.communities,
            self.dim,
            trained.threads,
            table.finish()
        ))
    }
}

/// From a number of nodes and a path to the arguments that make the graph there.
type Arguments = fn(usize, &str) -> Vec<String>;

/// Makes an LFR graph of ten edges for each node.
pub fn lfr_arguments(nodes: usize, path: &str) -> Vec<String> {
    let settings = "--average-degree 20 --max-degree 200 --max-community 1000";
    generate(path, &format!("lfr --nodes {nodes} {settings}"))
}

/// Makes a power-law graph of ten edges for each node.
fn power_law_arguments(nodes: usize, path: &str) -> Vec<String> {
    generate(path, &format!("power-law --nodes {nodes} --average-degree 20"))
}

fn generate(path: &str, model: &str) -> Vec<String> {
    [words("generate -o"), vec![path.to_owned()], words(model)].concat()
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

const COLUMNS: [&str; 16] = [
    "model",
    "nodes",
    "edges",
    "generating, s",
    "at its peak, GB",
    "loading, ms",
    "second order, s",
    "ns per pair update",
    "µs per node",
    "ns per edge",
    "training, s",
    "processor, s",
    "system, s",
    "peak memory, MB",
    "bytes per node",
    "bytes per edge",
];

/// What was measured on a graph.
struct Row {
    made: Measured<Generation>,
    trained: Measured<Training>,
}

impl Row {
    fn add_to(&self, table: &mut Table, model: &str) {
        let (trained, peak) = (&self.trained.result, self.trained.peak_memory as f64);
        let edges = trained.edges as f64;
        table.row(&[
            &model,
            &trained.nodes,
            &trained.edges,
            &format!("{:.2}", self.made.result.generate.wall),
            &format!("{:.2}", self.made.peak_memory as f64 / 1e9),
            &format!("{:.1}", 1e3 * trained.load.wall),
            &format!("{:.2}", trained.second_order),
            &format!("{:.1}", 1e9 * trained.second_order / trained.pairs as f64),
            &format!("{:.1}", 1e6 * trained.second_order / trained.nodes as f64),
            &format!("{:.0}", 1e9 * trained.second_order / edges),
            &format!("{:.2}", trained.training.wall),
            &format!("{:.2}", trained.training.cpu),
            &format!("{:.2}", trained.system),
            &format!("{:.0}", peak / 1e6),
            &format!("{:.0}", peak / trained.nodes as f64),
            &format!("{:.1}", peak / edges),
        ]);
    }
}

/// The exponent over all sizes, and from each to the next: `1.04 (1.02, 1.07)`.
fn exponents(rows: &[Row], value: impl Fn(&Row) -> f64) -> String {
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.trained.result.edges as f64, value(row))).collect();
    exponents_of(&points)
}

fn exponents_of(points: &[(f64, f64)]) -> String {
    if points.len() < 2 {
        return "–".into();
    }
    let steps: Vec<String> = points.windows(2).map(|two| format!("{:.2}", exponent(two))).collect();
    format!("{:.3} ({})", exponent(points), steps.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_told_over_all_and_step_by_step() {
        assert_eq!(exponents_of(&[(1.0, 1.0), (10.0, 10.0), (100.0, 1000.0)]), "1.500 (1.00, 2.00)");
        assert_eq!(exponents_of(&[(1.0, 1.0)]), "–");
    }

    #[test]
    fn paths_and_settings_become_arguments() {
        let arguments = power_law_arguments(5, "my graph.hyg");
        assert_eq!(arguments[..5], ["generate", "-o", "my graph.hyg", "power-law", "--nodes"]);
    }
}
