//! What `hycome generate` tells about a graph, as JSON and for people.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;

use crate::generate_files::{Files, Made};
use crate::output::shown;
use crate::style::{Style, count, counted, duration};
use crate::summary;

/// Edge ends without a partner up to this share are a matter of course; beyond it the graph is not the one asked for.
const DROPPED_SHARE: f64 = 0.01;

/// The object that `--json` prints.
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
    /// Edge ends that found no partner.
    dropped_ends: usize,
    /// Nodes with fewer neighbours inside than asked, for their community is too small.
    cut_nodes: usize,
    pub files: Files,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Communities {
    count: usize,
    smallest: usize,
    largest: usize,
    /// Share of edge ends that leave their community.
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

    /// What speaks against the result.
    pub fn warning(&self) -> Option<String> {
        let share = self.dropped_ends as f64 / (2 * self.edges + self.dropped_ends) as f64;
        (share > DROPPED_SHARE).then(|| {
            format!(
                "{:.1} % of the edge ends found no partner and were left out; with more or larger communities, or lower \
                 degrees, more would",
                100.0 * share
            )
        })
    }

    /// The summary, for people.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        let mut part = |heading, lines: &[String]| summary::part(&mut text, style, heading, lines);
        let seed = &self.config["seed"];
        part("graph", &[format!("{}, seed {seed}, made in {}", self.title(), duration(self.seconds))]);
        let isolated = match self.isolated {
            0 => String::new(),
            isolated => format!(", {} of them isolated", count(isolated)),
        };
        let mut size = vec![
            format!("{}{isolated}", counted(self.nodes, "node", "nodes")),
            counted(self.edges, "edge", "edges"),
        ];
        if self.dropped_ends > 0 {
            let ends = counted(self.dropped_ends, "edge end", "edge ends");
            size.push(format!("left out: {ends} without a partner"));
        }
        part("size", &size);
        part("degrees", &[format!("mean {:.2}, largest {}", self.average_degree, count(self.max_degree))]);
        if let Some(Communities { count: number, smallest, largest, mixing }) = self.communities {
            let sizes =
                format!("{} of {} to {}", count(number), count(smallest), counted(largest, "node", "nodes"));
            part("communities", &[sizes]);
            let asked =
                self.config["mixing"].as_f64().map_or(String::new(), |asked| format!(" ({asked} asked)"));
            let mut lines = vec![format!("{mixing:.4} of the edge ends leave their community{asked}")];
            if self.cut_nodes > 0 {
                let nodes = counted(self.cut_nodes, "node has", "nodes have");
                lines.push(format!("{nodes} more outside than asked, in communities too small for them"));
            }
            part("mixing", &lines);
        }
        let is_file = |path: &&Path| path != &Path::new("-");
        let paths: Vec<String> =
            self.files.paths().iter().map(|(_, path)| *path).filter(is_file).map(shown).collect();
        part("written", &paths);
        if self.files.edges != Path::new("-") {
            let edges = summary::shell_word(&self.files.edges);
            let labels =
                self.files.labels.as_deref().map(|path| format!(" --labels {}", summary::shell_word(path)));
            let flags = labels.unwrap_or_else(|| " --communities 10".to_owned());
            part("next", &[format!("hycome embed {edges}{flags}")]);
        }
        text
    }

    fn title(&self) -> &'static str {
        match self.model {
            "lfr" => "LFR benchmark",
            "sbm" => "stochastic block model",
            "power-law" => "power-law degrees",
            _ => "near points of hyperbolic space",
        }
    }
}
