//! Supervised classification of nodes by the points of an embedding.
//!
//! A classifier is fitted to the points of labelled nodes and scores every class at any other point. Its accuracy on held-out
//! nodes ([`cross_validate`]) measures how much of the classes an embedding, which is trained without labels, contains.
//!
//! | [`Method`] | a class is | file |
//! |---|---|---|
//! | `nearest-centroid` | its Fréchet mean; the nearest wins | `nearest_centroid.rs` |
//! | `gaussian` | a weighted Riemannian Gaussian; Bayes' rule | `gaussian.rs` |
//! | `logistic` | one side of a hyperplane, the distance from which is the logit (Ganea et al. 2018) | `linear/logistic.rs` |
//! | `svm` | one side of a hyperplane of maximal margin (Cho et al. 2019) | `linear/svm.rs` |
//! | `knn` | a vote of the nearest nodes | `neighbors.rs` |
//! | `euclidean-logistic` | one side of a hyperplane of the tangent space at the origin, or of Euclidean space | `linear/euclidean.rs` |
//! | `majority` | its frequency, whatever the point: the baseline to beat | `majority.rs` |
//!
//! Scores become probabilities in one of two ways. Single-label: scores are logarithms of weights, and probabilities add up to
//! one. Multi-label: scores are log-odds, each class by itself.
//!
//! In a Euclidean [`Geometry`] `nearest-centroid` and `gaussian` have the Gaussians of `euclidean.rs`, `knn` uses Euclidean distances,
//! and `logistic` and `svm`, whose hyperplanes are those of the ball, are refused.
//!
//! Nodes without a label are ignored in a fit. A class without a node is not among the [`Classifier::classes`].

mod cross_validation;
mod euclidean;
mod folds;
mod gaussian;
mod linear;
mod majority;
mod method;
mod nearest_centroid;
mod neighbors;
mod provenance;
mod scores;

pub use cross_validation::{CrossValidation, Summary, Validation, cross_validate};
pub use folds::folds;
pub use gaussian::Gaussians;
pub use linear::{LinearModel, Space};
pub use method::{ClassifierConfig, Method};
pub use neighbors::Neighbors;
pub use scores::ClassScores;

use rayon::prelude::*;

use crate::geometry::{Geometry, poincare};
use crate::graph::{Labels, NodeId};
use crate::interrupt;
use crate::mixture;
use crate::train::RunFingerprint;
use crate::{Error, Points, Result};

/// A fitted classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    /// The method.
    pub method: Method,
    /// Geometry of the points.
    pub geometry: Geometry,
    /// Names of the classes; scores are in their order.
    pub classes: Vec<String>,
    /// Number of coordinates of a point.
    pub dim: usize,
    /// Whether a node has one class, so that probabilities add up to one.
    pub single_label: bool,
    /// The parameters.
    pub model: Model,
    /// Fingerprint of the run whose points it was fitted to, if known.
    pub run: Option<RunFingerprint>,
}

/// Parameters of a classifier.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// `nearest-centroid` and `gaussian`.
    Gaussians(Gaussians),
    /// `logistic`, `svm` and `euclidean-logistic`.
    Linear(LinearModel),
    /// `knn`.
    Neighbors(Neighbors),
    /// `majority`: the share of the nodes that have each class.
    ClassFrequencies(Vec<f64>),
}

/// A fitted classifier and the outcome of the optimisation.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOutcome {
    /// The classifier.
    pub classifier: Classifier,
    /// Whether the optimisation converged; methods without one always converge.
    pub converged: bool,
}

/// Fits a classifier to the points that have a label.
///
/// ```
/// use hycome::{Labels, Points, classify::{ClassifierConfig, fit}};
/// let points = Points::new(2, vec![0.5, 0.1, 0.6, 0.0, -0.5, 0.1, -0.6, 0.0, 0.55, 0.05]);
/// let labels = Labels::from_pairs(5, &[(0, "east"), (1, "east"), (2, "west"), (3, "west")], &[]);
/// let east = fit(&points, &labels, &ClassifierConfig::default())?.classifier;
/// let scores = east.scores(&points)?;
/// assert_eq!(east.classes[scores.ranking(4)[0]], "east");
/// # Ok::<(), hycome::Error>(())
/// ```
///
/// # Errors
/// If a setting is out of range, a point does not belong to the geometry, or no node has a label.
///
/// # Panics
/// If there is not one entry of `labels` for each point.
pub fn fit(points: &Points, labels: &Labels, config: &ClassifierConfig) -> Result<FitOutcome> {
    assert_eq!(labels.node_count(), points.len(), "there is one entry of labels for each point");
    config.validate()?;
    check_points(points, config.geometry)?;
    let (points, labels) = labelled(points, labels);
    if points.is_empty() {
        return Err(no_label());
    }
    let (single_label, is_euclidean) = (!labels.is_multi_label(), config.geometry.is_euclidean());
    let mut converged = true;
    let model = match config.method {
        Method::NearestCentroid if is_euclidean => {
            Model::Gaussians(euclidean::nearest_centroid(&points, &labels)?)
        }
        Method::NearestCentroid => Model::Gaussians(nearest_centroid::fit(&points, &labels)?),
        Method::Gaussian => Model::Gaussians(match mixture::covariance_type(config.geometry) {
            Some(covariance_type) => euclidean::gaussians(&points, &labels, covariance_type)?,
            None => gaussian::fit(&points, &labels)?,
        }),
        Method::Knn => {
            let (points, labels) = (points.clone(), labels.clone());
            Model::Neighbors(Neighbors::new(config.geometry, points, labels, config.neighbors))
        }
        Method::Majority => Model::ClassFrequencies(majority::frequencies(&labels)),
        Method::Logistic | Method::Svm | Method::EuclideanLogistic => {
            let (model, settled) = match config.method {
                Method::Logistic => linear::logistic::fit(&points, &labels, config.regularization),
                Method::Svm => linear::svm::fit(&points, &labels, config.regularization),
                _ => {
                    let space = if is_euclidean { Space::Euclidean } else { Space::Tangent };
                    linear::euclidean::fit(space, &points, &labels, config.regularization)
                }
            };
            converged = settled;
            Model::Linear(model)
        }
    };
    interrupt::check()?; // an interrupted search returns early
    // A Gaussian's weights are shares of one whole even where nodes have several classes.
    let single_label = single_label || matches!(model, Model::Gaussians(_));
    let classes = labels.class_names().to_vec();
    let (method, geometry, dim) = (config.method, config.geometry, points.dim());
    let classifier = Classifier { method, geometry, classes, dim, single_label, model, run: None };
    Ok(FitOutcome { classifier, converged })
}

