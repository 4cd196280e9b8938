//! Trainings that are left: their last checkpoint, in memory and in a file.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hycome::Trainer;
use hycome::graph::Graph;
use hycome::io::checkpoint_file;
use hycome::train::{Checkpoint, Checkpoints};

/// Where a training keeps its checkpoints.
pub struct Kept {
    file: Option<PathBuf>,
    time: Duration,
    last: Arc<Mutex<Last>>,
}

/// The last checkpoint: its bytes, if no file is asked for or took it, and what went wrong.
#[derive(Default)]
struct Last {
    bytes: Option<Vec<u8>>,
    fault: Option<String>,
}

impl Kept {
    /// Without a file there is a checkpoint only where the training is interrupted.
    pub fn new(file: Option<PathBuf>, minutes: f64) -> Self {
        let time = if file.is_some() { Duration::from_secs_f64(60.0 * minutes) } else { Duration::MAX };
        Self { file, time, last: Arc::default() }
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

    /// What a training is to do.
    pub fn checkpoints(&self) -> Checkpoints {
        let (last, file) = (Arc::clone(&self.last), self.file.clone());
        let keep = move |checkpoint: &Checkpoint| {
            let bytes = || Some(checkpoint_file::to_bytes(checkpoint, ""));
            *locked(&last) = match file.as_deref().map(|path| checkpoint_file::save(checkpoint, "", path)) {
                None => Last { bytes: bytes(), fault: None },
                Some(Ok(())) => Last::default(),
                Some(Err(error)) => Last { bytes: bytes(), fault: Some(error.to_string()) },
            };
        };
        Checkpoints { time: self.time, epochs: None, keep: Box::new(keep) }
    }

    /// The checkpoint that an interrupted training was left at; a training that ended needs none, nor a file of it.
    pub fn end(&self, is_interrupted: bool) -> (Option<Vec<u8>>, Option<String>) {
        let Last { bytes, fault } = std::mem::take(&mut *locked(&self.last));
        let Some(path) = self.file.as_deref().filter(|path| path.exists()) else { return (bytes, fault) };
        let said =
            |what: &str, error: std::io::Error| Some(format!("cannot {what} {}: {error}", path.display()));
        if !is_interrupted {
            return (None, std::fs::remove_file(path).err().and_then(|error| said("remove", error)));
        }
        match bytes.map_or_else(|| std::fs::read(path), Ok) {
            Ok(bytes) => (Some(bytes), fault),
            Err(error) => (None, said("read", error)),
        }
    }
}

fn locked(last: &Mutex<Last>) -> MutexGuard<'_, Last> {
    last.lock().unwrap_or_else(PoisonError::into_inner)
}
