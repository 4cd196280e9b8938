//! A single measurement in its own process, printed as one JSON object.
//!
//! The operating system reports the peak memory of a whole process, and earlier work changes the state of the
//! allocator. Benchmarks and scripts therefore start one process per measurement and parse its output.

mod em;
mod generate;
mod load;
mod node_order;
mod scores;
mod training;
mod walks;

use std::process::Command;

use anyhow::Context;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use em::{clusters, em_iteration, start};
pub use generate::Generation;
pub use load::Loading;
pub use training::Training;
pub use walks::{WalkBatch, WalkOptions, Walking, make as make_walks};

use hycome::machine;

/// Flags of `single`.
#[derive(Debug, clap::Args)]
pub struct Single {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, clap::Subcommand)]
enum Subject {
    /// Training.
    Training(Box<training::Options>),
    /// Random-walk generation.
    Walks(walks::Options),
    /// Loading a graph.
    Load(load::Options),
    /// EM iteration on as many points as DBLP has nodes.
    Em(em::Options),
    /// Scores of random communities.
    Scores(scores::Options),
    /// Generating a graph and writing it as a graph file.
    Generate(generate::Options),
}

/// A measurement with its environment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measurement<T> {
    /// Version of hycome.
    pub version: String,
    /// Instruction set that the SIMD kernels are dispatched to.
    pub instructions: String,
    /// Peak resident memory of the process in bytes, pages of mapped files included.
    pub peak_memory: u64,
    /// The result.
    #[serde(flatten)]
    pub result: T,
}

impl Single {
    /// Measures and prints.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.subject {
            Subject::Training(options) => print(options.measure()?),
            Subject::Walks(options) => print(options.measure()?),
            Subject::Load(options) => print(options.measure()?),
            Subject::Em(options) => print(options.measure()?),
            Subject::Scores(options) => print(options.measure()?),
            Subject::Generate(options) => print(options.measure()?),
        }
    }
}

fn print<T: Serialize>(result: T) -> anyhow::Result<()> {
    let measured = Measurement {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: machine::instruction_set(),
        peak_memory: machine::peak_memory().unwrap_or(0),
        result,
    };
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}

/// Runs `hycome-bench single` with these arguments and parses its output.
pub fn run_in_process<T: DeserializeOwned>(arguments: &[String]) -> anyhow::Result<Measurement<T>> {
    run_in_process_with_env(arguments, &[])
}

/// [`run_in_process`] with environment variables.
pub fn run_in_process_with_env<T: DeserializeOwned>(
    arguments: &[String],
    variables: &[(&str, &str)],
) -> anyhow::Result<Measurement<T>> {
    let mut command = Command::new(std::env::current_exe()?);
    let output = command.arg("single").args(arguments).envs(variables.iter().copied()).output()?;
    let invocation = || format!("single {}", arguments.join(" "));
    anyhow::ensure!(
        output.status.success(),
        "`{}` ended with {}: {}",
        invocation(),
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    serde_json::from_slice(&output.stdout).with_context(|| format!("expected JSON from `{}`", invocation()))
}

/// Number of threads.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ThreadOptions {
    /// Number of threads [default: number of cores].
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

impl ThreadOptions {
    /// Number of threads.
    pub fn count(self) -> usize {
        self.threads.unwrap_or_else(machine::cores)
    }

    /// Thread pool, created before the clock starts.
    pub fn pool(self) -> anyhow::Result<ThreadPool> {
        Ok(ThreadPoolBuilder::new().num_threads(self.count()).build()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_survive_json() {
        let loading = Loading { nodes: 3, edges: 2, ..Loading::default() };
        let measured = Measurement {
            version: "1".into(),
            instructions: "V3".into(),
            peak_memory: 4096,
            result: loading,
        };
        let text = serde_json::to_string(&measured).unwrap();
        assert!(text.contains(r#""peak_memory":4096,"nodes":3,"edges":2"#), "{text}");
        let read: Measurement<Loading> = serde_json::from_str(&text).unwrap();
        assert_eq!((read.peak_memory, read.result), (4096, loading));
    }
}
