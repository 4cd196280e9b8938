//! Checkpoint files: the training state, as safetensors, in the folder of the run.
//!
//! For each restart `s` that has begun there are the tensors
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `s.nodes`, `s.contexts` | F32 \[n, dim + 1\] | φ and φ', each row with 1−\|x\|² at its end |
//! | `s.pretrained` | U32 \[n\] | communities of the pre-training, before the first fit |
//! | `s.means`, `s.scales` or `s.covariances`, `s.weights` | F64 | the mixture, after the first fit, as in a run |
//! | `s.snapshots` | U8 \[bytes\] | a history file, if snapshots are recorded |
//!
//! and for all of them
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `rows` | U32 \[n\] | the row of each node in `s.nodes` and `s.contexts` |
//! | `names.*` | | the names of the nodes, as in a run |
//!
//! Among the metadata, `config` has the settings, `restarts` how far each restart is, `graph` a checksum of the graph, and
//! `origin` a string of the caller that is needed to resume.

use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::geometry::Geometry;
use crate::io::atomic_file::AtomicFile;
use crate::io::files::container::{self, FileKind, Reader, Writer, bytes_of, words};
use crate::io::{history_file, run_file};
use crate::train::engine::table::Table;
use crate::train::{Checkpoint, Cursor, EpochReport, ResolvedConfig, Timings, TrainConfig, TrainState};
use crate::{Error, Result};

/// Name of the checkpoint file in the folder of its run.
pub const CHECKPOINT_FILE: &str = "checkpoint.safetensors";

const CHECKPOINT: FileKind = FileKind {
    format: "hycome-checkpoint",
    noun: "checkpoint",
    origin: "a hycome checkpoint file",
    version: 3,
    remedy: "; start the training again",
};

/// The part of a restart's state that is stored as JSON.
#[derive(Serialize, Deserialize)]
struct Progress {
    cursor: Cursor,
    history: Vec<EpochReport>,
    timings: Timings,
}

/// Writes a checkpoint, replacing an existing file atomically.
///
/// # Errors
/// If the file cannot be written.
pub fn save(checkpoint: &Checkpoint, origin: &str, path: &Path) -> Result<()> {
    AtomicFile::write(path, &to_bytes(checkpoint, origin))?.commit()
}

/// Reads a checkpoint, and the origin it was saved with.
///
/// # Errors
/// If the file cannot be read or is not a valid checkpoint file of a supported version.
pub fn load(path: &Path) -> Result<(Checkpoint, String)> {
    from_bytes(&container::read(path, &CHECKPOINT)?, path)
}

/// The bytes of a checkpoint's file.
#[must_use]
pub fn to_bytes(checkpoint: &Checkpoint, origin: &str) -> Vec<u8> {
    let mut file = Writer::default();
    let begun = || checkpoint.restarts.iter().enumerate().filter_map(|(s, state)| Some((s, state.as_ref()?)));
    for (s, state) in begun() {
        if let Some(mixture) = &state.mixture {
            run_file::put_mixture(&mut file, &s.to_string(), mixture);
        }
    }
    let text = file.names(&checkpoint.names);
    file.tensor("rows", "U32", &[checkpoint.rows.len()], bytes_of(&checkpoint.rows, u32::to_le_bytes));
    for (s, state) in begun() {
        for (name, table) in [("nodes", &state.nodes), ("contexts", &state.contexts)] {
            let shape = [table.len(), table.stride()];
            file.tensor(&format!("{s}.{name}"), "F32", &shape, bytes_of(table.data(), f32::to_le_bytes));
        }
        if let Some(found) = &state.pretrained_communities {
            file.tensor(&format!("{s}.pretrained"), "U32", &[found.len()], bytes_of(found, u32::to_le_bytes));
        }
    }
    for (s, state) in begun().filter(|(_, state)| !state.snapshots.is_empty()) {
        let snapshots = history_file::to_bytes(&state.snapshots, &[]);
        file.tensor(&format!("{s}.snapshots"), "U8", &[snapshots.len()], snapshots);
    }
    if let Some(text) = text {
        file.text("names.text", text);
    }
    let progress = |state: &TrainState| Progress {
        cursor: state.cursor.clone(),
        history: state.history.clone(),
        timings: state.timings,
    };
    let restarts: Vec<Option<Progress>> =
        checkpoint.restarts.iter().map(|state| state.as_ref().map(progress)).collect();
    let metadata = json!({
        "config": run_file::json_text(&checkpoint.config.to_config()),
        "snapshots": checkpoint.keeps_snapshots.to_string(),
        "graph": checkpoint.fingerprint.to_string(),
        "restarts": run_file::json_text(&restarts),
        "origin": origin,
    });
    file.with_checksum(&CHECKPOINT, metadata)
}

