//! Benchmarks of quality, speed and memory, printed as Markdown pages.
//!
//! Example: `cargo run --release -p hycome-bench -- quality -o docs/benchmarks/results.md`. Times without `--release` are
//! meaningless.

mod block_ablation;
mod clock;
mod export;
mod graphs;
mod load;
mod memory;
mod memory_latency;
mod negatives_ablation;
mod power_law_fit;
mod prefault;
mod quality;
mod quality_run;
mod report;
mod scale;
mod single;
mod speed;
mod target;
mod walks;

use clap::Parser;

/// Benchmarks of hycome, printed as Markdown.
#[derive(Debug, Parser)]
#[command(name = "hycome-bench", version)]
enum Command {
    /// Quality: scores on public graphs with default hyperparameters, against targets.
    Quality(quality::Quality),
    /// Ablation: blocked against sequential SGD.
    BlockAblation(block_ablation::BlockAblation),
    /// Ablation: negative samples per pair or shared by a window.
    NegativesAblation(negatives_ablation::NegativesAblation),
    /// Loading: text, compressed text and graph files.
    Load(load::Load),
    /// Speed and memory of training, EM and loading.
    Speed(speed::Speed),
    /// Throughput of random walks.
    Walks(walks::Walks),
    /// Hiding memory latency: interleaved walks, node order, blocks, huge pages.
    MemoryLatency(memory_latency::MemoryLatency),
    /// Scaling: time and memory against graph size.
    Scale(scale::Scale),
    /// Memory estimate against peak memory.
    Memory(memory::Memory),
    /// One measurement in this process, printed as JSON; for scripts.
    Single(single::Single),
    /// Write an input file for other programs.
    Export(export::Export),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Quality(quality) => quality.run(),
        Command::BlockAblation(ablation) => ablation.run(),
        Command::NegativesAblation(ablation) => ablation.run(),
        Command::Load(load) => load.run(),
        Command::Speed(speed) => speed.run(),
        Command::Walks(walks) => walks.run(),
        Command::MemoryLatency(latency) => latency.run(),
        Command::Scale(scale) => scale.run(),
        Command::Memory(memory) => memory.run(),
        Command::Single(single) => single.run(),
        Command::Export(export) => export.run(),
    }
}
