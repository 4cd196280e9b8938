//! Run files: a trained embedding and its communities, as safetensors.
//!
//! | tensor | type and shape | holds |
//! |---|---|---|
//! | `nodes`, `contexts` | F32 \[n, dim\] | the points φ and φ' |
//! | `mixture.weights`, `mixture.scales` | F64 \[K\] | π and σ |
//! | `mixture.means` | F64 \[K, dim\] | μ |
//! | `names.first` | U64 \[1\] | nodes are called by consecutive numbers from this one, |
//! | `names.numbers` | U64 \[n\] | … or by these numbers, |
//! | `names.text`, `names.ends` | U8 \[bytes\], U64 \[n\] | … or by these pieces of one UTF-8 text |
//!
//! The metadata are strings: `format` is `hycome-run`, `format_version` counts changes that older programs cannot
//! read, `program` says who wrote the file, `geometry` where the points live, and `config` and `history` are
//! JSON. Nothing in a file depends on the time or the machine, so the same run has the same bytes; that is
//! why the header is written here, in a fixed order. Reading trusts nothing: every number is checked, and
//! memory is asked for only after a size was compared with the bytes that are there.

use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};

use super::staged::StagedFile;
use crate::geometry::poincare::squared_norm;
use crate::graph::{NodeId, NodeNames};
use crate::mixture::GaussianMixture;
use crate::train::{EpochReport, Run, TrainConfig};
use crate::{Error, Points, Result};

/// What a run's file is called in its folder.
pub const RUN_FILE: &str = "run.safetensors";

/// The version written, and the newest that can be read.
const FORMAT_VERSION: u64 = 1;

/// Weights of a mixture add up to one within this; they are sums of many rounded numbers.
const WEIGHT_SUM_TOLERANCE: f64 = 1e-6;

/// Writes a run; an earlier file of this name is replaced in one step.
///
/// # Errors
/// If the run is not sound, as [`load`] would find, or the file cannot be written.
pub fn save(run: &Run, path: &Path) -> Result<()> {
    StagedFile::write(path, &to_bytes(run, path)?)?.put_in_place()
}

/// Reads a run from its file, or from the folder that holds it.
///
/// # Errors
/// If the file cannot be read or is not a sound run of a version we know.
pub fn load(path: &Path) -> Result<Run> {
    let path = if path.is_dir() { path.join(RUN_FILE) } else { path.to_path_buf() };
    let bytes = std::fs::read(&path);
    let bytes = bytes.map_err(|source| Error::Io { path: path.clone(), action: "read", source })?;
    from_bytes(&bytes, &path)
}

/// Whether bytes start like a safetensors file: the length of a header, then its opening brace.
#[must_use]
pub fn looks_like_run(bytes: &[u8]) -> bool {
    bytes.len() > 9 && bytes[8] == b'{' && bytes[6..8] == [0, 0]
}

/// The bytes of a run's file; `path` is what messages call it.
///
/// # Errors
/// If the run is not sound.
pub fn to_bytes(run: &Run, path: &Path) -> Result<Vec<u8>> {
    check(run).map_err(|(expected, found)| content(path, expected, found))?;
    let (n, dim, k) = (run.nodes.len(), run.nodes.dim(), run.mixture.len());
    let mut file = Writer::default();
    file.tensor("mixture.means", "F64", &[k, dim], doubles(run.mixture.means.as_slice()));
    file.tensor("mixture.scales", "F64", &[k], doubles(&run.mixture.scales));
    file.tensor("mixture.weights", "F64", &[k], doubles(&run.mixture.weights));
    let text = add_names(&mut file, &run.names);
    file.tensor("contexts", "F32", &[n, dim], singles(run.contexts.as_slice()));
    file.tensor("nodes", "F32", &[n, dim], singles(run.nodes.as_slice()));
    if let Some(text) = text {
        file.tensor("names.text", "U8", &[text.len()], text.into_bytes());
    }
    Ok(file.finish(json!({
        "format": "hycome-run",
        "format_version": FORMAT_VERSION.to_string(),
        "program": concat!("hycome ", env!("CARGO_PKG_VERSION")),
        "geometry": "poincare",
        "config": json_text(&run.config),
        "history": json_text(&run.history),
    })))
}

/// Names in the smallest of their three forms; the text of the third comes last in the file.
fn add_names(file: &mut Writer, names: &NodeNames) -> Option<String> {
    if !names.are_numbers() {
        let mut text = String::new();
        let mut ends = Vec::with_capacity(names.len());
        for name in names.iter() {
            text.push_str(&name);
            ends.push(text.len() as u64);
        }
        file.tensor("names.ends", "U64", &[names.len()], whole_numbers(&ends));
        return Some(text);
    }
    let numbers: Vec<u64> =
        names.iter().map(|name| name.parse().expect("names are numbers where they say so")).collect();
    let first = numbers.first().copied().unwrap_or(0);
    if *names == NodeNames::numbered(first, numbers.len()) {
        file.tensor("names.first", "U64", &[1], whole_numbers(&[first]));
    } else {
        file.tensor("names.numbers", "U64", &[numbers.len()], whole_numbers(&numbers));
    }
    None
}

