//! Throughput of random walks: on DBLP, whose adjacency lists fit in a cache, and on a larger graph, where almost every
//! step is a cache miss.

use crate::graphs::{self, DataOptions};
use crate::report::{OutputOptions, header};
use crate::scale::{lfr_arguments, words};
use crate::single::{Generation, Measurement, Walking, run_in_process};
use hycome::machine;
use hycome_experiments::markdown::MarkdownTable;

/// Repetitions; the shortest time counts.
const REPEATS: usize = 3;

/// Flags of `walks`.
#[derive(Debug, clap::Args)]
pub struct Walks {
    #[command(flatten)]
    data: DataOptions,
    /// Nodes of the generated graph.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl Walks {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let columns =
            ["graph", "nodes", "edges", "threads", "walks", "million steps per second", "ns per step"];
        let mut table = MarkdownTable::new(&columns);
        let folder = self.data.folder();
        if graphs::load("dblp", &folder)?.is_some() {
            let source = ["--graph".into(), "dblp".into(), "--data".into(), folder.display().to_string()];
            add(&mut table, "DBLP", &source, 10)?;
        } else {
            eprintln!("DBLP is not in {}, skipped", folder.display());
        }
        let temporary = tempfile::tempdir()?;
        let path = temporary.path().join("lfr.hyg").display().to_string();
        eprintln!("generating a graph of {} nodes", self.nodes);
        let _: Measurement<Generation> = run_in_process(&lfr_arguments(self.nodes, &path))?;
        add(&mut table, "LFR", &["--graph".into(), path], 1)?;
        let explanation = format!(
            "Walks of 80 nodes, kept in memory. Wall time, minimum of {REPEATS} runs, without loading.\n\n"
        );
        self.output.write(&(header("Random walks") + &explanation + &table.finish()))
    }
}

fn add(table: &mut MarkdownTable, name: &str, source: &[String], walks: usize) -> anyhow::Result<()> {
    let mut counts = vec![1, machine::cores()];
    counts.dedup();
    for threads in counts {
        eprintln!("walks on {name}, {threads} threads");
        let flags = words(&format!("--walks {walks} --threads {threads} --repeats {REPEATS}"));
        let measured: Measurement<Walking> =
            run_in_process(&[&["walks".to_owned()], source, &flags].concat())?;
        let Walking { nodes, edges, walks, steps, walking, .. } = measured.result;
        let rate = steps as f64 / walking.wall;
        table.row(&[
            &name,
            &nodes,
            &edges,
            &threads,
            &walks,
            &format!("{:.1}", rate / 1e6),
            &format!("{:.1}", 1e9 / rate),
        ]);
    }
    Ok(())
}
