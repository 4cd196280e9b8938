//! A Markdown report: a header that says how it was made, and where it goes.

use std::path::PathBuf;

use hycome::experiments::machine;
use hycome::io::StagedFile;

/// Flag for where a report goes besides standard output.
#[derive(Debug, clap::Args)]
pub struct OutputOptions {
    /// Write the report into this file too.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputOptions {
    /// Prints the report, and puts it into the file whole or not at all.
    pub fn put(&self, report: &str) -> anyhow::Result<()> {
        print!("{report}");
        if let Some(path) = &self.output {
            StagedFile::write(path, report.as_bytes())?.put_in_place()?;
        }
        Ok(())
    }
}

/// The title, and which program on which machine wrote what follows.
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
