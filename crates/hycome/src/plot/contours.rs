//! Contours of communities: circles that contain 50 % and 90 % of a Gaussian's mass.
//!
//! A circle of radius σ would contain 30 % or less, because hyperbolic volume grows exponentially with the radius
//! ([`crate::special`]), but a solid line suggests the outline of the community. With a projection
//! ([`super::projection`]) the mass is that of the projected Gaussian.

use crate::special::projected_mass_radius;

/// Mass inside the solid and of the dashed circle.
pub(crate) const SHARES: [f64; 2] = [0.5, 0.9];

/// Hyperbolic radii of the two contours of a Gaussian with this scale, for an embedding of `dim` dimensions.
#[must_use]
pub(crate) fn radii(dim: usize, scale: f64) -> [f64; 2] {
    SHARES.map(|share| projected_mass_radius(dim, scale, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contours_of_the_unit_gaussian_have_known_radii() {
        let [half, most] = radii(2, 1.0);
        assert!((half - 1.39).abs() < 0.005 && (most - 2.49).abs() < 0.005);
    }
}
