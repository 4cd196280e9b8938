//! The objects that `--json` prints; the names of their keys are a promise to other programs.

use hycome::io::LoadedGraph;
use hycome::metrics::Scores;
use hycome::train::{EpochReport, StartReport};
use hycome::{Labels, TrainConfig};
use serde::Serialize;

use crate::scoring::Community;

/// What `hycome embed` found; also the content of `metrics.json`.
#[derive(Debug, Serialize)]
pub struct EmbedReport {
    pub version: &'static str,
    pub graph: String,
    pub nodes: usize,
    pub edges: usize,
    pub components: usize,
    pub weighted: bool,
    /// What was guessed, merged or left out on reading.
    pub notes: Vec<String>,
    pub dropped: Dropped,
    pub labels: Option<LabelsReport>,
    pub dim: usize,
    pub communities: usize,
    pub sizes: Vec<usize>,
    pub seed: u64,
    pub threads: usize,
    pub config: TrainConfig,
    /// Epochs that were trained, those of the start and the warm-up included.
    pub epochs: usize,
    pub metrics: Scores,
    pub warnings: Vec<String>,
    pub seconds: SecondsReport,
    pub pairs: u64,
    pub pairs_per_second: Option<f64>,
    pub dropped_steps: u64,
    pub peak_memory_bytes: Option<u64>,
    /// What was expected before the training began.
    pub expected_memory_bytes: u64,
    pub community_details: Vec<Community>,
    /// Of the start that was kept.
    pub history: Vec<EpochReport>,
    /// All starts, if there were several.
    pub starts: Vec<StartReport>,
}

/// Where the time went.
#[derive(Debug, Serialize)]
pub struct SecondsReport {
    pub load: f64,
    pub first_order: f64,
    pub second_order: f64,
    pub community: f64,
    pub em: f64,
    pub total: f64,
}

/// What of a file did not become a part of the graph of its own.
#[derive(Clone, Debug, Serialize)]
pub struct Dropped {
    /// The first line of an edge list, where it was taken for a header.
    pub header: Option<String>,
    pub self_loops: usize,
    /// Rows that were merged into an earlier one.
    pub repeats: usize,
    pub zero_weights: usize,
    /// Nodes outside the largest component, where only that was kept.
    pub nodes: usize,
}

impl Dropped {
    pub fn new(loaded: &LoadedGraph, nodes_before: usize) -> Self {
        Self {
            header: loaded.header.clone(),
            self_loops: loaded.cleaning.self_loops,
            repeats: loaded.cleaning.repeats,
            zero_weights: loaded.cleaning.zero_weights,
            nodes: nodes_before - loaded.graph.node_count(),
        }
    }
}

/// What is known of classes.
#[derive(Debug, Serialize)]
pub struct LabelsReport {
    /// Classes that have a node.
    pub classes: usize,
    pub labelled_nodes: usize,
    pub multi_label: bool,
}

impl LabelsReport {
    pub fn new(labels: &Labels) -> Self {
        Self {
            classes: labels.used_class_count(),
            labelled_nodes: labels.labelled_count(),
            multi_label: labels.is_multi_label(),
        }
    }
}
