//! Training, and saving and loading of runs.
//!
//! A run is passed to Python as arrays, plus hyperparameters and reports as JSON. Python then owns the arrays; saving
//! or plotting copies them back.

use std::path::PathBuf;

use hycome::Trainer;
use hycome::io::{checkpoint_file, run_file};
use hycome::mixture::GaussianMixture;
use hycome::train::memory::{Size, expect_within};
use hycome::train::{Timings, TrainOutcome, Trained};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{array1, as_slice, points_array, to_points};
use crate::checkpoint::CheckpointSink;
use crate::error::value_error;
use crate::graph::{Graph, Names};
use crate::settings::train_config;
use crate::work::{run_detached, run_interruptible, run_scoped};

/// Components of a run, owned by Python.
#[pyclass(frozen, get_all, module = "hycome._hycome")]
pub struct Run {
    nodes: Py<PyArray2<f64>>,
    contexts: Py<PyArray2<f64>>,
    /// Two-dimensional layout, if the embedding has more dimensions.
    layout: Option<Py<PyArray2<f64>>>,
    weights: Py<PyArray1<f64>>,
    means: Py<PyArray2<f64>>,
    scales: Py<PyArray1<f64>>,
    names: Py<Names>,
    config: String,
    history: String,
    restarts: String,
    /// Training warnings; empty for runs constructed from Python.
    warnings: Vec<String>,
}

impl Run {
    fn from_rust(py: Python<'_>, run: hycome::Run) -> PyResult<Self> {
        let warnings = run.warnings().iter().map(ToString::to_string).collect();
        let hycome::Run { nodes, contexts, layout, mixture, names, config, history, restarts } = run;
        let hycome::mixture::Mixture::Hyperbolic(mixture) = mixture else {
            let geometry = config.geometry.name();
            return Err(value_error(format!(
                "expected a run in the Poincaré ball, found one in the geometry {geometry}"
            )));
        };
        let (weights, means, scales) = mixture_arrays(py, mixture)?;
        Ok(Self {
            nodes: points_array(py, nodes)?.unbind(),
            contexts: points_array(py, contexts)?.unbind(),
            layout: layout.map(|layout| Ok::<_, PyErr>(points_array(py, layout)?.unbind())).transpose()?,
            weights,
            means,
            scales,
            names: Py::new(py, Names { inner: names })?,
            config: json(&config),
            history: json(&history),
            restarts: json(&restarts),
            warnings,
        })
    }

    /// Copies the components into a run of the library.
    pub fn to_rust(&self, py: Python<'_>) -> PyResult<hycome::Run> {
        let json_error = |error: serde_json::Error| value_error(error.to_string());
        Ok(hycome::Run {
            nodes: to_points(&self.nodes.bind(py).try_readonly()?)?,
            contexts: to_points(&self.contexts.bind(py).try_readonly()?)?,
            layout: match &self.layout {
                Some(layout) => Some(to_points(&layout.bind(py).try_readonly()?)?),
                None => None,
            },
            mixture: mixture(
                &self.weights.bind(py).try_readonly()?,
                &self.means.bind(py).try_readonly()?,
                &self.scales.bind(py).try_readonly()?,
            )?
            .into(),
            names: self.names.get().inner.clone(),
            config: serde_json::from_str(&self.config).map_err(json_error)?,
            history: serde_json::from_str(&self.history).map_err(json_error)?,
            restarts: serde_json::from_str(&self.restarts).map_err(json_error)?,
        })
    }
}

#[pymethods]
impl Run {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the fields of a run, passed once from Python")]
    fn new(
        nodes: Py<PyArray2<f64>>,
        contexts: Py<PyArray2<f64>>,
        layout: Option<Py<PyArray2<f64>>>,
        weights: Py<PyArray1<f64>>,
        means: Py<PyArray2<f64>>,
        scales: Py<PyArray1<f64>>,
        names: Py<Names>,
        config: String,
        history: String,
        restarts: String,
    ) -> Self {
        let warnings = Vec::new();
        Self { nodes, contexts, layout, weights, means, scales, names, config, history, restarts, warnings }
    }

    /// Writes the run file atomically.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let run = self.to_rust(py)?;
        run_scoped(py, || run_file::save(&run, &path))
    }

    /// Reads a run from its file, or from the folder that contains it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let run = run_detached(py, move || run_file::load(&path))?;
        Self::from_rust(py, run)
    }
}

/// Run if finished, seconds of each training step, checkpoint if stopped, whether Ctrl-C was pressed, and error of the
/// checkpoint file.
type Outcome<'py> = (Option<Run>, [f64; 4], Option<Bound<'py, PyBytes>>, bool, Option<String>);

