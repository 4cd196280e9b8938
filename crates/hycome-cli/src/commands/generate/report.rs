//! Report of `hycome generate`, as JSON and as text.

use std::path::Path;
use std::time::Instant;

use hycome::io::is_stream;
use serde::Serialize;
use serde_json::Value;

use crate::commands::generate::files::{Files, Made};
use crate::term::output::shown;
use crate::term::style::{Style, count, duration, pluralize};
use crate::term::summary;

/// A larger fraction of removed edge ends means that the graph does not have the requested degrees.
const MAX_REMOVED_FRACTION: f64 = 0.01;

/// The `--json` object.
#[derive(Debug, Serialize)]
pub struct Report {
    version: &'static str,
    model: &'static str,
    config: Value,
    nodes: usize,
    edges: usize,
    isolated: usize,
    average_degree: f64,
    max_degree: usize,
    communities: Option<Communities>,
    /// Edge ends without a partner, which were removed.
    dropped_ends: usize,
    /// Nodes with fewer neighbours inside than requested, because their community is too small.
    cut_nodes: usize,
    pub files: Files,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Communities {
    count: usize,
    smallest: usize,
    largest: usize,
    /// Fraction of edge ends that leave their community.
    mixing: f64,
}

impl Report {
    pub fn new(model: &'static str, made: Made, files: Files, start: Instant) -> Self {
        let Made { generated, config, .. } = made;
        let graph = &generated.graph;
        let sizes = generated.community_sizes();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            model,
            config,
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            isolated: generated.isolated_count(),
            average_degree: generated.average_degree(),
            max_degree: graph.nodes().map(|node| graph.degree(node)).max().unwrap_or(0),
            communities: (!sizes.is_empty()).then(|| Communities {
                count: sizes.len(),
                smallest: sizes.iter().copied().min().unwrap_or(0),
                largest: sizes.iter().copied().max().unwrap_or(0),
                mixing: generated.mixing(),
            }),
            dropped_ends: generated.dropped_ends,
            cut_nodes: generated.cut_nodes,
            files,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// Warning about removed edge ends.
    pub fn warning(&self) -> Option<String> {
        let share = self.dropped_ends as f64 / (2 * self.edges + self.dropped_ends) as f64;
        (share > MAX_REMOVED_FRACTION).then(|| {
            format!(
                "{:.1} % of the edge ends have no partner and were removed; use more or larger \
                 communities, or lower degrees",
                100.0 * share
            )
        })
    }

    /// The summary.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        let mut part = |heading, lines: &[String]| summary::section(&mut text, style, heading, lines);
        let seed = &self.config["seed"];
        part("graph", &[format!("{}, seed {seed}, generated in {}", self.title(), duration(self.seconds))]);
        let isolated = match self.isolated {
            0 => String::new(),
            isolated => format!(", {} isolated", count(isolated)),
        };
        let mut size = vec![
            format!("{}{isolated}", pluralize(self.nodes, "node", "nodes")),
            pluralize(self.edges, "edge", "edges"),
        ];
        if self.dropped_ends > 0 {
            let ends = pluralize(self.dropped_ends, "edge end", "edge ends");
            size.push(format!("removed: {ends} without a partner"));
        }
        part("size", &size);
        part("degrees", &[format!("mean {:.2}, maximum {}", self.average_degree, count(self.max_degree))]);
        if let Some(Communities { count: number, smallest, largest, mixing }) = self.communities {
            let sizes = format!(
                "{} of {} to {}",
                count(number),
                count(smallest),
                pluralize(largest, "node", "nodes")
            );
            part("communities", &[sizes]);
            let asked = self.config["mixing"]
                .as_f64()
                .map_or(String::new(), |asked| format!(" (requested: {asked})"));
            let mut lines = vec![format!("{mixing:.4} of edge ends leave their community{asked}")];
            if self.cut_nodes > 0 {
                let nodes = pluralize(self.cut_nodes, "node has", "nodes have");
                lines.push(format!(
                    "{nodes} more outside than requested, because their community is too small"
                ));
            }
            part("mixing", &lines);
        }
        let is_file = |path: &&Path| path != &Path::new("-");
        let paths: Vec<String> =
            self.files.paths().iter().map(|(_, path)| *path).filter(is_file).map(shown).collect();
        part("written", &paths);
        if !is_stream(&self.files.edges) {
            let edges = summary::shell_quote(&self.files.edges);
            let labels =
                self.files.labels.as_deref().map(|path| format!(" --labels {}", summary::shell_quote(path)));
            let flags = labels.unwrap_or_else(|| {
                format!(" --communities {}", self.communities.as_ref().map_or(10, |planted| planted.count))
            });
            part("next", &[format!("hycome embed {edges}{flags}")]);
        }
        text
    }

    fn title(&self) -> &'static str {
        match self.model {
            "lfr" => "LFR benchmark",
            "sbm" => "stochastic block model",
            "power-law" => "power-law degrees",
            _ => "hyperbolic random geometric graph",
        }
    }
}
