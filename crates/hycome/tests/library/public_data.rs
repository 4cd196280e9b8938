//! The published graphs: reading their files, and counts of nodes, edges and labels.
//!
//! The files are not part of the repository. They are read from `HYCOME_DATA`, by default `data/` in the repository. Tests whose
//! files are missing are skipped with a message, or fail if `HYCOME_DATA` is set.

use std::path::{Path, PathBuf};

use hycome::graph::RepeatedEdges;
use hycome::io::{LoadedGraph, ReadOptions, read_graph_with, read_labels};
use hycome::{Labels, NodeNames};

/// Published counts of a graph.
struct Facts {
    nodes: usize,
    edges: usize,
    rows: usize,
    self_loops: usize,
    classes: usize,
    largest_label_count: usize,
    largest_component: (usize, usize),
}

/// Path of a published file, if the files are available.
fn public(file: &str) -> Option<PathBuf> {
    let given = std::env::var_os("HYCOME_DATA").map(PathBuf::from);
    let is_given = given.is_some();
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data"));
    let path = folder.join(file);
    if path.exists() {
        return Some(path);
    }
    assert!(!is_given, "{} is missing", path.display());
    println!("skipped: {} is missing; set HYCOME_DATA to the folder of the published graphs", path.display());
    None
}

fn check(file: &str, labels: Option<&str>, facts: &Facts) -> Option<(LoadedGraph, Labels)> {
    // Published results are about simple graphs.
    let options = ReadOptions { repeated: RepeatedEdges::Max, ..ReadOptions::default() };
    let loaded = read_graph_with(&public(file)?, &options).unwrap();
    let labels = match labels {
        Some(labels) => read_labels(&public(labels)?, &loaded.names).unwrap(),
        None => loaded.labels.clone().expect("the file holds labels"),
    };
    let graph = &loaded.graph;
    assert_eq!(graph.node_count(), facts.nodes, "nodes of {file}");
    assert_eq!(loaded.names.len(), facts.nodes, "names of {file}");
    assert_eq!(graph.edge_count(), facts.edges, "edges of {file}");
    assert_eq!(loaded.rows, facts.rows, "rows of {file}");
    assert_eq!(loaded.stats.self_loops, facts.self_loops, "self loops of {file}");
    assert_eq!(loaded.stats.zero_weights, 0, "zero weights of {file}");
    assert_eq!(loaded.stats.repeats, facts.rows - facts.self_loops - facts.edges, "repeats of {file}");
    assert_eq!(labels.used_class_count(), facts.classes, "classes of {file}");
    assert_eq!(labels.labelled_count(), facts.nodes, "labelled nodes of {file}");
    let most = graph.nodes().map(|node| labels.of(node).len()).max();
    assert_eq!(most, Some(facts.largest_label_count), "labels of a node of {file}");
    assert_eq!(labels.is_multi_label(), facts.largest_label_count > 1);
    let largest = graph.largest_component();
    let between = graph.induced(&largest);
    assert_eq!((between.node_count(), between.edge_count()), facts.largest_component, "component of {file}");
    Some((loaded, labels))
}

#[test]
fn karate_is_as_published() {
    let facts = Facts {
        nodes: 34,
        edges: 78,
        rows: 78,
        self_loops: 0,
        classes: 2,
        largest_label_count: 1,
        largest_component: (34, 78),
    };
    let Some((loaded, labels)) = check("karate/karate.gml", Some("karate/communities.txt"), &facts) else {
        return;
    };
    assert_eq!((loaded.name.as_str(), loaded.format), ("karate", "GML"));
    assert_eq!(loaded.names, NodeNames::numbered(1, 34));
    assert_eq!(labels.class_sizes(), [17, 17]);
    assert!(loaded.graph.neighbors(22).contains(&33), "the edge 23 – 34");
    assert!(!loaded.graph.is_weighted());
}

#[test]
fn polblogs_is_as_published() {
    let facts = Facts {
        nodes: 1490,
        edges: 16_715,
        rows: 19_090,
        self_loops: 3,
        classes: 2,
        largest_label_count: 1,
        largest_component: (1222, 16_714),
    };
    let Some((loaded, labels)) = check("polblogs/polblogs.gml", None, &facts) else { return };
    let graph = &loaded.graph;
    assert_eq!(graph.nodes().filter(|&node| graph.degree(node) == 0).count(), 266);
    assert_eq!(graph.component_count(), 266 + 2);
    assert_eq!((labels.class_names(), labels.class_sizes()), (&["0".into(), "1".into()][..], vec![758, 732]));
    assert_eq!(loaded.names.name(0), "100monkeystyping.com");
    let decoded = "charlineandjamie.com/dotnetweb01a/blogdisplay.aspx?logname=jamie&logcatid=48";
    assert!(loaded.names.index().get(decoded).is_some(), "entities are decoded");
}

