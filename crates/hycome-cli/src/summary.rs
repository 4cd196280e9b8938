//! What a person reads after a training: the graph, what was learnt, how good it is. Fits 80 columns.

use std::fmt::Write;
use std::path::Path;

use hycome::TrainConfig;
use hycome::geometry::Geometry;
use hycome::metrics::Scores;
use hycome::train::{NegativesPer, StartReport};

use crate::output::{escaped, shown};
use crate::report::{Dropped, EmbedReport, LabelsReport};
use crate::scoring::Community;
use crate::style::{self, Style, count, counted, duration, short, shortened, wrapped};

/// Width that everything keeps to.
const WIDTH: usize = 80;

/// Where the text of a part begins.
const INDENT: usize = 13;

/// A table shows no more communities than this.
const MOST_ROWS: usize = 20;

/// Longest name of a class in a table.
const CLASS_WIDTH: usize = 24;

/// Lines under a heading that stands beside the first of them; words joined by U+00A0 are not parted.
pub fn part(text: &mut String, style: Style, heading: &str, lines: &[String]) {
    for (i, line) in lines.iter().enumerate() {
        let beside = if i == 0 { heading } else { "" };
        let padding = " ".repeat(INDENT - beside.chars().count().min(INDENT - 1));
        let line = wrapped(line, WIDTH, INDENT, INDENT).replace('\u{a0}', " ");
        let _ = writeln!(text, "{}{padding}{line}", style.heading(beside));
    }
}

/// The summary of `hycome embed`.
///
/// `files` are those written to the folder; `evaluate` is how the same graph is named on the command line, if it can be named again.
pub fn embed(
    report: &EmbedReport,
    title: Option<&str>,
    folder: &Path,
    files: &[&str],
    evaluate: Option<&str>,
    style: Style,
) -> String {
    let mut text = String::new();
    part(&mut text, style, "graph", &graph_lines(report, title));
    text.push('\n');
    part(&mut text, style, "training", &training_lines(report));
    text.push('\n');
    community_table(&mut text, style, &report.community_details, report.nodes);
    text.push('\n');
    scores(&mut text, style, &report.metrics);
    text.push('\n');
    let folder_line = format!("{}/", shown(folder).trim_end_matches('/'));
    part(&mut text, style, "written", &[folder_line, files.join(", ")]);
    let run = shell_word(folder);
    let pages = files.iter().filter(|file| file.ends_with(".html"));
    let mut hints: Vec<String> =
        pages.map(|page| format!("open {} in a browser", shown(&folder.join(page)))).collect();
    hints.extend([format!("hycome communities {run}"), format!("hycome info {run}")]);
    hints.extend(evaluate.map(|graph| format!("hycome evaluate {run} {graph}")));
    part(&mut text, style, "next", &hints);
    text
}

fn graph_lines(report: &EmbedReport, title: Option<&str>) -> Vec<String> {
    let mut lines = vec![escaped(title.unwrap_or(&report.graph))];
    lines.push(format!(
        "{}, {}, {}{}",
        counted(report.nodes, "node", "nodes"),
        counted(
            report.edges,
            if report.weighted { "weighted edge" } else { "edge" },
            if report.weighted { "weighted edges" } else { "edges" }
        ),
        counted(report.components, "component", "components"),
        dropped_words(&report.dropped),
    ));
    lines.push(match &report.labels {
        Some(labels) => labels_words(labels, report.nodes),
        None => "no labels, so scores are of the graph alone".to_owned(),
    });
    lines
}

/// `; left out: 3 self loops; merged: 2 repeated edges`, or nothing.
pub fn dropped_words(dropped: &Dropped) -> String {
    let parts = [
        (dropped.self_loops, "self loop", "self loops"),
        (dropped.zero_weights, "edge of weight 0", "edges of weight 0"),
        (dropped.nodes, "node of other components", "nodes of other components"),
    ];
    let parts = parts
        .into_iter()
        .filter(|&(number, ..)| number > 0)
        .map(|(number, one, many)| counted(number, one, many));
    let header = dropped.header.iter().map(|line| format!("the header {line}"));
    let parts: Vec<String> = header.chain(parts).collect();
    let mut words = String::new();
    if !parts.is_empty() {
        words.push_str(&format!("; left out: {}", parts.join(", ")));
    }
    if dropped.repeats > 0 {
        words.push_str(&format!("; merged: {}", counted(dropped.repeats, "repeated edge", "repeated edges")));
    }
    words
}

/// `labels: 2 classes on 34 nodes`.
pub fn labels_words(labels: &LabelsReport, nodes: usize) -> String {
    let of_nodes = if labels.labelled_nodes == nodes {
        "every node has one".to_owned()
    } else {
        format!("{} of the nodes have one", count(labels.labelled_nodes as u64))
    };
    let of_nodes = if labels.multi_label { format!("{of_nodes} or more") } else { of_nodes };
    format!("{}, {of_nodes}", counted(labels.classes, "labelled class", "labelled classes"))
}

