//! Repeated k-fold cross-validation.
//!
//! The labelled nodes are partitioned into folds; each fold is held out once while a classifier is fitted to the others,
//! and scored. That is repeated for several partitions, the runs, and the mean and standard deviation over all folds of
//! all runs are reported. The paper has five folds and five runs.
//!
//! | score | definition |
//! |---|---|
//! | precision@n | share of the n best-ranked classes that are right ([`precision_at`]); 3 and 5 where nodes have several classes |
//! | micro and macro F1 | of as many best-ranked classes as the node has ([`f1`]), the custom for several classes |
//!
//! Folds are fitted in parallel and depend on nothing but seed, run and fold, so the result does not depend on the
//! number of threads. The training sets of folds overlap: the deviation measures how much a score depends on the
//! partition, and is no confidence interval.

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
    /// Number of repetitions with other folds, one or more.
    pub runs: usize,
    /// Seed of the folds.
    pub seed: u64,
}

impl Default for CrossValidation {
    fn default() -> Self {
        Self { folds: 5, runs: 5, seed: 1 }
    }
}

/// A score over all folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Mean over folds.
    pub mean: f64,
    /// Standard deviation over folds, with n − 1 below.
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

/// Outcome of a cross-validation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Labelled nodes that took part.
    pub nodes: usize,
    /// Classes that have a node.
    pub classes: usize,
    /// Whether nodes have several classes.
    pub multi_label: bool,
    /// Precision@1.
    pub precision_at_1: Summary,
    /// Precision@3, where nodes have several classes and there are three.
    pub precision_at_3: Option<Summary>,
    /// Precision@5, where nodes have several classes and there are five.
    pub precision_at_5: Option<Summary>,
    /// Micro F1.
    pub micro_f1: Summary,
    /// Macro F1.
    pub macro_f1: Summary,
    /// Folds whose optimisation did not converge.
    pub unconverged: usize,
}

/// Scores of one fold.
struct Fold {
    precision: [f64; 3],
    micro: f64,
    macro_average: f64,
    converged: bool,
}

/// Scores a method on held-out nodes.
///
/// # Errors
/// Where a setting is out of range, a point is not inside the ball, no node has a label or there are fewer
/// labelled nodes than folds.
///
/// # Panics
/// If there is not one entry of `labels` for each point.
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
    let dealt: Vec<Vec<Vec<NodeId>>> = (0..validation.runs as u64)
        .map(|run| folds(labels, validation.folds, validation.seed, run))
        .collect();
    let tasks: Vec<(usize, usize)> =
        (0..validation.runs).flat_map(|run| (0..validation.folds).map(move |fold| (run, fold))).collect();
    let scored = tasks.par_iter().map(|&(run, fold)| score_fold(points, labels, config, &dealt[run], fold));
    let scored: Vec<Fold> = scored.collect::<Result<_>>()?;
    let classes = labels.used_class_count();
    let precision = |place: usize| Summary::of(scored.iter().map(|fold| fold.precision[place]));
    let multi_label = labels.is_multi_label();
    Ok(Validation {
        nodes,
        classes,
        multi_label,
        precision_at_1: precision(0),
        precision_at_3: (multi_label && classes >= PLACES[1]).then(|| precision(1)),
        precision_at_5: (multi_label && classes >= PLACES[2]).then(|| precision(2)),
        micro_f1: Summary::of(scored.iter().map(|fold| fold.micro)),
        macro_f1: Summary::of(scored.iter().map(|fold| fold.macro_average)),
        unconverged: scored.iter().filter(|fold| !fold.converged).count(),
    })
}

/// The n of precision@n.
const PLACES: [usize; 3] = [1, 3, 5];

fn score_fold(
    points: &Points,
    labels: &Labels,
    config: &ClassifierConfig,
    dealt: &[Vec<NodeId>],
    held_out: usize,
) -> Result<Fold> {
    interrupt::check()?;
    let mut training: Vec<NodeId> = dealt
        .iter()
        .enumerate()
        .filter(|&(fold, _)| fold != held_out)
        .flat_map(|(_, nodes)| nodes)
        .copied()
        .collect();
    training.sort_unstable();
    let known = labels.subset(&training);
    let learnt = fit(&chosen(points, &training), &known, config)?;
    let classes = used_classes(&known);
    let test = &dealt[held_out];
    let scores = learnt.classifier.scores(&chosen(points, test))?;
    let ranking = |i: usize| scores.ranking(i).into_iter().map(|place| classes[place]).collect();
    let rankings: Vec<Vec<u32>> = (0..test.len()).map(ranking).collect();
    let truth = GroundTruth::from_lists(test.iter().map(|&node| labels.of(node)));
    let given: Vec<Vec<u32>> = rankings
        .iter()
        .zip(test)
        .map(|(ranking, &node)| ranking.iter().copied().take(labels.of(node).len()).collect())
        .collect();
    let f1 = f1(&given, truth.view());
    Ok(Fold {
        precision: PLACES.map(|n| precision_at(n, &rankings, truth.view())),
        micro: f1.micro,
        macro_average: f1.macro_average,
        converged: learnt.converged,
    })
}
