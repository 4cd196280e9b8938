//! Communities are numbered by size, in the result and in every snapshot.

use hycome::geometry::Geometry;
use hycome::geometry::poincare::distance;
use hycome::metrics::cluster_sizes;
use hycome::{TrainConfig, Trainer, datasets};

#[test]
fn community_zero_is_the_largest_in_every_geometry() {
    let football = datasets::builtin("football").expect("it is built in").graph();
    for geometry in [Geometry::Poincare, Geometry::Come, Geometry::Euclidean] {
        for seed in 1..=2 {
            let config = TrainConfig {
                geometry,
                seed,
                communities: Some(7),
                walks: Some(2),
                restarts: Some(1),
                ..TrainConfig::default()
            };
            let trainer = Trainer::new(&football, config).unwrap();
            let run = trainer.train_to_end().unwrap().run;
            let communities = run.responsibilities().unwrap().communities();
            let sizes = cluster_sizes(&communities, 7);
            assert!(sizes.is_sorted_by(|a, b| a >= b), "{}: {sizes:?}", geometry.name());
        }
    }
}

#[test]
fn snapshots_use_the_numbering_of_the_result() {
    let football = datasets::builtin("football").expect("it is built in").graph();
    let config =
        TrainConfig { communities: Some(5), walks: Some(2), restarts: Some(2), ..TrainConfig::default() };
    let trained = Trainer::new(&football, config).unwrap().with_snapshots().train_to_end().unwrap();
    let (run, snapshots) = (trained.run, trained.snapshots);
    let last = snapshots
        .last()
        .and_then(|snapshot| snapshot.mixture.as_ref())
        .expect("the last epoch has a mixture");
    let fitted = run.mixture.hyperbolic().expect("it is one of the ball");
    // Between the last epoch and the result, a component moves less than its distance from the others.
    for k in 0..5 {
        let nearest = (0..5).min_by(|&a, &b| {
            let to = |c: usize| distance(last.means.row(k), fitted.means.row(c));
            to(a).total_cmp(&to(b))
        });
        assert_eq!(nearest, Some(k));
    }
}
