//! Vector figures: panels with titles and legends.
//!
//! A [`Figure`] has panels, each a disc or a chart, in the grid layout that makes them largest. It is drawn as SVG
//! with embedded fonts, so that it looks the same everywhere; `raster` (feature `figures`) converts it to PNG and PDF.

mod badges;
pub mod chart;
pub(super) mod disc;
mod geodesics_figure;
mod label_distribution;
mod legend;
mod node_names;
#[cfg(feature = "figures")]
pub mod raster;
pub(super) mod svg;
pub mod theme;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use self::chart::Chart;
pub use self::disc::Layers;
pub use self::label_distribution::{label_distribution, label_shares};
use self::legend::Legend;
use self::svg::{Anchor, Font, Svg, escaped, truncated};
use self::theme::Theme;
use super::coloring::Coloring;
use super::curves::Viewport;
use super::scene::Scene;

/// Embedded fonts: a subset of Inter; see `fonts/LICENSE.txt`.
const REGULAR: &[u8] = include_bytes!("fonts/Inter-Regular.otf");
const SEMI_BOLD: &[u8] = include_bytes!("fonts/Inter-SemiBold.otf");

/// A figure of one or more panels.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Width in pixels at 96 dpi.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Colour theme.
    pub theme: Theme,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Number of consecutive panels that stay in one row: 2 for pairs.
    pub group: usize,
    /// Font files for glyphs that the embedded fonts lack; for PNG and PDF.
    pub fonts: Vec<Vec<u8>>,
}

/// A panel of a figure.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title above the panel.
    pub title: String,
    /// Subtitle below the title.
    pub note: Option<String>,
    /// The content.
    pub content: Content,
}

/// Content of a panel.
#[derive(Clone, Debug)]
pub enum Content {
    /// A scene in the Poincaré disc.
    Disc {
        /// The scene.
        scene: Box<Scene>,
        /// Index of the colouring.
        coloring: usize,
        /// The visible layers.
        layers: Layers,
    },
    /// Example geodesics and hyperbolic circles.
    Geodesics,
    /// A chart.
    Chart(Chart),
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Figure {
    /// A figure of ungrouped panels with the embedded fonts.
    #[must_use]
    pub fn new(width: f64, height: f64, theme: Theme, panels: Vec<Panel>) -> Self {
        Self { width, height, theme, panels, group: 1, fonts: Vec::new() }
    }

    /// Default number of columns: a nearly square grid that keeps groups in one row.
    #[must_use]
    pub fn default_columns(panels: usize, group: usize) -> usize {
        let group = group.max(1);
        ((panels as f64).sqrt().ceil() as usize).next_multiple_of(group).clamp(1, panels.max(1))
    }

    /// The figure as SVG with embedded fonts.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.draw().finish(&font_rules())
    }

    /// The drawing without fonts, for converters that load them.
    fn draw(&self) -> Svg {
        let mut svg = Svg::new(self.width, self.height, self.theme.background);
        let names: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        svg.raw(&format!("<title>{}</title>", escaped(&names.join(", "))));
        let (columns, areas) = self.areas();
        for (panels, areas) in self.panels.chunks(columns).zip(areas.chunks(columns)) {
            // Panels of one row reserve equal space for titles and legends, so that their discs have equal size.
            let pairs = || panels.iter().zip(areas);
            let header = pairs().map(|(panel, area)| panel.header(*area)).fold(0.0, f64::max);
            let footer = pairs().map(|(panel, area)| panel.footer(*area)).fold(0.0, f64::max);
            pairs().for_each(|(panel, area)| self.draw_panel(&mut svg, panel, *area, header, footer));
        }
        svg
    }