fn training_lines(report: &EmbedReport) -> Vec<String> {
    let config = &report.config;
    let seconds = &report.seconds;
    let rate = report
        .pairs_per_second
        .map_or(String::new(), |rate| format!(", {} pairs/s", short(rate)).replace(" M ", "\u{a0}M\u{a0}"));
    let memory = report
        .peak_memory_bytes
        .map_or(String::new(), |bytes| format!(", {} of memory", style::bytes(bytes)));
    let guide: Vec<_> = report.history.iter().filter(|epoch| epoch.dim != report.dim).collect();
    let start = guide.first().map_or(String::new(), |first| {
        format!("{} of them in {} dimensions to find a start, ", guide.len(), first.dim)
    });
    let mut lines = vec![
        format!(
            "{} dimensions, {}, seed {}, {}",
            report.dim,
            counted(report.communities, "community", "communities"),
            config.seed,
            counted(report.threads, "thread", "threads"),
        ),
        format!(
            "{}, window {}, {} per {}, learning rate {}",
            space_words(config, report.communities),
            config.window_for(report.nodes),
            counted(config.negatives_for(report.communities), "negative", "negatives"),
            match config.negatives_per {
                NegativesPer::Pair => "pair",
                NegativesPer::Center => "window",
            },
            config.learning_rate,
        ),
        format!(
            "{}, {start}{} of them warm-up; {} pairs{rate}",
            counted(report.epochs, "epoch", "epochs"),
            config.warmup_epochs.min(report.epochs - guide.len()),
            count(report.pairs),
        ),
    ];
    if !report.starts.is_empty() {
        lines.push(starts_words(&report.starts));
    }
    lines.push(format!("{} in all{memory}", duration(seconds.total)));
    lines.push(
        [
            ("load", seconds.load),
            ("neighbours", seconds.first_order),
            ("walks", seconds.second_order),
            ("communities", seconds.community),
            ("EM", seconds.em),
        ]
        .map(|(part, seconds)| format!("{part}\u{a0}{seconds:.2}"))
        .join(", ")
            + " s",
    );
    lines
}

/// `curvature 1.5`, or the flat geometry.
fn space_words(config: &TrainConfig, communities: usize) -> String {
    match config.geometry {
        Geometry::Poincare => {
            let curvature = (100.0 * config.curvature_for(communities)).round() / 100.0;
            format!("geometry poincare, curvature {curvature}")
        }
        Geometry::Come => "geometry come (flat, dot products)".to_owned(),
        Geometry::Euclidean => "geometry euclidean (flat, distances)".to_owned(),
    }
}

/// `the best of 8 starts by conductance, 0.132 to 0.152`.
pub fn starts_words(starts: &[StartReport]) -> String {
    let conductances = || starts.iter().map(|start| start.conductance);
    format!(
        "the best of {} starts by conductance, {:.3} to {:.3}",
        starts.len(),
        conductances().fold(f64::INFINITY, f64::min),
        conductances().fold(0.0, f64::max),
    )
}

/// A row for each community, the largest first.
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
    for community in order.iter().take(MOST_ROWS) {
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
            let name = shortened(&escaped(&class.name), CLASS_WIDTH - 7);
            let _ = write!(text, "  {name} {:.0} %", 100.0 * class.share);
        }
        text.push('\n');
    }
    if order.len() > MOST_ROWS {
        let (more, last) = (order.len() - MOST_ROWS, order[MOST_ROWS - 1].size);
        let are_smaller = order[MOST_ROWS..].iter().all(|community| community.size < last);
        let what = if are_smaller { "smaller" } else { "of at most this size" };
        let line = format!("          and {} more, {what}", count(more as u64));
        let _ = writeln!(text, "{}", style.faint(&line));
    }
}

/// The scores with a word on each.
pub fn scores(text: &mut String, style: Style, scores: &Scores) {
    let [leaving, inside] = if scores.weighted {
        ["weight of the edges that leave a community; 0 is best", "weight inside beyond chance; below 1"]
    } else {
        ["edges that leave a community; 0 is best", "edges inside beyond chance; below 1"]
    };
    let lines = [
        ("conductance", Some(scores.conductance), leaving),
        ("modularity", Some(scores.modularity), inside),
        ("NMI", scores.nmi, "information shared with the labels; 1 is best"),
        ("ARI", scores.ari, "pairs of nodes judged alike beyond chance; 1 is best"),
        ("precision@1", scores.precision_at_1, "nodes whose community stands for their class"),
    ];
    for (name, value, words) in lines {
        if let Some(value) = value {
            let name = format!("{name:<12}");
            let _ = writeln!(text, "{} {value:>7.3}   {}", style.heading(&name), style.faint(words));
        }
    }
}

/// Warns on standard error, a sentence each.
pub fn warn(sentences: &[String]) {
    for sentence in sentences {
        crate::output::say(&warning(sentence, style::stderr()));
    }
}

/// A warning for standard error.
pub fn warning(sentence: &str, style: Style) -> String {
    let text = wrapped(&format!("warning: {sentence}"), WIDTH, 0, 2);
    text.replacen("warning:", &style.warning("warning:"), 1)
}

/// A path that can be pasted into a shell.
pub fn shell_word(path: &Path) -> String {
    let word = shown(path);
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:@%,".contains(c);
    if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_to_the_width() {
        let mut text = String::new();
        part(&mut text, style::stdout(), "graph", &["word ".repeat(40).trim_end().to_owned()]);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(INDENT))), "{text}");
    }

    #[test]
    fn paths_are_quoted_for_the_shell() {
        assert_eq!(shell_word(Path::new("a b")), "'a b'");
        assert_eq!(shell_word(Path::new("it's")), r"'it'\''s'");
        assert_eq!(shell_word(Path::new("runs/karate-run")), "runs/karate-run");
    }
}
