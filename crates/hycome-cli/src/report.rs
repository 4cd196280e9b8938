//! Parts of JSON reports that several commands share. The keys are a stable interface.

use hycome::Labels;
use hycome::io::LoadedGraph;
use serde::Serialize;

/// What was removed from the input or merged.
#[derive(Clone, Debug, Serialize)]
pub struct Dropped {
    /// The first line of an edge list, if it was read as a header.
    pub header: Option<String>,
    pub self_loops: usize,
    /// Rows merged into an earlier one.
    pub repeats: usize,
    pub zero_weights: usize,
    /// Nodes outside the largest component, with `--largest-component`.
    pub nodes: usize,
}

impl Dropped {
    pub fn new(loaded: &LoadedGraph, nodes_before: usize) -> Self {
        Self {
            header: loaded.header.clone(),
            self_loops: loaded.stats.self_loops,
            repeats: loaded.stats.repeats,
            zero_weights: loaded.stats.zero_weights,
            nodes: nodes_before - loaded.graph.node_count(),
        }
    }
}

/// Statistics of ground-truth labels.
#[derive(Debug, Serialize)]
pub struct LabelsReport {
    /// Classes with at least one node.
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
