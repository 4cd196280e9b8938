//! Sections of the summaries that commands print: graph, communities, scores, warnings. Fits 80 columns.

use std::fmt::Write;
use std::path::Path;

use hycome::metrics::Scores;
use hycome::train::RestartReport;

use crate::partition_scores::Community;
use crate::report::{Dropped, LabelsReport};
use crate::term::output::{self, escaped, notify, shown};
use crate::term::style::{self, Style, count, pluralize, truncate, wrapped};

/// Width of summaries.
const WIDTH: usize = 80;

/// Column where the text of a section starts.
const INDENT: usize = 13;

/// Maximum number of rows in a table of communities.
const MAX_ROWS: usize = 20;

/// Maximum width of a class name in a table.
const CLASS_WIDTH: usize = 24;

/// Appends lines beside a heading; words joined by U+00A0 stay together.
pub fn section(text: &mut String, style: Style, heading: &str, lines: &[String]) {
    for (i, line) in lines.iter().enumerate() {
        let heading = if i == 0 { heading } else { "" };
        let padding = " ".repeat(INDENT - heading.chars().count().min(INDENT - 1));
        let line = wrapped(line, WIDTH, INDENT, INDENT).replace('\u{a0}', " ");
        let _ = writeln!(text, "{}{padding}{line}", style.heading(heading));
    }
}

/// `; removed: 3 self-loops; merged: 2 repeated edges`, or nothing.
pub fn removed_text(dropped: &Dropped) -> String {
    let counts = [
        (dropped.self_loops, "self-loop", "self-loops"),
        (dropped.zero_weights, "edge of weight 0", "edges of weight 0"),
        (dropped.nodes, "node of other components", "nodes of other components"),
    ];
    let counts = counts.into_iter().filter(|&(number, ..)| number > 0);
    let counts = counts.map(|(number, one, many)| pluralize(number, one, many));
    let header = dropped.header.iter().map(|line| format!("the header {line}"));
    let removed: Vec<String> = header.chain(counts).collect();
    let mut text = String::new();
    if !removed.is_empty() {
        text.push_str(&format!("; removed: {}", removed.join(", ")));
    }
    if dropped.repeats > 0 {
        let merged = pluralize(dropped.repeats, "repeated edge", "repeated edges");
        text.push_str(&format!("; merged: {merged}"));
    }
    text
}

/// `2 classes, all nodes labelled`.
pub fn labels_text(labels: &LabelsReport, nodes: usize) -> String {
    let coverage = if labels.labelled_nodes == nodes {
        "all nodes labelled".to_owned()
    } else {
        format!("{} of {} labelled", count(labels.labelled_nodes as u64), pluralize(nodes, "node", "nodes"))
    };
    let multi_label = if labels.multi_label { ", multi-label" } else { "" };
    format!("{}, {coverage}{multi_label}", pluralize(labels.classes, "class", "classes"))
}

/// `best of 8 restarts by conductance (0.132 to 0.152)`.
pub fn restarts_text(restarts: &[RestartReport]) -> String {
    let conductances = || restarts.iter().map(|restart| restart.conductance);
    format!(
        "best of {} restarts by conductance ({:.3} to {:.3})",
        restarts.len(),
        conductances().fold(f64::INFINITY, f64::min),
        conductances().fold(0.0, f64::max),
    )
}

