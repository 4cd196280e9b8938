//! Graphs, what their nodes are called, and what classes they have.

use std::path::PathBuf;
use std::sync::Arc;

use hycome::graph::{BuildStats, Direction, EdgeList, Merged, RepeatedEdges};
use hycome::io::{LabelOptions, LoadedGraph, ReadNote, ReadOptions, read_graph_with, read_labels_with};
use hycome::{NodeId, NodeNames};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::{numbers, table, vector};
use crate::error::{exception, refuse};
use crate::work::detached;

/// An undirected simple graph.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Graph {
    pub inner: Arc<hycome::Graph>,
    cleaning: BuildStats,
    notes: Vec<ReadNote>,
}

#[pymethods]
impl Graph {
    /// A graph on nodes `0..node_count` from the ends of its edges; `repeated` and `direction` say how repeats are combined.
    ///
    /// `columns` are what the two columns of a table are called. Where that is no header, `names` are the numbers of the nodes.
    #[staticmethod]
    #[pyo3(signature = (
        node_count, sources, targets, weights=None, repeated=None, direction="unknown", columns=None, names=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are what a table of edges holds, given by name")]
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
        let repeated = combining(repeated)?.unwrap_or_default();
        let direction = match direction {
            "directed" => Direction::Directed,
            "undirected" => Direction::Undirected,
            _ => Direction::Unknown,
        };
        let (sources, targets) = (numbers(&sources)?, numbers(&targets)?);
        let weights = weights.as_ref().map(numbers).transpose()?;
        if sources.len() != targets.len() || weights.is_some_and(|weights| weights.len() != sources.len()) {
            return Err(refuse("each edge needs a source, a target and, if there are weights, a weight"));
        }
        if let Some(id) = sources.iter().chain(targets).find(|&&id| id as usize >= node_count) {
            return Err(refuse(format!("an edge names node {id}, but there are {node_count} nodes")));
        }
        if let Some(weight) = weights.and_then(|all| all.iter().find(|&&w| !(w.is_finite() && w >= 0.0))) {
            return Err(refuse(format!("weights must be finite and not negative, but one is {weight}")));
        }
        let pairs = sources.iter().copied().zip(targets.iter().copied()).collect();
        let weights = weights.filter(|all| all.iter().any(|&weight| weight != 1.0)).map(<[f32]>::to_vec);
        let (edges, names) =
            (EdgeList { node_count, pairs, weights }, names.map(|names| names.inner.clone()));
        detached(py, move || {
            let times = edges.weights.as_deref().and_then(|weights| ReadNote::of_weights(&[weights]));
            let shared = columns.and_then(|(source, target)| match &names {
                Some(numbers) => ReadNote::of_columns(&[&edges.pairs], numbers, None),
                None => {
                    let no_names = NodeNames::from_numbers(Vec::new());
                    ReadNote::of_columns(&[&edges.pairs], &no_names, Some((&source, &target)))
                }
            });
            let (graph, cleaning) = edges.build_with(repeated, direction);
            let notes = ReadNote::of_stats(&cleaning).into_iter().chain(times).chain(shared).collect();
            Ok(Self { inner: Arc::new(graph), cleaning, notes })
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

    /// What was left out while the graph was made: self loops, repeats, edges of weight zero.
    #[getter]
    fn left_out(&self) -> (usize, usize, usize) {
        (self.cleaning.self_loops, self.cleaning.repeats, self.cleaning.zero_weights)
    }

    /// What the caller should know of how the graph was made: a code for programs, and a sentence.
    #[getter]
    fn notes(&self) -> Vec<(&'static str, String)> {
        let is_told = |note: &&ReadNote| {
            // Listing each edge once per direction is how many formats write undirected graphs.
            !matches!(note, ReadNote::RepeatedEdges { merged: Merged::BothDirections, .. })
        };
        self.notes.iter().filter(is_told).map(|note| (note.code(), note.to_string())).collect()
    }

    /// Each edge once: sources and targets.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let graph = &self.inner;
        let ends = graph.nodes().flat_map(|u| {
            let later = graph.neighbors(u).iter().filter(move |&&v| u < v);
            later.flat_map(move |&v| [u, v])
        });
        table(py, 2, ends.collect())
    }

    /// The weights beside `edges()`; none if every edge weighs one.
    fn weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f32>>> {
        let graph = &self.inner;
        let weights = graph.nodes().flat_map(|u| {
            let beside = graph.weights(u).unwrap_or_default();
            graph.neighbors(u).iter().zip(beside).filter(move |&(&v, _)| u < v).map(|(_, &weight)| weight)
        });
        graph.is_weighted().then(|| vector(py, weights.collect()))
    }

    /// Number of neighbours of each node.
    fn degrees<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        vector(py, self.inner.nodes().map(|node| self.inner.degree(node) as u64).collect())
    }

    /// The nodes of the largest connected component.
    fn largest_component<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let graph = Arc::clone(&self.inner);
        Ok(vector(py, detached(py, move || Ok(graph.largest_component()))?))
    }

    /// The graph between some nodes, in this order.
    fn induced(&self, py: Python<'_>, nodes: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let nodes = numbers(&nodes)?;
        let mut is_there = vec![false; self.inner.node_count()];
        for &node in nodes {
            match is_there.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => return Err(refuse(format!("node {node} is given twice"))),
                None => return Err(refuse(format!("there is no node {node}"))),
            }
        }
        let (graph, nodes) = (Arc::clone(&self.inner), nodes.to_vec());
        let inner = detached(py, move || Ok(Arc::new(graph.induced(&nodes))))?;
        Ok(Self { inner, cleaning: BuildStats::default(), notes: Vec::new() })
    }

    /// The same graph with every edge weighing one.
    fn unweighted(&self) -> Self {
        let inner = Arc::new(hycome::Graph::clone(&self.inner).unweighted());
        Self { inner, cleaning: self.cleaning, notes: Vec::new() }
    }
}

