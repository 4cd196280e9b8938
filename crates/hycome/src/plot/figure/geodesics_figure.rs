//! Figure that explains the Poincaré disc: geodesics and hyperbolic circles.

use super::Area;
use super::svg::{Anchor, Font, Svg, number};
use super::theme::Theme;
use crate::plot::curves::{DiscPoint, Viewport};

/// Height of the caption in font sizes.
pub(super) const CAPTION_HEIGHT: f64 = 3.4;

/// Draws a pencil of geodesics through one point, a geodesic triangle, and circles around its vertices, with a caption
/// below the disc.
pub(super) fn draw(svg: &mut Svg, viewport: Viewport, caption: Area, size: f64, theme: &Theme) {
    let (x, y) = viewport.center;
    svg.circle(x, y, viewport.radius, &format!(r#"fill="{}""#, theme.disc));
    let line = viewport.radius / 200.0;
    let stroke = |color: &str, width: f64| {
        format!(r#"fill="none" stroke="{color}" stroke-width="{}" stroke-linecap="round""#, number(width))
    };

    // Geodesics through one point off the centre.
    let hub: DiscPoint = [-0.42, 0.34];
    for i in 0..12 {
        let angle = std::f64::consts::PI * f64::from(i) / 12.0;
        let [p, q] = [angle, angle + std::f64::consts::PI].map(|angle| end(hub, angle));
        svg.path(&viewport.geodesic(p, q), &stroke(theme.palette.color(0), line));
    }
    // A geodesic triangle, and circles of radius 0.5 and 1 around its vertices.
    let corners: [DiscPoint; 3] = [[0.62, 0.42], [0.05, -0.55], [0.72, -0.38]];
    for i in 0..3 {
        svg.path(
            &viewport.geodesic(corners[i], corners[(i + 1) % 3]),
            &stroke(theme.palette.color(1), 2.2 * line),
        );
    }
    for corner in corners {
        for (radius, dash) in [(0.5, ""), (1.0, r#" stroke-dasharray="4 3""#)] {
            let ((x, y), r) = viewport.circle(corner, radius);
            svg.circle(x, y, r, &format!("{}{dash}", stroke(theme.palette.color(2), line)));
        }
    }
    for place in corners.into_iter().chain([hub]) {
        let (x, y) = viewport.pixel(place);
        svg.circle(x, y, 2.6 * line, &format!(r#"fill="{}""#, theme.ink));
    }
    svg.circle(x, y, viewport.radius, &stroke(theme.rim, 1.5 * line));
    let font = Font { size: 0.92 * size, bold: false, color: theme.muted, anchor: Anchor::Middle };
    let middle = caption.left + 0.5 * caption.width;
    svg.text(middle, caption.top + 1.4 * size, "geodesics are orthogonal to the boundary", font);
    svg.text(
        middle,
        caption.top + 2.8 * size,
        "circles have hyperbolic radius ½ (solid) and 1 (dashed)",
        font,
    );
}

/// Endpoint of the geodesic ray from a point in a direction, just inside the boundary.
fn end(place: DiscPoint, angle: f64) -> DiscPoint {
    // Geodesics from the origin are straight rays, which are translated to the point.
    let mut out = [0.0; 2];
    let far = 1.0 - 1e-6;
    crate::geometry::poincare::translate(&place, &[far * angle.cos(), far * angle.sin()], &mut out);
    out
}
