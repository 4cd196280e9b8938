//! Hyperparameter grid: the Cartesian product of lists of values.
//!
//! A grid is a table of keys, each with a value or a list of values:
//!
//! | key | meaning |
//! |---|---|
//! | `graph` | graph, or list of graphs |
//! | `labels` | label file; for several graphs, a list with one file per graph |
//! | `largest_component`, `unweighted` | preprocessing of the graph |
//! | `repeated` | how repeated edges are combined: `sum`, `max` or `first` |
//! | `seeds` | a number N for seeds 1 to N, or a list; default 5 |
//! | any field of [`TrainConfig`] | the hyperparameter |
//! | `classify` | classifiers to cross-validate on every embedding |
//! | `folds`, `runs`, `neighbors`, `regularization`, `multi_class`, `classifier_restarts` | settings of the cross-validation |
//!
//! Keys keep their order: the last list varies fastest, and the seed fastest of all.

use std::collections::HashSet;
use std::path::Path;

use serde_json::{Map, Value};

use hycome::graph::RepeatedEdges;
use hycome::{Error, Result, TrainConfig};

use crate::{Classify, Job, Source};

/// Settings of the cross-validation: the key, and the name in [`Classify`]. `restarts` alone is a hyperparameter.
const CLASSIFY_KEYS: [(&str, &str); 6] = [
    ("folds", "folds"),
    ("runs", "runs"),
    ("neighbors", "neighbors"),
    ("regularization", "regularization"),
    ("multi_class", "multi_class"),
    ("classifier_restarts", "restarts"),
];

/// Keys other than hyperparameters.
const KEYS: [&str; 13] = [
    "graph",
    "labels",
    "largest_component",
    "unweighted",
    "repeated",
    "seeds",
    "classify",
    "folds",
    "runs",
    "neighbors",
    "regularization",
    "multi_class",
    "classifier_restarts",
];

/// Default number of seeds.
const DEFAULT_SEEDS: u64 = 5;

/// A grid with more combinations than this is refused as a mistake.
const MAX_JOBS: usize = 1_000_000;

/// An expanded grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The distinct combinations.
    pub jobs: Vec<Job>,
    /// Keys with several values, seeds excluded.
    pub varied: Vec<String>,
}

impl Grid {
    /// Valid keys of a grid.
    #[must_use]
    pub fn keys() -> Vec<String> {
        let settings = TrainConfig::default().to_settings();
        KEYS.iter().map(ToString::to_string).chain(settings.keys().cloned()).collect()
    }

    /// Expands a table into jobs; `path` names the table in error messages.
    ///
    /// # Errors
    /// If a key is unknown, missing, empty or of the wrong type; the error names it.
    pub fn expand(path: &Path, table: &Map<String, Value>) -> Result<Self> {
        let refuse = |expected: String, found: String| Error::Content { path: path.into(), expected, found };
        let known = Self::keys();
        if let Some(key) = table.keys().find(|key| !known.contains(key)) {
            return Err(refuse(format!("keys out of {}", known.join(", ")), format!("`{key}`")));
        }
        let list = |key: &str| -> Result<Option<Vec<Value>>> {
            match table.get(key) {
                None => Ok(None),
                Some(Value::Array(values)) if values.is_empty() => {
                    Err(refuse(format!("`{key}` with one value or more"), "an empty list".into()))
                }
                Some(Value::Array(values)) => Ok(Some(values.clone())),
                Some(value) => Ok(Some(vec![value.clone()])),
            }
        };
        let sources = sources(&list, &refuse)?;
        let classify = classify(table, &list, &refuse)?;
        let seeds = seeds(table, &list, &refuse)?;

        let mut varied = Vec::new();
        let graphs: HashSet<&str> = sources.iter().map(|source| source.graph.as_str()).collect();
        if graphs.len() > 1 {
            varied.push("graph".to_owned());
        }
        for key in ["largest_component", "unweighted", "repeated"] {
            if list(key)?.is_some_and(|values| values.len() > 1) {
                varied.push(key.to_owned());
            }
        }
        let mut configs = vec![Map::new()];
        for key in table.keys().filter(|key| !KEYS.contains(&key.as_str()) && *key != "seed") {
            let values = list(key)?.unwrap_or_default();
            for value in &values {
                let alone = Map::from_iter([(key.clone(), value.clone())]);
                TrainConfig::default()
                    .with_settings(&alone)
                    .map_err(|error| refuse(format!("`{key}` as `hycome embed` has it"), error.message))?;
            }
            if values.len() > 1 {
                varied.push(key.clone());
            }
            if configs.len().saturating_mul(values.len()) > MAX_JOBS {
                return Err(refuse(format!("at most {MAX_JOBS} combinations"), "more".into()));
            }
            configs = configs.iter().flat_map(|config| with_each(config, key, &values)).collect();
        }
        if configs.len().saturating_mul(sources.len()).saturating_mul(seeds.len()) > MAX_JOBS {
            return Err(refuse(format!("at most {MAX_JOBS} combinations"), "more".into()));
        }

        let mut jobs: Vec<Job> = Vec::new();
        let mut seen = HashSet::new();
        for source in &sources {
            for config in &configs {
                let config = TrainConfig::default().with_settings(config).map_err(|error| {
                    refuse("settings as `hycome embed` has them".into(), error.to_string())
                })?;
                for &seed in &seeds {
                    let config = TrainConfig { seed, ..config.clone() };
                    let job = Job { source: source.clone(), config, classify: classify.clone() };
                    if seen.insert(serde_json::to_string(&job).expect("a job is JSON")) {
                        jobs.push(job);
                    }
                }
            }
        }
        Ok(Self { jobs, varied })
    }
}

