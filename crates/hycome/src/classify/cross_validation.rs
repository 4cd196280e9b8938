//! Repeated k-fold cross-validation.
//!
//! The labelled nodes are partitioned into folds. Each fold is held out once and scored by a classifier fitted to the
//! other folds. This is repeated with several partitions (runs); the report contains the mean and standard deviation
//! over all folds of all runs. The paper uses five folds and five runs.
//!
//! | score | definition |
//! |---|---|
//! | precision@n | fraction of the n top-ranked classes that are correct ([`precision_at`]); n = 3 and 5 for multi-label data only |
//! | micro and macro F1 | F1 of the top-ranked classes, as many as the node has labels ([`f1`]), as is usual for multi-label classification |
//!
//! Folds are fitted in parallel, and each depends only on the seed, the run and the fold, so the result does not depend
//! on the number of threads. The training sets of the folds overlap: the standard deviation measures the sensitivity to
//! the partition and is not a confidence interval.

use rayon::prelude::*;
use serde::Serialize;

use super::{ClassifierConfig, chosen, fit, folds, no_label, used_classes};
use crate::graph::{Labels, NodeId};
use crate::interrupt;
use crate::metrics::{GroundTruth, f1, precision_at};
use crate::{Error, Points, Result};

/// Settings of a cross-validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CrossValidation {
    /// Number of folds, two or more.
    pub folds: usize,
    /// Number of repetitions with different partitions, one or more.
    pub runs: usize,
    /// Seed of the random partitions.
    pub seed: u64,
}

impl Default for CrossValidation {
    fn default() -> Self {
        Self { folds: 5, runs: 5, seed: 1 }
    }
}

/// Mean and standard deviation of a score over all folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Mean over folds.
    pub mean: f64,
    /// Sample standard deviation over folds (n − 1 degrees of freedom).
    pub deviation: f64,
}

impl Summary {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
        Self { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt() }
    }
}

/// Cross-validation scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Number of labelled nodes.
    pub nodes: usize,
    /// Number of classes with at least one node.
    pub classes: usize,
    /// Whether some node has several classes.
    pub multi_label: bool,
    /// Precision@1.
    pub precision_at_1: Summary,
    /// Precision@3, for multi-label data with at least three classes.
    pub precision_at_3: Option<Summary>,
    /// Precision@5, for multi-label data with at least five classes.
    pub precision_at_5: Option<Summary>,
    /// Micro F1.
    pub micro_f1: Summary,
    /// Macro F1.
    pub macro_f1: Summary,
    /// Number of folds in which the optimizer did not converge.
    pub unconverged: usize,
}

/// Scores of one fold.
struct Fold {
    precision: [f64; 3],
    micro: f64,
    macro_average: f64,
    converged: bool,
}

/// Evaluates a classifier by repeated k-fold cross-validation.
///
/// # Errors
/// If a setting is out of range, a point is not inside the ball, no node has a label, or there are fewer labelled nodes
/// than folds.
///
/// # Panics
/// If `labels` and `points` differ in length.
pub fn cross_validate(
    points: &Points,
    labels: &Labels,
    config: &ClassifierConfig,
    validation: &CrossValidation,
) -> Result<Validation> {
    assert_eq!(labels.node_count(), points.len(), "there is one entry of labels for each point");
    config.validate()?;
    let refuse = |parameter, expected: String, found: usize| {
        Err(Error::Config { parameter, expected, found: found.to_string() })
    };
    let nodes = labels.labelled_count();
    if nodes == 0 {
        return Err(no_label());
    }
    if nodes == 1 {
        return refuse("labels", "those of two nodes or more, one to fit and one to validate".into(), nodes);
    }
    if validation.folds < 2 || validation.folds > nodes {
        let expected = format!("from 2 to the number of labelled nodes, {nodes}");
        return refuse("folds", expected, validation.folds);
    }
    if validation.runs == 0 {
        return refuse("runs", "one or more".into(), 0);
    }
    let partitions: Vec<Vec<Vec<NodeId>>> = (0..validation.runs as u64)
        .map(|run| folds(labels, validation.folds, validation.seed, run))
        .collect();
    let tasks: Vec<(usize, usize)> =
        (0..validation.runs).flat_map(|run| (0..validation.folds).map(move |fold| (run, fold))).collect();
    let scored =
        tasks.par_iter().map(|&(run, fold)| score_fold(points, labels, config, &partitions[run], fold));
    let scored: Vec<Fold> = scored.collect::<Result<_>>()?;
    let classes = labels.used_class_count();
    let precision = |place: usize| Summary::of(scored.iter().map(|fold| fold.precision[place]));
    let multi_label = labels.is_multi_label();
    Ok(Validation {
        nodes,
        classes,
        multi_label,
        precision_at_1: precision(0),
        precision_at_3: (multi_label && classes >= CUTOFFS[1]).then(|| precision(1)),
        precision_at_5: (multi_label && classes >= CUTOFFS[2]).then(|| precision(2)),
        micro_f1: Summary::of(scored.iter().map(|fold| fold.micro)),
        macro_f1: Summary::of(scored.iter().map(|fold| fold.macro_average)),
        unconverged: scored.iter().filter(|fold| !fold.converged).count(),
    })
}

/// Cutoffs n of precision@n.
const CUTOFFS: [usize; 3] = [1, 3, 5];

fn score_fold(
    points: &Points,
    labels: &Labels,
    config: &ClassifierConfig,
    partition: &[Vec<NodeId>],
    held_out: usize,
) -> Result<Fold> {
    interrupt::check()?;
    let mut training: Vec<NodeId> = partition
        .iter()
        .enumerate()
        .filter(|&(fold, _)| fold != held_out)
        .flat_map(|(_, nodes)| nodes)
        .copied()
        .collect();
    training.sort_unstable();
    let training_labels = labels.subset(&training);
    let fitted = fit(&chosen(points, &training), &training_labels, config)?;
    let classes = used_classes(&training_labels);
    let test = &partition[held_out];
    let scores = fitted.classifier.scores(&chosen(points, test))?;
    let ranking = |i: usize| scores.ranking(i).into_iter().map(|place| classes[place]).collect();
    let rankings: Vec<Vec<u32>> = (0..test.len()).map(ranking).collect();
    let truth = GroundTruth::from_lists(test.iter().map(|&node| labels.of(node)));
    let predicted: Vec<Vec<u32>> = rankings
        .iter()
        .zip(test)
        .map(|(ranking, &node)| ranking.iter().copied().take(labels.of(node).len()).collect())
        .collect();
    let f1 = f1(&predicted, truth.view());
    Ok(Fold {
        precision: CUTOFFS.map(|n| precision_at(n, &rankings, truth.view())),
        micro: f1.micro,
        macro_average: f1.macro_average,
        converged: fitted.converged,
    })
}
