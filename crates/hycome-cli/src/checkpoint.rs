//! Trainings that are left and taken up again: what a checkpoint remembers of the command, and how it is kept.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::ArgMatches;
use clap::parser::ValueSource;
use hycome::datasets::dataset;
use hycome::io::checkpoint_file;
use hycome::train::{Checkpoint, Checkpoints};
use serde::{Deserialize, Serialize};

use crate::Usage;
use crate::load::GraphOptions;
use crate::output::{say, shown};

/// Flags about checkpoints.
#[derive(Debug, clap::Args)]
pub struct CheckpointOptions {
    /// Resume the unfinished training in this folder, with the settings it began with. GRAPH is needed only where it
    /// came from standard input.
    #[arg(long, value_name = "DIR", help_heading = "Checkpoints")]
    pub resume: Option<PathBuf>,
    /// Minutes between two checkpoints, 0 or more; Ctrl-C and SIGTERM write one at once and stop.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = minutes, help_heading = "Checkpoints")]
    pub checkpoint_minutes: f64,
    /// Epochs between two checkpoints, in addition to --checkpoint-minutes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Checkpoints")]
    pub checkpoint_epochs: Option<u32>,
    /// Discard an unfinished training in the output folder and start again.
    #[arg(long, conflicts_with = "resume", help_heading = "Checkpoints")]
    pub overwrite: bool,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.0..=1e6).contains(&minutes) => Ok(minutes),
        _ => Err("expected a number of minutes from 0 to 1000000".to_owned()),
    }
}

/// What of a command a training needs when it is taken up again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    pub graph: PathBuf,
    pub options: GraphOptions,
    pub no_plot: bool,
}

impl Origin {
    /// Paths become absolute, so that a training can be taken up from another folder.
    pub fn to_text(&self) -> String {
        let absolute = |path: &Path| match path.to_str() {
            Some(name) if name == "-" || dataset(name).is_some() => path.to_path_buf(),
            _ => std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
        };
        let mut origin = self.clone();
        origin.graph = absolute(&self.graph);
        origin.options.labels = self.options.labels.as_deref().map(absolute);
        origin.options.data.data = self.options.data.data.as_deref().map(absolute);
        serde_json::to_string(&origin).unwrap_or_default() // a path that is no text has to be given again
    }

    /// The origin of a checkpoint, `graph` replacing what cannot be read again.
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
                "the training in {} read standard input; give its graph again, as a file: hycome embed GRAPH --resume …",
                shown(folder)
            ))),
        }
    }
}

/// Fails if settings were given that a training cannot change once it has begun.
pub fn refuse_settings(matches: &ArgMatches) -> anyhow::Result<()> {
    const FREE: [&str; 8] = [
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
        !FREE.contains(id)
            && id.starts_with(char::is_lowercase) // groups of flags are called after their types
            && matches!(matches.try_contains_id(id), Ok(true))
            && matches.value_source(id) == Some(ValueSource::CommandLine)
            && matches.try_get_raw(id).is_ok_and(|raw| raw.is_some())
    });
    match given {
        Some(id) => anyhow::bail!(Usage(format!(
            "--resume keeps the settings that the training began with; leave out --{}",
            id.replace('_', "-")
        ))),
        None => Ok(()),
    }
}

/// Writes checkpoints to a file, and remembers whether the last one could be written.
#[derive(Clone, Debug, Default)]
pub struct Keeper(Arc<Mutex<Last>>);

#[derive(Debug, Default)]
struct Last {
    kept: Option<anyhow::Result<()>>,
    /// The last warning, which is not repeated.
    warning: String,
}

impl Keeper {
    /// What a training is to do about checkpoints.
    pub fn checkpoints(&self, options: &CheckpointOptions, origin: String, path: PathBuf) -> Checkpoints {
        let last = Arc::clone(&self.0);
        let keep = move |checkpoint: &Checkpoint| {
            let kept = checkpoint_file::save(checkpoint, &origin, &path)
                .map_err(|error| anyhow::anyhow!("no checkpoint could be written: {error}"));
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            match &kept {
                Ok(()) => last.warning.clear(),
                Err(error) => {
                    let folder = path.parent().filter(|folder| !folder.exists());
                    let warning = match folder {
                        Some(folder) => format!("no checkpoint could be written: {} is gone", shown(folder)),
                        None => error.to_string(),
                    };
                    if last.warning != warning {
                        say(&format!("warning: {warning}; training continues"));
                        last.warning = warning;
                    }
                }
            }
            last.kept = Some(kept);
        };
        Checkpoints {
            time: Duration::from_secs_f64(60.0 * options.checkpoint_minutes),
            epochs: options.checkpoint_epochs.map(|epochs| epochs as usize),
            keep: Box::new(keep),
        }
    }

    /// How the last checkpoint went; none if there was none.
    pub fn last(&self) -> Option<anyhow::Result<()>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).kept.take()
    }
}
