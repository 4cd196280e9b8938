//! Run files: a trained embedding and its communities, as safetensors.
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `nodes`, `contexts` | F32 \[n, dim\] | the points φ and φ' |
//! | `layout` | F32 \[n, 2\] | a two-dimensional layout in the Poincaré disc; optional |
//! | `mixture.weights` | F64 \[K\] | π |
//! | `mixture.scales` | F64 \[K\] | σ of round Gaussians, |
//! | `mixture.covariances` | F64 \[K, dim, dim\] | … or Σ where the geometry is `come` |
//! | `mixture.means` | F64 \[K, dim\] | μ |
//! | `names.first` | U64 \[1\] | nodes are called by consecutive numbers from this one, |
//! | `names.numbers` | U64 \[n\] | … or by these numbers, |
//! | `names.text`, `names.ends` | U8 \[bytes\], U64 \[n\] | … or by these pieces of one UTF-8 text |
//!
//! The metadata are strings: `format` is `hycome-run`, `checksum` that of the whole file, `format_version` counts changes that
//! older programs cannot read, `program` is the program that wrote the file, `geometry` where the points live (`poincare`, `come` or
//! `euclidean`), and `config`, `history` and
//! `restarts` are JSON. The same run has the same bytes. Every number is validated when the file is read.

use std::path::Path;

use safetensors::Dtype;
use serde_json::json;

use crate::geometry::Geometry;
use crate::io::atomic_file::{self, AtomicFile};
use crate::io::files::container::{self, FileKind, Reader, Writer, content, words};
use crate::io::graph_file;
use crate::io::recover_folder;
use crate::mixture::euclidean::{CovarianceType, Covariances, EuclideanMixture};
use crate::mixture::{GaussianMixture, Mixture, SCALES, covariance_type};
use crate::train::{EpochReport, RestartReport, Run, TrainConfig};
use crate::{Points, Result};

/// Name of the run file in its folder.
pub const RUN_FILE: &str = "run.safetensors";

pub(crate) const RUN: FileKind =
    FileKind { format: "hycome-run", noun: "run", origin: "a hycome run file", version: 1, remedy: "" };

/// Weights of a mixture add up to one within this; they are sums of many rounded numbers.
const WEIGHT_SUM_TOLERANCE: f64 = 1e-6;

/// Writes a run, replacing an existing file atomically.
///
/// # Errors
/// If [`load`] would refuse the run, or the file cannot be written.
pub fn save(run: &Run, path: &Path) -> Result<()> {
    AtomicFile::write(path, &to_bytes(run, path)?)?.commit()
}

/// Reads a run from its file, or from the folder that holds it.
///
/// If a process was killed while it replaced the files of the folder, its transaction is rolled back first.
///
/// # Errors
/// If the file cannot be read or is not a valid run file of a supported version.
pub fn load(path: &Path) -> Result<Run> {
    let path = if path.is_dir() { path.join(RUN_FILE) } else { path.to_path_buf() };
    let _ = recover_folder(atomic_file::folder(&path)); // a folder that is read-only can still be read
    from_bytes(&container::read(&path, &RUN)?, &path)
}

/// Whether bytes start like a safetensors file that is no graph file.
#[must_use]
pub fn looks_like_run(bytes: &[u8]) -> bool {
    container::looks_like_safetensors(bytes) && !graph_file::looks_like_graph_file(bytes)
}

/// The bytes of a run's file; `path` is for error messages.
///
/// # Errors
/// If the run is invalid.
pub fn to_bytes(run: &Run, path: &Path) -> Result<Vec<u8>> {
    check(run).map_err(|(expected, found)| content(path, expected, found))?;
    let (n, dim) = (run.nodes.len(), run.nodes.dim());
    let mut file = Writer::default();
    if let Some(layout) = &run.layout {
        file.tensor("layout", "F32", &[n, 2], singles(layout.as_slice()));
    }
    put_mixture(&mut file, "mixture", &run.mixture);
    let text = file.names(&run.names);
    file.tensor("contexts", "F32", &[n, dim], singles(run.contexts.as_slice()));
    file.tensor("nodes", "F32", &[n, dim], singles(run.nodes.as_slice()));
    if let Some(text) = text {
        file.text("names.text", text);
    }
    let metadata = json!({
        "geometry": run.config.geometry.name(),
        "config": json_text(&run.config),
        "history": json_text(&run.history),
        "restarts": json_text(&run.restarts),
    });
    Ok(file.with_checksum(&RUN, metadata))
}