fn json_text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("settings and reports have no keys that are not text")
}

fn singles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn whole_numbers(values: &[u64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Tensors one after the other, the widest types first so that each is aligned.
#[derive(Default)]
struct Writer {
    header: Map<String, Value>,
    data: Vec<u8>,
}

impl Writer {
    fn tensor(&mut self, name: &str, dtype: &str, shape: &[usize], bytes: Vec<u8>) {
        let start = self.data.len();
        self.data.extend(bytes);
        let info = json!({ "dtype": dtype, "shape": shape, "data_offsets": [start, self.data.len()] });
        self.header.insert(name.to_owned(), info);
    }

    fn finish(self, metadata: Value) -> Vec<u8> {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), metadata);
        header.extend(self.header);
        let mut header = Value::Object(header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = Vec::with_capacity(8 + header.len() + self.data.len());
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        bytes.extend(self.data);
        bytes
    }
}

/// A run from the bytes of its file; `path` is what messages call it.
///
/// # Errors
/// If the bytes are not a sound run of a version we know.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Run> {
    let reader = Reader::open(bytes, path)?;
    let nodes = reader.points("nodes", Dtype::F32)?;
    let contexts = reader.points("contexts", Dtype::F32)?;
    let mixture = GaussianMixture {
        weights: reader.doubles("mixture.weights")?,
        means: reader.points("mixture.means", Dtype::F64)?,
        scales: reader.doubles("mixture.scales")?,
    };
    let names = reader.names(nodes.len())?;
    let config: TrainConfig = reader.json("config")?;
    let history: Vec<EpochReport> = reader.json("history")?;
    let run = Run { nodes, contexts, mixture, names, config, history };
    check(&run).map_err(|(expected, found)| content(path, expected, found))?;
    Ok(run)
}

/// What is expected of a run, and what was found instead.
type Objection = (String, String);

