//! A scene drawn into the disc of a figure, with the look of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::coloring::Coloring;
use super::curves::{Lens, Place};
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
    /// Gaussians as circles of one and two scales, with their barycenters.
    pub contours: bool,
    /// The classifier's regions.
    pub regions: bool,
    /// Names of the nodes with the most neighbours.
    pub names: bool,
}

/// Edges of one stroke: strokes lie over each other, edges of one stroke do not.
const STROKE: usize = 120;

/// Rows and columns of the regions.
const CELLS: usize = 360;

/// Names are written for at most so many nodes.
const MOST_NAMES: usize = 20;

/// Beyond this many, nodes touch each other and have no rim of their own.
const CROWD: usize = 3000;

/// Least opacity of a node that is not sure of its community.
const FAINT: f64 = 0.28;

/// Draws a scene, coloured by one of its colourings.
pub fn draw(svg: &mut Svg, scene: &Scene, coloring: &Coloring, shown: Shown, lens: Lens, theme: &Theme) {
    let (x, y) = lens.center;
    svg.circle(x, y, lens.radius, &format!(r#"fill="{}""#, theme.disc));
    if shown.regions {
        draw_regions(svg, scene, lens, theme);
    }
    if shown.edges {
        draw_edges(svg, scene, coloring, lens, theme);
    }
    draw_nodes(svg, scene, coloring, lens, theme);
    if shown.contours {
        draw_contours(svg, scene, lens, theme);
    }
    if shown.names {
        draw_names(svg, scene, lens, theme);
    }
    svg.circle(x, y, lens.radius, &format!(r#"fill="none" stroke="{}" stroke-width="1.2""#, theme.rim));
}

fn place(points: &Points, node: NodeId) -> Place {
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
fn radii(scene: &Scene, lens: Lens) -> Vec<f64> {
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
fn order(scene: &Scene) -> Vec<NodeId> {
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

fn draw_contours(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) {
    let classes = &scene.colorings[0].classes;
    let line = lens.radius / 260.0;
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let color = theme.palette.color(class.rank);
        for (scales, width, dash) in [(1.0, 1.3 * line, ""), (2.0, 0.9 * line, r#" stroke-dasharray="4 3""#)]
        {
            let ((x, y), radius) = lens.circle(gaussian.mean, scales * gaussian.scale);
            let attributes =
                format!(r#"fill="none" stroke="{color}" stroke-width="{}"{dash}"#, number(width));
            svg.circle(x, y, radius, &attributes);
        }
    }
    let size = (lens.radius / 34.0).clamp(4.0, 10.0);
    let numbered = classes.len() <= 40;
    for (gaussian, class) in scene.gaussians.iter().zip(classes).filter(|(_, class)| class.size > 0) {
        let (x, y) = lens.pixel(gaussian.mean);
        let fill = theme.disc;
        let color = theme.palette.color(class.rank);
        let attributes = format!(r#"fill="{fill}" stroke="{color}" stroke-width="{}""#, number(1.8 * line));
        mark(svg, palette::shape(class.rank), x, y, if numbered { size } else { 0.5 * size }, &attributes);
        if numbered {
            let font = Font { size: 1.1 * size, bold: true, color: theme.ink, anchor: Anchor::Middle };
            svg.text(x, y + 0.4 * size, &shortened(&class.name, 4), font);
        }
    }
}

/// Names of the hubs, where no other name is.
fn draw_names(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) {
    let radii = radii(scene, lens);
    let size = (lens.radius / 28.0).clamp(6.0, 12.0);
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for node in order(scene).into_iter().rev() {
        if taken.len() == MOST_NAMES {
            break;
        }
        let (x, y) = lens.pixel(place(&scene.points, node));
        let text = shortened(&scene.names.name(node), 20);
        let left = x + radii[node as usize] + 2.0;
        let area = [left, y - 0.6 * size, left + super::svg::width(&text, size), y + 0.6 * size];
        let overlaps = |b: &[f64; 4]| area[0] < b[2] && area[2] > b[0] && area[1] < b[3] && area[3] > b[1];
        if !taken.iter().any(overlaps) {
            svg.text(
                left,
                y + 0.35 * size,
                &text,
                Font { size, bold: false, color: theme.ink, anchor: Anchor::Start },
            );
            taken.push(area);
        }
    }
}

/// The regions as rows of rectangles, one path for each class, and darker where they meet.
fn draw_regions(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) {
    let (Some(classifier), Some(coloring)) = (&scene.classifier, scene.coloring("prediction")) else {
        return;
    };
    let cells = winners(classifier);
    let side = 2.0 * lens.radius / CELLS as f64;
    let (left, top) = (lens.center.0 - lens.radius, lens.center.1 - lens.radius);
    for (borders, opacity) in [(false, "0.15"), (true, "0.55")] {
        let mut paths: BTreeMap<usize, String> = BTreeMap::new();
        for row in 0..CELLS {
            let is = |column: usize| {
                let class = cells[row * CELLS + column]?;
                let beside = [(row, column + 1), (row + 1, column)]
                    .into_iter()
                    .filter(|&(r, c)| r < CELLS && c < CELLS);
                let differs =
                    |(r, c): (usize, usize)| cells[r * CELLS + c].is_some_and(|other| other != class);
                (!borders || beside.into_iter().any(differs)).then_some(class)
            };
            let mut column = 0;
            while column < CELLS {
                let Some(class) = is(column) else {
                    column += 1;
                    continue;
                };
                let end = (column..CELLS).find(|&c| is(c) != Some(class)).unwrap_or(CELLS);
                let (x, y) = (number(left + side * column as f64), number(top + side * row as f64));
                let (w, h) = (number(side * (end - column) as f64), number(side));
                let _ = write!(paths.entry(class).or_default(), "M{x} {y}h{w}v{h}h-{w}z");
                column = end;
            }
        }
        for (class, path) in paths {
            let color = theme.palette.color(coloring.classes[class].rank);
            svg.path(
                &path,
                &format!(r#"fill="{color}" fill-opacity="{opacity}" shape-rendering="crispEdges""#),
            );
        }
    }
}

/// The class of each cell of a square around the disc; none outside of the disc.
fn winners(classifier: &crate::classify::Classifier) -> Vec<Option<usize>> {
    let middle = |i: usize| 2.0 * (i as f64 + 0.5) / CELLS as f64 - 1.0;
    let places = (0..CELLS * CELLS).map(|cell| [middle(cell % CELLS), -middle(cell / CELLS)]);
    let inside: Vec<bool> = places.clone().map(|[x, y]| x.hypot(y) < 1.0 - 1e-6).collect();
    let data = places.zip(&inside).filter(|(_, inside)| **inside).flat_map(|(place, _)| place).collect();
    let scores = classifier.scores(&Points::new(2, data)).expect("places of the disc are points of the ball");
    let mut next = 0..;
    inside.iter().map(|&is| is.then(|| scores.ranking(next.next().expect("it never ends"))[0])).collect()
}
