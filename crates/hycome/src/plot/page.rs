//! The interactive page: one HTML file with everything in it.
//!
//! `page.html` is built from the sources in `web/` and committed, so that nobody who uses this library needs the tools
//! that build it. It has one gap, which a [`Scene`] fills, compressed and in Base64 (`packed`). It stands in a script element of a
//! type that browsers do not run, and Base64 has no character that could end the element, so a name is never anything but text. The page's
//! policy allows the one script and the one style that were built into it, by their hashes, and no connection to anywhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::coloring::Coloring;
use super::packed::Lists;
use super::scene::{Frame, Gaussian, Scene};
use super::{contours, palette, regions};
use crate::graph::NodeNames;
use crate::points::Points;

/// The page without a scene.
const TEMPLATE: &str = include_str!("page.html");

/// Where the scene goes.
const GAP: &str = "scene goes here";

/// Where the title goes.
const TITLE: &str = "<title>hycome</title>";

/// The version of the scene that the page understands.
const VERSION: u32 = 2;

/// The class of a node that has none.
pub(super) const NONE: u32 = u32::MAX;

/// The page that shows a scene.
#[must_use]
pub fn to_html(scene: &Scene) -> String {
    let (before, after) = TEMPLATE.split_once(GAP).expect("the built page has a gap for the scene");
    let title = format!("<title>{} · hycome</title>", escaped_text(&scene.title));
    let before = before.replacen(TITLE, &title, 1);
    let mut lists = Lists::default();
    let json = to_json(scene, &mut lists);
    [before.as_str(), &lists.seal(&json), after].concat()
}

fn escaped_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The scene as the page reads it, with its lists of numbers beside it. Which edges are drawn the page decides by itself: a random sample of as
/// many as the scene shows.
fn to_json(scene: &Scene, lists: &mut Lists) -> Value {
    let edges = scene.edges.as_ref().map(|edges| {
        let packed = scene.neighbors.as_ref().map(|edges| lists.raw(edges.as_bytes()));
        json!({ "total": edges.total, "shown": edges.pairs.len(), "packed": packed })
    });
    let top = scene.members.first().map_or(0, Vec::len);
    let members = || scene.members.iter().flatten();
    json!({
        "version": VERSION,
        "program": concat!("hycome ", env!("CARGO_PKG_VERSION")),
        "title": scene.title,
        "nodes": scene.points.len(),
        "names": names(&scene.names),
        "points": coordinates(lists, &scene.points),
        "degrees": scene.degrees.as_ref().map(|degrees| lists.whole(degrees.iter().copied())),
        "edges": edges,
        "members": {
            "top": top,
            "communities": lists.whole(members().map(|member| member.community)),
            "probabilities": lists.single(members().map(|member| member.probability)),
        },
        "colorings": scene.colorings.iter().map(|one| coloring(lists, one)).collect::<Vec<_>>(),
        "gaussians": gaussians(scene, &scene.gaussians),
        "regions": scene.classifier.as_ref().and_then(regions::to_json),
        "palettes": { "light": palette::LIGHT, "dark": palette::DARK },
        "shapes": palette::SHAPES,
        "dim": scene.projection.dim,
        "kept": scene.projection.kept,
        "scores": scene.scores,
        "facts": scene.facts,
        "notes": scene.notes,
        "film": scene.film.iter().map(|shown| frame(lists, scene, shown)).collect::<Vec<_>>(),
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

fn coloring(lists: &mut Lists, coloring: &Coloring) -> Value {
    let classes = coloring
        .classes
        .iter()
        .map(|class| json!({ "name": class.name, "size": class.size, "rank": class.rank }))
        .collect::<Vec<_>>();
    let all = coloring.lists.as_ref().map(|labels| {
        let (ends, ids) = labels.rows();
        let starts = lists.whole(ends.iter().map(|&end| end as u32));
        json!({ "starts": starts, "classes": lists.whole(ids.iter().copied()) })
    });
    let of_nodes = lists.whole(coloring.of_nodes.iter().map(|class| class.unwrap_or(NONE)));
    json!({ "key": coloring.key, "classes": classes, "ofNodes": of_nodes, "lists": all })
}

fn frame(lists: &mut Lists, scene: &Scene, frame: &Frame) -> Value {
    let gaussians = gaussians(scene, &frame.gaussians);
    json!({ "epoch": frame.epoch, "points": coordinates(lists, &frame.points), "gaussians": gaussians })
}

/// Gaussians with the hyperbolic radii of their contours.
fn gaussians(scene: &Scene, gaussians: &[Gaussian]) -> Vec<Value> {
    let one = |gaussian: &Gaussian| {
        let contours = contours::radii(scene.projection.dim, gaussian.scale);
        json!({ "mean": gaussian.mean, "scale": gaussian.scale, "weight": gaussian.weight, "contours": contours })
    };
    gaussians.iter().map(one).collect()
}

fn coordinates(lists: &mut Lists, points: &Points) -> Value {
    // All x, then all y: they compress better apart.
    let column = |axis: usize| points.rows().map(move |point| point[axis]);
    lists.single(column(0).chain(column(1)))
}

/// Whole numbers as little-endian bytes in Base64, inside the JSON.
pub(super) fn whole(numbers: impl Iterator<Item = u32>) -> String {
    STANDARD.encode(numbers.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}
