//! End-to-end trainings, with quality bounds that a broken gradient cannot meet.

use hycome::metrics::{Scores, score};
use hycome::{Graph, Run, TrainConfig, Trainer, datasets};

fn train(graph: &Graph, config: TrainConfig) -> Run {
    let trainer = Trainer::new(graph, config).expect("the settings are sound");
    trainer.train_to_end().expect("training succeeds").run
}

fn scores(name: &str, config: TrainConfig) -> Scores {
    let builtin = datasets::builtin(name).expect("it is built in");
    let (graph, truth) = (builtin.graph(), builtin.truth());
    let run = train(&graph, TrainConfig { communities: Some(truth.class_count), ..config });
    let communities = run.responsibilities().expect("the mixture fits its points").communities();
    score(&graph, &communities, truth.class_count, Some(truth.view()))
}

#[test]
fn karate_communities_differ_from_the_clubs_by_at_most_one_member() {
    for seed in 1..=3 {
        let found = scores("karate", TrainConfig { seed, ..TrainConfig::default() });
        assert!(found.precision_at_1 >= Some(32.0 / 34.0), "seed {seed}: {found:?}");
        assert!(found.conductance < 0.16, "seed {seed}: {found:?}");
    }
}

#[test]
fn football_conferences_are_found_in_two_dimensions() {
    let found = scores("football", TrainConfig { walks: Some(4), ..TrainConfig::default() });
    assert!(found.precision_at_1 >= Some(0.7) && found.nmi >= Some(0.75), "{found:?}");
}

#[test]
fn sequential_sgd_finds_the_same_clubs() {
    let found = scores("karate", TrainConfig { blocks: 0, walks: Some(4), ..TrainConfig::default() });
    assert!(found.precision_at_1 >= Some(32.0 / 34.0), "{found:?}");
}

#[test]
fn isolated_nodes_and_several_components_are_accepted() {
    let (graph, _) = hycome::graph::EdgeList {
        node_count: 12,
        pairs: vec![(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (6, 7)],
        weights: None,
    }
    .build();
    let run = train(&graph, TrainConfig { communities: Some(3), ..TrainConfig::default() });
    assert_eq!(run.responsibilities().expect("the mixture fits its points").communities().len(), 12);
}

#[test]
fn the_points_are_centred() {
    let graph = datasets::builtin("karate").expect("it is built in").graph();
    let run = train(&graph, TrainConfig { communities: Some(2), ..TrainConfig::default() });
    let center = hycome::geometry::barycenter::barycenter(&run.nodes, &[1.0; 34], None).expect("34 weights");
    assert!(center.point.iter().all(|c| c.abs() < 1e-5), "{:?}", center.point);
}

#[test]
fn high_learning_rates_stay_finite_and_count_skipped_updates() {
    let graph = datasets::builtin("karate").expect("it is built in").graph();
    for learning_rate in [1e-6, 0.1, 1.0] {
        let config = TrainConfig {
            communities: Some(2),
            learning_rate: Some(learning_rate),
            alpha: Some(10.0),
            ..TrainConfig::default()
        };
        let run = train(&graph, config);
        assert!(run.nodes.as_slice().iter().all(|c| c.is_finite()));
        assert!(learning_rate > 0.01 || run.dropped_steps() == 0);
    }
}

#[test]
fn two_triangles_joined_by_an_edge_are_two_communities() {
    let graph = Graph::from_edges([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (2, 3)]);
    for seed in 1..=5 {
        let run = train(&graph, TrainConfig { communities: Some(2), seed, ..TrainConfig::default() });
        let found = run.responsibilities().expect("the mixture fits its points").communities();
        assert!(
            found[0] != found[5] && found[..3] == [found[0]; 3] && found[3..] == [found[5]; 3],
            "{found:?}"
        );
    }
}
