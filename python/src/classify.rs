//! Classifiers for points of the ball.

use std::path::Path;
use std::sync::Arc;

use hycome::classify::{
    self, ClassifierConfig, CrossValidation, FitOutcome, Method, MultiClass, Summary, Validation,
    folds as split,
};
use hycome::io::model_file;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyType};

use crate::arrays::{array1, array2, points_array, to_points};
use crate::error::{to_pyerr, value_error};
use crate::graph::{Labels, check_node_count};
use crate::work::run_detached;

/// A fitted classifier.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Classifier {
    pub inner: Arc<classify::Classifier>,
}

#[pymethods]
impl Classifier {
    /// Fits a classifier to labelled points; also returns whether it converged.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        x: PyReadonlyArray2<'_, f64>,
        labels: &Labels,
        settings: Settings,
    ) -> PyResult<(Self, bool)> {
        let points = to_points(&x)?;
        check_node_count("labels", labels.inner.node_count(), points.len())?;
        let config = settings.config()?;
        let labels = Arc::clone(&labels.inner);
        let FitOutcome { classifier, converged } =
            run_detached(py, move || classify::fit(&points, &labels, &config))?;
        Ok((Self { inner: Arc::new(classifier) }, converged))
    }

    /// Probability of each class at each point.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.map_scores(py, &x, |scores, i| scores.probabilities(i))
    }

    /// Unnormalized log-probability of each class at each point.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        x: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.map_scores(py, &x, |scores, i| scores.row(i).to_vec())
    }

    /// Barycenter of each class; `None` for methods without barycenters.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.inner.means().map(|means| points_array(py, means.clone())).transpose()
    }

    /// Serializes to the bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &model_file::to_bytes(&self.inner))
    }

    /// Deserializes from the bytes of a model file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let inner = model_file::from_bytes(bytes, Path::new("model")).map_err(to_pyerr)?;
        Ok(Self { inner: Arc::new(inner) })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let class: Bound<'py, PyType> = slf.get_type();
        Ok((class.getattr("from_bytes")?, (slf.get().to_bytes(slf.py()),)))
    }
}

impl Classifier {
    /// Evaluates the classifier and maps the scores at each point to a row.
    fn map_scores<'py>(
        &self,
        py: Python<'py>,
        x: &PyReadonlyArray2<'py, f64>,
        row: impl Fn(&classify::ClassScores, usize) -> Vec<f64> + Send + 'static,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (points, classifier) = (to_points(x)?, Arc::clone(&self.inner));
        let found = run_detached(py, move || {
            let scores = classifier.scores(&points)?;
            Ok((0..scores.len()).flat_map(|i| row(&scores, i)).collect())
        })?;
        array2(py, self.inner.classes.len(), found)
    }
}

fn parse_method(method: &str) -> PyResult<Method> {
    Method::ALL.into_iter().find(|known| known.name() == method).ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        value_error(format!("`method` must be one of {}, but is {method}", names.join(", ")))
    })
}

fn parse_multi_class(multi_class: &str) -> PyResult<MultiClass> {
    MultiClass::ALL.into_iter().find(|known| known.name() == multi_class).ok_or_else(|| {
        let names = MultiClass::ALL.map(MultiClass::name).join(", ");
        value_error(format!("`multi_class` must be one of {names}, but is {multi_class}"))
    })
}

/// Settings of a classifier: a tuple in Python.
#[derive(FromPyObject)]
pub struct Settings(
    /// Method.
    PyBackedStr,
    /// L2 regularization strength.
    f64,
    /// Number of neighbours.
    usize,
    /// Treatment of several classes.
    PyBackedStr,
    /// Number of random restarts.
    usize,
);

impl Settings {
    fn config(&self) -> PyResult<ClassifierConfig> {
        Ok(ClassifierConfig {
            method: parse_method(&self.0)?,
            regularization: self.1,
            neighbors: self.2,
            multi_class: parse_multi_class(&self.3)?,
            restarts: self.4,
            ..Default::default()
        })
    }
}

/// Mean and standard deviation of a score over all folds.
type MeanDeviation = (f64, f64);

/// Precision@1, micro F1 and macro F1, precision@3 and @5 of multi-label data, and the number of folds that did not
/// converge.
type ValidationScores =
    (MeanDeviation, MeanDeviation, MeanDeviation, Option<MeanDeviation>, Option<MeanDeviation>, usize);

/// Cross-validated scores of a classifier.
#[pyfunction]
pub fn cross_validate(
    py: Python<'_>,
    x: PyReadonlyArray2<'_, f64>,
    labels: &Labels,
    settings: Settings,
    folds: usize,
    runs: usize,
    seed: u64,
) -> PyResult<ValidationScores> {
    let points = to_points(&x)?;
    check_node_count("labels", labels.inner.node_count(), points.len())?;
    let config = settings.config()?;
    let validation = CrossValidation { folds, runs, seed };
    let labels = Arc::clone(&labels.inner);
    let found = run_detached(py, move || classify::cross_validate(&points, &labels, &config, &validation))?;
    let Validation { precision_at_1, precision_at_3, precision_at_5, micro_f1, macro_f1, .. } = found;
    let pair = |summary: Summary| (summary.mean, summary.deviation);
    let further = (precision_at_3.map(pair), precision_at_5.map(pair));
    Ok((pair(precision_at_1), pair(micro_f1), pair(macro_f1), further.0, further.1, found.unconverged))
}

/// Rows of each fold of one cross-validation run.
#[pyfunction]
pub fn folds<'py>(
    py: Python<'py>,
    labels: &Labels,
    count: usize,
    seed: u64,
    run: u64,
) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
    if count < 2 {
        return Err(value_error(format!("`folds` must be at least 2, but is {count}")));
    }
    let labels = Arc::clone(&labels.inner);
    let folds = run_detached(py, move || Ok(split(&labels, count, seed, run)))?;
    Ok(folds.into_iter().map(|fold| array1(py, fold)).collect())
}
