//! The interactive viewer: one self-contained HTML file.
//!
//! The template `page.html` is built from `web/` and committed, so that users of this library need no JavaScript
//! tools. The [`Scene`] is inserted compressed and in Base64 (`encoding`) into a script element of a type that
//! browsers do not execute. Base64 has no character that could close the element, so names cannot inject markup. The
//! Content-Security-Policy allows the built-in script and style by their hashes, and no network access.

mod encoding;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use self::encoding::ArrayWriter;
pub(crate) use self::encoding::EncodedEdges;
use crate::graph::NodeNames;
use crate::plot::coloring::Coloring;
use crate::plot::scene::{AnimationFrame, Gaussian, Scene};
use crate::plot::{contours, decision_regions, palette};
use crate::points::Points;

/// The page without a scene.
const TEMPLATE: &str = include_str!("page.html");

/// Placeholder of the scene.
const SCENE_PLACEHOLDER: &str = "scene goes here";

/// Placeholder of the title.
const TITLE_PLACEHOLDER: &str = "<title>hycome</title>";

/// Version of the scene format.
const VERSION: u32 = 3;

/// Class of a node without one.
pub(super) const NONE: u32 = u32::MAX;

/// The interactive viewer of a scene as HTML.
#[must_use]
pub fn to_html(scene: &Scene) -> String {
    let (before, after) =
        TEMPLATE.split_once(SCENE_PLACEHOLDER).expect("the template has a placeholder for the scene");
    let title = format!("<title>{} · hycome</title>", escaped_text(&scene.title));
    let before = before.replacen(TITLE_PLACEHOLDER, &title, 1);
    let mut arrays = ArrayWriter::default();
    let json = to_json(scene, &mut arrays);
    [before.as_str(), &arrays.finish(&json), after].concat()
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Serializes the scene; arrays are stored outside the JSON. The viewer draws its own random sample of as many
/// edges as the scene has.
fn to_json(scene: &Scene, arrays: &mut ArrayWriter) -> Value {
    let edges = scene.edges.as_ref().map(|edges| {
        let encoded = scene.neighbors.as_ref().map(|edges| arrays.bytes(edges.as_bytes()));
        json!({ "total": edges.total, "drawn": edges.pairs.len(), "encoded": encoded })
    });
    let top = scene.memberships.first().map_or(0, Vec::len);
    let memberships = || scene.memberships.iter().flatten();
    json!({
        "version": VERSION,
        "program": concat!("hycome ", env!("CARGO_PKG_VERSION")),
        "title": scene.title,
        "nodes": scene.points.len(),
        "names": names(&scene.names),
        "points": coordinates(arrays, &scene.points),
        "degrees": scene.degrees.as_ref().map(|degrees| arrays.u32s(degrees.iter().copied())),
        "edges": edges,
        "memberships": {
            "top": top,
            "communities": arrays.u32s(memberships().map(|membership| membership.community)),
            "probabilities": arrays.f32s(memberships().map(|membership| membership.probability)),
        },
        "colorings": scene.colorings.iter().map(|one| coloring(arrays, one)).collect::<Vec<_>>(),
        "gaussians": gaussians(scene, &scene.gaussians),
        "regions": scene.classifier.as_ref().and_then(decision_regions::to_json),
        "palettes": { "light": palette::LIGHT, "dark": palette::DARK },
        "shapes": palette::SHAPES,
        "viewNote": scene.view.subtitle(),
        "scores": scene.scores,
        "metadata": scene.metadata,
        "notes": scene.notes,
        "animation": scene.animation.iter().map(|one| frame(arrays, scene, one)).collect::<Vec<_>>(),
    })
}

fn names(names: &NodeNames) -> Value {
    let numbers =
        names.are_numbers().then(|| names.iter().next()).flatten().and_then(|first| first.parse().ok());
    match numbers {
        Some(first) if *names == NodeNames::numbered(first, names.len()) => {
            json!({ "first": first.to_string() })
        }
        _ => json!({ "list": names.iter().collect::<Vec<_>>() }),
    }
}

fn coloring(arrays: &mut ArrayWriter, coloring: &Coloring) -> Value {
    let classes = coloring
        .classes
        .iter()
        .map(|class| json!({ "name": class.name, "size": class.size, "rank": class.rank }))
        .collect::<Vec<_>>();
    let all = coloring.multi_labels.as_ref().map(|labels| {
        let (ends, ids) = labels.rows();
        let offsets = arrays.u32s(ends.iter().map(|&end| end as u32));
        json!({ "offsets": offsets, "classes": arrays.u32s(ids.iter().copied()) })
    });
    let node_classes = arrays.u32s(coloring.node_classes.iter().map(|class| class.unwrap_or(NONE)));
    json!({ "key": coloring.key, "classes": classes, "nodeClasses": node_classes, "multiLabels": all })
}

fn frame(arrays: &mut ArrayWriter, scene: &Scene, frame: &AnimationFrame) -> Value {
    let gaussians = gaussians(scene, &frame.gaussians);
    json!({ "epoch": frame.epoch, "points": coordinates(arrays, &frame.points), "gaussians": gaussians })
}

/// Gaussians with the hyperbolic radii of their contours.
fn gaussians(scene: &Scene, gaussians: &[Gaussian]) -> Vec<Value> {
    let one = |gaussian: &Gaussian| {
        let contours = contours::radii(scene.view.gaussian_dim(), gaussian.scale);
        json!({ "mean": gaussian.mean, "scale": gaussian.scale, "weight": gaussian.weight, "contours": contours })
    };
    gaussians.iter().map(one).collect()
}

fn coordinates(arrays: &mut ArrayWriter, points: &Points) -> Value {
    // All x, then all y: separate columns compress better.
    let column = |axis: usize| points.rows().map(move |point| point[axis]);
    arrays.f32s(column(0).chain(column(1)))
}

/// Encodes integers as little-endian bytes in Base64, inside the JSON.
pub(super) fn base64_u32s(numbers: impl Iterator<Item = u32>) -> String {
    STANDARD.encode(numbers.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}
