//! Extreme points, graphs, weights and settings: a finite result or an error, never NaN.

use std::path::Path;

use hycome::classify::{self, ClassifierConfig, Method};
use hycome::geometry::{Geometry, barycenter::barycenter, poincare};
use hycome::graph::EdgeList;
use hycome::io::{model_file, run_file};
use hycome::metrics::{GroundTruth, score};
use hycome::mixture::{KMeansConfig, Mixture, MixtureConfig, kmeans_in};
use hycome::rng::{Purpose, Stream, stream};
use hycome::{Error, Graph, Labels, Points, Run, TrainConfig, Trainer};
use proptest::prelude::*;

const GEOMETRIES: [Geometry; 3] = [Geometry::Poincare, Geometry::Come, Geometry::Euclidean];

/// Smallest distance of test points from the boundary.
const FARTHEST: f64 = 1.0 - 1e-12;

/// A random vector of this length.
fn of_norm(norm: f64, dim: usize, rng: &mut Stream) -> Vec<f64> {
    let direction: Vec<f64> = (0..dim).map(|_| rng.normal()).collect();
    let length = poincare::norm(&direction);
    direction.iter().map(|c| c * norm / length).collect()
}

/// Points near the boundary, near the origin and between; every fifth repeats the previous one.
fn extreme(count: usize, dim: usize, seed: u64) -> Points {
    let mut rng = stream(seed, Purpose::Generate, dim as u64, count as u64);
    let mut points = Points::zeros(count, dim);
    for i in 0..count {
        let x = match i % 5 {
            0 => of_norm(FARTHEST, dim, &mut rng),
            1 => of_norm(1e-300, dim, &mut rng),
            2 => of_norm(1.0 - 10f64.powf(-12.0 * rng.unit()), dim, &mut rng),
            3 => of_norm(rng.unit(), dim, &mut rng),
            _ => points.row(i - 1).to_vec(),
        };
        points.row_mut(i).copy_from_slice(&x);
    }
    points
}

fn is_sound(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite())
}

/// Whether an error is about the input, as opposed to a bug.
fn is_sentence(error: &Error) -> bool {
    matches!(error, Error::Config { .. } | Error::Graph(_) | Error::NotFinite { .. })
}

/// Asserts that a fitted mixture and its probabilities are valid, or the fit is refused.
fn check_fit(geometry: Geometry, points: &Points, communities: usize) {
    let config =
        MixtureConfig { max_iterations: 20, ..MixtureConfig::for_geometry(geometry, points, communities) };
    let what =
        format!("{geometry:?}, {} points of {} dimensions, K = {communities}", points.len(), points.dim());
    match Mixture::fit(geometry, points, &config, 1) {
        Ok(fit) => {
            assert!(fit.log_likelihood.is_finite(), "{what}: {}", fit.log_likelihood);
            check_mixture(&fit.mixture, points, &what);
        }
        Err(error) => assert!(is_sentence(&error), "{what}: {error}"),
    }
    match kmeans_in(geometry, points, communities, &KMeansConfig::default(), 1) {
        Ok(found) => {
            assert!(is_sound(found.means.as_slice()) && found.inertia.is_finite(), "{what}");
            assert!(found.assignment.iter().all(|&c| (c as usize) < communities), "{what}");
        }
        Err(error) => assert!(is_sentence(&error), "{what}: {error}"),
    }
}

