//! Contours of communities: the circles that hold half and nine tenths of a Gaussian's mass.
//!
//! A circle of one scale σ would hold 30 % or less, as hyperbolic space has so much room far out ([`crate::special`]), but readers
//! take a solid line for the outline of the community. In a projected picture ([`super::projection`]) the mass is that of
//! the projected Gaussian, as it is what the projected nodes are compared with.

use crate::special::projected_mass_radius;

/// Shares of the mass inside of the solid and of the dashed circle.
pub const SHARES: [f64; 2] = [0.5, 0.9];

/// Hyperbolic radii of the two circles of a Gaussian of this scale, in a picture of points of `dim` dimensions.
///
/// ```
/// let [half, most] = hycome::plot::contours::radii(2, 1.0);
/// assert!((half - 1.39).abs() < 0.005 && (most - 2.49).abs() < 0.005);
/// ```
#[must_use]
pub fn radii(dim: usize, scale: f64) -> [f64; 2] {
    SHARES.map(|share| projected_mass_radius(dim, scale, share))
}
