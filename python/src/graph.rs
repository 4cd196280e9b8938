//! Graphs, node names and labels.

use std::path::PathBuf;
use std::sync::Arc;

use hycome::graph::{BuildStats, Direction, EdgeList, Merged, RepeatedEdges};
use hycome::io::{LabelOptions, LoadedGraph, ReadNote, ReadOptions, read_graph_with, read_labels_with};
use hycome::{NodeId, NodeNames};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::{array1, array2, as_slice};
use crate::error::{to_pyerr, value_error};
use crate::work::run_detached;

/// An undirected simple graph.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Graph {
    pub inner: Arc<hycome::Graph>,
    stats: BuildStats,
    notes: Vec<ReadNote>,
}

#[pymethods]
impl Graph {
    /// Builds a graph on nodes `0..node_count`; `repeated` and `direction` determine how repeated edges are combined.
    ///
    /// `columns` are the column names of a table of edges, and `names` the integer node names of a table without a
    /// header; both are used to detect columns that hold different kinds of nodes.
    #[staticmethod]
    #[pyo3(signature = (
        node_count, sources, targets, weights=None, repeated=None, direction="unknown", columns=None, names=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "the columns and options of an edge table")]
    fn from_edges(
        py: Python<'_>,
        node_count: usize,
        sources: PyReadonlyArray1<'_, u32>,
        targets: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, f32>>,
        repeated: Option<&str>,
        direction: &str,
        columns: Option<(String, String)>,
        names: Option<&Names>,
    ) -> PyResult<Self> {
        let repeated = parse_repeated(repeated)?.unwrap_or_default();
        let direction = match direction {
            "directed" => Direction::Directed,
            "undirected" => Direction::Undirected,
            _ => Direction::Unknown,
        };
        let (sources, targets) = (as_slice(&sources)?, as_slice(&targets)?);
        let weights = weights.as_ref().map(as_slice).transpose()?;
        if sources.len() != targets.len() || weights.is_some_and(|weights| weights.len() != sources.len()) {
            return Err(value_error(
                "each edge needs a source, a target and, if there are weights, a weight",
            ));
        }
        if let Some(id) = sources.iter().chain(targets).find(|&&id| id as usize >= node_count) {
            return Err(value_error(format!(
                "edges must refer to nodes below {node_count}, but one refers to {id}"
            )));
        }
        if let Some(weight) = weights.and_then(|all| all.iter().find(|&&w| !(w.is_finite() && w >= 0.0))) {
            return Err(value_error(format!("weights must be finite and not negative, but one is {weight}")));
        }
        let pairs = sources.iter().copied().zip(targets.iter().copied()).collect();
        let weights = weights.filter(|all| all.iter().any(|&weight| weight != 1.0)).map(<[f32]>::to_vec);
        let (edges, names) =
            (EdgeList { node_count, pairs, weights }, names.map(|names| names.inner.clone()));
        run_detached(py, move || {
            let timestamps = edges.weights.as_deref().and_then(|weights| ReadNote::of_weights(&[weights]));
            let shared = columns.and_then(|(source, target)| match &names {
                Some(numbers) => ReadNote::of_columns(&[&edges.pairs], numbers, None),
                None => {
                    let no_names = NodeNames::from_numbers(Vec::new());
                    ReadNote::of_columns(&[&edges.pairs], &no_names, Some((&source, &target)))
                }
            });
            let (graph, stats) = edges.build_with(repeated, direction);
            let notes = ReadNote::of_stats(&stats).into_iter().chain(timestamps).chain(shared).collect();
            Ok(Self { inner: Arc::new(graph), stats, notes })
        })
    }

    #[getter]
    fn node_count(&self) -> usize {
        self.inner.node_count()
    }

    #[getter]
    fn edge_count(&self) -> usize {
        self.inner.edge_count()
    }

    #[getter]
    fn is_weighted(&self) -> bool {
        self.inner.is_weighted()
    }

    /// Number of self loops, repeated edges and zero-weight edges removed from the input.
    #[getter]
    fn left_out(&self) -> (usize, usize, usize) {
        (self.stats.self_loops, self.stats.repeats, self.stats.zero_weights)
    }

    /// Notes on how the input was interpreted: a machine-readable code and a message.
    #[getter]
    fn notes(&self) -> Vec<(&'static str, String)> {
        let is_reported = |note: &&ReadNote| {
            // Many formats list each undirected edge once per direction.
            !matches!(note, ReadNote::RepeatedEdges { merged: Merged::BothDirections, .. })
        };
        self.notes.iter().filter(is_reported).map(|note| (note.code(), note.to_string())).collect()
    }

    /// Source and target of each edge; every edge appears once.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let graph = &self.inner;
        let ends = graph.nodes().flat_map(|u| {
            let later = graph.neighbors(u).iter().filter(move |&&v| u < v);
            later.flat_map(move |&v| [u, v])
        });
        array2(py, 2, ends.collect())
    }

    /// Weights in the order of `edges()`; `None` if the graph is unweighted.
    fn weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f32>>> {
        let graph = &self.inner;
        let weights = graph.nodes().flat_map(|u| {
            let beside = graph.weights(u).unwrap_or_default();
            graph.neighbors(u).iter().zip(beside).filter(move |&(&v, _)| u < v).map(|(_, &weight)| weight)
        });
        graph.is_weighted().then(|| array1(py, weights.collect()))
    }

    /// Degree of each node.
    fn degrees<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        array1(py, self.inner.nodes().map(|node| self.inner.degree(node) as u64).collect())
    }

    /// Nodes of the largest connected component.
    fn largest_component<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let graph = Arc::clone(&self.inner);
        Ok(array1(py, run_detached(py, move || Ok(graph.largest_component()))?))
    }

    /// Induced subgraph of these nodes, in this order.
    fn induced(&self, py: Python<'_>, nodes: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let nodes = as_slice(&nodes)?;
        let mut is_selected = vec![false; self.inner.node_count()];
        for &node in nodes {
            match is_selected.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => return Err(value_error(format!("node {node} is given twice"))),
                None => return Err(value_error(format!("there is no node {node}"))),
            }
        }
        let (graph, nodes) = (Arc::clone(&self.inner), nodes.to_vec());
        let inner = run_detached(py, move || Ok(Arc::new(graph.induced(&nodes))))?;
        Ok(Self { inner, stats: BuildStats::default(), notes: Vec::new() })
    }

    /// The same graph without weights.
    fn unweighted(&self) -> Self {
        let inner = Arc::new(hycome::Graph::clone(&self.inner).unweighted());
        Self { inner, stats: self.stats, notes: Vec::new() }
    }
}