impl From<hycome::Graph> for Graph {
    fn from(graph: hycome::Graph) -> Self {
        Self { inner: Arc::new(graph), cleaning: BuildStats::default(), notes: Vec::new() }
    }
}

/// What nodes are called outside.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Names {
    pub inner: NodeNames,
}

#[pymethods]
impl Names {
    /// These numbers as names.
    #[staticmethod]
    fn from_numbers(values: PyReadonlyArray1<'_, u64>) -> PyResult<Self> {
        Ok(Self { inner: NodeNames::from_numbers(numbers(&values)?.to_vec()) })
    }

    /// These texts as names.
    #[staticmethod]
    fn from_strings(texts: Vec<String>) -> Self {
        Self { inner: NodeNames::from_strings(texts) }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The names as numbers, or nothing if one of them is none.
    fn numbers<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u64>>> {
        let numbers =
            self.inner.are_numbers().then(|| self.inner.iter().map(|name| name.parse().ok()).collect());
        numbers.flatten().map(|numbers: Vec<u64>| vector(py, numbers))
    }

    /// The names as texts.
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
    /// Classes with these names; those of node i are `classes[starts[i]..starts[i + 1]]`.
    #[new]
    fn new(
        names: Vec<String>,
        starts: PyReadonlyArray1<'_, u64>,
        classes: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Self> {
        let (starts, classes) = (numbers(&starts)?, numbers(&classes)?);
        let is_sound = starts.first() == Some(&0)
            && starts.last() == Some(&(classes.len() as u64))
            && starts.is_sorted()
            && classes.iter().all(|&class| (class as usize) < names.len());
        if !is_sound {
            return Err(refuse(
                "starts must rise from 0 to the number of classes, and each class have a name",
            ));
        }
        let lists = starts.windows(2).map(|ends| classes[ends[0] as usize..ends[1] as usize].to_vec());
        Ok(Self { inner: Arc::new(hycome::Labels::from_lists(names, lists.collect())) })
    }

    /// Reads a label file of nodes with these names; also gives the notes, as [`Graph`] has them.
    #[staticmethod]
    #[pyo3(signature = (path, names, many_classes=false))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        names: &Names,
        many_classes: bool,
    ) -> PyResult<(Self, Vec<(&'static str, String)>)> {
        let (options, names) = (LabelOptions { many_classes }, names.inner.clone());
        let loaded = detached(py, move || read_labels_with(&path, &names, &options))?;
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

    /// Where the classes of each node start, and the classes: what the constructor takes.
    fn arrays<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>) {
        let mut starts = vec![0];
        let mut classes = Vec::new();
        for node in 0..self.inner.node_count() as NodeId {
            classes.extend_from_slice(self.inner.of(node));
            starts.push(classes.len() as u64);
        }
        (vector(py, starts), vector(py, classes))
    }

    /// The labels of some nodes, in this order.
    fn subset(&self, nodes: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let nodes = numbers(&nodes)?;
        if let Some(node) = nodes.iter().find(|&&node| node as usize >= self.inner.node_count()) {
            return Err(refuse(format!("there is no node {node}")));
        }
        Ok(Self { inner: Arc::new(self.inner.subset(nodes)) })
    }
}

/// What a file or a data set holds: name, graph, names of the nodes, labels, and the line that was taken for a header.
pub type Loaded = (String, Graph, Names, Option<Labels>, Option<String>);

pub fn parts(loaded: LoadedGraph) -> Loaded {
    let LoadedGraph { name, graph, names, labels, stats, header, notes, .. } = loaded;
    let graph = Graph { inner: Arc::new(graph), cleaning: stats, notes };
    (name, graph, Names { inner: names }, labels.map(|labels| Labels { inner: Arc::new(labels) }), header)
}

/// Reads a graph from a file or a folder.
#[pyfunction]
#[pyo3(signature = (path, repeated=None, header=None))]
pub fn read(py: Python<'_>, path: PathBuf, repeated: Option<&str>, header: Option<bool>) -> PyResult<Loaded> {
    let repeated = combining(repeated)?.unwrap_or_default();
    let options = ReadOptions { repeated, header, ..ReadOptions::default() };
    Ok(parts(detached(py, move || read_graph_with(&path, &options))?))
}

/// How repeated edges are combined, if that is said.
pub fn combining(repeated: Option<&str>) -> PyResult<Option<RepeatedEdges>> {
    let parse = |text: &str| {
        text.parse()
            .map_err(|_| refuse(format!("`repeated` must be 'sum', 'max' or 'first', but is {text:?}")))
    };
    repeated.map(parse).transpose()
}

/// Fails with the library's sentence if the run, graph and labels do not speak of the same nodes.
pub fn check_nodes(what: &str, found: usize, nodes: usize) -> PyResult<()> {
    if found == nodes {
        return Ok(());
    }
    Err(exception(hycome::Error::Graph(format!("{what} must have {nodes} nodes, but has {found}"))))
}