fn check_mixture(mixture: &Mixture, points: &Points, what: &str) {
    assert!(is_sound(mixture.weights()) && is_sound(mixture.means().as_slice()), "{what}: {mixture:?}");
    assert!(mixture.scales().is_none_or(|scales| scales.iter().all(|&s| s.is_finite() && s > 0.0)), "{what}");
    let responsibilities = mixture.responsibilities(points).unwrap_or_else(|error| panic!("{what}: {error}"));
    for row in responsibilities.rows() {
        let sum: f64 = row.iter().sum();
        assert!(
            row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)) && (sum - 1.0).abs() < 1e-6,
            "{what}: {row:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn points_at_the_surface_have_distances_means_and_communities(
        (count, dim, communities, seed) in (1usize..60, 2usize..12, 1usize..8, 0u64..1000)
    ) {
        let points = extreme(count, dim, seed);
        for i in 0..count {
            let (x, y) = (points.row(i), points.row((i + 1) % count));
            let distance = poincare::distance(x, y);
            prop_assert!(distance.is_finite() && distance >= 0.0, "{distance}");
            let (mut v, mut back) = (vec![0.0; dim], vec![0.0; dim]);
            poincare::log(x, y, &mut v);
            poincare::exp(x, &v, &mut back);
            // A step across the ball may round to outside of it; callers check.
            prop_assert!(is_sound(&v) && is_sound(&back));
        }
        let weights: Vec<f64> = (0..count).map(|i| [1.0, 1e-300, 1e300][i % 3]).collect();
        for weights in [vec![1.0; count], weights] {
            let mean = barycenter(&points, &weights, None).expect("some weight is positive");
            prop_assert!(is_sound(&mean.point) && poincare::slack(&mean.point) > 0.0, "{:?}", mean.point);
        }
        for geometry in GEOMETRIES {
            check_fit(geometry, &points, communities);
        }
    }

    #[test]
    fn coincident_points_have_one_mean_and_sound_communities(
        (count, dim, norm, communities) in (1usize..40, 2usize..8, 0.0f64..=FARTHEST, 1usize..5)
    ) {
        let x = of_norm(norm, dim, &mut stream(1, Purpose::Generate, 0, 0));
        let points = Points::new(dim, x.repeat(count));
        let mean = barycenter(&points, &vec![1.0; count], None).expect("all weights are positive").point;
        prop_assert!(poincare::squared_difference(&mean, &x).sqrt() < 1e-6, "{mean:?} {x:?}");
        for geometry in GEOMETRIES {
            check_fit(geometry, &points, communities);
        }
    }

    #[test]
    fn classifiers_of_extreme_points_give_probabilities(
        (count, dim, classes, seed) in (1usize..40, 2usize..6, 1usize..5, 0u64..1000)
    ) {
        let points = extreme(count, dim, seed);
        let names = (0..classes).map(|class| class.to_string()).collect();
        let labels = Labels::from_lists(names, (0..count).map(|i| vec![(i % classes) as u32]).collect());
        for geometry in GEOMETRIES {
            for method in Method::ALL.into_iter().filter(|method| method.supports(geometry)) {
                let config = ClassifierConfig { method, geometry, ..ClassifierConfig::default() };
                let what = format!("{} in {geometry:?}, {count} points, {classes} classes", method.name());
                let learnt = match classify::fit(&points, &labels, &config) {
                    Ok(learnt) => learnt.classifier,
                    Err(error) => {
                        prop_assert!(is_sentence(&error), "{what}: {error}");
                        continue;
                    }
                };
                let scores = learnt.scores(&points).expect("these are the points it was learnt from");
                for i in 0..count {
                    let row = scores.probabilities(i);
                    let sum: f64 = row.iter().sum();
                    prop_assert!(row.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{what}: {row:?}");
                    prop_assert!((sum - 1.0).abs() < 1e-6, "{what}: {row:?}");
                }
                let bytes = model_file::to_bytes(&learnt);
                prop_assert!(model_file::from_bytes(&bytes, Path::new("model")).is_ok(), "{what}: it can be read again");
            }
        }
    }

    #[test]
    fn metrics_of_any_clusters_are_numbers_in_their_range(
        (nodes, clusters, classes, seed) in (2usize..40, 1usize..60, 1usize..6, 0u64..1000)
    ) {
        // Most clusters are empty where there are more of them than nodes; some nodes have no edge.
        let mut rng = stream(seed, Purpose::Generate, 0, 0);
        let pairs = (0..nodes).map(|_| (rng.below(nodes as u32), rng.below(nodes as u32))).collect();
        let (graph, _) = EdgeList { node_count: nodes, pairs, weights: None }.build();
        let found: Vec<u32> = (0..nodes).map(|_| rng.below(clusters as u32)).collect();
        let truth: Vec<u32> = (0..nodes).map(|_| rng.below(classes as u32)).collect();
        let scores = score(&graph, &found, clusters, Some(GroundTruth::single(&truth).view()));
        let value = serde_json::to_value(scores).expect("scores are plain data");
        for (name, value) in value.as_object().expect("scores have names") {
            let number = value.as_f64();
            let is_flag = name == "weighted" && value.is_boolean();
            prop_assert!(is_flag || value.is_null() || number.is_some_and(|x| (-1.0..=1.0).contains(&x)), "{name}: {value}");
        }
        prop_assert!(scores.conductance.is_finite() && scores.modularity.is_finite());
    }
}

