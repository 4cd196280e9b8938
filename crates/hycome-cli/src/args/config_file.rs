//! Hyperparameters from three sources: flags override the TOML file, the file overrides defaults.
//!
//! Keys of the file are the fields of [`TrainConfig`], which are also the flags (with `-` for `_`).

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use hycome::TrainConfig;
use hycome::train::Settings;

use crate::Usage;
use crate::args::suggestion::did_you_mean;
use crate::term::output::{escaped, shown};

/// Size limit of a config file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The hyperparameters of a training: `flags` that were given, over those of the file, over the defaults.
pub fn merge(file: Option<&Path>, flags: &TrainConfig, matches: &ArgMatches) -> anyhow::Result<TrainConfig> {
    flags.validate()?; // before the conversion to JSON, which has no NaN
    let mut settings = Settings::new();
    if let Some(path) = file {
        settings = check(path, table(path)?)?;
    }
    settings.extend(flags.to_settings().into_iter().filter(|(key, _)| is_given(matches, key)));
    Ok(TrainConfig::default().with_settings(&settings)?)
}

/// Whether a flag was given on the command line, rather than left at its default.
pub fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches!(matches.try_contains_id(id), Ok(true))
        && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// The content of a TOML file, its keys in their order.
pub fn table(path: &Path) -> anyhow::Result<Settings> {
    let file_name = shown(path);
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(|| format!("{file_name}: cannot read"))?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).with_context(|| format!("{file_name}: cannot read"))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!(Usage(format!("{file_name}: expected a TOML file of at most {MAX_BYTES} bytes, found more")));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        bail!(Usage(format!("{file_name}: expected a TOML file in UTF-8, found other bytes")));
    };
    let table: toml::Table = toml::from_str(&text).map_err(|error: toml::de::Error| {
        let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
        let line = before.matches('\n').count() + 1;
        let found = escaped(error.message());
        Usage(format!("{file_name}:{line}: expected TOML such as `dim = 2`, found {found}"))
    })?;
    let values = table.into_iter().map(|(key, value)| Ok((key, serde_json::to_value(value)?)));
    values.collect::<anyhow::Result<_>>()
}

/// Fails at the first key or value that is not a hyperparameter; otherwise returns the table.
pub fn check(path: &Path, table: Settings) -> anyhow::Result<Settings> {
    let file_name = shown(path);
    let known = TrainConfig::default().to_settings();
    if let Some(key) = table.keys().find(|key| !known.contains_key(*key)) {
        let keys: Vec<&str> = known.keys().map(String::as_str).collect();
        let suggestion = did_you_mean(key, keys.iter().copied());
        let (key, keys) = (escaped(key), keys.join(", "));
        bail!(Usage(format!("{file_name}: unknown setting `{key}`{suggestion}; expected one of {keys}")));
    }
    if let Err(error) = TrainConfig::default().with_settings(&table) {
        let (key, message) = (escaped(&error.name), escaped(&error.message));
        bail!(Usage(format!("{file_name}: setting `{key}`: {message}")));
    }
    Ok(table)
}
