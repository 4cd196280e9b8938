//! Aggregation of results over seeds.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{Job, Outcome, Record, SeedStats, smaller_is_better};

/// Results of jobs that differ in the seed only.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The job, with the seed of the first result.
    pub job: &'a Job,
    /// The results, in input order.
    pub records: Vec<&'a Record>,
    /// Scores by name, each over the seeds that have it.
    pub metrics: BTreeMap<String, SeedStats>,
    /// Number of failed jobs.
    pub failures: usize,
}

/// Groups results by all settings except the seed, in order of first appearance.
#[must_use]
pub fn groups<'a>(records: &[&'a Record]) -> Vec<Group<'a>> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for &record in records {
        let mut seedless = record.job.clone();
        seedless.config.seed = 0;
        let key = serde_json::to_string(&seedless).expect("a job is JSON");
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group {
                job: &record.job,
                records: Vec::new(),
                metrics: BTreeMap::new(),
                failures: 0,
            });
            groups.len() - 1
        });
        let group = &mut groups[place];
        group.records.push(record);
        match &record.outcome {
            Outcome::Failed(_) => group.failures += 1,
            Outcome::Measured(measured) => {
                for (name, &value) in &measured.scores {
                    group.metrics.entry(name.clone()).or_default().0.push(value);
                }
            }
        }
    }
    groups
}

impl Group<'_> {
    /// Orders groups by the mean of a score, best first; groups without the score or with a failed job come last.
    #[must_use]
    pub fn compare(&self, other: &Self, metric: &str) -> Ordering {
        let mean = |group: &Self| {
            let sample = group.metrics.get(metric).filter(|_| group.failures == 0);
            sample.map_or(f64::INFINITY, |sample| {
                sample.mean() * if smaller_is_better(metric) { 1.0 } else { -1.0 }
            })
        };
        mean(self).total_cmp(&mean(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metrics, Source};
    use hycome::TrainConfig;

    fn record(dim: usize, seed: u64, scores: Option<(f64, f64)>) -> Record {
        let config = TrainConfig { dim: Some(dim), seed, ..TrainConfig::default() };
        let outcome = match scores {
            None => Outcome::Failed("the points are no longer finite".into()),
            Some((conductance, nmi)) => Outcome::Measured(Metrics {
                fingerprint: 0,
                scores: [("conductance".to_owned(), conductance), ("nmi".to_owned(), nmi)].into(),
                sizes: vec![],
                warnings: vec![],
                train_seconds: 0.0,
                classify_seconds: 0.0,
            }),
        };
        Record { job: Job { source: Source::default(), config, classify: None }, outcome }
    }

    #[test]
    fn results_are_grouped_over_seeds_and_sorted() {
        let records = [
            record(2, 1, Some((0.3, 0.5))),
            record(5, 1, Some((0.1, 0.4))),
            record(2, 2, Some((0.5, 0.7))),
            record(9, 1, None),
        ];
        let mut found = groups(&records.iter().collect::<Vec<_>>());
        assert_eq!(found.iter().map(|group| group.records.len()).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(found[0].metrics["conductance"].0, [0.3, 0.5]);
        found.sort_by(|a, b| a.compare(b, "conductance"));
        assert_eq!(found.iter().map(|group| group.job.config.dim.unwrap()).collect::<Vec<_>>(), [5, 2, 9]);
        found.sort_by(|a, b| a.compare(b, "nmi"));
        assert_eq!(found.iter().map(|group| group.job.config.dim.unwrap()).collect::<Vec<_>>(), [2, 5, 9]);
    }
}
