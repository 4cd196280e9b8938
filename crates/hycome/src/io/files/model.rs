//! Model files: a classifier, as safetensors.
//!
//! | method | tensor | type and shape | holds |
//! |---|---|---|---|
//! | `nearest-centroid`, `gaussian` | `weights`, `scales` | F64 \[K\] | π and σ of the classes |
//! | | `means` | F64 \[K, dim\] | μ |
//! | `gaussian` of `come` | `covariances` | F64 \[K, dim, dim\] | Σ instead of σ |
//! | `logistic`, `svm`, `euclidean-logistic` | `normals` | F64 \[K, dim+1\] | n, time or constant first |
//! | | `slopes`, `intercepts` | F64 \[K\] | a and b |
//! | `knn` | `points` | F64 \[n, dim\] | the training nodes |
//! | | `classes.ends` | U64 \[n\] | where the classes of each node end among |
//! | | `classes.ids` | U64 \[all\] | the classes of all nodes |
//! | `majority` | `shares` | F64 \[K\] | the share of the nodes that have each class |
//!
//! The metadata are strings, as in a [run file](crate::io::run_file): `format` is `hycome-model`, `format_version`
//! counts changes that older programs cannot read, `program` is the program that wrote the file, `method`, `geometry`, `dim` and `classes`
//! (a JSON list of names) what it predicts for which points, `exclusive` whether a node has one class, `together` whether
//! hyperplanes were fitted jointly, `neighbors` how many vote, and `run` the [fingerprint](crate::train::RunFingerprint) of the run it was
//! trained on, if there is one. The same classifier has the same bytes. Every
//! number is validated when the file is read.

use std::path::Path;

use safetensors::Dtype;
use serde_json::{Value, json};

use crate::classify::{Classifier, Gaussians, LinearModel, Method, Model, Neighbors, Space};
use crate::geometry::Geometry;
use crate::graph::Labels;
use crate::io::atomic_file::AtomicFile;
use crate::io::files::container::{self, FileKind, Reader, Writer, bytes_of, words};
use crate::mixture::euclidean::{Covariances, EuclideanMixture};
use crate::mixture::{GaussianMixture, Mixture, SCALES};
use crate::{Error, Points, Result};

const MODEL: FileKind =
    FileKind { format: "hycome-model", noun: "model", origin: "a hycome model file", version: 2, remedy: "" };

/// Largest magnitude of a number in a model. No fit comes near it, and no score of such a model at a point in single
/// precision overflows a double.
const LARGEST: f64 = 1e50;

/// Writes a classifier, replacing an existing file atomically.
///
/// # Errors
/// If the classifier is one that could not be read again, or the file cannot be written.
pub fn save(classifier: &Classifier, path: &Path) -> Result<()> {
    let bytes = to_bytes(classifier);
    from_bytes(&bytes, path)?;
    AtomicFile::write(path, &bytes)?.commit()
}

/// Reads a classifier.
///
/// # Errors
/// If the file cannot be read or is not a valid model file of a supported version.
pub fn load(path: &Path) -> Result<Classifier> {
    from_bytes(&container::read(path, &MODEL)?, path)
}

/// The bytes of a classifier's file.
#[must_use]
pub fn to_bytes(classifier: &Classifier) -> Vec<u8> {
    let classes = serde_json::to_string(&classifier.classes).expect("names are text");
    let mut metadata = json!({
        "method": classifier.method.name(),
        "geometry": classifier.geometry.name(),
        "dim": classifier.dim.to_string(),
        "classes": classes,
        "exclusive": classifier.single_label.to_string(),
    });
    let mut file = Writer::default();
    match &classifier.model {
        Model::Gaussians(gaussians) => {
            let mixture = gaussians.mixture();
            rows(&mut file, "means", mixture.means());
            match mixture {
                Mixture::Hyperbolic(GaussianMixture { scales, .. })
                | Mixture::Euclidean(EuclideanMixture {
                    covariances: Covariances::Spherical(scales), ..
                }) => {
                    numbers(&mut file, "scales", scales);
                }
                Mixture::Euclidean(EuclideanMixture {
                    covariances: Covariances::Full(covariances), ..
                }) => {
                    let shape = [mixture.len(), classifier.dim, classifier.dim];
                    let bytes = bytes_of(covariances, f64::to_le_bytes).into_owned();
                    file.tensor("covariances", "F64", &shape, bytes);
                }
            }
            numbers(&mut file, "weights", mixture.weights());
        }
        Model::Linear(linear) => {
            rows(&mut file, "normals", &linear.normals);
            numbers(&mut file, "slopes", &linear.slopes);
            numbers(&mut file, "intercepts", &linear.intercepts);
            metadata["together"] = linear.multinomial.to_string().into();
        }
        Model::Neighbors(neighbors) => {
            let labels = neighbors.labels();
            let lists = || (0..labels.node_count()).map(|node| labels.of(node as u32));
            let ends = lists().scan(0, |end, list| {
                *end += list.len() as u64;
                Some(*end)
            });
            let ids = lists().flatten().map(|&class| u64::from(class));
            rows(&mut file, "points", neighbors.points());
            u64s(&mut file, "classes.ends", &ends.collect::<Vec<_>>());
            u64s(&mut file, "classes.ids", &ids.collect::<Vec<_>>());
            metadata["neighbors"] = neighbors.count().to_string().into();
        }
        Model::ClassFrequencies(shares) => numbers(&mut file, "shares", shares),
    }
    if let Some(run) = classifier.run {
        metadata["run"] = run.to_string().into();
    }
    file.with_checksum(&MODEL, metadata)
}

