//! Random graph generators.

use hycome::generate::{self, Generated, HyperbolicConfig, LfrConfig, PowerLawConfig, SbmConfig};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::{array1, points_array};
use crate::graph::Graph;
use crate::run::mixture_arrays;
use crate::work::run_detached;

/// Graph, community of each node, number of communities, and edge ends dropped because they could not be matched.
type GeneratedParts<'py> = (Graph, Bound<'py, PyArray1<u32>>, usize, usize);

fn to_python(py: Python<'_>, generated: Generated) -> GeneratedParts<'_> {
    let Generated { graph, communities, community_count, dropped_ends, .. } = generated;
    (graph.into(), array1(py, communities), community_count, dropped_ends)
}

/// LFR benchmark graph.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of LfrConfig")]
pub fn lfr(
    py: Python<'_>,
    nodes: usize,
    mixing: f64,
    average_degree: f64,
    max_degree: usize,
    degree_exponent: f64,
    min_community: usize,
    max_community: usize,
    community_exponent: f64,
    seed: u64,
) -> PyResult<GeneratedParts<'_>> {
    let config = LfrConfig {
        nodes,
        mixing,
        average_degree,
        max_degree,
        degree_exponent,
        min_community,
        max_community,
        community_exponent,
        seed,
    };
    Ok(to_python(py, run_detached(py, move || generate::lfr(&config))?))
}

/// Stochastic block model.
#[pyfunction]
pub fn sbm(
    py: Python<'_>,
    sizes: Vec<usize>,
    p_in: f64,
    p_out: f64,
    seed: u64,
) -> PyResult<GeneratedParts<'_>> {
    let config = SbmConfig { sizes, p_in, p_out, seed };
    Ok(to_python(py, run_detached(py, move || generate::sbm(&config))?))
}

/// Random graph with power-law degrees.
#[pyfunction]
pub fn power_law(
    py: Python<'_>,
    nodes: usize,
    average_degree: f64,
    exponent: f64,
    max_degree: Option<usize>,
    seed: u64,
) -> PyResult<GeneratedParts<'_>> {
    let config = PowerLawConfig { nodes, average_degree, exponent, max_degree, seed };
    Ok(to_python(py, run_detached(py, move || generate::power_law(&config))?))
}

/// Graph and communities, points, weights, means and scales of the mixture, and connection radius.
type HyperbolicParts<'py> = (
    GeneratedParts<'py>,
    Bound<'py, PyArray2<f64>>,
    (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>),
    f64,
);

/// Random geometric graph of hyperbolic space.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the fields of HyperbolicConfig")]
pub fn hyperbolic(
    py: Python<'_>,
    nodes: usize,
    communities: usize,
    dim: usize,
    distance: f64,
    scale: f64,
    average_degree: f64,
    temperature: f64,
    seed: u64,
) -> PyResult<HyperbolicParts<'_>> {
    let config =
        HyperbolicConfig { nodes, communities, dim, distance, scale, average_degree, temperature, seed };
    let found = run_detached(py, move || generate::hyperbolic(&config))?;
    let generate::Hyperbolic { generated, points, mixture, radius } = found;
    Ok((to_python(py, generated), points_array(py, points)?, mixture_arrays(py, mixture)?, radius))
}
