//! Where points live: the Poincaré ball with its distances, straight lines and means; and flat space, to compare with.

pub mod barycenter;
pub mod lorentz;
pub mod poincare;

use serde::{Deserialize, Serialize};

/// Where points live, and how pairs of them are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Geometry {
    /// The Poincaré ball, by hyperbolic distance.
    #[default]
    Poincare,
    /// Flat space, by dot products, with communities of any elliptic shape: the method ComE.
    Come,
    /// Flat space, by squared distance, all else as in the ball.
    Euclidean,
}

impl Geometry {
    /// Its name in flags and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Poincare => "poincare",
            Self::Come => "come",
            Self::Euclidean => "euclidean",
        }
    }

    /// Whether space is flat, so that any finite point is one of it.
    #[must_use]
    pub fn is_flat(self) -> bool {
        self != Self::Poincare
    }
}
