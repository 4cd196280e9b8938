//! Runs as the reading commands take them: finished or, where training was stopped, as far as its last checkpoint.

use std::path::Path;

use hycome::Run;
use hycome::io::checkpoint_file::{self, CHECKPOINT_FILE};
use hycome::io::run_file::{self, RUN_FILE};

use crate::output::{say, shown};
use crate::summary::shell_word;

/// Whether a folder holds a run, finished or not.
pub fn is_run(folder: &Path) -> bool {
    folder.join(RUN_FILE).is_file() || folder.join(CHECKPOINT_FILE).is_file()
}

/// Reads a run from its file or folder. Of an unfinished training it makes the run that it would be if training ended at its last
/// checkpoint, and says so.
pub fn load(path: &Path) -> anyhow::Result<Run> {
    let is_checkpoint = path.file_name().is_some_and(|name| name == CHECKPOINT_FILE);
    let (folder, checkpoint) = if is_checkpoint {
        (path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")), path.into())
    } else {
        (path, path.join(CHECKPOINT_FILE))
    };
    if !checkpoint.is_file() {
        return Ok(run_file::load(path)?);
    }
    let resume = format!("`hycome embed --resume {}`", shell_word(folder));
    if !is_checkpoint && folder.join(RUN_FILE).is_file() {
        say(&format!(
            "note: {} holds a finished run, which is read, and an unfinished training, which {resume} resumes",
            shown(folder)
        ));
        return Ok(run_file::load(path)?);
    }
    let (checkpoint, _) = checkpoint_file::load(&checkpoint)?;
    let progress = checkpoint.progress();
    say(&format!(
        "note: training is unfinished, at epoch {} of {} ({:.1} %); resume it with {resume}",
        progress.epoch,
        progress.epochs,
        100.0 * progress.done
    ));
    Ok(checkpoint.into_run()?)
}
