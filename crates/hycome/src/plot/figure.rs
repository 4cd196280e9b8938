//! Figures: panels with titles and legends on one sheet.
//!
//! A [`Figure`] has panels, each a disc or a chart. They are laid out in rows and columns so that they become as large
//! as possible, and drawn as SVG. The font is part of the drawing, so that it looks the same everywhere; PNG and PDF
//! are made of it by `raster` (feature `figures`).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::chart::{self, Chart};
use super::coloring::Coloring;
use super::curves::Lens;
use super::disc::{self, Shown};
use super::legend::Legend;
use super::scene::Scene;
use super::sketch;
use super::svg::{Anchor, Font, Svg, escaped, shortened};
use super::theme::Theme;

/// The letters of every figure: a part of Inter; see `fonts/LICENSE.txt`.
pub(super) const REGULAR: &[u8] = include_bytes!("fonts/Inter-Regular.otf");
pub(super) const SEMI_BOLD: &[u8] = include_bytes!("fonts/Inter-SemiBold.otf");

/// One sheet.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Width in pixels, of which 96 are an inch.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Light or dark.
    pub theme: Theme,
    /// What is on it.
    pub panels: Vec<Panel>,
    /// Panels that belong together and stay in one row: 1, or 2 for pairs.
    pub group: usize,
    /// Further fonts, as the bytes of their files, for letters that ours lacks; for PNG and PDF.
    pub fonts: Vec<Vec<u8>>,
}

/// A part of a figure.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What stands above it.
    pub title: String,
    /// What stands below the title, if anything.
    pub note: Option<String>,
    /// What is in it.
    pub content: Content,
}

/// What is in a panel.
#[derive(Clone, Debug)]
pub enum Content {
    /// A scene, coloured by the colouring of this place.
    Disc {
        /// The scene.
        scene: Box<Scene>,
        /// Which of its colourings.
        coloring: usize,
        /// What of it is drawn.
        shown: Shown,
    },
    /// Straight lines and circles of the plane.
    Geodesics,
    /// Curves with axes.
    Chart(Chart),
}

/// Left, top, width, height.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

impl Figure {
    /// A figure of panels that belong to nothing but themselves, with our own font.
    #[must_use]
    pub fn new(width: f64, height: f64, theme: Theme, panels: Vec<Panel>) -> Self {
        Self { width, height, theme, panels, group: 1, fonts: Vec::new() }
    }

    /// Columns of a figure of so many panels that is about as wide as high, with `group` of them in one row.
    #[must_use]
    pub fn usual_columns(panels: usize, group: usize) -> usize {
        let group = group.max(1);
        ((panels as f64).sqrt().ceil() as usize).next_multiple_of(group).clamp(1, panels.max(1))
    }

    /// The figure as SVG, with its fonts.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.draw().finish(&font_rules())
    }

    /// The drawing, for converters that bring the fonts themselves.
    pub(super) fn draw(&self) -> Svg {
        let mut svg = Svg::new(self.width, self.height, self.theme.ground);
        let names: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        svg.raw(&format!("<title>{}</title>", escaped(&names.join(", "))));
        let (columns, areas) = self.areas();
        for (panels, areas) in self.panels.chunks(columns).zip(areas.chunks(columns)) {
            // Panels of one row share the room of title and legend, so that their discs are of one size.
            let pairs = || panels.iter().zip(areas);
            let header = pairs().map(|(panel, area)| panel.header(*area)).fold(0.0, f64::max);
            let footer = pairs().map(|(panel, area)| panel.footer(*area)).fold(0.0, f64::max);
            pairs().for_each(|(panel, area)| self.draw_panel(&mut svg, panel, *area, header, footer));
        }
        svg
    }

    /// Columns, and where panels go: the number of columns that gives the largest squares and breaks no group.
    fn areas(&self) -> (usize, Vec<Area>) {
        let count = self.panels.len().max(1);
        let margin = 0.02 * self.width.min(self.height);
        let (width, height) = (self.width - margin, self.height - margin);
        let side = |columns: usize| (width / columns as f64).min(height / count.div_ceil(columns) as f64);
        let group = self.group.clamp(1, count);
        let columns = (group..=count)
            .filter(|columns| columns.is_multiple_of(group))
            .max_by(|&a, &b| side(a).total_cmp(&side(b)).then(b.cmp(&a)))
            .unwrap_or(group);
        let (w, h) = (width / columns as f64, height / count.div_ceil(columns) as f64);
        let place = |i: usize| Area {
            left: margin + w * (i % columns) as f64,
            top: margin + h * (i / columns) as f64,
            width: w - margin,
            height: h - margin,
        };
        (columns, (0..self.panels.len()).map(place).collect())
    }

    fn draw_panel(&self, svg: &mut Svg, panel: &Panel, area: Area, header: f64, footer: f64) {
        let size = letters(area);
        let middle = area.left + 0.5 * area.width;
        let mut top = area.top;
        if !panel.title.is_empty() {
            let font = Font { size: 1.2 * size, bold: true, color: self.theme.ink, anchor: Anchor::Middle };
            let letters = (area.width / (0.6 * font.size)) as usize;
            svg.text(middle, top + 1.2 * size, &shortened(&panel.title, letters), font);
            top += TITLE * size;
        }
        let font = Font { size: 0.85 * size, bold: false, color: self.theme.faint, anchor: Anchor::Middle };
        for line in panel.note_lines(area) {
            svg.text(middle, top + 0.7 * size, &line, font);
            top += 1.2 * size;
        }
        let rest = Area { top: area.top + header, height: area.height - header, ..area };
        let above = Area { height: rest.height - footer, ..rest };
        let below = Area { top: above.top + above.height, height: footer, ..rest };
        match &panel.content {
            Content::Disc { scene, coloring, shown } => {
                let coloring = &scene.colorings[*coloring];
                disc::draw(svg, scene, coloring, *shown, lens_in(above), above, &self.theme);
                legend(scene, coloring, *shown, area).draw(svg, below, &self.theme);
            }
            Content::Geodesics => sketch::geodesics(svg, lens_in(above), below, size, &self.theme),
            Content::Chart(chart) => chart::draw(svg, chart, rest, size, &self.theme),
        }
    }
}