fn rows(file: &mut Writer, name: &str, points: &Points) {
    let bytes = bytes_of(points.as_slice(), f64::to_le_bytes).into_owned();
    file.tensor(name, "F64", &[points.len(), points.dim()], bytes);
}

fn numbers(file: &mut Writer, name: &str, values: &[f64]) {
    file.tensor(name, "F64", &[values.len()], bytes_of(values, f64::to_le_bytes).into_owned());
}

fn u64s(file: &mut Writer, name: &str, values: &[u64]) {
    file.tensor(name, "U64", &[values.len()], bytes_of(values, u64::to_le_bytes).into_owned());
}

/// A classifier from the bytes of its file; `path` is for error messages.
///
/// # Errors
/// If the bytes are not a valid model file of a supported version.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Classifier> {
    let reader = Checked(Reader::open_with_checksum(bytes, path, &MODEL)?);
    let method: Method = reader.parsed("method", "a method that this version knows")?;
    let geometry: Geometry = reader.parsed("geometry", "a geometry that this version knows")?;
    let dim: usize = reader.parsed("dim", "a number of dimensions")?;
    let classes: Vec<String> = reader.parsed("classes", "a list of names of classes")?;
    let single_label = reader.parsed("exclusive", "true or false")?;
    if dim == 0 || classes.is_empty() {
        return Err(reader.content_error("a dimension and a class at least", "none"));
    }
    if !method.supports(geometry) {
        let expected = format!("a method for the geometry {}", geometry.name());
        return Err(reader.content_error(expected, method.name()));
    }
    let count = classes.len();
    let model = match method {
        Method::NearestCentroid | Method::Gaussian => {
            let gaussians = Gaussians::new(reader.mixture(geometry, count, dim)?);
            Model::Gaussians(
                gaussians.map_err(|error| reader.content_error("positive spreads", error.to_string()))?,
            )
        }
        Method::Logistic | Method::Svm | Method::EuclideanLogistic => Model::Linear(LinearModel {
            space: match method {
                Method::EuclideanLogistic if geometry.is_euclidean() => Space::Euclidean,
                Method::EuclideanLogistic => Space::Tangent,
                _ => Space::Hyperbolic,
            },
            normals: reader.rows("normals", Some(count), dim.saturating_add(1))?,
            slopes: reader.numbers("slopes", count)?,
            intercepts: reader.numbers("intercepts", count)?,
            multinomial: reader.parsed("together", "true or false")?,
        }),
        Method::Knn => {
            let points = reader.rows("points", None, dim)?;
            reader.check_inside("points", geometry, &points)?;
            let voting: usize = reader.parsed("neighbors", "a number of neighbours")?;
            if voting == 0 {
                return Err(reader.content_error("one or more neighbours", "0"));
            }
            let lists = reader.lists(points.len(), count)?;
            let labels = Labels::from_lists(classes.clone(), lists);
            Model::Neighbors(Neighbors::new(geometry, points, labels, voting))
        }
        Method::Majority => Model::ClassFrequencies(reader.shares("shares", count)?),
    };
    let run = reader.0.optional_metadata("run").map(str::parse).transpose();
    let run =
        run.map_err(|error: String| reader.content_error("the fingerprint of a run as `run`", error))?;
    Ok(Classifier { method, geometry, classes, dim, single_label, model, run })
}

/// A model file whose numbers are validated.
struct Checked<'a>(Reader<'a>);

