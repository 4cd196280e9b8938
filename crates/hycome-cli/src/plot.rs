//! `hycome plot`: a picture of a run.

use std::path::{Path, PathBuf};

use anyhow::bail;
use hycome::io::{StagedFile, model_file, run_file};
use hycome::plot::edges::MOST_EDGES;
use hycome::plot::{Scene, page};
use hycome::{Graph, Labels, NodeId, NodeNames, Run};

use crate::load::{self, GraphOptions};
use crate::output::{self, escaped, say, shown};
use crate::{labels, style};

/// Draw a run: an interactive page to open in a browser.
///
/// The page is one file that needs neither server nor network: drag to move the hyperbolic plane, point at nodes, find
/// them by name. `hycome embed` writes one too. A run holds no edges; with `--graph` they are drawn, and degrees and
/// scores are known.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hycome plot karate-run --graph karate -o disc.html
  hycome plot run --graph edges.csv --labels classes.txt -o disc.html
  hycome plot run --labels classes.txt --model m.safetensors -o disc.html")]
pub struct Args {
    /// A folder that `hycome embed` wrote, or the run.safetensors in it.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The picture; its extension says what it is: .html.
    #[arg(short, long, value_name = "FILE", default_value = "disc.html")]
    output: PathBuf,
    /// The graph that was trained, for edges, degrees and scores.
    #[arg(long, value_name = "GRAPH", help_heading = "Input")]
    graph: Option<PathBuf>,
    /// Classes of the nodes, to colour by: a label file, or a graph that has some. Replaces labels inside the graph's file.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    labels: Option<PathBuf>,
    /// A classifier that `hycome classify --save-model` wrote, to colour by and to draw its regions.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    model: Option<PathBuf>,
    /// Edges drawn at most; of more, so many are chosen at random, which the picture says.
    #[arg(long, value_name = "N", default_value_t = MOST_EDGES, help_heading = "Picture")]
    edges: usize,
    /// What the picture is called [default: the graph's name].
    #[arg(long, value_name = "TEXT", help_heading = "Picture")]
    title: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if !is_page(&args.output) {
        bail!(crate::Usage(format!("{}: a picture is called something.html", shown(&args.output))));
    }
    let scene = scene(args, &args.run)?;
    StagedFile::write(&args.output, page::to_html(&scene).as_bytes())?.put_in_place()?;
    tell(args, &scene);
    Ok(())
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
    })
}

fn tell(args: &Args, scene: &Scene) {
    let edges = match &scene.edges {
        Some(edges) => style::counted(edges.pairs.len(), "edge", "edges"),
        None => "no edges, as no --graph was given".to_owned(),
    };
    let nodes = style::counted(scene.points.len(), "node", "nodes");
    say(&format!("{}: {nodes}, {edges}", shown(&args.output)));
    for note in &scene.notes {
        say(&format!("note: {note}"));
    }
}

/// Everything that is known of a run.
fn scene(args: &Args, path: &Path) -> anyhow::Result<Scene> {
    let run = run_file::load(path)?;
    let (graph, of_graph, name) = match &args.graph {
        Some(argument) => {
            let (graph, labels, name) = graph(argument, &run.names, path)?;
            (Some(graph), labels, Some(name))
        }
        None => (None, None, None),
    };
    let labels = match &args.labels {
        Some(file) => Some(labels::load(file, &run.names)?),
        None => of_graph,
    };
    let title = args.title.clone().or(name).unwrap_or_else(|| title(path));
    let mut scene = compose(&run, &title, graph.as_ref(), labels.as_ref(), args.edges)?;
    if let Some(model) = &args.model {
        let classifier = model_file::load(model)?;
        if classifier.dim != run.nodes.dim() {
            bail!(
                "{}: the model is for {} dimensions, but {} has {}; learn it from that run",
                shown(model),
                classifier.dim,
                shown(path),
                run.nodes.dim(),
            );
        }
        scene = scene.with_classifier(&classifier, &run.nodes)?;
    }
    Ok(scene)
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
fn graph(argument: &Path, names: &NodeNames, run: &Path) -> anyhow::Result<(Graph, Option<Labels>, String)> {
    let options = GraphOptions { labels: None, largest_component: false, unweighted: true };
    let loaded = load::load(argument, &options)?.loaded;
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

/// A run without a graph is called by its folder, without the `-run` that `hycome embed` adds.
fn title(path: &Path) -> String {
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
    fn pages_are_recognised_by_their_extension() {
        assert!(is_page(Path::new("a/disc.html")) && is_page(Path::new("X.HTM")));
        assert!(!is_page(Path::new("disc")) && !is_page(Path::new("disc.png")));
    }
}
