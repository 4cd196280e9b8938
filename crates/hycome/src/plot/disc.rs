//! A scene drawn into the disc of a figure, with the look of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::borders;
use super::coloring::Coloring;
use super::contours;
use super::curves::{Lens, Place};
use super::figure::Area;
use super::names::{self, Bounds};
use super::palette;
use super::scene::Scene;
use super::svg::{Anchor, Font, Svg, number, shortened};
use super::theme::Theme;
use crate::graph::NodeId;
use crate::points::Points;

/// What of a scene is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Edges as geodesics.
    pub edges: bool,
    /// Gaussians as circles that hold half and nine tenths of their mass, with their barycenters.
    pub contours: bool,
    /// The classifier's regions.
    pub regions: bool,
    /// Names of the nodes with the most neighbours.
    pub names: bool,
}

/// Edges of one stroke: strokes lie over each other, edges of one stroke do not.
const STROKE: usize = 120;

/// Beyond this many, nodes touch each other and have no rim of their own.
const CROWD: usize = 3000;

/// The place of the triangle among the shapes.
const TRIANGLE: usize = 2;

/// Least opacity of a node that is not sure of its community.
const FAINT: f64 = 0.28;

/// Draws a scene, coloured by one of its colourings; names stay inside the frame.
pub fn draw(
    svg: &mut Svg,
    scene: &Scene,
    coloring: &Coloring,
    shown: Shown,
    lens: Lens,
    frame: Area,
    theme: &Theme,
) {
    let (x, y) = lens.center;
    svg.circle(x, y, lens.radius, &format!(r#"fill="{}""#, theme.disc));
    if shown.regions {
        draw_regions(svg, scene, lens, theme);
    }
    if shown.edges {
        draw_edges(svg, scene, coloring, lens, theme);
    }
    draw_nodes(svg, scene, coloring, lens, theme);
    svg.circle(x, y, lens.radius, &format!(r#"fill="none" stroke="{}" stroke-width="1.2""#, theme.rim));
    let taken = if shown.contours { draw_contours(svg, scene, lens, theme) } else { Vec::new() };
    if shown.names {
        names::draw(svg, scene, lens, frame, theme, taken);
    }
}

pub(super) fn place(points: &Points, node: NodeId) -> Place {
    let row = points.row(node as usize);
    [row[0], row[1]]
}

fn draw_edges(svg: &mut Svg, scene: &Scene, coloring: &Coloring, lens: Lens, theme: &Theme) {
    let Some(edges) = &scene.edges else { return };
    let mut by_color: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for &(u, v) in &edges.pairs {
        let (of_u, of_v) = (coloring.rank(u), coloring.rank(v));
        let color = if of_u == of_v { of_u.map(|rank| theme.palette.color(rank)) } else { None }
            .unwrap_or(theme.edge);
        let path = lens.geodesic(place(&scene.points, u), place(&scene.points, v));
        by_color.entry(color).or_default().push(path);
    }
    // Many edges are fainter, so that their sum is not a black disc.
    let ink = 0.42 * (350.0 / edges.pairs.len().max(1) as f64).powf(0.42).min(1.0);
    let width = lens.radius / if edges.pairs.len() < 2000 { 300.0 } else { 500.0 };
    let (ink, width) = (number(ink.max(0.02)), number(width.max(0.15)));
    svg.raw(&format!(r#"<g fill="none" stroke-width="{width}" stroke-opacity="{ink}">"#));
    for (color, paths) in by_color {
        for stroke in paths.chunks(STROKE) {
            svg.path(&stroke.concat(), &format!(r#"stroke="{color}""#));
        }
    }
    svg.raw("</g>");
}

/// Radius of each node in pixels: by its degree, and smaller towards the boundary.
pub(super) fn radii(scene: &Scene, lens: Lens) -> Vec<f64> {
    let crowd = (60.0 / scene.points.len().max(20) as f64).powf(0.2);
    let base = (0.0195 * lens.radius * crowd).clamp(1.0, 10.0);
    let depth = |degree: u32| f64::from(degree.saturating_add(2)).log2();
    let deepest = scene.degrees.iter().flatten().copied().map(depth).fold(1.0, f64::max);
    let radius = |(node, x): (usize, &[f64])| {
        let degree = scene.degrees.as_ref().map_or(0.5, |degrees| depth(degrees[node]) / deepest);
        let near = 0.4 + 0.6 * (1.0 - x[0] * x[0] - x[1] * x[1]).max(0.0);
        base * (0.62 + 1.15 * degree * degree) * near
    };
    scene.points.rows().enumerate().map(radius).collect()
}

/// Nodes in the order in which they are drawn: hubs last.
pub(super) fn order(scene: &Scene) -> Vec<NodeId> {
    let mut order: Vec<NodeId> = (0..scene.points.len() as NodeId).collect();
    if let Some(degrees) = &scene.degrees {
        order.sort_by_key(|&node| degrees[node as usize]);
    }
    order
}

fn draw_nodes(svg: &mut Svg, scene: &Scene, coloring: &Coloring, lens: Lens, theme: &Theme) {
    let radii = radii(scene, lens);
    let ring = if scene.points.len() > CROWD { 0.0 } else { (lens.radius / 400.0).clamp(0.3, 1.2) };
    svg.raw(&format!(r#"<g stroke="{}" stroke-width="{}">"#, theme.disc, number(ring)));
    for node in order(scene) {
        let rank = coloring.rank(node);
        let color = rank.map_or(theme.palette.none, |rank| theme.palette.color(rank));
        let opacity = FAINT + (1.0 - FAINT) * scene.probability(node as usize).powi(2);
        let attributes = format!(r#"fill="{color}" fill-opacity="{}""#, number(opacity));
        let (x, y) = lens.pixel(place(&scene.points, node));
        mark(svg, rank.map_or(0, palette::shape), x, y, radii[node as usize], &attributes);
    }
    svg.raw("</g>");
}

/// One of the four shapes.
pub fn mark(svg: &mut Svg, shape: usize, x: f64, y: f64, r: f64, attributes: &str) {
    let corners: &[(f64, f64)] = match shape {
        0 => return svg.circle(x, y, r, attributes),
        1 => &[(-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)],
        2 => &[(0.0, -1.09), (1.07, 0.77), (-1.07, 0.77)],
        _ => &[(0.0, -1.24), (1.24, 0.0), (0.0, 1.24), (-1.24, 0.0)],
    };
    let mut path = String::new();
    for (i, (dx, dy)) in corners.iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{} {}", number(x + r * dx), number(y + r * dy));
    }
    svg.path(&(path + "Z"), attributes);
}

/// Draws Gaussians; says where their centres are.
fn draw_contours(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) -> Vec<Bounds> {
    let classes = &scene.colorings[0].classes;
    let line = lens.radius / 260.0;
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let color = theme.palette.color(class.rank);
        let radii = contours::radii(scene.projection.dim, gaussian.scale);
        let styles = [(1.3 * line, ""), (0.9 * line, r#" stroke-dasharray="4 3""#)];
        for (distance, (width, dash)) in radii.into_iter().zip(styles) {
            let ((x, y), radius) = lens.circle(gaussian.mean, distance);
            let attributes =
                format!(r#"fill="none" stroke="{color}" stroke-width="{}"{dash}"#, number(width));
            svg.circle(x, y, radius, &attributes);
        }
    }
    let numbered = classes.len() <= 40;
    let size = (lens.radius / 34.0).clamp(4.0, 10.0) * if numbered { 1.0 } else { 0.5 };
    let mut taken = Vec::new();
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let (x, y) = lens.pixel(gaussian.mean);
        let fill = theme.disc;
        let color = theme.palette.color(class.rank);
        let attributes = format!(r#"fill="{fill}" stroke="{color}" stroke-width="{}""#, number(1.8 * line));
        let shape = palette::shape(class.rank);
        // A triangle has the least room for a number, so it is larger and the number lower.
        let (reach, drop) = if shape == TRIANGLE { (1.3 * size, 0.6) } else { (size, 0.4) };
        mark(svg, shape, x, y, reach, &attributes);
        taken.push([x - reach, y - reach, x + reach, y + reach]);
        if numbered {
            let font = Font { size: 1.1 * size, bold: true, color: theme.ink, anchor: Anchor::Middle };
            svg.text(x, y + drop * size, &shortened(&class.name, 4), font);
        }
    }
    taken
}

/// The regions of the classes, and lines where they meet.
fn draw_regions(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) {
    let (Some(classifier), Some(coloring)) = (&scene.classifier, scene.coloring("prediction")) else {
        return;
    };
    let ((x, y), r) = (lens.center, lens.radius);
    let id = format!("disc-{}-{}", x.round(), y.round());
    let (x, y, r) = (number(x), number(y), number(r));
    svg.raw(&format!(r#"<clipPath id="{id}"><circle cx="{x}" cy="{y}" r="{r}"/></clipPath>"#));
    svg.raw(&format!(r#"<g clip-path="url(#{id})" fill-rule="evenodd" stroke-linejoin="round">"#));
    let line = number(lens.radius / 220.0);
    let outlines = borders::outlines(classifier);
    for (class, outlines) in coloring.classes.iter().zip(outlines).filter(|(_, lines)| !lines.is_empty()) {
        let mut path = String::new();
        for outline in outlines {
            for (i, &place) in outline.iter().enumerate() {
                let (x, y) = lens.pixel(place);
                let _ = write!(path, "{}{} {}", if i == 0 { 'M' } else { 'L' }, number(x), number(y));
            }
            path.push('Z');
        }
        let color = theme.palette.color(class.rank);
        let attributes = format!(
            r#"fill="{color}" fill-opacity="0.15" stroke="{color}" stroke-opacity="0.5" stroke-width="{line}""#
        );
        svg.path(&path, &attributes);
    }
    svg.raw("</g>");
}
