//! What is known of a graph before anything is trained: its classes, and how far the commonest of them gets.

use crate::classify::{ClassifierConfig, CrossValidation, Method, cross_validate, fit};
use crate::metrics::{TruthBuf, precision_at};
use crate::{Labels, Points, Result};

/// A graph whose files are there: what is known of it before anything is trained.
#[derive(Debug)]
pub struct Present {
    /// Its name.
    pub name: &'static str,
    /// Number of communities to look for.
    pub communities: usize,
    /// Whether nodes have several classes.
    pub multi_label: bool,
    /// Shares of the commonest class, cross-validated and of all nodes; one number for each score.
    pub majority: [Vec<f64>; 2],
}

impl Present {
    /// Counts what is needed of a graph's labels.
    ///
    /// # Errors
    /// If fewer nodes have a label than there are folds.
    pub fn new(name: &'static str, labels: &Labels, runs: usize) -> Result<Self> {
        let nowhere = Points::zeros(labels.node_count(), 2);
        let config = ClassifierConfig { method: Method::Majority, ..ClassifierConfig::default() };
        let validation = CrossValidation { runs, ..CrossValidation::default() };
        let held_out = cross_validate(&nowhere, labels, &config, &validation)?;
        let scores = [Some(held_out.precision_at_1), held_out.precision_at_3, held_out.precision_at_5];
        let held_out = scores.iter().flatten().map(|summary| summary.mean).collect::<Vec<f64>>();
        let learnt = fit(&nowhere, labels, &config)?.classifier;
        let ranking = learnt.scores(&nowhere)?.ranking(0);
        let name_of = |class: usize| {
            labels.class_names().iter().position(|name| *name == learnt.classes[class]).unwrap_or(0) as u32
        };
        let ranking: Vec<u32> = ranking.into_iter().map(name_of).collect();
        let truth = TruthBuf::from_lists((0..labels.node_count()).map(|node| labels.of(node as u32)));
        let rankings = vec![ranking; labels.node_count()];
        let of_all = [1, 3, 5]
            .iter()
            .take(held_out.len())
            .map(|&n| precision_at(n, &rankings, truth.view()))
            .collect();
        Ok(Self {
            name,
            communities: labels.used_class_count(),
            multi_label: labels.is_multi_label(),
            majority: [held_out, of_all],
        })
    }
}
