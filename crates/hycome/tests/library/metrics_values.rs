//! Metrics against reference values from networkx, scikit-learn and SciPy.
//!
//! `data/metric_values.json` holds partitions of the built-in graphs with their values and the versions of
//! the programs; `tools/metric_values.py` wrote it. Cases that list edges are weighted. Cases without a `truth` are scored against the classes
//! of their graph.

use hycome::{
    Graph,
    datasets::builtin,
    graph::EdgeList,
    metrics::{GroundTruth, conductance, score},
};
use serde_json::Value;

/// Both programs sum at most some hundred terms in double precision.
const TOLERANCE: f64 = 1e-12;

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../data/metric_values.json")).expect("it is JSON");
    file["cases"].as_array().expect("cases are a list").clone()
}

fn numbers(list: &Value) -> Vec<u32> {
    list.as_array().expect("a list").iter().map(|id| id.as_u64().expect("an id") as u32).collect()
}

/// The graph of edges `[source, target, weight]`.
fn weighted(node_count: usize, edges: &[Value]) -> Graph {
    let end = |edge: &Value, at: usize| edge[at].as_u64().expect("a node") as u32;
    let pairs = edges.iter().map(|edge| (end(edge, 0), end(edge, 1))).collect();
    let weights = edges.iter().map(|edge| edge[2].as_f64().expect("a weight") as f32).collect();
    EdgeList { node_count, pairs, weights: Some(weights) }.build().0
}

fn assert_close(actual: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().expect("a number");
    assert!((actual - expected).abs() < TOLERANCE, "{what}: {actual} instead of {expected}");
}

#[test]
fn metrics_agree_with_reference_implementations() {
    let cases = cases();
    assert!(cases.len() >= 20);
    for case in &cases {
        let builtin = builtin(case["graph"].as_str().expect("a name")).expect("it is built in");
        let communities = numbers(&case["communities"]);
        let community_count = case["conductance"].as_array().expect("a list").len();
        let truth = match case["truth"].as_array() {
            None => builtin.truth(),
            Some(lists) => {
                let lists: Vec<Vec<u32>> = lists.iter().map(numbers).collect();
                GroundTruth::from_lists(lists.iter().map(Vec::as_slice))
            }
        };
        let graph = match case["edges"].as_array() {
            None => builtin.graph(),
            Some(edges) => weighted(builtin.graph().node_count(), edges),
        };
        let scores = score(&graph, &communities, community_count, Some(truth.view()));
        assert_eq!(scores.weighted, graph.is_weighted());

        let what = |metric: &str| format!("{}, {}: {metric}", builtin.name, case["partition"]);
        for (k, actual) in conductance(&graph, &communities, community_count).into_iter().enumerate() {
            assert_close(actual, &case["conductance"][k], &what("conductance"));
        }
        assert_close(scores.conductance, &case["mean_conductance"], &what("mean conductance"));
        assert_close(scores.modularity, &case["modularity"], &what("modularity"));
        for (metric, actual) in [
            ("nmi", scores.nmi),
            ("nmi_paper", scores.nmi_paper),
            ("ami", scores.ami),
            ("ari", scores.ari),
            ("precision_at_1", scores.precision_at_1),
            ("precision_at_1_by_size", scores.precision_at_1_by_size),
        ] {
            match actual {
                Some(actual) => assert_close(actual, &case[metric], &what(metric)),
                None => assert!(case[metric].is_null(), "{}", what(metric)),
            }
        }
    }
}

#[test]
fn classes_of_the_builtin_graphs_score_perfectly_against_themselves() {
    for builtin in &hycome::datasets::ALL {
        let truth = builtin.truth();
        let scores = score(&builtin.graph(), &truth.classes, truth.class_count, Some(truth.view()));
        assert!((scores.nmi.expect("there are classes") - 1.0).abs() < TOLERANCE);
        assert_eq!((scores.ami, scores.ari, scores.precision_at_1), (Some(1.0), Some(1.0), Some(1.0)));
        assert_eq!(scores.precision_at_1_by_size, Some(1.0));
    }
}
