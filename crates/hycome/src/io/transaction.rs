//! Files that belong together change together: all of them, or none.
//!
//! [`commit`] works with an undo journal for each folder. First the journal `.ID.hycome-journal` names the files that will
//! change, and is brought to the disk. Then every old file gets a second name, `.NAME.ID.hycome-old`. Only then are new files
//! renamed into place and stale ones removed. When the folder is on the disk, removing the journal makes the change final,
//! and the old files go. Whatever fails before that is undone from the journal. A process that is killed leaves its journal
//! without a lock: the next command that looks at the folder ([`recover_folder`], and every write) undoes the change.
//!
//! A journal names files of its own folder alone, is believed only if it is ours, and undoes nothing but what the transaction itself did: a
//! file is removed or replaced only if it is the very file (by its inode) that the transaction put there.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::disk::{Disk, System};
use super::staged::{StagedFile, folder};
use super::temporary::{self, BACKUP, JOURNAL};
use crate::{Error, Result};

/// Puts staged files in place and removes others, all together or not at all.
///
/// Files in several folders change together as long as no process is killed in the moment when one journal is removed and
/// another is not; within a folder there is no such moment. What does not exist need not be removed.
///
/// # Errors
/// If the system refuses a step; everything is then as it was before. If even that cannot be restored, the next command
/// that writes there does so.
pub fn commit(files: Vec<StagedFile>, stale: &[PathBuf]) -> Result<()> {
    commit_on(&System, files, stale)
}

/// Undoes what a killed command has left half done in a folder.
///
/// # Errors
/// If the system refuses; what is there may then be a mixture.
pub fn recover_folder(folder: &Path) -> Result<()> {
    temporary::clean(folder)
}

/// A file that is to change.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// Its name.
    name: String,
    /// Whether there was one before, which then is kept as the backup.
    had_old: bool,
    /// Whether there will be none.
    is_stale: bool,
    /// The new file, where files have numbers.
    inode: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    /// The version of this format.
    hycome_journal: u32,
    files: Vec<Entry>,
}

/// What happens to the files of one folder.
struct Change {
    folder: PathBuf,
    /// The journal's own file, locked.
    file: NamedTempFile,
    id: String,
    journal: Journal,
    staged: Vec<StagedFile>,
}

fn commit_on(disk: &impl Disk, mut files: Vec<StagedFile>, stale: &[PathBuf]) -> Result<()> {
    files.retain(StagedFile::is_pending);
    let stale: Vec<&PathBuf> = stale.iter().filter(|path| path.symlink_metadata().is_ok()).collect();
    if files.len() <= 1 && stale.is_empty() {
        return files.pop().map_or(Ok(()), |file| file.put_in_place_on(disk));
    }
    let mut changes: Vec<Change> = Vec::new();
    let mut change_in = |path: &Path, staged: Option<StagedFile>| -> Result<()> {
        let at = match changes.iter().position(|change| change.folder == folder(path)) {
            Some(at) => at,
            None => {
                changes.push(Change::new(folder(path)).map_err(failed(path))?);
                changes.len() - 1
            }
        };
        changes[at].add(path, staged).map_err(failed(path))
    };
    for file in files {
        let path = file.path().to_path_buf();
        change_in(&path, Some(file))?;
    }
    stale.into_iter().try_for_each(|path| change_in(path, None))?;

    let done = changes.iter_mut().try_for_each(|change| change.make(disk));
    let done = done.and_then(|()| changes.iter_mut().try_for_each(|change| change.finish(disk)));
    if done.is_err() {
        // The first failure is what matters; where undoing fails too the journal stays for the next command.
        changes.into_iter().for_each(|change| change.undo(disk));
        return done;
    }
    changes.into_iter().try_for_each(|change| change.forget_old(disk))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
    move |source| Error::Io { path: path.into(), action: "write", source }
}

impl Change {
    fn new(folder: &Path) -> io::Result<Self> {
        let file = temporary::create(folder, "", JOURNAL)?;
        let name = file.path().file_name().unwrap_or_default().to_string_lossy();
        let id = name.trim_start_matches('.').trim_end_matches(JOURNAL).to_owned();
        let journal = Journal { hycome_journal: 1, files: Vec::new() };
        Ok(Self { folder: folder.into(), file, id, journal, staged: Vec::new() })
    }

