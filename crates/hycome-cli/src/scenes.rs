//! Scenes of runs, with what else is known of their nodes.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::plot::Scene;
use hycome::{Graph, Labels, NodeId, NodeNames, Run};

use crate::data::DataOptions;
use crate::load::{self, GraphOptions};
use crate::output::{self, escaped, shown};
use crate::{Usage, labels, runs};

/// Flags that say what is known of the nodes of runs; given once for all runs, or once for each.
#[derive(Debug, clap::Args)]
pub struct Knowledge {
    /// The graph that was trained, for edges, degrees and scores; of several runs one for all, or one for each.
    #[arg(long, value_name = "GRAPH", help_heading = "Input")]
    pub graph: Vec<PathBuf>,
    /// Classes of the nodes, to colour by: a label file, or a graph that has some. Replaces labels inside the graph's
    /// file; of several runs one for all, or one for each.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub labels: Vec<PathBuf>,
    #[command(flatten)]
    pub data: DataOptions,
}

/// A run and what is known of its nodes, in the run's order.
pub struct Known {
    pub run: Run,
    pub title: String,
    pub graph: Option<Graph>,
    pub labels: Option<Labels>,
}

impl Knowledge {
    /// Everything that is known of the run at this place among so many.
    pub fn of_run(&self, path: &Path, place: usize, runs: usize) -> anyhow::Result<Known> {
        let run = runs::load(path)?;
        if run.config.geometry.is_flat() {
            bail!(
                "{}: its points are flat (geometry {}), and pictures show the Poincaré disc; train with --geometry \
                 poincare, or draw the points of run.safetensors with a plotting program",
                shown(path),
                run.config.geometry.name(),
            );
        }
        let (graph, of_graph, name) = match for_place(&self.graph, "graph", place, runs)? {
            Some(argument) => {
                let (graph, labels, name) = graph(argument, &run.names, path, &self.data)?;
                (Some(graph), labels, Some(name))
            }
            None => (None, None, None),
        };
        let labels = match for_place(&self.labels, "labels", place, runs)? {
            Some(file) => Some(labels::load(file, &run.names, &self.data)?),
            None => of_graph,
        };
        let name = if runs == 1 { name } else { None };
        Ok(Known { title: name.unwrap_or_else(|| title(path)), run, graph, labels })
    }
}

/// The argument for one of several runs: the only one, or the one at its place.
pub fn for_place<'a>(
    given: &'a [PathBuf],
    flag: &str,
    place: usize,
    runs: usize,
) -> anyhow::Result<Option<&'a Path>> {
    match given {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        all if all.len() == runs => Ok(Some(&all[place])),
        all => bail!(Usage(format!(
            "--{flag} is given {} times for {runs} runs; give it once for all of them, or once for each",
            all.len()
        ))),
    }
}

impl Known {
    /// The scene, with at most so many edges.
    pub fn scene(&self, most_edges: usize) -> hycome::Result<Scene> {
        compose(&self.run, &self.title, self.graph.as_ref(), self.labels.as_ref(), most_edges)
    }
}

/// The scene of a run with what else is known; the graph has the run's nodes in the run's order.
pub fn compose(
    run: &Run,
    title: &str,
    graph: Option<&Graph>,
    labels: Option<&Labels>,
    most_edges: usize,
) -> hycome::Result<Scene> {
    let labels = labels.filter(|labels| labels.labelled_count() > 0);
    let mut scene = Scene::new(run, title)?;
    if let Some(labels) = labels {
        scene = scene.with_labels(labels);
    }
    if let Some(graph) = graph {
        scene = scene.with_graph(graph, labels, most_edges, run.config.seed);
    }
    Ok(scene)
}

/// The graph's part on the run's nodes, in the run's order, with its labels and its name.
fn graph(
    argument: &Path,
    names: &NodeNames,
    run: &Path,
    data: &DataOptions,
) -> anyhow::Result<(Graph, Option<Labels>, String)> {
    let options = GraphOptions { unweighted: true, data: data.clone(), ..GraphOptions::default() };
    let loaded = load::load(argument, &options, true)?.loaded;
    if &loaded.names == names {
        return Ok((loaded.graph, loaded.labels, loaded.name));
    }
    let index = loaded.names.index();
    let mut nodes: Vec<NodeId> = Vec::with_capacity(names.len());
    for name in names.iter() {
        match index.get(&name) {
            Some(node) => nodes.push(node),
            None => bail!(
                "{}: node `{}` is not in {}; give the graph that was trained",
                shown(run),
                escaped(&name),
                shown(argument)
            ),
        }
    }
    let labels = loaded.labels.map(|labels| labels.subset(&nodes));
    Ok((loaded.graph.induced(&nodes), labels, loaded.name))
}

/// A run is called by its folder, without the `-run` that `hycome embed` adds.
pub fn title(path: &Path) -> String {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.and_then(|folder| std::fs::canonicalize(folder).ok());
    let name = folder.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    output::file_name(name.strip_suffix("-run").filter(|name| !name.is_empty()).unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_called_by_the_folder_of_its_run() {
        let here = tempfile::tempdir().unwrap();
        let run = here.path().join("karate-run");
        std::fs::create_dir(&run).unwrap();
        assert_eq!(title(&run), "karate");
        assert_eq!(title(&run.join("run.safetensors")), "karate");
    }

    #[test]
    fn flags_are_given_once_for_all_runs_or_once_for_each() {
        let (one, two) = ([PathBuf::from("a")], [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(for_place(&[], "graph", 0, 3).unwrap(), None);
        assert_eq!(for_place(&one, "graph", 2, 3).unwrap(), Some(Path::new("a")));
        assert_eq!(for_place(&two, "graph", 1, 2).unwrap(), Some(Path::new("b")));
        assert!(for_place(&two, "graph", 1, 3).is_err());
    }
}
