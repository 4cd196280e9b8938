//! The folder a training writes to: it is there, it is ours alone, and it holds no unfinished training.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hycome::io::checkpoint_file::CHECKPOINT_FILE;
use hycome::io::recover_folder;

use crate::output::{probe, shown};
use crate::summary::shell_word;

/// A folder that no other process trains into as long as this lives.
#[derive(Debug)]
pub struct Place {
    folder: PathBuf,
    /// The folders that had to be made, the outermost first.
    made: Vec<PathBuf>,
    /// Its lock ends with it.
    _lock: Option<File>,
}

impl Place {
    /// The folder for a new training; an unfinished one there is discarded if `overwrite`.
    pub fn new(folder: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let place = Self::open(folder)?;
        let checkpoint = place.checkpoint();
        if !checkpoint.exists() {
            return Ok(place);
        }
        if !overwrite {
            bail!(
                "{} holds an unfinished training; resume it with `hycome embed --resume {}`, or discard it with \
                 --overwrite",
                shown(folder),
                shell_word(folder),
            );
        }
        std::fs::remove_file(&checkpoint)
            .with_context(|| format!("{}: cannot remove", shown(&checkpoint)))?;
        Ok(place)
    }

    /// The folder of an unfinished training.
    pub fn of_checkpoint(folder: &Path) -> anyhow::Result<Self> {
        recover_folder(folder)?; // a training that was killed as it ended has its checkpoint back
        if !folder.join(CHECKPOINT_FILE).exists() {
            let finished = folder.join(hycome::io::run_file::RUN_FILE).exists();
            bail!(
                "{}: expected an unfinished training, found {}",
                shown(folder),
                if finished { "a finished one" } else { "none" },
            );
        }
        Self::open(folder)
    }

    fn open(folder: &Path) -> anyhow::Result<Self> {
        probe(folder)?;
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let mut made: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        made.reverse();
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot make the folder", shown(folder)))?;
        let mut place = Self { folder: folder.into(), made, _lock: None };
        // Some systems cannot lock a folder; then nobody is kept out, and files appear whole all the same.
        if let Ok(lock) = File::open(folder) {
            match lock.try_lock() {
                Ok(()) => {
                    place._lock = Some(lock);
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
        Ok(place)
    }

    /// Where checkpoints are.
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.join(CHECKPOINT_FILE)
    }
}

/// Folders that were made and hold nothing are removed.
impl Drop for Place {
    fn drop(&mut self) {
        for folder in self.made.iter().rev() {
            let _ = std::fs::remove_dir(folder); // refuses where something is in it
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_training_in_one_folder_is_told_so() {
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("run");
        let first = Place::new(&folder, false).unwrap();
        let message = Place::new(&folder, false).unwrap_err().to_string();
        assert!(
            message.ends_with("another training is writing there; wait for it, or give another -o DIR"),
            "{message}"
        );
        drop(first);
        assert!(!folder.exists(), "nothing was written");
        drop(Place::new(&folder, false).unwrap());
    }

    #[test]
    fn an_unfinished_training_is_overwritten_only_on_demand() {
        let here = tempfile::tempdir().unwrap();
        assert!(Place::of_checkpoint(here.path()).unwrap_err().to_string().ends_with("found none"));
        std::fs::write(here.path().join(CHECKPOINT_FILE), "x").unwrap();
        let message = Place::new(here.path(), false).unwrap_err().to_string();
        assert!(message.contains("resume it with `hycome embed --resume "), "{message}");
        drop(Place::of_checkpoint(here.path()).unwrap());
        drop(Place::new(here.path(), true).unwrap());
        assert!(!here.path().join(CHECKPOINT_FILE).exists());
    }
}
