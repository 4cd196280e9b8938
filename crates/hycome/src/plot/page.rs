//! The interactive page: one HTML file with everything in it.
//!
//! `page.html` is built from the sources in `web/` and committed, so that nobody who uses this library needs the tools
//! that build it. It has one gap, which a [`Scene`] fills as JSON; long lists of numbers are little-endian arrays in
//! Base64. The JSON stands in a script element of a type that browsers do not run, and every character that could end
//! the element or start another is escaped, so a name is never anything but text. The page's policy allows the one
//! script and the one style that were built into it, by their hashes, and no connection to anywhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::coloring::Coloring;
use super::scene::{Frame, Gaussian, Scene};
use super::{contours, palette, regions};
use crate::graph::NodeNames;
use crate::points::Points;

/// The page without a scene.
const TEMPLATE: &str = include_str!("page.html");

/// Where the scene goes.
const GAP: &str = "\"scene goes here\"";

/// Where the title goes.
const TITLE: &str = "<title>hycome</title>";

/// The version of the scene that the page understands.
const VERSION: u32 = 1;

/// The class of a node that has none.
pub(super) const NONE: u32 = u32::MAX;

/// The page that shows a scene.
#[must_use]
pub fn to_html(scene: &Scene) -> String {
    let (before, after) = TEMPLATE.split_once(GAP).expect("the built page has a gap for the scene");
    let title = format!("<title>{} · hycome</title>", escaped_text(&scene.title));
    let before = before.replacen(TITLE, &title, 1);
    let scene = escaped_json(&to_json(scene).to_string());
    [before.as_str(), &scene, after].concat()
}

/// JSON that may stand in a script element: no character of it means anything to the reader of HTML.
fn escaped_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04x}", c as u32)),
            c => text.push(c),
        }
    }
    text
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The scene as the page reads it.
fn to_json(scene: &Scene) -> Value {
    let edges = scene.edges.as_ref().map(|edges| {
        let ends = edges.pairs.iter().flat_map(|&(u, v)| [u, v]);
        json!({ "total": edges.total, "pairs": whole(ends) })
    });
    let top = scene.members.first().map_or(0, Vec::len);
    let members = || scene.members.iter().flatten();
    json!({
        "version": VERSION,
        "program": concat!("hycome ", env!("CARGO_PKG_VERSION")),
        "title": scene.title,
        "nodes": scene.points.len(),
        "names": names(&scene.names),
        "points": coordinates(&scene.points),
        "degrees": scene.degrees.as_ref().map(|degrees| whole(degrees.iter().copied())),
        "edges": edges,
        "members": {
            "top": top,
            "communities": whole(members().map(|member| member.community)),
            "probabilities": base64(members().flat_map(|member| (member.probability as f32).to_le_bytes())),
        },
        "colorings": scene.colorings.iter().map(coloring).collect::<Vec<_>>(),
        "gaussians": gaussians(scene, &scene.gaussians),
        "regions": scene.classifier.as_ref().and_then(regions::to_json),
        "palettes": { "light": palette::LIGHT, "dark": palette::DARK },
        "shapes": palette::SHAPES,
        "dim": scene.projection.dim,
        "kept": scene.projection.kept,
        "scores": scene.scores,
        "facts": scene.facts,
        "notes": scene.notes,
        "film": scene.film.iter().map(|shown| frame(scene, shown)).collect::<Vec<_>>(),
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

fn coloring(coloring: &Coloring) -> Value {
    let classes = coloring
        .classes
        .iter()
        .map(|class| json!({ "name": class.name, "size": class.size, "rank": class.rank }))
        .collect::<Vec<_>>();
    let lists = coloring.lists.as_ref().map(|labels| {
        let (ends, ids) = labels.rows();
        json!({ "starts": whole(ends.iter().map(|&end| end as u32)), "classes": whole(ids.iter().copied()) })
    });
    let of_nodes = whole(coloring.of_nodes.iter().map(|class| class.unwrap_or(NONE)));
    json!({ "key": coloring.key, "classes": classes, "ofNodes": of_nodes, "lists": lists })
}

fn frame(scene: &Scene, frame: &Frame) -> Value {
    let gaussians = gaussians(scene, &frame.gaussians);
    json!({ "epoch": frame.epoch, "points": coordinates(&frame.points), "gaussians": gaussians })
}

/// Gaussians with the hyperbolic radii of their contours.
fn gaussians(scene: &Scene, gaussians: &[Gaussian]) -> Vec<Value> {
    let one = |gaussian: &Gaussian| {
        let contours = contours::radii(scene.projection.dim, gaussian.scale);
        json!({ "mean": gaussian.mean, "scale": gaussian.scale, "weight": gaussian.weight, "contours": contours })
    };
    gaussians.iter().map(one).collect()
}

fn coordinates(points: &Points) -> String {
    base64(points.as_slice().iter().flat_map(|&c| (c as f32).to_le_bytes()))
}

pub(super) fn whole(numbers: impl Iterator<Item = u32>) -> String {
    base64(numbers.flat_map(u32::to_le_bytes))
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    STANDARD.encode(bytes.collect::<Vec<u8>>())
}
