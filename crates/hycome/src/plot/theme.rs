//! Light and dark: colours of everything in a figure.

use super::palette::{self, Palette};

/// Colours of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub ground: &'static str,
    /// Inside the disc.
    pub disc: &'static str,
    /// The boundary of the disc, and axes.
    pub rim: &'static str,
    /// Lines of a grid.
    pub grid: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Text that may be skipped.
    pub faint: &'static str,
    /// Edges between classes.
    pub edge: &'static str,
    /// Classes.
    pub palette: Palette,
}

/// For paper.
pub const LIGHT: Theme = Theme {
    ground: "#ffffff",
    disc: "#ffffff",
    rim: "#b9bcc4",
    grid: "#e6e8ec",
    ink: "#22262e",
    faint: "#636b78",
    edge: "#6d7480",
    palette: palette::LIGHT,
};

/// For dark slides.
pub const DARK: Theme = Theme {
    ground: "#0e1116",
    disc: "#151a21",
    rim: "#3a424e",
    grid: "#2a313b",
    ink: "#e8ebf0",
    faint: "#98a2b0",
    edge: "#8d97a6",
    palette: palette::DARK,
};