#[test]
fn more_communities_than_points_are_refused() {
    for geometry in GEOMETRIES {
        let points = extreme(3, 2, 1);
        let config = MixtureConfig::for_geometry(geometry, &points, 4);
        let message = Mixture::fit(geometry, &points, &config, 1).unwrap_err().to_string();
        assert!(message.starts_with("`communities` must be from 1 to the number of"), "{message}");
        let message = kmeans_in(geometry, &points, 4, &KMeansConfig::default(), 1).unwrap_err().to_string();
        assert!(message.starts_with("`communities` must be from 1 to the number of"), "{message}");
    }
    let config = TrainConfig { communities: Some(4), ..TrainConfig::default() };
    let message = Trainer::new(&Graph::from_edges([(0, 1), (1, 2)]), config).unwrap_err().to_string();
    assert_eq!(message, "`communities` must be at most the number of nodes, 3, but is 4");
}

/// A short training, or its error.
fn train(graph: &Graph, config: TrainConfig) -> hycome::Result<Run> {
    let trainer = Trainer::new(graph, config)?;
    Ok(trainer.train_to_end()?.run)
}

fn short(geometry: Geometry) -> TrainConfig {
    TrainConfig {
        geometry,
        communities: Some(2),
        restarts: Some(1),
        walks: Some(1),
        walk_length: 10,
        warmup_epochs: 4,
        epochs: 2,
        ..TrainConfig::default()
    }
}

/// Asserts that a training gives valid points, communities and a run file.
fn check_run(run: &Run, what: &str) {
    assert!(is_sound(run.nodes.as_slice()) && is_sound(run.contexts.as_slice()), "{what}");
    if !run.config.geometry.is_euclidean() {
        assert!(run.nodes.rows().all(|x| poincare::slack(x) > 0.0), "{what}: all points are in the ball");
    }
    check_mixture(&run.mixture, &run.nodes, what);
    let path = Path::new("run.safetensors");
    let bytes = run_file::to_bytes(run, path).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(
        run_file::from_bytes(&bytes, path).is_ok_and(|read| read == *run),
        "{what}: the file holds the run"
    );
}

fn karate() -> Graph {
    hycome::datasets::builtin("karate").expect("it is built in").graph()
}

#[test]
fn every_dimension_can_be_trained() {
    for geometry in GEOMETRIES {
        for dim in [2, 3, 16, 33, 128, 512] {
            let epochs = usize::from(dim < 512); // a fit of full covariances takes long there, and one will do
            let run = train(&karate(), TrainConfig { dim: Some(dim), epochs, ..short(geometry) });
            check_run(
                &run.unwrap_or_else(|error| panic!("{geometry:?} {dim}: {error}")),
                &format!("{geometry:?} {dim}"),
            );
        }
    }
}

#[test]
fn extreme_settings_give_valid_results_or_are_refused() {
    let mut rng = stream(1, Purpose::Generate, 0, 0);
    let graphs =
        [karate(), Graph::from_edges([(0, 1), (2, 3), (4, 5)]), Graph::from_edges((1..60).map(|i| (0, i)))];
    for case in 0..90 {
        let geometry = GEOMETRIES[case % 3];
        let mut between = |least: f64, most: f64| least * (most / least).powf(rng.unit());
        let config = TrainConfig {
            learning_rate: if case < 30 {
                Some([1e-6, 0.1, 1.0][case / 3 % 3])
            } else {
                Some(between(1e-6, 1.0))
            },
            alpha: Some(between(1e-3, 1e6)),
            beta: between(1e-3, 1e6),
            gamma: Some(between(1e-3, 1e6)),
            curvature: (!geometry.is_euclidean()).then(|| between(1e-3, 1e3)),
            dim: Some(between(2.0, 40.0) as usize),
            negatives: Some(between(1.0, 100.0) as usize),
            blocks: case / 3 % 2,
            seed: case as u64,
            ..short(geometry)
        };
        match train(&graphs[case / 9 % 3], config.clone()) {
            Ok(run) => check_run(&run, &format!("{config:?}")),
            Err(error) => assert!(is_sentence(&error), "{config:?}: {error}"),
        }
    }
}

#[test]
fn learning_rates_beyond_their_range_are_refused() {
    for learning_rate in [0.0, -1.0, 1.0 + 1e-9, 10.0, 1e300, f64::INFINITY, f64::NAN] {
        let config = TrainConfig { learning_rate: Some(learning_rate), ..short(Geometry::Poincare) };
        let message = train(&karate(), config).unwrap_err().to_string();
        assert_eq!(message, format!("`learning_rate` must be above 0 and at most 1, but is {learning_rate}"));
    }
}

