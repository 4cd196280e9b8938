//! Legends of discs: classes with their sizes, and the contours.

use super::Area;
use super::disc;
use super::svg::{Anchor, Font, Svg, number, text_width, truncated, with_separators};
use super::theme::Theme;
use crate::plot::coloring::Coloring;
use crate::plot::palette;

/// Maximum number of listed classes; the others are counted.
const MAX_LISTED: usize = 24;

/// Maximum length of a class name in characters.
const MAX_LENGTH: usize = 24;

/// The legend of one disc.
pub(super) struct Legend {
    entries: Vec<Entry>,
    size: f64,
    width: f64,
}

struct Entry {
    symbol: Symbol,
    text: String,
    /// Whether it starts a new row.
    breaks: bool,
}

enum Symbol {
    /// No symbol: a heading, or the number of classes that are not listed.
    None,
    /// Colour and shape of a palette rank.
    Class(usize),
    /// A contour of a community.
    Contour { dashed: bool },
}

impl Legend {
    /// A legend of this width and font size; `circles` is the dimension of the embedding, if contours are drawn.
    pub(super) fn new(coloring: &Coloring, circles: Option<usize>, width: f64, size: f64) -> Self {
        let mut classes: Vec<_> = coloring.classes.iter().filter(|class| class.size > 0).collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.size));
        let mut entries = vec![entry(Symbol::None, format!("{}:", coloring.key))];
        for class in classes.iter().take(MAX_LISTED) {
            let text = format!("{} ({})", truncated(&class.name, MAX_LENGTH), with_separators(class.size));
            entries.push(entry(Symbol::Class(class.rank), text));
        }
        if classes.len() > MAX_LISTED {
            entries.push(entry(
                Symbol::None,
                format!("and {} more", with_separators(classes.len() - MAX_LISTED)),
            ));
        }
        if let Some(dim) = circles {
            let projected = if dim > 2 { "projected " } else { "" };
            let text = format!("50 % of a community’s {projected}Gaussian");
            entries.push(Entry { breaks: true, ..entry(Symbol::Contour { dashed: false }, text) });
            entries.push(entry(Symbol::Contour { dashed: true }, "90 %".to_owned()));
        }
        Self { entries, size: 0.92 * size, width }
    }

    /// Required height.
    pub(super) fn height(&self) -> f64 {
        1.68 * self.size * self.rows().len() as f64 + 0.65 * self.size
    }

    /// Draws the legend at the top of an area.
    pub(super) fn draw(&self, svg: &mut Svg, area: Area, theme: &Theme) {
        let size = self.size;
        for (row, places) in self.rows().into_iter().enumerate() {
            let Some(&(last, from)) = places.last() else { continue };
            let used = from + self.entries[last].width(size);
            let start = area.left + 0.5 * (area.width - used).max(0.0);
            let y = area.top + 1.68 * size * (row as f64 + 1.0);
            for (i, left) in places {
                let Entry { symbol, text, .. } = &self.entries[i];
                let (x, middle) = (start + left, y - 0.35 * size);
                let (indent, color) = match symbol {
                    Symbol::None => (0.0, theme.muted),
                    Symbol::Class(rank) => {
                        let fill = format!(r#"fill="{}""#, theme.palette.color(*rank));
                        disc::marker(svg, palette::shape(*rank), x + 0.5 * size, middle, 0.42 * size, &fill);
                        (1.3 * size, theme.ink)
                    }
                    Symbol::Contour { dashed } => {
                        let dash = if *dashed { r#" stroke-dasharray="2.5 1.8""# } else { "" };
                        let line = number(0.1 * size);
                        let stroke =
                            format!(r#"fill="none" stroke="{}" stroke-width="{line}"{dash}"#, theme.muted);
                        svg.circle(x + 0.5 * size, middle, 0.48 * size, &stroke);
                        (1.4 * size, theme.muted)
                    }
                };
                svg.text(x + indent, y, text, Font { size, bold: false, color, anchor: Anchor::Start });
            }
        }
    }

    /// Wraps entries to rows, as indices of entries with their left edges.
    fn rows(&self) -> Vec<Vec<(usize, f64)>> {
        let (mut rows, mut left) = (vec![Vec::new()], 0.0);
        for (i, entry) in self.entries.iter().enumerate() {
            let wide = entry.width(self.size);
            if left > 0.0 && (entry.breaks || left + wide > self.width) {
                rows.push(Vec::new());
                left = 0.0;
            }
            rows.last_mut().expect("there is a row").push((i, left));
            left += wide + 1.1 * self.size;
        }
        rows
    }
}

impl Entry {
    fn width(&self, size: f64) -> f64 {
        let indent = if matches!(self.symbol, Symbol::None) { 0.0 } else { 1.4 * size };
        text_width(&self.text, size) + indent
    }
}

fn entry(symbol: Symbol, text: String) -> Entry {
    Entry { symbol, text, breaks: false }
}
