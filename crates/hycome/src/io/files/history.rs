//! History files: the points after each epoch, as safetensors, beside a run.
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `epochs` | U64 \[frames\] | which epochs |
//! | `nodes` | F32 \[frames, n, dim\] | the points after each |
//! | `means` | F64 \[frames, K, dim\] | μ of the communities |
//! | `scales` | F64 \[frames, K\] | σ; zero in frames of the warm-up, which have no communities |
//! | `weights` | F64 \[frames, K\] | π; equal ones if an older file has none |

use std::path::Path;

use safetensors::Dtype;
use serde_json::json;

use crate::geometry::poincare::squared_norm;
use crate::io::files::container::{self, FileKind, Reader, Writer, words};
use crate::io::files::run::{RUN, RUN_FILE};
use crate::mixture::GaussianMixture;
use crate::train::Snapshot;
use crate::{Error, Points, Result};

/// Name of the history file in the folder of its run.
pub const HISTORY_FILE: &str = "history.safetensors";

const HISTORY: FileKind = FileKind {
    format: "hycome-history",
    noun: "history",
    origin: "a hycome history file",
    version: 1,
    remedy: "",
};

/// Content of the history file of a run whose run file has the bytes `run`.
#[must_use]
pub fn to_bytes(snapshots: &[Snapshot], run: &[u8]) -> Vec<u8> {
    let (n, dim) = snapshots.first().map_or((0, 1), |first| (first.nodes.len(), first.nodes.dim()));
    let communities =
        snapshots.iter().filter_map(|snapshot| snapshot.mixture.as_ref()).map(GaussianMixture::len);
    let (frames, k) = (snapshots.len(), communities.max().unwrap_or(0));
    let (mut epochs, mut nodes) = (Vec::new(), Vec::new());
    let (mut means, mut scales, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for snapshot in snapshots {
        epochs.extend((snapshot.epoch as u64).to_le_bytes());
        nodes.extend(snapshot.nodes.as_slice().iter().flat_map(|&c| (c as f32).to_le_bytes()));
        match &snapshot.mixture {
            Some(mixture) => {
                means.extend(mixture.means.as_slice().iter().flat_map(|c| c.to_le_bytes()));
                scales.extend(mixture.scales.iter().flat_map(|c| c.to_le_bytes()));
                weights.extend(mixture.weights.iter().flat_map(|c| c.to_le_bytes()));
            }
            None => {
                means.extend(std::iter::repeat_n(0u8, 8 * k * dim));
                scales.extend(std::iter::repeat_n(0u8, 8 * k));
                weights.extend(std::iter::repeat_n(0u8, 8 * k));
            }
        }
    }
    let mut file = Writer::default();
    file.tensor("epochs", "U64", &[frames], epochs);
    file.tensor("means", "F64", &[frames, k, dim], means);
    file.tensor("scales", "F64", &[frames, k], scales);
    file.tensor("weights", "F64", &[frames, k], weights);
    file.tensor("nodes", "F32", &[frames, n, dim], nodes);
    file.with_checksum(&HISTORY, json!({ "run": checksum(run) }))
}

fn checksum(run: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(run))
}