/// The points that have a label, with classes that have a point.
fn labelled(points: &Points, labels: &Labels) -> (Points, Labels) {
    let nodes: Vec<NodeId> =
        (0..points.len() as NodeId).filter(|&node| !labels.of(node).is_empty()).collect();
    let used = used_classes(labels);
    let mut places = vec![0; labels.class_count()];
    used.iter().zip(0..).for_each(|(&class, place)| places[class as usize] = place);
    let lists =
        nodes.iter().map(|&node| labels.of(node).iter().map(|&class| places[class as usize]).collect());
    let names = used.iter().map(|&class| labels.class_name(class).to_owned()).collect();
    let labels = Labels::from_lists(names, lists.collect());
    (chosen(points, &nodes), labels)
}

/// The classes that have a node, ascending.
fn used_classes(labels: &Labels) -> Vec<u32> {
    let sizes = labels.class_sizes();
    (0..).zip(sizes).filter(|&(_, size)| size > 0).map(|(class, _)| class).collect()
}

/// Some of the points, in this order.
fn chosen(points: &Points, rows: &[NodeId]) -> Points {
    Points::new(points.dim(), rows.iter().flat_map(|&row| points.row(row as usize)).copied().collect())
}

fn no_label() -> Error {
    Error::Config {
        parameter: "labels",
        expected: "known for some of the nodes".into(),
        found: "empty".into(),
    }
}

fn check_points(points: &Points, geometry: Geometry) -> Result<()> {
    if geometry.is_euclidean() {
        return mixture::euclidean::check_finite(points);
    }
    let outside = points.rows().position(|x| {
        let slack = poincare::slack(x);
        slack.is_nan() || slack <= 0.0
    });
    match outside {
        Some(row) => Err(Error::Config {
            parameter: "points",
            expected: "finite and inside the unit ball".into(),
            found: format!("outside of it in row {row}"),
        }),
        None => Ok(()),
    }
}

/// Points that one thread scores at a time.
const BLOCK: usize = 64;

impl Classifier {
    /// Score of each class at each point.
    ///
    /// # Errors
    /// If a point does not belong to the geometry or has another dimension than those of the fit.
    pub fn scores(&self, points: &Points) -> Result<ClassScores> {
        if points.dim() != self.dim {
            return Err(Error::Config {
                parameter: "points",
                expected: format!("of {} dimensions, as the classifier's", self.dim),
                found: format!("of {}", points.dim()),
            });
        }
        check_points(points, self.geometry)?;
        let classes = self.classes.len();
        let mut data = vec![0.0; classes * points.len()];
        data.par_chunks_mut(classes * BLOCK).enumerate().for_each(|(block, rows)| {
            if interrupt::is_requested() {
                return;
            }
            for (i, row) in rows.chunks_exact_mut(classes).enumerate() {
                let x = points.row(block * BLOCK + i);
                match &self.model {
                    Model::Gaussians(gaussians) => gaussians.scores(x, row),
                    Model::Linear(model) => model.scores(x, self.single_label, row),
                    Model::Neighbors(neighbors) => from_shares(&neighbors.shares(x), self.single_label, row),
                    Model::ClassFrequencies(frequencies) => from_shares(frequencies, self.single_label, row),
                }
            }
        });
        interrupt::check()?;
        Ok(ClassScores { classes, single_label: self.single_label, data })
    }
}

/// Scores whose probabilities are these shares.
fn from_shares(shares: &[f64], single_label: bool, row: &mut [f64]) {
    for (score, &share) in row.iter_mut().zip(shares) {
        *score = if single_label { share.ln() } else { share.ln() - (1.0 - share).max(0.0).ln() };
    }
}

/// ln(1 + eˣ).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// 1/(1 + e⁻ˣ).
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
