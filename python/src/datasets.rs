//! Public graphs by name.

use std::path::PathBuf;

use hycome::datasets::{Dataset as Known, MANIFEST, PublishedFile, dataset};
use pyo3::prelude::*;

use crate::error::refuse;
use crate::graph::{Loaded, combining, parts};
use crate::work::detached;

/// What is known of a public graph.
#[pyclass(frozen, get_all, module = "hycome._hycome")]
pub struct Dataset {
    name: &'static str,
    title: &'static str,
    citation: &'static str,
    licence: &'static str,
    nodes: usize,
    edges: usize,
    communities: usize,
    multi_label: bool,
    is_built_in: bool,
    /// Place inside a folder of data, addresses, SHA-256 where it is known.
    files: Vec<(&'static str, Vec<&'static str>, Option<&'static str>)>,
}

#[pymethods]
impl Dataset {
    fn __repr__(&self) -> String {
        let Self { name, nodes, edges, communities, title, .. } = self;
        format!("<Dataset {name}: {nodes} nodes, {edges} edges, {communities} classes. {title}>")
    }
}

impl From<&Known> for Dataset {
    fn from(known: &Known) -> Self {
        let file = |file: &PublishedFile| (file.path, file.urls.to_vec(), file.sha256);
        Self {
            name: known.name,
            title: known.title,
            citation: known.citation,
            licence: known.licence,
            nodes: known.nodes,
            edges: known.edges,
            communities: known.communities,
            multi_label: known.multi_label,
            is_built_in: known.builtin().is_some(),
            files: known.files.iter().map(file).collect(),
        }
    }
}

/// All public graphs that hycome knows, those that are built in first.
#[pyfunction]
pub fn known_datasets() -> Vec<Dataset> {
    MANIFEST.iter().map(Dataset::from).collect()
}

/// What is known of the graph of this name, or of the one that this is another name of.
#[pyfunction]
pub fn find_dataset(name: &str) -> Option<Dataset> {
    dataset(name).map(Dataset::from)
}

/// The graph of this name, built in or out of a folder of data; none if its files are not there.
#[pyfunction]
#[pyo3(signature = (name, folder=None, repeated=None))]
pub fn load_dataset(
    py: Python<'_>,
    name: &str,
    folder: Option<PathBuf>,
    repeated: Option<&str>,
) -> PyResult<Option<Loaded>> {
    let repeated = combining(repeated)?;
    let known = dataset(name).ok_or_else(|| refuse(format!("there is no public graph called {name}")))?;
    let load = move || match repeated {
        Some(repeated) => known.load_with(folder.as_deref(), repeated),
        None => known.load(folder.as_deref()),
    };
    Ok(detached(py, load)?.map(parts))
}