    /// Grid layout: the number of columns that maximizes the panels without breaking groups, and the panels' areas.
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
        let size = font_size(area);
        let middle = area.left + 0.5 * area.width;
        let mut top = area.top;
        if !panel.title.is_empty() {
            let font = Font { size: 1.2 * size, bold: true, color: self.theme.ink, anchor: Anchor::Middle };
            let length = (area.width / (0.6 * font.size)) as usize;
            svg.text(middle, top + 1.2 * size, &truncated(&panel.title, length), font);
            top += TITLE_HEIGHT * size;
        }
        let font = Font { size: 0.85 * size, bold: false, color: self.theme.muted, anchor: Anchor::Middle };
        for line in panel.note_lines(area) {
            svg.text(middle, top + 0.7 * size, &line, font);
            top += 1.2 * size;
        }
        let rest = Area { top: area.top + header, height: area.height - header, ..area };
        let above = Area { height: rest.height - footer, ..rest };
        let below = Area { top: above.top + above.height, height: footer, ..rest };
        match &panel.content {
            Content::Disc { scene, coloring, layers } => {
                let coloring = &scene.colorings[*coloring];
                disc::draw(svg, scene, coloring, *layers, viewport_in(above), above, &self.theme);
                legend(scene, coloring, *layers, area).draw(svg, below, &self.theme);
            }
            Content::Geodesics => geodesics_figure::draw(svg, viewport_in(above), below, size, &self.theme),
            Content::Chart(chart) => chart::draw(svg, chart, rest, size, &self.theme),
        }
    }
}

/// Height of a title in font sizes.
const TITLE_HEIGHT: f64 = 1.9;

impl Panel {
    /// Height of title and subtitle.
    fn header(&self, area: Area) -> f64 {
        let size = font_size(area);
        let title = if self.title.is_empty() { 0.0 } else { TITLE_HEIGHT * size };
        let lines = self.note_lines(area).len() as f64;
        title + if lines > 0.0 { (1.2 * lines + 0.3) * size } else { 0.0 }
    }

    /// Height of the legend.
    fn footer(&self, area: Area) -> f64 {
        match &self.content {
            Content::Disc { scene, coloring, layers } => {
                legend(scene, &scene.colorings[*coloring], *layers, area).height()
            }
            Content::Geodesics => geodesics_figure::CAPTION_HEIGHT * font_size(area),
            Content::Chart(_) => 0.0,
        }
    }

    fn note_lines(&self, area: Area) -> Vec<String> {
        let per_line = (area.width / (0.54 * 0.85 * font_size(area))) as usize;
        self.note.as_deref().map_or(Vec::new(), |note| wrap(note, per_line))
    }
}

/// Font size of a panel.
fn font_size(area: Area) -> f64 {
    (0.032 * area.width.min(area.height)).clamp(8.0, 20.0)
}

fn legend(scene: &Scene, coloring: &Coloring, layers: Layers, area: Area) -> Legend {
    Legend::new(coloring, layers.contours.then_some(scene.view.gaussian_dim()), area.width, font_size(area))
}

/// Wraps text to lines of `length` characters, at most four.
fn wrap(text: &str, length: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < length => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().take(4).map(|line| truncated(&line, length)).collect()
}

/// The largest disc in an area.
fn viewport_in(area: Area) -> Viewport {
    let radius = 0.5 * area.width.min(area.height) - 2.0;
    Viewport { center: (area.left + 0.5 * area.width, area.top + 0.5 * area.height), radius: radius.max(1.0) }
}

/// `@font-face` rules with the embedded fonts.
fn font_rules() -> String {
    let rule = |weight: u32, font: &[u8]| {
        let data = STANDARD.encode(font);
        format!(
            "@font-face{{font-family:{};font-weight:{weight};src:url(data:font/otf;base64,{data})}}",
            svg::FAMILY
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
            assert!(Figure::default_columns(count, 2).is_multiple_of(2));
        }
        assert_eq!(figure(1, 2, 600.0, 600.0).areas().0, 1, "an incomplete pair");
    }

    #[test]
    fn discs_in_a_row_have_equal_size() {
        let mut figure = figure(2, 1, 1200.0, 600.0);
        figure.panels[1].title = "a title".into();
        figure.panels[1].note = Some("a note ".repeat(40));
        let svg = figure.draw().finish("");
        // The disc is the largest circle of each panel.
        let radius = |line: &str| line.split_once(" r=\"")?.1.split('"').next()?.parse::<f64>().ok();
        let radii: Vec<f64> = svg.lines().filter_map(radius).filter(|r| *r > 150.0).collect();
        assert!(radii.len() >= 4 && radii.iter().all(|r| *r == radii[0]), "{radii:?}");
    }
}
