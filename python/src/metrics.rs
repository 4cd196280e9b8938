//! Scores of communities.

use hycome::metrics::{self, Scores, TruthBuf};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{numbers, vector};
use crate::error::refuse;
use crate::graph::{Graph, Labels, check_nodes};
use crate::work::detached;

type Ids<'py> = PyReadonlyArray1<'py, u32>;

/// Conductance, modularity, NMI, ARI, precision@1 by the best matching and by size, and whether weights were used.
type AllScores = (f64, f64, Option<f64>, Option<f64>, Option<f64>, Option<f64>, bool);

fn truth(labels: &Labels) -> TruthBuf {
    let nodes = labels.inner.node_count() as hycome::NodeId;
    TruthBuf::from_lists((0..nodes).map(|node| labels.inner.of(node)))
}

fn check(communities: &[u32], count: usize, nodes: usize) -> PyResult<()> {
    check_nodes("communities", communities.len(), nodes)?;
    match communities.iter().find(|&&community| community as usize >= count) {
        Some(community) => Err(refuse(format!("community {community} is not below their number, {count}"))),
        None => Ok(()),
    }
}

/// Every score of communities on a graph.
#[pyfunction]
#[pyo3(signature = (graph, communities, count, labels=None))]
pub fn score(
    py: Python<'_>,
    graph: &Graph,
    communities: Ids<'_>,
    count: usize,
    labels: Option<&Labels>,
) -> PyResult<AllScores> {
    let communities = numbers(&communities)?;
    let nodes = graph.inner.node_count();
    check(communities, count, nodes)?;
    if let Some(labels) = labels {
        check_nodes("labels", labels.inner.node_count(), nodes)?;
    }
    let truth = labels.map(truth);
    let found = detached(py, None, || {
        Ok(metrics::score(&graph.inner, communities, count, truth.as_ref().map(TruthBuf::view)))
    })?;
    let Scores { conductance, modularity, nmi, ari, precision_at_1, precision_at_1_by_size, weighted } =
        found;
    Ok((conductance, modularity, nmi, ari, precision_at_1, precision_at_1_by_size, weighted))
}

/// The conductance of each community.
#[pyfunction]
pub fn conductance<'py>(
    py: Python<'py>,
    graph: &Graph,
    communities: Ids<'py>,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let communities = numbers(&communities)?;
    check(communities, count, graph.inner.node_count())?;
    Ok(vector(py, detached(py, None, || Ok(metrics::conductance(&graph.inner, communities, count)))?))
}

/// Normalised mutual information and adjusted Rand index of two partitions.
#[pyfunction]
pub fn agreement(py: Python<'_>, a: Ids<'_>, b: Ids<'_>) -> PyResult<(f64, f64)> {
    let (a, b) = (numbers(&a)?, numbers(&b)?);
    if a.len() != b.len() {
        return Err(refuse(format!(
            "two partitions must have the same nodes, but have {} and {}",
            a.len(),
            b.len()
        )));
    }
    detached(py, None, || {
        Ok((metrics::normalized_mutual_information(a, b), metrics::adjusted_rand_index(a, b)))
    })
}

/// NMI and precision@1, by the best matching and by size, of communities against one or more classes of each node.
#[pyfunction]
pub fn against_labels(
    py: Python<'_>,
    communities: Ids<'_>,
    count: usize,
    labels: &Labels,
) -> PyResult<(f64, f64, f64)> {
    let communities = numbers(&communities)?;
    check(communities, count, labels.inner.node_count())?;
    let truth = truth(labels);
    detached(py, None, || {
        let truth = truth.view();
        Ok((
            metrics::nmi_multi_label(communities, truth),
            metrics::precision_at_1(communities, truth, count),
            metrics::precision_at_1_by_size(communities, truth, count),
        ))
    })
}

/// What the graph says against its communities: that they may be chance, for one.
#[pyfunction]
pub fn graph_warnings(
    py: Python<'_>,
    graph: &Graph,
    communities: Ids<'_>,
    count: usize,
) -> PyResult<Vec<String>> {
    let communities = numbers(&communities)?;
    check(communities, count, graph.inner.node_count())?;
    detached(py, None, || Ok(metrics::graph_warnings(&graph.inner, communities, count)))
}

/// What sizes of communities say against their scores.
#[pyfunction]
#[pyo3(signature = (sizes, labels=None))]
pub fn size_warnings(sizes: Vec<usize>, labels: Option<&Labels>) -> Vec<String> {
    let truth = labels.map(truth);
    metrics::warnings(&sizes, truth.as_ref().map(TruthBuf::view))
}
