//! Trainings in Euclidean space, and ablations of the losses in every geometry.

use hycome::geometry::Geometry;
use hycome::metrics::{Scores, score};
use hycome::{NodeNames, Run, TrainConfig, Trainer, datasets};

const ALL: [Geometry; 3] = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];

/// Trains on karate; returns the run and its NMI.
fn karate(config: TrainConfig) -> (Run, Scores) {
    let builtin = datasets::builtin("karate").expect("it is built in");
    let (graph, truth) = (builtin.graph(), builtin.truth());
    let restarts = config.restarts.or(Some(4));
    let config = TrainConfig { communities: Some(2), restarts, walks: Some(4), ..config };
    let trainer = Trainer::new(&graph, config)
        .expect("the settings are sound")
        .with_names(NodeNames::numbered(1, graph.node_count()));
    let run = trainer.train_to_end().expect("training succeeds").run;
    let communities = run.responsibilities().expect("the mixture fits its points").communities();
    let scores = score(&graph, &communities, 2, Some(truth.view()));
    (run, scores)
}

fn with(geometry: Geometry, [alpha, beta, gamma]: [f64; 3]) -> TrainConfig {
    TrainConfig {
        geometry,
        alpha: Some(alpha),
        beta,
        gamma: Some(gamma),
        dim: Some(2),
        ..TrainConfig::default()
    }
}

#[test]
fn every_geometry_splits_the_club() {
    for geometry in ALL {
        let (_, found) = karate(with(geometry, [1.0, 1.0, 1.0]));
        assert!(found.precision_at_1 >= Some(31.0 / 34.0), "{geometry:?}: {found:?}");
    }
}

#[test]
fn no_community_becomes_empty_during_training() {
    // Twelve conferences of about ten teams: full covariances of ten points are nearly singular.
    let football = datasets::builtin("football").expect("it is built in");
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        for dim in [2, 5] {
            let config = TrainConfig {
                geometry,
                dim: Some(dim),
                communities: Some(12),
                restarts: Some(1),
                walks: Some(4),
                ..TrainConfig::default()
            };
            let trainer = Trainer::new(&football.graph(), config)
                .expect("the settings are sound")
                .with_names(NodeNames::numbered(1, 115));
            let run = trainer.train_to_end().expect("training succeeds").run;
            let found = run.responsibilities().expect("the mixture fits its points").communities();
            let alive = (0..12).filter(|community| found.contains(community)).count();
            assert!(alive >= 10, "{geometry:?} {dim}: {alive} of 12 communities have nodes");
        }
    }
}

#[test]
fn sequential_sgd_finds_the_same_clubs_in_euclidean_space() {
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        let (_, found) = karate(TrainConfig { blocks: 0, ..with(geometry, [1.0, 1.0, 1.0]) });
        assert!(found.precision_at_1 >= Some(31.0 / 34.0), "{geometry:?}: {found:?}");
    }
}

#[test]
fn any_loss_can_be_disabled_in_every_geometry() {
    for geometry in ALL {
        let (whole, _) = karate(with(geometry, [1.0, 1.0, 1.0]));
        for weights in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]] {
            let (run, found) = karate(with(geometry, weights));
            assert_ne!(run.nodes, whole.nodes, "{geometry:?} {weights:?}: a loss that is left out is missed");
            // O₂ alone separates the clubs; O₁ alone need not.
            let walks = weights[1] > 0.0;
            assert!(
                !walks || found.precision_at_1 >= Some(31.0 / 34.0),
                "{geometry:?} {weights:?}: {found:?}"
            );
        }
    }
}

#[test]
fn without_the_second_order_loss_contexts_keep_their_initial_points() {
    let run =
        |alpha: f64| karate(TrainConfig { restarts: Some(1), ..with(Geometry::Come, [alpha, 0.0, 1.0]) }).0;
    let (one, other) = (run(1.0), run(0.1));
    assert_eq!(one.contexts, other.contexts, "neighbours move nodes alone, and dot products are not centred");
    assert_ne!(one.nodes, other.nodes);
}

#[test]
fn with_gamma_zero_points_are_those_of_a_two_step_training() {
    // With gamma = 0 the mixture is fitted but exerts no gradient: the points are those of O₁ and O₂ alone.
    for geometry in ALL {
        let train = |warmup_epochs: usize, epochs: usize| {
            let curvature = (geometry == Geometry::Poincare).then_some(1.0); // it would grow during the warm-up
            let weights = with(geometry, [1.0, 1.0, 0.0]);
            // Four dimensions have no pre-training, whose share of the epochs would differ.
            karate(TrainConfig {
                warmup_epochs,
                epochs,
                curvature,
                dim: Some(4),
                restarts: Some(1),
                ..weights
            })
            .0
        };
        let (beside, after) = (train(4, 4), train(8, 0));
        assert_eq!(beside.nodes, after.nodes, "{geometry:?}");
    }
}

#[test]
fn euclidean_settings_are_resolved_and_stored() {
    let config = |geometry| TrainConfig { geometry, ..TrainConfig::default() };
    let (come, ball) = (karate(config(Geometry::Come)).0.config, karate(config(Geometry::Poincare)).0.config);
    assert_eq!((come.curvature, come.negatives, come.gamma), (None, Some(5), Some(0.1)));
    assert_eq!((ball.curvature, ball.negatives, ball.gamma), (Some(1.0), Some(2), Some(0.1)));
    let bent = TrainConfig { curvature: Some(2.0), ..with(Geometry::Euclidean, [1.0, 1.0, 1.0]) };
    let message = bent.validate().unwrap_err().to_string();
    assert_eq!(message, "`curvature` must be left out in Euclidean space, but is 2");
}
