//! LABELS arguments: a label file, or a graph that has labels.

use std::path::Path;

use anyhow::bail;
use hycome::io::LabelOptions;
use hycome::{Labels, NodeNames};

use crate::args::data_dir::DataOptions;
use crate::args::graph::{self, ReadingOptions};
use crate::term::output::{notify, shown};
use crate::term::progress::Bar;
use crate::term::style;

/// Loads the labels of the nodes `names`. Labels of other nodes are ignored, with a note.
pub fn load(path: &Path, names: &NodeNames, data: &DataOptions) -> anyhow::Result<Labels> {
    if path == Path::new("-") {
        return read_file(path, names);
    }
    let (theirs, labels) =
        if let Some((loaded, _)) = graph::load_dataset(path, data, &ReadingOptions::default())? {
            (loaded.names, loaded.labels)
        } else if path.is_dir() || is_graph(path) {
            let loaded = graph::read_graph(path, &ReadingOptions::default(), &Bar::new(false))?;
            (loaded.names, loaded.labels)
        } else {
            return read_file(path, names);
        };
    let Some(labels) = labels else { bail!("{}: the graph has no labels", shown(path)) };
    align(path, names, &theirs, &labels)
}

/// Reads a label file.
fn read_file(path: &Path, names: &NodeNames) -> anyhow::Result<Labels> {
    let bar = Bar::new(false);
    let loaded = graph::read_labels(path, names, &LabelOptions { many_classes: true }, &bar)?;
    bar.finish();
    graph::report_labels(&loaded);
    Ok(loaded.labels)
}

/// Extensions of graph formats that may contain labels.
const GRAPH_EXTENSIONS: [&str; 3] = ["gml", "mat", "mtx"];

fn is_graph(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    GRAPH_EXTENSIONS
        .iter()
        .any(|extension| name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.')))
}

/// Labels of the nodes `names`, selected from those of the nodes `theirs`.
fn align(path: &Path, names: &NodeNames, theirs: &NodeNames, labels: &Labels) -> anyhow::Result<Labels> {
    if names == theirs {
        return Ok(labels.clone());
    }
    let rows = names.positions_in(theirs);
    let lists = rows.iter().map(|row| row.map_or(Vec::new(), |row| labels.of(row).to_vec())).collect();
    let matched = rows.iter().flatten().count();
    if matched == 0 {
        bail!("{}: none of its nodes is in the run (nodes are matched by name)", shown(path));
    }
    let ignored = theirs.len() - matched;
    if ignored > 0 {
        let nodes = style::pluralize(ignored, "node is", "nodes are");
        notify(&format!("note: {}: {nodes} not in the run; their labels are ignored", shown(path)));
    }
    Ok(Labels::from_lists(labels.class_names().to_vec(), lists))
}