/// Whether everything in a run fits together.
fn check(run: &Run) -> std::result::Result<(), Objection> {
    let (n, dim, k) = (run.nodes.len(), run.nodes.dim(), run.mixture.len());
    let object = |expected: String, found: String| Err((expected, found));
    if n == 0 || k == 0 {
        return object("one or more nodes and communities".into(), format!("{n} and {k}"));
    }
    if (run.contexts.len(), run.contexts.dim()) != (n, dim) {
        let (rows, columns) = (run.contexts.len(), run.contexts.dim());
        return object(format!("contexts of {n} rows and {dim} columns"), format!("{rows} and {columns}"));
    }
    if (run.mixture.means.len(), run.mixture.dim(), run.mixture.scales.len()) != (k, dim, k) {
        return object(
            format!("{k} means of {dim} coordinates and {k} scales, one for each weight"),
            format!(
                "{} means of {} and {} scales",
                run.mixture.means.len(),
                run.mixture.dim(),
                run.mixture.scales.len()
            ),
        );
    }
    if run.names.len() != n {
        return object(format!("{n} names, one for each node"), run.names.len().to_string());
    }
    if run.config.dim != dim {
        return object(format!("the setting dim = {dim}, as the points have"), run.config.dim.to_string());
    }
    for (what, points) in
        [("nodes", &run.nodes), ("contexts", &run.contexts), ("mixture.means", &run.mixture.means)]
    {
        if let Some(row) =
            points.rows().position(|x| squared_norm(x).partial_cmp(&1.0) != Some(std::cmp::Ordering::Less))
        {
            return object(
                format!("points inside the unit ball in `{what}`"),
                format!("row {row} outside of it"),
            );
        }
    }
    let is_share = |weight: &f64| (0.0..=1.0 + WEIGHT_SUM_TOLERANCE).contains(weight);
    let sum: f64 = run.mixture.weights.iter().sum();
    if !run.mixture.weights.iter().all(is_share) || (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
        return object("weights from 0 to 1 that add up to 1".into(), format!("{k} with the sum {sum}"));
    }
    if let Some(scale) = run.mixture.scales.iter().find(|scale| !(scale.is_finite() && **scale > 0.0)) {
        return object("scales above 0".into(), scale.to_string());
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

fn content(path: &Path, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::Content { path: path.into(), expected: expected.into(), found: found.into() }
}

/// A safetensors file whose header was understood.
struct Reader<'a> {
    path: PathBuf,
    tensors: SafeTensors<'a>,
    metadata: std::collections::HashMap<String, String>,
}

impl<'a> Reader<'a> {
    fn open(bytes: &'a [u8], path: &Path) -> Result<Self> {
        if !looks_like_run(bytes) {
            return Err(content(path, "a run that `hycome embed` wrote", "another kind of file"));
        }
        let unsound = |error: safetensors::SafeTensorError| {
            let found = format!("a damaged one ({error})");
            content(path, "a whole run in the safetensors format", found)
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(unsound)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(unsound)?;
        let reader =
            Self { path: path.into(), tensors, metadata: header.metadata().clone().unwrap_or_default() };
        if reader.metadata.get("format").map(String::as_str) != Some("hycome-run") {
            return Err(reader.objection("a run that `hycome embed` wrote", "other tensors"));
        }
        let version = reader.text("format_version")?;
        match version.parse::<u64>() {
            Ok(FORMAT_VERSION) => {}
            Ok(newer) if newer > FORMAT_VERSION => {
                let expected = format!("a run of format version {FORMAT_VERSION}");
                let program = reader.metadata.get("program").map_or("a newer hycome", String::as_str);
                let found = format!("version {newer}, written by {program:?}; update hycome to read it");
                return Err(reader.objection(expected, found));
            }
            _ => return Err(reader.objection("a format version", format!("{version:?}"))),
        }
        match reader.text("geometry")? {
            "poincare" => Ok(reader),
            other => Err(reader.objection("points of the Poincaré ball", format!("geometry {other:?}"))),
        }
    }

    fn objection(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        content(&self.path, expected, found)
    }

    fn text(&self, key: &str) -> Result<&str> {
        let text = self.metadata.get(key).map(String::as_str);
        text.ok_or_else(|| self.objection(format!("`{key}` among the metadata"), "none"))
    }

    fn json<T: serde::de::DeserializeOwned>(&self, key: &str) -> Result<T> {
        let parsed = serde_json::from_str(self.text(key)?);
        parsed
            .map_err(|error| self.objection(format!("`{key}` as this version writes it"), error.to_string()))
    }

    /// Shape and bytes of a tensor of this type and number of axes.
    fn tensor(&self, name: &str, dtype: Dtype, axes: usize) -> Result<(Vec<usize>, &'a [u8])> {
        let Ok(view) = self.tensors.tensor(name) else {
            return Err(self.objection(format!("a tensor `{name}`"), "none"));
        };
        if view.dtype() != dtype || view.shape().len() != axes {
            let expected = format!("`{name}` as {dtype:?} with {axes} axes");
            return Err(self.objection(expected, format!("{:?} of shape {:?}", view.dtype(), view.shape())));
        }
        Ok((view.shape().to_vec(), view.data()))
    }

    fn points(&self, name: &str, dtype: Dtype) -> Result<Points> {
        let (shape, data) = self.tensor(name, dtype, 2)?;
        if shape[0] == 0 || shape[1] == 0 {
            return Err(
                self.objection(format!("one or more rows and columns in `{name}`"), format!("{shape:?}"))
            );
        }
        let values = match dtype {
            Dtype::F32 => words::<4>(data).map(|word| f64::from(f32::from_le_bytes(word))).collect(),
            _ => words::<8>(data).map(f64::from_le_bytes).collect(),
        };
        Ok(Points::new(shape[1], values))
    }

    fn doubles(&self, name: &str) -> Result<Vec<f64>> {
        Ok(words::<8>(self.tensor(name, Dtype::F64, 1)?.1).map(f64::from_le_bytes).collect())
    }

    fn whole_numbers(&self, name: &str) -> Result<Vec<u64>> {
        Ok(words::<8>(self.tensor(name, Dtype::U64, 1)?.1).map(u64::from_le_bytes).collect())
    }

    fn names(&self, count: usize) -> Result<NodeNames> {
        let has = |name| self.tensors.tensor(name).is_ok();
        if NodeId::try_from(count).is_err() {
            return Err(self.objection("fewer than 2³² nodes", count.to_string()));
        }
        if has("names.first") {
            let first = self.whole_numbers("names.first")?;
            let last = first.first().and_then(|first| first.checked_add(count as u64));
            return match (first.as_slice(), last) {
                (&[first], Some(_)) => Ok(NodeNames::numbered(first, count)),
                _ => Err(self.objection(
                    "one number in `names.first`, with room for the others",
                    format!("{first:?}"),
                )),
            };
        }
        if has("names.numbers") {
            return Ok(NodeNames::from_numbers(self.whole_numbers("names.numbers")?));
        }
        let ends = self.whole_numbers("names.ends")?;
        let bytes = self.tensor("names.text", Dtype::U8, 1)?.1;
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(self.objection("names in UTF-8", "other bytes"));
        };
        let mut start = 0;
        let mut names = Vec::with_capacity(ends.len());
        for end in ends {
            let name = usize::try_from(end).ok().and_then(|end| text.get(start..end));
            let Some(name) = name else {
                let expected = "ends of names that rise to the length of their text";
                return Err(self.objection(expected, format!("{end} after {start}")));
            };
            names.push(name);
            start += name.len();
        }
        if start != text.len() {
            return Err(self
                .objection("names that use all of their text", format!("{start} of {} bytes", text.len())));
        }
        Ok(NodeNames::from_strings(names))
    }
}

/// `data` in words of N bytes.
fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|word| word.try_into().expect("a chunk has the length of a word"))
}
