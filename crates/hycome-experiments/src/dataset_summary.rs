//! Label statistics of a dataset: class counts and the majority-class baseline.

use hycome::classify::{ClassifierConfig, CrossValidation, Method, cross_validate, fit};
use hycome::metrics::{GroundTruth, precision_at};
use hycome::{Labels, Points, Result};

/// Label statistics of a dataset that is available.
#[derive(Debug)]
pub struct DatasetSummary {
    /// Dataset name.
    pub name: &'static str,
    /// Number of communities to detect: the number of classes.
    pub communities: usize,
    /// Whether nodes can have several classes.
    pub multi_label: bool,
    /// Cross-validated scores of the majority class: precision@1, and @3 and @5 for multi-label graphs.
    pub majority_held_out: Vec<f64>,
    /// The same scores with the class frequencies and the test on all nodes.
    pub majority_all_nodes: Vec<f64>,
}

impl DatasetSummary {
    /// Computes the statistics of the labels.
    ///
    /// # Errors
    /// If fewer nodes have a label than there are folds.
    pub fn new(name: &'static str, labels: &Labels, runs: usize) -> Result<Self> {
        let origin = Points::zeros(labels.node_count(), 2);
        let config = ClassifierConfig { method: Method::Majority, ..ClassifierConfig::default() };
        let validation = CrossValidation { runs, ..CrossValidation::default() };
        let held_out = cross_validate(&origin, labels, &config, &validation)?;
        let scores = [Some(held_out.precision_at_1), held_out.precision_at_3, held_out.precision_at_5];
        let held_out = scores.iter().flatten().map(|summary| summary.mean).collect::<Vec<f64>>();
        let classifier = fit(&origin, labels, &config)?.classifier;
        let ranking = classifier.scores(&origin)?.ranking(0);
        let name_of = |class: usize| {
            labels.class_names().iter().position(|name| *name == classifier.classes[class]).unwrap_or(0)
                as u32
        };
        let ranking: Vec<u32> = ranking.into_iter().map(name_of).collect();
        let truth = GroundTruth::from_lists((0..labels.node_count()).map(|node| labels.of(node as u32)));
        let rankings = vec![ranking; labels.node_count()];
        let all_nodes = [1, 3, 5]
            .iter()
            .take(held_out.len())
            .map(|&n| precision_at(n, &rankings, truth.view()))
            .collect();
        Ok(Self {
            name,
            communities: labels.used_class_count(),
            multi_label: labels.is_multi_label(),
            majority_held_out: held_out,
            majority_all_nodes: all_nodes,
        })
    }
}
