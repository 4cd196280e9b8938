//! Targets for label files, with and without their graph.

use std::path::Path;

use hycome::graph::{Labels, NodeNames};
use hycome::io::{looks_like_labels, read_label_file_from_bytes, read_labels_from_bytes};

/// Label file, for a graph with integer names, for one with text names, and without a graph.
pub fn labels(data: &[u8]) {
    let path = Path::new("labels");
    let _ = looks_like_labels(data);
    for names in [NodeNames::numbered(1, 34), NodeNames::from_strings(["a", "b", "été"])] {
        if let Ok(labels) = read_labels_from_bytes(path, data.to_vec(), &names) {
            check(&labels, names.len());
        }
    }
    if let Ok(file) = read_label_file_from_bytes(path, data.to_vec()) {
        check(&file.labels, file.names.len());
    }
}

/// Table of labels with a header, for node names with spaces and commas.
pub fn label_table(data: &[u8]) {
    let path = Path::new("labels.csv");
    let names = NodeNames::from_strings(["a, b", "c d", "0", "1", "été"]);
    for header in
        ["", "node,label\n", "id,name,class\n", "id;page;page_type\n", "node\tcommunity\tprobability\n"]
    {
        let text = [header.as_bytes(), data].concat();
        if let Ok(labels) = read_labels_from_bytes(path, text.clone(), &names) {
            check(&labels, names.len());
        }
        if let Ok(file) = read_label_file_from_bytes(path, text) {
            check(&file.labels, file.names.len());
        }
    }
}

fn check(labels: &Labels, node_count: usize) {
    assert_eq!(labels.node_count(), node_count, "labels cover all nodes");
    assert!(labels.labelled_count() > 0, "a file without labels is rejected");
    for node in 0..node_count as u32 {
        let classes = labels.of(node);
        assert!(classes.is_sorted_by(|a, b| a < b), "classes of {node} are sorted and distinct");
        assert!(classes.iter().all(|&class| (class as usize) < labels.class_count()), "classes have names");
    }
}
