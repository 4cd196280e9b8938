//! Directory of downloaded graphs: `--data`, `HYCOME_DATA`, or the user's data directory.

use std::path::{Path, PathBuf};

use anyhow::Context;
use etcetera::BaseStrategy;
use hycome::datasets::Dataset;
use serde::{Deserialize, Serialize};

use crate::term::output::shown;

/// Environment variable for the directory.
const VARIABLE: &str = "HYCOME_DATA";

/// Flag for the directory of downloaded graphs.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct DataOptions {
    /// Folder of downloaded graphs such as dblp [default: $HYCOME_DATA, or the folder that `hycome datasets path`
    /// prints].
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub data: Option<PathBuf>,
}

impl DataOptions {
    /// The directory; none if the user has no home directory.
    pub fn folder(&self) -> Option<PathBuf> {
        let variable = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        self.data.clone().or_else(variable).or_else(default_folder)
    }

    /// The directory, or an error that names the alternatives.
    pub fn some_folder(&self) -> anyhow::Result<PathBuf> {
        self.folder().context("no home folder to store graphs in; give --data DIR or set HYCOME_DATA")
    }

    /// The error for a graph that was not downloaded.
    pub fn missing(&self, dataset: &Dataset) -> String {
        let (name, first) = (dataset.name, dataset.files.first().map_or("", |file| file.path));
        let folder = self.folder().map_or("any folder".to_owned(), |folder| shown(&folder));
        format!(
            "the files of `{name}` are not in {folder}; `{}` downloads them, or point --data or {VARIABLE} to a folder \
             that has {first}",
            get_command(&[dataset])
        )
    }
}

/// The command that downloads graphs. Files without a published checksum need consent.
pub fn get_command(datasets: &[&Dataset]) -> String {
    let names: Vec<&str> = datasets.iter().map(|dataset| dataset.name).collect();
    let mut files = datasets.iter().flat_map(|dataset| dataset.files);
    let flag = if files.any(|file| file.sha256.is_none()) { " --unverified" } else { "" };
    format!("hycome datasets get {}{flag}", names.join(" "))
}

/// `hycome` in the user's data directory.
fn default_folder() -> Option<PathBuf> {
    let directories = etcetera::base_strategy::choose_native_strategy().ok()?;
    // Downloads are not settings that should roam between machines: on Windows, AppData\Local.
    let base = if cfg!(windows) { directories.cache_dir() } else { directories.data_dir() };
    base.is_absolute().then(|| base.join("hycome"))
}

/// A path of the manifest, whose components are separated by `/`, inside a folder.
pub fn inside(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_path_buf(), |joined, part| joined.join(part))
}
