//! Markdown tables.

use std::fmt::Display;

/// A Markdown table.
#[derive(Debug)]
pub struct MarkdownTable {
    text: String,
}

impl MarkdownTable {
    /// Starts a table with these column headers.
    #[must_use]
    pub fn new(columns: &[impl AsRef<str>]) -> Self {
        let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        Self { text: format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len())) }
    }

    /// Appends a row with one cell per column.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_string().replace('|', "\\|")).collect();
        self.text += &format!("| {} |\n", cells.join(" | "));
    }

    /// Returns the table followed by an empty line.
    #[must_use]
    pub fn finish(self) -> String {
        self.text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped() {
        let mut table = MarkdownTable::new(&["graph", "dim"]);
        table.row(&[&"a|b", &2]);
        assert_eq!(table.finish(), "| graph | dim |\n|---|---|\n| a\\|b | 2 |\n\n");
    }
}
