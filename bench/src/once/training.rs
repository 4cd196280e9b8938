//! A training with any settings.

use std::ops::ControlFlow;

use hycome::metrics::{TruthBuf, score};
use hycome::{TrainConfig, Trainer};
use serde::{Deserialize, Serialize};

use super::ThreadOptions;
use crate::at_hand::touch;
use crate::clock::{Time, system_seconds, time};
use crate::graphs::GraphOptions;

/// Flags of `once training`.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    graph: GraphOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Score the communities against the graph's labels.
    #[arg(long)]
    scores: bool,
    /// Write to so many bytes of memory first; only an allocator that is told to keeps them.
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    at_hand: usize,
    #[command(flatten)]
    config: TrainConfig,
}

/// What a training took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Training {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Threads it was trained on.
    pub threads: usize,
    /// Writing to the memory that was to be at hand.
    pub at_hand: Time,
    /// Loading the graph.
    pub load: Time,
    /// The whole training, preparations and the last fit included.
    pub training: Time,
    /// Seconds of processor that the system had during the training.
    pub system: f64,
    /// Seconds on the wall of neighbours.
    pub first_order: f64,
    /// Seconds on the wall of walks and their pairs.
    pub second_order: f64,
    /// Seconds on the wall of fits.
    pub em: f64,
    /// Seconds on the wall of the pull to communities.
    pub community: f64,
    /// Pair updates: observed pairs and their negatives.
    pub pairs: u64,
    /// Conductance of the communities, if scores were asked for.
    pub conductance: Option<f64>,
    /// Normalised mutual information with the labels, if there are some.
    pub nmi: Option<f64>,
}

impl Options {
    /// Loads and trains.
    pub fn measure(&self) -> anyhow::Result<Training> {
        let at_hand = touch(self.at_hand);
        let pool = self.threads.pool()?;
        let (load, loaded) = time(|| pool.install(|| self.graph.load()));
        let loaded = loaded?;
        let graph = &loaded.graph;
        let before = system_seconds();
        let (training, trainer) = time(|| {
            pool.install(|| {
                let mut trainer = Trainer::new(graph, self.config.clone())?;
                trainer.train(&mut |_| ControlFlow::Continue(()))?;
                hycome::Result::Ok(trainer)
            })
        });
        let trainer = trainer?;
        let seconds = trainer.seconds();
        let mut measured = Training {
            nodes: graph.node_count(),
            edges: graph.edge_count(),
            threads: self.threads.count(),
            at_hand,
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
        let run = trainer.into_run(loaded.names.clone());
        measured.pairs = run.pairs();
        if self.scores {
            let truth = loaded
                .labels
                .as_ref()
                .map(|labels| TruthBuf::from_lists(graph.nodes().map(|node| labels.of(node))));
            let found = run.responsibilities()?.communities();
            let scores = score(graph, &found, run.mixture.len(), truth.as_ref().map(TruthBuf::view));
            (measured.conductance, measured.nmi) = (Some(scores.conductance), scores.nmi);
        }
        Ok(measured)
    }
}
