//! One-vs-rest logistic regression: a binary fit for each class.

use std::path::Path;

use hycome::Labels;
use hycome::classify::{ClassifierConfig, Method, Model, MultiClass, fit};
use hycome::io::model_file::{from_bytes, to_bytes};

use crate::classify_properties::clouds;

#[test]
fn one_vs_rest_fits_each_class_alone() {
    let (points, labels) = clouds(4, 40, 2, 1.5);
    for method in [Method::Logistic, Method::EuclideanLogistic] {
        let config =
            ClassifierConfig { method, multi_class: MultiClass::OneVsRest, ..ClassifierConfig::default() };
        let classifier = fit(&points, &labels, &config).unwrap().classifier;
        assert_eq!(from_bytes(&to_bytes(&classifier), Path::new("m")).unwrap(), classifier);
        // The first class against the union of the others has the same log-odds, and probabilities are normalised.
        let pair = |i: u32| vec![u32::from(labels.of(i)[0] != 0)];
        let binary = Labels::from_lists(vec!["first".into(), "rest".into()], (0..160).map(pair).collect());
        let first = fit(&points, &binary, &config).unwrap().classifier;
        let (Model::Linear(all), Model::Linear(first)) = (&classifier.model, &first.model) else {
            panic!("logistic regression is linear")
        };
        assert!(!all.multinomial);
        assert_eq!(
            (all.normals.row(0), all.slopes[0]),
            (first.normals.row(0), first.slopes[0]),
            "{method:?}"
        );
        let scores = classifier.scores(&points).unwrap();
        assert!((scores.probabilities(7).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let multinomial = ClassifierConfig { multi_class: MultiClass::Multinomial, ..config };
        assert_ne!(fit(&points, &labels, &multinomial).unwrap().classifier.model, classifier.model);
    }
}