/// Tensors of a mixture, under a common prefix.
pub(crate) fn put_mixture(file: &mut Writer<'_>, prefix: &str, mixture: &Mixture) {
    let (k, dim) = (mixture.len(), mixture.means().dim());
    let mut tensor = |name: &str, shape: &[usize], values: &[f64]| {
        file.tensor(&format!("{prefix}.{name}"), "F64", shape, doubles(values));
    };
    tensor("means", &[k, dim], mixture.means().as_slice());
    match spreads(mixture) {
        (CovarianceType::Spherical, scales) => tensor("scales", &[k], scales),
        (CovarianceType::Full, covariances) => tensor("covariances", &[k, dim, dim], covariances),
    }
    tensor("weights", &[k], mixture.weights());
}

/// σ or Σ of all components.
fn spreads(mixture: &Mixture) -> (CovarianceType, &[f64]) {
    match mixture {
        Mixture::Hyperbolic(mixture) => (CovarianceType::Spherical, &mixture.scales),
        Mixture::Euclidean(mixture) => match &mixture.covariances {
            Covariances::Spherical(scales) => (CovarianceType::Spherical, scales),
            Covariances::Full(covariances) => (CovarianceType::Full, covariances),
        },
    }
}

pub(crate) fn json_text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("settings and reports have no keys that are not text")
}

fn singles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A run from the bytes of its file; `path` is for error messages.
///
/// # Errors
/// If the bytes are not a valid run file of a supported version.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Run> {
    let reader = Reader::open_with_checksum(bytes, path, &RUN)?;
    let name = reader.metadata("geometry")?;
    let known = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];
    let Some(geometry) = known.into_iter().find(|known| known.name() == name) else {
        let expected = format!("the geometry {}", known.map(Geometry::name).join(", "));
        return Err(reader.content_error(expected, format!("{name:?}")));
    };
    let nodes = points(&reader, "nodes", Dtype::F32)?;
    let contexts = points(&reader, "contexts", Dtype::F32)?;
    let layout = if reader.has("layout") { Some(points(&reader, "layout", Dtype::F32)?) } else { None };
    let mixture = mixture(&reader, "mixture", geometry)?;
    let names = reader.names(nodes.len())?;
    let config: TrainConfig = json(&reader, "config")?;
    let history: Vec<EpochReport> = json(&reader, "history")?;
    let restarts: Vec<RestartReport> = json(&reader, "restarts")?;
    if config.geometry != geometry {
        let expected = format!("the setting geometry = {name:?}, as the file says");
        return Err(reader.content_error(expected, format!("{:?}", config.geometry.name())));
    }
    let run = Run { nodes, contexts, layout, mixture, names, config, history, restarts };
    check(&run).map_err(|(expected, found)| content(path, expected, found))?;
    Ok(run)
}

/// Reads what [`put_mixture`] wrote, without validation.
pub(crate) fn mixture(reader: &Reader<'_>, prefix: &str, geometry: Geometry) -> Result<Mixture> {
    let weights = read_doubles(reader, &format!("{prefix}.weights"), 1)?;
    let means = points(reader, &format!("{prefix}.means"), Dtype::F64)?;
    let scales = || read_doubles(reader, &format!("{prefix}.scales"), 1);
    let covariances = match covariance_type(geometry) {
        None => return Ok(GaussianMixture { weights, means, scales: scales()? }.into()),
        Some(CovarianceType::Spherical) => Covariances::Spherical(scales()?),
        Some(CovarianceType::Full) => {
            Covariances::Full(read_doubles(reader, &format!("{prefix}.covariances"), 3)?)
        }
    };
    Ok(EuclideanMixture { weights, means, covariances }.into())
}

/// What was expected of a run, and what was found.
type ContentError = (String, String);

