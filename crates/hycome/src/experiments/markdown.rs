//! Tables in Markdown.

use std::fmt::Display;

/// A Markdown table.
#[derive(Debug)]
pub struct Table {
    text: String,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[impl AsRef<str>]) -> Self {
        let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
        Self { text: format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len())) }
    }

    /// Appends a row of as many cells as there are columns.
    pub fn row(&mut self, cells: &[&dyn Display]) {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_string().replace('|', "\\|")).collect();
        self.text += &format!("| {} |\n", cells.join(" | "));
    }

    /// The table's text, and an empty line after it.
    #[must_use]
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
