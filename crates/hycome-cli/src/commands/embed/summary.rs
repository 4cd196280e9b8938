//! Summary that `hycome embed` prints.

use std::path::Path;

use hycome::geometry::Geometry;
use hycome::train::{NegativeSharing, ResolvedConfig};

use super::report::EmbedReport;
use crate::term::output::{escaped, shown};
use crate::term::style::{self, Style, count, duration, pluralize, short};
use crate::term::summary::{
    community_table, labels_text, removed_text, restarts_text, scores, section, shell_quote,
};

/// The summary. `files` are those written to `folder`; `evaluate` are flags with which the graph can be loaded again.
pub fn text(
    report: &EmbedReport,
    title: Option<&str>,
    folder: &Path,
    files: &[&str],
    evaluate: Option<&str>,
    style: Style,
) -> String {
    let mut text = String::new();
    section(&mut text, style, "graph", &graph_lines(report, title));
    text.push('\n');
    section(&mut text, style, "training", &training_lines(report));
    text.push('\n');
    community_table(&mut text, style, &report.community_details, report.nodes);
    text.push('\n');
    scores(&mut text, style, &report.metrics);
    text.push('\n');
    let folder_line = format!("{}/", shown(folder).trim_end_matches('/'));
    section(&mut text, style, "written", &[folder_line, files.join(", ")]);
    let run = shell_quote(folder);
    let viewers = files.iter().filter(|file| file.ends_with(".html"));
    let mut hints: Vec<String> =
        viewers.map(|viewer| format!("open {} in a browser", shown(&folder.join(viewer)))).collect();
    hints.extend([format!("hycome communities {run}"), format!("hycome info {run}")]);
    hints.extend(evaluate.map(|graph| format!("hycome evaluate {run} {graph}")));
    section(&mut text, style, "next", &hints);
    text
}

fn graph_lines(report: &EmbedReport, title: Option<&str>) -> Vec<String> {
    let [edge, edges] = if report.weighted { ["weighted edge", "weighted edges"] } else { ["edge", "edges"] };
    vec![
        escaped(title.unwrap_or(&report.graph)),
        format!(
            "{}, {}, {}{}",
            pluralize(report.nodes, "node", "nodes"),
            pluralize(report.edges, edge, edges),
            pluralize(report.components, "component", "components"),
            removed_text(&report.dropped),
        ),
        match &report.labels {
            Some(labels) => labels_text(labels, report.nodes),
            None => "no labels: unsupervised metrics only".to_owned(),
        },
    ]
}

fn training_lines(report: &EmbedReport) -> Vec<String> {
    let config = &report.resolved;
    let sharing = match config.negative_sharing {
        NegativeSharing::None => "pair",
        NegativeSharing::Center => "window",
    };
    let mut lines = vec![
        format!(
            "{} dimensions, {}, seed {}, {}",
            report.dim,
            pluralize(report.communities, "community", "communities"),
            config.seed,
            pluralize(report.threads, "thread", "threads"),
        ),
        format!(
            "{}, window {}, {} per {sharing}, learning rate {}",
            geometry_text(config),
            config.window,
            pluralize(config.negatives, "negative", "negatives"),
            config.learning_rate,
        ),
        epochs_line(report),
    ];
    if !report.restarts.is_empty() {
        lines.push(restarts_text(&report.restarts));
    }
    let memory = report.peak_memory_bytes;
    let memory = memory.map_or(String::new(), |bytes| format!(", peak memory {}", style::bytes(bytes)));
    lines.push(format!("total {}{memory}", duration(report.seconds.total)));
    lines.push(phases_line(report));
    lines
}

/// `11 epochs (2 pre-training in 10-D, 3 warm-up); 1,234,567 pairs, 23 M pairs/s`.
fn epochs_line(report: &EmbedReport) -> String {
    let pretraining: Vec<_> = report.history.iter().filter(|epoch| epoch.dim != report.dim).collect();
    let warmup = report.resolved.warmup_epochs.min(report.epochs - pretraining.len());
    let pretraining = pretraining
        .first()
        .map_or(String::new(), |first| format!("{} pre-training in {}-D, ", pretraining.len(), first.dim));
    let rate = report
        .pairs_per_second
        .map_or(String::new(), |rate| format!(", {} pairs/s", short(rate)).replace(" M ", "\u{a0}M\u{a0}"));
    let epochs = pluralize(report.epochs, "epoch", "epochs");
    format!("{epochs} ({pretraining}{warmup} warm-up); {} pairs{rate}", count(report.pairs))
}

/// Seconds by phase.
fn phases_line(report: &EmbedReport) -> String {
    let seconds = &report.seconds;
    let phases = [
        ("load", seconds.load),
        ("first-order", seconds.first_order),
        ("second-order", seconds.second_order),
        ("community", seconds.community),
        ("EM", seconds.em),
    ];
    phases.map(|(phase, seconds)| format!("{phase}\u{a0}{seconds:.2}")).join(", ") + " s"
}

/// `geometry poincare, curvature 1.5`, or a Euclidean geometry.
fn geometry_text(config: &ResolvedConfig) -> String {
    match config.geometry {
        Geometry::Poincare => {
            let curvature = (100.0 * config.curvature).round() / 100.0;
            format!("geometry poincare, curvature {curvature}")
        }
        Geometry::Come => "geometry come (Euclidean, dot products)".to_owned(),
        Geometry::Euclidean => "geometry euclidean (Euclidean, distances)".to_owned(),
    }
}
