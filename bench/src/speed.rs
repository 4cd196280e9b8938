//! How fast: training, fitting, loading, and the memory of a whole run.
//!
//! Times are the best of several: other work on the machine can only add to them. The whole run comes first, because the
//! system tells the peak memory of the process, not of a part of it.

use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use hycome::geometry::Geometry;
use hycome::io::read_graph;
use hycome::rng::{Purpose, stream};
use hycome::train::blocks::Blocks;
use hycome::train::lanes::Pace;
use hycome::train::second_order::{Chunk, EpochPlan, SecondOrder};
use hycome::train::start::scattered;
use hycome::train::visits::WalkPlan;
use hycome::{Graph, TrainConfig, Trainer};

use crate::goal::Goal::{self, AtMost};
use crate::graphs::{self, DataOptions};
use crate::once::em_iteration;
use crate::report::{OutputOptions, header};
use hycome::experiments::machine;
use hycome::experiments::markdown::Table;

/// Times are the best of so many.
const REPEATS: usize = 3;

/// Flags of `speed`.
#[derive(Debug, clap::Args)]
pub struct Speed {
    #[command(flatten)]
    data: DataOptions,
    /// Lines of the edge list that is written and loaded.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    lines: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl Speed {
    /// Measures everything and prints the table.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut table = Table::new(&["what", "measured", "goal"]);
        let loaded = graphs::load("dblp", &self.data.folder())?;
        let source = if loaded.is_some() { "DBLP" } else { "a ring of cliques of DBLP's size" };
        let graph = loaded.map_or_else(graphs::ring_of_cliques, |loaded| loaded.graph);

        eprintln!("a whole run");
        let seconds = whole_run(&graph)?;
        table.row(&[&"whole run, dim 2, default settings, all cores", &format!("{seconds:.1} s"), &"–"]);
        let megabytes = machine::peak_memory().map_or(f64::NAN, |bytes| bytes as f64 / 1e6);
        add(&mut table, "peak memory of loading and the whole run", megabytes, "MB", Some(AtMost("200")));

        for (dim, has_goal) in [(2, true), (5, true), (10, true), (32, false), (128, false)] {
            eprintln!("second-order training, dim {dim}");
            let time = second_order(&graph, dim, 1)?;
            let goals = [has_goal.then_some(AtMost("150")), has_goal.then_some(AtMost("25"))];
            let what = |unit| format!("second order, dim {dim}, one thread, per {unit}");
            add(&mut table, &what("positive"), time.per_positive, "ns", goals[0]);
            add(&mut table, &what("pair update"), time.per_pair, "ns", goals[1]);
            if dim == 10 {
                let ratio = time.per_positive / second_order(&graph, dim, 2)?.per_positive;
                let measured = format!("{ratio:.2} times as fast");
                table.row(&[&"second order, dim 10, two threads against one", &measured, &"–"]);
            }
        }
        for (communities, goal) in [(5, Some(AtMost("10"))), (40, None)] {
            eprintln!("EM, {communities} components");
            let what = format!("EM iteration, 13,184 points, K = {communities}, m = 10, one thread");
            add(&mut table, &what, 1e3 * em_on_one_thread(communities)?, "ms", goal);
        }
        eprintln!("loading {} lines", self.lines);
        let goal = (self.lines == 10_000_000).then_some(AtMost("3.0"));
        let what = format!("loading an edge list of {} lines", self.lines);
        add(&mut table, &what, loading(self.lines)?, "s", goal);

        let explanation = format!(
            "Training is measured on {source}, {} nodes and {} edges, with 5 negatives and window 5; second order \
             includes walks, dealing and drawing negatives. Times of parts are the best of {REPEATS}; ✓ is \
             reached, – is not, after rounding to the goal's number of digits.\n\n",
            graph.node_count(),
            graph.edge_count()
        );
        self.output.put(&(header("How fast") + &explanation + &table.finish()))
    }
}

