//! Checkpoint flags, the command line stored in a checkpoint, and writing checkpoints.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::ArgMatches;
use hycome::datasets::dataset;
use hycome::io::checkpoint_file;
use hycome::train::{Checkpoint, CheckpointPolicy};
use serde::{Deserialize, Serialize};

use crate::Usage;
use crate::args::config_file::is_given;
use crate::args::graph::GraphOptions;
use crate::term::output::{notify, shown};

/// Checkpoint flags.
#[derive(Debug, clap::Args)]
pub struct CheckpointOptions {
    /// Resume the unfinished run in this folder, with its original settings. GRAPH is needed only if the graph was read
    /// from standard input.
    #[arg(long, value_name = "DIR", help_heading = "Checkpoints")]
    pub resume: Option<PathBuf>,
    /// Minutes between checkpoints, 0 or more; Ctrl-C and SIGTERM write a checkpoint and stop.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = minutes, help_heading = "Checkpoints")]
    pub checkpoint_minutes: f64,
    /// Epochs between checkpoints, in addition to --checkpoint-minutes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Checkpoints")]
    pub checkpoint_epochs: Option<u32>,
    /// Discard an unfinished run in the output folder and start again.
    #[arg(long, conflicts_with = "resume", help_heading = "Checkpoints")]
    pub overwrite: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.0..=1e6).contains(&minutes) => Ok(minutes),
        _ => Err("expected a number of minutes from 0 to 1000000".to_owned()),
    }
}

/// The part of the command line that a resumed run needs, stored in its checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    pub graph: PathBuf,
    pub options: GraphOptions,
    pub no_plot: bool,
}

impl Origin {
    /// Serializes with absolute paths, so that a run can be resumed from another folder.
    pub fn to_text(&self) -> String {
        let absolute = |path: &Path| match path.to_str() {
            Some(name) if name == "-" || dataset(name).is_some() => path.to_path_buf(),
            _ => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
        };
        let mut origin = self.clone();
        origin.graph = absolute(&self.graph);
        origin.options.labels = self.options.labels.as_deref().map(absolute);
        origin.options.data.data = self.options.data.data.as_deref().map(absolute);
        serde_json::to_string(&origin).unwrap_or_default() // a path that is not UTF-8 must be given again
    }

    /// Parses the origin of a checkpoint. `graph` replaces the stored path, and is required for standard input.
    pub fn from_text(text: &str, graph: Option<&Path>, folder: &Path) -> anyhow::Result<Self> {
        let origin = serde_json::from_str::<Self>(text).ok();
        let from_stream = |origin: &Self| {
            let is_stream = |path: &Path| path == Path::new("-");
            is_stream(&origin.graph) || origin.options.labels.as_deref().is_some_and(is_stream)
        };
        match (origin, graph) {
            (Some(origin), Some(graph)) => Ok(Self { graph: graph.into(), ..origin }),
            (Some(origin), None) if !from_stream(&origin) => Ok(origin),
            (None, Some(graph)) => {
                Ok(Self { graph: graph.into(), options: GraphOptions::default(), no_plot: false })
            }
            (_, None) => anyhow::bail!(Usage(format!(
                "the run in {} read its graph from standard input; give the graph as a file: hycome \
                 embed GRAPH --resume …",
                shown(folder)
            ))),
        }
    }
}

/// Fails if a flag was given that cannot change on resume.
pub fn refuse_settings(matches: &ArgMatches) -> anyhow::Result<()> {
    const ALLOWED: [&str; 8] = [
        "graph",
        "resume",
        "checkpoint_minutes",
        "checkpoint_epochs",
        "threads",
        "max_memory",
        "json",
        "quiet",
    ];
    let given = matches.ids().map(clap::Id::as_str).find(|id| {
        !ALLOWED.contains(id)
            && id.starts_with(char::is_lowercase) // argument groups are named after their types
            && is_given(matches, id)
            && matches.try_get_raw(id).is_ok_and(|raw| raw.is_some())
    });
    match given {
        Some(id) => anyhow::bail!(Usage(format!(
            "--resume keeps the settings of the run; remove --{}",
            id.replace('_', "-")
        ))),
        None => Ok(()),
    }
}

/// Writes checkpoints to a file and records whether the last write succeeded.
#[derive(Clone, Debug, Default)]
pub struct CheckpointWriter(Arc<Mutex<Last>>);

#[derive(Debug, Default)]
struct Last {
    result: Option<anyhow::Result<()>>,
    /// The last warning, to avoid repeating it.
    warning: String,
}

impl CheckpointWriter {
    /// Checkpoint settings for the trainer.
    pub fn checkpoints(
        &self,
        options: &CheckpointOptions,
        origin: String,
        path: PathBuf,
    ) -> CheckpointPolicy {
        let last = Arc::clone(&self.0);
        let write = move |checkpoint: &Checkpoint| {
            let result = checkpoint_file::save(checkpoint, &origin, &path)
                .map_err(|error| anyhow::anyhow!("cannot write a checkpoint: {error}"));
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            match &result {
                Ok(()) => last.warning.clear(),
                Err(error) => {
                    let folder = path.parent().filter(|folder| !folder.exists());
                    let warning = match folder {
                        Some(folder) => {
                            format!("cannot write a checkpoint: {} no longer exists", shown(folder))
                        }
                        None => error.to_string(),
                    };
                    if last.warning != warning {
                        notify(&format!("warning: {warning}; training continues"));
                        last.warning = warning;
                    }
                }
            }
            last.result = Some(result);
        };
        CheckpointPolicy {
            interval: Duration::from_secs_f64(60.0 * options.checkpoint_minutes),
            epochs: options.checkpoint_epochs.map(|epochs| epochs as usize),
            save: Box::new(write),
        }
    }

    /// Result of the last write; none if there was none.
    pub fn last(&self) -> Option<anyhow::Result<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).result.take()
    }
}
