//! Drawing of a scene in the Poincaré disc, in the style of the interactive viewer.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Area;
use super::badges;
use super::node_names::{self, Bounds};
use super::svg::{Anchor, Font, Svg, number, truncated};
use super::theme::Theme;
use crate::graph::NodeId;
use crate::plot::coloring::Coloring;
use crate::plot::contours;
use crate::plot::curves::{DiscPoint, Viewport};
use crate::plot::decision_boundaries;
use crate::plot::palette;
use crate::plot::scene::Scene;
use crate::points::Points;

/// Visible layers of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Edges as geodesics.
    pub edges: bool,
    /// Gaussians as 50 % and 90 % contours, with badges at their barycenters.
    pub contours: bool,
    /// Decision regions of the classifier.
    pub regions: bool,
    /// Names of hubs.
    pub names: bool,
}

/// Edges per path element: the opacity of overlapping edges adds up between paths only.
const EDGES_PER_PATH: usize = 120;

/// Number of nodes beyond which they have no rims and badges are not moved.
const LARGE_GRAPH: usize = 3000;

/// Index of the triangle in the shapes.
const TRIANGLE: usize = 2;

/// Minimum opacity of a node with an uncertain community.
const MIN_OPACITY: f64 = 0.28;

/// Draws a scene with a colouring; badges and names stay inside the frame.
pub(crate) fn draw(
    svg: &mut Svg,
    scene: &Scene,
    coloring: &Coloring,
    layers: Layers,
    viewport: Viewport,
    frame: Area,
    theme: &Theme,
) {
    let (x, y) = viewport.center;
    svg.circle(x, y, viewport.radius, &format!(r#"fill="{}""#, theme.disc));
    if layers.regions {
        draw_regions(svg, scene, viewport, theme);
    }
    if layers.edges {
        draw_edges(svg, scene, coloring, viewport, theme);
    }
    draw_nodes(svg, scene, coloring, viewport, theme);
    svg.circle(x, y, viewport.radius, &format!(r#"fill="none" stroke="{}" stroke-width="1.2""#, theme.rim));
    let taken = if layers.contours { draw_contours(svg, scene, viewport, frame, theme) } else { Vec::new() };
    if layers.names {
        node_names::draw(svg, scene, viewport, frame, theme, taken);
    }
}

pub(super) fn position(points: &Points, node: NodeId) -> DiscPoint {
    let row = points.row(node as usize);
    [row[0], row[1]]
}

fn draw_edges(svg: &mut Svg, scene: &Scene, coloring: &Coloring, viewport: Viewport, theme: &Theme) {
    let Some(edges) = &scene.edges else { return };
    let mut by_color: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for &(u, v) in &edges.pairs {
        let (of_u, of_v) = (coloring.rank(u), coloring.rank(v));
        let color = if of_u == of_v { of_u.map(|rank| theme.palette.color(rank)) } else { None }
            .unwrap_or(theme.edge);
        let path = viewport.geodesic(position(&scene.points, u), position(&scene.points, v));
        by_color.entry(color).or_default().push(path);
    }
    // The more edges, the lower their opacity, so that they do not add up to a black disc.
    let opacity = 0.42 * (350.0 / edges.pairs.len().max(1) as f64).powf(0.42).min(1.0);
    let width = viewport.radius / if edges.pairs.len() < 2000 { 300.0 } else { 500.0 };
    let (opacity, width) = (number(opacity.max(0.02)), number(width.max(0.15)));
    svg.raw(&format!(r#"<g fill="none" stroke-width="{width}" stroke-opacity="{opacity}">"#));
    for (color, paths) in by_color {
        for path in paths.chunks(EDGES_PER_PATH) {
            svg.path(&path.concat(), &format!(r#"stroke="{color}""#));
        }
    }
    svg.raw("</g>");
}

/// Radius of each node in pixels, by degree and smaller towards the boundary.
pub(super) fn radii(scene: &Scene, viewport: Viewport) -> Vec<f64> {
    let crowd = (60.0 / scene.points.len().max(20) as f64).powf(0.2);
    let base = (0.0195 * viewport.radius * crowd).clamp(1.0, 10.0);
    let depth = |degree: u32| f64::from(degree.saturating_add(2)).log2();
    let deepest = scene.degrees.iter().flatten().copied().map(depth).fold(1.0, f64::max);
    let radius = |(node, x): (usize, &[f64])| {
        let degree = scene.degrees.as_ref().map_or(0.5, |degrees| depth(degrees[node]) / deepest);
        let near = 0.4 + 0.6 * (1.0 - x[0] * x[0] - x[1] * x[1]).max(0.0);
        base * (0.62 + 1.15 * degree * degree) * near
    };
    scene.points.rows().enumerate().map(radius).collect()
}

/// Centre and radius of each node in pixels.
fn discs(scene: &Scene, viewport: Viewport) -> Vec<badges::Disc> {
    let disc = |(x, radius): (&[f64], f64)| {
        let (px, py) = viewport.pixel([x[0], x[1]]);
        (px, py, radius)
    };
    scene.points.rows().zip(radii(scene, viewport)).map(disc).collect()
}

/// Drawing order by ascending degree, so that hubs are on top.
pub(super) fn order(scene: &Scene) -> Vec<NodeId> {
    let mut order: Vec<NodeId> = (0..scene.points.len() as NodeId).collect();
    if let Some(degrees) = &scene.degrees {
        order.sort_by_key(|&node| degrees[node as usize]);
    }
    order
}

fn draw_nodes(svg: &mut Svg, scene: &Scene, coloring: &Coloring, viewport: Viewport, theme: &Theme) {
    let radii = radii(scene, viewport);
    let ring = if scene.points.len() > LARGE_GRAPH { 0.0 } else { (viewport.radius / 400.0).clamp(0.3, 1.2) };
    svg.raw(&format!(r#"<g stroke="{}" stroke-width="{}">"#, theme.disc, number(ring)));
    for node in order(scene) {
        let rank = coloring.rank(node);
        let color = rank.map_or(theme.palette.none, |rank| theme.palette.color(rank));
        let opacity = MIN_OPACITY + (1.0 - MIN_OPACITY) * scene.probability(node as usize).powi(2);
        let attributes = format!(r#"fill="{color}" fill-opacity="{}""#, number(opacity));
        let (x, y) = viewport.pixel(position(&scene.points, node));
        marker(svg, rank.map_or(0, palette::shape), x, y, radii[node as usize], &attributes);
    }
    svg.raw("</g>");
}

/// Draws one of the four shapes.
pub(crate) fn marker(svg: &mut Svg, shape: usize, x: f64, y: f64, r: f64, attributes: &str) {
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

/// Draws the contours of Gaussians and the badges of their communities; returns the bounds of the badges.
fn draw_contours(
    svg: &mut Svg,
    scene: &Scene,
    viewport: Viewport,
    frame: Area,
    theme: &Theme,
) -> Vec<Bounds> {
    let classes = &scene.colorings[0].classes;
    let line = viewport.radius / 260.0;
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let color = theme.palette.color(class.rank);
        let radii = contours::radii(scene.view.gaussian_dim(), gaussian.scale);
        let styles = [(1.3 * line, ""), (0.9 * line, r#" stroke-dasharray="4 3""#)];
        for (distance, (width, dash)) in radii.into_iter().zip(styles) {
            let ((x, y), radius) = viewport.circle(gaussian.mean, distance);
            let attributes =
                format!(r#"fill="none" stroke="{color}" stroke-width="{}"{dash}"#, number(width));
            svg.circle(x, y, radius, &attributes);
        }
    }
    draw_badges(svg, scene, viewport, frame, theme)
}

/// Draws a numbered badge for each community, with a line to its barycenter where it is moved aside; returns their
/// bounds.
fn draw_badges(svg: &mut Svg, scene: &Scene, viewport: Viewport, frame: Area, theme: &Theme) -> Vec<Bounds> {
    let classes = &scene.colorings[0].classes;
    let line = viewport.radius / 260.0;
    let numbered = classes.len() <= 40;
    let size = (viewport.radius / 34.0).clamp(4.0, 10.0) * if numbered { 1.0 } else { 0.5 };
    let nodes = if scene.points.len() > LARGE_GRAPH { Vec::new() } else { discs(scene, viewport) };
    let mut taken = Vec::new();
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let fill = theme.disc;
        let color = theme.palette.color(class.rank);
        let shape = palette::shape(class.rank);
        // A triangle has the least room for a number, so it is larger and the number lower.
        let (reach, drop) = if shape == TRIANGLE { (1.3 * size, 0.6) } else { (size, 0.4) };
        let center = viewport.pixel(gaussian.mean);
        let (x, y) = badges::place(center, reach, &nodes, &taken, frame);
        if (x, y) != center {
            let stroke = format!(r#"fill="none" stroke="{color}" stroke-width="{}""#, number(line));
            svg.line(center, (x, y), &stroke);
        }
        let attributes = format!(r#"fill="{fill}" stroke="{color}" stroke-width="{}""#, number(1.8 * line));
        marker(svg, shape, x, y, reach, &attributes);
        taken.push([x - reach, y - reach, x + reach, y + reach]);
        if numbered {
            let font = Font { size: 1.1 * size, bold: true, color: theme.ink, anchor: Anchor::Middle };
            svg.text(x, y + drop * size, &truncated(&class.name, 4), font);
        }
    }
    taken
}

/// Draws decision regions and boundaries.
fn draw_regions(svg: &mut Svg, scene: &Scene, viewport: Viewport, theme: &Theme) {
    let (Some(classifier), Some(coloring)) = (&scene.classifier, scene.coloring("prediction")) else {
        return;
    };
    let ((x, y), r) = (viewport.center, viewport.radius);
    let id = format!("disc-{}-{}", x.round(), y.round());
    let (x, y, r) = (number(x), number(y), number(r));
    svg.raw(&format!(r#"<clipPath id="{id}"><circle cx="{x}" cy="{y}" r="{r}"/></clipPath>"#));
    svg.raw(&format!(r#"<g clip-path="url(#{id})" fill-rule="evenodd" stroke-linejoin="round">"#));
    let line = number(viewport.radius / 220.0);
    let outlines = decision_boundaries::outlines(classifier);
    for (class, outlines) in coloring.classes.iter().zip(outlines).filter(|(_, lines)| !lines.is_empty()) {
        let mut path = String::new();
        for outline in outlines {
            for (i, &place) in outline.iter().enumerate() {
                let (x, y) = viewport.pixel(place);
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
