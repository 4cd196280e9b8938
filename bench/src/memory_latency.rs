//! Hiding memory latency on a graph larger than the caches: interleaved walks, node order, blocks and huge pages.

use crate::report::{OutputOptions, header};
use crate::scale::{SETTINGS, lfr_arguments, words};
use crate::single::{Generation, Measurement, Training, Walking, run_in_process, run_in_process_with_env};
use hycome::machine;
use hycome_experiments::markdown::MarkdownTable;

/// Makes glibc's allocator use huge pages (2 MB).
const HUGE_PAGES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");

/// Flags of `memory-latency`.
#[derive(Debug, clap::Args)]
pub struct MemoryLatency {
    /// Nodes of the generated graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: usize,
    /// Embedding dimension.
    #[arg(long, value_name = "M", default_value_t = 10)]
    dim: usize,
    /// Repetitions, in turns; the shortest counts.
    #[arg(long, value_name = "N", default_value_t = 2)]
    repeats: usize,
    #[command(flatten)]
    output: OutputOptions,
}

/// A variant of the same work.
struct Variant {
    name: &'static str,
    flags: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

const fn variant(name: &'static str, flags: &'static str) -> Variant {
    Variant { name, flags, variables: &[] }
}

const fn with_huge_pages(name: &'static str, flags: &'static str) -> Variant {
    Variant { name, flags, variables: &[HUGE_PAGES] }
}

/// The first is what training does, apart from the node order.
const WALKS: [Variant; 8] = [
    variant("sixteen interleaved, random node order", "--interleaved 16 --order random"),
    variant("one at a time", "--interleaved 1 --order random"),
    variant("four interleaved", "--interleaved 4 --order random"),
    variant("eight interleaved", "--interleaved 8 --order random"),
    variant("generated node order, by community", "--interleaved 16 --order given"),
    variant("nodes by degree", "--interleaved 16 --order degree"),
    variant("nodes in breadth-first order", "--interleaved 16 --order breadth"),
    with_huge_pages("huge pages (2 MB)", "--interleaved 16 --order random"),
];

/// The first is the default.
const TRAININGS: [Variant; 6] = [
    variant("8 blocks", "--blocks 8"),
    variant("2 blocks", "--blocks 2"),
    variant("4 blocks", "--blocks 4"),
    variant("16 blocks", "--blocks 16"),
    variant("32 blocks", "--blocks 32"),
    with_huge_pages("8 blocks, huge pages (2 MB)", "--blocks 8"),
];

impl MemoryLatency {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let temporary = tempfile::tempdir()?;
        let path = temporary.path().join("lfr.hyg").display().to_string();
        eprintln!("generating a graph of {} nodes", self.nodes);
        let _: Measurement<Generation> = run_in_process(&lfr_arguments(self.nodes, &path))?;
        let walks = self.table("ns per step", &WALKS, |variant| {
            let walks = format!("walks --graph {path} --threads 1 --walks 1 --repeats 1 {}", variant.flags);
            let Walking { steps, walking, .. } =
                run_in_process_with_env(&words(&walks), variant.variables)?.result;
            Ok(1e9 * walking.wall / steps as f64)
        })?;
        let (dim, threads) = (self.dim, machine::cores());
        let trainings = self.table("ns per pair update", &TRAININGS, |variant| {
            let training = format!(
                "training --graph {path} --dim {dim} --threads {threads} {SETTINGS} {}",
                variant.flags
            );
            let Training { second_order, pairs, .. } =
                run_in_process_with_env(&words(&training), variant.variables)?.result;
            Ok(1e9 * second_order / pairs as f64)
        })?;
        let report = format!(
            "{}An LFR graph of {} nodes with ten edges per node, minimum of {} runs, variants alternating.\n\n\
             Walks of 80 nodes, one per node, one thread:\n\n{walks}\
             Second order, dim {dim}, {threads} threads, `{SETTINGS}`:\n\n{trainings}",
            header("Hiding memory latency"),
            self.nodes,
            self.repeats,
        );
        self.output.write(&report)
    }

    /// Table of times per variant, relative to the first.
    fn table(
        &self,
        unit: &str,
        variants: &[Variant],
        measure: impl Fn(&Variant) -> anyhow::Result<f64>,
    ) -> anyhow::Result<String> {
        let mut best = vec![f64::INFINITY; variants.len()];
        for _ in 0..self.repeats.max(1) {
            for (best, variant) in best.iter_mut().zip(variants) {
                eprintln!("{}", variant.name);
                *best = best.min(measure(variant)?);
            }
        }
        let mut table = MarkdownTable::new(&["variant", unit, "relative to the first"]);
        for (took, variant) in best.iter().zip(variants) {
            table.row(&[
                &variant.name,
                &format!("{took:.1}"),
                &format!("{:+.0} %", 100.0 * (took / best[0] - 1.0)),
            ]);
        }
        Ok(table.finish())
    }
}
