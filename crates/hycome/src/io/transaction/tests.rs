//! Every call of a commit fails once, alone or with all that follow, and what remains is the old set or the new one.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::*;
use crate::io::disk::names;

/// A file system whose n-th call fails, and if it dies every later call too.
struct Failing {
    calls: Cell<usize>,
    at: usize,
    dies: bool,
    /// A file system without hard links.
    without_links: bool,
}

impl Failing {
    fn call(&self) -> io::Result<()> {
        let call = self.calls.replace(self.calls.get() + 1);
        let fails = call == self.at || self.dies && call > self.at;
        if fails { Err(io::Error::from_raw_os_error(5)) } else { Ok(()) }
    }

    fn has_failed(&self) -> bool {
        self.calls.get() > self.at
    }
}

impl Disk for Failing {
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call().and_then(|()| System.rename(from, to))
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        if self.without_links { Err(io::ErrorKind::Unsupported.into()) } else { System.link(from, to) }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call().and_then(|()| System.remove(path))
    }

    fn sync_file(&self, file: &File) -> io::Result<()> {
        self.call().and_then(|()| System.sync_file(file))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call().and_then(|()| System.sync_folder(folder))
    }
}

type Content = BTreeMap<String, String>;

/// The files of a folder that users see.
fn content(folder: &Path) -> Content {
    let names = names(folder).unwrap();
    let names = names.iter().map(|name| name.to_str().unwrap()).filter(|name| !name.starts_with('.'));
    names.map(|name| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap())).collect()
}

fn content_of(files: &[(&str, &str)]) -> Content {
    files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

const OLD: [(&str, &str); 4] = [("run", "old"), ("tsv", "old"), ("page", "old"), ("history", "old")];
const NEW: [(&str, &str); 3] = [("run", "new"), ("tsv", "new"), ("json", "new")];

/// A folder with the old files and `others`.
fn before() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    OLD.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    folder
}

/// Replaces the old files by the new ones; page and history are stale then.
fn change(disk: &impl Disk, folder: &Path) -> Result<()> {
    let files =
        NEW.iter().map(|(name, text)| AtomicFile::write(&folder.join(name), text.as_bytes()).unwrap());
    let stale = ["page", "history", "never there"].map(|name| folder.join(name));
    commit_on(disk, files.collect(), &stale)
}

/// All files of a folder are visible: no temporary file remains.
fn is_clean(folder: &Path) -> bool {
    names(folder).unwrap().len() == content(folder).len()
}

#[test]
fn whatever_call_fails_the_old_or_the_new_files_are_there() {
    let (old, new) = (content_of(&OLD), content_of(&NEW));
    for without_links in [false, true] {
        for at in 0.. {
            let folder = before();
            let disk = Failing { calls: Cell::new(0), at, dies: false, without_links };
            let done = change(&disk, folder.path());
            let found = content(folder.path());
            assert!(found == old || found == new, "call {at}: {found:?}");
            assert!(done.is_err() || found == new, "call {at}: a success is the new files");
            if !disk.has_failed() {
                assert!(at > 15 && done.is_ok() && is_clean(folder.path()), "{at}");
                break;
            }
            // The next command finds the same, tidies up and succeeds.
            recover_folder(folder.path()).unwrap();
            assert_eq!(content(folder.path()), found, "call {at}");
            change(&System, folder.path()).unwrap();
            assert!(content(folder.path()) == new && is_clean(folder.path()), "call {at}");
        }
    }
}

#[test]
fn a_kill_at_any_call_is_repaired_by_the_next_command() {
    let (old, new) = (content_of(&OLD), content_of(&NEW));
    for without_links in [false, true] {
        let mut seen_old = 0;
        for at in 0.. {
            let folder = before();
            // Nothing that would undo the change is done any more, as after a kill.
            let disk = Failing { calls: Cell::new(0), at, dies: true, without_links };
            let done = change(&disk, folder.path());
            recover_folder(folder.path()).unwrap();
            let found = content(folder.path());
            assert!(found == old || found == new, "call {at}: {found:?}");
            assert!(is_clean(folder.path()), "call {at}: {:?}", names(folder.path()));
            assert!(done.is_err() || found == new, "call {at}");
            seen_old += usize::from(found == old);
            if !disk.has_failed() {
                break;
            }
        }
        assert!(seen_old > 10);
    }
}

