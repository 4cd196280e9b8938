//! One training, scored; and the samples of several seeds.

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Context;
use hycome::io::LoadedGraph;
use hycome::metrics::{TruthBuf, cluster_sizes, score, warnings};
use hycome::{TrainConfig, Trainer};

use crate::statistics::Sample;

/// What several seeds gave.
#[derive(Clone, Debug, Default)]
pub struct Trials {
    /// Precision@1 of each seed.
    pub precision: Sample,
    /// Conductance of each seed.
    pub conductance: Sample,
    /// Normalised mutual information of each seed.
    pub nmi: Sample,
    /// Seconds of training of each seed.
    pub seconds: Sample,
    /// Cluster sizes of the first seed, descending.
    pub sizes: Vec<usize>,
    /// What the sizes of any seed say against its scores: the seed and a sentence.
    pub warnings: Vec<(u64, String)>,
}

/// Trains with seeds 1 to `seeds` and as many communities as there are classes; tells each result on stderr.
pub fn run(title: &str, loaded: &LoadedGraph, config: &TrainConfig, seeds: u64) -> anyhow::Result<Trials> {
    let labels = loaded.labels.as_ref().context("a trial needs labels to score against")?;
    let truth = TruthBuf::from_lists(loaded.graph.nodes().map(|node| labels.of(node)));
    let communities = labels.used_class_count();
    let mut trials = Trials::default();
    for seed in 1..=seeds {
        let config = TrainConfig { seed, communities: Some(communities), ..config.clone() };
        let clock = Instant::now();
        let mut trainer = Trainer::new(&loaded.graph, config)?;
        trainer.train(&mut |_| ControlFlow::Continue(()))?;
        let run = trainer.into_run(loaded.names.clone());
        let found = run.responsibilities()?.communities();
        let seconds = clock.elapsed().as_secs_f64();
        let scores = score(&loaded.graph, &found, communities, Some(truth.view()));
        let mut sizes = cluster_sizes(&found, communities);
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let (precision, nmi) = (scores.precision_at_1.unwrap_or(f64::NAN), scores.nmi.unwrap_or(f64::NAN));
        eprintln!(
            "{title}, seed {seed}: precision@1 {precision:.3}, conductance {:.3}, NMI {nmi:.3}, {seconds:.1} s",
            scores.conductance
        );
        let sentences = warnings(&sizes, Some(truth.view()));
        trials.warnings.extend(sentences.into_iter().map(|sentence| (seed, sentence)));
        if seed == 1 {
            trials.sizes = sizes;
        }
        trials.precision.0.push(precision);
        trials.conductance.0.push(scores.conductance);
        trials.nmi.0.push(nmi);
        trials.seconds.0.push(seconds);
    }
    Ok(trials)
}
