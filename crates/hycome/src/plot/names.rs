//! Names of the hubs: where they are written so that they stay inside the frame and apart from each other.

use super::curves::Lens;
use super::disc::{order, place, radii};
use super::figure::Area;
use super::scene::Scene;
use super::svg::{Anchor, Font, Svg, shortened, width};
use super::theme::Theme;

/// Names are written for at most this many nodes.
const MOST_NAMES: usize = 20;

/// Letters of a name.
const LETTERS: usize = 28;

/// Left, top, right, bottom.
pub type Bounds = [f64; 4];

/// Writes the names of the nodes with the most neighbours, each right of its node or else left, above or below; a name that has room
/// nowhere is left out. `taken` are places that names keep off.
pub fn draw(svg: &mut Svg, scene: &Scene, lens: Lens, frame: Area, theme: &Theme, mut taken: Vec<Bounds>) {
    let radii = radii(scene, lens);
    let size = (lens.radius / 28.0).clamp(6.0, 12.0);
    let most = taken.len() + MOST_NAMES;
    for node in order(scene).into_iter().rev() {
        if taken.len() == most {
            break;
        }
        let at = lens.pixel(place(&scene.points, node));
        let text = shortened(&scene.names.name(node), LETTERS);
        let room = around(at, radii[node as usize], width(&text, size), size)
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

/// The four places of a text beside a mark, the best first.
fn around((x, y): (f64, f64), mark: f64, wide: f64, size: f64) -> [Bounds; 4] {
    let (gap, half, high) = (mark + 0.2 * size, 0.5 * wide, 1.2 * size);
    let beside = (y - 0.5 * high, y + 0.5 * high);
    [
        [x + gap, beside.0, x + gap + wide, beside.1],
        [x - gap - wide, beside.0, x - gap, beside.1],
        [x - half, y - gap - high, x + half, y - gap],
        [x - half, y + gap, x + half, y + gap + high],
    ]
}

fn is_inside(bounds: &Bounds, frame: Area) -> bool {
    bounds[0] >= frame.left
        && bounds[1] >= frame.top
        && bounds[2] <= frame.left + frame.width
        && bounds[3] <= frame.top + frame.height
}

fn overlap(a: &Bounds, b: &Bounds) -> bool {
    a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::disc::{Shown, draw};
    use crate::plot::theme::LIGHT;
    use crate::{NodeNames, TrainConfig, Trainer, datasets};

    /// The scene of a graph that was trained for a moment; its nodes have names of `length` letters.
    fn scene(length: usize) -> Scene {
        let loaded = datasets::builtin("karate").expect("it is compiled in").load();
        let config = TrainConfig { communities: Some(2), walks: 1, ..TrainConfig::default() };
        let mut trainer = Trainer::new(&loaded.graph, config).unwrap();
        trainer.train(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        let first = 10u64.pow(length as u32 - 1);
        let run = trainer.into_run(NodeNames::numbered(first, 34));
        Scene::new(&run, "karate").unwrap().with_graph(&loaded.graph, None, 100, 1)
    }

    /// Where texts of an SVG begin and end, and how high they are.
    fn texts(svg: &str) -> Vec<(String, Bounds)> {
        let of = |line: &str| {
            let number = |name: &str| -> Option<f64> {
                line.split_once(&format!(r#" {name}=""#))?.1.split('"').next()?.parse().ok()
            };
            let text = line.strip_prefix("<text")?.split_once('>')?.1.strip_suffix("</text>")?.to_owned();
            let (x, y, size) = (number("x")?, number("y")?, number("font-size")?);
            let wide = width(&text, size);
            let left = if line.contains("middle") { x - wide / 2.0 } else { x };
            Some((text, [left, y - 0.7 * size, left + wide, y]))
        };
        svg.lines().filter_map(of).collect()
    }

    #[test]
    fn names_are_apart_from_each_other_and_from_badges_and_stay_in_the_frame() {
        for length in [3, 12] {
            let scene = scene(length);
            let mut svg = Svg::new(300.0, 300.0, "#fff");
            let lens = Lens { center: (150.0, 150.0), radius: 140.0 };
            let frame = Area { left: 5.0, top: 5.0, width: 290.0, height: 290.0 };
            let shown = Shown { edges: true, contours: true, regions: false, names: true };
            draw(&mut svg, &scene, &scene.colorings[0], shown, lens, frame, &LIGHT);
            let texts = texts(&svg.finish(""));
            assert!(texts.len() > 6, "{texts:?}");
            for (i, (one, a)) in texts.iter().enumerate() {
                assert!(is_inside(a, frame), "{one} at {a:?}");
                for (other, b) in &texts[..i] {
                    assert!(!overlap(a, b), "{one} at {a:?}, {other} at {b:?}");
                }
            }
        }
    }

    #[test]
    fn names_at_the_right_margin_are_written_to_the_left() {
        let frame = Area { left: 0.0, top: 0.0, width: 100.0, height: 100.0 };
        let places = around((95.0, 50.0), 2.0, 30.0, 10.0);
        assert!(!is_inside(&places[0], frame) && is_inside(&places[1], frame));
    }
}
