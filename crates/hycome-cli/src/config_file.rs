//! Settings from three places: a flag wins over the TOML file, the file over the default.
//!
//! Keys of the file are the fields of [`TrainConfig`], which are also the flags (with `-` for `_`).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use hycome::TrainConfig;
use serde_json::{Map, Value};

use crate::Usage;
use crate::load::nearest;
use crate::output::{escaped, shown};

/// No file of settings is larger than this.
const LARGEST: u64 = 1 << 20;

/// The settings of a training: `flags` where they were given, else those of the file, else the defaults.
pub fn merge(file: Option<&Path>, flags: &TrainConfig, matches: &ArgMatches) -> anyhow::Result<TrainConfig> {
    flags.validate()?; // before they become JSON, which has no NaN
    let mut settings = fields(&TrainConfig::default())?;
    if let Some(path) = file {
        settings.extend(read(path)?);
    }
    for (key, value) in fields(flags)? {
        let was_given = matches!(matches.try_contains_id(&key), Ok(true))
            && matches.value_source(&key) == Some(ValueSource::CommandLine);
        if was_given {
            settings.insert(key, value);
        }
    }
    Ok(serde_json::from_value(Value::Object(settings))?)
}

fn fields(config: &TrainConfig) -> anyhow::Result<Map<String, Value>> {
    match serde_json::to_value(config)? {
        Value::Object(fields) => Ok(fields),
        other => bail!("settings are an object, not {other}"),
    }
}

/// What a TOML file holds, its keys in their order.
pub fn table(path: &Path) -> anyhow::Result<Map<String, Value>> {
    let place = shown(path);
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("{place}: cannot read"))?;
    file.take(LARGEST + 1).read_to_string(&mut text).with_context(|| format!("{place}: cannot read"))?;
    if text.len() as u64 > LARGEST {
        bail!(Usage(format!("{place}: expected a file of settings, found more than {LARGEST} bytes")));
    }
    let table: toml::Table = toml::from_str(&text).map_err(|error: toml::de::Error| {
        let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
        let line = before.matches('\n').count() + 1;
        let found = escaped(error.message());
        Usage(format!("{place}:{line}: expected TOML such as `dim = 2`, found {found}"))
    })?;
    let values = table.into_iter().map(|(key, value)| Ok((key, serde_json::to_value(value)?)));
    values.collect::<anyhow::Result<_>>()
}

/// The settings that a TOML file holds.
fn read(path: &Path) -> anyhow::Result<Map<String, Value>> {
    check(path, table(path)?)
}

/// Settings of a training, or a sentence about the first that is none.
pub fn check(path: &Path, table: Map<String, Value>) -> anyhow::Result<Map<String, Value>> {
    let place = shown(path);
    let known = fields(&TrainConfig::default())?;
    let mut settings = Map::new();
    for (key, value) in table {
        if !known.contains_key(&key) {
            let keys: Vec<&str> = known.keys().map(String::as_str).collect();
            let near = nearest(&key, keys.iter().copied());
            let near = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
            let (key, keys) = (escaped(&key), keys.join(", "));
            bail!(Usage(format!("{place}: unknown setting `{key}`{near}; there are {keys}")));
        }
        let alone = Value::Object(Map::from_iter([(key.clone(), value.clone())]));
        if let Err(error) = serde_json::from_value::<TrainConfig>(alone) {
            bail!(Usage(format!("{place}: setting `{key}`: {}", escaped(&error.to_string()))));
        }
        settings.insert(key, value);
    }
    Ok(settings)
}
