//! Where downloaded graphs are: `--data`, `HYCOME_DATA`, or a folder of the user's own.

use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::datasets::Dataset;
use serde::{Deserialize, Serialize};

use crate::output::shown;

/// The variable that names the folder.
const VARIABLE: &str = "HYCOME_DATA";

/// Flag for the folder of downloaded graphs.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub struct DataOptions {
    /// Folder of downloaded graphs, for names such as dblp [default: $HYCOME_DATA, else the one that `hycome datasets
    /// path` prints].
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub data: Option<PathBuf>,
}

impl DataOptions {
    /// The folder, if there can be one.
    pub fn folder(&self) -> Option<PathBuf> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        self.data.clone().or_else(|| set(VARIABLE)).or_else(|| own_folder(&set))
    }

    /// The folder, or what to do where there is none.
    pub fn some_folder(&self) -> anyhow::Result<PathBuf> {
        self.folder()
            .context("there is no home folder to keep graphs in; say where with --data DIR or HYCOME_DATA")
    }

    /// What to do about a graph whose files are not there.
    pub fn missing(&self, dataset: &Dataset) -> String {
        let (name, first) = (dataset.name, dataset.files.first().map_or("", |file| file.path));
        let folder = self.folder().map_or("any folder".to_owned(), |folder| shown(&folder));
        format!(
            "the files of `{name}` are not in {folder}; `hycome datasets get {name}` downloads them, or point --data or \
             {VARIABLE} to a folder that has {first}"
        )
    }
}

/// Where programs keep a user's data on this system.
fn own_folder(set: &dyn Fn(&'static str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().and_then(absolute);
    let base = if cfg!(windows) {
        set("LOCALAPPDATA").and_then(absolute)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        set("XDG_DATA_HOME").and_then(absolute).or_else(|| home().map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("hycome"))
}

/// A place of the manifest, whose parts are joined by `/`, inside a folder.
pub fn inside(folder: &Path, place: &str) -> PathBuf {
    place.split('/').fold(folder.to_path_buf(), |path, part| path.join(part))
}
