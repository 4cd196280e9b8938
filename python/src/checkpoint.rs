//! The file that keeps an unfinished training.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hycome::Trainer;
use hycome::graph::Graph;
use hycome::io::checkpoint_file;
use hycome::train::{Checkpoint, CheckpointPolicy};

/// The checkpoint file of a training, if it has one.
pub struct Kept {
    file: Option<PathBuf>,
    time: Duration,
    fault: Arc<Mutex<Option<String>>>,
}

impl Kept {
    pub fn new(file: Option<PathBuf>, minutes: f64) -> Self {
        let time = if file.is_some() { Duration::from_secs_f64(60.0 * minutes) } else { Duration::MAX };
        Self { file, time, fault: Arc::default() }
    }

    /// The training that was left in the file, if there is one; it must be the one that is about to begin.
    pub fn taken_up(&self, graph: &Graph, begun: Trainer) -> hycome::Result<Trainer> {
        let Some(path) = self.file.as_deref().filter(|path| path.exists()) else { return Ok(begun) };
        let (checkpoint, _) = checkpoint_file::load(path)?;
        if checkpoint.config != *begun.config() {
            return Err(hycome::Error::Content {
                path: path.into(),
                expected: "a training with these settings that was left".into(),
                found: "one with other settings; give them again, or another file".into(),
            });
        }
        Trainer::resume(graph, checkpoint)
    }

    /// What a training is to do with its checkpoints.
    pub fn checkpoints(&self) -> CheckpointPolicy {
        let (fault, file) = (Arc::clone(&self.fault), self.file.clone());
        let save = move |checkpoint: &Checkpoint| {
            let saved = file.as_deref().map_or(Ok(()), |path| checkpoint_file::save(checkpoint, "", path));
            *fault.lock().unwrap_or_else(PoisonError::into_inner) =
                saved.err().map(|error| error.to_string());
        };
        CheckpointPolicy { interval: self.time, epochs: None, save: Box::new(save) }
    }

    /// Removes the file of a training that finished. Returns what went wrong with the file.
    pub fn end(&self, is_finished: bool) -> Option<String> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(path) = self.file.as_deref().filter(|path| is_finished && path.exists()) else {
            return fault;
        };
        let error = std::fs::remove_file(path).err();
        error.map(|error| format!("cannot remove {}: {error}", path.display()))
    }
}