#[test]
fn one_community_and_one_per_node_can_be_trained() {
    for geometry in GEOMETRIES {
        for communities in [1, 33, 34] {
            let config = TrainConfig { communities: Some(communities), ..short(geometry) };
            let what = format!("{geometry:?} {communities}");
            match train(&karate(), config) {
                Ok(run) => check_run(&run, &what),
                Err(error) => assert!(is_sentence(&error), "{what}: {error}"),
            }
        }
        let pair = train(&Graph::from_edges([(0, 1)]), short(geometry));
        check_run(&pair.unwrap_or_else(|error| panic!("{geometry:?}: {error}")), "two nodes");
    }
}

#[test]
fn graphs_of_many_components_are_trained() {
    // Pairs, a triangle and nodes without any edge.
    let pairs = (0..40).map(|i| (2 * i, 2 * i + 1)).chain([(100, 101), (101, 102), (100, 102)]).collect();
    let (graph, _) = EdgeList { node_count: 120, pairs, weights: None }.build();
    for geometry in GEOMETRIES {
        let run = train(&graph, TrainConfig { communities: Some(5), ..short(geometry) });
        check_run(&run.unwrap_or_else(|error| panic!("{geometry:?}: {error}")), "many pieces");
    }
}

#[test]
fn a_star_and_a_path_of_a_hundred_thousand_nodes_are_trained() {
    let star = Graph::from_edges((1..100_000).map(|i| (0, i)));
    let path = Graph::from_edges((1..100_000).map(|i| (i - 1, i)));
    for (name, graph, geometry) in [
        ("star", &star, Geometry::Poincare),
        ("star", &star, Geometry::Come),
        ("path", &path, Geometry::Poincare),
        ("path", &path, Geometry::Euclidean),
    ] {
        let config = TrainConfig { walk_length: 4, warmup_epochs: 1, epochs: 0, ..short(geometry) };
        let run = train(graph, config).unwrap_or_else(|error| panic!("{name} {geometry:?}: {error}"));
        check_run(&run, &format!("{name} {geometry:?}"));
    }
}

#[test]
fn weights_of_any_magnitude_bias_walks_or_are_refused() {
    let pairs: Vec<(u32, u32)> = (0..30).map(|i| (i, (i + 1) % 30)).chain([(0, 15)]).collect();
    for weights in [[f32::MIN_POSITIVE, f32::MAX], [1e-38, 1e38], [1e-45, 1.0], [1e38, 1e38], [1e-45, 1e-45]]
    {
        let own = (0..31).map(|i| weights[i % 2]).collect();
        let (graph, cleaning) = EdgeList { node_count: 30, pairs: pairs.clone(), weights: Some(own) }.build();
        assert_eq!((graph.edge_count(), cleaning.zero_weights), (31, 0), "no weight is lost");
        for geometry in GEOMETRIES {
            for blocks in [0, 8] {
                let what = format!("{weights:?} {geometry:?} {blocks}");
                let run = train(&graph, TrainConfig { blocks, ..short(geometry) });
                check_run(&run.unwrap_or_else(|error| panic!("{what}: {error}")), &what);
            }
        }
        let halves: Vec<u32> = (0..30).map(|i| i / 15).collect();
        let scores = score(&graph, &halves, 2, None);
        assert!((0.0..=1.0).contains(&scores.conductance), "{weights:?}: {scores:?}");
        assert!((-1.0..=1.0).contains(&scores.modularity), "{weights:?}: {scores:?}");
    }
}

#[test]
fn weights_in_a_file_of_any_magnitude_are_kept_or_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("edges.txt");
    for exponent in (-300..=300).step_by(10) {
        std::fs::write(&path, format!("a b 1e{exponent}\nb c 2\nc a 3\n")).expect("there is room");
        match hycome::io::read_graph(&path) {
            Ok(loaded) => {
                let weights = loaded.graph.all_weights().expect("they differ");
                assert!((-45..=38).contains(&exponent), "1e{exponent} does not fit");
                assert!(weights.iter().all(|w| w.is_finite() && *w > 0.0), "1e{exponent}: {weights:?}");
                let kept = |w: &&f32| (f64::from(**w) / 10f64.powi(exponent) - 1.0).abs() < 0.5;
                assert_eq!(weights.iter().filter(kept).count(), 2, "1e{exponent}: {weights:?}");
            }
            Err(error) => {
                assert!(!(-44..=38).contains(&exponent), "1e{exponent}: {error}");
                assert!(error.to_string().contains("edges.txt:1: expected"), "{error}");
            }
        }
    }
}
