//! Checkpoint file of an unfinished run.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hycome::Trainer;
use hycome::graph::Graph;
use hycome::io::checkpoint_file;
use hycome::train::{Checkpoint, CheckpointPolicy};

/// Writes checkpoints to a file, if there is one, and records the outcome of the last write.
pub struct CheckpointSink {
    file: Option<PathBuf>,
    interval: Duration,
    error: Arc<Mutex<Option<String>>>,
}

impl CheckpointSink {
    pub fn new(file: Option<PathBuf>, minutes: f64) -> Self {
        let interval = if file.is_some() { Duration::from_secs_f64(60.0 * minutes) } else { Duration::MAX };
        Self { file, interval, error: Arc::default() }
    }

    /// Resumes the unfinished run in the file if the file exists, otherwise returns `new`. Both must have the same
    /// hyperparameters.
    pub fn resume_if_present(&self, graph: &Graph, new: Trainer) -> hycome::Result<Trainer> {
        let Some(path) = self.file.as_deref().filter(|path| path.exists()) else { return Ok(new) };
        let (checkpoint, _) = checkpoint_file::load(path)?;
        if checkpoint.config != *new.config() {
            return Err(hycome::Error::Content {
                path: path.into(),
                expected: "an unfinished run with these settings".into(),
                found: "one with other settings; use the same settings or another checkpoint file".into(),
            });
        }
        Trainer::resume(graph, checkpoint)
    }

    /// Policy for [`Trainer::with_checkpoints`] that saves to the file.
    pub fn policy(&self) -> CheckpointPolicy {
        let (last_error, file) = (Arc::clone(&self.error), self.file.clone());
        let save = move |checkpoint: &Checkpoint| {
            let saved = file.as_deref().map_or(Ok(()), |path| checkpoint_file::save(checkpoint, "", path));
            *last_error.lock().unwrap_or_else(PoisonError::into_inner) =
                saved.err().map(|error| error.to_string());
        };
        CheckpointPolicy { interval: self.interval, epochs: None, save: Box::new(save) }
    }

    /// Removes the file of a finished run. Returns the error of the removal or of the last write, if any.
    pub fn close(&self, is_finished: bool) -> Option<String> {
        let write_error = self.error.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(path) = self.file.as_deref().filter(|path| is_finished && path.exists()) else {
            return write_error;
        };
        let error = std::fs::remove_file(path).err();
        error.map(|error| format!("cannot remove {}: {error}", path.display()))
    }
}