    fn add(&mut self, path: &Path, staged: Option<StagedFile>) -> io::Result<()> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the name is not UTF-8"))?;
        let inode =
            staged.as_ref().map(StagedFile::metadata).transpose()?.and_then(|metadata| inode(&metadata));
        let had_old = path.symlink_metadata().is_ok();
        self.journal.files.push(Entry { name: name.into(), had_old, is_stale: staged.is_none(), inode });
        self.staged.extend(staged);
        Ok(())
    }

    /// Puts the new files in place, after the old ones have a second name.
    fn make(&mut self, disk: &impl Disk) -> Result<()> {
        let text = serde_json::to_vec(&self.journal).expect("a journal is JSON");
        self.file.as_file_mut().write_all(&text).map_err(failed(&self.folder))?;
        disk.sync_file(self.file.as_file()).map_err(failed(&self.folder))?;
        self.file.disable_cleanup(true); // from now on it is removed on purpose only
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))?;
        for entry in self.journal.files.iter().filter(|entry| entry.had_old) {
            let (target, backup) = (self.folder.join(&entry.name), self.backup(entry));
            // Where a file system knows no links the file goes aside; readers miss it for a moment.
            let aside = disk.link(&target, &backup).or_else(|_| disk.rename(&target, &backup));
            aside.map_err(failed(&target))?;
        }
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))?;
        for file in &mut self.staged {
            file.rename_on(disk)?;
        }
        for entry in self.journal.files.iter().filter(|entry| entry.is_stale) {
            let target = self.folder.join(&entry.name);
            match disk.remove(&target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&target)(error)),
                _ => {}
            }
        }
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))
    }

    /// Makes the change final.
    fn finish(&mut self, disk: &impl Disk) -> Result<()> {
        disk.remove(self.file.path()).map_err(failed(&self.folder))
    }

    fn backup(&self, entry: &Entry) -> PathBuf {
        self.folder.join(backup_name(&entry.name, &self.id))
    }

    /// Restores what was there. Without a journal on the disk nothing was changed.
    fn undo(self, disk: &impl Disk) {
        drop(self.staged); // those that have not taken their names
        let _ = undo(disk, &self.folder, &self.id, &self.journal, self.file.path());
    }

    /// Removes the old files. That nothing can bring the journal back has to be on the disk before.
    fn forget_old(self, disk: &impl Disk) -> Result<()> {
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))?;
        for entry in self.journal.files.iter().filter(|entry| entry.had_old) {
            let _ = disk.remove(&self.backup(entry)); // else the next command does
        }
        Ok(())
    }
}

fn backup_name(name: &str, id: &str) -> String {
    format!(".{name}.{id}{BACKUP}")
}

/// Brings back the files of a journal, then removes it. Doing so twice, or after half of it, does no harm.
fn undo(disk: &impl Disk, folder: &Path, id: &str, journal: &Journal, path: &Path) -> io::Result<()> {
    for entry in &journal.files {
        let (target, backup) = (folder.join(&entry.name), folder.join(backup_name(&entry.name, id)));
        let current = target.symlink_metadata().ok();
        let old = backup.symlink_metadata().ok();
        let is_new = match (&current, entry.inode) {
            (Some(current), Some(new)) => inode(current).is_none_or(|inode| inode == new),
            _ => false,
        };
        match (old, current) {
            (Some(old), Some(current)) if inode(&old).is_some() && inode(&old) == inode(&current) => {
                disk.remove(&backup)?; // it was not touched yet
            }
            (Some(_), None) => disk.rename(&backup, &target)?,
            (Some(_), Some(_)) if is_new => disk.rename(&backup, &target)?,
            (None, Some(_)) if is_new && !entry.had_old => disk.remove(&target)?,
            _ => {} // it is as it was, or somebody has put something else there
        }
    }
    disk.sync_folder(folder)?;
    match disk.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    disk.sync_folder(folder)
}

/// Whether the journal of a backup is still there.
pub(super) fn has_journal(folder: &Path, backup: &str) -> bool {
    let id = backup.trim_end_matches(BACKUP).rsplit('.').next().unwrap_or_default();
    folder.join(format!(".{id}{JOURNAL}")).symlink_metadata().is_ok()
}

/// Undoes a transaction whose process is gone.
pub(super) fn recover(folder: &Path, name: &str) -> Result<()> {
    let path = folder.join(name);
    let Some(mut file) = temporary::locked(&path).filter(is_ours) else { return Ok(()) };
    let id = name.trim_start_matches('.').trim_end_matches(JOURNAL);
    let mut text = String::new();
    let journal = match file.read_to_string(&mut text).map(|_| serde_json::from_str::<Journal>(&text)) {
        Ok(Ok(journal)) if journal.hycome_journal == 1 => journal,
        // Of another version, or unreadable: not ours to judge.
        Ok(Ok(_)) | Err(_) => return Ok(()),
        // Half a journal: its process was killed before anything changed.
        Ok(Err(_)) => Journal { hycome_journal: 1, files: Vec::new() },
    };
    let is_name = |entry: &Entry| Path::new(&entry.name).file_name() == Some(entry.name.as_ref());
    if !journal.files.iter().all(is_name) {
        return Ok(()); // nothing of ours leads out of its folder
    }
    undo(&System, folder, id, &journal, &path).map_err(failed(folder))
}

/// Whether a file belongs to the user that we are.
#[cfg(unix)]
fn is_ours(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_ours(_file: &File) -> bool {
    true
}

/// What tells a file from all others of its file system, where there is such a thing.
#[cfg(unix)]
fn inode(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

#[cfg(not(unix))]
fn inode(_metadata: &Metadata) -> Option<u64> {
    None
}

#[cfg(test)]
#[path = "transaction/tests.rs"]
mod tests;
