//! Training, and the files that runs are kept in.
//!
//! A run crosses the border in parts: arrays, and settings and reports as JSON. Its arrays then belong to Python, and come back
//! as copies when a file or a picture is made of them.

use std::path::PathBuf;

use hycome::Trainer;
use hycome::io::{checkpoint_file, run_file};
use hycome::mixture::GaussianMixture;
use hycome::train::memory::{Size, expect_within};
use hycome::train::{Timings, TrainOutcome, Trained as Finished};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{numbers, points, rows, vector};
use crate::checkpoint::Kept;
use crate::error::refuse;
use crate::graph::{Graph, Names};
use crate::settings::train_config;
use crate::work::{detached, scoped, watched};

/// The parts of a run.
#[pyclass(frozen, get_all, module = "hycome._hycome")]
pub struct Run {
    nodes: Py<PyArray2<f64>>,
    contexts: Py<PyArray2<f64>>,
    weights: Py<PyArray1<f64>>,
    means: Py<PyArray2<f64>>,
    scales: Py<PyArray1<f64>>,
    names: Py<Names>,
    config: String,
    history: String,
    restarts: String,
    /// Warnings about the training; empty for runs from Python.
    warnings: Vec<String>,
}

impl Run {
    fn of(py: Python<'_>, run: hycome::Run) -> PyResult<Self> {
        let warnings = run.warnings().iter().map(ToString::to_string).collect();
        let hycome::Run { nodes, contexts, mixture, names, config, history, restarts } = run;
        let hycome::mixture::Mixture::Hyperbolic(mixture) = mixture else {
            let geometry = config.geometry.name();
            return Err(refuse(format!(
                "expected a run of the Poincaré ball, found one of the geometry {geometry}"
            )));
        };
        let (weights, means, scales) = mixture_parts(py, mixture)?;
        Ok(Self {
            nodes: rows(py, nodes)?.unbind(),
            contexts: rows(py, contexts)?.unbind(),
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

    /// The run that these parts are of.
    pub fn whole(&self, py: Python<'_>) -> PyResult<hycome::Run> {
        let of_json = |error: serde_json::Error| refuse(error.to_string());
        Ok(hycome::Run {
            nodes: points(&self.nodes.bind(py).try_readonly()?)?,
            contexts: points(&self.contexts.bind(py).try_readonly()?)?,
            mixture: mixture(
                &self.weights.bind(py).try_readonly()?,
                &self.means.bind(py).try_readonly()?,
                &self.scales.bind(py).try_readonly()?,
            )?
            .into(),
            names: self.names.get().inner.clone(),
            config: serde_json::from_str(&self.config).map_err(of_json)?,
            history: serde_json::from_str(&self.history).map_err(of_json)?,
            restarts: serde_json::from_str(&self.restarts).map_err(of_json)?,
        })
    }
}

#[pymethods]
impl Run {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the parts of a run, given once by name")]
    fn new(
        nodes: Py<PyArray2<f64>>,
        contexts: Py<PyArray2<f64>>,
        weights: Py<PyArray1<f64>>,
        means: Py<PyArray2<f64>>,
        scales: Py<PyArray1<f64>>,
        names: Py<Names>,
        config: String,
        history: String,
        restarts: String,
    ) -> Self {
        let warnings = Vec::new();
        Self { nodes, contexts, weights, means, scales, names, config, history, restarts, warnings }
    }

    /// Writes the run's file, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let run = self.whole(py)?;
        scoped(py, || run_file::save(&run, &path))
    }

    /// Reads a run from its file, or from the folder that holds it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let run = detached(py, move || run_file::load(&path))?;
        Self::of(py, run)
    }
}

/// What a training gives: the run if it finished, seconds of its moves, its state if it was stopped, whether Ctrl-C was pressed, and what
/// went wrong with the checkpoint file.
type Trained<'py> = (Option<Run>, [f64; 4], Option<Bound<'py, PyBytes>>, bool, Option<String>);

