//! Classes learnt from points.

use std::path::Path;
use std::sync::Arc;

use hycome::classify::{
    self, ClassifierConfig, CrossValidation, FitOutcome, Method, Model, Summary, Validation, folds as deal,
};
use hycome::io::model_file;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::arrays::{points, rows, table, vector};
use crate::error::{exception, refuse};
use crate::graph::{Labels, check_nodes};
use crate::work::detached;

/// Something that was learnt, and can be asked about any point.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Classifier {
    pub inner: Arc<classify::Classifier>,
}

#[pymethods]
impl Classifier {
    /// Learns from points whose classes are known; also says whether the search came to rest.
    #[staticmethod]
    fn learn(
        py: Python<'_>,
        method: &str,
        x: PyReadonlyArray2<'_, f64>,
        labels: &Labels,
        regularization: f64,
        neighbors: usize,
    ) -> PyResult<(Self, bool)> {
        let points = points(&x)?;
        check_nodes("labels", labels.inner.node_count(), points.len())?;
        let config =
            ClassifierConfig { method: named(method)?, neighbors, regularization, ..Default::default() };
        let labels = Arc::clone(&labels.inner);
        let FitOutcome { classifier, converged } =
            detached(py, move || classify::fit(&points, &labels, &config))?;
        Ok((Self { inner: Arc::new(classifier) }, converged))
    }

    /// The probability of each class at each point.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.table(py, &x, |scores, i| scores.probabilities(i))
    }

    /// The score of each class at each point: logarithms of weights.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.table(py, &x, |scores, i| scores.row(i).to_vec())
    }

    /// The barycenter of each class, where it has one.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        match &self.inner.model {
            Model::Gaussians(gaussians) => Ok(Some(rows(py, gaussians.mixture().means().clone())?)),
            _ => Ok(None),
        }
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &model_file::to_bytes(&self.inner))
    }

    /// A classifier from the bytes of a model file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let inner = model_file::from_bytes(bytes, Path::new("model")).map_err(exception)?;
        Ok(Self { inner: Arc::new(inner) })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let class: Bound<'py, PyType> = slf.get_type();
        Ok((class.getattr("from_bytes")?, (slf.get().to_bytes(slf.py()),)))
    }
}

impl Classifier {
    /// A table with a row for each point, which `row` makes of the scores there.
    fn table<'py>(
        &self,
        py: Python<'py>,
        x: &PyReadonlyArray2<'py, f64>,
        row: impl Fn(&classify::ClassScores, usize) -> Vec<f64> + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (points, classifier) = (points(x)?, Arc::clone(&self.inner));
        let found = detached(py, move || {
            let scores = classifier.scores(&points)?;
            Ok((0..scores.len()).flat_map(|i| row(&scores, i)).collect())
        })?;
        table(py, self.inner.classes.len(), found)
    }
}

fn named(method: &str) -> PyResult<Method> {
    Method::ALL.into_iter().find(|known| known.name() == method).ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        refuse(format!("`method` must be one of {}, but is {method}", names.join(", ")))
    })
}

/// Mean and deviation of precision@1, micro F1 and macro F1 over all folds, and folds whose search was cut off.
type Validated = ((f64, f64), (f64, f64), (f64, f64), usize);

/// Scores of a method on points held out.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the settings of a validation, given by name")]
pub fn cross_validate(
    py: Python<'_>,
    x: PyReadonlyArray2<'_, f64>,
    labels: &Labels,
    method: &str,
    regularization: f64,
    neighbors: usize,
    folds: usize,
    runs: usize,
    seed: u64,
) -> PyResult<Validated> {
    let points = points(&x)?;
    check_nodes("labels", labels.inner.node_count(), points.len())?;
    let config = ClassifierConfig { method: named(method)?, neighbors, regularization, ..Default::default() };
    let validation = CrossValidation { folds, runs, seed };
    let labels = Arc::clone(&labels.inner);
    let found = detached(py, move || classify::cross_validate(&points, &labels, &config, &validation))?;
    let Validation { precision_at_1, micro_f1, macro_f1, unconverged, .. } = found;
    let pair = |summary: Summary| (summary.mean, summary.deviation);
    Ok((pair(precision_at_1), pair(micro_f1), pair(macro_f1), unconverged))
}

/// The nodes of each fold of a dealing.
#[pyfunction]
pub fn folds<'py>(
    py: Python<'py>,
    labels: &Labels,
    count: usize,
    seed: u64,
    run: u64,
) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
    if count < 2 {
        return Err(refuse(format!("`folds` must be two or more, but is {count}")));
    }
    let labels = Arc::clone(&labels.inner);
    let folds = detached(py, move || Ok(deal(&labels, count, seed, run)))?;
    Ok(folds.into_iter().map(|fold| vector(py, fold)).collect())
}
