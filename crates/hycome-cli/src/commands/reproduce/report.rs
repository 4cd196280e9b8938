//! Report of a reproduction as text for a terminal.

use std::fmt::Write;

use hycome_experiments::ReproductionReport;
use hycome_experiments::report::RULE;

use crate::term::style::{Style, pluralize, wrapped};

/// Width of the text below the tables.
const WIDTH: usize = 80;

/// Text for a terminal, with a line per cell.
pub fn text(report: &ReproductionReport, style: Style) -> String {
    let mut text = String::new();
    for &(number, title) in &report.tables {
        let _ = writeln!(text, "{}", style.heading(&format!("Table {number}: {title}, in percent")));
        let titles = report.cells.iter().filter(|cell| cell.table == number);
        let width = titles.map(|cell| report.heading(number, cell.column).len()).max().unwrap_or(0).max(6);
        let header = ["data", "D", "score", "method", "paper", "hycome"];
        let _ = writeln!(text, "{}", style.faint(&line(header, "", width)));
        for row in report.rows(number) {
            for (place, cell) in row.iter().enumerate() {
                let first = place == 0;
                let dim = cell.dim.map_or(String::new(), |dim| dim.to_string());
                let paper = cell.paper.map_or("–".to_owned(), |paper| paper.to_string());
                let measured = cell.measured.as_ref().map_or("–".to_owned(), |sample| sample.percent());
                let verdict = cell
                    .verdict
                    .map_or(String::new(), |verdict| format!("{} {}", verdict.sign(), verdict.word()));
                let head = if first { [cell.data, &dim, cell.score] } else { ["", "", ""] };
                let heading = report.heading(number, cell.column);
                let cells = [head[0], head[1], head[2], &heading, &paper, &measured];
                let _ = writeln!(text, "{}", line(cells, &verdict, width));
            }
        }
        text.push('\n');
    }
    let mut sentence = |words: &str| text.push_str(&(wrapped(words, WIDTH, 0, 0) + "\n"));
    sentence(&format!("In all, {}.", report.verdict_summary()));
    sentence("Methods with * are not in the paper and not counted; report.md lists what differs from it.");
    sentence(&format!("Means ± deviations over {}; {RULE}.", pluralize(report.seeds.len(), "seed", "seeds")));
    if let Some(words) = report.shortcuts() {
        sentence(&words);
    }
    text
}

/// A line in columns.
fn line(cells: [&str; 6], verdict: &str, width: usize) -> String {
    let [data, dim, score, column, paper, measured] = cells;
    let text =
        format!("{data:<12} {dim:>2}  {score:<11}  {column:<width$}  {paper:>11}  {measured:>12}  {verdict}");
    text.trim_end().to_owned()
}