/// Copies of `config` with `key` set to each of the values.
fn with_each(config: &Map<String, Value>, key: &str, values: &[Value]) -> Vec<Map<String, Value>> {
    let with = |value: &Value| {
        let mut config = config.clone();
        config.insert(key.to_owned(), value.clone());
        config
    };
    values.iter().map(with).collect()
}

type List<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<Value>>>;
type Refuse<'a> = &'a dyn Fn(String, String) -> Error;

fn sources(list: List<'_>, refuse: Refuse<'_>) -> Result<Vec<Source>> {
    let texts = |key: &str| -> Result<Option<Vec<String>>> {
        let Some(values) = list(key)? else { return Ok(None) };
        let text = |value: &Value| {
            let found = || refuse(format!("`{key}` to be text"), value.to_string());
            value.as_str().map(str::to_owned).ok_or_else(found)
        };
        values.iter().map(text).collect::<Result<_>>().map(Some)
    };
    let flags = |key: &str| -> Result<Vec<bool>> {
        let Some(values) = list(key)? else { return Ok(vec![false]) };
        let flag = |value: &Value| {
            value.as_bool().ok_or_else(|| refuse(format!("`{key}` to be true or false"), value.to_string()))
        };
        values.iter().map(flag).collect()
    };
    let missing = || refuse("`graph`, such as graph = \"karate\"".into(), "none".into());
    let graphs = texts("graph")?.ok_or_else(missing)?;
    let labels = match texts("labels")? {
        None => vec![None; graphs.len()],
        Some(labels) if labels.len() == graphs.len() => labels.into_iter().map(Some).collect(),
        Some(labels) => {
            let expected = format!("`labels` with a file for each graph, {}", graphs.len());
            return Err(refuse(expected, labels.len().to_string()));
        }
    };
    let repeated: Vec<Option<RepeatedEdges>> = match texts("repeated")? {
        None => vec![None],
        Some(values) => {
            let parse = |value: &String| {
                value
                    .parse()
                    .map_err(|_| refuse("`repeated` to be sum, max or first".into(), format!("{value:?}")))
            };
            values.iter().map(|value| parse(value).map(Some)).collect::<Result<_>>()?
        }
    };
    let mut sources = Vec::new();
    for (graph, labels) in graphs.iter().zip(&labels) {
        for &largest_component in &flags("largest_component")? {
            for &unweighted in &flags("unweighted")? {
                for &repeated in &repeated {
                    let (graph, labels) = (graph.clone(), labels.clone());
                    sources.push(Source { graph, labels, largest_component, unweighted, repeated });
                }
            }
        }
    }
    Ok(sources)
}

fn classify(table: &Map<String, Value>, list: List<'_>, refuse: Refuse<'_>) -> Result<Option<Classify>> {
    let Some(methods) = list("classify")? else {
        let stray = CLASSIFY_KEYS.iter().find(|(key, _)| table.contains_key(*key));
        return match stray {
            Some((key, _)) => {
                Err(refuse("`classify`, such as classify = [\"logistic\"]".into(), format!("`{key}` alone")))
            }
            None => Ok(None),
        };
    };
    let mut object = Map::from_iter([("methods".to_owned(), Value::Array(methods))]);
    for (key, name) in CLASSIFY_KEYS {
        object.extend(table.get(key).map(|value| (name.to_owned(), value.clone())));
    }
    let read = serde_json::from_value(Value::Object(object));
    read.map(Some).map_err(|error| refuse("`classify` and what belongs to it".into(), error.to_string()))
}

