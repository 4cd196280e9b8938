//! Tables with one row per node, as TSV, CSV or JSON.

use std::borrow::Cow;
use std::path::Path;

use hycome::NodeNames;
use hycome::io::{AtomicFile, stage};

use crate::args::output_format::{extension, unsupported};
use crate::term::output::escaped;

/// File format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Tab-separated, names escaped so that a row is a line.
    Tsv,
    /// RFC 4180: names verbatim, quoted where necessary.
    Csv,
    /// The object that `--json` prints.
    Json,
}

impl TableFormat {
    /// The format for a file's extension; `noun` describes the content in an error.
    pub fn of(path: &Path, noun: &str) -> anyhow::Result<Self> {
        Ok(match extension(path).as_str() {
            "tsv" | "txt" | "" => Self::Tsv,
            "csv" => Self::Csv,
            "json" => Self::Json,
            _ => return Err(unsupported(path, noun, &["tsv", "csv", "json", "txt"], true)),
        })
    }

    /// Stages a file with a header and rows, or with `json`.
    pub fn stage<'a>(
        self,
        path: &Path,
        header: [&str; 3],
        rows: impl Iterator<Item = [Cow<'a, str>; 3]>,
        json: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<AtomicFile> {
        let text = match self {
            Self::Tsv => tsv(header, rows).into_bytes(),
            Self::Csv => csv(header, rows)?,
            Self::Json => json()?.into_bytes(),
        };
        Ok(stage(path, |out| out.write_all(&text))?)
    }
}

/// Tab-separated text; cells are escaped, so that none ends its column or line.
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

/// Columns of a table of communities.
pub const COMMUNITY_COLUMNS: [&str; 3] = ["node", "community", "probability"];

/// Rows of a table of communities.
pub fn community_rows<'a>(
    names: &'a NodeNames,
    communities: &'a [u32],
    probabilities: &'a [f64],
) -> impl Iterator<Item = [Cow<'a, str>; 3]> {
    let rows = names.iter().zip(communities).zip(probabilities);
    rows.map(|((name, community), probability)| {
        [name, community.to_string().into(), format!("{probability:.6}").into()]
    })
}

/// A table of communities as TSV.
pub fn communities_tsv(names: &NodeNames, communities: &[u32], probabilities: &[f64]) -> String {
    tsv(COMMUNITY_COLUMNS, community_rows(names, communities, probabilities))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_selects_the_format() {
        let of = |path: &str| TableFormat::of(Path::new(path), "a table");
        assert_eq!(of("a/c.TSV").unwrap(), TableFormat::Tsv);
        assert_eq!(of("c").unwrap(), TableFormat::Tsv);
        assert_eq!(of("c.csv.gz").unwrap(), TableFormat::Csv);
        assert_eq!(of("c.json").unwrap(), TableFormat::Json);
        let message = of("c.parquet").unwrap_err().to_string();
        assert!(
            message.starts_with("c.parquet: ") && message.contains(".tsv, .csv, .json or .txt"),
            "{message}"
        );
    }

    #[test]
    fn csv_cells_are_quoted() {
        let rows = [["a,b", "a \"b\"", "=1"], ["x\ny", "", "-2"]];
        let text = csv(["n", "c", "p"], rows.iter().map(|row| row.map(Into::into))).unwrap();
        assert_eq!(text, b"n,c,p\n\"a,b\",\"a \"\"b\"\"\",=1\n\"x\ny\",,-2\n");
    }
}