/// Appends a table with a row per community, the largest first.
pub fn community_table(text: &mut String, style: Style, communities: &[Community], nodes: usize) {
    let mut order: Vec<&Community> = communities.iter().collect();
    order.sort_by_key(|community| std::cmp::Reverse(community.size));
    let with_classes = communities.iter().any(|community| community.largest_class.is_some());
    let header = format!(
        "{:>9}  {:>11}  {:>7}  {:>11}  {:>11}",
        "community", "nodes", "share", "probability", "conductance"
    );
    let classes = if with_classes { "  largest class" } else { "" };
    let _ = writeln!(text, "{}", style.heading(&format!("{header}{classes}")));
    for community in order.iter().take(MAX_ROWS) {
        let _ = write!(
            text,
            "{:>9}  {:>11}  {:>5.1} %  {:>11}  {:>11}",
            community.community,
            count(community.size as u64),
            100.0 * community.size as f64 / nodes.max(1) as f64,
            community.mean_probability.map_or("-".to_owned(), |probability| format!("{probability:.3}")),
            if community.size > 0 { format!("{:.3}", community.conductance) } else { "-".to_owned() },
        );
        if let Some(class) = &community.largest_class {
            let name = truncate(&escaped(&class.name), CLASS_WIDTH - 7);
            let _ = write!(text, "  {name} {:.0} %", 100.0 * class.share);
        }
        text.push('\n');
    }
    if order.len() > MAX_ROWS {
        let (more, last) = (order.len() - MAX_ROWS, order[MAX_ROWS - 1].size);
        let are_smaller = order[MAX_ROWS..].iter().all(|community| community.size < last);
        let what = if are_smaller { "smaller" } else { "of this size or smaller" };
        let line = format!("          and {} more, {what}", count(more as u64));
        let _ = writeln!(text, "{}", style.faint(&line));
    }
}

/// Appends the scores with a short explanation of each.
pub fn scores(text: &mut String, style: Style, scores: &Scores) {
    let [leaving, inside] = if scores.weighted {
        ["edge weight leaving a community; lower is better", "weight inside minus expected; higher is better"]
    } else {
        ["edges leaving a community; lower is better", "edges inside minus expected; higher is better"]
    };
    // The formula of the paper differs only where nodes have several classes, which have no AMI and no ARI.
    let nmi_paper = scores.nmi_paper.filter(|_| scores.ari.is_none());
    let lines = [
        ("conductance", Some(scores.conductance), leaving),
        ("modularity", Some(scores.modularity), inside),
        ("NMI", scores.nmi, "normalized mutual information with the labels"),
        ("NMI (paper's formula)", nmi_paper, "divided by nodes; not bounded by 1"),
        ("AMI", scores.ami, "adjusted mutual information with the labels"),
        ("ARI", scores.ari, "adjusted Rand index against the labels"),
        ("accuracy (precision@1)", scores.accuracy, "Hungarian matching; higher is better"),
    ];
    for (name, value, explanation) in lines {
        if let Some(value) = value {
            let name = format!("{name:<22}");
            let _ = writeln!(text, "{} {value:>7.3}   {}", style.heading(&name), style.faint(explanation));
        }
    }
}

/// Prints a report to standard output, as JSON or as `text`, and its warnings to standard error.
pub fn print_report(
    report: &impl serde::Serialize,
    as_json: bool,
    warnings: &[String],
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if as_json {
        output::print_json(report)?;
    } else {
        output::print(&text())?;
    }
    warn(warnings);
    Ok(())
}

/// Prints warnings to standard error.
pub fn warn(warnings: &[String]) {
    for message in warnings {
        notify(&warning(message, style::stderr()));
    }
}

/// A warning for standard error.
pub fn warning(message: &str, style: Style) -> String {
    let text = wrapped(&format!("warning: {message}"), WIDTH, 0, 2);
    text.replacen("warning:", &style.warning("warning:"), 1)
}

/// A path quoted for a POSIX shell.
pub fn shell_quote(path: &Path) -> String {
    let path = shown(path);
    match shlex::try_quote(&path) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => path, // contains a NUL character, which no file name does
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_fit_the_width() {
        let mut text = String::new();
        section(&mut text, style::stdout(), "graph", &["word ".repeat(40).trim_end().to_owned()]);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(INDENT))), "{text}");
    }

    #[test]
    fn paths_are_quoted_for_the_shell() {
        for path in ["a b", "it's", "$x", "a\"b", "~"] {
            let words = shlex::split(&shell_quote(Path::new(path)));
            assert_eq!(words, Some(vec![path.to_owned()]));
        }
        assert_eq!(shell_quote(Path::new("runs/karate-run")), "runs/karate-run");
    }
}
