//! Settings of a mixture fit.

use crate::geometry::Geometry;
use crate::{Error, Points, Result};

/// Settings of expectation–maximization for a mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct MixtureConfig {
    /// Number of components, one or more.
    pub communities: usize,
    /// Maximum number of EM iterations.
    pub max_iterations: usize,
    /// Convergence threshold: the mean absolute change of a responsibility.
    pub tolerance: f64,
    /// Number of initializations; the one with the highest likelihood is kept.
    pub restarts: usize,
    /// Smallest scale of a component, above zero.
    pub scale_floor: f64,
    /// Shrinkage of the scales towards their common value, zero for none.
    ///
    /// A component's scale is estimated as if it had this many times the average component's points more, of average
    /// squared distance from the mean.
    pub scale_shrinkage: f64,
}

impl Default for MixtureConfig {
    fn default() -> Self {
        Self {
            communities: 2,
            max_iterations: 100,
            tolerance: 1e-4,
            restarts: 4,
            scale_floor: 1e-3,
            scale_shrinkage: 0.0,
        }
    }
}

impl MixtureConfig {
    /// Settings for the communities of an embedding.
    ///
    /// Without shrinkage one component absorbs its neighbours while another collapses to a few points: a higher
    /// likelihood, and worse communities. Nearly equal scales keep components comparable. Fits of few points are cheap
    /// and have many local optima, so they have more restarts.
    #[must_use]
    pub(crate) fn for_communities(communities: usize, point_count: usize) -> Self {
        const SCALE_SHRINKAGE: f64 = 3.0;
        const RESTARTS: std::ops::RangeInclusive<usize> = 4..=32;
        /// Points times components times restarts: about a second of work.
        const BUDGET: usize = 1 << 21;
        let restarts = BUDGET / (point_count * communities).max(1);
        // All restarts with a single component end in the same mixture.
        let restarts = if communities == 1 { 1 } else { restarts.clamp(*RESTARTS.start(), *RESTARTS.end()) };
        Self { communities, restarts, scale_shrinkage: SCALE_SHRINKAGE, ..Self::default() }
    }

    /// Settings for the communities of an embedding in this geometry.
    ///
    /// ComE's full covariances are shrunk by as many points of average covariance as there are dimensions: among
    /// thousands of points that changes nothing, and among few it keeps a component from collapsing to one or two
    /// nodes, which would always have a higher likelihood.
    #[must_use]
    pub fn for_geometry(geometry: Geometry, points: &Points, communities: usize) -> Self {
        let config = Self::for_communities(communities, points.len());
        match geometry {
            Geometry::Come => {
                let scale_shrinkage = (points.dim() * communities) as f64 / points.len().max(1) as f64;
                Self { scale_shrinkage, ..config }
            }
            Geometry::Poincare | Geometry::Euclidean => config,
        }
    }

    /// Refuses settings outside their range.
    pub(super) fn validate(&self) -> Result<()> {
        let error = |parameter, expected: &str, found: String| {
            Err(Error::Config { parameter, expected: expected.into(), found })
        };
        if self.communities == 0 {
            return error("communities", "one or more", "0".into());
        }
        if !(self.scale_floor > 0.0 && self.scale_floor.is_finite()) {
            return error("scale_floor", "above zero", self.scale_floor.to_string());
        }
        if !(self.scale_shrinkage >= 0.0 && self.scale_shrinkage.is_finite()) {
            return error("scale_shrinkage", "zero or more", self.scale_shrinkage.to_string());
        }
        if self.tolerance.is_nan() || self.tolerance < 0.0 {
            return error("tolerance", "zero or more", self.tolerance.to_string());
        }
        Ok(())
    }
}
