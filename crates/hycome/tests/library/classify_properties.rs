//! Properties of classifiers: equivariance, separable data, degenerate data, model files.

use std::path::Path;

use hycome::classify::{Classifier, ClassifierConfig, CrossValidation, Method, cross_validate, fit};
use hycome::geometry::{Geometry, poincare};
use hycome::io::model_file::{self, from_bytes, to_bytes};
use hycome::rng::{Purpose, stream};
use hycome::{Error, Labels, Points};

/// Methods that use the points.
const LOOKING: [Method; 6] = [
    Method::NearestCentroid,
    Method::Gaussian,
    Method::Logistic,
    Method::Svm,
    Method::Knn,
    Method::EuclideanLogistic,
];

/// Methods that use distances only.
const INVARIANT: [Method; 5] =
    [Method::NearestCentroid, Method::Gaussian, Method::Logistic, Method::Svm, Method::Knn];

fn config(method: Method) -> ClassifierConfig {
    ClassifierConfig { method, ..ClassifierConfig::default() }
}

/// `classes` clusters of `each` points around directions spread evenly over the plane of the first two coordinates.
pub fn clouds(classes: usize, each: usize, dim: usize, spread: f64) -> (Points, Labels) {
    let mut rng = stream(11, Purpose::Start, classes as u64, dim as u64);
    let (mut data, mut lists) = (Vec::new(), Vec::new());
    for i in 0..classes * each {
        let angle = (i % classes) as f64 / classes as f64 * std::f64::consts::TAU;
        let mut center = vec![0.0; dim];
        (center[0], center[1]) = (0.8 * angle.cos(), 0.8 * angle.sin());
        let step: Vec<f64> =
            (0..dim).map(|_| 0.5 * spread * poincare::slack(&center) * rng.normal()).collect();
        let mut x = vec![0.0; dim];
        poincare::exp(&center, &step, &mut x);
        data.extend(x);
        lists.push(vec![(i % classes) as u32]);
    }
    let names = (0..classes).map(|k| format!("class {k}")).collect();
    (Points::new(dim, data), Labels::from_lists(names, lists))
}

/// The same points with a second class for every third.
fn with_second(labels: &Labels) -> Labels {
    let count = labels.class_count() as u32;
    let lists = (0..labels.node_count() as u32).map(|i| {
        let first = labels.of(i)[0];
        if i % 3 == 0 { vec![first, (first + 1) % count] } else { vec![first] }
    });
    Labels::from_lists(labels.class_names().to_vec(), lists.collect())
}

/// Image of the points under a translation, a rotation and a reflection.
fn moved(points: &Points) -> Points {
    let mut by = vec![0.0; points.dim()];
    (by[0], by[1]) = (0.3, -0.5);
    let (sin, cos) = 0.7f64.sin_cos();
    let mut data = Vec::new();
    for x in points.rows() {
        let mut turned = x.to_vec();
        (turned[0], turned[1]) = (cos * x[0] - sin * x[1], -sin * x[0] - cos * x[1]);
        let mut out = turned.clone();
        poincare::translate(&by, &turned, &mut out);
        data.extend(out);
    }
    Points::new(points.dim(), data)
}

fn learn(points: &Points, labels: &Labels, method: Method) -> Classifier {
    fit(points, labels, &config(method)).unwrap().classifier
}

fn share_right(classifier: &Classifier, points: &Points, labels: &Labels) -> f64 {
    let scores = classifier.scores(points).unwrap();
    let right = (0..points.len()).filter(|&i| {
        let name = &classifier.classes[scores.ranking(i)[0]];
        labels.of(i as u32).iter().any(|&class| labels.class_name(class) == name)
    });
    right.count() as f64 / points.len() as f64
}

#[test]
fn separable_classes_are_classified_without_error() {
    for (classes, dim) in [(2, 2), (5, 2), (3, 10)] {
        let (points, labels) = clouds(classes, 40, dim, 0.15);
        for method in LOOKING {
            let learnt = fit(&points, &labels, &config(method)).unwrap();
            assert!(learnt.converged, "{method:?}");
            assert_eq!(share_right(&learnt.classifier, &points, &labels), 1.0, "{method:?}");
            let found =
                cross_validate(&points, &labels, &config(method), &CrossValidation::default()).unwrap();
            assert_eq!((found.precision_at_1.mean, found.precision_at_1.deviation), (1.0, 0.0), "{method:?}");
            assert_eq!((found.micro_f1.mean, found.macro_f1.mean), (1.0, 1.0));
            assert_eq!(found.precision_at_3, None, "nodes have one class");
        }
    }
}

