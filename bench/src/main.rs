//! Prints the tables of hycome's quality and speed, as Markdown.
//!
//! `cargo run --release -p hycome-bench -- quality -o docs/results.md`; without `--release` the speeds say nothing.

mod at_hand;
mod clock;
mod export;
mod far;
mod goal;
mod graphs;
mod growth;
mod load;
mod memory;
mod noise;
mod once;
mod order;
mod quality;
mod report;
mod scale;
mod speed;
mod trial;
mod walks;

use clap::Parser;

/// Measures hycome and prints Markdown tables.
#[derive(Debug, Parser)]
#[command(name = "hycome-bench", version)]
enum Command {
    /// How good: scores on the graphs of the field with the default settings, against goals.
    Quality(quality::Quality),
    /// Whether training in blocks costs quality: the same graph with other numbers of blocks.
    Order(order::Order),
    /// Whether negatives once for each window cost quality.
    Noise(noise::Noise),
    /// How fast graphs are loaded from text, compressed text and graph files, and the memory it takes.
    Load(load::Load),
    /// How fast: training, fitting, loading, and the memory they take.
    Speed(speed::Speed),
    /// How fast random walks are made.
    Walks(walks::Walks),
    /// What helps where memory is far: walks side by side, the order of nodes, blocks, large pages.
    Far(far::Far),
    /// How time and memory grow with the graph: generated graphs of growing size.
    Scale(scale::Scale),
    /// Memory that trainings were expected to take, and took.
    Memory(memory::Memory),
    /// Measure one thing once, and print a JSON object; for scripts.
    Once(once::Once),
    /// Write a file that other programs read, so that they get the same work.
    Export(export::Export),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Quality(quality) => quality.run(),
        Command::Order(order) => order.run(),
        Command::Noise(noise) => noise.run(),
        Command::Load(load) => load.run(),
        Command::Speed(speed) => speed.run(),
        Command::Walks(walks) => walks.run(),
        Command::Far(far) => far.run(),
        Command::Scale(scale) => scale.run(),
        Command::Memory(memory) => memory.run(),
        Command::Once(once) => once.run(),
        Command::Export(export) => export.run(),
    }
}