/// The run of a training that was stopped, from the bytes of its checkpoint; its mixture is fitted here.
#[pyfunction]
pub fn unfinished(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Run> {
    let checkpoint = checkpoint.to_vec();
    let run = detached(py, move || {
        checkpoint_file::from_bytes(&checkpoint, "the checkpoint".as_ref())?.0.into_run()
    })?;
    Run::of(py, run)
}

/// Trains a graph with the settings that JSON gives; a training that was left in the file goes on.
#[pyfunction]
#[pyo3(signature = (graph, names, settings, threads=None, listener=None, file=None, minutes=10.0, max_memory=None))]
#[expect(clippy::too_many_arguments, reason = "they are what Python's `embed` was given")]
pub fn train<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    settings: &str,
    threads: Option<usize>,
    listener: Option<Py<PyAny>>,
    file: Option<PathBuf>,
    minutes: f64,
    max_memory: Option<u64>,
) -> PyResult<Trained<'py>> {
    let config = train_config(settings)?;
    if !(0.0..=1e6).contains(&minutes) {
        return Err(refuse(format!(
            "expected from 0 to 1000000 minutes between checkpoints, found {minutes}"
        )));
    }
    let kept = Kept::new(file, minutes);
    let trainer = || {
        if config.communities.is_some() {
            let size = Size::of(&graph.inner, rayon::current_num_threads());
            expect_within(max_memory, &config, &size)?;
        }
        let trainer = Trainer::new(&graph.inner, config)?;
        kept.taken_up(&graph.inner, trainer)
    };
    trained(py, graph, names, threads, listener.as_ref(), &kept, trainer)
}

/// Goes on with a training that was interrupted, from the bytes of its checkpoint.
#[pyfunction]
#[pyo3(signature = (graph, names, checkpoint, threads=None, listener=None))]
pub fn resume<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    checkpoint: &[u8],
    threads: Option<usize>,
    listener: Option<Py<PyAny>>,
) -> PyResult<Trained<'py>> {
    let kept = Kept::new(None, 0.0);
    let trainer = || {
        let (checkpoint, _) = checkpoint_file::from_bytes(checkpoint, "the checkpoint".as_ref())?;
        Trainer::resume(&graph.inner, checkpoint)
    };
    trained(py, graph, names, threads, listener.as_ref(), &kept, trainer)
}

fn trained<'py>(
    py: Python<'py>,
    graph: &Graph,
    names: &Names,
    threads: Option<usize>,
    listener: Option<&Py<PyAny>>,
    kept: &Kept,
    trainer: impl FnOnce() -> hycome::Result<Trainer> + Send,
) -> PyResult<Trained<'py>> {
    crate::graph::check_nodes("names", names.inner.len(), graph.inner.node_count())?;
    let names = names.inner.clone();
    let ((run, seconds, stopped), is_interrupted) = watched(py, threads, listener, |watch| {
        let trainer = trainer()?.with_checkpoints(kept.checkpoints()).with_names(names);
        Ok(match trainer.train(watch)? {
            TrainOutcome::Finished(trained) => {
                let Finished { run, timings, .. } = *trained;
                (Some(run), timings, None)
            }
            TrainOutcome::Stopped(checkpoint) => {
                (None, checkpoint.timings(), Some(checkpoint_file::to_bytes(&checkpoint, "")))
            }
        })
    })?;
    let fault = kept.end(run.is_some());
    let Timings { first_order, second_order, community, em } = seconds;
    let run = run.map(|run| Run::of(py, run)).transpose()?;
    let stopped = stopped.map(|bytes| PyBytes::new(py, &bytes));
    Ok((run, [first_order, second_order, community, em], stopped, is_interrupted, fault))
}

/// A mixture of the library from its arrays.
pub fn mixture(
    weights: &PyReadonlyArray1<'_, f64>,
    means: &PyReadonlyArray2<'_, f64>,
    scales: &PyReadonlyArray1<'_, f64>,
) -> PyResult<GaussianMixture> {
    let (weights, scales, means) = (numbers(weights)?.to_vec(), numbers(scales)?.to_vec(), points(means)?);
    if weights.is_empty() || weights.len() != scales.len() || weights.len() != means.len() {
        return Err(refuse("a mixture needs a weight, a mean and a scale for each of its components"));
    }
    if !scales.iter().all(|&scale| scale > 0.0 && scale.is_finite()) {
        return Err(refuse("the scales of a mixture must be above zero"));
    }
    Ok(GaussianMixture { weights, means, scales })
}

type MixtureParts = (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>);

/// The arrays of a mixture: weights, means, scales.
pub fn mixture_parts(py: Python<'_>, mixture: GaussianMixture) -> PyResult<MixtureParts> {
    let GaussianMixture { weights, means, scales } = mixture;
    Ok((vector(py, weights).unbind(), rows(py, means)?.unbind(), vector(py, scales).unbind()))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("settings and reports have no keys that are not text")
}
