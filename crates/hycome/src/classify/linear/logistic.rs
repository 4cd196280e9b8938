//! Hyperbolic multinomial logistic regression (Ganea et al. 2018).
//!
//! Ganea, Bécigneul and Hofmann (*Hyperbolic neural networks*, 2018) give class k the logit of a point x
//!
//! > λ_p|a|·asinh( 2⟨−p⊕x, a⟩ / ((1−|−p⊕x|²)·|a|) ),  λ_p = 2/(1−|p|²),
//!
//! which is the signed distance of x from the hyperplane through p with normal a, times the length of a. On the
//! hyperboloid it is s·asinh τ ([`hyperplane`](super::hyperplane)), with m + 1 parameters instead of 2m.
//!
//! Multi-label data is fitted one-vs-rest with the logistic loss; single-label data is by default fitted jointly with the
//! softmax loss (multinomial). A cluster surrounded by others cannot be separated by one geodesic, so one-vs-rest has no good
//! hyperplane for it. With softmax its logit only needs to be the largest locally, and the decision boundaries between
//! two classes, where their values s·asinh τ are equal, may be curved. On a single embedding each, in two dimensions,
//! softmax reaches 88 % accuracy and one-vs-rest 86 % on football (twelve small clusters), 90.2 and 88.8 % on DBLP; on
//! karate, books and polblogs, and on DBLP in ten dimensions, the two differ by less than half a percent. The paper
//! reports 39 % on football. On our embedding, one-vs-rest with the same hyperplanes reaches 86 % when the optimization
//! runs to convergence, so the choice of hyperplanes does not explain the 39 %.
//!
//! [`MultiClass::OneVsRest`] selects one-vs-rest, the method of the paper, for single-label data too.
//!
//! The objective is not convex in (z, r), so the optimizer finds a local minimum. The initial hyperplane of a class
//! lies half way between the barycenter of all points and that of the class. Restarts begin half way to a random node
//! of the class instead, and the minimum with the lowest regularized loss is kept: of all classes together for softmax,
//! of each class one-vs-rest. [`objective`](super::objective) defines the stopping rule.

use super::centering::Centering;
use super::hyperplane::DecisionFunction;
use super::losses::Loss;
use super::objective::{Fitted, Problem};
use super::{LinearModel, Space};
use crate::classify::{ClassifierConfig, MultiClass};
use crate::{Labels, Points};

/// Fits one hyperplane per class and returns whether the optimizer converged.
pub(in crate::classify) fn fit(
    points: &Points,
    labels: &Labels,
    config: &ClassifierConfig,
) -> (LinearModel, bool) {
    let centering = Centering::new(points);
    let multinomial = config.multi_class == MultiClass::Multinomial && !labels.is_multi_label();
    let fitted = hyperplanes(&centering, points, labels, multinomial, config);
    let hyperplanes = LinearModel {
        space: Space::Hyperbolic,
        normals: centering.normals(&fitted.hyperplanes),
        slopes: fitted.hyperplanes.iter().map(|hyperplane| hyperplane.scale).collect(),
        intercepts: vec![0.0; fitted.hyperplanes.len()],
        multinomial,
    };
    (hyperplanes, fitted.converged)
}

/// Fits hyperplanes to the centred points.
fn hyperplanes(
    centering: &Centering,
    points: &Points,
    labels: &Labels,
    multinomial: bool,
    config: &ClassifierConfig,
) -> Fitted {
    let examples = centering.examples(points);
    let loss = if multinomial { Loss::Softmax } else { Loss::Logistic };
    let (decision, regularization) = (DecisionFunction::Distance, config.regularization);
    let problem = Problem { examples: &examples, labels, decision, loss, regularization };
    problem.solve(&centering.starts(points, labels, config.restarts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{Method, Model};
    use crate::rng::{Purpose, stream};

    /// Points of four classes, each three overlapping clouds, so that the loss has several minima.
    fn overlapping(item: u64) -> (Points, Labels) {
        let mut rng = stream(3, Purpose::Start, 0, item);
        let centers: Vec<f64> = (0..12 * 2).map(|_| 0.6 * (2.0 * rng.unit() - 1.0)).collect();
        let coordinate = |at: usize, noise: f64| (centers[at % 24] + 0.08 * noise).clamp(-0.65, 0.65);
        let data = (0..240).map(|at| coordinate(at, rng.normal())).collect();
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        (Points::new(2, data), Labels::from_lists(names, (0..120).map(|i| vec![i % 12 / 3]).collect()))
    }

    #[test]
    fn restarts_keep_the_lowest_loss() {
        for (multinomial, least_gain) in [(true, 1e-3), (false, 2e-4)] {
            let gains = (0..10).map(|item| {
                let (points, labels) = overlapping(item);
                let centering = Centering::new(&points);
                let loss = |restarts| {
                    let config =
                        ClassifierConfig { regularization: 1e-3, restarts, ..ClassifierConfig::default() };
                    hyperplanes(&centering, &points, &labels, multinomial, &config).loss
                };
                let (one, many) = (loss(1), loss(8));
                assert!(many <= one, "data {item}, multinomial {multinomial}: {many} {one}");
                assert_eq!(many, loss(8));
                1.0 - many / one
            });
            let gain = gains.fold(0.0, f64::max);
            assert!(gain > least_gain, "multinomial {multinomial}: {gain}");
        }
    }

    /// Four clusters of forty points on a ring.
    fn clouds() -> (Points, Labels) {
        let mut rng = crate::rng::stream(4, crate::rng::Purpose::Means, 0, 0);
        let mut rows = Vec::new();
        for i in 0..160 {
            let angle = f64::from(i % 4) * std::f64::consts::FRAC_PI_2;
            rows.extend(
                [0.4 * angle.cos() + 0.15 * rng.normal(), 0.4 * angle.sin() + 0.15 * rng.normal()]
                    .map(|c| c.clamp(-0.6, 0.6)),
            );
        }
        let names = (0..4).map(|k| k.to_string()).collect();
        (Points::new(2, rows), Labels::from_lists(names, (0..160u32).map(|i| vec![i % 4]).collect()))
    }

    #[test]
    fn one_vs_rest_fits_each_class_alone() {
        let (points, labels) = clouds();
        for method in [Method::Logistic, Method::EuclideanLogistic] {
            let config = ClassifierConfig {
                method,
                multi_class: MultiClass::OneVsRest,
                ..ClassifierConfig::default()
            };
            let classifier = crate::classify::fit(&points, &labels, &config).unwrap().classifier;
            // The first class against the union of the others has the same log-odds, and probabilities are normalized.
            let pair = |i: u32| vec![u32::from(labels.of(i)[0] != 0)];
            let binary =
                Labels::from_lists(vec!["first".into(), "rest".into()], (0..160).map(pair).collect());
            let first = crate::classify::fit(&points, &binary, &config).unwrap().classifier;
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
            assert_ne!(
                crate::classify::fit(&points, &labels, &multinomial).unwrap().classifier.model,
                classifier.model
            );
        }
    }
}
