//! Light and dark colour themes of figures.

use crate::plot::palette::{self, Palette};

/// Colours of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Background.
    pub background: &'static str,
    /// Interior of the disc.
    pub disc: &'static str,
    /// The boundary of the disc, and axes.
    pub rim: &'static str,
    /// Lines of a grid.
    pub grid: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Secondary text.
    pub muted: &'static str,
    /// Edges between classes.
    pub edge: &'static str,
    /// Colours of classes.
    pub(crate) palette: Palette,
}

/// Light theme, for paper.
pub const LIGHT: Theme = Theme {
    background: "#ffffff",
    disc: "#ffffff",
    rim: "#b9bcc4",
    grid: "#e6e8ec",
    ink: "#22262e",
    muted: "#636b78",
    edge: "#6d7480",
    palette: palette::LIGHT,
};

/// Dark theme, for slides.
pub const DARK: Theme = Theme {
    background: "#0e1116",
    disc: "#151a21",
    rim: "#3a424e",
    grid: "#2a313b",
    ink: "#e8ebf0",
    muted: "#98a2b0",
    edge: "#8d97a6",
    palette: palette::DARK,
};