/// Height of a title in letters.
const TITLE: f64 = 1.9;

impl Panel {
    /// Height of the title and the note.
    fn header(&self, area: Area) -> f64 {
        let size = letters(area);
        let title = if self.title.is_empty() { 0.0 } else { TITLE * size };
        let lines = self.note_lines(area).len() as f64;
        title + if lines > 0.0 { (1.2 * lines + 0.3) * size } else { 0.0 }
    }

    /// Height of the legend.
    fn footer(&self, area: Area) -> f64 {
        match &self.content {
            Content::Disc { scene, coloring, shown } => {
                legend(scene, &scene.colorings[*coloring], *shown, area).height()
            }
            Content::Geodesics => sketch::CAPTION * letters(area),
            Content::Chart(_) => 0.0,
        }
    }

    fn note_lines(&self, area: Area) -> Vec<String> {
        let per_line = (area.width / (0.54 * 0.85 * letters(area))) as usize;
        self.note.as_deref().map_or(Vec::new(), |note| lines(note, per_line))
    }
}

/// Size of the letters of a panel.
fn letters(area: Area) -> f64 {
    (0.032 * area.width.min(area.height)).clamp(8.0, 20.0)
}

fn legend(scene: &Scene, coloring: &Coloring, shown: Shown, area: Area) -> Legend {
    Legend::new(coloring, shown.contours.then_some(scene.projection.dim), area.width, letters(area))
}

/// Words in lines of so many letters, four lines at most.
fn lines(words: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().take(4).map(|line| shortened(&line, letters)).collect()
}

/// The largest disc of an area.
fn lens_in(area: Area) -> Lens {
    let radius = 0.5 * area.width.min(area.height) - 2.0;
    Lens { center: (area.left + 0.5 * area.width, area.top + 0.5 * area.height), radius: radius.max(1.0) }
}

/// Rules that bring the fonts along.
fn font_rules() -> String {
    let rule = |weight: u32, font: &[u8]| {
        let data = STANDARD.encode(font);
        format!(
            "@font-face{{font-family:{};font-weight:{weight};src:url(data:font/otf;base64,{data})}}",
            super::svg::FAMILY
        )
    };
    format!("<defs><style>{}{}</style></defs>\n", rule(400, REGULAR), rule(600, SEMI_BOLD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::theme::LIGHT;

    fn figure(count: usize, group: usize, width: f64, height: f64) -> Figure {
        let panel = Panel { title: String::new(), note: None, content: Content::Geodesics };
        Figure { group, ..Figure::new(width, height, LIGHT, vec![panel; count]) }
    }

    #[test]
    fn pairs_stay_in_one_row() {
        for count in [2, 4, 6, 8, 10] {
            for (width, height) in [(600.0, 600.0), (1920.0, 2160.0), (1200.0, 300.0), (300.0, 1200.0)] {
                let (columns, areas) = figure(count, 2, width, height).areas();
                assert!(columns.is_multiple_of(2), "{count} panels on {width}x{height}: {columns} columns");
                assert!(areas.chunks(2).all(|pair| pair[0].top == pair[1].top));
            }
            assert!(Figure::usual_columns(count, 2).is_multiple_of(2));
        }
        assert_eq!(figure(1, 2, 600.0, 600.0).areas().0, 1, "half a pair is alone");
    }

    #[test]
    fn discs_of_one_row_have_one_size_whatever_stands_above_and_below() {
        let mut figure = figure(2, 1, 1200.0, 600.0);
        figure.panels[1].title = "a title".into();
        figure.panels[1].note = Some("a note ".repeat(40));
        let svg = figure.draw().finish("");
        // The disc's ground is the first circle of each panel.
        let radius = |line: &str| line.split_once(" r=\"")?.1.split('"').next()?.parse::<f64>().ok();
        let radii: Vec<f64> = svg.lines().filter_map(radius).filter(|r| *r > 150.0).collect();
        assert!(radii.len() >= 4 && radii.iter().all(|r| *r == radii[0]), "{radii:?}");
    }
}