/// Builds a run from the checkpoint of an unfinished run. Fits the mixture.
#[pyfunction]
pub fn unfinished(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Run> {
    let checkpoint = checkpoint.to_vec();
    let run = run_detached(py, move || {
        checkpoint_file::from_bytes(&checkpoint, "the checkpoint".as_ref())?.0.into_run()
    })?;
    Run::from_rust(py, run)
}

/// Trains an embedding with hyperparameters given as JSON; resumes the unfinished run in `file` if it exists.
#[pyfunction]
#[pyo3(signature = (graph, names, settings, threads=None, callback=None, file=None, minutes=10.0, max_memory=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of Python's `embed`")]
pub fn train<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    settings: &str,
    threads: Option<usize>,
    callback: Option<Py<PyAny>>,
    file: Option<PathBuf>,
    minutes: f64,
    max_memory: Option<u64>,
) -> PyResult<Outcome<'py>> {
    let config = train_config(settings)?;
    if !(0.0..=1e6).contains(&minutes) {
        return Err(value_error(format!("`checkpoint_minutes` must be from 0 to 1000000, but is {minutes}")));
    }
    let sink = CheckpointSink::new(file, minutes);
    let trainer = || {
        if config.communities.is_some() {
            let size = Size::of(&graph.inner, rayon::current_num_threads());
            expect_within(max_memory, &config, &size)?;
        }
        let trainer = Trainer::new(&graph.inner, config)?;
        sink.resume_if_present(&graph.inner, trainer)
    };
    run_training(py, graph, names, threads, callback.as_ref(), &sink, trainer)
}

/// Resumes an unfinished run from the bytes of its checkpoint.
#[pyfunction]
#[pyo3(signature = (graph, names, checkpoint, threads=None, callback=None))]
pub fn resume<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    checkpoint: &[u8],
    threads: Option<usize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Outcome<'py>> {
    let sink = CheckpointSink::new(None, 0.0);
    let trainer = || {
        let (checkpoint, _) = checkpoint_file::from_bytes(checkpoint, "the checkpoint".as_ref())?;
        Trainer::resume(&graph.inner, checkpoint)
    };
    run_training(py, graph, names, threads, callback.as_ref(), &sink, trainer)
}

fn run_training<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    threads: Option<usize>,
    callback: Option<&Py<PyAny>>,
    sink: &CheckpointSink,
    trainer: impl FnOnce() -> hycome::Result<Trainer> + Send,
) -> PyResult<Outcome<'py>> {
    crate::graph::check_node_count("names", names.inner.len(), graph.inner.node_count())?;
    let names = names.inner.clone();
    let ((run, timings, stopped), is_interrupted) = run_interruptible(py, threads, callback, |notify| {
        let trainer = trainer()?.with_layout().with_checkpoints(sink.policy()).with_names(names);
        Ok(match trainer.train(notify)? {
            TrainOutcome::Finished(trained) => {
                let Trained { run, timings, .. } = *trained;
                (Some(run), timings, None)
            }
            TrainOutcome::Stopped(checkpoint) => {
                (None, checkpoint.timings(), Some(checkpoint_file::to_bytes(&checkpoint, "")))
            }
        })
    })?;
    let checkpoint_error = sink.close(run.is_some());
    let Timings { first_order, second_order, community, em } = timings;
    let run = run.map(|run| Run::from_rust(py, run)).transpose()?;
    let stopped = stopped.map(|bytes| PyBytes::new(py, &bytes));
    Ok((run, [first_order, second_order, community, em], stopped, is_interrupted, checkpoint_error))
}

/// Builds a mixture from its arrays.
pub fn mixture(
    weights: &PyReadonlyArray1<'_, f64>,
    means: &PyReadonlyArray2<'_, f64>,
    scales: &PyReadonlyArray1<'_, f64>,
) -> PyResult<GaussianMixture> {
    let (weights, scales, means) =
        (as_slice(weights)?.to_vec(), as_slice(scales)?.to_vec(), to_points(means)?);
    if weights.is_empty() || weights.len() != scales.len() || weights.len() != means.len() {
        return Err(value_error("a mixture needs a weight, a mean and a scale for each component"));
    }
    if !scales.iter().all(|&scale| scale > 0.0 && scale.is_finite()) {
        return Err(value_error("the scales of a mixture must be above zero"));
    }
    Ok(GaussianMixture { weights, means, scales })
}

type MixtureArrays = (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>);

/// Weights, means and scales of a mixture.
pub fn mixture_arrays(py: Python<'_>, mixture: GaussianMixture) -> PyResult<MixtureArrays> {
    let GaussianMixture { weights, means, scales } = mixture;
    Ok((array1(py, weights).unbind(), points_array(py, means)?.unbind(), array1(py, scales).unbind()))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("settings and reports have string keys only")
}