fn seeds(table: &Map<String, Value>, list: List<'_>, refuse: Refuse<'_>) -> Result<Vec<u64>> {
    if table.contains_key("seed") && table.contains_key("seeds") {
        return Err(refuse("`seeds`".into(), "`seed` as well".into()));
    }
    match table.get("seeds") {
        Some(Value::Number(count)) => match count.as_u64() {
            Some(count) if (1..=MAX_JOBS as u64).contains(&count) => return Ok((1..=count).collect()),
            _ => return Err(refuse("`seeds` to be 1 or more".into(), count.to_string())),
        },
        None if !table.contains_key("seed") => return Ok((1..=DEFAULT_SEEDS).collect()),
        _ => {}
    }
    let values = list("seeds")?.or(list("seed")?).unwrap_or_default();
    let whole = |value: &Value| {
        value.as_u64().ok_or_else(|| refuse("seeds to be whole numbers".into(), value.to_string()))
    };
    values.iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hycome::classify::MultiClass;
    use serde_json::json;

    fn expand(table: Value) -> Result<Grid> {
        Grid::expand(Path::new("grid.toml"), table.as_object().expect("a table"))
    }

    #[test]
    fn combinations_are_distinct_and_the_seed_varies_fastest() {
        let grid =
            expand(json!({ "graph": "karate", "dim": [2, 5], "alpha": [0.1, 1, 0.1], "seeds": 2 })).unwrap();
        let shown: Vec<(usize, f64, u64)> = grid
            .jobs
            .iter()
            .map(|job| (job.config.dim.unwrap(), job.config.alpha.unwrap(), job.config.seed))
            .collect();
        let expected = [
            (2, 0.1, 1),
            (2, 0.1, 2),
            (2, 1.0, 1),
            (2, 1.0, 2),
            (5, 0.1, 1),
            (5, 0.1, 2),
            (5, 1.0, 1),
            (5, 1.0, 2),
        ];
        assert_eq!(shown, expected);
        assert_eq!(grid.varied, ["dim", "alpha"]);
    }

    #[test]
    fn labels_go_with_their_graphs_and_classifiers_with_every_job() {
        let grid = expand(json!({
            "graph": ["a", "b"], "labels": ["x", "y"], "seeds": [7], "classify": ["knn", "logistic"], "runs": 2,
            "multi_class": "one-vs-rest", "classifier_restarts": 3,
        }))
        .unwrap();
        let labels: Vec<_> = grid.jobs.iter().map(|job| job.source.labels.as_deref()).collect();
        assert_eq!(labels, [Some("x"), Some("y")]);
        assert!(
            grid.jobs.iter().all(|job| job.classify.as_ref().is_some_and(|c| c.runs == 2 && c.folds == 5))
        );
        let classify = grid.jobs[0].classify.as_ref().expect("there are classifiers");
        assert_eq!((classify.multi_class, classify.restarts), (MultiClass::OneVsRest, 3));
        assert_eq!(grid.jobs[0].config.restarts, None);
        assert_eq!(grid.varied, ["graph"]);
    }

    #[test]
    fn repeated_edges_are_combined_in_each_way_that_is_listed() {
        let repeated =
            |table| expand(table).unwrap().jobs.iter().map(|job| job.source.repeated).collect::<Vec<_>>();
        assert_eq!(repeated(json!({ "graph": "a", "seeds": 1 })), [None]);
        let table = json!({ "graph": "a", "seeds": 1, "repeated": ["sum", "max", "first"] });
        let all = [RepeatedEdges::Sum, RepeatedEdges::Max, RepeatedEdges::First].map(Some);
        assert_eq!(repeated(table.clone()), all);
        assert_eq!(expand(table).unwrap().varied, ["repeated"]);
    }

    #[test]
    fn five_seeds_are_the_default() {
        let seeds = |table| expand(table).unwrap().jobs.iter().map(|job| job.config.seed).collect::<Vec<_>>();
        assert_eq!(seeds(json!({ "graph": "a" })), [1, 2, 3, 4, 5]);
        assert_eq!(seeds(json!({ "graph": "a", "seed": 9 })), [9]);
        assert_eq!(seeds(json!({ "graph": "a", "seed": [9, 8] })), [9, 8]);
    }

    #[test]
    fn invalid_grids_are_refused_with_the_reason() {
        let cases = [
            (json!({}), "grid.toml: expected `graph`, such as graph = \"karate\", found none"),
            (json!({ "graph": [] }), "expected `graph` with one value or more, found an empty list"),
            (json!({ "graph": 3 }), "expected `graph` to be text, found 3"),
            (json!({ "graph": "a", "dims": 2 }), "found `dims`"),
            (
                json!({ "graph": "a", "dim": ["two"] }),
                "expected `dim` as `hycome embed` has it, found invalid type: string \"two\"",
            ),
            (json!({ "graph": ["a", "b"], "labels": "x" }), "a file for each graph, 2, found 1"),
            (json!({ "graph": "a", "seeds": 0 }), "expected `seeds` to be 1 or more, found 0"),
            (json!({ "graph": "a", "seeds": [1.5] }), "expected seeds to be whole numbers, found 1.5"),
            (json!({ "graph": "a", "seeds": 1, "seed": 1 }), "found `seed` as well"),
            (json!({ "graph": "a", "folds": 3 }), "found `folds` alone"),
            (json!({ "graph": "a", "classify": ["magic"] }), "unknown variant `magic`"),
            (json!({ "graph": "a", "unweighted": 1 }), "expected `unweighted` to be true or false, found 1"),
            (json!({ "graph": "a", "seeds": 99_999_999 }), "expected `seeds` to be 1 or more"),
            (
                json!({ "graph": "a", "repeated": ["min"] }),
                "expected `repeated` to be sum, max or first, found \"min\"",
            ),
            (json!({ "graph": "a", "repeated": 1 }), "expected `repeated` to be text, found 1"),
        ];
        for (table, sentence) in cases {
            let error = expand(table).unwrap_err().to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }
}
