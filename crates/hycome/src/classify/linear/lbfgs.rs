//! L-BFGS with a weak Wolfe line search.
//!
//! Minimizes a smooth function given its values and gradients. The Hessian H of the Newton step −H⁻¹·g is never formed:
//! the last [`MEMORY`] steps s = x′ − x and gradient differences y = g′ − g define an approximate inverse, which is
//! applied by the two-loop recursion (Nocedal and Wright, *Numerical Optimization*, algorithm 7.4). The step length is
//! found by bisection and doubling until it satisfies the weak Wolfe conditions
//!
//! > f(x + t·p) ≤ f(x) + c₁·t·⟨g, p⟩,  ⟨g(x + t·p), p⟩ ≥ c₂·⟨g, p⟩,
//!
//! which guarantee ⟨s, y⟩ > 0 and do not require a twice differentiable objective (Lewis and Overton, *Nonsmooth
//! optimization via quasi-Newton methods*, 2013). Sums are evaluated in a fixed order, so the result is deterministic,
//! and the iteration is equivariant under rotations of the coordinates.

use std::collections::VecDeque;

use crate::interrupt;

/// Number of stored pairs. Function evaluations dominate the cost: with 12 pairs a fit takes a third longer.
const MEMORY: usize = 30;

/// c₁ of the sufficient-decrease (Armijo) condition.
const DECREASE: f64 = 1e-4;

/// c₂ of the curvature condition.
const CURVATURE: f64 = 0.9;

/// Maximum number of bisections and doublings in a line search; a shorter step would be lost in rounding.
const MAX_TRIALS: usize = 50;

/// Number of steps over which the relative decrease is measured, since a single step may be small by chance.
const DECREASE_WINDOW: usize = 10;

/// Stopping criteria.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// Gradient tolerance: stop if the maximum norm of the gradient is below this.
    pub gradient: f64,
    /// Function tolerance: stop if [`DECREASE_WINDOW`] steps reduced the value by less than this fraction.
    pub decrease: f64,
    /// Maximum number of steps.
    pub iterations: usize,
}

/// Result of a minimization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Minimum {
    /// Final objective value.
    pub value: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Whether a tolerance was reached before the iteration limit.
    pub converged: bool,
}

/// Minimizes `objective` from `x` in place; `objective` returns the value at a point and writes the gradient.
pub(super) fn minimize(
    x: &mut [f64],
    stop: &Stop,
    mut objective: impl FnMut(&[f64], &mut [f64]) -> f64,
) -> Minimum {
    let mut gradient = vec![0.0; x.len()];
    let mut value = objective(x, &mut gradient);
    let mut before = value;
    let mut pairs: VecDeque<Pair> = VecDeque::with_capacity(MEMORY);
    let (mut next, mut next_gradient) = (x.to_vec(), gradient.clone());
    for iterations in 0..stop.iterations {
        if interrupt::is_requested() {
            return Minimum { value, iterations, converged: false };
        }
        if largest(&gradient) <= stop.gradient {
            return Minimum { value, iterations, converged: true };
        }
        let mut direction = newton_step(&gradient, &pairs);
        let mut slope = dot(&direction, &gradient);
        if slope.is_nan() || slope >= 0.0 {
            // Rounding errors corrupted the curvature pairs: fall back to steepest descent.
            pairs.clear();
            direction = newton_step(&gradient, &pairs);
            slope = dot(&direction, &gradient);
        }
        let (mut shortest, mut longest, mut step) = (0.0, f64::INFINITY, 1.0);
        let mut next_value = f64::INFINITY;
        for _ in 0..MAX_TRIALS {
            if interrupt::is_requested() {
                break;
            }
            next.iter_mut().zip(&*x).zip(&direction).for_each(|((next, x), p)| *next = x + step * p);
            next_value = objective(&next, &mut next_gradient);
            if next_value.is_nan() || next_value > value + DECREASE * step * slope {
                longest = step;
            } else if dot(&next_gradient, &direction) < CURVATURE * slope {
                shortest = step;
            } else {
                break;
            }
            step = if longest.is_finite() { 0.5 * (shortest + longest) } else { 2.0 * step };
        }
        if next_value.is_nan() || next_value >= value {
            // No step reduces the value by more than rounding.
            return Minimum { value, iterations, converged: true };
        }
        pairs.extend(Pair::of(x, &next, &gradient, &next_gradient));
        if pairs.len() > MEMORY {
            pairs.pop_front();
        }
        x.copy_from_slice(&next);
        gradient.copy_from_slice(&next_gradient);
        value = next_value;
        if iterations % DECREASE_WINDOW == DECREASE_WINDOW - 1 {
            if before - value <= stop.decrease * value.abs() {
                return Minimum { value, iterations: iterations + 1, converged: true };
            }
            before = value;
        }
    }
    Minimum { value, iterations: stop.iterations, converged: false }
}

