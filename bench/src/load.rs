//! Loading benchmark: edge lists of numbers and of names, plain and compressed, and graph files.
//!
//! Each load runs in its own process, which isolates its peak memory. The files have just been written, so they are in
//! the page cache.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use hycome::io::{graph_file, read_graph};
use hycome::metrics::{mean_conductance, modularity, normalized_mutual_information};
use hycome::rng::{Purpose, stream};

use crate::report::{OutputOptions, header};
use crate::single::{Loading, Measurement, run_in_process};
use hycome_experiments::markdown::MarkdownTable;

/// Repetitions; the shortest time counts.
const REPEATS: usize = 3;

/// Flags of `load`.
#[derive(Debug, clap::Args)]
pub struct Load {
    /// Lines of the edge lists, ten per node.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    lines: usize,
    #[command(flatten)]
    output: OutputOptions,
}

impl Load {
    /// Measures and prints the page.
    pub fn run(&self) -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let mut table =
            MarkdownTable::new(&["file", "size", "seconds", "ns per line", "peak memory", "bytes per line"]);
        for (what, name) in [("numbers", number as fn(u32) -> String), ("names", text)] {
            eprintln!("writing {} lines between {what}", self.lines);
            let plain = folder.path().join(format!("{what}.txt"));
            write_lines(&plain, self.lines, name)?;
            let [gzip, zstd] = compress(&plain)?;
            let cache = folder.path().join(format!("{what}.hyg"));
            graph_file::save(&read_graph(&plain)?, &cache)?;
            for (format, path) in
                [("plain text", &plain), ("gzip", &gzip), ("Zstandard", &zstd), ("graph file", &cache)]
            {
                eprintln!("loading {what}, {format}");
                self.add(&mut table, &format!("{what}, {format}"), path)?;
            }
        }
        let scores = scores(&folder.path().join("numbers.hyg"))?;
        let explanation = format!(
            "Edge lists of {} lines between {} nodes, drawn at random; names are a word and a hexadecimal number. Times \
             are the minimum of {REPEATS} loads, each in its own process, with the file in the page cache. Memory is the \
             peak of the process, including pages of a memory-mapped file.\n\n",
            self.lines,
            node_count(self.lines)
        );
        self.output.write(&(header("Loading") + &explanation + &table.finish() + &scores))
    }

    fn add(&self, table: &mut MarkdownTable, what: &str, path: &Path) -> anyhow::Result<()> {
        let (mut seconds, mut peak) = (f64::INFINITY, 0.0);
        let arguments = ["load".to_owned(), path.display().to_string()];
        for _ in 0..REPEATS {
            let loading: Measurement<Loading> = run_in_process(&arguments)?;
            seconds = f64::min(seconds, loading.result.load.wall);
            peak = f64::max(peak, loading.peak_memory as f64);
        }
        let lines = self.lines as f64;
        table.row(&[
            &what,
            &format!("{:.0} MB", path.metadata()?.len() as f64 / 1e6),
            &format!("{seconds:.3}"),
            &format!("{:.1}", 1e9 * seconds / lines),
            &format!("{:.0} MB", peak / 1e6),
            &format!("{:.1}", peak / lines),
        ]);
        Ok(())
    }
}

/// Times of scoring random communities.
fn scores(path: &Path) -> anyhow::Result<String> {
    eprintln!("scores");
    let graph = read_graph(path)?.graph;
    let mut rng = stream(2, Purpose::Start, 0, 0);
    let mut draw = || -> Vec<u32> { graph.nodes().map(|_| rng.below(100)).collect() };
    let (found, truth) = (draw(), draw());
    let mut table = MarkdownTable::new(&["score", "seconds"]);
    let mut time = |what: &str, score: &dyn Fn() -> f64| {
        let best = (0..REPEATS).map(|_| {
            let clock = Instant::now();
            std::hint::black_box(score());
            clock.elapsed().as_secs_f64()
        });
        table.row(&[&what, &format!("{:.3}", best.fold(f64::INFINITY, f64::min))]);
    };
    time("conductance", &|| mean_conductance(&graph, &found, 100));
    time("modularity", &|| modularity(&graph, &found));
    time("NMI", &|| normalized_mutual_information(&found, &truth));
    let (nodes, edges) = (graph.node_count(), graph.edge_count());
    Ok(format!("Scores of 100 communities on {nodes} nodes and {edges} edges:\n\n{}", table.finish()))
}

fn node_count(lines: usize) -> u32 {
    (lines / 10).clamp(2, u32::MAX as usize) as u32
}

/// Numeric node name.
pub fn number(node: u32) -> String {
    node.to_string()
}

fn text(node: u32) -> String {
    format!("user_{:x}", node.wrapping_mul(2_654_435_761))
}

/// Writes random pairs, ten per node.
pub fn write_lines(path: &Path, lines: usize, name: fn(u32) -> String) -> anyhow::Result<()> {
    let names: Vec<String> = (0..node_count(lines)).map(name).collect();
    let mut rng = stream(1, Purpose::Start, 0, 0);
    let mut draw = || &names[rng.below(names.len() as u32) as usize];
    let mut writer = BufWriter::new(File::create(path)?);
    for _ in 0..lines {
        writeln!(writer, "{} {}", draw(), draw())?;
    }
    Ok(writer.flush()?)
}

/// Compresses the file with gzip and Zstandard.
fn compress(path: &Path) -> anyhow::Result<[PathBuf; 2]> {
    let with_suffix = |suffix| PathBuf::from(format!("{}.{suffix}", path.display()));
    let (gzip, zstd) = (with_suffix("gz"), with_suffix("zst"));
    let mut encoder = flate2::write::GzEncoder::new(File::create(&gzip)?, flate2::Compression::new(6));
    std::io::copy(&mut File::open(path)?, &mut encoder)?;
    encoder.finish()?;
    zstd::stream::copy_encode(File::open(path)?, File::create(&zstd)?, 3)?;
    Ok([gzip, zstd])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_compressions_give_the_same_graph() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("names.txt");
        write_lines(&plain, 100, text).unwrap();
        let graph = read_graph(&plain).unwrap().graph;
        for path in compress(&plain).unwrap() {
            assert_eq!(read_graph(&path).unwrap().graph, graph);
        }
    }
}
