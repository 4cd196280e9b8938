//! The library's errors as the exceptions that Python users expect, with the library's own sentences.

use std::io::ErrorKind;

use hycome::Error;
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyFloatingPointError, PyIsADirectoryError, PyKeyboardInterrupt, PyMemoryError,
    PyOSError, PyPermissionError, PyValueError,
};

/// The exception that says the same.
pub fn exception(error: Error) -> PyErr {
    let words = error.to_string();
    match error {
        Error::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(words),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(words),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(words),
            _ => PyOSError::new_err(words),
        },
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        Error::NotFinite { .. } => PyFloatingPointError::new_err(words),
        Error::Memory { .. } => PyMemoryError::new_err(words),
        _ => PyValueError::new_err(words),
    }
}

/// A `ValueError`.
pub fn refuse(words: impl Into<String>) -> PyErr {
    PyValueError::new_err(words.into())
}
