//! Clustering metrics.

use std::sync::Arc;

use hycome::metrics::{self, GroundTruth, Scores};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arrays::{array1, as_slice};
use crate::error::value_error;
use crate::graph::{Graph, Labels, check_node_count};
use crate::work::run_detached;

type Ids<'py> = PyReadonlyArray1<'py, u32>;

/// Conductance, modularity, whether weights were used, and the scores against ground truth: NMI, NMI as in the paper,
/// AMI, ARI, clustering accuracy with optimal and with by-size matching.
type AllScores = (f64, f64, bool, [Option<f64>; 6]);

fn ground_truth(labels: &Labels) -> GroundTruth {
    let nodes = labels.inner.node_count() as hycome::NodeId;
    GroundTruth::from_lists((0..nodes).map(|node| labels.inner.of(node)))
}

/// Copies the communities; fails unless there is one below `count` for each node.
fn check_communities(communities: &Ids<'_>, count: usize, nodes: usize) -> PyResult<Vec<u32>> {
    let communities = as_slice(communities)?;
    check_node_count("communities", communities.len(), nodes)?;
    match communities.iter().find(|&&community| community as usize >= count) {
        Some(community) => Err(value_error(format!(
            "community ids must be below the number of communities, {count}, but one is {community}"
        ))),
        None => Ok(communities.to_vec()),
    }
}

/// All scores of a partition of a graph.
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
    let communities = check_communities(&communities, count, nodes)?;
    if let Some(labels) = labels {
        check_node_count("labels", labels.inner.node_count(), nodes)?;
    }
    let (graph, truth) = (Arc::clone(&graph.inner), labels.map(ground_truth));
    let found = run_detached(py, move || {
        Ok(metrics::score(&graph, &communities, count, truth.as_ref().map(GroundTruth::view)))
    })?;
    let Scores { conductance, modularity, nmi, nmi_paper, ami, ari, accuracy, weighted, .. } = found;
    let against_truth = [nmi, nmi_paper, ami, ari, accuracy, found.precision_at_1_by_size];
    Ok((conductance, modularity, weighted, against_truth))
}

/// Conductance of each community.
#[pyfunction]
pub fn conductance<'py>(
    py: Python<'py>,
    graph: &Graph,
    communities: Ids<'py>,
    count: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let communities = check_communities(&communities, count, graph.inner.node_count())?;
    let graph = Arc::clone(&graph.inner);
    Ok(array1(py, run_detached(py, move || Ok(metrics::conductance(&graph, &communities, count)))?))
}

/// Normalized and adjusted mutual information and adjusted Rand index of two partitions.
#[pyfunction]
pub fn agreement(py: Python<'_>, a: Ids<'_>, b: Ids<'_>) -> PyResult<(f64, f64, f64)> {
    let (a, b) = (as_slice(&a)?.to_vec(), as_slice(&b)?.to_vec());
    if a.len() != b.len() {
        return Err(value_error(format!(
            "two partitions must have the same nodes, but have {} and {}",
            a.len(),
            b.len()
        )));
    }
    run_detached(py, move || {
        Ok((
            metrics::normalized_mutual_information(&a, &b),
            metrics::adjusted_mutual_information(&a, &b),
            metrics::adjusted_rand_index(&a, &b),
        ))
    })
}

/// NMI, and precision@1 with optimal and with by-size matching, against multi-label ground truth.
#[pyfunction]
pub fn against_labels(
    py: Python<'_>,
    communities: Ids<'_>,
    count: usize,
    labels: &Labels,
) -> PyResult<(f64, f64, f64)> {
    let communities = check_communities(&communities, count, labels.inner.node_count())?;
    let truth = ground_truth(labels);
    run_detached(py, move || {
        let truth = truth.view();
        Ok((
            metrics::nmi_multi_label(&communities, truth),
            metrics::precision_at_1(&communities, truth, count),
            metrics::precision_at_1_by_size(&communities, truth, count),
        ))
    })
}

/// Warnings about a partition of a graph, for example that it may be due to chance.
#[pyfunction]
pub fn graph_warnings(
    py: Python<'_>,
    graph: &Graph,
    communities: Ids<'_>,
    count: usize,
) -> PyResult<Vec<String>> {
    let communities = check_communities(&communities, count, graph.inner.node_count())?;
    let graph = Arc::clone(&graph.inner);
    run_detached(py, move || Ok(metrics::graph_warnings(&graph, &communities, count)))
}

/// Warnings about community sizes that make scores misleading.
#[pyfunction]
#[pyo3(signature = (sizes, labels=None))]
pub fn size_warnings(sizes: Vec<usize>, labels: Option<&Labels>) -> Vec<String> {
    let truth = labels.map(ground_truth);
    metrics::warnings(&sizes, truth.as_ref().map(GroundTruth::view))
}