/// A checkpoint from the bytes of its file, and its origin; `path` is for error messages.
///
/// # Errors
/// If the bytes are not a valid checkpoint file of a supported version.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<(Checkpoint, String)> {
    let reader = Reader::open_with_checksum(bytes, path, &CHECKPOINT)?;
    let settings: TrainConfig = run_file::json(&reader, "config")?;
    let config = ResolvedConfig::from_complete(&settings)
        .ok_or_else(|| reader.content_error("all settings in `config`", "some missing"))?;
    let progress: Vec<Option<Progress>> = run_file::json(&reader, "restarts")?;
    let restarts = progress.into_iter().enumerate().map(|(s, progress)| {
        progress.map(|progress| state(&reader, s, config.geometry, progress)).transpose()
    });
    let number = |key: &str| {
        let text = reader.metadata(key)?;
        text.parse().map_err(|_| reader.content_error(format!("a number as `{key}`"), format!("{text:?}")))
    };
    let rows: Vec<u32> =
        words::<4>(reader.tensor("rows", Dtype::U32, 1)?.1).map(u32::from_le_bytes).collect();
    let names = reader.names(rows.len())?;
    if names.len() != rows.len() {
        return Err(
            reader.content_error(format!("{} names, one for each node", rows.len()), names.len().to_string())
        );
    }
    let checkpoint = Checkpoint {
        rows,
        names,
        keeps_snapshots: reader.metadata("snapshots")? == "true",
        fingerprint: number("graph")?,
        restarts: restarts.collect::<Result<_>>()?,
        config,
    };
    Ok((checkpoint, reader.metadata("origin")?.to_owned()))
}

fn state(reader: &Reader<'_>, s: usize, geometry: Geometry, progress: Progress) -> Result<TrainState> {
    let table = |name: &str| {
        let name = format!("{s}.{name}");
        let (shape, data) = reader.tensor(&name, Dtype::F32, 2)?;
        let data: Vec<f32> = words::<4>(data).map(f32::from_le_bytes).collect();
        let table = shape[1].checked_sub(1).and_then(|dim| Table::from_data(geometry, dim, data));
        table.ok_or_else(|| {
            reader.content_error(format!("rows of coordinates in `{name}`"), format!("{shape:?}"))
        })
    };
    let pretrained = reader.has(&format!("{s}.pretrained")).then(|| {
        let (_, data) = reader.tensor(&format!("{s}.pretrained"), Dtype::U32, 1)?;
        Ok::<_, Error>(words::<4>(data).map(u32::from_le_bytes).collect())
    });
    let mixture =
        reader.has(&format!("{s}.means")).then(|| run_file::mixture(reader, &s.to_string(), geometry));
    let snapshots = reader.has(&format!("{s}.snapshots")).then(|| {
        history_file::from_bytes(reader.tensor(&format!("{s}.snapshots"), Dtype::U8, 1)?.1, &reader.path)
    });
    Ok(TrainState {
        cursor: progress.cursor,
        nodes: table("nodes")?,
        contexts: table("contexts")?,
        pretrained_communities: pretrained.transpose()?,
        mixture: mixture.transpose()?,
        history: progress.history,
        snapshots: snapshots.transpose()?.unwrap_or_default(),
        timings: progress.timings,
    })
}
