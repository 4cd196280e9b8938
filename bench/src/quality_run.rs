//! Training runs over several seeds, with their scores.

use std::ops::ControlFlow;

use anyhow::Context;
use hycome::TrainConfig;
use hycome::io::LoadedGraph;
use hycome_experiments::{Job, SeedStats, Source};

/// Scores over seeds.
#[derive(Clone, Debug, Default)]
pub struct QualityRuns {
    /// Clustering accuracy (ACC): precision@1 in the paper.
    pub accuracy: SeedStats,
    /// Mean conductance.
    pub conductance: SeedStats,
    /// Normalized mutual information.
    pub nmi: SeedStats,
    /// Training time in seconds.
    pub seconds: SeedStats,
    /// Cluster sizes of the first seed, in descending order.
    pub sizes: Vec<usize>,
    /// Warnings about the scores, each with its seed.
    pub warnings: Vec<(u64, String)>,
}

/// Trains with seeds 1 to `seeds` and one community per class, and logs each result to stderr.
pub fn run(
    title: &str,
    loaded: &LoadedGraph,
    config: &TrainConfig,
    seeds: u64,
) -> anyhow::Result<QualityRuns> {
    let labels = loaded.labels.as_ref().context("a quality run needs labels as ground truth")?;
    let mut runs = QualityRuns::default();
    for seed in 1..=seeds {
        let communities = Some(labels.used_class_count());
        let config = TrainConfig { seed, communities, ..config.clone() };
        let job = Job { source: Source::default(), config, classify: None };
        let measured = job
            .measure(loaded, &mut |_| ControlFlow::Continue(()))?
            .context("the callback never stops the training")?;
        let score = |name: &str| measured.scores.get(name).copied().unwrap_or(f64::NAN);
        let (accuracy, conductance, nmi) = (score("precision_at_1"), score("conductance"), score("nmi"));
        let seconds = measured.train_seconds;
        eprintln!(
            "{title}, seed {seed}: accuracy {accuracy:.3}, conductance {conductance:.3}, NMI {nmi:.3}, \
             {seconds:.1} s"
        );
        runs.warnings.extend(measured.warnings.into_iter().map(|warning| (seed, warning)));
        if seed == 1 {
            runs.sizes = measured.sizes;
        }
        runs.accuracy.0.push(accuracy);
        runs.conductance.0.push(conductance);
        runs.nmi.0.push(nmi);
        runs.seconds.0.push(seconds);
    }
    Ok(runs)
}
