//! Legends of discs: the classes with their sizes, and what the circles mean.

use super::coloring::Coloring;
use super::disc;
use super::figure::Area;
use super::palette;
use super::svg::{Anchor, Font, Svg, grouped, number, shortened, width};
use super::theme::Theme;

/// Classes that a legend lists; the others are counted.
const MOST_LISTED: usize = 24;

/// Letters of a class in a legend.
const LETTERS: usize = 24;

/// The legend of one disc.
pub struct Legend {
    entries: Vec<Entry>,
    size: f64,
    width: f64,
}

struct Entry {
    sign: Sign,
    words: String,
    /// Whether it begins a new row.
    breaks: bool,
}

enum Sign {
    /// None: the words are a heading, or count what is left out.
    None,
    /// The colour and shape of this rank.
    Class(usize),
    /// A circle around a community.
    Ring { dashed: bool },
}

impl Legend {
    /// A legend of this width in letters of this size; `circles` says of how many dimensions the points were, if Gaussians are drawn.
    pub fn new(coloring: &Coloring, circles: Option<usize>, width: f64, size: f64) -> Self {
        let mut classes: Vec<_> = coloring.classes.iter().filter(|class| class.size > 0).collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.size));
        let mut entries = vec![entry(Sign::None, format!("{}:", coloring.key))];
        for class in classes.iter().take(MOST_LISTED) {
            let words = format!("{} ({})", shortened(&class.name, LETTERS), grouped(class.size));
            entries.push(entry(Sign::Class(class.rank), words));
        }
        if classes.len() > MOST_LISTED {
            entries.push(entry(Sign::None, format!("and {} more", grouped(classes.len() - MOST_LISTED))));
        }
        if let Some(dim) = circles {
            let projected = if dim > 2 { "projected " } else { "" };
            let words = format!("50 % of a community’s {projected}Gaussian");
            entries.push(Entry { breaks: true, ..entry(Sign::Ring { dashed: false }, words) });
            entries.push(entry(Sign::Ring { dashed: true }, "90 %".to_owned()));
        }
        Self { entries, size: 0.92 * size, width }
    }

    /// Height that the legend needs.
    pub fn height(&self) -> f64 {
        1.68 * self.size * self.rows().len() as f64 + 0.65 * self.size
    }

    /// Draws the legend at the top of an area of its width.
    pub fn draw(&self, svg: &mut Svg, area: Area, theme: &Theme) {
        let size = self.size;
        for (row, places) in self.rows().into_iter().enumerate() {
            let Some(&(last, from)) = places.last() else { continue };
            let used = from + self.entries[last].width(size);
            let start = area.left + 0.5 * (area.width - used).max(0.0);
            let y = area.top + 1.68 * size * (row as f64 + 1.0);
            for (i, left) in places {
                let Entry { sign, words, .. } = &self.entries[i];
                let (x, middle) = (start + left, y - 0.35 * size);
                let (indent, color) = match sign {
                    Sign::None => (0.0, theme.faint),
                    Sign::Class(rank) => {
                        let fill = format!(r#"fill="{}""#, theme.palette.color(*rank));
                        disc::mark(svg, palette::shape(*rank), x + 0.5 * size, middle, 0.42 * size, &fill);
                        (1.3 * size, theme.ink)
                    }
                    Sign::Ring { dashed } => {
                        let dash = if *dashed { r#" stroke-dasharray="2.5 1.8""# } else { "" };
                        let line = number(0.1 * size);
                        let stroke =
                            format!(r#"fill="none" stroke="{}" stroke-width="{line}"{dash}"#, theme.faint);
                        svg.circle(x + 0.5 * size, middle, 0.48 * size, &stroke);
                        (1.4 * size, theme.faint)
                    }
                };
                svg.text(x + indent, y, words, Font { size, bold: false, color, anchor: Anchor::Start });
            }
        }
    }

    /// Rows of entries that fit the width, as places of entries with their left sides.
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
        let indent = if matches!(self.sign, Sign::None) { 0.0 } else { 1.4 * size };
        width(&self.words, size) + indent
    }
}

fn entry(sign: Sign, words: String) -> Entry {
    Entry { sign, words, breaks: false }
}
