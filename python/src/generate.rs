//! Graphs made to measure.

use hycome::generate::{self, Generated, HyperbolicConfig, LfrConfig, PowerLawConfig, SbmConfig};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::{rows, vector};
use crate::graph::Graph;
use crate::run::mixture_parts;
use crate::work::detached;

/// The graph, the community of each node, their number, and edge ends that found no partner.
type Made<'py> = (Graph, Bound<'py, PyArray1<u32>>, usize, usize);

fn made(py: Python<'_>, generated: Generated) -> Made<'_> {
    let Generated { graph, communities, community_count, dropped_ends, .. } = generated;
    (graph.into(), vector(py, communities), community_count, dropped_ends)
}

/// An LFR graph.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the fields of LfrConfig")]
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
) -> PyResult<Made<'_>> {
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
    Ok(made(py, detached(py, move || generate::lfr(&config))?))
}

/// A graph by a stochastic block model.
#[pyfunction]
pub fn sbm(py: Python<'_>, sizes: Vec<usize>, p_in: f64, p_out: f64, seed: u64) -> PyResult<Made<'_>> {
    let config = SbmConfig { sizes, p_in, p_out, seed };
    Ok(made(py, detached(py, move || generate::sbm(&config))?))
}

/// A graph whose degrees follow a power law.
#[pyfunction]
pub fn power_law(
    py: Python<'_>,
    nodes: usize,
    average_degree: f64,
    exponent: f64,
    max_degree: Option<usize>,
    seed: u64,
) -> PyResult<Made<'_>> {
    let config = PowerLawConfig { nodes, average_degree, exponent, max_degree, seed };
    Ok(made(py, detached(py, move || generate::power_law(&config))?))
}

/// What `hyperbolic` made, its points, and the weights, means and scales of the mixture that they are from.
type MadeOfPoints<'py> =
    (Made<'py>, Bound<'py, PyArray2<f64>>, (Py<PyArray1<f64>>, Py<PyArray2<f64>>, Py<PyArray1<f64>>), f64);

/// A graph of near points of hyperbolic space.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the fields of HyperbolicConfig")]
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
) -> PyResult<MadeOfPoints<'_>> {
    let config =
        HyperbolicConfig { nodes, communities, dim, distance, scale, average_degree, temperature, seed };
    let found = detached(py, move || generate::hyperbolic(&config))?;
    let generate::Hyperbolic { generated, points, mixture, radius } = found;
    Ok((made(py, generated), rows(py, points)?, mixture_parts(py, mixture)?, radius))
}
