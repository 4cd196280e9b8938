//! Classification methods and their settings.

use serde::{Deserialize, Serialize};

use crate::geometry::Geometry;
use crate::{Error, Result};

/// Classification method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Nearest centroid: the class whose Fréchet mean is nearest.
    NearestCentroid,
    /// An isotropic Gaussian for each class, and Bayes' rule.
    Gaussian,
    /// Logistic regression with hyperbolic decision boundaries.
    #[default]
    Logistic,
    /// Support vector machine with hyperbolic decision boundaries.
    Svm,
    /// K nearest neighbours.
    Knn,
    /// Euclidean logistic regression, in the tangent space at the origin of the ball.
    EuclideanLogistic,
    /// The majority class for every node: the baseline to beat.
    Majority,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::NearestCentroid,
        Self::Gaussian,
        Self::Logistic,
        Self::Svm,
        Self::Knn,
        Self::EuclideanLogistic,
        Self::Majority,
    ];

    /// Default method for a geometry: its logistic regression.
    #[must_use]
    pub fn default_for(geometry: Geometry) -> Self {
        if geometry.is_euclidean() { Self::EuclideanLogistic } else { Self::Logistic }
    }

    /// Whether the method can classify points of `geometry`.
    #[must_use]
    pub fn supports(self, geometry: Geometry) -> bool {
        !(geometry.is_euclidean() && matches!(self, Self::Logistic | Self::Svm))
    }

    /// Name in flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NearestCentroid => "nearest-centroid",
            Self::Gaussian => "gaussian",
            Self::Logistic => "logistic",
            Self::Svm => "svm",
            Self::Knn => "knn",
            Self::EuclideanLogistic => "euclidean-logistic",
            Self::Majority => "majority",
        }
    }
}

/// How logistic regression treats several classes if every node has one; for nodes with several classes it is always
/// one-vs-rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum MultiClass {
    /// One joint fit with the softmax loss.
    #[default]
    Multinomial,
    /// One independent binary fit per class, as in the paper.
    OneVsRest,
}

impl MultiClass {
    /// All ways.
    pub const ALL: [Self; 2] = [Self::Multinomial, Self::OneVsRest];

    /// Name in flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Multinomial => "multinomial",
            Self::OneVsRest => "one-vs-rest",
        }
    }
}

/// Settings of a classifier.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassifierConfig {
    /// The method.
    pub method: Method,
    /// Geometry of the points.
    pub geometry: Geometry,
    /// Number of nearest neighbours, one or more (`knn`).
    pub neighbors: usize,
    /// L2 regularization strength in units of one node's loss, zero or more (`logistic`, `svm`, `euclidean-logistic`).
    pub regularization: f64,
    /// Treatment of several classes (`logistic`, `euclidean-logistic`).
    pub multi_class: MultiClass,
    /// Number of random restarts of the optimiser, one or more; the fit with the lowest regularised loss is kept
    /// (`logistic`, `svm`, whose losses are not convex).
    pub restarts: usize,
}

/// Maximum number of restarts, as of a training.
const MAX_RESTARTS: usize = 1000;

impl Default for ClassifierConfig {
    fn default() -> Self {
        Self {
            method: Method::default(),
            geometry: Geometry::default(),
            neighbors: 10,
            regularization: 0.1,
            multi_class: MultiClass::default(),
            restarts: 1,
        }
    }
}

impl ClassifierConfig {
    /// Checks that every setting is in range.
    ///
    /// # Errors
    /// If a setting is out of range; the error names the first such setting.
    pub fn validate(&self) -> Result<()> {
        let refuse = |parameter, expected: &str, found: String| {
            Err(Error::Config { parameter, expected: expected.into(), found })
        };
        if !self.method.supports(self.geometry) {
            let supported = Method::ALL.into_iter().filter(|method| method.supports(self.geometry));
            let supported = supported.map(Method::name).collect::<Vec<_>>().join(", ");
            let found = format!("{}, which needs points of the Poincaré ball", self.method.name());
            return refuse("method", &format!("one for Euclidean points ({supported})"), found);
        }
        if self.neighbors == 0 {
            return refuse("neighbors", "one or more", "0".into());
        }
        if !(self.regularization >= 0.0 && self.regularization.is_finite()) {
            return refuse("regularization", "zero or more", self.regularization.to_string());
        }
        if !(1..=MAX_RESTARTS).contains(&self.restarts) {
            let expected = format!("a whole number from 1 to {MAX_RESTARTS}");
            return refuse("restarts", &expected, self.restarts.to_string());
        }
        Ok(())
    }
}
