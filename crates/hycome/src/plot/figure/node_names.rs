//! Labels with the names of hubs, placed inside the frame and without overlaps.

use super::Area;
use super::disc::{order, position, radii};
use super::svg::{Anchor, Font, Svg, text_width, truncated};
use super::theme::Theme;
use crate::plot::curves::Viewport;
use crate::plot::scene::Scene;

/// Maximum number of names.
const MAX_NAMES: usize = 20;

/// Maximum length of a name in characters.
const MAX_LENGTH: usize = 28;

/// Left, top, right, bottom.
pub(super) type Bounds = [f64; 4];

/// Draws the names of the nodes with the highest degrees, each to the right of its node or else left, above or below;
/// names without space are skipped. `taken` are bounds that names must not overlap.
pub(super) fn draw(
    svg: &mut Svg,
    scene: &Scene,
    viewport: Viewport,
    frame: Area,
    theme: &Theme,
    mut taken: Vec<Bounds>,
) {
    let radii = radii(scene, viewport);
    let size = (viewport.radius / 28.0).clamp(6.0, 12.0);
    let most = taken.len() + MAX_NAMES;
    for node in order(scene).into_iter().rev() {
        if taken.len() == most {
            break;
        }
        let at = viewport.pixel(position(&scene.points, node));
        let text = truncated(&scene.names.name(node), MAX_LENGTH);
        let room = candidates(at, radii[node as usize], text_width(&text, size), size)
            .into_iter()
            .find(|bounds| is_inside(bounds, frame) && !taken.iter().any(|other| overlap(bounds, other)));
        if let Some(bounds) = room {
            let font = Font { size, bold: false, color: theme.ink, anchor: Anchor::Middle };
            let middle = 0.5 * (bounds[0] + bounds[2]);
            svg.text_with_halo(middle, bounds[3] - 0.27 * size, &text, font, theme.disc);
            taken.push(bounds);
        }
    }
}

/// The four candidate positions of a text beside a node, in order of preference.
fn candidates((x, y): (f64, f64), radius: f64, wide: f64, size: f64) -> [Bounds; 4] {
    let (gap, half, high) = (radius + 0.2 * size, 0.5 * wide, 1.2 * size);
    let beside = (y - 0.5 * high, y + 0.5 * high);
    [
        [x + gap, beside.0, x + gap + wide, beside.1],
        [x - gap - wide, beside.0, x - gap, beside.1],
        [x - half, y - gap - high, x + half, y - gap],
        [x - half, y + gap, x + half, y + gap + high],
    ]
}

pub(super) fn is_inside(bounds: &Bounds, frame: Area) -> bool {
    bounds[0] >= frame.left
        && bounds[1] >= frame.top
        && bounds[2] <= frame.left + frame.width
        && bounds[3] <= frame.top + frame.height
}

pub(super) fn overlap(a: &Bounds, b: &Bounds) -> bool {
    a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure::disc::{Layers, draw};
    use crate::plot::figure::theme::LIGHT;
    use crate::{NodeNames, TrainConfig, Trainer, datasets};

    /// A briefly trained scene whose nodes have names of `length` digits.
    fn scene(length: usize) -> Scene {
        let loaded = datasets::builtin("karate").expect("it is compiled in").load();
        let config = TrainConfig { communities: Some(2), walks: Some(1), ..TrainConfig::default() };
        let first = 10u64.pow(length as u32 - 1);
        let trainer = Trainer::new(&loaded.graph, config).unwrap().with_names(NodeNames::numbered(first, 34));
        let run = trainer.train_to_end().unwrap().run;
        Scene::new(&run, "karate").unwrap().with_graph(&loaded.graph, None, 100, 1)
    }

    /// Texts of an SVG with their bounds.
    fn texts(svg: &str) -> Vec<(String, Bounds)> {
        let of = |line: &str| {
            let number = |name: &str| -> Option<f64> {
                line.split_once(&format!(r#" {name}=""#))?.1.split('"').next()?.parse().ok()
            };
            let text = line.strip_prefix("<text")?.split_once('>')?.1.strip_suffix("</text>")?.to_owned();
            let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
            let wide = text_width(&text, size);
            let left = if line.contains("middle") { x - wide / 2.0 } else { x };
            Some((text, [left, y - 0.7 * size, left + wide, y]))
        };
        svg.lines().filter_map(of).collect()
    }

    #[test]
    fn names_overlap_neither_each_other_nor_badges_nor_the_frame() {
        for length in [3, 12] {
            let scene = scene(length);
            let mut svg = Svg::new(300.0, 300.0, "#fff");
            let viewport = Viewport { center: (150.0, 150.0), radius: 140.0 };
            let frame = Area { left: 5.0, top: 5.0, width: 290.0, height: 290.0 };
            let layers = Layers { edges: true, contours: true, regions: false, names: true };
            draw(&mut svg, &scene, &scene.colorings[0], layers, viewport, frame, &LIGHT);
            let svg = svg.finish("");
            let texts = texts(&svg);
            assert!(texts.len() > 6, "{texts:?}");
            let halos = svg.matches(r#"paint-order="stroke""#).count();
            assert_eq!(
                halos + scene.gaussians.len(),
                texts.len(),
                "names have a halo, badges have a background"
            );
            for (i, (one, a)) in texts.iter().enumerate() {
                assert!(is_inside(a, frame), "{one} at {a:?}");
                for (other, b) in &texts[..i] {
                    assert!(!overlap(a, b), "{one} at {a:?}, {other} at {b:?}");
                }
            }
        }
    }

    #[test]
    fn names_at_the_right_margin_are_placed_to_the_left() {
        let frame = Area { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };
        let places = candidates((95.0, 50.0), 2.0, 30.0, 10.0);
        assert!(!is_inside(&places[0], frame) && is_inside(&places[1], frame));
    }
}
