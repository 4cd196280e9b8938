//! Results in a file, a line each, which a crash cannot spoil.
//!
//! The file begins with a line that says which version wrote it; each further line is a [`Record`] as JSON. A line is
//! written at once and brought to the disk before the next job counts as done. Whatever interrupts that leaves a
//! last line without an end: on opening it is recognised and dropped, and its job is done again. A result is found by
//! its job, so a file may hold results of several grids. While it is open the file is locked.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Job, Record};
use crate::io::{is_stream, sync_folder};
use crate::{Error, Result, json};

/// Results in a file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    records: Vec<Record>,
    /// Where the record of a job is, by the job's JSON.
    index: HashMap<String, usize>,
    /// Whether the file ended in half a line, which was dropped.
    pub was_torn: bool,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    /// The version that wrote the results: others may give other numbers.
    hycome: String,
}

impl Store {
    /// Opens a file of results, or makes one.
    ///
    /// # Errors
    /// If the file is something else, was written by another version, is open elsewhere or cannot be written.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |action| move |source| Error::Io { path: path.into(), action, source };
        if is_stream(path) {
            // Results are read again, to go on from them.
            let (expected, found) = ("a regular file for results", "a device or a pipe; give another name");
            return Err(Error::Content { path: path.into(), expected: expected.into(), found: found.into() });
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let (expected, found) =
                    ("results that nobody else is writing", "another hycome at work on them");
                return Err(Error::Content {
                    path: path.into(),
                    expected: expected.into(),
                    found: found.into(),
                });
            }
            Err(TryLockError::Error(_)) => {} // some file systems have no locks; then care is the user's
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let mut store = Self {
            path: path.into(),
            file,
            length: 0,
            records: Vec::new(),
            index: HashMap::new(),
            was_torn: false,
        };
        store.read(&bytes)?;
        Ok(store)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let header = Header { hycome: env!("CARGO_PKG_VERSION").into() };
        let first = serde_json::to_string(&header).expect("a header is JSON") + "\n";
        if first.as_bytes().starts_with(bytes) {
            self.was_torn = !bytes.is_empty() && bytes.len() < first.len();
            self.cut()?; // nothing, or half a header
            self.write(&first)?;
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let synced = sync_folder(folder.unwrap_or(Path::new("."))); // the file may be new
            return synced.map_err(|source| self.failed(source));
        }
        let refuse = |expected: &str, found: String| {
            Err(Error::Content { path: self.path.clone(), expected: expected.into(), found })
        };
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        let found = lines.next().and_then(|line| serde_json::from_slice::<Header>(line).ok());
        match found {
            None => {
                return refuse("results of hycome, or no file", "something else; give another name".into());
            }
            Some(found) if found.hycome != header.hycome => {
                let expected = format!("results of version {}, for others may differ", header.hycome);
                return refuse(&expected, format!("those of {}; give another name", found.hycome));
            }
            Some(_) => {}
        }
        let mut records = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let record: Record = serde_json::from_slice(line).map_err(|error| Error::Line {
                path: self.path.clone(),
                line: number,
                expected: "a job and its outcome; remove the line and it is done again".into(),
                found: format!("something else ({error})"),
            })?;
            records.push(record);
        }
        records.into_iter().for_each(|record| self.remember(record));
        self.length = whole as u64;
        if whole < bytes.len() {
            self.was_torn = true;
            self.cut()?;
        }
        self.file.seek(SeekFrom::Start(self.length)).map_err(|source| self.failed(source))?;
        Ok(())
    }

    /// Removes what is behind the whole lines.
    fn cut(&mut self) -> Result<()> {
        let done = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        done.map(|_| ()).map_err(|source| self.failed(source))
    }

    /// Writes a line and brings it to the disk; a disk that does not take it all is left as it was.
    fn write(&mut self, line: &str) -> Result<()> {
        let done = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(source) = done {
            let _ = self.cut(); // the failure to write is what matters, and half a line is dropped on opening
            return Err(self.failed(source));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Io { path: self.path.clone(), action: "write", source }
    }

    fn remember(&mut self, record: Record) {
        self.index.insert(key(&record.job), self.records.len());
        self.records.push(record);
    }

    /// Appends a result, which is on the disk when this returns.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn append(&mut self, record: Record) -> Result<()> {
        let line = json::to_string(&record).expect("a record is JSON") + "\n";
        self.write(&line)?;
        self.remember(record);
        Ok(())
    }

    /// The result of a job, the last one if there are several.
    #[must_use]
    pub fn find(&self, job: &Job) -> Option<&Record> {
        self.index.get(&key(job)).map(|&place| &self.records[place])
    }

    /// All results, in the order in which they came.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

