//! Figure files: size, theme, fonts and format.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use hycome::io::AtomicFile;
use hycome::plot::theme::{DARK, LIGHT};
use hycome::plot::{Figure, Panel, raster};

use crate::Usage;
use crate::term::output::shown;
use crate::term::summary;

/// Figure flags.
#[derive(Debug, clap::Args)]
pub struct FigureOptions {
    /// Figure size in pixels (96 per inch), WIDTHxHEIGHT [default: depends on the number of panels].
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Figure")]
    size: Option<(f64, f64)>,
    /// PNG resolution: output pixels per figure pixel [default: 2].
    #[arg(long, value_name = "X", value_parser = scale, help_heading = "Figure")]
    scale: Option<f64>,
    /// Colour theme [default: light].
    #[arg(long, value_enum, help_heading = "Figure")]
    theme: Option<Colors>,
    /// TrueType or OpenType font for characters missing from the built-in one (Latin, Greek, Cyrillic), in PNG and PDF;
    /// can be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Figure")]
    font: Vec<PathBuf>,
    /// Omit the subtitle.
    #[arg(long, help_heading = "Figure")]
    no_note: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colors {
    Light,
    Dark,
}

/// Format of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Html,
    Svg,
    Png,
    Pdf,
}

impl Format {
    /// The format for a file's extension.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        Ok(match extension.as_str() {
            "html" | "htm" => Self::Html,
            "svg" => Self::Svg,
            "png" => Self::Png,
            "pdf" => Self::Pdf,
            _ => bail!(Usage(format!(
                "{}: expected a file name that ends in .html, .svg, .png or .pdf",
                shown(path)
            ))),
        })
    }
}

/// Default size of a panel: a little taller than wide, for title and legend.
const PANEL: (f64, f64) = (640.0, 720.0);

impl FigureOptions {
    /// The first of these flags that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.size.is_some(), "--size"),
            (self.scale.is_some(), "--scale"),
            (self.theme.is_some(), "--theme"),
            (!self.font.is_empty(), "--font"),
            (self.no_note, "--no-note"),
        ];
        first_given(&flags)
    }

    /// Writes a figure; groups of `group` panels stay in one row.
    pub fn write(
        &self,
        path: &Path,
        format: Format,
        mut panels: Vec<Panel>,
        group: usize,
    ) -> anyhow::Result<()> {
        if self.no_note {
            panels.iter_mut().for_each(|panel| panel.note = None);
        }
        let columns = Figure::default_columns(panels.len(), group);
        let rows = panels.len().div_ceil(columns).max(1);
        let (width, height) = self.size.unwrap_or((PANEL.0 * columns as f64, PANEL.1 * rows as f64));
        let theme = match self.theme {
            Some(Colors::Dark) => DARK,
            Some(Colors::Light) | None => LIGHT,
        };
        let read = |path: &PathBuf| {
            let is_stream = hycome::io::is_stream(path);
            anyhow::ensure!(!is_stream, "{}: expected a font file, found a device or a pipe", shown(path));
            std::fs::read(path).with_context(|| format!("{}: cannot read", shown(path)))
        };
        let fonts = self.font.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let figure = Figure { group, fonts, ..Figure::new(width, height, theme, panels) };
        let bytes = match format {
            Format::Svg => figure.to_svg().into_bytes(),
            Format::Png => raster::to_png(&figure, self.scale.unwrap_or(DEFAULT_SCALE))?,
            Format::Pdf => raster::to_pdf(&figure)?,
            Format::Html => {
                bail!(Usage(format!("{}: this figure is a .svg, .png or .pdf file", shown(path))))
            }
        };
        if format != Format::Svg
            && let Some(missing) = raster::missing_glyphs(&figure)?
        {
            summary::warn(&[format!("{missing}; add a font with --font FILE")]);
        }
        AtomicFile::write(path, &bytes)?.commit()?;
        Ok(())
    }

    /// Fails for flags that do not apply to the format.
    pub fn check(&self, path: &Path, format: Format) -> anyhow::Result<()> {
        if format != Format::Png && self.scale.is_some() {
            bail!(Usage(format!("{}: --scale applies to .png only", shown(path))));
        }
        if format == Format::Svg && !self.font.is_empty() {
            bail!(Usage(format!(
                "{}: --font applies to .png and .pdf only; for other characters an SVG uses fonts of the \
                 program that shows it",
                shown(path)
            )));
        }
        Ok(())
    }
}

/// Default PNG resolution.
const DEFAULT_SCALE: f64 = 2.0;

/// The first flag that was given.
pub fn first_given(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    flags.iter().find(|(given, _)| *given).map(|(_, flag)| *flag)
}

/// Maximum width and height; 40 inches are 3,840.
const MAX_SIDE: f64 = 16_000.0;

fn size(text: &str) -> Result<(f64, f64), String> {
    let expected = || format!("expected WIDTHxHEIGHT, each from 50 to {MAX_SIDE}, such as 900x700");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(expected)?;
    let side = |text: &str| {
        let value: f64 = text.trim().parse().map_err(|_| expected())?;
        if (50.0..=MAX_SIDE).contains(&value) { Ok(value) } else { Err(expected()) }
    };
    Ok((side(width)?, side(height)?))
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (0.1..=10.0).contains(&scale) => Ok(scale),
        _ => Err("expected a number from 0.1 to 10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!(size("900x700"), Ok((900.0, 700.0)));
        for wrong in ["900", "0x5", "900x", "ax b", "1e9x700", "NaNx100"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_extension_selects_the_format() {
        assert_eq!(Format::of(Path::new("a/disc.HTML")).unwrap(), Format::Html);
        assert_eq!(Format::of(Path::new("x.svg")).unwrap(), Format::Svg);
        assert!(Format::of(Path::new("x")).is_err() && Format::of(Path::new("x.jpg")).is_err());
    }
}
