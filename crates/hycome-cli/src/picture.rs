//! Figures as files: their size, their colours, and the format that the extension says.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use hycome::io::StagedFile;
use hycome::plot::theme::{DARK, LIGHT};
use hycome::plot::{Figure, Panel, raster};

use crate::output::shown;
use crate::{Usage, summary};

/// Flags of every figure.
#[derive(Debug, clap::Args)]
pub struct Paper {
    /// Size of a figure in pixels, of which 96 are an inch, as WIDTHxHEIGHT [default: as many as the panels need].
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Figure")]
    size: Option<(f64, f64)>,
    /// Pixels of a PNG for each pixel of the figure [default: 2].
    #[arg(long, value_name = "X", value_parser = scale, help_heading = "Figure")]
    scale: Option<f64>,
    /// Colours of a figure [default: light].
    #[arg(long, value_enum, help_heading = "Figure")]
    theme: Option<Colors>,
    /// A TrueType or OpenType font for letters that the built-in one (Latin, Greek, Cyrillic) lacks, in PNG and PDF; may be repeated.
    #[arg(long, value_name = "FILE", help_heading = "Figure")]
    font: Vec<PathBuf>,
    /// Write no subtitle.
    #[arg(long, help_heading = "Figure")]
    no_note: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colors {
    Light,
    Dark,
}

/// What a picture's file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Html,
    Svg,
    Png,
    Pdf,
}

impl Format {
    /// The format that a file's extension says.
    pub fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        Ok(match extension.as_str() {
            "html" | "htm" => Self::Html,
            "svg" => Self::Svg,
            "png" => Self::Png,
            "pdf" => Self::Pdf,
            _ => bail!(Usage(format!(
                "{}: expected a name that ends in .html, .svg, .png or .pdf, which says what is written",
                shown(path)
            ))),
        })
    }
}

/// Pixels of one panel unless asked otherwise: a little higher than wide, for title and legend.
const PANEL: (f64, f64) = (640.0, 720.0);

impl Paper {
    /// The first of these flags that was given, which only figures have.
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

    /// Writes a figure of these panels, `group` of which stay in one row.
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
        let columns = Figure::usual_columns(panels.len(), group);
        let rows = panels.len().div_ceil(columns).max(1);
        let (width, height) = self.size.unwrap_or((PANEL.0 * columns as f64, PANEL.1 * rows as f64));
        let theme = match self.theme {
            Some(Colors::Dark) => DARK,
            Some(Colors::Light) | None => LIGHT,
        };
        let read =
            |path: &PathBuf| std::fs::read(path).with_context(|| format!("{}: cannot read", shown(path)));
        let fonts = self.font.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
        let figure = Figure { group, fonts, ..Figure::new(width, height, theme, panels) };
        let bytes = match format {
            Format::Svg => figure.to_svg().into_bytes(),
            Format::Png => raster::to_png(&figure, self.scale.unwrap_or(USUAL_SCALE))?,
            Format::Pdf => raster::to_pdf(&figure)?,
            Format::Html => {
                bail!(Usage(format!("{}: this figure is a .svg, .png or .pdf file", shown(path))))
            }
        };
        if format != Format::Svg
            && let Some(missing) = raster::missing_letters(&figure)?
        {
            summary::warn(&[format!("{missing}; --font FILE brings another font")]);
        }
        StagedFile::write(path, &bytes)?.put_in_place()?;
        Ok(())
    }

    /// Refuses flags that the format has no use for.
    pub fn check(&self, path: &Path, format: Format) -> anyhow::Result<()> {
        if format != Format::Png && self.scale.is_some() {
            bail!(Usage(format!("{}: --scale is for .png; vectors have no pixels", shown(path))));
        }
        if format == Format::Svg && !self.font.is_empty() {
            bail!(Usage(format!(
                "{}: --font is for .png and .pdf; an SVG is shown with the fonts of its viewer where ours lacks letters",
                shown(path)
            )));
        }
        Ok(())
    }
}

/// Pixels of a PNG for each of the figure unless asked otherwise.
const USUAL_SCALE: f64 = 2.0;

/// The first flag that was given, of pairs that say whether it was.
pub fn first_given(flags: &[(bool, &'static str)]) -> Option<&'static str> {
    flags.iter().find(|(given, _)| *given).map(|(_, flag)| *flag)
}

/// The largest side of a figure: forty inches would be 3,840.
const LARGEST: f64 = 16_000.0;

fn size(text: &str) -> Result<(f64, f64), String> {
    let expected = || format!("expected WIDTHxHEIGHT, each from 50 to {LARGEST}, such as 900x700");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(expected)?;
    let side = |text: &str| {
        let value: f64 = text.trim().parse().map_err(|_| expected())?;
        if (50.0..=LARGEST).contains(&value) { Ok(value) } else { Err(expected()) }
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
    fn formats_are_recognised_by_the_extension() {
        assert_eq!(Format::of(Path::new("a/disc.HTML")).unwrap(), Format::Html);
        assert_eq!(Format::of(Path::new("x.svg")).unwrap(), Format::Svg);
        assert!(Format::of(Path::new("x")).is_err() && Format::of(Path::new("x.jpg")).is_err());
    }
}
