//! One measurement in a process of its own, printed as one JSON object.
//!
//! The system tells the peak memory of a process and not of a part of it, and a process that did something else
//! before has its memory in another state. So whoever measures, a command of this program or a script, starts one
//! process for each thing and reads what it prints.

mod em;
mod generate;
mod load;
mod order;
mod scores;
mod training;
mod walks;

use std::process::Command;

use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use em::{em_iteration, heaps, start};
pub use generate::Generation;
pub use load::Loading;
pub use training::Training;
pub use walks::{Plan as WalkPlan, Walking, Walks, make as make_walks};

use hycome::experiments::machine;

/// Flags of `once`.
#[derive(Debug, clap::Args)]
pub struct Once {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Train a graph.
    Training(training::Options),
    /// Make random walks and keep them.
    Walks(walks::Options),
    /// Load a graph.
    Load(load::Options),
    /// Iterate EM on points of the size of DBLP.
    Em(em::Options),
    /// Score random communities of a graph.
    Scores(scores::Options),
    /// Make a graph and write it as a graph file.
    Generate(generate::Options),
}

/// What is printed: a measurement, and what it depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured<T> {
    /// Version of hycome.
    pub version: String,
    /// The instruction set that the kernels are dispatched to.
    pub instructions: String,
    /// Memory of the process at its peak, in bytes, the pages of mapped files included.
    pub peak_memory: u64,
    /// The measurement.
    #[serde(flatten)]
    pub result: T,
}

impl Once {
    /// Measures and prints.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.what {
            What::Training(options) => print(options.measure()?),
            What::Walks(options) => print(options.measure()?),
            What::Load(options) => print(options.measure()?),
            What::Em(options) => print(options.measure()?),
            What::Scores(options) => print(options.measure()?),
            What::Generate(options) => print(options.measure()?),
        }
    }
}

fn print<T: Serialize>(result: T) -> anyhow::Result<()> {
    let measured = Measured {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: machine::instruction_set(),
        peak_memory: machine::peak_memory().unwrap_or(0),
        result,
    };
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// Runs `once` with these arguments in a process of its own.
pub fn in_a_process<T: DeserializeOwned>(arguments: &[String]) -> anyhow::Result<Measured<T>> {
    in_a_process_with(arguments, &[])
}

/// The same with variables of its environment.
pub fn in_a_process_with<T: DeserializeOwned>(
    arguments: &[String],
    variables: &[(&str, &str)],
) -> anyhow::Result<Measured<T>> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.arg("once").args(arguments).envs(variables.iter().copied()).output()?;
    let asked = || format!("once {}", arguments.join(" "));
    anyhow::ensure!(
        output.status.success(),
        "`{}` ended with {}: {}",
        asked(),
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    serde_json::from_slice(&output.stdout).with_context(|| format!("what `{}` printed", asked()))
}

/// Threads to work with.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadOptions {
    /// Threads; by default one for each core.
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

impl ThreadOptions {
    /// Number of threads.
    pub fn count(self) -> usize {
        self.threads.unwrap_or_else(machine::cores)
    }

    /// A pool of that many; made before the clock starts.
    pub fn pool(self) -> anyhow::Result<ThreadPool> {
        Ok(ThreadPoolBuilder::new().num_threads(self.count()).build()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_is_read_as_it_was_written() {
        let loading = Loading { nodes: 3, edges: 2, ..Loading::default() };
        let measured =
            Measured { version: "1".into(), instructions: "V3".into(), peak_memory: 4096, result: loading };
        let text = serde_json::to_string(&measured).unwrap();
        assert!(text.contains(r#""peak_memory":4096,"nodes":3,"edges":2"#), "{text}");
        let read: Measured<Loading> = serde_json::from_str(&text).unwrap();
        assert_eq!((read.peak_memory, read.result), (4096, loading));
    }
}