#[test]
fn a_repair_that_is_killed_is_repaired_again() {
    let old = content_of(&OLD);
    // Where the change is killed, and where its repair.
    for (at, again) in (8..14).flat_map(|at| (0..6).map(move |again| (at, again))) {
        let folder = before();
        let disk = Failing { calls: Cell::new(0), at, dies: true, without_links: false };
        assert!(change(&disk, folder.path()).is_err());
        let names = names(folder.path()).unwrap();
        let name =
            names.iter().filter_map(|name| name.to_str()).find(|name| name.ends_with(JOURNAL)).unwrap();
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let journal: Journal = serde_json::from_str(&text).unwrap();
        let disk = Failing { calls: Cell::new(0), at: again, dies: true, without_links: false };
        let id = name.trim_start_matches('.').trim_end_matches(JOURNAL);
        let _ = undo(&disk, folder.path(), id, &journal, &folder.path().join(name));
        recover_folder(folder.path()).unwrap();
        assert!(content(folder.path()) == old && is_clean(folder.path()), "{at}, {again}");
    }
}

#[test]
fn files_of_several_folders_fail_together() {
    for at in 0.. {
        let (one, two) = (before(), before());
        let disk = Failing { calls: Cell::new(0), at, dies: false, without_links: false };
        let paths = [one.path().join("run"), two.path().join("tsv"), two.path().join("json")];
        let files = paths.iter().map(|path| AtomicFile::write(path, b"new").unwrap()).collect();
        let done = commit_on(&disk, files, &[]);
        let read = |path: &PathBuf| std::fs::read_to_string(path).ok();
        let found = paths.each_ref().map(read);
        let found = found.each_ref().map(Option::as_deref);
        assert!([[Some("old"), Some("old"), None], [Some("new"); 3]].contains(&found), "{at}: {found:?}");
        assert!(done.is_err() || found == [Some("new"); 3]);
        if !disk.has_failed() {
            break;
        }
    }
}

#[test]
fn files_are_found_by_relative_paths_too() {
    // The tests' folder is the crate's; `./` and no folder at all are the same place.
    let names = [".hycome-relative-1", "./.hycome-relative-2"].map(PathBuf::from);
    let files = names.iter().map(|path| AtomicFile::write(path, b"new").unwrap()).collect();
    commit(files, &[]).unwrap();
    for name in names {
        assert_eq!(std::fs::read(&name).unwrap(), b"new");
        std::fs::remove_file(name).unwrap();
    }
}

#[test]
fn a_transaction_of_a_running_process_is_left_alone() {
    let folder = before();
    let mut running = Change::new(folder.path()).unwrap();
    let file = AtomicFile::write(&folder.path().join("run"), b"new").unwrap();
    running.add(&folder.path().join("run"), Some(file)).unwrap();
    running.make(&System).unwrap();
    recover_folder(folder.path()).unwrap();
    assert_eq!(std::fs::read(folder.path().join("run")).unwrap(), b"new");
    running.undo(&System);
    assert!(content(folder.path()) == content_of(&OLD) && is_clean(folder.path()));
}

#[test]
fn a_journal_of_others_harms_nothing() {
    let folder = before();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    let journal = folder.path().join("in/.abcdef.hycome-journal");
    std::fs::write(folder.path().join("in/.x.abcdef.hycome-old"), "evil").unwrap();
    std::fs::write(folder.path().join("in/x"), "mine").unwrap();
    for entry in [
        r#"{"name":"../run","had_old":false,"is_stale":false,"inode":1}"#,
        r#"{"name":"x","had_old":false,"is_stale":false,"inode":1}"#,
        r#"{"name":"x","had_old":true,"is_stale":false,"inode":1}"#,
        r#"{"name":"..","had_old":true,"is_stale":false,"inode":1}"#,
    ] {
        std::fs::write(&journal, format!(r#"{{"hycome_journal":1,"files":[{entry}]}}"#)).unwrap();
        recover_folder(&folder.path().join("in")).unwrap();
        assert_eq!(std::fs::read(folder.path().join("in/x")).unwrap(), b"mine", "{entry}");
        assert_eq!(std::fs::read(folder.path().join("run")).unwrap(), b"old", "{entry}");
    }
}
