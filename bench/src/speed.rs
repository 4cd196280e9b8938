//! Speed benchmark: training, EM, loading, and the peak memory of a whole run.
//!
//! Times are the minimum of several repetitions: other load can only add to them. The whole run comes first, because
//! the operating system reports the peak memory of the process so far.

use std::time::Instant;

use hycome::io::read_graph;
use hycome::train::bench_support::SecondOrderBench;
use hycome::{Graph, TrainConfig, Trainer};

use crate::graphs::{self, DataOptions};
use crate::load::{number, write_lines};
use crate::report::{OutputOptions, header};
use crate::single::em_iteration;
use crate::target::Target::{self, AtMost};
use hycome::machine;
use hycome_experiments::markdown::MarkdownTable;

/// Repetitions; the shortest time counts.
const REPEATS: usize = 3;

/// Flags of `speed`.
#[derive(Debug, clap::Args)]
pub struct Speed {
    #[command(flatten)]
    data: DataOptions,
    /// Lines of the edge list.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    lines: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl Speed {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let mut table = MarkdownTable::new(&["benchmark", "measured", "target"]);
        let loaded = graphs::load("dblp", &self.data.folder())?;
        let source = if loaded.is_some() { "DBLP" } else { "a ring of cliques of DBLP's size" };
        let graph = loaded.map_or_else(graphs::ring_of_cliques, |loaded| loaded.graph);

        eprintln!("whole run");
        let seconds = whole_run(&graph)?;
        table.row(&[&"whole run, dim 2, default settings, all cores", &format!("{seconds:.1} s"), &"–"]);
        let megabytes = machine::peak_memory().map_or(f64::NAN, |bytes| bytes as f64 / 1e6);
        add(&mut table, "peak memory of loading and the whole run", megabytes, "MB", Some(AtMost("200")));

        for (dim, has_target) in [(2, true), (5, true), (10, true), (32, false), (128, false)] {
            eprintln!("second-order training, dim {dim}");
            let time = second_order(&graph, dim, 1)?;
            let targets = [has_target.then_some(AtMost("150")), has_target.then_some(AtMost("25"))];
            let what = |unit| format!("second order, dim {dim}, one thread, per {unit}");
            add(&mut table, &what("positive"), time.per_positive, "ns", targets[0]);
            add(&mut table, &what("pair update"), time.per_pair, "ns", targets[1]);
            if dim == 10 {
                let ratio = time.per_positive / second_order(&graph, dim, 2)?.per_positive;
                let measured = format!("{ratio:.2} ×");
                table.row(&[&"second order, dim 10, speedup with two threads", &measured, &"–"]);
            }
        }
        for (communities, target) in [(5, Some(AtMost("10"))), (40, None)] {
            eprintln!("EM, {communities} components");
            let what = format!("EM iteration, 13,184 points, K = {communities}, m = 10, one thread");
            add(&mut table, &what, 1e3 * em_on_one_thread(communities)?, "ms", target);
        }
        eprintln!("loading {} lines", self.lines);
        let target = (self.lines == 10_000_000).then_some(AtMost("3.0"));
        let what = format!("loading an edge list of {} lines", self.lines);
        add(&mut table, &what, loading(self.lines)?, "s", target);

        let explanation = format!(
            "Training is measured on {source}, {} nodes and {} edges, with 5 negatives and window 5. *Second order* \
             includes walks, partitioning and negative sampling. Times of phases are the minimum of \
             {REPEATS} runs. ✓ marks a target that is reached and – one that is missed, after rounding to the target's \
             number of digits.\n\n",
            graph.node_count(),
            graph.edge_count()
        );
        self.output.write(&(header("Speed") + &explanation + &table.finish()))
    }
}

fn add(table: &mut MarkdownTable, what: &str, value: f64, unit: &str, target: Option<Target>) {
    let verdict = target.map_or("–".to_owned(), |target| target.verdict(value));
    table.row(&[&what, &format!("{value:.1} {unit}"), &verdict]);
}

/// Wall seconds of a training run with five communities and default hyperparameters.
fn whole_run(graph: &Graph) -> anyhow::Result<f64> {
    let clock = Instant::now();
    let config = TrainConfig { communities: Some(5), ..TrainConfig::default() };
    Trainer::new(graph, config)?.train_to_end()?;
    Ok(clock.elapsed().as_secs_f64())
}

/// Nanoseconds of second-order training.
struct PairTime {
    /// Per positive pair with its negatives.
    per_positive: f64,
    /// Per pair update.
    per_pair: f64,
}

/// Trains short epochs as [`Trainer`] does.
fn second_order(graph: &Graph, dim: usize, threads: usize) -> anyhow::Result<PairTime> {
    let mut bench = SecondOrderBench::new(graph, dim);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut best = PairTime { per_positive: f64::INFINITY, per_pair: f64::INFINITY };
    bench.epochs(REPEATS as u64, 2, |epoch| {
        let clock = Instant::now();
        let counts = pool.install(epoch);
        let nanoseconds = 1e9 * clock.elapsed().as_secs_f64();
        best.per_positive = best.per_positive.min(nanoseconds / counts.positives as f64);
        best.per_pair = best.per_pair.min(nanoseconds / counts.pairs as f64);
    });
    Ok(best)
}

/// Wall seconds of an EM iteration on one thread.
fn em_on_one_thread(communities: usize) -> anyhow::Result<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(pool.install(|| em_iteration(communities))?.wall)
}

/// Wall seconds of loading an edge list of random pairs, ten per node.
fn loading(lines: usize) -> anyhow::Result<f64> {
    let file = tempfile::Builder::new().suffix(".txt").tempfile()?;
    write_lines(file.path(), lines, number)?;
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
    fn small_edge_list_is_written_and_loaded() {
        assert!(loading(100).unwrap() > 0.0);
    }

    #[test]
    fn rows_show_value_unit_and_verdict() {
        let mut table = MarkdownTable::new(&["benchmark", "measured", "target"]);
        add(&mut table, "load", 2.04, "s", Some(AtMost("3.0")));
        add(&mut table, "other", 7.0, "ms", None);
        let text = table.finish();
        assert!(text.contains("| load | 2.0 s | ≤ 3.0 ✓ |\n| other | 7.0 ms | – |"), "{text}");
    }
}
