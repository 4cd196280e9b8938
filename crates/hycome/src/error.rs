//! What can go wrong, said once and for all.
//!
//! Every variant locates the fault and its message is one sentence: where, what was expected, what was
//! found and, where we know it, what to do.

use std::path::PathBuf;

use crate::train::memory::readable;

/// The library's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything the library refuses, with the place of the fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system would not give or take a file.
    #[error("{}: cannot {action}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, as a verb: "open", "read", "write".
        action: &'static str,
        /// The system's own words.
        source: std::io::Error,
    },

    /// A line of a text file is not what its format says.
    #[error("{}:{line}: expected {expected}, found {found}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What should stand there, and what to do about it where that helps.
        expected: String,
        /// What stands there, quoted and shortened.
        found: String,
    },

    /// A file as a whole is not what its format says.
    #[error("{}: expected {expected}, found {found}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What it should hold, and what to do about it where that helps.
        expected: String,
        /// What it holds.
        found: String,
    },

    /// A setting is outside its range.
    #[error("`{parameter}` must be {expected}, but is {found}")]
    Config {
        /// The setting's name, as in flags and files.
        parameter: &'static str,
        /// Its range.
        expected: String,
        /// Its value.
        found: String,
    },

    /// The graph cannot carry what was asked.
    #[error("{0}")]
    Graph(String),

    /// A training would take more memory than it may or than there is.
    #[error("training needs about {} of memory, but {bound} {}; {remedy}", readable(*.needed), readable(*.limit))]
    Memory {
        /// Bytes that the process would have at its peak.
        needed: u64,
        /// Bytes that it may have.
        limit: u64,
        /// What sets the limit, with a verb: "this machine has".
        bound: &'static str,
        /// What to change.
        remedy: String,
    },

    /// A number became infinite or undefined during training: a fault of the settings or of ours.
    #[error("epoch {epoch}, {step}: the points are no longer finite; lower the learning rate")]
    NotFinite {
        /// The epoch, counted from 1.
        epoch: usize,
        /// The move of the epoch.
        step: &'static str,
    },

    /// The computation was cancelled through an [`Interrupt`](crate::interrupt::Interrupt).
    #[error("interrupted")]
    Interrupted,
}
