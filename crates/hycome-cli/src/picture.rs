//! Figures as files: their size, their colours, and the format that the extension says.

use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;
use hycome::io::StagedFile;
use hycome::plot::theme::{DARK, LIGHT};
use hycome::plot::{Figure, Panel, raster};

use crate::Usage;
use crate::output::shown;

/// Flags of every figure.
#[derive(Debug, clap::Args)]
pub struct Paper {
    /// Size of a figure in pixels, of which 96 are an inch, as WIDTHxHEIGHT [default: as many as the panels need].
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Figure")]
    size: Option<(f64, f64)>,
    /// Pixels of a PNG for each pixel of the figure.
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = scale, help_heading = "Figure")]
    scale: f64,
    /// Colours of a figure.
    #[arg(long, value_enum, default_value_t = Colors::Light, help_heading = "Figure")]
    theme: Colors,
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
    /// Writes a figure of these panels.
    pub fn write(&self, path: &Path, format: Format, panels: Vec<Panel>) -> anyhow::Result<()> {
        let columns = (panels.len() as f64).sqrt().ceil().max(1.0);
        let rows = (panels.len() as f64 / columns).ceil().max(1.0);
        let (width, height) = self.size.unwrap_or((PANEL.0 * columns, PANEL.1 * rows));
        let theme = match self.theme {
            Colors::Light => LIGHT,
            Colors::Dark => DARK,
        };
        let figure = Figure { width, height, theme, panels };
        let bytes = match format {
            Format::Svg => figure.to_svg().into_bytes(),
            Format::Png => raster::to_png(&figure, self.scale)?,
            Format::Pdf => raster::to_pdf(&figure)?,
            Format::Html => {
                bail!(Usage(format!("{}: this figure is a .svg, .png or .pdf file", shown(path))))
            }
        };
        StagedFile::write(path, &bytes)?.put_in_place()?;
        Ok(())
    }
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
