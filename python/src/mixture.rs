//! Clustering of points: K-means and Gaussian mixtures.

use hycome::classify::Classifier;
use hycome::generate::sample_mixture;
use hycome::mixture::{Fit, GaussianMixture, KMeans, KMeansConfig, MixtureConfig};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{array1, array2, points_array, to_points};
use crate::run::{mixture as mixture_from_arrays, mixture_arrays};
use crate::work::run_detached;

type Vector<'py> = PyReadonlyArray1<'py, f64>;
type Matrix<'py> = PyReadonlyArray2<'py, f64>;

/// Means, assignment, inertia, iterations, whether it converged.
type KMeansParts<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>, f64, usize, bool);

/// Hyperbolic K-means.
#[pyfunction]
pub fn kmeans<'py>(
    py: Python<'py>,
    x: Matrix<'py>,
    communities: usize,
    max_iterations: usize,
    restarts: usize,
    seed: u64,
) -> PyResult<KMeansParts<'py>> {
    let points = to_points(&x)?;
    let config = KMeansConfig { max_iterations, restarts };
    let found = run_detached(py, move || hycome::mixture::kmeans(&points, communities, &config, seed))?;
    let KMeans { means, assignment, inertia, iterations, converged } = found;
    Ok((points_array(py, means)?, array1(py, assignment), inertia, iterations, converged))
}

/// Weights, means, scales, iterations, whether it converged, mean log-likelihood.
type FitParts = (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>, usize, bool, f64);

/// Fits a Gaussian mixture to points of the ball.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the settings of a fit")]
pub fn fit_mixture(
    py: Python<'_>,
    x: Matrix<'_>,
    communities: usize,
    max_iterations: usize,
    tolerance: f64,
    restarts: usize,
    scale_floor: f64,
    scale_shrinkage: f64,
    seed: u64,
) -> PyResult<FitParts> {
    let points = to_points(&x)?;
    let config =
        MixtureConfig { communities, max_iterations, tolerance, restarts, scale_floor, scale_shrinkage };
    let found = run_detached(py, move || hycome::mixture::fit(&points, &config, seed))?;
    let Fit { mixture, iterations, converged, log_likelihood } = found;
    let (weights, means, scales) = mixture_arrays(py, mixture)?;
    Ok((weights, means, scales, iterations, converged, log_likelihood))
}

/// Posterior probability of each component for each point.
#[pyfunction]
pub fn responsibilities<'py>(
    py: Python<'py>,
    x: Matrix<'py>,
    weights: Vector<'py>,
    means: Matrix<'py>,
    scales: Vector<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (points, mixture) = (to_points(&x)?, mixture_from_arrays(&weights, &means, &scales)?);
    let found = run_detached(py, move || mixture.responsibilities(&points))?;
    array2(py, found.components(), found.into_vec())
}

/// Weighted log-density of each component at each point.
#[pyfunction]
pub fn log_densities<'py>(
    py: Python<'py>,
    x: Matrix<'py>,
    weights: Vector<'py>,
    means: Matrix<'py>,
    scales: Vector<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (points, mixture) = (to_points(&x)?, mixture_from_arrays(&weights, &means, &scales)?);
    let components = mixture.len();
    let found = run_detached(py, move || {
        let scores = Classifier::from_mixture(mixture)?.scores(&points)?;
        Ok((0..scores.len()).flat_map(|i| scores.row(i)).copied().collect())
    })?;
    array2(py, components, found)
}

/// Points, and the component of each.
type Drawn<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<u32>>);

/// Draws points from a mixture.
#[pyfunction]
pub fn sample<'py>(
    py: Python<'py>,
    weights: Vector<'py>,
    means: Matrix<'py>,
    scales: Vector<'py>,
    count: usize,
    seed: u64,
) -> PyResult<Drawn<'py>> {
    let mixture: GaussianMixture = mixture_from_arrays(&weights, &means, &scales)?;
    let (points, components) = run_detached(py, move || sample_mixture(&mixture, count, seed))?;
    Ok((points_array(py, points)?, array1(py, components)))
}
