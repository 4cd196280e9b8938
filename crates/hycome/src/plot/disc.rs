//! A scene drawn into the disc of a figure, with the look of the page.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::cells::{self, SIDE};
use super::coloring::Coloring;
use super::contours;
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
    /// Gaussians as circles that hold half and nine tenths of their mass, with their barycenters.
    pub contours: bool,
    /// The classifier's regions.
    pub regions: bool,
    /// Names of the nodes with the most neighbours.
    pub names: bool,
}

/// Edges of one stroke: strokes lie over each other, edges of one stroke do not.
const STROKE: usize = 120;

/// Names are written for at most so many nodes.
const MOST_NAMES: usize = 20;

/// Beyond this many, nodes touch each other and have no rim of their own.
const CROWD: usize = 3000;

/// The place of the triangle among the shapes.
const TRIANGLE: usize = 2;

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
    let taken = if shown.contours { draw_contours(svg, scene, lens, theme) } else { Vec::new() };
    if shown.names {
        draw_names(svg, scene, lens, theme, taken);
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

/// Left, top, right, bottom.
type Area = [f64; 4];

/// Draws Gaussians; says where their centres are.
fn draw_contours(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme) -> Vec<Area> {
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

/// Names of the hubs, where there is neither another name nor anything else.
fn draw_names(svg: &mut Svg, scene: &Scene, lens: Lens, theme: &Theme, mut taken: Vec<Area>) {
    let radii = radii(scene, lens);
    let size = (lens.radius / 28.0).clamp(6.0, 12.0);
    let most = taken.len() + MOST_NAMES;
    for node in order(scene).into_iter().rev() {
        if taken.len() == most {
            break;
        }
        let (x, y) = lens.pixel(place(&scene.points, node));
        let text = shortened(&scene.names.name(node), 20);
        let left = x + radii[node as usize] + 2.0;
        let area = [left, y - 0.6 * size, left + super::svg::width(&text, size), y + 0.6 * size];
        let overlaps = |b: &Area| area[0] < b[2] && area[2] > b[0] && area[1] < b[3] && area[3] > b[1];
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
    let cells = cells::winners(classifier);
    let side = 2.0 * lens.radius / SIDE as f64;
    let (left, top) = (lens.center.0 - lens.radius, lens.center.1 - lens.radius);
    for (borders, opacity) in [(false, "0.15"), (true, "0.55")] {
        let mut paths: BTreeMap<usize, String> = BTreeMap::new();
        for row in 0..SIDE {
            let is = |column: usize| {
                let class = cells[row * SIDE + column]?;
                let beside =
                    [(row, column + 1), (row + 1, column)].into_iter().filter(|&(r, c)| r < SIDE && c < SIDE);
                let differs =
                    |(r, c): (usize, usize)| cells[r * SIDE + c].is_some_and(|other| other != class);
                (!borders || beside.into_iter().any(differs)).then_some(class)
            };
            let mut column = 0;
            while column < SIDE {
                let Some(class) = is(column) else {
                    column += 1;
                    continue;
                };
                let end = (column..SIDE).find(|&c| is(c) != Some(class)).unwrap_or(SIDE);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::theme::LIGHT;
    use crate::{NodeNames, TrainConfig, Trainer, datasets};

    /// The scene of a graph that was trained for a moment.
    fn scene() -> Scene {
        let loaded = datasets::builtin("karate").expect("it is compiled in").load();
        let config = TrainConfig { communities: Some(2), walks: 1, ..TrainConfig::default() };
        let mut trainer = Trainer::new(&loaded.graph, config).unwrap();
        trainer.train(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        let run = trainer.into_run(NodeNames::numbered(100, 34));
        Scene::new(&run, "karate").unwrap().with_graph(&loaded.graph, None, 100, 1)
    }

    /// Where texts of an SVG begin and end, and how high they are.
    fn texts(svg: &str) -> Vec<(String, Area)> {
        let of = |line: &str| {
            let number = |name: &str| -> Option<f64> {
                line.split_once(&format!(r#" {name}=""#))?.1.split('"').next()?.parse().ok()
            };
            let text = line.strip_prefix("<text")?.split_once('>')?.1.strip_suffix("</text>")?.to_owned();
            let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
            let wide = super::super::svg::width(&text, size);
            let left = if line.contains("middle") { x - wide / 2.0 } else { x };
            Some((text, [left, y - 0.7 * size, left + wide, y]))
        };
        svg.lines().filter_map(of).collect()
    }

    #[test]
    fn names_are_written_beside_each_other_and_beside_the_numbers_of_communities() {
        let scene = scene();
        let mut svg = Svg::new(300.0, 300.0, "#fff");
        let lens = Lens { center: (150.0, 150.0), radius: 140.0 };
        let shown = Shown { edges: true, contours: true, regions: false, names: true };
        draw(&mut svg, &scene, &scene.colorings[0], shown, lens, &LIGHT);
        let texts = texts(&svg.finish(""));
        assert!(texts.len() > 6, "{texts:?}");
        for (i, (one, a)) in texts.iter().enumerate() {
            for (other, b) in &texts[..i] {
                let apart = a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3];
                assert!(apart, "{one} at {a:?}, {other} at {b:?}");
            }
        }
    }
}
