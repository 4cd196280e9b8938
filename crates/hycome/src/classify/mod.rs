//! Supervised classification of nodes by the points of an embedding.
//!
//! A classifier is fitted to the points of labelled nodes and scores every class at any other point. Embeddings are
//! trained without labels, so the accuracy on held-out nodes ([`cross_validate`]) measures how much class information
//! an embedding contains.
//!
//! | [`Method`] | decision rule | file |
//! |---|---|---|
//! | `nearest-centroid` | nearest Fréchet mean of a class | `nearest_centroid.rs` |
//! | `gaussian` | class-conditional Riemannian Gaussians and Bayes' rule | `gaussian.rs` |
//! | `logistic` | logistic regression, multinomial or one-vs-rest; the logit is the distance from a hyperplane (Ganea et al. 2018) | `linear/logistic.rs` |
//! | `svm` | maximum-margin hyperplanes (Cho et al. 2019) | `linear/svm.rs` |
//! | `knn` | distance-weighted vote of the k nearest nodes | `neighbors.rs` |
//! | `euclidean-logistic` | logistic regression in the tangent space at the origin, or in Euclidean space | `linear/euclidean.rs` |
//! | `majority` | class frequencies, independent of the point: the baseline | `majority.rs` |
//!
//! Single-label scores are unnormalized log-probabilities, and probabilities are their softmax. Multi-label scores are
//! log-odds, and probabilities are their sigmoid, independently for each class.
//!
//! In Euclidean [`Geometry`], `nearest-centroid` and `gaussian` use the Gaussians of `euclidean.rs` and `knn` uses
//! Euclidean distances. `logistic` and `svm` are rejected because their hyperplanes are defined in the Poincaré ball.
//!
//! Unlabelled nodes are ignored when fitting. Classes without nodes are not in [`Classifier::classes`].

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
pub(crate) use gaussian::Gaussians;
pub(crate) use linear::{LinearModel, Space};
pub use method::{ClassifierConfig, Method, MultiClass};
pub(crate) use neighbors::Neighbors;
pub use scores::ClassScores;

use rayon::prelude::*;

use crate::geometry::Geometry;
use crate::graph::{Labels, NodeId};
use crate::interrupt;
use crate::mixture::{self, GaussianMixture};
use crate::train::RunFingerprint;
use crate::{Error, Points, Result};

/// A fitted classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    /// The method.
    pub method: Method,
    /// Geometry of the points.
    pub geometry: Geometry,
    /// Class names, in the order of the scores.
    pub classes: Vec<String>,
    /// Dimension of the points.
    pub dim: usize,
    /// Whether every node has a single class, so that probabilities sum to one.
    pub single_label: bool,
    /// Fitted parameters.
    pub(crate) model: Model,
    /// Fingerprint of the run the classifier was fitted to, if known.
    pub run: Option<RunFingerprint>,
}

/// Fitted parameters of a classifier.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Model {
    /// `nearest-centroid` and `gaussian`.
    Gaussians(Gaussians),
    /// `logistic`, `svm` and `euclidean-logistic`.
    Linear(LinearModel),
    /// `knn`.
    Neighbors(Neighbors),
    /// `majority`: fraction of nodes in each class.
    ClassFrequencies(Vec<f64>),
}

/// A fitted classifier and its convergence status.
#[derive(Clone, Debug, PartialEq)]
pub struct FitOutcome {
    /// The classifier.
    pub classifier: Classifier,
    /// Whether the optimizer converged; always true for methods without one.
    pub converged: bool,
}

/// Fits a classifier to the labelled points.
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
/// If `labels` and `points` differ in length.
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
                Method::Logistic => linear::logistic::fit(&points, &labels, config),
                Method::Svm => linear::svm::fit(&points, &labels, config),
                _ => {
                    let space = if is_euclidean { Space::Euclidean } else { Space::Tangent };
                    linear::euclidean::fit(space, &points, &labels, config)
                }
            };
            converged = settled;
            Model::Linear(model)
        }
    };
    interrupt::check()?; // an interrupted optimizer returns early
    // The posterior of a Gaussian classifier is a distribution over classes, even for multi-label data.
    let single_label = single_label || matches!(model, Model::Gaussians(_));
    let classes = labels.class_names().to_vec();
    let (method, geometry, dim) = (config.method, config.geometry, points.dim());
    let classifier = Classifier { method, geometry, classes, dim, single_label, model, run: None };
    Ok(FitOutcome { classifier, converged })
}

/// The labelled points, and their labels restricted to classes with a node.
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

/// Classes with at least one node, ascending.
fn used_classes(labels: &Labels) -> Vec<u32> {
    let sizes = labels.class_sizes();
    (0..).zip(sizes).filter(|&(_, size)| size > 0).map(|(class, _)| class).collect()
}

/// Selects rows of `points`, in the given order.
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
    match points.rows().position(|x| !geometry.contains(x)) {
        Some(row) => Err(Error::Config {
            parameter: "points",
            expected: geometry.domain().into(),
            found: format!("not in row {row}"),
        }),
        None => Ok(()),
    }
}

/// Points per parallel scoring task.
const BLOCK: usize = 64;

impl Classifier {
    /// Bayes classifier whose classes are the components of a mixture, named by their indices.
    ///
    /// # Errors
    /// If the mixture is invalid.
    pub fn from_mixture(mixture: GaussianMixture) -> Result<Self> {
        let (classes, dim) = ((0..mixture.len()).map(|k| k.to_string()).collect(), mixture.dim());
        let model = Model::Gaussians(Gaussians::new(mixture.into())?);
        let (method, geometry) = (Method::Gaussian, Geometry::Poincare);
        Ok(Self { method, geometry, classes, dim, single_label: true, model, run: None })
    }

    /// Mean of each class; `None` for methods without means.
    #[must_use]
    pub fn means(&self) -> Option<&Points> {
        match &self.model {
            Model::Gaussians(gaussians) => Some(gaussians.mixture().means()),
            _ => None,
        }
    }

    /// Scores every class at each point.
    ///
    /// # Errors
    /// If a point is outside the geometry's domain or its dimension differs from the training points.
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
                    Model::Neighbors(neighbors) => {
                        scores_from_probabilities(&neighbors.shares(x), self.single_label, row)
                    }
                    Model::ClassFrequencies(frequencies) => {
                        scores_from_probabilities(frequencies, self.single_label, row)
                    }
                }
            }
        });
        interrupt::check()?;
        Ok(ClassScores { classes, single_label: self.single_label, data })
    }
}

/// Inverse of [`ClassScores::probabilities`]: converts class probabilities to scores.
fn scores_from_probabilities(shares: &[f64], single_label: bool, row: &mut [f64]) {
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
