//! Maps library errors to built-in Python exceptions, with the library's messages.

use std::io::ErrorKind;

use hycome::Error;
use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyFloatingPointError, PyIsADirectoryError, PyKeyboardInterrupt, PyMemoryError,
    PyOSError, PyPermissionError, PyValueError,
};

/// Converts a library error to the matching Python exception.
pub fn to_pyerr(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(message),
            _ => PyOSError::new_err(message),
        },
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        Error::NotFinite { .. } => PyFloatingPointError::new_err(message),
        Error::Memory { .. } => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// A `ValueError` with this message.
pub fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
