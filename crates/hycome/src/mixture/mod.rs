//! Communities as a Gaussian mixture.
//!
//! A mixture of K components assigns a point x the density Σ_k π_k·f(x | θ_k). By Bayes' rule the probability of component k
//! given x, its responsibility for x, is
//!
//! > w_k(x) = π_k·f(x | θ_k) / Σ_j π_j·f(x | θ_j),
//!
//! and the community of x is the component of the largest responsibility.
//!
//! [`Mixture`] is a mixture of [Riemannian Gaussians](GaussianMixture) in the Poincaré ball or of [Euclidean
//! Gaussians](euclidean). Both are fitted by the same [K-means](kmeans()) and EM drivers, which are generic over the component
//! family. Communities are not nested, and the responsibilities of a node are the uncertainty of the mixture, not memberships of
//! several groups.

mod config;
mod em;
pub mod euclidean;
mod family;
mod hyperbolic;
mod kmeans;
mod order;
mod responsibilities;
mod ward;

pub use config::MixtureConfig;
pub use em::{Expectation, Fit};
pub(crate) use hyperbolic::SCALES;
pub use hyperbolic::{GaussianMixture, expectation, fit, maximization, refine};
pub use kmeans::{KMeans, KMeansConfig, kmeans, kmeans_in};
pub use responsibilities::Responsibilities;

use std::ops::Range;

use crate::geometry::Geometry;
use crate::{Points, Result};
use euclidean::{CovarianceType, Covariances, EuclideanMixture};

/// Gaussian mixture of either geometry.
#[derive(Clone, Debug, PartialEq)]
pub enum Mixture {
    /// Riemannian Gaussians in the Poincaré ball.
    Hyperbolic(GaussianMixture),
    /// Gaussians in Euclidean space.
    Euclidean(EuclideanMixture),
}

impl From<GaussianMixture> for Mixture {
    fn from(mixture: GaussianMixture) -> Self {
        Self::Hyperbolic(mixture)
    }
}

impl From<EuclideanMixture> for Mixture {
    fn from(mixture: EuclideanMixture) -> Self {
        Self::Euclidean(mixture)
    }
}

/// Covariance type of a Euclidean geometry's Gaussians; none in the ball.
///
/// ComE has full covariances. The Euclidean geometry isolates the effect of curvature, so all else is as in the
/// ball, whose Gaussians are isotropic.
#[must_use]
pub(crate) fn covariance_type(geometry: Geometry) -> Option<CovarianceType> {
    match geometry {
        Geometry::Poincare => None,
        Geometry::Come => Some(CovarianceType::Full),
        Geometry::Euclidean => Some(CovarianceType::Spherical),
    }
}

impl Mixture {
    /// Fits a mixture by EM, from micro-clusters merged by Ward's method.
    ///
    /// # Errors
    /// If a setting is out of range, a point does not belong to the geometry, or there are fewer distinct points than
    /// components.
    pub fn fit(geometry: Geometry, points: &Points, config: &MixtureConfig, seed: u64) -> Result<Fit<Self>> {
        Ok(match covariance_type(geometry) {
            None => hyperbolic::fit(points, config, seed)?.map(Self::from),
            Some(covariance_type) => euclidean::fit(points, covariance_type, config, seed)?.map(Self::from),
        })
    }

    /// EM from this mixture.
    ///
    /// # Errors
    /// As [`refine`] and [`euclidean::refine`].
    pub(crate) fn refine(self, points: &Points, config: &MixtureConfig) -> Result<Fit<Self>> {
        Ok(match self {
            Self::Hyperbolic(mixture) => hyperbolic::refine(points, mixture, config)?.map(Self::from),
            Self::Euclidean(mixture) => euclidean::refine(points, mixture, config)?.map(Self::from),
        })
    }

    /// Number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights().len()
    }

    /// Whether there is no component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Weight of each component.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        match self {
            Self::Hyperbolic(mixture) => &mixture.weights,
            Self::Euclidean(mixture) => &mixture.weights,
        }
    }

    /// Mean of each component.
    #[must_use]
    pub fn means(&self) -> &Points {
        match self {
            Self::Hyperbolic(mixture) => &mixture.means,
            Self::Euclidean(mixture) => &mixture.means,
        }
    }

    /// Scale of each component, if they are isotropic.
    #[must_use]
    pub fn scales(&self) -> Option<&[f64]> {
        match self {
            Self::Hyperbolic(mixture) => Some(&mixture.scales),
            Self::Euclidean(EuclideanMixture { covariances: Covariances::Spherical(scales), .. }) => {
                Some(scales)
            }
            Self::Euclidean(_) => None,
        }
    }

    /// The mixture of the ball, if it is one of that geometry.
    #[must_use]
    pub fn hyperbolic(&self) -> Option<&GaussianMixture> {
        match self {
            Self::Hyperbolic(mixture) => Some(mixture),
            Self::Euclidean(_) => None,
        }
    }

    /// The mixture of Euclidean space, if it is one of that geometry.
    #[must_use]
    pub fn euclidean(&self) -> Option<&EuclideanMixture> {
        match self {
            Self::Hyperbolic(_) => None,
            Self::Euclidean(mixture) => Some(mixture),
        }
    }

    /// Posterior probability of each component for each point.
    ///
    /// # Errors
    /// If a point does not belong to the mixture's geometry.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        match self {
            Self::Hyperbolic(mixture) => mixture.responsibilities(points),
            Self::Euclidean(mixture) => mixture.responsibilities(points),
        }
    }

    /// [`Mixture::responsibilities`] of some thousand points at a time, without a matrix of points times components.
    pub(crate) fn responsibilities_by_blocks(
        &self,
        points: &Points,
    ) -> impl Iterator<Item = Result<(Range<usize>, Responsibilities)>> {
        const BLOCK: usize = 1 << 14;
        (0..points.len()).step_by(BLOCK).map(move |first| {
            let rows = first..(first + BLOCK).min(points.len());
            let responsibilities = self.responsibilities(&points.slice(rows.clone()))?;
            Ok((rows, responsibilities))
        })
    }

    /// The most probable component of each point.
    ///
    /// # Errors
    /// As [`Mixture::responsibilities`].
    pub(crate) fn communities(&self, points: &Points) -> Result<Vec<u32>> {
        let mut communities = Vec::with_capacity(points.len());
        for block in self.responsibilities_by_blocks(points) {
            communities.extend(block?.1.communities());
        }
        Ok(communities)
    }
}
