//! What a sweep found, as a table to read and as CSV.

use std::collections::BTreeSet;

use hycome::experiments::{Group, Job, Outcome, Record};
use serde_json::{Map, Value};

use crate::output::escaped;
use crate::style::{Style, shortened};

/// Longest text of a setting in the table.
const WIDEST: usize = 24;

/// A row for each combination, the best of each graph first: the settings that vary, the scores that are told.
pub fn text(groups: &[Group<'_>], varied: &[String], by: &str, style: Style) -> String {
    let shown: Vec<&str> = varied.iter().map(String::as_str).collect();
    let mut scores: Vec<String> = vec![by.to_owned()];
    let usual = ["conductance", "modularity", "nmi", "precision_at_1"];
    let classified = groups.iter().flat_map(|group| group.metrics.keys());
    let classified: BTreeSet<&String> = classified.filter(|name| name.ends_with(".precision_at_1")).collect();
    let has = |name: &str| groups.iter().any(|group| group.metrics.contains_key(name));
    let others = usual.iter().map(ToString::to_string).chain(classified.into_iter().cloned());
    scores.extend(others.filter(|name| name != by && has(name)));

    let mut rows = vec![
        shown
            .iter()
            .map(ToString::to_string)
            .chain(["seeds".into()])
            .chain(scores.iter().cloned())
            .collect::<Vec<_>>(),
    ];
    for group in groups {
        let settings = fields(group.job);
        let mut row: Vec<String> =
            shown.iter().map(|key| shortened(&escaped(&plain(settings.get(*key))), WIDEST)).collect();
        let failures =
            if group.failures > 0 { format!(", {} failed", group.failures) } else { String::new() };
        row.push(format!("{}{failures}", group.records.len()));
        row.extend(scores.iter().map(|name| group.metrics.get(name).map_or("-".into(), ToString::to_string)));
        rows.push(row);
    }
    aligned(&rows, shown.len(), style)
}

/// The best combination of a graph, its settings as they would stand in a file.
pub fn best(graph: &str, job: &Job, varied: &[String], by: &str, style: Style) -> String {
    let fields = fields(job);
    let settings = varied.iter().filter(|key| *key != "graph");
    let settings: Vec<String> =
        settings.map(|key| format!("{key} = {}", fields.get(key).unwrap_or(&Value::Null))).collect();
    let settings = if settings.is_empty() { "the one there is".to_owned() } else { settings.join(", ") };
    format!("{} {}\n", style.heading(&format!("best of {} by {by}:", escaped(graph))), escaped(&settings))
}

/// Rows under a heading, in columns; the first columns to the left, the others to the right.
fn aligned(rows: &[Vec<String>], left: usize, style: Style) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cell = |column: usize| {
            let padding = " ".repeat(widths[column] - row[column].chars().count());
            if column < left {
                format!("{}{padding}", row[column])
            } else {
                format!("{padding}{}", row[column])
            }
        };
        let line = (0..columns).map(cell).collect::<Vec<_>>().join("  ");
        let line = line.trim_end();
        text.push_str(&if number == 0 { style.heading(line) } else { line.to_owned() });
        text.push('\n');
    }
    text
}

/// A row for each training: all settings, all scores, the seconds, and what went wrong.
pub fn csv(records: &[&Record]) -> anyhow::Result<String> {
    let metrics: BTreeSet<&String> = records
        .iter()
        .filter_map(|record| record.outcome.measured())
        .flat_map(|measured| measured.metrics.keys())
        .collect();
    let settings: Vec<String> = records
        .first()
        .map_or(Vec::new(), |record| fields(&record.job).into_iter().map(|(key, _)| key).collect());
    let header = settings.iter().chain(metrics.iter().copied()).map(String::as_str);
    let mut text = line(header.chain(["train_seconds", "classify_seconds", "error"]));
    for record in records {
        let fields = fields(&record.job);
        let mut cells: Vec<String> = settings.iter().map(|key| plain(fields.get(key))).collect();
        let (measured, error) = match &record.outcome {
            Outcome::Measured(measured) => (Some(measured), ""),
            Outcome::Failed(error) => (None, error.as_str()),
        };
        let value = |name: &String| measured.and_then(|measured| measured.metrics.get(name));
        cells.extend(metrics.iter().map(|name| value(name).map_or(String::new(), f64::to_string)));
        cells.extend([
            measured.map_or(String::new(), |measured| format!("{:.3}", measured.train_seconds)),
            measured.map_or(String::new(), |measured| format!("{:.3}", measured.classify_seconds)),
            error.to_owned(),
        ]);
        text.push_str(&line(cells.iter().map(String::as_str)));
    }
    Ok(text)
}

/// A line of CSV. What a spreadsheet would take for a formula is marked as text by an apostrophe.
fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quoted = |cell: &str| {
        let is_formula = cell.starts_with(['=', '+', '@', '\t', '\r'])
            || cell.starts_with('-') && cell.parse::<f64>().is_err();
        let cell = if is_formula { format!("'{cell}") } else { cell.to_owned() };
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Every setting of a job by its key in the grid.
fn fields(job: &Job) -> Map<String, Value> {
    let source = serde_json::to_value(&job.source).unwrap_or_default();
    let config = serde_json::to_value(&job.config).unwrap_or_default();
    [source, config].into_iter().filter_map(|value| value.as_object().cloned()).flatten().collect()
}

/// A value without quotes; nothing where it is left to us.
fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_and_no_formulas() {
        let cells = ["a,b", "say \"no\"", "=1+1", "-0.5", "-x", ""];
        assert_eq!(line(cells.into_iter()), "\"a,b\",\"say \"\"no\"\"\",'=1+1,-0.5,'-x,\n");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["dim".to_owned(), "nmi".to_owned()], vec!["2".to_owned(), "0.5 ± 0.1".to_owned()]];
        assert_eq!(aligned(&rows, 1, crate::style::stdout()), "dim        nmi\n2    0.5 ± 0.1\n");
    }
}