#[test]
fn probabilities_are_invariant_under_isometries() {
    let (points, labels) = clouds(4, 60, 3, 0.8);
    let (elsewhere, second) = (moved(&points), with_second(&labels));
    for labels in [&labels, &second] {
        for method in INVARIANT {
            let here = learn(&points, labels, method).scores(&points).unwrap();
            let there = learn(&elsewhere, labels, method).scores(&elsewhere).unwrap();
            // Iterative methods stop anywhere within their tolerance; the others are exact up to rounding.
            let searched = matches!(method, Method::Logistic | Method::Svm);
            let tolerance = if searched { 0.02 } else { 1e-9 };
            for i in 0..points.len() {
                for (a, b) in here.probabilities(i).into_iter().zip(there.probabilities(i)) {
                    assert!((a - b).abs() < tolerance, "{method:?}, point {i}: {a} and {b}");
                }
            }
        }
    }
}

#[test]
fn single_label_probabilities_add_up_to_one() {
    let (points, labels) = clouds(4, 30, 2, 1.0);
    for method in Method::ALL {
        let scores = learn(&points, &labels, method).scores(&points).unwrap();
        for i in 0..points.len() {
            let probabilities = scores.probabilities(i);
            assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)), "{method:?}: {probabilities:?}");
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{method:?}");
            let best = scores.ranking(i)[0];
            assert!(probabilities.iter().all(|&p| p <= probabilities[best]));
        }
    }
}

#[test]
fn mean_probabilities_equal_class_frequencies_on_the_training_data() {
    // Exact for softmax and logistic regression without a penalty on the intercept, approximate for the others.
    let (points, labels) = clouds(3, 200, 2, 1.2);
    for method in [Method::Gaussian, Method::Logistic, Method::Svm, Method::Knn, Method::EuclideanLogistic] {
        let scores = learn(&points, &labels, method).scores(&points).unwrap();
        for class in 0..3 {
            let mean = (0..600).map(|i| scores.probabilities(i)[class]).sum::<f64>() / 600.0;
            assert!((mean - 1.0 / 3.0).abs() < 0.03, "{method:?}: {mean}");
        }
    }
}

#[test]
fn all_classes_of_a_multi_label_node_are_ranked_first() {
    let (points, labels) = clouds(6, 60, 2, 0.15);
    // Nodes of class 0 are also of class 1, nodes of class 2 of class 3 and so on: the second rank is determined too.
    let lists = (0..360).map(|i| {
        let class = labels.of(i)[0];
        vec![class, class / 2 * 2, class / 2 * 2 + 1]
    });
    let labels = Labels::from_lists(labels.class_names().to_vec(), lists.collect());
    for method in [Method::Gaussian, Method::NearestCentroid, Method::Knn, Method::Logistic, Method::Svm] {
        let found = cross_validate(&points, &labels, &config(method), &CrossValidation::default()).unwrap();
        assert!(found.multi_label && found.precision_at_1.mean > 0.99, "{method:?}: {found:?}");
        let third = found.precision_at_3.unwrap().mean;
        assert!((third - 2.0 / 3.0).abs() < 0.01, "{method:?}: {third}");
        assert!(found.precision_at_5.unwrap().mean <= 0.4 + 1e-12);
        assert!(found.micro_f1.mean > 0.98);
    }
}

#[test]
fn the_majority_baseline_ranks_classes_by_size() {
    let labels = Labels::from_pairs(5, &[(0, "a"), (1, "b"), (2, "b"), (3, "b"), (4, "c"), (4, "a")], &[]);
    let classifier = learn(&Points::zeros(5, 2), &labels, Method::Majority);
    let scores = classifier.scores(&Points::zeros(1, 2)).unwrap();
    assert_eq!(scores.ranking(0), [1, 0, 2]);
    let probabilities = scores.probabilities(0);
    for (found, expected) in probabilities.iter().zip([0.4, 0.6, 0.2]) {
        assert!((found - expected).abs() < 1e-15, "{probabilities:?}");
    }
}

#[test]
fn the_gaussian_classifier_is_one_m_step() {
    let (points, labels) = clouds(3, 500, 2, 0.7);
    let classes: Vec<u32> = labels.first_classes().into_iter().flatten().collect();
    let certain = hycome::mixture::Responsibilities::one_hot(3, &classes);
    let mixture = hycome::mixture::maximization(&points, &certain, 1e-3).unwrap();
    let responsibilities = mixture.responsibilities(&points).unwrap();
    let scores = learn(&points, &labels, Method::Gaussian).scores(&points).unwrap();
    for i in 0..points.len() {
        for (a, b) in scores.probabilities(i).into_iter().zip(responsibilities.row(i)) {
            assert!((a - b).abs() < 0.01, "one node of average spread more: {a} and {b}");
        }
    }
}

