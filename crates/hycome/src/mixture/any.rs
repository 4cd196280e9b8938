//! The mixture of a run, whatever its geometry.

use std::ops::Range;

use super::flat::{self, FlatMixture, Shape, Spreads};
use super::{Fit, GaussianMixture, KMeans, KMeansConfig, MixtureConfig, Responsibilities, em, kmeans};
use crate::geometry::Geometry;
use crate::{Points, Result};

/// Communities as Gaussians of the space in which the points are.
#[derive(Clone, Debug, PartialEq)]
pub enum Mixture {
    /// Of the Poincaré ball.
    Hyperbolic(GaussianMixture),
    /// Of flat space.
    Flat(FlatMixture),
}

impl From<GaussianMixture> for Mixture {
    fn from(mixture: GaussianMixture) -> Self {
        Self::Hyperbolic(mixture)
    }
}

impl From<FlatMixture> for Mixture {
    fn from(mixture: FlatMixture) -> Self {
        Self::Flat(mixture)
    }
}

/// The shape of a geometry's Gaussians; none in the ball.
///
/// ComE has full covariances. The Euclidean geometry is there to show what curvature does, so all else is as in the
/// ball, whose Gaussians are round.
#[must_use]
pub fn shape(geometry: Geometry) -> Option<Shape> {
    match geometry {
        Geometry::Poincare => None,
        Geometry::Come => Some(Shape::Full),
        Geometry::Euclidean => Some(Shape::Round),
    }
}

impl Mixture {
    /// Fits the communities of an embedding, from K-means.
    ///
    /// # Errors
    /// Where a setting is out of range, a point is not one of the geometry, or there are fewer distinct points than
    /// communities.
    pub fn fit(geometry: Geometry, points: &Points, config: &MixtureConfig, seed: u64) -> Result<Fit<Self>> {
        Ok(match shape(geometry) {
            None => em::fit(points, config, seed)?.map(Self::from),
            Some(shape) => flat::fit(points, shape, config, seed)?.map(Self::from),
        })
    }

    /// EM from where the mixture stands.
    ///
    /// # Errors
    /// As [`em::refine`] and [`flat::refine`].
    pub fn refine(self, points: &Points, config: &MixtureConfig) -> Result<Fit<Self>> {
        Ok(match self {
            Self::Hyperbolic(mixture) => em::refine(points, mixture, config)?.map(Self::from),
            Self::Flat(mixture) => flat::refine(points, mixture, config)?.map(Self::from),
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

    /// Share of each component.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        match self {
            Self::Hyperbolic(mixture) => &mixture.weights,
            Self::Flat(mixture) => &mixture.weights,
        }
    }

    /// Centre of each component.
    #[must_use]
    pub fn means(&self) -> &Points {
        match self {
            Self::Hyperbolic(mixture) => &mixture.means,
            Self::Flat(mixture) => &mixture.means,
        }
    }

    /// Scale of each component, where they are round.
    #[must_use]
    pub fn scales(&self) -> Option<&[f64]> {
        match self {
            Self::Hyperbolic(mixture) => Some(&mixture.scales),
            Self::Flat(FlatMixture { spreads: Spreads::Round(scales), .. }) => Some(scales),
            Self::Flat(_) => None,
        }
    }

    /// The mixture of the ball, if it is one.
    #[must_use]
    pub fn hyperbolic(&self) -> Option<&GaussianMixture> {
        match self {
            Self::Hyperbolic(mixture) => Some(mixture),
            Self::Flat(_) => None,
        }
    }

    /// The mixture of flat space, if it is one.
    #[must_use]
    pub fn flat(&self) -> Option<&FlatMixture> {
        match self {
            Self::Hyperbolic(_) => None,
            Self::Flat(mixture) => Some(mixture),
        }
    }

    /// How probably each point came from each component.
    ///
    /// # Errors
    /// Where a point is not one of the mixture's space.
    pub fn responsibilities(&self, points: &Points) -> Result<Responsibilities> {
        match self {
            Self::Hyperbolic(mixture) => mixture.responsibilities(points),
            Self::Flat(mixture) => mixture.responsibilities(points),
        }
    }

    /// The same for some thousand points after the other, so that no table of points times components is needed.
    pub fn responsibilities_by_blocks(
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
    pub fn communities(&self, points: &Points) -> Result<Vec<u32>> {
        let mut communities = Vec::with_capacity(points.len());
        for block in self.responsibilities_by_blocks(points) {
            communities.extend(block?.1.communities());
        }
        Ok(communities)
    }
}

/// K-means among the points of a geometry.
///
/// # Errors
/// Where a point is not one of the geometry, or there are fewer distinct points than centres.
pub fn kmeans_in(
    geometry: Geometry,
    points: &Points,
    communities: usize,
    config: &KMeansConfig,
    seed: u64,
) -> Result<KMeans> {
    let search = if geometry.is_flat() { flat::kmeans } else { kmeans::kmeans };
    search(points, communities, config, seed)
}
