//! Prints the tables of hycome's quality and speed, as Markdown.
//!
//! `cargo run --release -p hycome-bench -- quality -o docs/results.md`; without `--release` the speeds say nothing.

mod goal;
mod graphs;
mod load;
mod order;
mod quality;
mod report;
mod speed;
mod trial;

use clap::Parser;

/// Measures hycome and prints Markdown tables.
#[derive(Debug, Parser)]
#[command(name = "hycome-bench", version)]
enum Command {
    /// How good: scores on the graphs of the field with the default settings, against goals.
    Quality(quality::Quality),
    /// Whether training in blocks costs quality: the same graph with other numbers of blocks.
    Order(order::Order),
    /// How fast graphs are loaded from text, compressed text and graph files, and the memory it takes.
    Load(load::Load),
    /// How fast: training, fitting, loading, and the memory they take.
    Speed(speed::Speed),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Quality(quality) => quality.run(),
        Command::Order(order) => order.run(),
        Command::Load(load) => load.run(),
        Command::Speed(speed) => speed.run(),
    }
}
