//! Regularized loss of linear classifiers, one-vs-rest or multinomial, and its minimization.
//!
//! With v the value of a [`Hyperplane`] at a point and y = ±1 the class membership of the point, the losses are
//!
//! > logistic ln(1 + e^(−yv)),  hinge max(0, asinh 1 − yv),  softmax ln Σ_j e^(v_j) − v_k,
//!
//! where softmax couples all hyperplanes and k is the class of the point. The objective is the mean loss of the n
//! points plus λ|z|²/2n, that is L2 regularization of strength λ in units of one node's loss. Multiplied by n/λ it is
//! the usual ½|w|² + C·Σ loss with C = 1/λ. The penalty depends only on the scale s = |z|, so the solution is
//! equivariant under isometries.
//!
//! For a class that no hyperplane separates from the rest the best decision function is a constant, which is approached
//! by a vanishing scale and a hyperplane at infinity. To keep the minimum finite, the distance r is penalized too:
//! [`DISTANCE_PENALTY`] units of distance cost as much as one unit of scale.

use pulp::Arch;
use rayon::prelude::*;

use super::hyperplane::{DecisionFunction, Hyperplane};
use super::lbfgs::{Stop, minimize};
use super::losses::{Evaluate, Loss, LossSums, Scratch, targets};
use crate::Labels;
use crate::numeric::columns::ColumnBlocks;

/// Distance from the barycenter that is penalized as much as one unit of scale.
const DISTANCE_PENALTY: f64 = 10.0;

/// Stopping rule; tighter tolerances do not change any reported digit of a score.
const STOP: Stop = Stop { gradient: 1e-6, decrease: 1e-5, iterations: 1000 };

/// Regularized fitting problem.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    /// Features of the points.
    pub examples: &'a ColumnBlocks,
    /// Classes of the points; every point has at least one.
    pub labels: &'a Labels,
    /// Decision function of the hyperplanes.
    pub decision: DecisionFunction,
    /// Loss function.
    pub loss: Loss,
    /// L2 regularization strength λ.
    pub regularization: f64,
}

/// Fitted hyperplanes and convergence status.
pub(super) struct Fitted {
    /// One hyperplane per class.
    pub hyperplanes: Vec<Hyperplane>,
    /// Whether the optimizer converged for every class.
    pub converged: bool,
    /// Regularised mean loss; summed over the classes if one-vs-rest.
    pub loss: f64,
}

