//! What helps where memory is far: on a graph that no cache holds, walks side by side, the order of nodes, blocks and large pages.

use crate::once::{Generation, Measured, Training, Walking, in_a_process, in_a_process_with};
use crate::report::{OutputOptions, header};
use crate::scale::{SETTINGS, lfr_arguments};
use hycome::experiments::machine;
use hycome::experiments::markdown::Table;

/// Asks the allocator of glibc for pages of 2 MB.
const LARGE_PAGES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

/// Flags of `far`.
#[derive(Debug, clap::Args)]
pub struct Far {
    /// Nodes of the generated graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: usize,
    /// Dimensions.
    #[arg(long, value_name = "M", default_value_t = 10)]
    dim: usize,
    /// Train so many times, in turns, and tell the shortest.
    #[arg(long, value_name = "N", default_value_t = 2)]
    repeats: usize,
    #[command(flatten)]
    output: OutputOptions,
}

/// A way to do the same work.
struct Way {
    name: &'static str,
    flags: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

const fn way(name: &'static str, flags: &'static str) -> Way {
    Way { name, flags, variables: &[] }
}

const fn on_large_pages(name: &'static str, flags: &'static str) -> Way {
    Way { name, flags, variables: &[LARGE_PAGES] }
}

/// The first is what a training does, but for the order of nodes.
const WALKS: [Way; 8] = [
    way("sixteen abreast, nodes at random", "--abreast 16 --order random"),
    way("one after the other", "--abreast 1 --order random"),
    way("four abreast", "--abreast 4 --order random"),
    way("eight abreast", "--abreast 8 --order random"),
    way("nodes as generated, community by community", "--abreast 16 --order given"),
    way("nodes by degree", "--abreast 16 --order degree"),
    way("nodes breadth first", "--abreast 16 --order breadth"),
    on_large_pages("pages of 2 MB", "--abreast 16 --order random"),
];

/// The first is the default.
const TRAININGS: [Way; 6] = [
    way("8 blocks", "--blocks 8"),
    way("2 blocks", "--blocks 2"),
    way("4 blocks", "--blocks 4"),
    way("16 blocks", "--blocks 16"),
    way("32 blocks", "--blocks 32"),
    on_large_pages("8 blocks, pages of 2 MB", "--blocks 8"),
];

impl Far {
    /// Measures and prints the tables.
    pub fn run(&self) -> anyhow::Result<()> {
        let temporary = tempfile::tempdir()?;
        let path = temporary.path().join("lfr.hyg").display().to_string();
        eprintln!("generating a graph of {} nodes", self.nodes);
        let _: Measured<Generation> = in_a_process(&lfr_arguments(self.nodes, &path))?;
        let walks = self.table("ns per step", &WALKS, |way| {
            let walks = format!("walks --graph {path} --threads 1 --walks 1 --repeats 1 {}", way.flags);
            let Walking { steps, walking, .. } = in_a_process_with(&words(&walks), way.variables)?.result;
            Ok(1e9 * walking.wall / steps as f64)
        })?;
        let (dim, threads) = (self.dim, machine::cores());
        let trainings = self.table("ns per pair update", &TRAININGS, |way| {
            let training =
                format!("training --graph {path} --dim {dim} --threads {threads} {SETTINGS} {}", way.flags);
            let Training { second_order, pairs, .. } =
                in_a_process_with(&words(&training), way.variables)?.result;
            Ok(1e9 * second_order / pairs as f64)
        })?;
        let report = format!(
            "{}An LFR graph of {} nodes with ten edges for each, the best of {}, all ways in turns.\n\n\
             Walks of 80 nodes, one from each node, one thread:\n\n{walks}\
             Second order, dim {dim}, {threads} threads, `{SETTINGS}`:\n\n{trainings}",
            header("What helps where memory is far"),
            self.nodes,
            self.repeats,
        );
        self.output.put(&report)
    }

    /// A row for each way, with what it took and how that compares with the first.
    fn table(
        &self,
        unit: &str,
        ways: &[Way],
        measure: impl Fn(&Way) -> anyhow::Result<f64>,
    ) -> anyhow::Result<String> {
        let mut best = vec![f64::INFINITY; ways.len()];
        for _ in 0..self.repeats.max(1) {
            for (best, way) in best.iter_mut().zip(ways) {
                eprintln!("{}", way.name);
                *best = best.min(measure(way)?);
            }
        }
        let mut table = Table::new(&["way", unit, "against the first"]);
        for (took, way) in best.iter().zip(ways) {
            table.row(&[
                &way.name,
                &format!("{took:.1}"),
                &format!("{:+.0} %", 100.0 * (took / best[0] - 1.0)),
            ]);
        }
        Ok(table.finish())
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}