#[test]
fn unlabelled_nodes_are_ignored() {
    let (points, labels) = clouds(3, 30, 2, 0.9);
    let mut data = vec![0.99, 0.0, -0.99, 0.0];
    data.extend_from_slice(points.as_slice());
    let mut lists = vec![vec![], vec![]];
    lists.extend((0..90).map(|i| labels.of(i).to_vec()));
    let more = (Points::new(2, data), Labels::from_lists(labels.class_names().to_vec(), lists));
    for method in Method::ALL {
        assert_eq!(learn(&points, &labels, method), learn(&more.0, &more.1, method), "{method:?}");
    }
}

#[test]
fn a_single_class_has_probability_one() {
    let points = Points::new(2, vec![0.1, 0.2, -0.3, 0.4, 0.5, 0.5]);
    let labels = Labels::from_pairs(3, &[(0, "only"), (1, "only"), (2, "only")], &["unused"]);
    for method in Method::ALL {
        let classifier = learn(&points, &labels, method);
        assert_eq!(classifier.classes, ["only"], "a class without a node cannot be learnt");
        let scores = classifier.scores(&Points::new(2, vec![-0.7, -0.7])).unwrap();
        assert_eq!(scores.probabilities(0), [1.0], "{method:?}");
    }
}

#[test]
fn one_node_per_class_suffices_for_a_fit() {
    let points = Points::new(2, vec![0.5, 0.0, -0.5, 0.0, 0.0, 0.5]);
    let labels = Labels::from_pairs(3, &[(0, "east"), (1, "west"), (2, "north")], &[]);
    for method in LOOKING {
        let classifier = learn(&points, &labels, method);
        assert_eq!(share_right(&classifier, &points, &labels), 1.0, "{method:?}");
        // The only node of a class, held out, leaves no training node of the class.
        let validation = CrossValidation { folds: 3, runs: 2, seed: 1 };
        let found = cross_validate(&points, &labels, &config(method), &validation).unwrap();
        assert_eq!(found.precision_at_1.mean, 0.0);
    }
}

#[test]
fn equal_points_of_different_classes_are_accepted() {
    let points = Points::new(2, [0.3, -0.2].repeat(12));
    let labels = Labels::from_lists(vec!["a".into(), "b".into()], (0..12).map(|i| vec![i % 2]).collect());
    for method in Method::ALL {
        let scores = learn(&points, &labels, method).scores(&points).unwrap();
        assert!((scores.probabilities(0)[0] - 0.5).abs() < 0.02, "{method:?}: {:?}", scores.probabilities(0));
    }
}

#[test]
fn classes_may_be_fewer_than_folds_or_more() {
    for (classes, each) in [(2, 30), (12, 4)] {
        let (points, labels) = clouds(classes, each, 2, 0.05);
        for method in [Method::Gaussian, Method::NearestCentroid, Method::Logistic, Method::Svm] {
            let found =
                cross_validate(&points, &labels, &config(method), &CrossValidation::default()).unwrap();
            assert!(found.precision_at_1.mean > 0.97, "{method:?}: {found:?}");
        }
    }
}

