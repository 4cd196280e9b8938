//! Determinism: the same seed gives the same bytes on any number of threads.

use hycome::classify::{self, ClassifierConfig, CrossValidation, Method};
use hycome::geometry::Geometry;
use hycome::io::read_graph;
use hycome::mixture::{KMeansConfig, Mixture, MixtureConfig, kmeans_in};
use hycome::rng::{Purpose, stream};
use hycome::train::NegativeSharing;
use hycome::{Graph, Labels, Points, Run, TrainConfig, Trainer};

const GEOMETRIES: [Geometry; 3] = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];

/// Communities of 100 nodes, sparse between and denser within: large enough for several blocks.
fn planted(nodes: u32) -> Graph {
    let mut rng = stream(1, Purpose::Generate, 0, 0);
    let mut edges = Vec::new();
    for node in 0..nodes {
        for _ in 0..4 {
            edges.push((node, node / 100 * 100 + rng.below(100)));
        }
        edges.push((node, rng.below(nodes)));
    }
    Graph::from_edges(edges)
}

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be built");
    pool.install(work)
}

/// Asserts that `work` gives the same result on one thread and on two to eight.
fn same_on_any_threads<T: PartialEq + Send>(what: &str, work: impl Fn() -> T + Send + Sync) {
    let one = on(1, &work);
    for threads in 2..=8 {
        assert!(one == on(threads, &work), "{what}: {threads} threads");
    }
}

fn train(graph: &Graph, threads: usize, config: TrainConfig) -> Run {
    on(threads, || {
        let trainer = Trainer::new(graph, config).expect("the settings are sound");
        trainer.train_to_end().expect("training succeeds").run
    })
}

#[test]
fn result_does_not_depend_on_threads() {
    let graph = planted(1600);
    for dim in [2, 10] {
        let config = TrainConfig {
            dim: Some(dim),
            communities: Some(4),
            walks: Some(1),
            walk_length: 20,
            warmup_epochs: 3,
            epochs: 1,
            ..TrainConfig::default()
        };
        let one = train(&graph, 1, config.clone());
        assert!(one.pairs() > 50_000, "there was something to train");
        assert_eq!(one.history[0].dim, 10, "two dimensions are guided by ten");
        for threads in [2, 3] {
            assert_eq!(one, train(&graph, threads, config.clone()), "dim {dim}, {threads} threads");
        }
    }
}

/// Blocks whose negatives are drawn in several segments and whose occurrences fill more than one partition.
#[test]
fn results_of_large_blocks_do_not_depend_on_threads() {
    let graph = planted(40_000);
    let config = TrainConfig {
        dim: Some(5),
        communities: Some(2),
        blocks: 2,
        walks: Some(1),
        walk_length: 8,
        window: Some(2),
        warmup_epochs: 1,
        epochs: 0,
        ..TrainConfig::default()
    };
    let one = train(&graph, 1, config.clone());
    assert!(one.pairs() > 1_000_000, "there was something to train");
    assert_eq!(one, train(&graph, 2, config));
}

#[test]
fn euclidean_results_do_not_depend_on_threads() {
    let graph = planted(1600);
    for geometry in [Geometry::Come, Geometry::Euclidean] {
        let config = TrainConfig {
            dim: Some(5),
            geometry,
            communities: Some(4),
            walks: Some(1),
            walk_length: 20,
            warmup_epochs: 1,
            epochs: 2,
            ..TrainConfig::default()
        };
        let one = train(&graph, 1, config.clone());
        assert!(one.pairs() > 50_000 && one.dropped_steps() == 0, "there was something to train");
        for threads in [2, 3] {
            assert_eq!(one, train(&graph, threads, config.clone()), "{geometry:?}, {threads} threads");
        }
    }
}

#[test]
fn the_best_of_several_restarts_does_not_depend_on_threads() {
    let graph = planted(400);
    let config = TrainConfig {
        communities: Some(4),
        restarts: Some(3),
        walks: Some(1),
        walk_length: 20,
        warmup_epochs: 1,
        epochs: 1,
        ..TrainConfig::default()
    };
    let one = train(&graph, 1, config.clone());
    assert_eq!(one.restarts.len(), 3);
    for threads in [2, 3] {
        assert_eq!(one, train(&graph, threads, config.clone()), "{threads} threads");
    }
}

#[test]
fn another_seed_gives_another_result() {
    let graph = planted(600);
    let config = |seed| TrainConfig {
        communities: Some(6),
        walks: Some(1),
        warmup_epochs: 1,
        epochs: 0,
        seed,
        ..TrainConfig::default()
    };
    assert_ne!(train(&graph, 1, config(1)).nodes, train(&graph, 1, config(2)).nodes);
}