/// Curvature pair: a step s, the gradient difference y, and 1/⟨s, y⟩.
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

impl Pair {
    /// Curvature pair of a step; `None` if its curvature is lost in rounding.
    fn of(x: &[f64], next: &[f64], gradient: &[f64], next_gradient: &[f64]) -> Option<Self> {
        let difference = |to: &[f64], from: &[f64]| -> Vec<f64> {
            to.iter().zip(from).map(|(to, from)| to - from).collect()
        };
        let (step, change) = (difference(next, x), difference(next_gradient, gradient));
        let product = dot(&step, &change);
        (product > f64::EPSILON * dot(&change, &change)).then(|| Self {
            step,
            change,
            inverse: 1.0 / product,
        })
    }
}

/// Two-loop recursion: approximates −H⁻¹·g. Without pairs, a steepest-descent step of length at most one.
fn newton_step(gradient: &[f64], pairs: &VecDeque<Pair>) -> Vec<f64> {
    let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let Some(last) = pairs.back() else {
        let scale = 1.0 / dot(gradient, gradient).sqrt().max(1.0);
        step.iter_mut().for_each(|v| *v *= scale);
        return step;
    };
    let mut shares = Vec::with_capacity(pairs.len());
    for pair in pairs.iter().rev() {
        let share = pair.inverse * dot(&pair.step, &step);
        add(&mut step, -share, &pair.change);
        shares.push(share);
    }
    let scale = 1.0 / (last.inverse * dot(&last.change, &last.change));
    step.iter_mut().for_each(|v| *v *= scale);
    for (pair, share) in pairs.iter().zip(shares.into_iter().rev()) {
        let other = pair.inverse * dot(&pair.change, &step);
        add(&mut step, share - other, &pair.step);
    }
    step
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += factor * other);
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Stop = Stop { gradient: 1e-10, decrease: 0.0, iterations: 1000 };

    /// Rosenbrock function in any even dimension: a curved, narrow valley with its minimum at (1, …, 1).
    fn rosenbrock(x: &[f64], gradient: &mut [f64]) -> f64 {
        let mut value = 0.0;
        for (x, g) in x.chunks_exact(2).zip(gradient.chunks_exact_mut(2)) {
            let (across, along) = (x[1] - x[0] * x[0], 1.0 - x[0]);
            value += 100.0 * across * across + along * along;
            g[0] = -400.0 * across * x[0] - 2.0 * along;
            g[1] = 200.0 * across;
        }
        value
    }

    #[test]
    fn rosenbrock_minimum_is_found() {
        let mut x = [-1.2, 1.0, 2.0, -1.0];
        let found = minimize(&mut x, &STRICT, rosenbrock);
        assert!(found.converged && found.iterations < 100, "{found:?}");
        assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-8), "{x:?}");
    }

    #[test]
    fn ill_conditioned_quadratic_converges() {
        let mut x = vec![1.0; 20];
        let found = minimize(&mut x, &STRICT, |x, gradient| {
            let weight = |i: usize| 10f64.powf(i as f64 / 5.0);
            (0..20).for_each(|i| gradient[i] = weight(i) * x[i]);
            (0..20).map(|i| 0.5 * weight(i) * x[i] * x[i]).sum()
        });
        assert!(found.converged && found.iterations < 250 && found.value < 1e-15, "{found:?}");
    }

    #[test]
    fn nonsmooth_objective_reaches_its_minimum() {
        let mut x = [3.0, -7.0];
        let stop = Stop { decrease: 1e-12, ..STRICT };
        let found = minimize(&mut x, &stop, |x, gradient| {
            gradient[0] = x[0].signum() + 0.2 * x[0];
            gradient[1] = 2.0 * x[1];
            x[0].abs() + 0.1 * x[0] * x[0] + x[1] * x[1]
        });
        assert!(found.value < 1e-6, "{found:?}");
    }

    #[test]
    fn nan_values_shorten_the_step() {
        let mut x = [1e-3];
        let found = minimize(&mut x, &STRICT, |x, gradient| {
            gradient[0] = 1.0 - 1.0 / x[0];
            x[0] - x[0].ln() // NaN below zero
        });
        assert!(found.converged && (x[0] - 1.0).abs() < 1e-8, "{x:?}");
    }

    #[test]
    fn iteration_limit_is_reported_as_unconverged() {
        let mut x = [-1.2, 1.0];
        let found = minimize(&mut x, &Stop { iterations: 3, ..STRICT }, rosenbrock);
        assert!(!found.converged && found.iterations == 3);
    }
}
