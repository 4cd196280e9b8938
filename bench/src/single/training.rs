//! One training run with any hyperparameters.

use hycome::metrics::{GroundTruth, score};
use hycome::train::Trained;
use hycome::{TrainConfig, Trainer};
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use crate::clock::{Time, system_seconds, time};
use crate::graphs::GraphOptions;
use crate::prefault::touch;

/// Flags of `single training`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Score the communities against the ground truth.
    #[arg(long)]
    scores: bool,
    /// Pre-fault this much memory; the allocator must be configured to keep it.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    prefault: usize,
    #[command(flatten)]
    config: TrainConfig,
}

/// Measurement of a training run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Training {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Number of threads.
    pub threads: usize,
    /// Time of pre-faulting.
    pub prefault: Time,
    /// Time of loading the graph.
    pub load: Time,
    /// Time of the whole training, preparation and final fit included.
    pub training: Time,
    /// System CPU seconds during training.
    pub system: f64,
    /// Wall seconds of first-order steps (O₁).
    pub first_order: f64,
    /// Wall seconds of second-order steps (O₂).
    pub second_order: f64,
    /// Wall seconds of EM.
    pub em: f64,
    /// Wall seconds of community steps (O₃).
    pub community: f64,
    /// Pair updates: positive pairs and their negatives.
    pub pairs: u64,
    /// Mean conductance, with `--scores`.
    pub conductance: Option<f64>,
    /// Normalized mutual information with the ground truth, with `--scores`.
    pub nmi: Option<f64>,
}

impl Options {
    /// Loads the graph and trains.
    pub fn measure(&self) -> anyhow::Result<Training> {
        let prefault = touch(self.prefault);
        let pool = self.threads.pool()?;
        let (load, loaded) = time(|| pool.install(|| self.graph.load()));
        let loaded = loaded?;
        let graph = &loaded.graph;
        let before = system_seconds();
        let (training, trained) =
            time(|| pool.install(|| Trainer::new(graph, self.config.clone())?.train_to_end()));
        let Trained { run, timings: seconds, .. } = trained?;
        let mut measured = Training {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            threads: self.threads.count(),
            prefault,
            load,
            training,
            system: system_seconds() - before,
            first_order: seconds.first_order,
            second_order: seconds.second_order,
            em: seconds.em,
            community: seconds.community,
            pairs: 0,
            conductance: None,
            nmi: None,
        };
        measured.pairs = run.pairs();
        if self.scores {
            let truth = loaded
                .labels
                .as_ref()
                .map(|labels| GroundTruth::from_lists(graph.nodes().map(|node| labels.of(node))));
            let found = run.responsibilities()?.communities();
            let scores = score(graph, &found, run.mixture.len(), truth.as_ref().map(GroundTruth::view));
            (measured.conductance, measured.nmi) = (Some(scores.conductance), scores.nmi);
        }
        Ok(measured)
    }
}
