//! The Poincaré ball: distances, straight lines and means.

pub mod barycenter;
pub mod lorentz;
pub mod poincare;
