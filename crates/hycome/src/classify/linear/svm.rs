//! Hyperbolic support vector machine (Cho et al. 2019) with Platt scaling.
//!
//! Cho, DeMeo, Peng and Berger (*Large-margin classification in hyperbolic space*, 2019) maximize the margin on the
//! hyperboloid. With ∗ the Minkowski product, they minimize
//!
//! > ½·w∗w + C·Σ max(0, asinh 1 − asinh(y·w∗X)),  subject to w∗w > 0.
//!
//! The constraint ensures that w is the normal of a hyperplane that intersects the hyperboloid. They use projected
//! gradient descent; the parametrization (z, r) of [`hyperplane`](super::hyperplane) satisfies the constraint by
//! construction, with w∗w = |z|², so an unconstrained optimizer suffices. The hinge is smoothed
//! ([`losses`](super::losses)). As in logistic regression, the objective is not convex; the initial hyperplanes and
//! the restarts are the same.
//!
//! Classes are fitted one-vs-rest. Margins are not probabilities and are not comparable between classes; like Cho et
//! al. we use Platt scaling: the log-odds of a class are a·margin + b, with a and b fitted to the training nodes by the
//! logistic loss with Platt's smoothed targets ([`calibrate`]).

use super::super::{ClassifierConfig, sigmoid, softplus};
use super::centering::Centering;
use super::hyperplane::DecisionFunction;
use super::lbfgs::{Stop, minimize};
use super::losses::Loss;
use super::objective::Problem;
use super::{LinearModel, Space};
use crate::{Labels, Points};

/// Fits one maximum-margin hyperplane per class and returns whether the optimizer converged for every class.
pub(in crate::classify) fn fit(
    points: &Points,
    labels: &Labels,
    config: &ClassifierConfig,
) -> (LinearModel, bool) {
    let centering = Centering::new(points);
    let examples = centering.examples(points);
    let (decision, loss) = (DecisionFunction::Margin, Loss::Hinge);
    let problem =
        Problem { examples: &examples, labels, decision, loss, regularization: config.regularization };
    let fitted = problem.solve(&centering.starts(points, labels, config.restarts));
    let mut normals = centering.normals(&fitted.hyperplanes);
    let (mut slopes, mut intercepts) = (Vec::new(), Vec::new());
    for (k, hyperplane) in fitted.hyperplanes.iter().enumerate() {
        normals.row_mut(k).iter_mut().for_each(|n| *n *= hyperplane.scale);
        let margins: Vec<f64> = (0..points.len())
            .map(|i| hyperplane.value(hyperplane.product(&examples.row(i).collect::<Vec<f64>>())).value)
            .collect();
        let inside: Vec<bool> =
            (0..points.len()).map(|i| labels.of(i as u32).contains(&(k as u32))).collect();
        let (slope, intercept) = calibrate(&margins, &inside);
        slopes.push(slope);
        intercepts.push(intercept);
    }
    (
        LinearModel { space: Space::Hyperbolic, normals, slopes, intercepts, multinomial: false },
        fitted.converged,
    )
}

/// Platt scaling: slope and intercept that map margins to log-odds.
fn calibrate(margins: &[f64], inside: &[bool]) -> (f64, f64) {
    let positives = inside.iter().filter(|&&inside| inside).count() as f64;
    let negatives = inside.len() as f64 - positives;
    let targets = [1.0 / (negatives + 2.0), (positives + 1.0) / (positives + 2.0)];
    let mut parameters = [1.0, ((positives + 1.0) / (negatives + 1.0)).ln()];
    let stop = Stop { gradient: 1e-8, decrease: 1e-12, iterations: 200 };
    minimize(&mut parameters, &stop, |parameters, gradient| {
        let (mut loss, mut of_slope, mut of_intercept) = (0.0, 0.0, 0.0);
        for (&margin, &inside) in margins.iter().zip(inside) {
            let (target, log_odds) = (targets[usize::from(inside)], parameters[0] * margin + parameters[1]);
            loss += softplus(log_odds) - target * log_odds;
            let error = sigmoid(log_odds) - target;
            of_slope += error * margin;
            of_intercept += error;
        }
        let count = margins.len() as f64;
        gradient.copy_from_slice(&[of_slope / count, of_intercept / count]);
        loss / count
    });
    (parameters[0], parameters[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_recovers_known_log_odds() {
        // Margins on a grid, with labels at the frequencies given by log-odds 3·margin − 1.
        let (mut margins, mut inside) = (Vec::new(), Vec::new());
        for i in 0..100 {
            let margin = f64::from(i) / 25.0 - 2.0;
            let share = sigmoid(3.0 * margin - 1.0);
            for j in 0..100 {
                margins.push(margin);
                inside.push(f64::from(j) + 0.5 < 100.0 * share);
            }
        }
        let (slope, intercept) = calibrate(&margins, &inside);
        assert!((slope - 3.0).abs() < 0.05 && (intercept + 1.0).abs() < 0.05, "{slope} {intercept}");
    }

    #[test]
    fn separable_margins_are_not_calibrated_to_certainty() {
        let (slope, intercept) = calibrate(&[-2.0, -1.0, 1.0, 2.0], &[false, false, true, true]);
        let probability = sigmoid(2.0 * slope + intercept);
        assert!(probability > 0.7 && probability < 0.99, "{probability}");
    }
}
