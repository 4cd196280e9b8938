//! Checkpoint files: a training under way, as safetensors, beside the run that it will be.
//!
//! For each start `s` that has begun there are the tensors
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `s.nodes`, `s.contexts` | F32 \[n, dim + 1\] | φ and φ', each row with 1−\|x\|² at its end |
//! | `s.guide` | U32 \[n\] | communities of the guide, before the first fit |
//! | `s.means`, `s.scales` or `s.covariances`, `s.weights` | F64 | the mixture, after the first fit, as in a run |
//! | `s.film` | U8 \[bytes\] | a history file, if snapshots are kept |
//!
//! and for all of them
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `rows` | U32 \[n\] | the row of each node in `s.nodes` and `s.contexts` |
//! | `names.*` | | the names of the nodes, as in a run |
//!
//! Among the metadata, `config` has the settings, `starts` how far each start is, `graph` a checksum of the graph, and
//! `origin` whatever the one who began the training wants to know again.

use std::path::Path;

use safetensors::Dtype;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::staged::StagedFile;
use super::tensors::{Kind, Reader, Writer, bytes_of, words};
use super::{history_file, run_file};
use crate::geometry::Geometry;
use crate::train::table::Table;
use crate::train::{Checkpoint, EpochReport, Position, Seconds, Stand, TrainConfig};
use crate::{Error, Result};

/// What a checkpoint is called in the folder of its run.
pub const CHECKPOINT_FILE: &str = "checkpoint.safetensors";

const CHECKPOINT: Kind = Kind {
    format: "hycome-checkpoint",
    noun: "checkpoint",
    origin: "a checkpoint that `hycome embed` wrote",
    version: 2,
    remedy: "; start the training again",
};

/// What of a start is no tensor.
#[derive(Serialize, Deserialize)]
struct Progress {
    position: Position,
    history: Vec<EpochReport>,
    seconds: Seconds,
}

/// Writes a checkpoint in one step; an earlier one stays whole until then.
///
/// # Errors
/// If the folder or the disk does not take it.
pub fn save(checkpoint: &Checkpoint, origin: &str, path: &Path) -> Result<()> {
    StagedFile::write(path, &to_bytes(checkpoint, origin))?.put_in_place()
}

/// Reads a checkpoint, and the origin it was saved with.
///
/// # Errors
/// If the file cannot be read or is not a sound checkpoint of a version we know.
pub fn load(path: &Path) -> Result<(Checkpoint, String)> {
    from_bytes(&super::read_bytes(path)?, path)
}

/// The bytes of a checkpoint's file.
#[must_use]
pub fn to_bytes(checkpoint: &Checkpoint, origin: &str) -> Vec<u8> {
    let mut file = Writer::default();
    let begun = || checkpoint.starts.iter().enumerate().filter_map(|(s, stand)| Some((s, stand.as_ref()?)));
    for (s, stand) in begun() {
        if let Some(mixture) = &stand.mixture {
            run_file::put_mixture(&mut file, &s.to_string(), mixture);
        }
    }
    let text = file.names(&checkpoint.names);
    file.tensor("rows", "U32", &[checkpoint.rows.len()], bytes_of(&checkpoint.rows, u32::to_le_bytes));
    for (s, stand) in begun() {
        for (name, table) in [("nodes", &stand.nodes), ("contexts", &stand.contexts)] {
            let shape = [table.len(), table.stride()];
            file.tensor(&format!("{s}.{name}"), "F32", &shape, bytes_of(table.data(), f32::to_le_bytes));
        }
        if let Some(guide) = &stand.guide {
            file.tensor(&format!("{s}.guide"), "U32", &[guide.len()], bytes_of(guide, u32::to_le_bytes));
        }
    }
    for (s, stand) in begun().filter(|(_, stand)| !stand.snapshots.is_empty()) {
        let film = history_file::to_bytes(&stand.snapshots, &[]);
        file.tensor(&format!("{s}.film"), "U8", &[film.len()], film);
    }
    if let Some(text) = text {
        file.text("names.text", text);
    }
    let progress = |stand: &Stand| Progress {
        position: stand.position.clone(),
        history: stand.history.clone(),
        seconds: stand.seconds,
    };
    let starts: Vec<Option<Progress>> =
        checkpoint.starts.iter().map(|stand| stand.as_ref().map(progress)).collect();
    let metadata = json!({
        "config": run_file::json_text(&checkpoint.config),
        "snapshots": checkpoint.keeps_snapshots.to_string(),
        "graph": checkpoint.fingerprint.to_string(),
        "starts": run_file::json_text(&starts),
        "origin": origin,
    });
    file.sealed(&CHECKPOINT, metadata)
}

/// A checkpoint from the bytes of its file, and its origin; `path` is what messages call it.
///
/// # Errors
/// If the bytes are not a sound checkpoint of a version we know.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<(Checkpoint, String)> {
    let reader = Reader::open_sealed(bytes, path, &CHECKPOINT)?;
    let config: TrainConfig = run_file::json(&reader, "config")?;
    let progress: Vec<Option<Progress>> = run_file::json(&reader, "starts")?;
    let starts = progress.into_iter().enumerate().map(|(s, progress)| {
        progress.map(|progress| stand(&reader, s, config.geometry, progress)).transpose()
    });
    let number = |key: &str| {
        let text = reader.metadata(key)?;
        text.parse().map_err(|_| reader.objection(format!("a number as `{key}`"), format!("{text:?}")))
    };
    let rows: Vec<u32> =
        words::<4>(reader.tensor("rows", Dtype::U32, 1)?.1).map(u32::from_le_bytes).collect();
    let names = reader.names(rows.len())?;
    if names.len() != rows.len() {
        return Err(
            reader.objection(format!("{} names, one for each node", rows.len()), names.len().to_string())
        );
    }
    let checkpoint = Checkpoint {
        rows,
        names,
        keeps_snapshots: reader.metadata("snapshots")? == "true",
        fingerprint: number("graph")?,
        starts: starts.collect::<Result<_>>()?,
        config,
    };
    Ok((checkpoint, reader.metadata("origin")?.to_owned()))
}

fn stand(reader: &Reader<'_>, s: usize, geometry: Geometry, progress: Progress) -> Result<Stand> {
    let table = |name: &str| {
        let name = format!("{s}.{name}");
        let (shape, data) = reader.tensor(&name, Dtype::F32, 2)?;
        let data: Vec<f32> = words::<4>(data).map(f32::from_le_bytes).collect();
        let table = shape[1].checked_sub(1).and_then(|dim| Table::from_data(geometry, dim, data));
        table
            .ok_or_else(|| reader.objection(format!("rows of coordinates in `{name}`"), format!("{shape:?}")))
    };
    let guide = reader.has(&format!("{s}.guide")).then(|| {
        let (_, data) = reader.tensor(&format!("{s}.guide"), Dtype::U32, 1)?;
        Ok::<_, Error>(words::<4>(data).map(u32::from_le_bytes).collect())
    });
    let mixture =
        reader.has(&format!("{s}.means")).then(|| run_file::mixture(reader, &s.to_string(), geometry));
    let film = reader.has(&format!("{s}.film")).then(|| {
        history_file::from_bytes(reader.tensor(&format!("{s}.film"), Dtype::U8, 1)?.1, &reader.path)
    });
    Ok(Stand {
        position: progress.position,
        nodes: table("nodes")?,
        contexts: table("contexts")?,
        guide: guide.transpose()?,
        mixture: mixture.transpose()?,
        history: progress.history,
        snapshots: film.transpose()?.unwrap_or_default(),
        seconds: progress.seconds,
    })
}