impl Checked<'_> {
    fn content_error(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        self.0.content_error(expected, found)
    }

    /// A value of the metadata, as JSON or as a bare string.
    fn parsed<T: serde::de::DeserializeOwned>(&self, key: &str, expected: &str) -> Result<T> {
        let text = self.0.metadata(key)?;
        let parsed = serde_json::from_str(text);
        let parsed = parsed.or_else(|_| serde_json::from_value(Value::String(text.to_owned())));
        parsed.map_err(|_| self.content_error(format!("{expected} as `{key}`"), format!("{text:?}")))
    }

    /// The numbers of a tensor, and its shape.
    fn doubles(&self, name: &str, axes: usize) -> Result<(Vec<usize>, Vec<f64>)> {
        let (shape, bytes) = self.0.tensor(name, Dtype::F64, axes)?;
        let values: Vec<f64> = words::<8>(bytes).map(f64::from_le_bytes).collect();
        match values.iter().find(|value| value.is_nan() || value.abs() > LARGEST) {
            Some(value) => {
                Err(self.content_error(format!("numbers up to {LARGEST:e} in `{name}`"), value.to_string()))
            }
            None => Ok((shape, values)),
        }
    }

    /// Rows of finite numbers; `count` of them, if given.
    fn rows(&self, name: &str, count: Option<usize>, width: usize) -> Result<Points> {
        let (shape, values) = self.doubles(name, 2)?;
        if shape[1] != width || shape[0] == 0 || count.is_some_and(|count| shape[0] != count) {
            let rows = count.map_or("one or more".to_owned(), |count| count.to_string());
            let expected = format!("{rows} rows of {width} numbers in `{name}`");
            return Err(self.content_error(expected, format!("shape {shape:?}")));
        }
        Ok(Points::new(width, values))
    }

    /// Gaussians of the geometry.
    fn mixture(&self, geometry: Geometry, count: usize, dim: usize) -> Result<Mixture> {
        let weights = self.shares("weights", count)?;
        let means = self.rows("means", Some(count), dim)?;
        self.check_inside("means", geometry, &means)?;
        if geometry.is_euclidean() && self.0.has("covariances") {
            let (shape, covariances) = self.doubles("covariances", 3)?;
            if shape != [count, dim, dim] {
                let expected = format!("{count} covariances of {dim} rows and columns");
                return Err(self.content_error(expected, format!("shape {shape:?}")));
            }
            return Ok(
                EuclideanMixture { weights, means, covariances: Covariances::Full(covariances) }.into()
            );
        }
        let scales = self.numbers("scales", count)?;
        if let Some(scale) = scales.iter().find(|scale| !SCALES.contains(scale)) {
            let expected = format!("scales from {:e} to {:e}", SCALES.start(), SCALES.end());
            return Err(self.content_error(expected, format!("{scale:e}")));
        }
        Ok(if geometry.is_euclidean() {
            EuclideanMixture { weights, means, covariances: Covariances::Spherical(scales) }.into()
        } else {
            GaussianMixture { weights, means, scales }.into()
        })
    }

    /// Refuses points outside the geometry.
    fn check_inside(&self, name: &str, geometry: Geometry, points: &Points) -> Result<()> {
        match points.rows().position(|x| !geometry.contains(x)) {
            Some(row) => {
                let expected = format!("points in `{name}` that are {}", geometry.domain());
                Err(self.content_error(expected, format!("another in row {row}")))
            }
            None => Ok(()),
        }
    }

    /// `count` finite numbers.
    fn numbers(&self, name: &str, count: usize) -> Result<Vec<f64>> {
        let (shape, values) = self.doubles(name, 1)?;
        if shape[0] != count {
            return Err(self.content_error(format!("{count} numbers in `{name}`"), shape[0].to_string()));
        }
        Ok(values)
    }

    /// `count` numbers from 0 to 1.
    fn shares(&self, name: &str, count: usize) -> Result<Vec<f64>> {
        let shares = self.numbers(name, count)?;
        match shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            Some(share) => {
                Err(self.content_error(format!("shares from 0 to 1 in `{name}`"), share.to_string()))
            }
            None => Ok(shares),
        }
    }

    /// The classes of each node.
    fn lists(&self, nodes: usize, class_count: usize) -> Result<Vec<Vec<u32>>> {
        let (ends, ids) = (self.0.u64s("classes.ends")?, self.0.u64s("classes.ids")?);
        if ends.len() != nodes || ends.last() != Some(&(ids.len() as u64)) || !ends.is_sorted() {
            let expected = format!("an end of classes for each of {nodes} nodes, rising to {}", ids.len());
            return Err(self.content_error(expected, format!("{} ends", ends.len())));
        }
        if let Some(id) = ids.iter().find(|&&id| id >= class_count as u64) {
            return Err(self.content_error(format!("classes below {class_count}"), id.to_string()));
        }
        let starts = std::iter::once(&0).chain(&ends);
        let lists = starts
            .zip(&ends)
            .map(|(&start, &end)| ids[start as usize..end as usize].iter().map(|&id| id as u32).collect());
        Ok(lists.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{self, ClassifierConfig};

    #[test]
    fn a_model_with_nan_is_not_written() {
        let points = Points::new(2, vec![0.5, 0.1, 0.6, 0.0, -0.5, 0.1, -0.6, 0.0]);
        let labels = Labels::from_pairs(4, &[(0, "east"), (1, "east"), (2, "west"), (3, "west")], &[]);
        let config = ClassifierConfig { method: Method::Logistic, ..ClassifierConfig::default() };
        let mut classifier = classify::fit(&points, &labels, &config).unwrap().classifier;
        let Model::Linear(linear) = &mut classifier.model else { panic!("logistic regression is linear") };
        linear.slopes[0] = f64::NAN;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m");
        assert!(save(&classifier, &path).unwrap_err().to_string().contains("`slopes`"));
        assert!(!path.exists());
    }
}
