//! Classes of nodes learnt from nodes whose classes are known.
//!
//! An embedding knows nothing of classes. A classifier takes the points of nodes with a label and says for any
//! other point how much each class suits it; how often that is right on nodes it has not seen ([`cross_validate`])
//! tells how much the embedding knows.
//!
//! | [`Method`] | a class is | file |
//! |---|---|---|
//! | `kmeans` | its barycenter; the nearest wins | `barycenters.rs` |
//! | `gaussian` | a Gaussian with a weight; Bayes' rule | `gaussian.rs` |
//! | `logistic` | one side of a hyperplane, the distance from which is the logit | `logistic.rs` |
//! | `svm` | one side of a hyperplane, with as wide a margin as possible | `svm.rs` |
//! | `knn` | what the nearest nodes are | `neighbors.rs` |
//! | `euclidean-logistic` | one side of a plane: of the tangent space at the origin, or of flat space | `euclidean.rs` |
//! | `majority` | a share of the nodes, wherever they are: the floor to beat | `majority.rs` |
//!
//! Every method gives each class a score, and the score becomes a probability in one of two ways: where a node has
//! one class the scores are logarithms of weights and probabilities add up to one; where it may have several they
//! are log-odds, each class by itself. `surface.rs` and `linear.rs` are what the logistic regressions and the
//! support vector machine share, `lbfgs.rs` finds their minimum.
//!
//! In a flat [`Geometry`] `kmeans` and `gaussian` have the Gaussians of `flat.rs`, `knn` goes by Euclidean distance, and `logistic`
//! and `svm`, whose hyperplanes are those of the ball, are refused.
//!
//! Nodes without a label are left out of the training. A class without a node cannot be learnt and is not among the
//! [`Classifier::classes`].

mod barycenters;
mod block;
mod cross_validation;
mod euclidean;
mod flat;
mod folds;
mod frame;
mod gaussian;
mod lbfgs;
mod linear;
mod logistic;
mod majority;
mod neighbors;
mod origin;
mod surface;
mod surfaces;
mod svm;

pub use cross_validation::{CrossValidation, Summary, Validation, cross_validate};
pub use folds::folds;
pub use gaussian::Gaussians;
pub use neighbors::Neighbors;
pub use surfaces::{Space, Surfaces};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::geometry::{Geometry, poincare};
use crate::graph::{Labels, NodeId};
use crate::interrupt;
use crate::mixture;
use crate::train::RunFingerprint;
use crate::{Error, Points, Result};

/// How classes are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The class whose mean point is nearest.
    Kmeans,
    /// A Gaussian (round cloud) for each class, and Bayes' rule.
    Gaussian,
    /// Logistic regression with borders of hyperbolic space.
    #[default]
    Logistic,
    /// Support vector machine: such borders, with a wide margin.
    Svm,
    /// The nearest nodes vote.
    Knn,
    /// Ordinary logistic regression, on flattened points of the ball or on flat ones.
    EuclideanLogistic,
    /// The commonest class for every node: the floor to beat.
    Majority,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Kmeans,
        Self::Gaussian,
        Self::Logistic,
        Self::Svm,
        Self::Knn,
        Self::EuclideanLogistic,
        Self::Majority,
    ];

    /// What is used unless something else is asked for: logistic regression, as the geometry has it.
    #[must_use]
    pub fn usual(geometry: Geometry) -> Self {
        if geometry.is_flat() { Self::EuclideanLogistic } else { Self::Logistic }
    }

    /// Whether it can be used on points of this geometry.
    #[must_use]
    pub fn suits(self, geometry: Geometry) -> bool {
        !(geometry.is_flat() && matches!(self, Self::Logistic | Self::Svm))
    }

    /// Its name in flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Kmeans => "kmeans",
            Self::Gaussian => "gaussian",
            Self::Logistic => "logistic",
            Self::Svm => "svm",
            Self::Knn => "knn",
            Self::EuclideanLogistic => "euclidean-logistic",
            Self::Majority => "majority",
        }
    }
}

/// How to learn a classifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassifierConfig {
    /// The method.
    pub method: Method,
    /// Where the points are.
    pub geometry: Geometry,
    /// Nearest nodes that vote, one or more (`knn`).
    pub neighbors: usize,
    /// How strongly gentle slopes are preferred, zero or more: as much as so many nodes (`logistic`, `svm`,
    /// `euclidean-logistic`).
    pub regularization: f64,
}

impl Default for ClassifierConfig {
    fn default() -> Self {
        Self { method: Method::default(), geometry: Geometry::default(), neighbors: 10, regularization: 0.1 }
    }
}

impl ClassifierConfig {
    /// Whether every setting is in its range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn validate(&self) -> Result<()> {
        let refuse = |parameter, expected: &str, found: String| {
            Err(Error::Config { parameter, expected: expected.into(), found })
        };
        if !self.method.suits(self.geometry) {
            let suits = Method::ALL.into_iter().filter(|method| method.suits(self.geometry));
            let suits = suits.map(Method::name).collect::<Vec<_>>().join(", ");
            let found = format!("{}, which divides the Poincaré ball", self.method.name());
            return refuse("method", &format!("one for flat points ({suits})"), found);
        }
        if self.neighbors == 0 {
            return refuse("neighbors", "one or more", "0".into());
        }
        if !(self.regularization >= 0.0 && self.regularization.is_finite()) {
            return refuse("regularization", "zero or more", self.regularization.to_string());
        }
        Ok(())
    }
}

