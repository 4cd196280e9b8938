//! Public graphs by name.

use std::path::PathBuf;

use hycome::datasets::{Dataset as Entry, MANIFEST, PublishedFile, dataset};
use pyo3::prelude::*;

use crate::error::value_error;
use crate::graph::{Loaded, into_parts, parse_repeated};
use crate::work::run_detached;

/// Metadata of a public graph.
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
    /// Path relative to the data folder, URLs, SHA-256 if known.
    files: Vec<(&'static str, Vec<&'static str>, Option<&'static str>)>,
}

#[pymethods]
impl Dataset {
    fn __repr__(&self) -> String {
        let Self { name, nodes, edges, communities, title, .. } = self;
        format!("<Dataset {name}: {nodes} nodes, {edges} edges, {communities} classes. {title}>")
    }
}

impl From<&Entry> for Dataset {
    fn from(known: &Entry) -> Self {
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

/// All public graphs, built-in ones first.
#[pyfunction]
pub fn known_datasets() -> Vec<Dataset> {
    MANIFEST.iter().map(Dataset::from).collect()
}

/// Metadata of the graph with this name or alias.
#[pyfunction]
pub fn find_dataset(name: &str) -> Option<Dataset> {
    dataset(name).map(Dataset::from)
}

/// Loads a graph by name, built in or from the data folder; `None` if its files are missing.
#[pyfunction]
#[pyo3(signature = (name, folder=None, repeated=None))]
pub fn load_dataset(
    py: Python<'_>,
    name: &str,
    folder: Option<PathBuf>,
    repeated: Option<&str>,
) -> PyResult<Option<Loaded>> {
    let repeated = parse_repeated(repeated)?;
    let known =
        dataset(name).ok_or_else(|| value_error(format!("there is no public graph called {name}")))?;
    let load = move || match repeated {
        Some(repeated) => known.load_with(folder.as_deref(), repeated),
        None => known.load(folder.as_deref()),
    };
    Ok(run_detached(py, load)?.map(into_parts))
}
