//! Charts of a metric against a hyperparameter, with error bars, over runs or the results of a sweep.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hycome::io::{ReadCallback, read_bytes};
use hycome::plot::chart::{Axis, Chart, DataPoint, Mark, Series};
use hycome::plot::{Content, Panel};
use hycome_experiments::{SeedStats, parse_records};
use serde_json::Value;

use crate::Usage;
use crate::term::output::shown;

/// File of scores in the folder of a run.
const METRICS: &str = "metrics.json";

/// Extension of sweep results.
const RESULTS: &str = "jsonl";

/// Hyperparameters and scores of a training run, in the layout of `metrics.json`.
struct Report {
    /// The graph, if known.
    graph: Option<String>,
    numbers: Value,
}

/// Charts of `metrics` against a hyperparameter, and the number of training runs they show.
///
/// Each chart has one curve per graph. A point is the mean of the runs with the same value, with their standard
/// deviation as error bar.
pub fn panels(
    runs: &[PathBuf],
    metrics: &[String],
    against: &str,
    logarithmic: bool,
    title: Option<&str>,
) -> anyhow::Result<(Vec<Panel>, usize)> {
    let mut reports = Vec::new();
    for run in runs {
        reports.extend(of(run)?.into_iter().map(|report| (run.as_path(), report)));
    }
    let panel = |metric: &String| panel(&reports, metric, against, logarithmic);
    let mut panels = metrics.iter().map(panel).collect::<anyhow::Result<Vec<Panel>>>()?;
    if let Some(title) = title {
        for (panel, metric) in panels.iter_mut().zip(metrics) {
            panel.title = if metrics.len() == 1 { title.to_owned() } else { format!("{title}: {metric}") };
        }
    }
    Ok((panels, reports.len()))
}

/// Chart of one metric.
fn panel(
    reports: &[(&Path, Report)],
    metric: &str,
    against: &str,
    logarithmic: bool,
) -> anyhow::Result<Panel> {
    let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for (run, report) in reports {
        let x = number(&report.numbers, "config", against, run)?;
        if logarithmic && x <= 0.0 {
            bail!(Usage(format!(
                "{}: {against} is {x}, which a logarithmic axis cannot show; remove --log",
                shown(run)
            )));
        }
        let y = number(&report.numbers, "metrics", metric, run)?;
        let name = report.graph.as_deref().unwrap_or(metric);
        match series.iter_mut().find(|(known, _)| known == name) {
            Some((_, points)) => points.push((x, y)),
            None => series.push((name.to_owned(), vec![(x, y)])),
        }
    }
    let most = series.iter().flat_map(|(_, points)| means(points)).map(|(_, count)| count).max().unwrap_or(1);
    let note = (most > 1).then(|| {
        let over = differing(reports, against);
        let over = if over.is_empty() { String::new() } else { format!(" over {}", over.join(", ")) };
        format!("means of up to {most} runs{over}; bars are standard deviations")
    });
    let drawn = |(name, points): (String, Vec<(f64, f64)>)| {
        let points = means(&points).into_iter().map(|(sample, _)| sample).collect();
        Series { name, points, mark: Mark::Markers }
    };
    let chart = Chart {
        x: Axis { name: against.to_owned(), logarithmic },
        y: Axis { name: metric.to_owned(), logarithmic: false },
        series: series.into_iter().map(drawn).collect(),
    };
    Ok(Panel { title: format!("{metric} against {against}"), note, content: Content::Chart(chart) })
}

/// Hyperparameters, other than the one on the x axis, that differ between runs of a graph and are averaged over.
fn differing<'a>(reports: &'a [(&Path, Report)], against: &str) -> Vec<&'a str> {
    let (across, mut found) = (against.replace('-', "_"), Vec::new());
    for (place, (_, report)) in reports.iter().enumerate() {
        let Some((_, other)) = reports[..place].iter().find(|(_, other)| other.graph == report.graph) else {
            continue;
        };
        for (key, value) in report.numbers["config"].as_object().into_iter().flatten() {
            if *key != across && other.numbers["config"][key] != *value && !found.contains(&key.as_str()) {
                found.push(key);
            }
        }
    }
    found
}

