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

/// Maximum length of a line of prose, in characters.
const LINE_WIDTH: usize = 120;

impl OutputOptions {
    /// Prints the page, wrapped, and writes the file atomically.
    pub fn write(&self, report: &str) -> anyhow::Result<()> {
        let report = wrapped(report);
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

/// Wraps paragraphs and list items; tables, headings and code blocks stay as they are.
fn wrapped(page: &str) -> String {
    let (mut text, mut is_code) = (String::new(), false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with(['|', '#']) || line.starts_with("```") {
            text += line;
        } else {
            wrap_line(line, &mut text);
        }
        text.push('\n');
    }
    text
}

/// Breaks a line at spaces outside of inline code; further lines of a list item are indented.
fn wrap_line(line: &str, text: &mut String) {
    let indent = if line.starts_with("* ") { "  " } else { "" };
    let mut is_inline_code = false;
    let words = line.split(|c: char| {
        is_inline_code ^= c == '`';
        c == ' ' && !is_inline_code
    });
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > LINE_WIDTH {
            text.push('\n');
            text.push_str(indent);
            width = indent.len();
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_and_tables_and_code_are_not() {
        let long = "word ".repeat(40);
        let page = format!("# Title\n\n{long}\n\n| {long}|\n\n```sh\n{long}\n```\n");
        let text = wrapped(&page);
        assert!(text.contains(&format!("| {long}|\n")) && text.contains(&format!("```sh\n{long}\n```\n")));
        let prose: Vec<&str> = text.lines().filter(|line| line.starts_with("word")).collect();
        assert_eq!(prose.iter().filter(|line| line.chars().count() <= LINE_WIDTH).count(), 2);
    }

    #[test]
    fn inline_code_is_not_broken_and_list_items_are_indented() {
        let code = format!("`{}`", "--flag 1 ".repeat(12).trim_end());
        assert!(wrapped(&format!("some words before {code} and after\n")).contains(&code));
        assert!(wrapped(&format!("* {}\n", "word ".repeat(40))).contains("\n  word"));
    }
}
