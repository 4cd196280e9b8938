//! Straight lines and circles of the hyperbolic plane, to explain it.

use super::curves::{Lens, Place};
use super::figure::Area;
use super::svg::{Anchor, Font, Svg, number};
use super::theme::Theme;

/// Height of the caption in letters.
pub const CAPTION: f64 = 3.4;

/// Geodesics of one point, geodesics between points, and circles of one radius; the caption is below the disc.
pub fn geodesics(svg: &mut Svg, lens: Lens, caption: Area, size: f64, theme: &Theme) {
    let (x, y) = lens.center;
    svg.circle(x, y, lens.radius, &format!(r#"fill="{}""#, theme.disc));
    let line = lens.radius / 200.0;
    let stroke = |color: &str, width: f64| {
        format!(r#"fill="none" stroke="{color}" stroke-width="{}" stroke-linecap="round""#, number(width))
    };

    // All geodesics through one point that is not the middle.
    let hub: Place = [-0.42, 0.34];
    for i in 0..12 {
        let angle = std::f64::consts::PI * f64::from(i) / 12.0;
        let [p, q] = [angle, angle + std::f64::consts::PI].map(|angle| end(hub, angle));
        svg.path(&lens.geodesic(p, q), &stroke(theme.palette.color(0), line));
    }
    // A triangle of geodesics, and circles of radius 0.5 and 1 around its corners.
    let corners: [Place; 3] = [[0.62, 0.42], [0.05, -0.55], [0.72, -0.38]];
    for i in 0..3 {
        svg.path(
            &lens.geodesic(corners[i], corners[(i + 1) % 3]),
            &stroke(theme.palette.color(1), 2.2 * line),
        );
    }
    for corner in corners {
        for (radius, dash) in [(0.5, ""), (1.0, r#" stroke-dasharray="4 3""#)] {
            let ((x, y), r) = lens.circle(corner, radius);
            svg.circle(x, y, r, &format!("{}{dash}", stroke(theme.palette.color(2), line)));
        }
    }
    for place in corners.into_iter().chain([hub]) {
        let (x, y) = lens.pixel(place);
        svg.circle(x, y, 2.6 * line, &format!(r#"fill="{}""#, theme.ink));
    }
    svg.circle(x, y, lens.radius, &stroke(theme.rim, 1.5 * line));
    let font = Font { size: 0.92 * size, bold: false, color: theme.faint, anchor: Anchor::Middle };
    let middle = caption.left + 0.5 * caption.width;
    svg.text(middle, caption.top + 1.4 * size, "straight lines meet the rim at right angles", font);
    svg.text(
        middle,
        caption.top + 2.8 * size,
        "circles have hyperbolic radius ½ (solid) and 1 (dashed)",
        font,
    );
}

/// Where the geodesic from a place in a direction ends, just inside the boundary.
fn end(place: Place, angle: f64) -> Place {
    // From the origin geodesics are rays; the translation to the place bends them.
    let mut out = [0.0; 2];
    let far = 1.0 - 1e-6;
    crate::geometry::poincare::translate(&place, &[far * angle.cos(), far * angle.sin()], &mut out);
    out
}
