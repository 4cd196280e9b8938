//! Geodesics and hyperbolic circles of the Poincaré disc as Euclidean curves.
//!
//! The geodesic through p and q is an arc of a circle orthogonal to the boundary. Half of its central angle, θ, has
//! tan θ = (p × q)/(1 − p·q), whose denominator is never zero. Its radius is |q − p|/(2·|sin θ|), and geodesics
//! through the centre are straight lines.

use super::figure::svg::number;

/// A point of the disc.
pub(super) type DiscPoint = [f64; 2];

/// Below this an arc deviates from its chord by less than a thousandth of its length.
const STRAIGHT: f64 = 2e-3;

/// Maps the disc to pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewport {
    /// Centre in pixels.
    pub center: (f64, f64),
    /// Radius in pixels.
    pub radius: f64,
}

impl Viewport {
    /// Pixel of a point.
    #[must_use]
    pub(super) fn pixel(&self, [x, y]: DiscPoint) -> (f64, f64) {
        (self.center.0 + self.radius * x, self.center.1 - self.radius * y)
    }

    /// SVG path of the geodesic from p to q.
    #[must_use]
    pub(super) fn geodesic(&self, p: DiscPoint, q: DiscPoint) -> String {
        let tangent = tangent(p, q);
        let ((px, py), (qx, qy)) = (self.pixel(p), self.pixel(q));
        let (from, to) =
            (format!("M{} {}", number(px), number(py)), format!("{} {}", number(qx), number(qy)));
        if tangent.abs() < STRAIGHT {
            return format!("{from}L{to}");
        }
        let radius = 0.5 * (qx - px).hypot(qy - py) * tangent.hypot(1.0) / tangent.abs();
        // The arc bends towards the centre of the disc; y grows downwards in SVG.
        let sweep = u8::from(tangent > 0.0);
        let r = number(radius);
        format!("{from}A{r} {r} 0 0 {sweep} {to}")
    }

    /// Centre and radius in pixels of a hyperbolic circle.
    #[must_use]
    pub(super) fn circle(&self, middle: DiscPoint, distance: f64) -> ((f64, f64), f64) {
        let (center, radius) = circle(middle, distance);
        (self.pixel(center), self.radius * radius)
    }
}

/// tan θ of the geodesic from p to q.
fn tangent(p: DiscPoint, q: DiscPoint) -> f64 {
    (p[0] * q[1] - p[1] * q[0]) / (1.0 - p[0] * q[0] - p[1] * q[1])
}

/// The Euclidean centre and radius of the hyperbolic circle around `middle`.
#[must_use]
pub(super) fn circle(middle: DiscPoint, distance: f64) -> (DiscPoint, f64) {
    let t = (0.5 * distance).tanh();
    let square = middle[0] * middle[0] + middle[1] * middle[1];
    let below = 1.0 - square * t * t;
    (middle.map(|c| c * (1.0 - t * t) / below), t * (1.0 - square) / below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::poincare;

    #[test]
    fn circles_have_constant_hyperbolic_distance() {
        let (middle, distance) = ([0.5, -0.3], 0.8);
        let (center, radius) = circle(middle, distance);
        for i in 0..12 {
            let angle = f64::from(i) * 0.7;
            let on = [center[0] + radius * angle.cos(), center[1] + radius * angle.sin()];
            assert!((poincare::distance(&on, &middle) - distance).abs() < 1e-12);
        }
    }

    #[test]
    fn geodesics_are_orthogonal_to_the_boundary() {
        let (p, q) = ([0.6, 0.1], [-0.2, 0.7]);
        let viewport = Viewport { center: (0.0, 0.0), radius: 1e6 };
        let path = viewport.geodesic(p, q);
        let radius: f64 = path.split('A').nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        // The centre c of the circle has |c|² = 1 + r² and is |c − p| = |c − q| = r away.
        let r = radius / 1e6;
        let theta = tangent(p, q).atan();
        let half = 0.5 * (p[0] - q[0]).hypot(p[1] - q[1]);
        let (mx, my) = (0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]));
        let (nx, ny) = ((p[1] - q[1]) / (2.0 * half), (q[0] - p[0]) / (2.0 * half));
        let back = half / theta.tan();
        let c = [mx - nx * back, my - ny * back];
        assert!((c[0] * c[0] + c[1] * c[1] - 1.0 - r * r).abs() < 1e-6, "{path}");
    }

    #[test]
    fn geodesics_through_the_centre_are_straight() {
        let viewport = Viewport { center: (100.0, 100.0), radius: 100.0 };
        assert_eq!(viewport.geodesic([-0.5, 0.0], [0.5, 0.0]), "M50 100L150 100");
        assert!(viewport.geodesic([0.5, 0.0], [0.0, 0.5]).contains('A'));
    }
}
