//! Settings of the library for Python: their names, defaults and words come from the library, none is written down here.

use clap::{Args, Command};
use hycome::TrainConfig;
use hycome::generate::{HyperbolicConfig, LfrConfig, PowerLawConfig};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::exception;

/// A setting that the package leaves as it is: Euclidean geometries are baselines that the command trains.
const BALL_ONLY: &str = "geometry";

/// Name, default as JSON, and what it means.
type Setting = (String, String, String);

/// Every setting of a kind: `train`, or a generator `lfr`, `power_law` or `hyperbolic`.
#[pyfunction]
pub fn settings(kind: &str) -> PyResult<Vec<Setting>> {
    match kind {
        "train" => {
            Ok(described::<TrainConfig>().into_iter().filter(|(name, ..)| name != BALL_ONLY).collect())
        }
        "lfr" => Ok(described::<LfrConfig>()),
        "power_law" => Ok(described::<PowerLawConfig>()),
        "hyperbolic" => Ok(described::<HyperbolicConfig>()),
        _ => Err(PyValueError::new_err(format!("there are no settings of kind {kind:?}"))),
    }
}

fn described<C: Args + Default + Serialize>() -> Vec<Setting> {
    let command = C::augment_args(Command::new("settings"));
    let describe = |(name, default): (String, Value)| {
        let argument = command.get_arguments().find(|argument| argument.get_id() == name.as_str());
        let help = argument.and_then(|argument| argument.get_long_help().or_else(|| argument.get_help()));
        let words = help.map_or(String::new(), |help| help.to_string());
        (name, default.to_string(), without_other_geometries(&words))
    };
    fields(&C::default()).into_iter().map(describe).collect()
}

/// The words on a setting without the last sentence, where it speaks of a geometry that the package does not train.
fn without_other_geometries(words: &str) -> String {
    let kept =
        words.find("With `--geometry").or_else(|| words.find("With\n`--geometry")).unwrap_or(words.len());
    words[..kept].trim_end().to_owned()
}

/// The settings that JSON gives, and defaults for the others.
pub fn train_config(json: &str) -> PyResult<TrainConfig> {
    let given: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut all = fields(&TrainConfig::default());
    let mut config = TrainConfig::default();
    for (name, value) in given {
        let found = value.to_string();
        all.insert(name.clone(), value);
        config = serde_json::from_value(Value::Object(all.clone())).map_err(|error| {
            let words = format!("`{name}` cannot be {found}: {error}");
            let is_type = error.to_string().starts_with("invalid type");
            if is_type { PyTypeError::new_err(words) } else { PyValueError::new_err(words) }
        })?;
    }
    config.validate().map_err(exception)?;
    Ok(config)
}

fn fields(config: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
