//! Clusters of points: K-means, Gaussian mixtures, and points drawn from them.

use hycome::classify::{Classifier, Gaussians, Method, Model};
use hycome::generate::sample_mixture;
use hycome::geometry::Geometry;
use hycome::mixture::{Fit, GaussianMixture, KMeans, KMeansConfig, MixtureConfig};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{points, rows, table, vector};
use crate::error::exception;
use crate::run::{mixture as of_arrays, mixture_parts};
use crate::work::detached;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type Table<'py> = PyReadonlyArray2<'py, f64>;

/// Means, assignment, inertia, iterations, whether it converged.
type Means<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>, f64, usize, bool);

/// K-means of points of the ball.
#[pyfunction]
pub fn kmeans<'py>(
    py: Python<'py>,
    x: Table<'py>,
    communities: usize,
    max_iterations: usize,
    restarts: usize,
    seed: u64,
) -> PyResult<Means<'py>> {
    let points = points(&x)?;
    let config = KMeansConfig { max_iterations, restarts };
    let found = detached(py, move || hycome::mixture::kmeans(&points, communities, &config, seed))?;
    let KMeans { means, assignment, inertia, iterations, converged } = found;
    Ok((rows(py, means)?, vector(py, assignment), inertia, iterations, converged))
}

/// Weights, means, scales, iterations, whether it converged, mean log-likelihood.
type Fitted = (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>, usize, bool, f64);

/// A Gaussian mixture fitted to points of the ball.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the settings of a fit, given by name")]
pub fn fit_mixture(
    py: Python<'_>,
    x: Table<'_>,
    communities: usize,
    max_iterations: usize,
    tolerance: f64,
    restarts: usize,
    scale_floor: f64,
    scale_shrinkage: f64,
    seed: u64,
) -> PyResult<Fitted> {
    let points = points(&x)?;
    let config =
        MixtureConfig { communities, max_iterations, tolerance, restarts, scale_floor, scale_shrinkage };
    let found = detached(py, move || hycome::mixture::fit(&points, &config, seed))?;
    let Fit { mixture, iterations, converged, log_likelihood } = found;
    let (weights, means, scales) = mixture_parts(py, mixture)?;
    Ok((weights, means, scales, iterations, converged, log_likelihood))
}

/// The probability of each component for each point.
#[pyfunction]
pub fn responsibilities<'py>(
    py: Python<'py>,
    x: Table<'py>,
    weights: Numbers<'py>,
    means: Table<'py>,
    scales: Numbers<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (points, mixture) = (points(&x)?, of_arrays(&weights, &means, &scales)?);
    let found = detached(py, move || mixture.responsibilities(&points))?;
    table(py, found.components(), found.into_vec())
}

/// The logarithm of each component's weighted density at each point.
#[pyfunction]
pub fn log_densities<'py>(
    py: Python<'py>,
    x: Table<'py>,
    weights: Numbers<'py>,
    means: Table<'py>,
    scales: Numbers<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (points, mixture) = (points(&x)?, of_arrays(&weights, &means, &scales)?);
    let components = mixture.len();
    let classes = (0..components).map(|k| k.to_string()).collect();
    let model = Model::Gaussians(Gaussians::new(mixture.into()).map_err(exception)?);
    let dim = points.dim();
    let found = detached(py, move || {
        let geometry = Geometry::Poincare;
        let classifier = Classifier {
            method: Method::Gaussian,
            geometry,
            classes,
            dim,
            single_label: true,
            model,
            run: None,
        };
        let scores = classifier.scores(&points)?;
        Ok((0..scores.len()).flat_map(|i| scores.row(i)).copied().collect())
    })?;
    table(py, components, found)
}

/// Points, and the component of each.
type Drawn<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>);

/// Points drawn from a mixture.
#[pyfunction]
pub fn sample<'py>(
    py: Python<'py>,
    weights: Numbers<'py>,
    means: Table<'py>,
    scales: Numbers<'py>,
    count: usize,
    seed: u64,
) -> PyResult<Drawn<'py>> {
    let mixture: GaussianMixture = of_arrays(&weights, &means, &scales)?;
    let (points, components) = detached(py, move || sample_mixture(&mixture, count, seed))?;
    Ok((rows(py, points)?, vector(py, components)))
}
