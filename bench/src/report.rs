//! A Markdown report: a header that says how it was made, and tables.

use std::fmt::Display;
use std::path::PathBuf;

use hycome::io::StagedFile;

use crate::machine;

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

/// A Markdown table.
#[derive(Debug)]
pub struct Table {
    text: String,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[&str]) -> Self {
        Self { text: format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len())) }
    }

    /// Appends a row of as many cells as there are columns.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_string().replace('|', "\\|")).collect();
        self.text += &format!("| {} |\n", cells.join(" | "));
    }

    /// The table's text, and an empty line after it.
    pub fn finish(self) -> String {
        self.text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        let mut table = Table::new(&["graph", "dim"]);
        table.row(&[&"a|b", &2]);
        assert_eq!(table.finish(), "| graph | dim |\n|---|---|\n| a\\|b | 2 |\n\n");
    }
}