/// Validates a run: shapes, ranges and settings.
fn check(run: &Run) -> std::result::Result<(), ContentError> {
    let (n, dim, k) = (run.nodes.len(), run.nodes.dim(), run.mixture.len());
    let object = |expected: String, found: String| Err((expected, found));
    if n == 0 || k == 0 {
        return object("one or more nodes and communities".into(), format!("{n} and {k}"));
    }
    if (run.contexts.len(), run.contexts.dim()) != (n, dim) {
        let (rows, columns) = (run.contexts.len(), run.contexts.dim());
        return object(format!("contexts of {n} rows and {dim} columns"), format!("{rows} and {columns}"));
    }
    if let Some(layout) = &run.layout {
        if (layout.len(), layout.dim()) != (n, 2) {
            let (rows, columns) = (layout.len(), layout.dim());
            return object(format!("a layout of {n} rows and 2 columns"), format!("{rows} and {columns}"));
        }
        if let Some(row) = layout.rows().position(|x| !Geometry::Poincare.contains(x)) {
            let expected = format!("points in `layout` that are {}", Geometry::Poincare.domain());
            return object(expected, format!("another in row {row}"));
        }
    }
    let means = run.mixture.means();
    let (shape, spreads) = spreads(&run.mixture);
    let numbers = if shape == CovarianceType::Full { k * dim * dim } else { k };
    if (means.len(), means.dim(), spreads.len()) != (k, dim, numbers) {
        let noun = if shape == CovarianceType::Full { "numbers in covariances" } else { "scales" };
        return object(
            format!("{k} means of {dim} coordinates and {numbers} {noun}, for {k} weights"),
            format!("{} means of {} and {} {noun}", means.len(), means.dim(), spreads.len()),
        );
    }
    if run.names.len() != n {
        return object(format!("{n} names, one for each node"), run.names.len().to_string());
    }
    if run.config.dim != Some(dim) {
        let found = run.config.dim.map_or("none".into(), |dim| dim.to_string());
        return object(format!("the setting dim = {dim}, as the points have"), found);
    }
    let geometry = run.config.geometry;
    for (what, points) in [("nodes", &run.nodes), ("contexts", &run.contexts), ("mixture.means", means)] {
        if let Some(row) = points.rows().position(|x| !geometry.contains(x)) {
            let expected = format!("points in `{what}` that are {}", geometry.domain());
            return object(expected, format!("another in row {row}"));
        }
    }
    let is_share = |weight: &f64| (0.0..=1.0 + WEIGHT_SUM_TOLERANCE).contains(weight);
    let sum: f64 = run.mixture.weights().iter().sum();
    if !run.mixture.weights().iter().all(is_share) || (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
        return object("weights from 0 to 1 that add up to 1".into(), format!("{k} with the sum {sum}"));
    }
    if covariance_type(run.config.geometry)
        != run.mixture.euclidean().map(|own| own.covariances.covariance_type())
    {
        let expected = format!("Gaussians of the geometry {}", run.config.geometry.name());
        return object(expected, "those of another".into());
    }
    if let Mixture::Euclidean(mixture) = &run.mixture
        && let Err(error) = mixture.components()
    {
        return object("Gaussians of positive spread".into(), error.to_string());
    }
    if shape == CovarianceType::Spherical
        && let Some(scale) = spreads.iter().find(|scale| !SCALES.contains(scale))
    {
        return object(
            format!("scales from {:e} to {:e}", SCALES.start(), SCALES.end()),
            format!("{scale:e}"),
        );
    }
    if let Err(error) = run.config.validate() {
        return object("settings within their ranges".into(), error.to_string());
    }
    let finite = |epoch: &EpochReport| {
        let likelihood = epoch.mixture.as_ref().map_or(0.0, |mixture| mixture.log_likelihood);
        epoch.learning_rate.is_finite() && likelihood.is_finite()
    };
    if let Some(epoch) = run.history.iter().position(|epoch| !finite(epoch)) {
        return object("a history of finite numbers".into(), format!("another in epoch {}", epoch + 1));
    }
    Ok(())
}

/// Settings or reports among the metadata.
pub(crate) fn json<T: serde::de::DeserializeOwned>(reader: &Reader<'_>, key: &str) -> Result<T> {
    let parsed = serde_json::from_str(reader.metadata(key)?);
    parsed.map_err(|error| {
        reader.content_error(format!("`{key}` as this version writes it"), error.to_string())
    })
}

fn points(reader: &Reader<'_>, name: &str, dtype: Dtype) -> Result<Points> {
    let (shape, data) = reader.tensor(name, dtype, 2)?;
    if shape[0] == 0 || shape[1] == 0 {
        return Err(
            reader.content_error(format!("one or more rows and columns in `{name}`"), format!("{shape:?}"))
        );
    }
    let values = match dtype {
        Dtype::F32 => words::<4>(data).map(|word| f64::from(f32::from_le_bytes(word))).collect(),
        _ => words::<8>(data).map(f64::from_le_bytes).collect(),
    };
    Ok(Points::new(shape[1], values))
}

fn read_doubles(reader: &Reader<'_>, name: &str, axes: usize) -> Result<Vec<f64>> {
    Ok(words::<8>(reader.tensor(name, Dtype::F64, axes)?.1).map(f64::from_le_bytes).collect())
}
