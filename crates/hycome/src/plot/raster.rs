//! PNG and PDF of a figure, with the font that is part of this library and those that the figure brings, and no others.
//!
//! A letter that no font has would be drawn as nothing. It becomes a placeholder instead, and [`missing_letters`] says which names are concerned.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use super::figure::{Figure, REGULAR, SEMI_BOLD};
use super::ordered::ordered;
use super::svg::{Svg, escaped};
use crate::{Error, Result};

/// The largest side of a PNG in pixels: a picture of this square takes a gigabyte of memory.
const LARGEST: f64 = 16_384.0;

/// The figure as PNG, so many pixels of the picture for each of the figure.
///
/// # Errors
/// If the picture would be larger than 16,384 pixels or has no pixel.
pub fn to_png(figure: &Figure, scale: f64) -> Result<Vec<u8>> {
    let (width, height) = ((scale * figure.width).round(), (scale * figure.height).round());
    if !(width >= 1.0 && height >= 1.0 && width.max(height) <= LARGEST) {
        let expected = format!("from 1 to {LARGEST} pixels wide and high");
        return Err(Error::Config { parameter: "size", expected, found: format!("{width} × {height}") });
    }
    let tree = tree(figure)?;
    let mut pixels =
        tiny_skia::Pixmap::new(width as u32, height as u32).ok_or_else(|| broken("no memory for it"))?;
    let transform = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(broken)
}

/// The figure as PDF, of vectors and text; the same figure gives the same bytes.
///
/// # Errors
/// If the figure cannot be converted.
pub fn to_pdf(figure: &Figure) -> Result<Vec<u8>> {
    let page = svg2pdf::PageOptions { dpi: 96.0 };
    let pdf = svg2pdf::to_pdf(&tree(figure)?, svg2pdf::ConversionOptions::default(), page).map_err(broken)?;
    Ok(ordered(&pdf).unwrap_or(pdf))
}

/// Texts of a figure with letters that no font has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingLetters {
    /// How many different texts.
    pub texts: usize,
    /// One of them.
    pub example: String,
}

impl std::fmt::Display for MissingLetters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { texts, example } = self;
        let (names, have) = if *texts == 1 { ("name", "has") } else { ("names", "have") };
        write!(
            f,
            "{texts} {names} in the figure {have} letters that no font has, such as {example:?}; they are drawn as {PLACEHOLDER}"
        )
    }
}

/// Texts of the figure that [`to_png`] and [`to_pdf`] draw with [`PLACEHOLDER`]s; none if the fonts have all letters.
///
/// # Errors
/// If a font of the figure cannot be read.
pub fn missing_letters(figure: &Figure) -> Result<Option<MissingLetters>> {
    let svg = figure.draw();
    let missing = missing(&svg, &options(figure)?)?;
    let concerned: BTreeSet<&String> =
        svg.texts().iter().filter(|text| text.chars().any(|c| missing.contains(&c))).collect();
    let example = svg.texts().iter().find(|text| concerned.contains(text)).cloned();
    Ok(example.map(|example| MissingLetters { texts: concerned.len(), example }))
}

/// What is drawn for a letter that no font has; our font has it.
pub const PLACEHOLDER: char = '¤';

fn tree(figure: &Figure) -> Result<usvg::Tree> {
    let options = options(figure)?;
    let svg = figure.draw();
    let missing = missing(&svg, &options)?;
    let mut text = svg.finish("");
    if !missing.is_empty() {
        // Markup is ASCII, so that only texts can hold these.
        let visible = |c: char| match c {
            c if missing.contains(&c) => Some(PLACEHOLDER),
            c => (!takes_no_room(c)).then_some(c),
        };
        text = text.chars().filter_map(visible).collect();
    }
    usvg::Tree::from_str(&text, &options).map_err(broken)
}

/// Letters of the drawing's texts that no font has.
///
/// Each is laid out between two that every font has: a text of missing letters alone is no part of the tree.
fn missing(svg: &Svg, options: &usvg::Options<'_>) -> Result<BTreeSet<char>> {
    let letters: BTreeSet<char> = svg
        .texts()
        .iter()
        .flat_map(|text| text.chars())
        .filter(|c| !c.is_ascii() && !c.is_control() && !takes_no_room(*c))
        .collect();
    if letters.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut probe = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">".to_owned();
    for letter in &letters {
        probe.push_str(&format!("<text y=\"9\">M{}M</text>", escaped(&letter.to_string())));
    }
    probe.push_str("</svg>");
    let tree = usvg::Tree::from_str(&probe, options).map_err(broken)?;
    let mut missing = BTreeSet::new();
    collect_missing(tree.root(), &mut missing);
    Ok(missing)
}

fn collect_missing(group: &usvg::Group, missing: &mut BTreeSet<char>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => collect_missing(group, missing),
            usvg::Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                // Glyph 0 is the one for "missing".
                let letters = glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars());
                missing.extend(letters.filter(|c| !c.is_ascii()));
            }
            _ => {}
        }
    }
}

/// Joiners, marks of direction and selectors of variants, which are never drawn themselves.
fn takes_no_room(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

fn options(figure: &Figure) -> Result<usvg::Options<'static>> {
    let mut options = usvg::Options { font_family: super::svg::FAMILY.into(), ..usvg::Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(SEMI_BOLD.to_vec());
    for font in &figure.fonts {
        let before = fonts.len();
        fonts.load_font_data(font.clone());
        if fonts.len() == before {
            return Err(Error::Config {
                parameter: "font",
                expected: "a TrueType or OpenType file (.ttf, .otf, .ttc)".into(),
                found: "a file that is none".into(),
            });
        }
    }
    Ok(options)
}

fn broken(why: impl std::fmt::Display) -> Error {
    Error::Graph(format!("the figure cannot be converted: {why}; SVG needs no conversion"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure::{Content, Panel};
    use crate::plot::theme::LIGHT;

    fn figure(title: &str) -> Figure {
        let panel = Panel { title: title.into(), note: None, content: Content::Geodesics };
        Figure::new(300.0, 300.0, LIGHT, vec![panel])
    }

    #[test]
    fn letters_that_no_font_has_are_reported_and_drawn_as_placeholders() {
        assert_eq!(missing_letters(&figure("größer · Δέλτα · Добро ¤")).unwrap(), None);
        for name in ["می‌خواهم", "中文 Straße", "日本"] {
            let missing =
                missing_letters(&figure(name)).unwrap().expect("our font has none of these letters");
            assert_eq!((missing.texts, missing.example.as_str()), (1, name));
            let boxed: String = name
                .chars()
                .filter(|c| !takes_no_room(*c))
                .map(|c| if c.is_ascii() || c == 'ß' { c } else { PLACEHOLDER })
                .collect();
            assert_eq!(to_png(&figure(name), 1.0).unwrap(), to_png(&figure(&boxed), 1.0).unwrap());
            assert!(to_pdf(&figure(name)).unwrap().starts_with(b"%PDF-"));
        }
    }

    #[test]
    fn a_font_that_is_none_is_refused() {
        let figure = Figure { fonts: vec![b"no font".to_vec()], ..figure("x") };
        let error = to_png(&figure, 1.0).unwrap_err().to_string();
        assert!(error.contains("`font` must be a TrueType or OpenType file"), "{error}");
    }
}