/// Reports of a sweep, or of a single run.
fn of(path: &Path) -> anyhow::Result<Vec<Report>> {
    if path.extension().is_some_and(|extension| extension == RESULTS) {
        return swept(path);
    }
    Ok(vec![Report { graph: None, numbers: report(path)? }])
}

/// Reports of all runs of a sweep that have scores.
fn swept(path: &Path) -> anyhow::Result<Vec<Report>> {
    let records = parse_records(&read_bytes(path, ReadCallback::default())?).map_err(|error| {
        let message = format!(
            "{}: line {}: expected a result of `hycome sweep`, found something else; remove the line",
            shown(path),
            error.line
        );
        anyhow::Error::new(error.source).context(message)
    })?;
    let reports: Vec<Report> = records
        .into_iter()
        .filter_map(|record| {
            let metrics = &record.outcome.metrics()?.scores;
            let numbers = serde_json::json!({ "config": record.job.config, "metrics": metrics });
            Some(Report { graph: Some(record.job.source.graph), numbers })
        })
        .collect();
    if reports.is_empty() {
        bail!("{}: expected results of `hycome sweep`, found none", shown(path));
    }
    Ok(reports)
}

fn report(run: &Path) -> anyhow::Result<Value> {
    let folder = if run.is_dir() { run } else { run.parent().unwrap_or(Path::new(".")) };
    let path = folder.join(METRICS);
    let bytes = read_bytes(&path, ReadCallback::default())
        .with_context(|| format!("--against needs the {METRICS} that `hycome embed` writes"))?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{}: expected the JSON that `hycome embed` writes", shown(&path)))
}

/// Looks up a number of a report in `part`, or at a dotted path such as `seconds.total`.
fn number(report: &Value, part: &str, name: &str, run: &Path) -> anyhow::Result<f64> {
    let path = name.replace('-', "_").split('.').fold(String::new(), |path, key| format!("{path}/{key}"));
    let whole = report.get(part).and_then(|part| part.get(name));
    let found = whole.or_else(|| report.pointer(&format!("/{part}{path}"))).or_else(|| report.pointer(&path));
    match found.and_then(Value::as_f64) {
        Some(number) => Ok(number),
        None => {
            let keys = report.get(part).and_then(Value::as_object).into_iter().flatten();
            let numbers: Vec<&str> =
                keys.filter(|(_, value)| value.is_number()).map(|(key, _)| key.as_str()).collect();
            bail!(Usage(format!("{}: no number `{name}`; {part} has {}", shown(run), numbers.join(", "))))
        }
    }
}

/// Mean, standard deviation and number of values at each x.
fn means(points: &[(f64, f64)]) -> Vec<(DataPoint, usize)> {
    let mut points = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let of_place = |group: &[(f64, f64)]| {
        let stats = SeedStats(group.iter().map(|point| point.1).collect());
        let error = stats.deviation().unwrap_or(0.0);
        (DataPoint { x: group[0].0, y: stats.mean(), error }, group.len())
    };
    points.chunk_by(|a, b| a.0 == b.0).map(of_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_equal_settings_are_one_point() {
        let found = means(&[(2.0, 1.0), (1.0, 5.0), (2.0, 3.0)]);
        assert_eq!(found[0], (DataPoint { x: 1.0, y: 5.0, error: 0.0 }, 1));
        assert_eq!(found[1], (DataPoint { x: 2.0, y: 2.0, error: 2f64.sqrt() }, 2));
    }

    #[test]
    fn numbers_are_looked_up_by_section_or_path() {
        let report =
            serde_json::json!({"config": {"dim": 2}, "metrics": {"nmi": 0.5}, "seconds": {"total": 3.0}});
        let here = Path::new("x");
        assert_eq!(number(&report, "config", "dim", here).unwrap(), 2.0);
        assert_eq!(number(&report, "metrics", "seconds.total", here).unwrap(), 3.0);
        let error = number(&report, "metrics", "size", here).unwrap_err().to_string();
        assert_eq!(error, "x: no number `size`; metrics has nmi");
    }
}
