//! Output directory of a training run: created, locked against other processes, free of unfinished runs.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hycome::io::checkpoint_file::CHECKPOINT_FILE;
use hycome::io::recover_folder;

use crate::file_set::{CreatedDirs, probe};
use crate::term::output::shown;
use crate::term::summary::shell_quote;

/// A directory that no other process can train into while this value lives.
#[derive(Debug)]
pub struct RunDir {
    folder: PathBuf,
    // Fields are dropped in order: an empty directory is removed while it is still locked.
    _created: CreatedDirs,
    _lock: Option<File>,
}

impl RunDir {
    /// Directory of a new run. An unfinished run in it is an error, or is discarded if `overwrite`.
    pub fn new(folder: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let run_dir = Self::open(folder)?;
        let checkpoint = run_dir.checkpoint();
        if !checkpoint.exists() {
            return Ok(run_dir);
        }
        if !overwrite {
            bail!(
                "{} contains an unfinished run; resume it with `hycome embed --resume {}`, or discard it with \
                 --overwrite",
                shown(folder),
                shell_quote(folder),
            );
        }
        std::fs::remove_file(&checkpoint)
            .with_context(|| format!("{}: cannot remove", shown(&checkpoint)))?;
        Ok(run_dir)
    }

    /// Directory of an unfinished run.
    pub fn of_checkpoint(folder: &Path) -> anyhow::Result<Self> {
        recover_folder(folder)?; // restores the checkpoint of a run that was killed while it committed its result
        if !folder.join(CHECKPOINT_FILE).exists() {
            let finished = folder.join(hycome::io::run_file::RUN_FILE).exists();
            bail!(
                "{}: expected an unfinished run, found {}",
                shown(folder),
                if finished { "a finished one" } else { "none" },
            );
        }
        Self::open(folder)
    }

    fn open(folder: &Path) -> anyhow::Result<Self> {
        probe(folder)?;
        let mut run_dir = Self { folder: folder.into(), _created: CreatedDirs::create(folder)?, _lock: None };
        // Some systems cannot lock a directory. Files are still replaced atomically there.
        if let Ok(lock) = File::open(folder) {
            match lock.try_lock() {
                Ok(()) => {
                    run_dir._lock = Some(lock);
                    recover_folder(folder)?;
                }
                Err(TryLockError::WouldBlock) => {
                    bail!(
                        "{}: another training is writing there; wait for it, or give another -o DIR",
                        shown(folder)
                    )
                }
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(run_dir)
    }

    /// Path of the checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.join(CHECKPOINT_FILE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locked_run_dir_is_rejected() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("run");
        let first = RunDir::new(&folder, false).unwrap();
        let message = RunDir::new(&folder, false).unwrap_err().to_string();
        assert!(message.contains("another training is writing there"), "{message}");
        drop(first);
        assert!(!folder.exists(), "nothing was written");
        drop(RunDir::new(&folder, false).unwrap());
    }

    #[test]
    fn unfinished_run_is_overwritten_only_on_request() {
        let root = tempfile::tempdir().unwrap();
        assert!(RunDir::of_checkpoint(root.path()).unwrap_err().to_string().ends_with("found none"));
        std::fs::write(root.path().join(CHECKPOINT_FILE), "x").unwrap();
        let message = RunDir::new(root.path(), false).unwrap_err().to_string();
        assert!(message.contains("hycome embed --resume "), "{message}");
        drop(RunDir::of_checkpoint(root.path()).unwrap());
        drop(RunDir::new(root.path(), true).unwrap());
        assert!(!root.path().join(CHECKPOINT_FILE).exists());
    }
}
