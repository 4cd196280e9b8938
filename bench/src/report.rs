//! Header and output of a benchmark page.

use std::path::PathBuf;

use hycome::io::AtomicFile;
use hycome::machine;

/// Output flag.
#[derive(Debug, clap::Args)]
pub struct OutputOptions {
    /// Also write the page to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputOptions {
    /// Prints the page, and writes the file atomically.
    pub fn write(&self, report: &str) -> anyhow::Result<()> {
        print!("{report}");
        if let Some(path) = &self.output {
            AtomicFile::write(path, report.as_bytes())?.commit()?;
        }
        Ok(())
    }
}

/// Title, version, machine and command line.
pub fn header(title: &str) -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    format!(
        "# {title}\n\nhycome {}, {} cores, {}, instructions {}. Printed by\n\n```sh\n\
         cargo run --release -p hycome-bench -- {}\n```\n\n",
        env!("CARGO_PKG_VERSION"),
        machine::cores(),
        machine::processor(),
        machine::instruction_set(),
        arguments.join(" ")
    )
}
