//! Append-only, crash-safe result log in JSON Lines.
//!
//! The first line names the version of hycome; every other line is a [`Record`]. Each line is appended with one write and
//! fsynced before its job counts as done. A crash can therefore only truncate the last line; opening the log detects
//! and removes it, and its job runs again. Results are looked up by job, so one log can hold the results of several
//! grids. An open log is locked.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Job, Record};
use hycome::io::{is_stream, sync_folder};
use hycome::{Error, Result, json};

/// Result log, open for reading and appending.
#[derive(Debug)]
pub struct ResultLog {
    path: PathBuf,
    file: File,
    /// Length of the complete lines in bytes.
    length: u64,
    records: Vec<Record>,
    /// Index into `records` by the JSON of the job.
    index: HashMap<String, usize>,
    /// Whether the file ended in a truncated line, which was removed.
    pub was_truncated: bool,
}

/// First line of the file.
#[derive(Serialize, Deserialize)]
struct Header {
    /// Version that wrote the results; other versions may compute other values.
    hycome: String,
}

impl ResultLog {
    /// Opens a log, or creates an empty one.
    ///
    /// # Errors
    /// If the file is something else, was written by another version, is open elsewhere or cannot be written.
    pub fn open(path: &Path) -> Result<Self> {
        let failed = |action| move |source| Error::Io { path: path.into(), action, source };
        if is_stream(path) {
            // A log is read again when a sweep resumes.
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
            Err(TryLockError::Error(_)) => {} // not every file system supports locks
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let mut log = Self {
            path: path.into(),
            file,
            length: 0,
            records: Vec::new(),
            index: HashMap::new(),
            was_truncated: false,
        };
        log.read(&bytes)?;
        Ok(log)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<()> {
        let header = Header { hycome: env!("CARGO_PKG_VERSION").into() };
        let first = serde_json::to_string(&header).expect("a header is JSON") + "\n";
        if first.as_bytes().starts_with(bytes) {
            self.was_truncated = !bytes.is_empty() && bytes.len() < first.len();
            self.truncate()?; // nothing, or half a header
            self.write(&first)?;
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let synced = sync_folder(folder.unwrap_or(Path::new("."))); // the file may be new
            return synced.map_err(|source| self.failed(source));
        }
        let refuse = |expected: &str, found: String| {
            Err(Error::Content { path: self.path.clone(), expected: expected.into(), found })
        };
        let whole = complete_lines(bytes);
        let header_line = bytes[..whole].split_inclusive(|&byte| byte == b'\n').next();
        let found = header_line.and_then(|line| serde_json::from_slice::<Header>(line).ok());
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
        let records = parse_records(bytes).map_err(|LineError { line, source }| Error::Line {
            path: self.path.clone(),
            line,
            expected: "a job and its outcome; remove the line and it is done again".into(),
            found: format!("something else ({source})"),
        })?;
        records.into_iter().for_each(|record| self.insert(record));
        self.length = whole as u64;
        if whole < bytes.len() {
            self.was_truncated = true;
            self.truncate()?;
        }
        self.file.seek(SeekFrom::Start(self.length)).map_err(|source| self.failed(source))?;
        Ok(())
    }

    /// Truncates the file to its complete lines.
    fn truncate(&mut self) -> Result<()> {
        let done = self.file.set_len(self.length).and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
        done.map(|_| ()).map_err(|source| self.failed(source))
    }

    /// Appends a line and fsyncs it; if that fails, the file is restored.
    fn write(&mut self, line: &str) -> Result<()> {
        let done = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(source) = done {
            let _ = self.truncate(); // the write error is reported; opening the log removes a truncated line
            return Err(self.failed(source));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Io { path: self.path.clone(), action: "write", source }
    }

    fn insert(&mut self, record: Record) {
        self.index.insert(key(&record.job), self.records.len());
        self.records.push(record);
    }

    /// Appends a result durably: it is on disk when this returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: Record) -> Result<()> {
        let line = json::to_string(&record).expect("a record is JSON") + "\n";
        self.write(&line)?;
        self.insert(record);
        Ok(())
    }

    /// Looks up the latest result of a job.
    #[must_use]
    pub fn find(&self, job: &Job) -> Option<&Record> {
        self.index.get(&key(job)).map(|&place| &self.records[place])
    }

    /// All results in file order.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }
}

/// A line that is not a [`Record`].
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct LineError {
    /// Line number, from 1.
    pub line: u64,
    /// The reason.
    pub source: serde_json::Error,
}

/// Parses the records of a log. The header is skipped, whatever its version, and a truncated last line is ignored.
///
/// # Errors
/// If a line is not a record.
pub fn parse_records(bytes: &[u8]) -> std::result::Result<Vec<Record>, LineError> {
    let lines = bytes[..complete_lines(bytes)].split_inclusive(|&byte| byte == b'\n');
    let record = |(line, text)| serde_json::from_slice(text).map_err(|source| LineError { line, source });
    (1..).zip(lines).skip(1).map(record).collect()
}

/// Length of the complete lines.
fn complete_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

fn key(job: &Job) -> String {
    serde_json::to_string(job).expect("a job is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Source};
    use hycome::TrainConfig;

    fn record(seed: u64) -> Record {
        let config = TrainConfig { seed, learning_rate: Some(0.1 + 0.2), ..TrainConfig::default() };
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
    fn results_are_looked_up_by_job() {
        let (_folder, path) = file();
        let mut log = ResultLog::open(&path).unwrap();
        log.append(record(1)).unwrap();
        log.append(record(2)).unwrap();
        drop(log);
        let log = ResultLog::open(&path).unwrap();
        assert_eq!(log.records(), [record(1), record(2)]);
        assert_eq!(log.find(&record(2).job), Some(&record(2)));
        assert!(log.find(&record(3).job).is_none() && !log.was_truncated);
    }

    #[test]
    fn wherever_a_crash_cuts_the_file_the_whole_lines_remain() {
        let (_folder, path) = file();
        let mut log = ResultLog::open(&path).unwrap();
        log.append(record(1)).unwrap();
        log.append(record(2)).unwrap();
        drop(log);
        let bytes = std::fs::read(&path).unwrap();
        let is_near_an_end =
            |&at: &usize| bytes[at.saturating_sub(2)..(at + 2).min(bytes.len())].contains(&b'\n');
        // Around line ends and at some offsets between: each iteration costs an fsync.
        for length in (0..bytes.len()).filter(|at| at % 97 == 0 || is_near_an_end(at)) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let mut log = ResultLog::open(&path).unwrap();
            let whole = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(log.records().len(), whole.saturating_sub(1), "cut at {length}");
            assert_eq!(log.was_truncated, length > 0 && bytes[length - 1] != b'\n', "cut at {length}");
            log.append(record(3)).unwrap();
            drop(log);
            let again = ResultLog::open(&path).unwrap();
            assert_eq!(again.records().len(), whole.saturating_sub(1) + 1, "cut at {length}");
        }
    }

    #[test]
    fn foreign_files_are_refused_and_unchanged() {
        let (_folder, path) = file();
        for content in ["my notes", "my notes\n", "{\"hycome\":\"0.0.1\"}\n{\"half", "{}\n"] {
            std::fs::write(&path, content).unwrap();
            let error = ResultLog::open(&path).unwrap_err().to_string();
            assert!(error.contains("give another name"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn an_invalid_line_is_reported_with_its_number() {
        let (_folder, path) = file();
        let mut log = ResultLog::open(&path).unwrap();
        log.append(record(1)).unwrap();
        drop(log);
        let text = std::fs::read_to_string(&path).unwrap().replace("\"config\"", "\"konfig\"");
        std::fs::write(&path, text).unwrap();
        let error = ResultLog::open(&path).unwrap_err().to_string();
        assert!(error.contains("results.jsonl:2: expected a job and its outcome"), "{error}");
    }

    #[test]
    fn a_log_is_locked_while_open() {
        let (_folder, path) = file();
        let _open = ResultLog::open(&path).unwrap();
        assert!(ResultLog::open(&path).unwrap_err().to_string().contains("another hycome"));
    }
}
