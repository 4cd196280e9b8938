//! What the extension of an output file asks for: a format we write, or a refusal that lists those.
//!
//! A name without an extension, such as that of a device, gets the default of the command.

use std::borrow::Cow;
use std::path::Path;

use hycome::io::{StagedFile, stage};

use crate::Usage;
use crate::output::{escaped, shown};

/// The extension of a file in lower case, without that of its compression; empty if it says nothing.
pub fn extension(path: &Path) -> String {
    let lower = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match lower(path).as_str() {
        "gz" | "zst" => lower(Path::new(path.file_stem().unwrap_or_default())),
        other => other.to_owned(),
    }
}

/// Whether a file's name asks for compression.
fn is_compressed(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    extension == "gz" || extension == "zst"
}

/// Fails unless the extension is one of `known`, which says what `noun` is written as.
pub fn expect(path: &Path, noun: &str, known: &[&str], compressed: bool) -> anyhow::Result<()> {
    let extension = extension(path);
    let is_known = extension.is_empty() || known.contains(&extension.as_str());
    if is_known && (compressed || !is_compressed(path)) {
        return Ok(());
    }
    Err(refusal(path, noun, known, compressed))
}

fn refusal(path: &Path, noun: &str, known: &[&str], compressed: bool) -> anyhow::Error {
    let (last, others) = known.split_last().expect("something is written");
    let others: String = others.iter().map(|extension| format!(".{extension}, ")).collect();
    let list = if others.is_empty() {
        format!(".{last}")
    } else {
        format!("{} or .{last}", others.trim_end_matches(", "))
    };
    let compressed = if compressed { ", optionally followed by .gz or .zst" } else { "" };
    Usage(format!("{}: {noun} is written to a name that ends in {list}{compressed}", shown(path))).into()
}

/// How a table of nodes is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Columns separated by tabs, names escaped so that a row is a line.
    Tsv,
    /// RFC 4180: names as they are, in quotes where they need them.
    Csv,
    /// The object that `--json` prints.
    Json,
}

impl Table {
    /// The format that a file's extension asks for; `noun` is what is written.
    pub fn of(path: &Path, noun: &str) -> anyhow::Result<Self> {
        Ok(match extension(path).as_str() {
            "tsv" | "txt" | "" => Self::Tsv,
            "csv" => Self::Csv,
            "json" => Self::Json,
            _ => return Err(refusal(path, noun, &["tsv", "csv", "json", "txt"], true)),
        })
    }

    /// Stages a file with a header and rows, or with `json`.
    pub fn stage<'a>(
        self,
        path: &Path,
        header: [&str; 3],
        rows: impl Iterator<Item = [Cow<'a, str>; 3]>,
        json: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<StagedFile> {
        let text = match self {
            Self::Tsv => tsv(header, rows).into_bytes(),
            Self::Csv => csv(header, rows)?,
            Self::Json => json()?.into_bytes(),
        };
        Ok(stage(path, |out| out.write_all(&text))?)
    }
}

/// A header and rows, separated by tabs; a name cannot end its column or its line.
pub fn tsv<'a>(header: [&str; 3], rows: impl Iterator<Item = [Cow<'a, str>; 3]>) -> String {
    let mut text = header.join("\t") + "\n";
    for [a, b, c] in rows {
        text.push_str(&format!("{}\t{}\t{}\n", escaped(&a), escaped(&b), escaped(&c)));
    }
    text
}

fn csv<'a>(header: [&str; 3], rows: impl Iterator<Item = [Cow<'a, str>; 3]>) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.iter().map(|cell| cell.as_bytes()))?;
    }
    Ok(writer.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_say_the_format_or_are_refused_with_a_list() {
        let of = |path: &str| Table::of(Path::new(path), "a table");
        assert_eq!(of("a/c.TSV").unwrap(), Table::Tsv);
        assert_eq!(of("c").unwrap(), Table::Tsv);
        assert_eq!(of("c.csv.gz").unwrap(), Table::Csv);
        assert_eq!(of("c.json").unwrap(), Table::Json);
        let message = of("c.parquet").unwrap_err().to_string();
        let expected = "c.parquet: a table is written to a name that ends in .tsv, .csv, .json or .txt, optionally \
                        followed by .gz or .zst";
        assert_eq!(message, expected);
        assert!(expect(Path::new("m.safetensors"), "a model", &["safetensors"], false).is_ok());
        for wrong in ["m.pkl", "m.safetensors.gz"] {
            let message =
                expect(Path::new(wrong), "a model", &["safetensors"], false).unwrap_err().to_string();
            assert_eq!(message, format!("{wrong}: a model is written to a name that ends in .safetensors"));
        }
    }

    #[test]
    fn cells_of_csv_are_quoted_and_otherwise_as_they_are() {
        let rows = [["a,b", "say \"no\"", "=1"], ["x\ny", "", "-2"]];
        let text = csv(["n", "c", "p"], rows.iter().map(|row| row.map(Into::into))).unwrap();
        assert_eq!(text, b"n,c,p\n\"a,b\",\"say \"\"no\"\"\",=1\n\"x\ny\",,-2\n");
    }
}