impl Problem<'_> {
    /// Fits hyperplanes: jointly for softmax, else one-vs-rest in parallel. Each of the `starts`, one or more, has initial
    /// parameters for each class; the fit with the lowest loss is kept.
    pub(super) fn solve(&self, starts: &[Vec<Vec<f64>>]) -> Fitted {
        let is_in = |row: usize, class: usize| self.labels.of(row as u32).contains(&(class as u32));
        if self.loss == Loss::Softmax {
            let targets = targets(self.examples.len(), starts[0].len(), is_in);
            return self.best(&targets, starts.iter().map(|start| start.concat()));
        }
        let one_vs_rest = (0..starts[0].len()).into_par_iter().map(|class| {
            let targets = targets(self.examples.len(), 1, |row, _| is_in(row, class));
            self.best(&targets, starts.iter().map(|start| start[class].clone()))
        });
        let one_vs_rest: Vec<Fitted> = one_vs_rest.collect();
        Fitted {
            converged: one_vs_rest.iter().all(|fitted| fitted.converged),
            loss: one_vs_rest.iter().map(|fitted| fitted.loss).sum(),
            hyperplanes: one_vs_rest.into_iter().flat_map(|fitted| fitted.hyperplanes).collect(),
        }
    }

    /// The fit with the lowest loss, the first of equal ones.
    fn best(&self, targets: &ColumnBlocks, starts: impl Iterator<Item = Vec<f64>>) -> Fitted {
        let fits = starts.map(|start| self.optimize(targets, start));
        fits.min_by(|a, b| a.loss.total_cmp(&b.loss)).expect("there is a start")
    }

    /// Minimizes the objective for the given targets, which have one column per block and hyperplane.
    fn optimize(&self, targets: &ColumnBlocks, mut parameters: Vec<f64>) -> Fitted {
        let minimum = minimize(&mut parameters, &STOP, |parameters, gradient| {
            self.objective(targets, parameters, gradient)
        });
        Fitted {
            hyperplanes: self.hyperplanes(&parameters),
            converged: minimum.converged,
            loss: minimum.value,
        }
    }

    fn hyperplanes(&self, parameters: &[f64]) -> Vec<Hyperplane> {
        let each = parameters.chunks_exact(self.examples.width());
        each.map(|parameters| Hyperplane::new(self.decision, parameters)).collect()
    }

    /// Regularized mean loss; writes the gradient.
    fn objective(&self, targets: &ColumnBlocks, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let hyperplanes = self.hyperplanes(parameters);
        let (width, count) = (self.examples.width(), hyperplanes.len());
        let arch = Arch::new();
        let block = |b: usize| {
            let (mut scratch, mut sums) = (Scratch::new(count), vec![LossSums::zero(width); count]);
            let loss = arch.dispatch(Evaluate {
                features: self.examples.block(b),
                targets: targets.block(b),
                hyperplanes: &hyperplanes,
                loss: self.loss,
                scratch: &mut scratch,
                sums: &mut sums,
            });
            (loss, sums)
        };
        let all = 0..self.examples.block_count();
        let blocks: Vec<(f64, Vec<LossSums>)> = if self.loss == Loss::Softmax {
            all.into_par_iter().map(block).collect()
        } else {
            all.map(block).collect() // classes already run in parallel
        };
        gradient.fill(0.0);
        let mut total = 0.0;
        for (loss, sums) in &blocks {
            total += loss;
            for ((hyperplane, sums), gradient) in
                hyperplanes.iter().zip(sums).zip(gradient.chunks_exact_mut(width))
            {
                hyperplane.gradient(sums, gradient);
            }
        }
        let points = self.examples.len() as f64;
        for (i, (p, g)) in parameters.iter().zip(gradient).enumerate() {
            let weight = self.regularization * self.penalty(i % width);
            total += 0.5 * weight * p * p;
            *g = (*g + weight * p) / points;
        }
        total / points
    }

    /// Penalty weight of the squared parameter `i` of a hyperplane.
    fn penalty(&self, i: usize) -> f64 {
        match self.decision {
            DecisionFunction::Linear if i == 0 => 0.0,
            DecisionFunction::Distance | DecisionFunction::Margin if i + 1 == self.examples.width() => {
                1.0 / (DISTANCE_PENALTY * DISTANCE_PENALTY)
            }
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::lorentz;
    use crate::rng::{Purpose, stream};

    const DECISIONS: [DecisionFunction; 3] =
        [DecisionFunction::Distance, DecisionFunction::Margin, DecisionFunction::Linear];

    fn examples(count: usize, width: usize) -> ColumnBlocks {
        let mut rng = stream(5, Purpose::Start, count as u64, width as u64);
        let x: Vec<f64> = (0..count * (width - 1)).map(|_| 0.55 * (2.0 * rng.unit() - 1.0)).collect();
        ColumnBlocks::from_rows(width, count, |i, row| {
            lorentz::lift(&x[i * (width - 1)..(i + 1) * (width - 1)], row)
        })
    }

    fn labels(count: usize) -> Labels {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        Labels::from_lists(names, (0..count as u32).map(|i| vec![(i * i) % 3]).collect())
    }

    #[test]
    fn objective_gradients_match_finite_differences() {
        let (examples, labels) = (examples(700, 4), labels(700));
        let parameters = [0.4, -0.7, 0.2, 0.3, -0.1, 0.2, 0.8, -0.6, 0.5, 0.5, -0.9, 0.1];
        let targets = targets(labels.node_count(), 3, |i, class| labels.of(i as u32) == [class as u32]);
        for decision in DECISIONS {
            for loss in [Loss::Logistic, Loss::Hinge, Loss::Softmax] {
                let problem =
                    Problem { examples: &examples, labels: &labels, decision, loss, regularization: 2.0 };
                let (mut gradient, mut unused) = ([0.0; 12], [0.0; 12]);
                problem.objective(&targets, &parameters, &mut gradient);
                for i in 0..12 {
                    let (mut up, mut down) = (parameters, parameters);
                    up[i] += 1e-6;
                    down[i] -= 1e-6;
                    let mut value = |parameters: &[f64]| problem.objective(&targets, parameters, &mut unused);
                    let numeric = (value(&up) - value(&down)) / 2e-6;
                    assert!(
                        (gradient[i] - numeric).abs() < 1e-7,
                        "{decision:?}, {loss:?}, {i}: {} {numeric}",
                        gradient[i]
                    );
                }
            }
        }
    }

    #[test]
    fn objective_matches_a_scalar_loop() {
        let (examples, labels) = (examples(300, 3), labels(300));
        let parameters = [0.4, -0.7, 0.2, 0.3, -0.1, 0.2, 0.8, -0.6, 0.5];
        let targets = targets(labels.node_count(), 3, |i, class| labels.of(i as u32) == [class as u32]);
        for decision in DECISIONS {
            let problem =
                |loss| Problem { examples: &examples, labels: &labels, decision, loss, regularization: 0.0 };
            let (mut logistic, mut softmax) = (0.0, 0.0);
            for i in 0..300 {
                let row: Vec<f64> = examples.row(i).collect();
                let hyperplanes = problem(Loss::Softmax).hyperplanes(&parameters);
                let values: Vec<f64> = hyperplanes.iter().map(|s| s.value(s.product(&row)).value).collect();
                let class = labels.of(i as u32)[0] as usize;
                softmax += values.iter().map(|v| v.exp()).sum::<f64>().ln() - values[class];
                for (k, v) in values.iter().enumerate() {
                    logistic += (if k == class { -v } else { *v }).exp().ln_1p();
                }
            }
            let mut unused = [0.0; 9];
            for (loss, expected) in [(Loss::Logistic, logistic), (Loss::Softmax, softmax)] {
                let found = 300.0 * problem(loss).objective(&targets, &parameters, &mut unused);
                assert!((found / expected - 1.0).abs() < 1e-13, "{decision:?}, {loss:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn binary_softmax_equals_logistic_with_half_the_penalty() {
        // Binary softmax depends only on the difference of the two values, so for linear decision functions it equals
        // the logistic loss with half the penalty.
        let examples = examples(300, 3);
        let names = vec!["a".to_owned(), "b".to_owned()];
        let side = |i: usize| u32::from(examples.row(i).nth(1).unwrap() > 0.1 * f64::from(i as u32 % 7));
        let labels = Labels::from_lists(names, (0..300).map(|i| vec![side(i)]).collect());
        let solve = |loss, regularization| {
            Problem {
                examples: &examples,
                labels: &labels,
                decision: DecisionFunction::Linear,
                loss,
                regularization,
            }
            .solve(&[vec![vec![0.0; 3]; 2]])
        };
        let (multinomial, one_vs_rest) = (solve(Loss::Softmax, 1.0), solve(Loss::Logistic, 0.5));
        assert!(multinomial.converged && one_vs_rest.converged);
        for j in 0..3 {
            let difference = multinomial.hyperplanes[1].normal[j] - multinomial.hyperplanes[0].normal[j];
            assert!((difference - one_vs_rest.hyperplanes[1].normal[j]).abs() < 0.02, "{difference}");
        }
    }
}
