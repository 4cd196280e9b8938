//! PNG and PDF of a figure, with the fonts that are part of this library and no others.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use super::figure::{Figure, REGULAR, SEMI_BOLD};
use super::ordered::ordered;
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

fn tree(figure: &Figure) -> Result<usvg::Tree> {
    let mut options = usvg::Options { font_family: super::svg::FAMILY.into(), ..usvg::Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(SEMI_BOLD.to_vec());
    usvg::Tree::from_str(&figure.draw().finish(""), &options).map_err(broken)
}

fn broken(why: impl std::fmt::Display) -> Error {
    Error::Graph(format!("the figure cannot be converted: {why}; SVG needs no conversion"))
}