/// Something that was learnt, and can be asked about any point.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    /// How it was learnt.
    pub method: Method,
    /// Where the points are that it was learnt from.
    pub geometry: Geometry,
    /// Names of the classes it knows; scores are in their order.
    pub classes: Vec<String>,
    /// Number of coordinates of a point.
    pub dim: usize,
    /// Whether a node has one class, so that probabilities add up to one.
    pub exclusive: bool,
    /// What it knows of the classes.
    pub model: Model,
    /// Which run's points it was learnt from, where that is known.
    pub run: Option<RunFingerprint>,
}

/// What a classifier knows of its classes.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// `kmeans` and `gaussian`.
    Gaussians(Gaussians),
    /// `logistic`, `svm` and `euclidean-logistic`.
    Surfaces(Surfaces),
    /// `knn`.
    Neighbors(Neighbors),
    /// `majority`: the share of the nodes that have each class.
    Shares(Vec<f64>),
}

/// A classifier, and whether its search came to rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Learnt {
    /// The classifier.
    pub classifier: Classifier,
    /// Whether the search for the minimum stopped of itself; methods without a search always converge.
    pub converged: bool,
}

/// Learns a classifier from the points that have a label.
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
/// Where a setting is out of range, a point is not one of the geometry, or no node has a label.
///
/// # Panics
/// If there is not one entry of `labels` for each point.
pub fn fit(points: &Points, labels: &Labels, config: &ClassifierConfig) -> Result<Learnt> {
    assert_eq!(labels.node_count(), points.len(), "there is one entry of labels for each point");
    config.validate()?;
    check_points(points, config.geometry)?;
    let (points, labels) = labelled(points, labels);
    if points.is_empty() {
        return Err(no_label());
    }
    let (exclusive, is_flat) = (!labels.is_multi_label(), config.geometry.is_flat());
    let mut converged = true;
    let model = match config.method {
        Method::Kmeans if is_flat => Model::Gaussians(flat::barycenters(&points, &labels)?),
        Method::Kmeans => Model::Gaussians(barycenters::fit(&points, &labels)?),
        Method::Gaussian => Model::Gaussians(match mixture::shape(config.geometry) {
            Some(shape) => flat::gaussians(&points, &labels, shape)?,
            None => gaussian::fit(&points, &labels)?,
        }),
        Method::Knn => {
            let (points, labels) = (points.clone(), labels.clone());
            Model::Neighbors(Neighbors::new(config.geometry, points, labels, config.neighbors))
        }
        Method::Majority => Model::Shares(majority::shares(&labels)),
        Method::Logistic | Method::Svm | Method::EuclideanLogistic => {
            let (surfaces, settled) = match config.method {
                Method::Logistic => logistic::fit(&points, &labels, config.regularization),
                Method::Svm => svm::fit(&points, &labels, config.regularization),
                _ => {
                    let space = if is_flat { Space::Flat } else { Space::Tangent };
                    euclidean::fit(space, &points, &labels, config.regularization)
                }
            };
            converged = settled;
            Model::Surfaces(surfaces)
        }
    };
    interrupt::check()?; // the searches stop early
    // A Gaussian's weights are shares of one whole even where nodes have several classes.
    let exclusive = exclusive || matches!(model, Model::Gaussians(_));
    let classes = labels.class_names().to_vec();
    let (method, geometry, dim) = (config.method, config.geometry, points.dim());
    let classifier = Classifier { method, geometry, classes, dim, exclusive, model, run: None };
    Ok(Learnt { classifier, converged })
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
    if geometry.is_flat() {
        return mixture::flat::check_finite(points);
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
    /// What each class scores at each point.
    ///
    /// # Errors
    /// Where a point is not one of the geometry or has another dimension than those learnt from.
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
                    Model::Surfaces(surfaces) => surfaces.scores(x, self.exclusive, row),
                    Model::Neighbors(neighbors) => from_shares(&neighbors.shares(x), self.exclusive, row),
                    Model::Shares(shares) => from_shares(shares, self.exclusive, row),
                }
            }
        });
        interrupt::check()?;
        Ok(ClassScores { classes, exclusive: self.exclusive, data })
    }
}

/// Scores whose probabilities are these shares.
fn from_shares(shares: &[f64], exclusive: bool, row: &mut [f64]) {
    for (score, &share) in row.iter_mut().zip(shares) {
        *score = if exclusive { share.ln() } else { share.ln() - (1.0 - share).max(0.0).ln() };
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

/// What each class scores at each point.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassScores {
    classes: usize,
    exclusive: bool,
    data: Vec<f64>,
}

impl ClassScores {
    /// The scores of point `i`, one for each class: logarithms of weights where a node has one class, else log-odds.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.classes..(i + 1) * self.classes]
    }

    /// Number of points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.classes.max(1)
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The classes of point `i` from the best to the worst; the first of equals comes first.
    #[must_use]
    pub fn ranking(&self, i: usize) -> Vec<usize> {
        let row = self.row(i);
        let mut classes: Vec<usize> = (0..row.len()).collect();
        classes.sort_by(|&a, &b| row[b].total_cmp(&row[a]));
        classes
    }

    /// The probability of each class at point `i`, 0 to 1.
    #[must_use]
    pub fn probabilities(&self, i: usize) -> Vec<f64> {
        let row = self.row(i);
        if !self.exclusive {
            return row.iter().map(|&score| sigmoid(score)).collect();
        }
        let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return vec![1.0 / row.len() as f64; row.len()]; // nothing speaks for any class
        }
        let weights: Vec<f64> = row.iter().map(|score| (score - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }
}
