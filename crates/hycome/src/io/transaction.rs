//! Transactions over several files, with an undo journal: all of them change, or none.
//!
//! [`commit`] writes an undo journal per folder. First the journal `.ID.hycome-journal` lists the files that will change, and is
//! fsynced. Then every old file gets a hard link, `.NAME.ID.hycome-old`. Only then are new files renamed and stale ones removed.
//! After an fsync of the folder, removing the journal commits the transaction, and the backups are removed. A failure
//! before that point is rolled back from the journal. The journal of a killed process is not locked: the next access to the
//! folder ([`recover_folder`], and every write) rolls it back.
//!
//! A journal is ignored if it belongs to another user or lists files outside its folder, and rolling back affects only what
//! the transaction did: a file is removed or replaced only if it has the inode of the file that the transaction created.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::io::atomic_file::{AtomicFile, folder};
use crate::io::disk::{Disk, System};
use crate::io::temporary::{self, BACKUP, JOURNAL};
use crate::{Error, Result};

/// Commits files and removes stale ones, all together or not at all.
///
/// Within a folder the commit is atomic. Across folders it is atomic unless the process is killed between the removal of
/// two journals. Stale files that do not exist are ignored.
///
/// # Errors
/// If a step fails; the transaction is then rolled back. If that fails too, the next write to the folder rolls it back.
pub fn commit(files: Vec<AtomicFile>, stale: &[PathBuf]) -> Result<()> {
    commit_on(&System, files, stale)
}

/// Rolls back the unfinished transactions of killed processes in a folder.
///
/// # Errors
/// If a step fails; the folder may then contain old and new files.
pub fn recover_folder(folder: &Path) -> Result<()> {
    temporary::clean(folder)
}

/// A file of a transaction.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// Its name.
    name: String,
    /// Whether the file existed before, so that it has a backup.
    had_old: bool,
    /// Whether the transaction removes it.
    is_stale: bool,
    /// Inode of the new file, where the system has inodes.
    inode: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    /// The version of this format.
    hycome_journal: u32,
    files: Vec<Entry>,
}

/// The part of a transaction in one folder.
struct Change {
    folder: PathBuf,
    /// The journal's own file, locked.
    file: NamedTempFile,
    id: String,
    journal: Journal,
    staged: Vec<AtomicFile>,
}

fn commit_on(disk: &impl Disk, mut files: Vec<AtomicFile>, stale: &[PathBuf]) -> Result<()> {
    files.retain(AtomicFile::is_pending);
    let stale: Vec<&PathBuf> = stale.iter().filter(|path| path.symlink_metadata().is_ok()).collect();
    if files.len() <= 1 && stale.is_empty() {
        return files.pop().map_or(Ok(()), |file| file.commit_on(disk));
    }
    let mut changes: Vec<Change> = Vec::new();
    let mut change_in = |path: &Path, staged: Option<AtomicFile>| -> Result<()> {
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
        // The first error is reported; if rolling back fails too, the journal remains for the next access.
        changes.into_iter().for_each(|change| change.undo(disk));
        return done;
    }
    changes.into_iter().try_for_each(|change| change.remove_backups(disk))
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

    fn add(&mut self, path: &Path, staged: Option<AtomicFile>) -> io::Result<()> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the name is not UTF-8"))?;
        let inode =
            staged.as_ref().map(AtomicFile::metadata).transpose()?.and_then(|metadata| inode(&metadata));
        let had_old = path.symlink_metadata().is_ok();
        self.journal.files.push(Entry { name: name.into(), had_old, is_stale: staged.is_none(), inode });
        self.staged.extend(staged);
        Ok(())
    }

    /// Creates the backups, then renames the new files.
    fn make(&mut self, disk: &impl Disk) -> Result<()> {
        let text = serde_json::to_vec(&self.journal).expect("a journal is JSON");
        self.file.as_file_mut().write_all(&text).map_err(failed(&self.folder))?;
        disk.sync_file(self.file.as_file()).map_err(failed(&self.folder))?;
        self.file.disable_cleanup(true); // from now on it is removed explicitly
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))?;
        for entry in self.journal.files.iter().filter(|entry| entry.had_old) {
            let (target, backup) = (self.folder.join(&entry.name), self.backup(entry));
            // Without hard links the file is renamed; for a moment readers do not find it.
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

    /// Commits the transaction by removing the journal.
    fn finish(&mut self, disk: &impl Disk) -> Result<()> {
        disk.remove(self.file.path()).map_err(failed(&self.folder))
    }

    fn backup(&self, entry: &Entry) -> PathBuf {
        self.folder.join(backup_name(&entry.name, &self.id))
    }

    /// Rolls back.
    fn undo(self, disk: &impl Disk) {
        drop(self.staged); // removes the temporary files that were not renamed
        let _ = undo(disk, &self.folder, &self.id, &self.journal, self.file.path());
    }

    /// Removes the backups, after an fsync that makes the removal of the journal durable.
    fn remove_backups(self, disk: &impl Disk) -> Result<()> {
        disk.sync_folder(&self.folder).map_err(failed(&self.folder))?;
        for entry in self.journal.files.iter().filter(|entry| entry.had_old) {
            let _ = disk.remove(&self.backup(entry)); // otherwise the next access removes them
        }
        Ok(())
    }
}

fn backup_name(name: &str, id: &str) -> String {
    format!(".{name}.{id}{BACKUP}")
}

/// Rolls back a journal, then removes it. Idempotent, also after an interruption.
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
                disk.remove(&backup)?; // not replaced yet
            }
            (Some(_), None) => disk.rename(&backup, &target)?,
            (Some(_), Some(_)) if is_new => disk.rename(&backup, &target)?,
            (None, Some(_)) if is_new && !entry.had_old => disk.remove(&target)?,
            _ => {} // unchanged, or replaced by another process
        }
    }
    disk.sync_folder(folder)?;
    match disk.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    disk.sync_folder(folder)
}

/// Whether the journal of a backup exists.
pub(crate) fn has_journal(folder: &Path, backup: &str) -> bool {
    let id = backup.trim_end_matches(BACKUP).rsplit('.').next().unwrap_or_default();
    folder.join(format!(".{id}{JOURNAL}")).symlink_metadata().is_ok()
}

/// Rolls back a transaction whose process was killed.
pub(crate) fn recover(folder: &Path, name: &str) -> Result<()> {
    let path = folder.join(name);
    let Some(mut file) = temporary::locked(&path).filter(is_ours) else { return Ok(()) };
    let id = name.trim_start_matches('.').trim_end_matches(JOURNAL);
    let mut text = String::new();
    let journal = match file.read_to_string(&mut text).map(|_| serde_json::from_str::<Journal>(&text)) {
        Ok(Ok(journal)) if journal.hycome_journal == 1 => journal,
        // Another version, or unreadable: left alone.
        Ok(Ok(_)) | Err(_) => return Ok(()),
        // A truncated journal: its process was killed before any change.
        Ok(Err(_)) => Journal { hycome_journal: 1, files: Vec::new() },
    };
    let is_name = |entry: &Entry| Path::new(&entry.name).file_name() == Some(entry.name.as_ref());
    if !journal.files.iter().all(is_name) {
        return Ok(()); // our journals never refer to another folder
    }
    undo(&System, folder, id, &journal, &path).map_err(failed(folder))
}

/// Whether a file belongs to the current user.
#[cfg(unix)]
fn is_ours(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_ours(_file: &File) -> bool {
    true
}

/// Inode number, where the system has inodes.
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