#[test]
fn invalid_input_is_refused_with_the_parameter_named() {
    let points = Points::new(2, vec![0.1, 0.2, 0.3, 0.4]);
    let none = Labels::from_pairs(2, &[], &["a"]);
    let some = Labels::from_pairs(2, &[(0, "a"), (1, "b")], &[]);
    let validation = CrossValidation::default();
    let assert_error = |result: Result<(), Error>, words: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    let fitted = |labels, config: &ClassifierConfig| fit(&points, labels, config).map(|_| ());
    for method in Method::ALL {
        assert_error(fitted(&none, &config(method)), "`labels` must be known for some of the nodes");
        let refused = cross_validate(&points, &none, &config(method), &validation);
        assert_error(refused.map(|_| ()), "`labels` must be known for some of the nodes");
    }
    assert_error(
        cross_validate(&points, &some, &config(Method::Knn), &validation).map(|_| ()),
        "`folds` must be from 2 to the number of labelled nodes, 2, but is 5",
    );
    let one = CrossValidation { folds: 1, ..validation };
    assert_error(cross_validate(&points, &some, &config(Method::Knn), &one).map(|_| ()), "`folds` must be");
    let never = CrossValidation { folds: 2, runs: 0, seed: 1 };
    assert_error(cross_validate(&points, &some, &config(Method::Knn), &never).map(|_| ()), "`runs` must be");
    assert_error(
        fitted(&some, &ClassifierConfig { neighbors: 0, ..config(Method::Knn) }),
        "`neighbors` must be",
    );
    for regularization in [-1.0, f64::NAN, f64::INFINITY] {
        assert_error(
            fitted(&some, &ClassifierConfig { regularization, ..config(Method::Svm) }),
            "`regularization` must be",
        );
    }
    for restarts in [0, 1001] {
        let config = ClassifierConfig { restarts, ..config(Method::Logistic) };
        assert_error(fitted(&some, &config), "`restarts` must be");
    }
    let outside = Points::new(2, vec![0.1, 0.2, 1.0, 0.4]);
    assert_error(fit(&outside, &some, &config(Method::NearestCentroid)).map(|_| ()), "not in row 1");
    let other = learn(&points, &some, Method::NearestCentroid).scores(&Points::zeros(1, 3));
    assert_error(other.map(|_| ()), "of 2 dimensions, as the classifier's");
}

#[test]
fn results_do_not_depend_on_threads() {
    let (points, labels) = clouds(5, 150, 3, 1.0);
    let second = with_second(&labels);
    let on = |threads: usize, method: Method, labels: &Labels| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let validation = CrossValidation { runs: 1, ..CrossValidation::default() };
        pool.install(|| {
            let found = cross_validate(&points, labels, &config(method), &validation).unwrap();
            (to_bytes(&learn(&points, labels, method)), found)
        })
    };
    for method in Method::ALL {
        for labels in [&labels, &second] {
            assert_eq!(on(1, method, labels), on(3, method, labels), "{method:?}");
        }
    }
}

#[test]
fn points_near_the_boundary_are_classified() {
    // 1 − |x|² is about 10⁻⁸: the hyperboloid's coordinates are 10⁸.
    let data = [(1.0, 0.0), (1.0, 1e-6), (-1.0, 0.0), (-1.0, 1e-6)];
    let data = data.iter().flat_map(|&(x, y)| [x * (1.0 - 5e-9), y]).collect();
    let points = Points::new(2, data);
    let labels = Labels::from_pairs(4, &[(0, "a"), (1, "a"), (2, "b"), (3, "b")], &[]);
    for method in LOOKING {
        assert_eq!(share_right(&learn(&points, &labels, method), &points, &labels), 1.0, "{method:?}");
    }
}

#[test]
fn a_model_survives_a_round_trip() {
    let (points, labels) = clouds(3, 20, 2, 0.8);
    for labels in [&labels, &with_second(&labels)] {
        for method in Method::ALL {
            let classifier = learn(&points, labels, method);
            let bytes = to_bytes(&classifier);
            assert_eq!(from_bytes(&bytes, Path::new("x")).unwrap(), classifier, "{method:?}");
            assert_eq!(to_bytes(&classifier), bytes, "the same model has the same bytes");
        }
    }
}

#[test]
fn a_truncated_or_altered_model_is_refused_or_read() {
    let (points, labels) = clouds(3, 20, 2, 0.8);
    for method in Method::ALL {
        let bytes = to_bytes(&learn(&points, &labels, method));
        for end in 0..bytes.len() {
            assert!(from_bytes(&bytes[..end], Path::new("x")).is_err(), "{method:?} up to {end}");
        }
        let mut rng = stream(3, Purpose::Start, 0, bytes.len() as u64);
        for _ in 0..2000 {
            let mut altered = bytes.clone();
            let place = rng.below(bytes.len() as u32) as usize;
            altered[place] ^= 1 << rng.below(8);
            if let Ok(classifier) = from_bytes(&altered, Path::new("x")) {
                let _ = classifier.scores(&points); // an error is allowed, a panic is not
            }
        }
    }
}

#[test]
fn other_files_are_refused_as_models() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m");
    std::fs::write(&path, "1 2\n2 3\n").unwrap();
    let message = model_file::load(&path).unwrap_err().to_string();
    assert!(message.contains("expected a hycome model file, found"), "{message}");
    assert!(matches!(model_file::load(&folder.path().join("none")), Err(Error::Io { .. })));
}

#[test]
fn a_model_of_the_largest_dimension_is_refused() {
    let (points, labels) = clouds(3, 20, 2, 0.8);
    let mut classifier = learn(&points, &labels, Method::Logistic);
    classifier.dim = usize::MAX;
    assert!(from_bytes(&to_bytes(&classifier), Path::new("x")).is_err());
}

