//! Plots of runs.

use std::path::PathBuf;
use std::sync::Arc;

use hycome::io::AtomicFile;
use hycome::plot::figure::{Content, Figure, Panel};
use hycome::plot::theme::{DARK, LIGHT};
use hycome::plot::{self, Layers, page, raster};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::classify::Classifier;
use crate::error::value_error;
use crate::graph::{Graph, Labels, check_node_count};
use crate::run::Run;
use crate::work::{run_detached, run_scoped};

/// A run projected to the disc, with the layers of a plot.
#[pyclass(frozen, module = "hycome._hycome")]
pub struct Scene {
    inner: Arc<plot::Scene>,
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (run, title, graph=None, labels=None, classifier=None, max_edges=None))]
    fn new(
        py: Python<'_>,
        run: &Run,
        title: String,
        graph: Option<&Graph>,
        labels: Option<&Labels>,
        classifier: Option<&Classifier>,
        max_edges: Option<usize>,
    ) -> PyResult<Self> {
        let run = run.to_rust(py)?;
        let nodes = run.nodes.len();
        check_node_count("names", run.names.len(), nodes)?;
        if let Some(graph) = graph {
            check_node_count("graph", graph.inner.node_count(), nodes)?;
        }
        if let Some(labels) = labels {
            check_node_count("labels", labels.inner.node_count(), nodes)?;
        }
        let labels = labels.map(|labels| Arc::clone(&labels.inner));
        let graph = graph.map(|graph| Arc::clone(&graph.inner));
        let classifier = classifier.map(|classifier| Arc::clone(&classifier.inner));
        let max_edges = max_edges.unwrap_or(plot::MAX_EDGES);
        let scene = run_detached(py, move || {
            let scene = plot::Scene::compose(&run, &title, graph.as_deref(), labels.as_deref(), max_edges)?;
            let Some(classifier) = classifier else { return Ok(scene) };
            // A classifier fitted to points alone is not tied to a run.
            match classifier.mismatch(&run).filter(|_| classifier.run.is_some()) {
                Some(mismatch) => {
                    let (parameter, expected) = ("classifier", "one that was fitted to this run".to_owned());
                    let found = format!("one that {mismatch}");
                    Err(hycome::Error::Config { parameter, expected, found })
                }
                None => scene.with_classifier(&classifier, &run.nodes),
            }
        })?;
        Ok(Self { inner: Arc::new(scene) })
    }

    /// Notes on the plot, such as omitted edges.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.inner.notes.clone()
    }

    /// Interactive viewer as one HTML page.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        let scene = Arc::clone(&self.inner);
        run_detached(py, move || Ok(page::to_html(&scene)))
    }

    /// Static figure in the format `svg`, `png` or `pdf`, and a message about characters without a glyph.
    #[expect(clippy::too_many_arguments, reason = "the settings of a figure")]
    fn to_figure<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        color: &str,
        size: (f64, f64),
        dark: bool,
        contours: bool,
        names: bool,
        scale: f64,
        note: bool,
        fonts: Vec<Vec<u8>>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<String>)> {
        let Some(coloring) = self.inner.colorings.iter().position(|coloring| coloring.key == color) else {
            let keys: Vec<&str> = self.inner.colorings.iter().map(|coloring| coloring.key).collect();
            return Err(value_error(match color {
                "label" => "`color` cannot be label, since no node has a label; pass `labels`".into(),
                "prediction" => {
                    "`color` cannot be prediction, since there is no classifier; pass `classifier`".into()
                }
                _ => format!("`color` must be one of {}, but is {color}", keys.join(", ")),
            }));
        };
        let scene = Arc::clone(&self.inner);
        let panel = move || {
            let layers = Layers { edges: true, contours, regions: true, names };
            let note = if note { scene.view.subtitle() } else { None };
            let content = Content::Disc { scene: Box::new(scene.as_ref().clone()), coloring, layers };
            Panel { title: scene.title.clone(), note, content }
        };
        render(py, panel, format, size, dark, scale, fonts)
    }
}

/// Static figure of a label distribution, as [`Scene::to_figure`].
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the settings of a figure")]
pub fn label_distribution<'py>(
    py: Python<'py>,
    labels: &Labels,
    title: String,
    format: &str,
    size: (f64, f64),
    dark: bool,
    scale: f64,
    note: bool,
    fonts: Vec<Vec<u8>>,
) -> PyResult<(Bound<'py, PyBytes>, Option<String>)> {
    let labels = Arc::clone(&labels.inner);
    let panel = move || {
        let panel = plot::label_distribution(&title, &labels);
        Panel { note: panel.note.filter(|_| note), ..panel }
    };
    render(py, panel, format, size, dark, scale, fonts)
}

/// Renders a figure of one panel; also returns a message about characters without a glyph.
fn render<'py>(
    py: Python<'py>,
    panel: impl FnOnce() -> Panel + Send + 'static,
    format: &str,
    (width, height): (f64, f64),
    dark: bool,
    scale: f64,
    fonts: Vec<Vec<u8>>,
) -> PyResult<(Bound<'py, PyBytes>, Option<String>)> {
    if !(50.0..=16_000.0).contains(&width) || !(50.0..=16_000.0).contains(&height) {
        return Err(value_error(format!(
            "width and height of `size` must be from 50 to 16000, but are {width} and {height}"
        )));
    }
    if !["svg", "png", "pdf"].contains(&format) {
        return Err(value_error(format!("`format` must be svg, png or pdf, but is {format}")));
    }
    let format = format.to_owned();
    let (bytes, missing) = run_detached(py, move || {
        let theme = if dark { DARK } else { LIGHT };
        let figure = Figure { fonts, ..Figure::new(width, height, theme, vec![panel()]) };
        Ok(match format.as_str() {
            "png" => (raster::to_png(&figure, scale)?, raster::missing_glyphs(&figure)?),
            "pdf" => (raster::to_pdf(&figure)?, raster::missing_glyphs(&figure)?),
            _ => (figure.to_svg().into_bytes(), None),
        })
    })?;
    Ok((PyBytes::new(py, &bytes), missing.map(|missing| missing.to_string())))
}

/// Writes a file atomically.
#[pyfunction]
pub fn write_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    run_scoped(py, || AtomicFile::write(&path, content)?.commit())
}
