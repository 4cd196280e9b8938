//! One training, scored; and the samples of several seeds.

use std::ops::ControlFlow;

use anyhow::Context;
use hycome::TrainConfig;
use hycome::experiments::{Job, Sample, Source};
use hycome::io::LoadedGraph;

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
    let mut trials = Trials::default();
    for seed in 1..=seeds {
        let communities = Some(labels.used_class_count());
        let config = TrainConfig { seed, communities, ..config.clone() };
        let job = Job { source: Source::default(), config, classify: None };
        let measured = job.measure(loaded, &mut |_| ControlFlow::Continue(()))?.context("nobody stops it")?;
        let score = |name: &str| measured.metrics.get(name).copied().unwrap_or(f64::NAN);
        let (precision, conductance, nmi) = (score("precision_at_1"), score("conductance"), score("nmi"));
        let seconds = measured.train_seconds;
        eprintln!(
            "{title}, seed {seed}: precision@1 {precision:.3}, conductance {conductance:.3}, NMI {nmi:.3}, \
             {seconds:.1} s"
        );
        trials.warnings.extend(measured.warnings.into_iter().map(|sentence| (seed, sentence)));
        if seed == 1 {
            trials.sizes = measured.sizes;
        }
        trials.precision.0.push(precision);
        trials.conductance.0.push(conductance);
        trials.nmi.0.push(nmi);
        trials.seconds.0.push(seconds);
    }
    Ok(trials)
}
