//! Trainings in flat space, and trainings with losses left out, in every geometry.

use std::ops::ControlFlow;

use hycome::geometry::Geometry;
use hycome::metrics::{Scores, score};
use hycome::{NodeNames, Run, TrainConfig, Trainer, datasets};

const ALL: [Geometry; 3] = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];

/// A training of karate in four dimensions, and how good it is.
fn karate(config: TrainConfig) -> (Run, Scores) {
    let builtin = datasets::builtin("karate").expect("it is built in");
    let (graph, truth) = (builtin.graph(), builtin.truth());
    let config = TrainConfig { communities: Some(2), starts: Some(4), walks: 4, ..config };
    let mut trainer = Trainer::new(&graph, config).expect("the settings are sound");
    trainer.train(&mut |_| ControlFlow::Continue(())).expect("training succeeds");
    let run = trainer.into_run(NodeNames::numbered(1, graph.node_count()));
    let communities = run.responsibilities().expect("the mixture fits its points").communities();
    let scores = score(&graph, &communities, 2, Some(truth.view()));
    (run, scores)
}

fn with(geometry: Geometry, [alpha, beta, gamma]: [f64; 3]) -> TrainConfig {
    TrainConfig { geometry, alpha, beta, gamma: Some(gamma), dim: 4, ..TrainConfig::default() }
}

#[test]
fn every_geometry_splits_the_club() {
    for geometry in ALL {
        for dim in [2, 4] {
            let (_, found) = karate(TrainConfig { dim, ..with(geometry, [1.0, 1.0, 1.0]) });
            assert!(found.precision_at_1 >= Some(29.0 / 34.0), "{geometry:?} {dim}: {found:?}");
        }
    }
}

#[test]
fn plain_order_finds_the_same_club_in_flat_space() {
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        let (_, found) = karate(TrainConfig { blocks: 0, dim: 2, ..with(geometry, [1.0, 1.0, 1.0]) });
        assert!(found.precision_at_1 >= Some(29.0 / 34.0), "{geometry:?}: {found:?}");
    }
}

#[test]
fn any_loss_can_be_left_out_in_every_geometry() {
    for geometry in ALL {
        let (whole, _) = karate(with(geometry, [1.0, 1.0, 1.0]));
        for weights in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]] {
            let (run, found) = karate(with(geometry, weights));
            assert_ne!(run.nodes, whole.nodes, "{geometry:?} {weights:?}: a loss that is left out is missed");
            // Walks alone find the club; neighbours alone need not.
            let walks = weights[1] > 0.0;
            assert!(
                !walks || found.precision_at_1 >= Some(29.0 / 34.0),
                "{geometry:?} {weights:?}: {found:?}"
            );
        }
    }
}

#[test]
fn neighbors_alone_find_the_club_where_they_are_told_from_noise() {
    let (_, found) = karate(with(Geometry::Come, [1.0, 0.0, 0.0]));
    assert!(found.precision_at_1 >= Some(29.0 / 34.0), "{found:?}");
}

#[test]
fn without_walks_contexts_stay_where_they_started() {
    let contexts = |alpha: f64| karate(with(Geometry::Come, [alpha, 0.0, 1.0])).0.contexts;
    let (one, other) = (contexts(1.0), contexts(0.1));
    assert_eq!(one, other, "neighbours move nodes alone, and dot products are not centred");
}

#[test]
fn without_communities_the_two_step_way_remains() {
    // With gamma = 0 the mixture is fitted and moves nothing: the points are those of walks and neighbours.
    for geometry in ALL {
        let config = |epochs: usize| TrainConfig {
            warmup_epochs: 8 - epochs,
            curvature: (geometry == Geometry::Poincare).then_some(1.0),
            starts: Some(1),
            ..with(geometry, [1.0, 1.0, 0.0])
        };
        let train = |config: TrainConfig| {
            let graph = datasets::builtin("karate").expect("it is built in").graph();
            let config = TrainConfig { communities: Some(2), walks: 1, ..config };
            let mut trainer = Trainer::new(&graph, config).expect("the settings are sound");
            trainer.train(&mut |_| ControlFlow::Continue(())).expect("training succeeds");
            trainer.into_run(NodeNames::numbered(1, 34))
        };
        let (beside, after) = (train(config(4)), train(config(0)));
        let far = beside.nodes.as_slice().iter().zip(after.nodes.as_slice());
        let far = far.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-4, "{geometry:?}: {far}");
    }
}

#[test]
fn settings_of_flat_space_are_resolved_and_kept() {
    let config = |geometry| TrainConfig { geometry, dim: 4, ..TrainConfig::default() };
    let (come, ball) = (karate(config(Geometry::Come)).0.config, karate(config(Geometry::Poincare)).0.config);
    assert_eq!((come.curvature, come.negatives, come.gamma), (None, Some(5), Some(0.1)));
    assert_eq!((ball.curvature, ball.negatives, ball.gamma), (Some(1.0), Some(2), Some(1.0)));
    let bent = TrainConfig { curvature: Some(2.0), ..with(Geometry::Euclidean, [1.0, 1.0, 1.0]) };
    let message = bent.validate().unwrap_err().to_string();
    assert_eq!(message, "`curvature` must be left out where space is flat, but is 2");
}
