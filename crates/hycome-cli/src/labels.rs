//! Labels for the nodes of a run: from a label file, or from a graph that carries them.

use std::path::Path;

use anyhow::bail;
use hycome::io::{LabelOptions, read_graph, read_labels_with};
use hycome::{Labels, NodeId, NodeNames};

use crate::data::DataOptions;
use crate::load::{self, ReadingOptions};
use crate::output::{say, shown};
use crate::style;

/// Reads the labels of the nodes called `names`; labels of other nodes are left out, which is said.
pub fn load(path: &Path, names: &NodeNames, data: &DataOptions) -> anyhow::Result<Labels> {
    if path == Path::new("-") {
        return of_file(path, names);
    }
    let (theirs, labels) = if let Some((loaded, _)) = load::named(path, data, &ReadingOptions::default())? {
        (loaded.names, loaded.labels)
    } else if path.is_dir() || is_graph(path) {
        let loaded = read_graph(path)?;
        (loaded.names, loaded.labels)
    } else {
        return of_file(path, names);
    };
    let Some(labels) = labels else { bail!("{}: the graph has no labels", shown(path)) };
    match_names(path, names, &theirs, &labels)
}

/// The labels in a file of labels, with what was noticed.
fn of_file(path: &Path, names: &NodeNames) -> anyhow::Result<Labels> {
    let loaded = read_labels_with(path, names, &LabelOptions { many_classes: true })?;
    load::tell_labels(&loaded);
    Ok(loaded.labels)
}

/// Extensions of files that hold a graph and may hold labels.
const GRAPHS: [&str; 3] = ["gml", "mat", "mtx"];

fn is_graph(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    GRAPHS.iter().any(|extension| name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.')))
}

/// The labels of the nodes called `names`, out of those of the nodes called `theirs`.
fn match_names(
    path: &Path,
    names: &NodeNames,
    theirs: &NodeNames,
    labels: &Labels,
) -> anyhow::Result<Labels> {
    if names == theirs {
        return Ok(labels.clone());
    }
    let index = theirs.index();
    let rows: Vec<Option<NodeId>> = names.iter().map(|name| index.get(&name)).collect();
    let lists = rows.iter().map(|row| row.map_or(Vec::new(), |row| labels.of(row).to_vec())).collect();
    let matched = rows.iter().flatten().count();
    if matched == 0 {
        bail!("{}: none of its nodes is in the run; nodes are matched by name", shown(path));
    }
    let foreign = theirs.len() - matched;
    if foreign > 0 {
        let nodes = style::counted(foreign, "node is", "nodes are");
        say(&format!("note: {}: {nodes} not in the run and left out", shown(path)));
    }
    Ok(Labels::from_lists(labels.class_names().to_vec(), lists))
}
