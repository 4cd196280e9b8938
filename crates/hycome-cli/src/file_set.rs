//! Sets of output files that are replaced together, and the directories created for them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use hycome::io::{AtomicFile, commit, sync_folder};

use crate::term::output::shown;

/// Fails early if no file can be created in `folder`, which need not exist yet.
pub fn probe(folder: &Path) -> anyhow::Result<()> {
    let existing = folder.ancestors().find(|path| path.exists()).filter(|path| !path.as_os_str().is_empty());
    let existing = existing.unwrap_or(Path::new("."));
    let refused = || format!("{}: cannot write there", shown(folder));
    if !existing.is_dir() {
        return Err(std::io::Error::from(ErrorKind::NotADirectory)).with_context(refused);
    }
    AtomicFile::probe(existing).with_context(refused)
}

/// Directories created for output, outermost first. On drop, those that are still empty are removed.
#[derive(Debug)]
pub struct CreatedDirs(Vec<PathBuf>);

impl CreatedDirs {
    /// Creates `folder` and its missing parents.
    pub fn create(folder: &Path) -> anyhow::Result<Self> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        missing.reverse();
        let created = Self(missing);
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot create the folder", shown(folder)))?;
        Ok(created)
    }

    /// Fsyncs the parents, so that the new directories survive a power failure.
    fn sync(&self) -> anyhow::Result<()> {
        for parent in self.0.iter().filter_map(|folder| folder.parent()) {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            sync_folder(parent).with_context(|| format!("{}: cannot write", shown(parent)))?;
        }
        Ok(())
    }
}

impl Drop for CreatedDirs {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = std::fs::remove_dir(folder); // fails if it is not empty
        }
    }
}

/// Files staged under temporary names, to be committed together.
///
/// On drop, files that were not committed are removed, with the directories created for them.
#[derive(Debug)]
pub struct FileSet {
    folder: PathBuf,
    // Fields are dropped in order: temporary files before their directories.
    staged: Vec<AtomicFile>,
    /// Existing files to remove on commit.
    stale: Vec<PathBuf>,
    created: CreatedDirs,
}

impl FileSet {
    /// Stages files in `folder`, which is created if it does not exist.
    pub fn stage(folder: &Path, files: &[(&str, &[u8])]) -> anyhow::Result<Self> {
        let created = CreatedDirs::create(folder)?;
        let mut set = Self { folder: folder.into(), staged: Vec::new(), stale: Vec::new(), created };
        for (name, bytes) in files {
            let path = folder.join(name);
            if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
                let found = if path.is_dir() { "a folder" } else { "something else" };
                anyhow::bail!(
                    "{}: expected a file to replace, found {found}; move it away, or give another -o DIR",
                    shown(&path)
                );
            }
            set.staged.push(AtomicFile::write(&path, bytes)?);
        }
        Ok(set)
    }

    /// Also removes these files of the folder on commit, if they exist.
    pub fn removing<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.stale.extend(names.into_iter().map(|name| self.folder.join(name)));
        self
    }

    /// Renames all files into place and removes the stale ones, or changes nothing.
    pub fn commit(mut self) -> anyhow::Result<()> {
        commit(std::mem::take(&mut self.staged), &self.stale)?;
        self.created.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncommitted_set_leaves_no_folder() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b");
        drop(FileSet::stage(&folder, &[("x", b"1"), ("y", b"2")]).unwrap());
        assert!(!root.path().join("a").exists());
        assert!(FileSet::stage(&folder, &[("no/such", b"1")]).is_err());
        assert!(!root.path().join("a").exists());
        FileSet::stage(&folder, &[("x", b"1"), ("y", b"2")]).unwrap().commit().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }
}
