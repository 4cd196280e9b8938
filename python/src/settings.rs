//! Hyperparameters for Python; names, defaults and descriptions come from the library.

use clap::{Args, Command};
use hycome::TrainConfig;
use hycome::generate::{HyperbolicConfig, LfrConfig, PowerLawConfig};
use hycome::train::{SettingError, Settings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::to_pyerr;

/// Setting that Python does not expose: Euclidean geometries are baselines of the command line.
const HIDDEN: &str = "geometry";

/// Name, default as JSON, and description.
type Setting = (String, String, String);

/// Settings of `train` or of a generator: `lfr`, `power_law` or `hyperbolic`.
#[pyfunction]
pub fn settings(kind: &str) -> PyResult<Vec<Setting>> {
    match kind {
        "train" => Ok(describe::<TrainConfig>().into_iter().filter(|(name, ..)| name != HIDDEN).collect()),
        "lfr" => Ok(describe::<LfrConfig>()),
        "power_law" => Ok(describe::<PowerLawConfig>()),
        "hyperbolic" => Ok(describe::<HyperbolicConfig>()),
        _ => Err(PyValueError::new_err(format!("there are no settings of kind {kind:?}"))),
    }
}

fn describe<C: Args + Default + Serialize>() -> Vec<Setting> {
    let command = C::augment_args(Command::new("settings"));
    let describe_field = |(name, default): (String, Value)| {
        let argument = command.get_arguments().find(|argument| argument.get_id() == name.as_str());
        let help = argument.and_then(|argument| argument.get_long_help().or_else(|| argument.get_help()));
        let text = help.map_or(String::new(), |help| help.to_string());
        (name, default.to_string(), text)
    };
    fields(&C::default()).into_iter().map(describe_field).collect()
}

/// Parses hyperparameters from JSON; missing ones have their defaults.
pub fn train_config(json: &str) -> PyResult<TrainConfig> {
    let given: Settings =
        serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let config =
        TrainConfig::default().with_settings(&given).map_err(|SettingError { name, message, is_type }| {
            let found = given.get(&name).map_or(String::new(), ToString::to_string);
            let message = format!("`{name}` cannot be {found}: {message}");
            if is_type { PyTypeError::new_err(message) } else { PyValueError::new_err(message) }
        })?;
    config.validate().map_err(to_pyerr)?;
    Ok(config)
}

fn fields(config: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}
