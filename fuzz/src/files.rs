//! Targets for files that hycome writes: accepted input must survive a round trip.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use hycome::io::{checkpoint_file, graph_file as hyg, history_file, model_file, run_file};
use hycome::{Points, Run};
use tempfile::TempDir;

use crate::graphs;
use crate::repair::repair;

/// Tensors of a graph file that the checksum excludes, as they are validated by their own invariants.
pub(crate) const UNCHECKSUMMED: [&str; 2] = ["targets", "weights"];

/// Memory-mapped graph file.
pub fn graph_file(data: &[u8]) {
    thread_local!(static FOLDER: RefCell<TempDir> = RefCell::new(graphs::memory_folder()));
    let data = repair(data, &UNCHECKSUMMED);
    FOLDER.with_borrow(|folder| {
        let (path, again) = (folder.path().join("a.hyg"), folder.path().join("again.hyg"));
        fs::write(&path, &data).expect("the temporary folder is writable");
        let Ok(Some(loaded)) = hyg::open(&path) else { return };
        graphs::check(&loaded);
        hyg::save(&loaded, &again).expect("a parsed file can be written");
        let read = hyg::open(&again).expect("a written file can be parsed").expect("it is a graph file");
        assert_eq!((&read.graph, &read.names, &read.labels), (&loaded.graph, &loaded.names, &loaded.labels));
    });
}

/// Run file.
pub fn run(data: &[u8]) {
    let path = Path::new("run");
    let Ok(run) = run_file::from_bytes(&repair(data, &[]), path) else { return };
    let written = run_file::to_bytes(&run, path).expect("a parsed file can be written");
    assert_eq!(run_file::from_bytes(&written, path).expect("a written file can be parsed"), run);
    check_run(&run);
}

fn check_run(run: &Run) {
    assert_eq!(run.names.len(), run.nodes.len(), "one name per node");
    let points = [&run.nodes, &run.contexts, run.mixture.means()];
    let finite =
        points.iter().all(|points| points.as_slice().iter().all(|coordinate| coordinate.is_finite()));
    assert!(finite, "points are finite");
    if let Ok(responsibilities) = run.responsibilities() {
        let communities = responsibilities.communities();
        assert_eq!(communities.len(), run.nodes.len(), "one community per node");
        assert!(communities.iter().all(|&community| (community as usize) < run.mixture.len()));
        let mut rows = (0..run.nodes.len()).flat_map(|node| responsibilities.row(node));
        assert!(rows.all(|p| (0.0..=1.0 + 1e-9).contains(p)), "responsibilities are probabilities");
    }
}

/// Checkpoint.
pub fn checkpoint(data: &[u8]) {
    let path = Path::new("checkpoint");
    let Ok((checkpoint, origin)) = checkpoint_file::from_bytes(&repair(data, &[]), path) else { return };
    let written = checkpoint_file::to_bytes(&checkpoint, &origin);
    let (again, _) = checkpoint_file::from_bytes(&written, path).expect("a written file can be parsed");
    // Bytes are compared instead of values, since NaN differs from itself.
    assert_eq!(checkpoint_file::to_bytes(&again, &origin), written, "the same checkpoint");
    let _ = checkpoint.check(34);
}

/// Maximum dimension of a classifier that is evaluated: a majority classifier may declare any.
const MAX_DIM: usize = 1 << 16;

/// Model file.
pub fn model(data: &[u8]) {
    let path = Path::new("model");
    let Ok(classifier) = model_file::from_bytes(&repair(data, &[]), path) else { return };
    let written = model_file::to_bytes(&classifier);
    let again = model_file::from_bytes(&written, path).expect("a written file can be parsed");
    assert_eq!(model_file::to_bytes(&again), written, "the same classifier");
    if classifier.dim <= MAX_DIM
        && let Ok(scores) = classifier.scores(&Points::zeros(1, classifier.dim))
    {
        let probabilities = scores.probabilities(0);
        assert_eq!(probabilities.len(), classifier.classes.len(), "one probability per class");
        assert!(probabilities.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{probabilities:?}");
    }
}

/// History file.
pub fn history(data: &[u8]) {
    let path = Path::new("history");
    let Ok(snapshots) = history_file::from_bytes(&repair(data, &[]), path) else { return };
    let written = history_file::to_bytes(&snapshots, b"run");
    // A history without frames cannot be written, since its tensors have no shape.
    if !snapshots.is_empty() {
        let again = history_file::from_bytes(&written, path).expect("a written file can be parsed");
        assert_eq!(again, snapshots, "the same history");
    }
}