impl From<hycome::Graph> for Graph {
    fn from(graph: hycome::Graph) -> Self {
        Self { inner: Arc::new(graph), stats: BuildStats::default(), notes: Vec::new() }
    }
}

/// External names of nodes.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Names {
    pub inner: NodeNames,
}

#[pymethods]
impl Names {
    /// Integer names.
    #[staticmethod]
    fn from_numbers(values: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        Ok(Self { inner: NodeNames::from_numbers(as_slice(&values)?.to_vec()) })
    }

    /// String names.
    #[staticmethod]
    fn from_strings(texts: Vec<String>) -> Self {
        Self { inner: NodeNames::from_strings(texts) }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The names as integers; `None` unless all of them are integers.
    fn numbers<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u64>>> {
        let numbers =
            self.inner.are_numbers().then(|| self.inner.iter().map(|name| name.parse().ok()).collect());
        numbers.flatten().map(|numbers: Vec<u64>| array1(py, numbers))
    }

    /// The names as strings.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.inner.iter().collect::<Vec<_>>())
    }
}

/// Zero or more classes for each node.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Labels {
    pub inner: Arc<hycome::Labels>,
}

#[pymethods]
impl Labels {
    /// Labels in CSR layout: the classes of node i are `classes[starts[i]..starts[i + 1]]`.
    #[new]
    fn new(
        names: Vec<String>,
        starts: PyReadonlyArray1<'_, u64>,
        classes: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (starts, classes) = (as_slice(&starts)?, as_slice(&classes)?);
        let is_valid = starts.first() == Some(&0)
            && starts.last() == Some(&(classes.len() as u64))
            && starts.is_sorted()
            && classes.iter().all(|&class| (class as usize) < names.len());
        if !is_valid {
            return Err(value_error(
                "`starts` must increase from 0 to the length of `classes`, and each class must have a name",
            ));
        }
        let lists = starts.windows(2).map(|ends| classes[ends[0] as usize..ends[1] as usize].to_vec());
        Ok(Self { inner: Arc::new(hycome::Labels::from_lists(names, lists.collect())) })
    }

