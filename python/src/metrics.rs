//! Scores of communities.

use std::sync::Arc;

use hycome::metrics::{self, GroundTruth, Scores};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{numbers, vector};
use crate::error::refuse;
use crate::graph::{Graph, Labels, check_nodes};
use crate::work::detached;

type Ids<'py> = PyReadonlyArray1<'py, u32>;

/// Conductance, modularity, NMI, ARI, accuracy by the best matching and by size, and whether weights were used.
type AllScores = (f64, f64, Option<f64>, Option<f64>, Option<f64>, Option<f64>, bool);

fn truth(labels: &Labels) -> GroundTruth {
    let nodes = labels.inner.node_count() as hycome::NodeId;
    GroundTruth::from_lists((0..nodes).map(|node| labels.inner.of(node)))
}

/// A copy of the communities; fails unless each of the nodes has one below `count`.
fn checked(communities: &Ids<'_>, count: usize, nodes: usize) -> PyResult<Vec<u32>> {
    let communities = numbers(communities)?;
    check_nodes("communities", communities.len(), nodes)?;
    match communities.iter().find(|&&community| community as usize >= count) {
        Some(community) => Err(refuse(format!("community {community} is not below their number, {count}"))),
        None => Ok(communities.to_vec()),
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
    let nodes = graph.inner.node_count();
    let communities = checked(&communities, count, nodes)?;
    if let Some(labels) = labels {
        check_nodes("labels", labels.inner.node_count(), nodes)?;
    }
    let (graph, truth) = (Arc::clone(&graph.inner), labels.map(truth));
    let found = detached(py, move || {
        Ok(metrics::score(&graph, &communities, count, truth.as_ref().map(GroundTruth::view)))
    })?;
    let Scores { conductance, modularity, nmi, ari, accuracy, precision_at_1_by_size, weighted, .. } = found;
    Ok((conductance, modularity, nmi, ari, accuracy, precision_at_1_by_size, weighted))
}

/// The conductance of each community.
#[pyfunction]
pub fn conductance<'py>(
    py: Python<'py>,
    graph: &Graph,
    communities: Ids<'py>,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let communities = checked(&communities, count, graph.inner.node_count())?;
    let graph = Arc::clone(&graph.inner);
    Ok(vector(py, detached(py, move || Ok(metrics::conductance(&graph, &communities, count)))?))
}

/// Normalised mutual information and adjusted Rand index of two partitions.
#[pyfunction]
pub fn agreement(py: Python<'_>, a: Ids<'_>, b: Ids<'_>) -> PyResult<(f64, f64)> {
    let (a, b) = (numbers(&a)?.to_vec(), numbers(&b)?.to_vec());
    if a.len() != b.len() {
        return Err(refuse(format!(
            "two partitions must have the same nodes, but have {} and {}",
            a.len(),
            b.len()
        )));
    }
    detached(py, move || {
        Ok((metrics::normalized_mutual_information(&a, &b), metrics::adjusted_rand_index(&a, &b)))
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
    let communities = checked(&communities, count, labels.inner.node_count())?;
    let truth = truth(labels);
    detached(py, move || {
        let truth = truth.view();
        Ok((
            metrics::nmi_multi_label(&communities, truth),
            metrics::precision_at_1(&communities, truth, count),
            metrics::precision_at_1_by_size(&communities, truth, count),
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
    let communities = checked(&communities, count, graph.inner.node_count())?;
    let graph = Arc::clone(&graph.inner);
    detached(py, move || Ok(metrics::graph_warnings(&graph, &communities, count)))
}

/// What sizes of communities say against their scores.
#[pyfunction]
#[pyo3(signature = (sizes, labels=None))]
pub fn size_warnings(sizes: Vec<usize>, labels: Option<&Labels>) -> Vec<String> {
    let truth = labels.map(truth);
    metrics::warnings(&sizes, truth.as_ref().map(GroundTruth::view))
}