const EUCLIDEAN: [Geometry; 2] = [Geometry::Come, Geometry::Euclidean];

/// Three clusters in Euclidean space at distance ten, and the classes of test points.
fn euclidean_clouds() -> (Points, Labels) {
    let mut rng = stream(12, Purpose::Start, 0, 0);
    let centers = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]];
    let data = (0..90).flat_map(|i| centers[i % 3].map(|c| c + rng.normal())).collect();
    let names = (0..3).map(|k| format!("class {k}")).collect();
    (Points::new(3, data), Labels::from_lists(names, (0..90).map(|i| vec![i % 3]).collect()))
}

fn euclidean_methods() -> impl Iterator<Item = (Geometry, Method)> {
    let methods = |geometry| Method::ALL.into_iter().map(move |method| (geometry, method));
    EUCLIDEAN.into_iter().flat_map(methods).filter(|(geometry, method)| method.supports(*geometry))
}

#[test]
fn separable_euclidean_classes_are_classified_without_error() {
    let (points, labels) = euclidean_clouds();
    for (geometry, method) in euclidean_methods().filter(|(_, method)| *method != Method::Majority) {
        let config = ClassifierConfig { geometry, ..config(method) };
        let found = cross_validate(&points, &labels, &config, &CrossValidation::default()).unwrap();
        assert_eq!(found.precision_at_1.mean, 1.0, "{geometry:?} {method:?}");
    }
}

#[test]
fn euclidean_distance_methods_are_invariant_under_isometries() {
    // A translation and a rotation of Euclidean space preserve nearest neighbours.
    let (points, labels) = euclidean_clouds();
    let (sin, cos) = 0.7f64.sin_cos();
    let turn = |x: &[f64]| [cos * x[0] - sin * x[1] + 100.0, sin * x[0] + cos * x[1] - 7.0, x[2] + 50.0];
    let moved = Points::new(3, points.rows().flat_map(turn).collect());
    for (geometry, method) in euclidean_methods().filter(|(_, method)| *method != Method::EuclideanLogistic) {
        let config = ClassifierConfig { geometry, ..config(method) };
        let scores =
            |points: &Points| fit(points, &labels, &config).unwrap().classifier.scores(points).unwrap();
        let (before, after) = (scores(&points), scores(&moved));
        for i in 0..points.len() {
            for (a, b) in before.probabilities(i).iter().zip(after.probabilities(i)) {
                assert!((a - b).abs() < 1e-9, "{geometry:?} {method:?}");
            }
        }
    }
}

#[test]
fn a_euclidean_model_survives_a_round_trip() {
    let (points, labels) = euclidean_clouds();
    for (geometry, method) in euclidean_methods() {
        let classifier =
            fit(&points, &labels, &ClassifierConfig { geometry, ..config(method) }).unwrap().classifier;
        let bytes = to_bytes(&classifier);
        assert_eq!(from_bytes(&bytes, Path::new("m")).unwrap(), classifier, "{geometry:?} {method:?}");
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x55;
            let _ = from_bytes(&changed, Path::new("m")); // an error or another model, but no panic
        }
    }
}

#[test]
fn methods_of_the_ball_are_refused_in_euclidean_space() {
    let (points, labels) = euclidean_clouds();
    for method in [Method::Logistic, Method::Svm] {
        let config = ClassifierConfig { geometry: Geometry::Come, ..config(method) };
        let message = fit(&points, &labels, &config).unwrap_err().to_string();
        assert!(
            message.starts_with("`method` must be one for Euclidean points (nearest-centroid, "),
            "{message}"
        );
        assert!(message.contains(&format!("but is {}", method.name())), "{message}");
    }
    assert!(fit(&points, &labels, &config(Method::Knn)).is_err(), "these points are not inside the ball");
}

#[test]
fn classes_smaller_than_the_dimension_have_gaussians_too() {
    let mut rng = stream(13, Purpose::Start, 0, 0);
    let points = Points::new(20, (0..20 * 30).map(|_| rng.normal()).collect());
    let labels =
        Labels::from_lists(vec!["a".into(), "b".into()], (0..30).map(|i| vec![u32::from(i == 0)]).collect());
    let config = ClassifierConfig { geometry: Geometry::Come, ..config(Method::Gaussian) };
    let scores = fit(&points, &labels, &config).unwrap().classifier.scores(&points).unwrap();
    assert!((0..30).all(|i| scores.row(i).iter().all(|score| score.is_finite())));
}