    /// Reads a label file for nodes with these names; also returns notes like those of [`Graph`].
    #[staticmethod]
    #[pyo3(signature = (path, names, many_classes=false))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        names: &Names,
        many_classes: bool,
    ) -> PyResult<(Self, Vec<(&'static str, String)>)> {
        let (options, names) = (LabelOptions { many_classes }, names.inner.clone());
        let loaded = run_detached(py, move || read_labels_with(&path, &names, &options))?;
        let notes = loaded.notes.iter().map(|note| (note.code(), note.to_string())).collect();
        Ok((Self { inner: Arc::new(loaded.labels) }, notes))
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.class_names().to_vec()
    }

    #[getter]
    fn used_class_count(&self) -> usize {
        self.inner.used_class_count()
    }

    #[getter]
    fn is_multi_label(&self) -> bool {
        self.inner.is_multi_label()
    }

    /// Classes with a node and their shares of the labels, in descending order.
    fn shares(&self) -> Vec<(String, f64)> {
        let shares = hycome::plot::label_shares(&self.inner);
        shares.into_iter().map(|(name, share)| (name.to_owned(), share)).collect()
    }

    /// The CSR arrays `starts` and `classes` that the constructor takes.
    fn arrays<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>) {
        let mut starts = vec![0];
        let mut classes = Vec::new();
        for node in 0..self.inner.node_count() as NodeId {
            classes.extend_from_slice(self.inner.of(node));
            starts.push(classes.len() as u64);
        }
        (array1(py, starts), array1(py, classes))
    }

    /// Labels of these nodes, in this order.
    fn subset(&self, nodes: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let nodes = as_slice(&nodes)?;
        if let Some(node) = nodes.iter().find(|&&node| node as usize >= self.inner.node_count()) {
            return Err(value_error(format!("there is no node {node}")));
        }
        Ok(Self { inner: Arc::new(self.inner.subset(nodes)) })
    }
}

/// Contents of a file or data set: name, graph, node names, labels, and the header line, if any.
pub type Loaded = (String, Graph, Names, Option<Labels>, Option<String>);

pub fn into_parts(loaded: LoadedGraph) -> Loaded {
    let LoadedGraph { name, graph, names, labels, stats, header, notes, .. } = loaded;
    let graph = Graph { inner: Arc::new(graph), stats, notes };
    (name, graph, Names { inner: names }, labels.map(|labels| Labels { inner: Arc::new(labels) }), header)
}

/// Reads a graph from a file or a folder.
#[pyfunction]
#[pyo3(signature = (path, repeated=None, header=None))]
pub fn read(py: Python<'_>, path: PathBuf, repeated: Option<&str>, header: Option<bool>) -> PyResult<Loaded> {
    let repeated = parse_repeated(repeated)?.unwrap_or_default();
    let options = ReadOptions { repeated, header, ..ReadOptions::default() };
    Ok(into_parts(run_detached(py, move || read_graph_with(&path, &options))?))
}

/// Parses how repeated edges are combined.
pub fn parse_repeated(repeated: Option<&str>) -> PyResult<Option<RepeatedEdges>> {
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| value_error(format!("`repeated` must be 'sum', 'max' or 'first', but is {text:?}")))
    };
    repeated.map(parse).transpose()
}

/// Fails unless a run, graph or labels have the expected number of nodes.
pub fn check_node_count(what: &str, found: usize, nodes: usize) -> PyResult<()> {
    if found == nodes {
        return Ok(());
    }
    Err(to_pyerr(hycome::Error::Graph(format!("{what} must have {nodes} nodes, but has {found}"))))
}