#[test]
fn every_loss_and_geometry_is_independent_of_threads() {
    let graph = planted(1100);
    for geometry in GEOMETRIES {
        for (weights, negative_sharing) in [
            ([1.0, 0.0, 0.0], NegativeSharing::None),
            ([0.0, 1.0, 0.0], NegativeSharing::Center),
            ([0.0, 1.0, 1.0], NegativeSharing::None),
            ([1.0, 1.0, 1.0], NegativeSharing::Center),
        ] {
            let [alpha, beta, gamma] = weights;
            let config = TrainConfig {
                dim: Some(3),
                geometry,
                communities: Some(4),
                alpha: Some(alpha),
                beta,
                gamma: Some(gamma),
                negative_sharing,
                walks: Some(1),
                walk_length: 6,
                warmup_epochs: 1,
                epochs: 1,
                ..TrainConfig::default()
            };
            let one = train(&graph, 1, config.clone());
            let all_losses = weights == [1.0; 3];
            for threads in (2..=8).filter(|threads| all_losses || [2, 8].contains(threads)) {
                let other = train(&graph, threads, config.clone());
                assert!(one == other, "{geometry:?} {weights:?}: {threads} threads");
            }
        }
    }
}

/// Four clusters of points, valid in the ball and in Euclidean space.
fn clouds(dim: usize) -> (Points, Labels) {
    let mut rng = stream(5, Purpose::Generate, 0, dim as u64);
    let nodes = 1500;
    let mut points = Points::zeros(nodes, dim);
    for i in 0..nodes {
        let center = [[0.5, 0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, -0.5]][i % 4];
        for (j, c) in points.row_mut(i).iter_mut().enumerate() {
            *c = center.get(j).copied().unwrap_or(0.0) + 0.1 * (rng.unit() - 0.5);
        }
    }
    let names = (0..4).map(|class| class.to_string()).collect();
    (points, Labels::from_lists(names, (0..nodes as u32).map(|i| vec![i % 4]).collect()))
}

#[test]
fn fits_and_clusters_do_not_depend_on_threads() {
    for geometry in GEOMETRIES {
        let (points, _) = clouds(3);
        let config = MixtureConfig { communities: 5, max_iterations: 10, ..MixtureConfig::default() };
        same_on_any_threads(&format!("a mixture, {geometry:?}"), || {
            let fit = Mixture::fit(geometry, &points, &config, 1).expect("the points are sound");
            let responsibilities = fit.mixture.responsibilities(&points).expect("the points are sound");
            (fit, responsibilities)
        });
        same_on_any_threads(&format!("K-means, {geometry:?}"), || {
            kmeans_in(geometry, &points, 5, &KMeansConfig::default(), 1).expect("the points are sound")
        });
    }
}

#[test]
fn classifiers_do_not_depend_on_threads() {
    let (points, labels) = clouds(3);
    for geometry in GEOMETRIES {
        for method in Method::ALL.into_iter().filter(|method| method.supports(geometry)) {
            let config = ClassifierConfig { method, geometry, ..ClassifierConfig::default() };
            let few = Points::new(3, points.as_slice()[..3 * 600].to_vec());
            let few_labels = labels.subset(&(0..600).collect::<Vec<u32>>());
            same_on_any_threads(&format!("{} in {geometry:?}", method.name()), || {
                let learnt = classify::fit(&points, &labels, &config).expect("the points are sound");
                let scores = learnt.classifier.scores(&few).expect("the points are sound");
                let folds = CrossValidation { folds: 3, runs: 1, seed: 1 };
                let validation = classify::cross_validate(&few, &few_labels, &config, &folds);
                (learnt, scores, validation.expect("the points are sound"))
            });
        }
    }
}

#[test]
fn graph_reading_does_not_depend_on_threads() {
    let mut rng = stream(9, Purpose::Generate, 0, 0);
    let mut line = |_| format!("n{} n{} {}\n", rng.below(5000), rng.below(5000), 1 + rng.below(9));
    let text: String = (0..200_000).map(&mut line).collect();
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("edges.txt");
    std::fs::write(&path, text).expect("there is room");
    same_on_any_threads("an edge list", || {
        let loaded = read_graph(&path).expect("the file is sound");
        let weights = loaded.graph.all_weights().map(<[f32]>::to_vec);
        assert!(weights.is_some(), "it has weights");
        (loaded.graph.offsets().to_vec(), loaded.graph.targets().to_vec(), weights, loaded.names)
    });
}
