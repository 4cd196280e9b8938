//! JSON report of `hycome embed`, also written to `metrics.json`. The keys are a stable interface.

use hycome::TrainConfig;
use hycome::machine;
use hycome::metrics::Scores;
use hycome::train::{EpochReport, ResolvedConfig, RestartReport, Timings, Trained};
use serde::Serialize;

use crate::args::graph::{self, Input};
use crate::partition_scores::{Community, PartitionScores};
use crate::report::{Dropped, LabelsReport};

/// Report of a training run.
#[derive(Debug, Serialize)]
pub struct EmbedReport {
    pub version: &'static str,
    pub graph: String,
    pub nodes: usize,
    pub edges: usize,
    pub components: usize,
    pub weighted: bool,
    /// What was guessed, merged or ignored on reading.
    pub notes: Vec<String>,
    pub dropped: Dropped,
    pub labels: Option<LabelsReport>,
    pub dim: usize,
    pub communities: usize,
    pub sizes: Vec<usize>,
    pub seed: u64,
    pub threads: usize,
    pub config: TrainConfig,
    /// The same settings as plain numbers, for the summary.
    #[serde(skip)]
    pub resolved: ResolvedConfig,
    /// Epochs trained, including pre-training and warm-up.
    pub epochs: usize,
    pub metrics: Scores,
    pub warnings: Vec<String>,
    pub seconds: SecondsReport,
    pub pairs: u64,
    pub pairs_per_second: Option<f64>,
    pub dropped_steps: u64,
    pub peak_memory_bytes: Option<u64>,
    /// Estimate made before training.
    pub expected_memory_bytes: u64,
    pub community_details: Vec<Community>,
    /// Of the restart that was kept.
    pub history: Vec<EpochReport>,
    /// All restarts, if there were several.
    pub restarts: Vec<RestartReport>,
}

/// Wall-clock time by phase.
#[derive(Debug, Serialize)]
pub struct SecondsReport {
    pub load: f64,
    pub first_order: f64,
    pub second_order: f64,
    pub community: f64,
    pub em: f64,
    pub total: f64,
}

impl SecondsReport {
    pub fn new(load: f64, train: &Timings, total: f64) -> Self {
        Self {
            load,
            first_order: train.first_order,
            second_order: train.second_order,
            community: train.community,
            em: train.em,
            total,
        }
    }
}

impl EmbedReport {
    pub fn new(
        trained: &Trained,
        input: &Input,
        scored: PartitionScores,
        seconds: SecondsReport,
        threads: usize,
        expected_memory_bytes: u64,
    ) -> Self {
        let (run, loaded) = (&trained.run, &input.loaded);
        let rate = run.pairs() as f64 / seconds.second_order;
        let mut warnings = scored.warnings;
        warnings.extend(run.warnings().iter().map(|warning| crate::with_flags(&warning.to_string())));
        Self {
            version: env!("CARGO_PKG_VERSION"),
            graph: loaded.name.clone(),
            nodes: loaded.graph.node_count(),
            edges: loaded.graph.edge_count(),
            components: loaded.graph.component_count(),
            weighted: loaded.graph.is_weighted(),
            notes: graph::note_texts(&loaded.notes),
            dropped: Dropped::new(loaded, input.nodes_before),
            labels: loaded.labels.as_ref().map(LabelsReport::new),
            dim: run.nodes.dim(),
            communities: run.mixture.len(),
            sizes: scored.sizes,
            seed: run.config.seed,
            threads,
            config: run.config.clone(),
            resolved: trained.config.clone(),
            epochs: run.history.len(),
            metrics: scored.scores,
            warnings,
            pairs: run.pairs(),
            pairs_per_second: rate.is_finite().then_some(rate),
            dropped_steps: run.dropped_steps(),
            peak_memory_bytes: machine::peak_memory(),
            expected_memory_bytes,
            community_details: scored.communities,
            history: run.history.clone(),
            restarts: run.restarts.clone(),
            seconds,
        }
    }
}
