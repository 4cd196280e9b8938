//! Library error type.
//!
//! The message of every variant is one sentence: where, what was expected, what was found and, where known, what to do.

use std::path::PathBuf;

use crate::machine::readable;

/// Result with the library's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Error of the library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed.
    #[error("{}: cannot {action}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation, as a verb: "open", "read", "write".
        action: &'static str,
        /// The system's error.
        source: std::io::Error,
    },

    /// A line of a text file violates its format.
    #[error("{}:{line}: expected {expected}, found {found}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The expected syntax, with a remedy where one is known.
        expected: String,
        /// The line's content, quoted and shortened.
        found: String,
    },

    /// A file as a whole violates its format.
    #[error("{}: expected {expected}, found {found}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The expected content, with a remedy where one is known.
        expected: String,
        /// The actual content.
        found: String,
    },

    /// A parameter is outside its range.
    #[error("`{parameter}` must be {expected}, but is {found}")]
    Config {
        /// Name of the parameter, as in configuration files.
        parameter: &'static str,
        /// Its range.
        expected: String,
        /// Its value.
        found: String,
    },

    /// The graph does not allow the operation.
    #[error("{0}")]
    Graph(String),

    /// Training would exceed the memory limit.
    #[error("training needs about {} of memory, but {kind} {}; {}", readable(*.needed), readable(*.limit), remedies_sentence(remedies))]
    Memory {
        /// Expected peak memory of the process in bytes.
        needed: u64,
        /// Memory limit in bytes.
        limit: u64,
        /// What sets the limit.
        kind: MemoryLimit,
        /// Changes of settings that would help.
        remedies: Vec<Remedy>,
    },

    /// A coordinate became infinite or undefined during training: a bad setting or a bug.
    #[error("epoch {epoch}, {step}: the points are no longer finite; lower `learning_rate`")]
    NotFinite {
        /// The epoch, counted from 1.
        epoch: usize,
        /// The training step.
        step: &'static str,
    },

    /// The computation was cancelled through an [`Interrupt`](crate::interrupt::Interrupt).
    #[error("interrupted")]
    Interrupted,
}

/// A change of a setting that makes a training fit in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Lower the value of this parameter.
    Lower(&'static str),
    /// Raise the value of this parameter.
    Raise(&'static str),
    /// Set this parameter to train anyway.
    Set(&'static str),
}

/// What limits the memory of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryLimit {
    /// The parameter `max_memory`.
    Parameter,
    /// The memory of the machine.
    Machine,
}

impl std::fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Parameter => "`max_memory` is",
            Self::Machine => "this machine has",
        })
    }
}

/// Remedies in one sentence: "lower `dim` or `walks`, or raise `max_memory`".
fn remedies_sentence(remedies: &[Remedy]) -> String {
    let lowered: Vec<String> = remedies
        .iter()
        .filter_map(|remedy| if let Remedy::Lower(name) = remedy { Some(format!("`{name}`")) } else { None })
        .collect();
    let lowered = match lowered.as_slice() {
        [first @ .., last] if !first.is_empty() => Some(format!("lower {} or {last}", first.join(", "))),
        [only] => Some(format!("lower {only}")),
        _ => None,
    };
    let others = remedies.iter().filter_map(|remedy| match remedy {
        Remedy::Lower(_) => None,
        Remedy::Raise(name) => Some(format!("raise `{name}`")),
        Remedy::Set(name) => Some(format!("set `{name}` to train anyway")),
    });
    lowered.into_iter().chain(others).collect::<Vec<_>>().join(", or ")
}

/// Asserts that `message` starts with the first part of `pattern` and mentions the others in this order; ` … ` separates parts.
#[cfg(test)]
pub(crate) fn assert_mentions(message: &str, pattern: &str) {
    let mut parts = pattern.split(" … ");
    let mut rest = message.strip_prefix(parts.next().unwrap_or_default());
    for part in parts {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    assert!(rest.is_some(), "expected {pattern:?}, found {message:?}");
}
