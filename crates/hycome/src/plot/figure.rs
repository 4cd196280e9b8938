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
use super::palette;
use super::scene::Scene;
use super::sketch;
use super::svg::{Anchor, Font, Svg, escaped, shortened, width};
use super::theme::Theme;

/// The letters of every figure: a part of Inter; see `fonts/LICENSE.txt`.
pub(super) const REGULAR: &[u8] = include_bytes!("fonts/Inter-Regular.otf");
pub(super) const SEMI_BOLD: &[u8] = include_bytes!("fonts/Inter-SemiBold.otf");

/// Classes that a legend lists; the others are counted.
const MOST_LISTED: usize = 24;

/// Letters of a class in a legend.
const LETTERS: usize = 24;

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
        for (panel, area) in self.panels.iter().zip(self.areas()) {
            self.draw_panel(&mut svg, panel, area);
        }
        svg
    }

    /// Where panels go: the number of columns that gives the largest squares.
    fn areas(&self) -> Vec<Area> {
        let count = self.panels.len().max(1);
        let margin = 0.02 * self.width.min(self.height);
        let (width, height) = (self.width - margin, self.height - margin);
        let side = |columns: usize| (width / columns as f64).min(height / count.div_ceil(columns) as f64);
        let columns = (1..=count).max_by(|&a, &b| side(a).total_cmp(&side(b)).then(b.cmp(&a))).unwrap_or(1);
        let (w, h) = (width / columns as f64, height / count.div_ceil(columns) as f64);
        let place = |i: usize| Area {
            left: margin + w * (i % columns) as f64,
            top: margin + h * (i / columns) as f64,
            width: w - margin,
            height: h - margin,
        };
        (0..self.panels.len()).map(place).collect()
    }

    fn draw_panel(&self, svg: &mut Svg, panel: &Panel, area: Area) {
        let size = (0.032 * area.width.min(area.height)).clamp(8.0, 20.0);
        let middle = area.left + 0.5 * area.width;
        let mut top = area.top;
        if !panel.title.is_empty() {
            let font = Font { size: 1.2 * size, bold: true, color: self.theme.ink, anchor: Anchor::Middle };
            let letters = (area.width / (0.56 * font.size)) as usize;
            svg.text(middle, top + 1.2 * size, &shortened(&panel.title, letters), font);
            top += 1.9 * size;
        }
        if let Some(note) = &panel.note {
            let font =
                Font { size: 0.85 * size, bold: false, color: self.theme.faint, anchor: Anchor::Middle };
            for line in lines(note, (area.width / (0.54 * font.size)) as usize) {
                svg.text(middle, top + 0.7 * size, &line, font);
                top += 1.2 * size;
            }
            top += 0.3 * size;
        }
        let rest = Area { top, height: area.top + area.height - top, ..area };
        match &panel.content {
            Content::Disc { scene, coloring, shown } => {
                let coloring = &scene.colorings[*coloring];
                let below = legend_height(coloring, rest.width, size);
                let lens = lens_in(Area { height: rest.height - below, ..rest });
                disc::draw(svg, scene, coloring, *shown, lens, &self.theme);
                let legend = Area { top: rest.top + rest.height - below, height: below, ..rest };
                draw_legend(svg, coloring, legend, size, &self.theme);
            }
            Content::Geodesics => sketch::geodesics(svg, lens_in(rest), &self.theme),
            Content::Chart(chart) => chart::draw(svg, chart, rest, size, &self.theme),
        }
    }
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

/// Entries of a legend, the largest class first, as rank and words; the last may count what is left out.
fn entries(coloring: &Coloring) -> Vec<(Option<usize>, String)> {
    let mut classes: Vec<_> = coloring.classes.iter().filter(|class| class.size > 0).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.size));
    let entry = |class: &&super::Class| {
        (Some(class.rank), format!("{} ({})", shortened(&class.name, LETTERS), class.size))
    };
    let mut entries: Vec<_> = classes.iter().take(MOST_LISTED).map(entry).collect();
    if classes.len() > MOST_LISTED {
        entries.push((None, format!("and {} more", classes.len() - MOST_LISTED)));
    }
    entries
}

/// Rows of entries that fit a width, as places of entries with their left sides.
fn rows(entries: &[(Option<usize>, String)], room: f64, size: f64) -> Vec<Vec<(usize, f64)>> {
    let (mut rows, mut left) = (vec![Vec::new()], 0.0);
    for (i, (_, words)) in entries.iter().enumerate() {
        let wide = width(words, size) + 2.6 * size;
        if left + wide > room && left > 0.0 {
            rows.push(Vec::new());
            left = 0.0;
        }
        rows.last_mut().expect("there is a row").push((i, left));
        left += wide;
    }
    rows
}

fn legend_height(coloring: &Coloring, room: f64, size: f64) -> f64 {
    1.55 * size * rows(&entries(coloring), room, 0.92 * size).len() as f64 + 0.6 * size
}

fn draw_legend(svg: &mut Svg, coloring: &Coloring, area: Area, size: f64, theme: &Theme) {
    let entries = entries(coloring);
    let size = 0.92 * size;
    for (row, places) in rows(&entries, area.width, size).into_iter().enumerate() {
        let Some(&(last, from)) = places.last() else { continue };
        let used = from + width(&entries[last].1, size) + 1.6 * size;
        let start = area.left + 0.5 * (area.width - used).max(0.0);
        let y = area.top + 1.68 * size * (row as f64 + 1.0);
        for (i, left) in places {
            let (rank, words) = &entries[i];
            let x = start + left;
            if let Some(rank) = rank {
                let fill = format!(r#"fill="{}""#, theme.palette.color(*rank));
                disc::mark(svg, palette::shape(*rank), x + 0.5 * size, y - 0.35 * size, 0.42 * size, &fill);
            }
            svg.text(
                x + 1.3 * size,
                y,
                words,
                Font { size, bold: false, color: theme.ink, anchor: Anchor::Start },
            );
        }
    }
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