fn add(table: &mut Table, what: &str, value: f64, unit: &str, goal: Option<Goal>) {
    let verdict = goal.map_or("–".to_owned(), |goal| goal.verdict(value));
    table.row(&[&what, &format!("{value:.1} {unit}"), &verdict]);
}

/// Seconds of the default training into five communities.
fn whole_run(graph: &Graph) -> anyhow::Result<f64> {
    let clock = Instant::now();
    let config = TrainConfig { communities: Some(5), ..TrainConfig::default() };
    let mut trainer = Trainer::new(graph, config)?;
    trainer.train(&mut |_| ControlFlow::Continue(()))?;
    Ok(clock.elapsed().as_secs_f64())
}

/// Nanoseconds of second-order training.
struct PairTime {
    /// For a pair seen together and its negatives.
    per_positive: f64,
    /// For one of them.
    per_pair: f64,
}

/// Trains short epochs, as [`Trainer`] does, on so many threads.
fn second_order(graph: &Graph, dim: usize, threads: usize) -> anyhow::Result<PairTime> {
    let blocks = TrainConfig::default().blocks;
    let order = Blocks::new(graph.node_count(), blocks).order(graph, 1);
    let graph = graph.induced(&order);
    let defaults = TrainConfig::default();
    let trainer = SecondOrder::new(&graph, blocks);
    let (mut nodes, mut contexts) = scattered(Geometry::Poincare, graph.node_count(), dim, 1);
    let pace = Pace { rate: 2.0 * defaults.learning_rate as f32, curvature: 1.0 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut best = PairTime { per_positive: f64::INFINITY, per_pair: f64::INFINITY };
    for epoch in 0..REPEATS as u64 {
        let walk = WalkPlan { seed: 1, epoch, length: defaults.walk_length, window: 5 };
        let plan = EpochPlan { walk, walks: 2, negatives: 5.0 };
        let clock = Instant::now();
        let (reached, _) = pool.install(|| {
            let mut watch = |_: &Chunk<'_>| ControlFlow::Continue(());
            let tick = |_, _| ControlFlow::Continue(());
            trainer.epoch(&mut nodes, &mut contexts, &plan, Default::default(), |_| pace, &tick, &mut watch)
        });
        let counts = reached.counts;
        let nanoseconds = 1e9 * clock.elapsed().as_secs_f64();
        best.per_positive = best.per_positive.min(nanoseconds / counts.positives as f64);
        best.per_pair = best.per_pair.min(nanoseconds / counts.pairs as f64);
    }
    Ok(best)
}

/// Seconds of an EM iteration on one thread.
fn em_on_one_thread(communities: usize) -> anyhow::Result<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(pool.install(|| em_iteration(communities))?.wall)
}

/// Seconds to load an edge list of random pairs, ten for each node.
fn loading(lines: usize) -> anyhow::Result<f64> {
    let mut file = tempfile::Builder::new().suffix(".txt").tempfile()?;
    let nodes = (lines / 10).clamp(2, u32::MAX as usize) as u32;
    let mut rng = stream(1, Purpose::Start, 0, 0);
    let mut writer = BufWriter::new(file.as_file_mut());
    for _ in 0..lines {
        writeln!(writer, "{} {}", rng.below(nodes), rng.below(nodes))?;
    }
    writer.flush()?;
    drop(writer);
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let clock = Instant::now();
        let loaded = read_graph(file.path())?;
        best = best.min(clock.elapsed().as_secs_f64());
        drop(loaded);
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_edge_list_is_written_and_loaded() {
        assert!(loading(100).unwrap() > 0.0);
    }

    #[test]
    fn rows_show_value_unit_and_verdict() {
        let mut table = Table::new(&["what", "measured", "goal"]);
        add(&mut table, "load", 2.04, "s", Some(AtMost("3.0")));
        add(&mut table, "other", 7.0, "ms", None);
        let text = table.finish();
        assert!(text.contains("| load | 2.0 s | ≤ 3.0 ✓ |\n| other | 7.0 ms | – |"), "{text}");
    }
}
