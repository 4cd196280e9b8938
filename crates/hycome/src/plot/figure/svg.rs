//! SVG writer: shapes, paths, text.

use std::fmt::Write;

/// An SVG document under construction.
#[derive(Clone, Debug)]
pub(crate) struct Svg {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    body: String,
    texts: Vec<String>,
}

/// Horizontal alignment of text relative to its anchor point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Left-aligned.
    Start,
    /// Centred.
    Middle,
    /// Right-aligned.
    End,
}

/// Style of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Font<'a> {
    /// Font size in pixels.
    pub size: f64,
    /// Semi-bold, for titles.
    pub bold: bool,
    /// Colour.
    pub color: &'a str,
    /// Alignment.
    pub anchor: Anchor,
}

/// Family of the embedded fonts.
pub(crate) const FAMILY: &str = "Inter";

impl Svg {
    /// An empty document with a background colour.
    #[must_use]
    pub(crate) fn new(width: f64, height: f64, background: &str) -> Self {
        let mut svg = Self { width, height, body: String::new(), texts: Vec::new() };
        let (w, h) = (number(width), number(height));
        let _ = writeln!(svg.body, r#"<rect width="{w}" height="{h}" fill="{background}"/>"#);
        svg
    }

    /// Adds markup verbatim; the caller escapes untrusted text.
    pub(crate) fn raw(&mut self, elements: &str) {
        self.body.push_str(elements);
        self.body.push('\n');
    }

    /// Adds a circle with attributes.
    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, attributes: &str) {
        let (x, y, r) = (number(x), number(y), number(radius));
        let _ = writeln!(self.body, r#"<circle cx="{x}" cy="{y}" r="{r}" {attributes}/>"#);
    }

    /// Adds a path with attributes.
    pub(crate) fn path(&mut self, path: &str, attributes: &str) {
        let _ = writeln!(self.body, r#"<path d="{path}" {attributes}/>"#);
    }

    /// Adds a straight line with attributes.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &str) {
        let path = format!("M{} {}L{} {}", number(from.0), number(from.1), number(to.0), number(to.1));
        self.path(&path, attributes);
    }

    /// All texts in the order of insertion.
    #[must_use]
    #[cfg_attr(not(feature = "figures"), allow(dead_code, reason = "only raster figures need it"))]
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Adds text, which is escaped.
    pub(crate) fn text(&mut self, x: f64, y: f64, text: &str, font: Font<'_>) {
        self.texts.push(text.to_owned());
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if font.bold { "600" } else { "400" };
        let (x, y, size, color) = (number(x), number(y), number(font.size), font.color);
        let _ = writeln!(
            self.body,
            r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{color}">{}</text>"#,
            escaped(text)
        );
    }

    /// Adds text with an outline in the background colour, for readability above lines and nodes.
    pub(crate) fn text_with_halo(&mut self, x: f64, y: f64, text: &str, font: Font<'_>, background: &str) {
        let start = self.body.len();
        self.text(x, y, text, font);
        let width = number(0.28 * font.size);
        let halo = format!(
            r#"<text paint-order="stroke" stroke="{background}" stroke-width="{width}" stroke-linejoin="round""#
        );
        self.body.replace_range(start..start + "<text".len(), &halo);
    }

    /// The complete document; `fonts` are `@font-face` rules.
    #[must_use]
    pub(crate) fn finish(&self, fonts: &str) -> String {
        let (w, h) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{FAMILY}, 'Helvetica Neue', Arial, sans-serif\">\n{fonts}{}</svg>\n",
            self.body
        )
    }
}

/// Formats a number with two decimals.
#[must_use]
pub(crate) fn number(x: f64) -> String {
    let rounded = (100.0 * x).round() / 100.0;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// Escapes text for XML; control characters, which XML forbids, become visible escapes.
#[must_use]
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}') => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// Truncates text to a number of characters, with an ellipsis.
#[must_use]
pub(crate) fn truncated(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['…']).collect()
}

/// Upper estimate of the width of a text in the embedded font.
#[must_use]
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let of_char = |c: char| match c {
        c if is_zero_width(c) => 0.0,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | ' ' => 0.31,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.93,
        'A'..='Z' => 0.74,
        c if c as u32 >= 0x2e80 => 1.0,
        _ => 0.62,
    };
    size * text.chars().map(of_char).sum::<f64>()
}

/// Joiners, direction marks and variation selectors: characters without a glyph of their own.
#[must_use]
pub(crate) fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Formats a count with thousands separators.
#[must_use]
pub(crate) fn with_separators(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        let mut svg = Svg::new(10.0, 10.0, "#fff");
        let font = Font { size: 10.0, bold: false, color: "#000", anchor: Anchor::Start };
        svg.text(1.0, 2.0, "</text><script>alert(\"1\")</script>\u{0}\u{202e}&", font);
        let text = svg.finish("");
        assert!(
            !text.contains("<script")
                && text.contains("&lt;script&gt;")
                && text.contains("\\u{0}\\u{202e}&amp;")
        );
    }

    #[test]
    fn numbers_have_two_decimals() {
        assert_eq!([number(1.0), number(0.333333), number(-0.0001)], ["1", "0.33", "0"]);
    }

    #[test]
    fn joiners_have_no_width() {
        assert_eq!(text_width("می\u{200c}خواهم", 10.0), text_width("میخواهم", 10.0));
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(
            [0, 999, 1000, 20_000, 1_234_567].map(with_separators),
            ["0", "999", "1,000", "20,000", "1,234,567"]
        );
    }

    #[test]
    fn long_texts_are_truncated_between_characters() {
        assert_eq!(truncated("größer", 6), "größer");
        assert_eq!(truncated("größere", 4), "grö…");
    }
}
