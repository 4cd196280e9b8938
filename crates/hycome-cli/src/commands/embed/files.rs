//! The files that `hycome embed` writes.

use std::path::Path;

use hycome::Run;
use hycome::geometry::Geometry;
use hycome::io::{checkpoint_file, history_file, run_file};
use hycome::plot::page;
use hycome::plot::{MAX_EDGES, Scene};
use hycome::train::Snapshot;

use crate::args::graph::Input;
use crate::file_set::FileSet;
use crate::term::output::notify;

/// File name of the interactive viewer.
const VIEWER: &str = "disc.html";

/// For larger graphs the viewer is written only by `hycome plot`: browsers take long to open it.
pub const MAX_VIEWER_NODES: usize = 200_000;

/// Contents of a run's folder.
pub struct RunFiles {
    pub run: Vec<u8>,
    pub communities: String,
    pub metrics: String,
    pub viewer: Option<String>,
    pub history: Option<Vec<u8>>,
}

impl RunFiles {
    /// File names and contents.
    fn list(&self) -> Vec<(&'static str, &[u8])> {
        let mut files = vec![
            (run_file::RUN_FILE, self.run.as_slice()),
            ("communities.tsv", self.communities.as_bytes()),
            ("metrics.json", self.metrics.as_bytes()),
        ];
        files.extend(self.viewer.as_ref().map(|viewer| (VIEWER, viewer.as_bytes())));
        files.extend(self.history.as_ref().map(|history| (history_file::HISTORY_FILE, history.as_slice())));
        files
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.list().iter().map(|file| file.0).collect()
    }

    /// Stages the files. Committing removes the checkpoint and, if an earlier run is replaced, its other files.
    pub fn stage(&self, folder: &Path, replaces_run: bool) -> anyhow::Result<FileSet> {
        let names = self.names();
        // Without an earlier run, files of these names are not ours.
        let optional: &[&str] = if replaces_run { &[VIEWER, history_file::HISTORY_FILE] } else { &[] };
        let stale = optional.iter().copied().filter(|name| !names.contains(name));
        let stale = stale.chain([checkpoint_file::CHECKPOINT_FILE]);
        Ok(FileSet::stage(folder, &self.list())?.removing(stale))
    }
}

/// The interactive viewer; none, with a note unless `quiet`, for Euclidean runs and large graphs.
pub fn viewer(
    run: &Run,
    input: &Input,
    snapshots: &[Snapshot],
    quiet: bool,
) -> anyhow::Result<Option<String>> {
    let reason = if run.config.geometry != Geometry::Poincare {
        "it shows the Poincaré disc, and this run is Euclidean".to_owned()
    } else if run.nodes.len() > MAX_VIEWER_NODES {
        format!("the graph has more than {MAX_VIEWER_NODES} nodes; `hycome plot` writes it")
    } else {
        let loaded = &input.loaded;
        let labels = loaded.labels.as_ref();
        let scene = Scene::compose(run, &loaded.name, Some(&loaded.graph), labels, MAX_EDGES)?;
        return Ok(Some(page::to_html(&scene.with_history(run, snapshots)?)));
    };
    if !quiet {
        notify(&format!("note: {VIEWER} is not written: {reason}"));
    }
    Ok(None)
}
