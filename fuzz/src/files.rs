//! Files of our own. What is accepted is written again and read again as the same.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use hycome::io::{checkpoint_file, graph_file as hyg, history_file, model_file, run_file};
use hycome::{Points, Run};
use tempfile::TempDir;

use crate::graphs;
use crate::mend::mend;

/// Tensors of a graph file that check themselves and have no checksum.
pub(crate) const UNSUMMED: [&str; 2] = ["targets", "weights"];

/// A graph of ours, mapped from a file.
pub fn graph_file(data: &[u8]) {
    thread_local!(static FOLDER: RefCell<TempDir> = RefCell::new(graphs::memory_folder()));
    let data = mend(data, &UNSUMMED);
    FOLDER.with_borrow(|folder| {
        let (path, again) = (folder.path().join("a.hyg"), folder.path().join("again.hyg"));
        fs::write(&path, &data).expect("the folder is ours");
        let Ok(Some(loaded)) = hyg::open(&path) else { return };
        graphs::check(&loaded);
        hyg::save(&loaded, &again).expect("what was read can be written");
        let read = hyg::open(&again).expect("what was written can be read").expect("it is a graph file");
        assert_eq!((&read.graph, &read.names, &read.labels), (&loaded.graph, &loaded.names, &loaded.labels));
    });
}

/// A run.
pub fn run(data: &[u8]) {
    let path = Path::new("run");
    let Ok(run) = run_file::from_bytes(&mend(data, &[]), path) else { return };
    let written = run_file::to_bytes(&run, path).expect("what was read can be written");
    assert_eq!(run_file::from_bytes(&written, path).expect("what was written can be read"), run);
    check_run(&run);
}

fn check_run(run: &Run) {
    assert_eq!(run.names.len(), run.nodes.len(), "a name for each node");
    let points = [&run.nodes, &run.contexts, run.mixture.means()];
    let finite =
        points.iter().all(|points| points.as_slice().iter().all(|coordinate| coordinate.is_finite()));
    assert!(finite, "points are finite");
    if let Ok(responsibilities) = run.responsibilities() {
        let communities = responsibilities.communities();
        assert_eq!(communities.len(), run.nodes.len(), "a community for each node");
        assert!(communities.iter().all(|&community| (community as usize) < run.mixture.len()));
        let mut rows = (0..run.nodes.len()).flat_map(|node| responsibilities.row(node));
        assert!(rows.all(|p| (0.0..=1.0 + 1e-9).contains(p)), "responsibilities are probabilities");
    }
}

/// A training under way.
pub fn checkpoint(data: &[u8]) {
    let path = Path::new("checkpoint");
    let Ok((checkpoint, origin)) = checkpoint_file::from_bytes(&mend(data, &[]), path) else { return };
    let written = checkpoint_file::to_bytes(&checkpoint, &origin);
    let (again, _) = checkpoint_file::from_bytes(&written, path).expect("what was written can be read");
    // Bytes and not values are compared, for one that is not a number differs from itself.
    assert_eq!(checkpoint_file::to_bytes(&again, &origin), written, "the same checkpoint");
    let _ = checkpoint.check(34);
}

/// A majority needs no points, so its file may say any dimension; points of that many are not made.
const WIDEST: usize = 1 << 16;

/// A classifier.
pub fn model(data: &[u8]) {
    let path = Path::new("model");
    let Ok(classifier) = model_file::from_bytes(&mend(data, &[]), path) else { return };
    let written = model_file::to_bytes(&classifier);
    let again = model_file::from_bytes(&written, path).expect("what was written can be read");
    assert_eq!(model_file::to_bytes(&again), written, "the same classifier");
    if classifier.dim <= WIDEST
        && let Ok(scores) = classifier.scores(&Points::zeros(1, classifier.dim))
    {
        let probabilities = scores.probabilities(0);
        assert_eq!(probabilities.len(), classifier.classes.len(), "a probability for each class");
        assert!(probabilities.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{probabilities:?}");
    }
}

/// Points of each epoch.
pub fn history(data: &[u8]) {
    let path = Path::new("history");
    let Ok(snapshots) = history_file::from_bytes(&mend(data, &[]), path) else { return };
    let written = history_file::to_bytes(&snapshots, b"run");
    // A history without frames has no shape that could be written.
    if !snapshots.is_empty() {
        let again = history_file::from_bytes(&written, path).expect("what was written can be read");
        assert_eq!(again, snapshots, "the same history");
    }
}
