//! Results of a sweep as an aligned table.

use std::collections::BTreeSet;

use hycome_experiments::csv::{plain, settings};
use hycome_experiments::{Group, Job};
use serde_json::Value;

use crate::term::output::escaped;
use crate::term::style::{Style, truncate};

/// Maximum width of a setting in the table.
const WIDEST: usize = 24;

/// A row per combination, by graph, number of communities and rank: varied hyperparameters and metrics.
pub fn text(groups: &[Group<'_>], varied: &[String], by: &str, style: Style) -> String {
    let shown: Vec<&str> = varied.iter().map(String::as_str).collect();
    let mut scores: Vec<String> = vec![by.to_owned()];
    let usual = ["conductance", "modularity", "nmi", "ami", "ari", "precision_at_1"];
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
        let settings = settings(group.job);
        let mut row: Vec<String> =
            shown.iter().map(|key| truncate(&escaped(&plain(settings.get(*key))), WIDEST)).collect();
        let failures =
            if group.failures > 0 { format!(", {} failed", group.failures) } else { String::new() };
        row.push(format!("{}{failures}", group.records.len()));
        row.extend(scores.iter().map(|name| group.metrics.get(name).map_or("-".into(), ToString::to_string)));
        rows.push(row);
    }
    aligned(&rows, shown.len(), style)
}

/// The best combination of a graph, with its settings as TOML.
pub fn best(graph: &str, job: &Job, varied: &[String], by: &str, style: Style) -> String {
    let values = settings(job);
    let settings = varied.iter().filter(|key| *key != "graph");
    let settings: Vec<String> =
        settings.map(|key| format!("{key} = {}", values.get(key).unwrap_or(&Value::Null))).collect();
    let settings = if settings.is_empty() { "the one there is".to_owned() } else { settings.join(", ") };
    format!("{} {}\n", style.heading(&format!("best of {} by {by}:", escaped(graph))), escaped(&settings))
}

/// Aligns rows under a heading; the first columns are left-aligned, the others right-aligned.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["dim".to_owned(), "nmi".to_owned()], vec!["2".to_owned(), "0.5 ± 0.1".to_owned()]];
        assert_eq!(aligned(&rows, 1, crate::term::style::stdout()), "dim        nmi\n2    0.5 ± 0.1\n");
    }
}
