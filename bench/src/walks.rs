//! How fast random walks are made: on DBLP, whose lists of neighbours fit into a cache, and on a graph that no cache
//! holds, where almost every step waits for memory.

use crate::graphs::{self, DataOptions};
use crate::once::{Generation, Measured, Walking, in_a_process};
use crate::report::{OutputOptions, header};
use crate::scale::lfr_arguments;
use hycome::experiments::machine;
use hycome::experiments::markdown::Table;

/// Times are the best of so many.
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
    /// Measures and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let columns =
            ["graph", "nodes", "edges", "threads", "walks", "million steps per second", "ns per step"];
        let mut table = Table::new(&columns);
        let folder = self.data.folder();
        if graphs::load("dblp", &folder)?.is_some() {
            let source = ["--graph".into(), "dblp".into(), "--data".into(), folder.display().to_string()];
            add(&mut table, "DBLP", &source, 10)?;
        } else {
            eprintln!("DBLP is not in {}, and skipped", folder.display());
        }
        let temporary = tempfile::tempdir()?;
        let path = temporary.path().join("lfr.hyg").display().to_string();
        eprintln!("generating a graph of {} nodes", self.nodes);
        let _: Measured<Generation> = in_a_process(&lfr_arguments(self.nodes, &path))?;
        add(&mut table, "LFR", &["--graph".into(), path], 1)?;
        let explanation = format!(
            "Walks of 80 nodes, which are kept. Times are on the wall and the best of {REPEATS}, without \
             loading.\n\n"
        );
        self.output.put(&(header("How fast random walks are made") + &explanation + &table.finish()))
    }
}

fn add(table: &mut Table, name: &str, source: &[String], walks: usize) -> anyhow::Result<()> {
    let mut counts = vec![1, machine::cores()];
    counts.dedup();
    for threads in counts {
        eprintln!("walks on {name}, {threads} threads");
        let flags = format!("--walks {walks} --threads {threads} --repeats {REPEATS}");
        let flags: Vec<String> = flags.split(' ').map(str::to_owned).collect();
        let measured: Measured<Walking> = in_a_process(&[&["walks".to_owned()], source, &flags].concat())?;
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
