//! From what was typed to a run, with a word on what else may have been meant.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::Run;

use crate::output::shown;
use crate::summary::shell_word;
use crate::unfinished::{self, is_run};

/// Loads a run, also an unfinished one; where there is none, tells the run or the graph that the name stands for.
pub fn load(path: &Path) -> anyhow::Result<Run> {
    if !path.exists() {
        let mut beside = path.as_os_str().to_owned();
        beside.push("-run");
        let beside = PathBuf::from(beside);
        if is_run(&beside) {
            bail!("{}: no run is called so; did you mean {}?", shown(path), shown(&beside));
        }
        if path.to_str().and_then(hycome::datasets::dataset).is_some() {
            let (name, word) = (shown(path), shell_word(path));
            bail!("{name}: this is a graph, not a run; `hycome embed {word}` makes {name}-run of it");
        }
    }
    unfinished::load(path)
}

/// Refuses a run where a graph is expected.
pub fn refuse(path: &Path) -> anyhow::Result<()> {
    if is_run(path) {
        let (name, word) = (shown(path), shell_word(path));
        bail!(
            "{name}: this is a run, and a graph is expected; `hycome communities {word}` and `hycome plot {word}` show it"
        );
    }
    Ok(())
}
