//! Conversion of figures to PNG and PDF, with the embedded fonts and those of the figure; system fonts are not used.
//!
//! Characters without a glyph would be invisible. They are drawn as a placeholder instead, and [`missing_glyphs`]
//! reports them.

use std::collections::BTreeSet;
use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use super::svg::{Svg, escaped, is_zero_width};
use super::{Figure, REGULAR, SEMI_BOLD};
use crate::{Error, Result};

/// Maximum side of a PNG in pixels: a square of this size takes a gigabyte of memory.
const MAX_SIDE: f64 = 16_384.0;

/// Renders the figure as PNG with `scale` pixels per pixel of the figure.
///
/// # Errors
/// If a side would be less than 1 or more than 16,384 pixels.
pub fn to_png(figure: &Figure, scale: f64) -> Result<Vec<u8>> {
    let (width, height) = ((scale * figure.width).round(), (scale * figure.height).round());
    if !(width >= 1.0 && height >= 1.0 && width.max(height) <= MAX_SIDE) {
        let expected = format!("from 1 to {MAX_SIDE} pixels wide and high");
        return Err(Error::Config { parameter: "size", expected, found: format!("{width} × {height}") });
    }
    let tree = tree(figure)?;
    let mut pixels = tiny_skia::Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| conversion_error("no memory for it"))?;
    let transform = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(conversion_error)
}

/// Converts the figure to PDF with vector graphics and text.
///
/// The bytes may differ between calls, as svg2pdf writes resources in the order of hash maps; the rendered page is the
/// same.
///
/// # Errors
/// If the figure cannot be converted.
pub fn to_pdf(figure: &Figure) -> Result<Vec<u8>> {
    let page = svg2pdf::PageOptions { dpi: 96.0 };
    svg2pdf::to_pdf(&tree(figure)?, svg2pdf::ConversionOptions::default(), page).map_err(conversion_error)
}

/// Texts of a figure with characters that no font has a glyph for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingGlyphs {
    /// Number of distinct texts.
    pub texts: usize,
    /// One of them.
    pub example: String,
}

impl std::fmt::Display for MissingGlyphs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { texts, example } = self;
        let (names, have) = if *texts == 1 { ("name", "has") } else { ("names", "have") };
        write!(
            f,
            "{texts} {names} in the figure {have} characters without a glyph in any font, such as {example:?}; \
             they are drawn as {PLACEHOLDER}"
        )
    }
}

/// Texts that [`to_png`] and [`to_pdf`] draw with placeholders; none if the fonts have all glyphs.
///
/// # Errors
/// If a font of the figure cannot be read.
pub fn missing_glyphs(figure: &Figure) -> Result<Option<MissingGlyphs>> {
    let svg = figure.draw();
    let missing = missing(&svg, &options(figure)?)?;
    let affected: BTreeSet<&String> =
        svg.texts().iter().filter(|text| text.chars().any(|c| missing.contains(&c))).collect();
    let example = svg.texts().iter().find(|text| affected.contains(text)).cloned();
    Ok(example.map(|example| MissingGlyphs { texts: affected.len(), example }))
}

/// Drawn for characters without a glyph; the embedded fonts have it.
pub(crate) const PLACEHOLDER: char = '¤';

fn tree(figure: &Figure) -> Result<usvg::Tree> {
    let options = options(figure)?;
    let svg = figure.draw();
    let missing = missing(&svg, &options)?;
    let text = with_placeholders(&svg.finish(""), &missing);
    usvg::Tree::from_str(&text, &options).map_err(conversion_error)
}

/// Replaces each missing character and the joiners and selectors after it by a [`PLACEHOLDER`].
fn with_placeholders(svg: &str, missing: &BTreeSet<char>) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut is_after_missing = false;
    for c in svg.chars() {
        // Markup is ASCII, so only texts have missing characters.
        if missing.contains(&c) {
            out.push(PLACEHOLDER);
            is_after_missing = true;
        } else if !(is_after_missing && is_zero_width(c)) {
            out.push(c);
            is_after_missing = false;
        }
    }
    out
}

/// Characters of the drawing's texts that no font has a glyph for.
///
/// Each is laid out between two ASCII letters: usvg drops texts of missing characters alone.
fn missing(svg: &Svg, options: &usvg::Options<'_>) -> Result<BTreeSet<char>> {
    let letters: BTreeSet<char> = svg
        .texts()
        .iter()
        .flat_map(|text| text.chars())
        .filter(|c| !c.is_ascii() && !c.is_control() && !is_zero_width(*c))
        .collect();
    if letters.is_empty() {
        return Ok(BTreeSet::new());
    }
    let mut probe = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">".to_owned();
    for letter in &letters {
        probe.push_str(&format!("<text y=\"9\">M{}M</text>", escaped(&letter.to_string())));
    }
    probe.push_str("</svg>");
    let tree = usvg::Tree::from_str(&probe, options).map_err(conversion_error)?;
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
                // Glyph 0 is .notdef.
                let letters = glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars());
                missing.extend(letters.filter(|c| !c.is_ascii()));
            }
            _ => {}
        }
    }
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
                found: "a file of another kind".into(),
            });
        }
    }
    Ok(options)
}

fn conversion_error(why: impl std::fmt::Display) -> Error {
    Error::Graph(format!("the figure cannot be converted: {why}; SVG needs no conversion"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::figure::theme::LIGHT;
    use crate::plot::figure::{Content, Panel};

    fn figure(title: &str) -> Figure {
        let panel = Panel { title: title.into(), note: None, content: Content::Geodesics };
        Figure::new(300.0, 300.0, LIGHT, vec![panel])
    }

    #[test]
    fn characters_without_a_glyph_are_reported_and_drawn_as_placeholders() {
        assert_eq!(missing_glyphs(&figure("größer · Δέλτα · Добро ¤")).unwrap(), None);
        for name in ["می‌خواهم", "中文 Straße", "日本"] {
            let missing =
                missing_glyphs(&figure(name)).unwrap().expect("the embedded fonts lack these characters");
            assert_eq!((missing.texts, missing.example.as_str()), (1, name));
            let boxed: String = name
                .chars()
                .filter(|c| !is_zero_width(*c))
                .map(|c| if c.is_ascii() || c == 'ß' { c } else { PLACEHOLDER })
                .collect();
            assert_eq!(to_png(&figure(name), 1.0).unwrap(), to_png(&figure(&boxed), 1.0).unwrap());
            assert!(to_pdf(&figure(name)).unwrap().starts_with(b"%PDF-"));
        }
    }

    #[test]
    fn joiners_between_available_characters_are_kept() {
        let missing = BTreeSet::from(['👨', '💻', '日']);
        let svg = "<text>می\u{200c}خواهم</text><text>👨\u{200d}💻</text><text>日x</text>";
        let expected = "<text>می\u{200c}خواهم</text><text>¤¤</text><text>¤x</text>";
        assert_eq!(with_placeholders(svg, &missing), expected);
    }

    #[test]
    fn invalid_font_file_is_rejected() {
        let figure = Figure { fonts: vec![b"no font".to_vec()], ..figure("x") };
        let error = to_png(&figure, 1.0).unwrap_err().to_string();
        assert!(error.contains("`font` must be a TrueType or OpenType file"), "{error}");
    }
}