fn key(job: &Job) -> String {
    serde_json::to_string(job).expect("a job is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrainConfig;
    use crate::experiments::{Outcome, Source};

    fn record(seed: u64) -> Record {
        let config = TrainConfig { seed, learning_rate: 0.1 + 0.2, ..TrainConfig::default() };
        let job =
            Job { source: Source { graph: "karate".into(), ..Source::default() }, config, classify: None };
        Record { job, outcome: Outcome::Failed("no".into()) }
    }

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        (folder, path)
    }

    #[test]
    fn results_are_found_again_by_their_job() {
        let (_folder, path) = file();
        let mut store = Store::open(&path).unwrap();
        store.append(record(1)).unwrap();
        store.append(record(2)).unwrap();
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.records(), [record(1), record(2)]);
        assert_eq!(store.find(&record(2).job), Some(&record(2)));
        assert!(store.find(&record(3).job).is_none() && !store.was_torn);
    }

    #[test]
    fn wherever_a_crash_cuts_the_file_the_whole_lines_remain() {
        let (_folder, path) = file();
        let mut store = Store::open(&path).unwrap();
        store.append(record(1)).unwrap();
        store.append(record(2)).unwrap();
        drop(store);
        let bytes = std::fs::read(&path).unwrap();
        let is_near_an_end =
            |&at: &usize| bytes[at.saturating_sub(2)..(at + 2).min(bytes.len())].contains(&b'\n');
        // Around the ends of lines and at some places between: each costs a journey to the disk.
        for length in (0..bytes.len()).filter(|at| at % 97 == 0 || is_near_an_end(at)) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let mut store = Store::open(&path).unwrap();
            let whole = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(store.records().len(), whole.saturating_sub(1), "cut at {length}");
            assert_eq!(store.was_torn, length > 0 && bytes[length - 1] != b'\n', "cut at {length}");
            store.append(record(3)).unwrap();
            drop(store);
            let again = Store::open(&path).unwrap();
            assert_eq!(again.records().len(), whole.saturating_sub(1) + 1, "cut at {length}");
        }
    }

    #[test]
    fn files_of_others_are_refused_and_stay_as_they_are() {
        let (_folder, path) = file();
        for content in ["my notes", "my notes\n", "{\"hycome\":\"0.0.1\"}\n{\"half", "{}\n"] {
            std::fs::write(&path, content).unwrap();
            let error = Store::open(&path).unwrap_err().to_string();
            assert!(error.contains("give another name"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn a_spoiled_line_is_told_with_its_number() {
        let (_folder, path) = file();
        let mut store = Store::open(&path).unwrap();
        store.append(record(1)).unwrap();
        drop(store);
        let text = std::fs::read_to_string(&path).unwrap().replace("\"config\"", "\"konfig\"");
        std::fs::write(&path, text).unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.contains("results.jsonl:2: expected a job and its outcome"), "{error}");
    }

    #[test]
    fn two_at_once_are_refused() {
        let (_folder, path) = file();
        let _open = Store::open(&path).unwrap();
        assert!(Store::open(&path).unwrap_err().to_string().contains("another hycome"));
    }
}
