//! Results as CSV, one row per job.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::{Job, Outcome, Record};

/// CSV with all settings, all scores, the times and the error of every job.
#[must_use]
pub fn to_csv(records: &[&Record]) -> String {
    let scores: BTreeSet<&String> = records
        .iter()
        .filter_map(|record| record.outcome.metrics())
        .flat_map(|metrics| metrics.scores.keys())
        .collect();
    let settings: Vec<String> = records
        .first()
        .map_or(Vec::new(), |record| settings(&record.job).into_iter().map(|(key, _)| key).collect());
    let header = settings.iter().chain(scores.iter().copied()).map(String::as_str);
    let mut text = line(header.chain(["train_seconds", "classify_seconds", "error"]));
    for record in records {
        text.push_str(&row(record, &settings, &scores));
    }
    text
}

fn row(record: &Record, settings_keys: &[String], score_names: &BTreeSet<&String>) -> String {
    let settings = settings(&record.job);
    let mut cells: Vec<String> = settings_keys.iter().map(|key| plain(settings.get(key))).collect();
    let (metrics, error) = match &record.outcome {
        Outcome::Measured(metrics) => (Some(metrics), ""),
        Outcome::Failed(error) => (None, error.as_str()),
    };
    let score = |name: &String| metrics.and_then(|metrics| metrics.scores.get(name));
    cells.extend(score_names.iter().map(|name| score(name).map_or(String::new(), f64::to_string)));
    cells.extend([
        metrics.map_or(String::new(), |metrics| format!("{:.3}", metrics.train_seconds)),
        metrics.map_or(String::new(), |metrics| format!("{:.3}", metrics.classify_seconds)),
        error.to_owned(),
    ]);
    line(cells.iter().map(String::as_str))
}

/// A line of CSV. Cells that a spreadsheet would evaluate as formulas are escaped by an apostrophe.
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

/// All settings of a job by their keys in a grid.
#[must_use]
pub fn settings(job: &Job) -> Map<String, Value> {
    let source = serde_json::to_value(&job.source).unwrap_or_default();
    let config = serde_json::to_value(&job.config).unwrap_or_default();
    [source, config].into_iter().filter_map(|value| value.as_object().cloned()).flatten().collect()
}

/// A value without quotes; empty for a default that depends on the graph.
#[must_use]
pub fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use hycome::TrainConfig;

    #[test]
    fn cells_are_quoted_and_formulas_escaped() {
        let cells = ["a,b", "say \"no\"", "=1+1", "-0.5", "-x", ""];
        assert_eq!(line(cells.into_iter()), "\"a,b\",\"say \"\"no\"\"\",'=1+1,-0.5,'-x,\n");
    }

    #[test]
    fn a_failed_job_has_its_error_in_the_last_column() {
        let source = Source { graph: "karate".into(), ..Source::default() };
        let job = Job { source, config: TrainConfig::default(), classify: None };
        let record = Record { job, outcome: Outcome::Failed("diverged".into()) };
        let text = to_csv(&[&record]);
        let [header, row] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(
            header.starts_with("graph,labels,") && header.ends_with(",train_seconds,classify_seconds,error")
        );
        assert!(row.starts_with("karate,,") && row.ends_with(",,,diverged"), "{row}");
        assert_eq!(header.split(',').count(), row.split(',').count());
    }
}