/// Reads the history beside a run of `nodes` nodes; empty if there is none.
///
/// # Errors
/// If the file is not a valid history of this run.
pub fn load_beside(run: &Path, nodes: usize, dim: usize) -> Result<Vec<Snapshot>> {
    let run = if run.is_dir() { run.join(RUN_FILE) } else { run.to_path_buf() };
    let path = run.with_file_name(HISTORY_FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let (bytes, of_run) = (container::read(&path, &HISTORY)?, container::read(&run, &RUN)?);
    let snapshots = from_bytes(&bytes, &path)?;
    let reader = Reader::open_with_checksum(&bytes, &path, &HISTORY)?;
    if reader.metadata("run")? != checksum(&of_run) {
        let found = "that of another run; remove the file to do without";
        return Err(reader.content_error("the history of the run beside it", found));
    }
    match snapshots.iter().find(|snapshot| (snapshot.nodes.len(), snapshot.nodes.dim()) != (nodes, dim)) {
        Some(other) => Err(Error::Content {
            path,
            expected: format!("points of {nodes} nodes in {dim} dimensions, as the run beside it has"),
            found: format!("{} in {}; remove the file to do without", other.nodes.len(), other.nodes.dim()),
        }),
        None => Ok(snapshots),
    }
}

/// A history from the bytes of its file; `path` is for error messages.
///
/// # Errors
/// If the bytes are not a valid history file of a supported version.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Vec<Snapshot>> {
    let reader = Reader::open_with_checksum(bytes, path, &HISTORY)?;
    let epochs = reader.usizes("epochs")?;
    let (shape, nodes) = reader.tensor("nodes", Dtype::F32, 3)?;
    let (of_means, means) = reader.tensor("means", Dtype::F64, 3)?;
    let (of_scales, scales) = reader.tensor("scales", Dtype::F64, 2)?;
    let (frames, n, dim, k) = (epochs.len(), shape[1], shape[2], of_scales[1]);
    if shape[0] != frames || of_means != [frames, k, dim] || of_scales[0] != frames || n == 0 || dim == 0 {
        let found = format!("{shape:?}, {of_means:?} and {of_scales:?}");
        return Err(reader.content_error(format!("tensors of {frames} frames that fit together"), found));
    }
    let weights: Vec<f64> = if reader.has("weights") {
        let (of_weights, weights) = reader.tensor("weights", Dtype::F64, 2)?;
        if of_weights != of_scales {
            let found = format!("{of_weights:?}");
            return Err(reader.content_error(format!("`weights` of shape {of_scales:?}"), found));
        }
        words::<8>(weights).map(f64::from_le_bytes).collect()
    } else {
        vec![1.0 / k.max(1) as f64; frames * k]
    };
    let nodes: Vec<f64> = words::<4>(nodes).map(|word| f64::from(f32::from_le_bytes(word))).collect();
    let means: Vec<f64> = words::<8>(means).map(f64::from_le_bytes).collect();
    let scales: Vec<f64> = words::<8>(scales).map(f64::from_le_bytes).collect();
    let inside = |points: &Points| points.rows().all(|x| squared_norm(x) < 1.0);
    let mut snapshots = Vec::with_capacity(frames);
    for (frame, epoch) in epochs.into_iter().enumerate() {
        let points = Points::new(dim, nodes[frame * n * dim..(frame + 1) * n * dim].to_vec());
        let scales = scales[frame * k..(frame + 1) * k].to_vec();
        let means = Points::new(dim, means[frame * k * dim..(frame + 1) * k * dim].to_vec());
        let weights = weights[frame * k..(frame + 1) * k].to_vec();
        let sound = scales.iter().all(|scale| scale.is_finite() && *scale >= 0.0)
            && weights.iter().all(|weight| (0.0..=1.0 + 1e-6).contains(weight));
        if !(sound && inside(&points) && inside(&means)) {
            let found = format!("others in frame {frame}");
            return Err(reader.content_error(
                "points inside the unit ball, scales of zero or more and weights from 0 to 1",
                found,
            ));
        }
        let is_fitted = k > 0 && scales.iter().all(|scale| *scale > 0.0);
        let mixture = is_fitted.then_some(GaussianMixture { weights, means, scales });
        snapshots.push(Snapshot { epoch, nodes: points, mixture });
    }
    Ok(snapshots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> Vec<Snapshot> {
        let nodes = Points::new(2, vec![0.5, 0.25, -0.5, 0.0, 0.0, 0.125]);
        let mixture = GaussianMixture {
            weights: vec![0.25, 0.75],
            means: Points::new(2, vec![0.1, 0.2, 0.3, 0.4]),
            scales: vec![0.5, 0.7],
        };
        vec![
            Snapshot { epoch: 3, nodes: nodes.clone(), mixture: None },
            Snapshot { epoch: 4, nodes, mixture: Some(mixture) },
        ]
    }

    #[test]
    fn a_history_comes_back_as_it_was() {
        let bytes = to_bytes(&history(), b"run");
        assert_eq!(from_bytes(&bytes, Path::new("h")).unwrap(), history());
        assert!(from_bytes(&to_bytes(&history()[..1], b"run"), Path::new("h")).unwrap()[0].mixture.is_none());
    }

    #[test]
    fn no_changed_byte_and_no_cut_is_a_panic() {
        let bytes = to_bytes(&history(), b"run");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            let _ = from_bytes(&changed, Path::new("h"));
            assert!(from_bytes(&bytes[..at], Path::new("h")).is_err());
        }
    }

    #[test]
    fn a_history_of_other_nodes_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(load_beside(folder.path(), 3, 2).unwrap().is_empty());
        // Any safetensors file will do for the run: the history has only its checksum.
        let [run, another] = [b"1", b"2"].map(|seed| to_bytes(&history(), seed));
        std::fs::write(folder.path().join(RUN_FILE), &run).unwrap();
        std::fs::write(folder.path().join(HISTORY_FILE), to_bytes(&history(), &run)).unwrap();
        assert_eq!(load_beside(folder.path(), 3, 2).unwrap().len(), 2);
        let error = load_beside(folder.path(), 4, 2).unwrap_err().to_string();
        assert!(error.contains("expected points of 4 nodes in 2 dimensions"), "{error}");
        std::fs::write(folder.path().join(RUN_FILE), another).unwrap();
        let error = load_beside(folder.path(), 3, 2).unwrap_err().to_string();
        assert!(error.contains("found that of another run"), "{error}");
    }
}