#[test]
fn books_is_as_published() {
    let facts = Facts {
        nodes: 105,
        edges: 441,
        rows: 441,
        self_loops: 0,
        classes: 3,
        largest_label_count: 1,
        largest_component: (105, 441),
    };
    let Some((loaded, labels)) = check("books/polbooks.gml", None, &facts) else { return };
    assert_eq!(
        (labels.class_names(), labels.class_sizes()),
        (&["c".into(), "l".into(), "n".into()][..], vec![49, 43, 13])
    );
    assert_eq!(loaded.names.name(0), "1000 Years for Revenge");
}

#[test]
fn football_is_as_published() {
    let facts = Facts {
        nodes: 115,
        edges: 613,
        rows: 613,
        self_loops: 0,
        classes: 12,
        largest_label_count: 1,
        largest_component: (115, 613),
    };
    let Some((loaded, labels)) = check("football/football.gml", None, &facts) else { return };
    assert!(loaded.names.index().get("TexasA&M").is_some());
    assert_eq!(labels.class_name(11), "11", "classes are ordered by value");
}

#[test]
fn dblp_is_as_published() {
    let facts = Facts {
        nodes: 13_184,
        edges: 47_937,
        rows: 95_955,
        self_loops: 81,
        classes: 5,
        largest_label_count: 1,
        largest_component: (13_184, 47_937),
    };
    let Some((loaded, labels)) = check("dblp/Dblp.mat", Some("dblp/Dblp.labels"), &facts) else { return };
    assert_eq!(labels.class_sizes(), [2098, 2167, 1973, 5019, 1927]);
    assert!(!loaded.graph.is_weighted(), "weights that are all one are none");
}

#[test]
fn wikipedia_is_as_published() {
    let facts = Facts {
        nodes: 4777,
        edges: 92_295,
        rows: 184_812,
        self_loops: 222,
        classes: 40,
        largest_label_count: 9,
        largest_component: (4777, 92_295),
    };
    let Some((loaded, labels)) = check("wikipedia/POS.mat", None, &facts) else { return };
    assert!(loaded.graph.is_weighted());
    let sizes = labels.class_sizes();
    assert_eq!((sizes.iter().sum::<usize>(), sizes.iter().max()), (6770, Some(&2246)));
    assert_eq!(sizes.iter().filter(|&&size| size == 1).count(), 8);
}

#[test]
fn blogcatalog_is_as_published_and_the_same_in_both_forms() {
    let facts = Facts {
        nodes: 10_312,
        edges: 333_983,
        rows: 333_983,
        self_loops: 0,
        classes: 39,
        largest_label_count: 11,
        largest_component: (10_312, 333_983),
    };
    let Some((folder, folder_labels)) = check("blogcatalog", None, &facts) else { return };
    let twice = Facts { rows: 2 * 333_983, ..facts };
    let Some((matlab, matlab_labels)) = check("blogcatalog/blogcatalog.mat", None, &twice) else { return };
    assert_eq!(folder.graph, matlab.graph);
    assert_eq!(folder.names, matlab.names);
    assert_eq!(folder_labels, matlab_labels);
    assert_eq!(
        (folder.name.as_str(), folder.format, matlab.format),
        ("blogcatalog", "CSV folder", "MATLAB 5")
    );
    let sizes = folder_labels.class_sizes();
    assert_eq!((sizes.iter().min(), sizes.iter().max(), sizes.iter().sum()), (Some(&8), Some(&1623), 14_476));
}

#[test]
fn the_manifest_is_true_of_the_published_files() {
    let Some(first) = public("dblp/Dblp.mat") else { return };
    let folder = first.parent().and_then(Path::parent).expect("it is in a folder of a folder");
    for dataset in hycome::datasets::MANIFEST.iter().filter(|dataset| dataset.find(folder).is_some()) {
        let loaded = dataset.load(Some(folder)).unwrap().expect("its files were found");
        let labels = loaded.labels.expect("its labels are with it");
        let counts = (loaded.graph.node_count(), loaded.graph.edge_count(), labels.used_class_count());
        assert_eq!(counts, (dataset.nodes, dataset.edges, dataset.communities), "{}", dataset.name);
        assert_eq!(labels.is_multi_label(), dataset.multi_label, "{}", dataset.name);
        for file in dataset.files {
            let bytes = std::fs::metadata(folder.join(file.path)).unwrap().len();
            assert_eq!(Some(bytes), file.bytes, "{}", file.path);
        }
    }
}
