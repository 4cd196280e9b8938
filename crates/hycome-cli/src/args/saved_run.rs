//! RUN arguments: a finished run, or an unfinished one as of its last checkpoint.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::Run;
use hycome::io::checkpoint_file::{self, CHECKPOINT_FILE};
use hycome::io::run_file::{self, RUN_FILE};

use crate::term::output::{notify, shown};
use crate::term::summary::shell_quote;

/// Loads a run. If there is none, suggests the run or the command that the name probably refers to.
pub fn load(path: &Path) -> anyhow::Result<Run> {
    if !path.exists() {
        let mut default = path.as_os_str().to_owned();
        default.push("-run");
        let default = PathBuf::from(default);
        if is_run(&default) {
            bail!("{}: no such run; did you mean {}?", shown(path), shown(&default));
        }
        if path.to_str().and_then(hycome::datasets::dataset).is_some() {
            let (name, word) = (shown(path), shell_quote(path));
            bail!("{name}: expected a run, found a graph; `hycome embed {word}` trains one in {name}-run");
        }
    }
    load_file(path)
}

/// Fails if `path` is a run where a graph is expected.
pub fn refuse(path: &Path) -> anyhow::Result<()> {
    if is_run(path) {
        let (name, word) = (shown(path), shell_quote(path));
        bail!(
            "{name}: expected a graph, found a run; `hycome communities {word}` and `hycome plot {word}` \
             show its content"
        );
    }
    Ok(())
}

/// Whether a folder contains a run, finished or not.
pub fn is_run(folder: &Path) -> bool {
    folder.join(RUN_FILE).is_file() || folder.join(CHECKPOINT_FILE).is_file()
}

/// Loads a run from its file or folder. An unfinished run is loaded from its last checkpoint, with a note.
pub fn load_file(path: &Path) -> anyhow::Result<Run> {
    let is_checkpoint = path.file_name().is_some_and(|name| name == CHECKPOINT_FILE);
    let (folder, checkpoint) = if is_checkpoint {
        (path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")), path.into())
    } else {
        (path, path.join(CHECKPOINT_FILE))
    };
    if !checkpoint.is_file() {
        return Ok(run_file::load(path)?);
    }
    let resume = format!("`hycome embed --resume {}`", shell_quote(folder));
    if !is_checkpoint && folder.join(RUN_FILE).is_file() {
        notify(&format!(
            "note: {} contains a finished run, which is used, and an unfinished one; resume that with {resume}",
            shown(folder)
        ));
        return Ok(run_file::load(path)?);
    }
    let (checkpoint, _) = checkpoint_file::load(&checkpoint)?;
    let progress = checkpoint.progress();
    notify(&format!(
        "note: unfinished run, at epoch {} of {} ({:.1} %); resume it with {resume}",
        progress.epoch,
        progress.epochs,
        100.0 * progress.done
    ));
    Ok(checkpoint.into_run()?)
}
