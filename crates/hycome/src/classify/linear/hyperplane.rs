//! Hyperplanes of hyperbolic space: parametrization, decision functions and gradients.
//!
//! On the hyperboloid ([`lorentz`](crate::geometry::lorentz)) a hyperplane, in two dimensions a geodesic, is the
//! orthogonal complement of a vector n of the ambient space. The signed distance of a point X from it is asinh(τ),
//! where τ = n₁X₁ + … + n_mX_m − n₀X₀ and n has Minkowski square n₁² + … + n_m² − n₀² = 1. Only vectors of positive
//! square are normals of a hyperplane that intersects the hyperboloid. The following unconstrained parametrization
//! satisfies that by construction:
//!
//! > n = (sinh r, cosh r · z/|z|),  s = |z|,
//!
//! where the vector z encodes direction and scale s, and r is the signed distance of the hyperplane from the origin
//! (Shimizu, Mukuta and Harada, *Hyperbolic neural networks++*, 2021). The parametrization (p, a) of Ganea, Bécigneul
//! and Hofmann (*Hyperbolic neural networks*, 2018) is equivalent but has m − 1 redundant parameters, since p may move
//! along the hyperplane.
//!
//! | [`DecisionFunction`] | value | meaning |
//! |---|---|---|
//! | `Distance` | s·asinh τ | logit of hyperbolic logistic regression |
//! | `Margin` | asinh(s·τ) | margin of the hyperbolic support vector machine, with w = s·n |
//! | `Linear` | w₀ + w₁x₁ + … + w_mx_m | logit of Euclidean logistic regression |
//!
//! With g the derivative of the loss with respect to the value, a pass over the points accumulates g·(∂value/∂τ)·X and
//! g·∂value/∂s (`losses.rs`); the chain rule to (z, r) is then applied once ([`Hyperplane::gradient`]).

use super::losses::LossSums;
use crate::numeric::elementary::ln_1p;

/// Decision function of a hyperplane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecisionFunction {
    /// Scaled hyperbolic distance from the hyperplane.
    Distance,
    /// Inverse hyperbolic sine of the scaled Minkowski product with the normal.
    Margin,
    /// Linear function of the coordinates; the first coordinate is the constant 1.
    Linear,
}

/// Hyperplane with its decision function and precomputed coefficients.
#[derive(Clone, Debug)]
pub(super) struct Hyperplane {
    pub decision: DecisionFunction,
    /// Coefficients of the coordinates, including the sign of the first, so that τ is a plain dot product.
    pub normal: Vec<f64>,
    /// s.
    pub scale: f64,
    /// cosh r and sinh r.
    boost: (f64, f64),
}

/// Decision value with its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    /// Decision value.
    pub value: f64,
    /// ∂value/∂τ.
    pub slope: f64,
    /// ∂value/∂s.
    pub stretch: f64,
}

impl Hyperplane {
    /// Makes a hyperplane from its parameters: (z, r), or the weights if linear.
    pub(super) fn new(decision: DecisionFunction, parameters: &[f64]) -> Self {
        if decision == DecisionFunction::Linear {
            return Self { decision, normal: parameters.to_vec(), scale: 1.0, boost: (1.0, 0.0) };
        }
        let (r, z) = parameters.split_last().expect("there is a number beside the vector");
        let scale = z.iter().map(|z| z * z).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        let (cosh, sinh) = (r.cosh(), r.sinh());
        let mut normal = Vec::with_capacity(parameters.len());
        normal.push(-sinh);
        normal.extend(z.iter().map(|z| cosh * z / scale));
        Self { decision, normal, scale, boost: (cosh, sinh) }
    }

    /// τ of a row.
    pub(super) fn product(&self, row: &[f64]) -> f64 {
        self.normal.iter().zip(row).map(|(n, x)| n * x).sum()
    }

    /// Decision value and derivatives at a row with the given τ.
    pub(super) fn value(&self, product: f64) -> Decision {
        match self.decision {
            DecisionFunction::Distance => Decision::distance(self.scale, product),
            DecisionFunction::Margin => Decision::margin(self.scale, product),
            DecisionFunction::Linear => Decision::linear(product),
        }
    }

    /// Adds the derivatives with respect to the parameters to `gradient`.
    pub(super) fn gradient(&self, sums: &LossSums, gradient: &mut [f64]) {
        if self.decision == DecisionFunction::Linear {
            gradient.iter_mut().zip(&sums.pull).for_each(|(gradient, pull)| *gradient += pull);
            return;
        }
        let (cosh, sinh) = self.boost;
        let direction: Vec<f64> = self.normal[1..].iter().map(|n| n / cosh).collect();
        let along: f64 = direction.iter().zip(&sums.pull[1..]).map(|(u, pull)| u * pull).sum();
        let (of_r, of_z) = gradient.split_last_mut().expect("there is a number beside the vector");
        *of_r += sinh * along - cosh * sums.pull[0];
        for ((of_z, u), pull) in of_z.iter_mut().zip(&direction).zip(&sums.pull[1..]) {
            *of_z += sums.stretch * u + cosh / self.scale * (pull - along * u);
        }
    }
}

impl Decision {
    /// s·asinh τ.
    #[inline(always)]
    pub(super) fn distance(scale: f64, product: f64) -> Self {
        let (distance, root) = asinh(product);
        Self { value: scale * distance, slope: scale / root, stretch: distance }
    }

    /// asinh(s·τ).
    #[inline(always)]
    pub(super) fn margin(scale: f64, product: f64) -> Self {
        let (value, root) = asinh(scale * product);
        Self { value, slope: scale / root, stretch: product / root }
    }

    /// τ itself.
    #[inline(always)]
    pub(super) fn linear(product: f64) -> Self {
        Self { value: product, slope: 1.0, stretch: 0.0 }
    }
}

/// asinh x and √(1+x²).
///
/// ln(1 + x + x²/(1+√(1+x²))) keeps all digits of small x.
#[inline(always)]
fn asinh(x: f64) -> (f64, f64) {
    let (size, square) = (x.abs(), x * x);
    let root = (1.0 + square).sqrt();
    (ln_1p(size + square / (1.0 + root)).copysign(x), root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{lorentz, poincare};

    fn lifted(x: &[f64]) -> Vec<f64> {
        let mut row = vec![0.0; x.len() + 1];
        lorentz::lift(x, &mut row);
        row
    }

    #[test]
    fn decision_value_is_the_logit_of_ganea_et_al() {
        // The hyperplane through p = tanh(r/2)·z/|z| with normal a at p, as in their paper.
        for (z, r) in [([0.7, -0.2, 0.4], 0.9), ([-2.0, 0.1, 0.0], -1.7), ([0.1, 0.1, 0.1], 0.0)] {
            let scale = poincare::norm(&z);
            let p: Vec<f64> = z.iter().map(|z| (0.5f64 * r).tanh() * z / scale).collect();
            // |a| is chosen such that a has length s in the metric at p
            let a: Vec<f64> = z.iter().map(|z| 0.5 * poincare::slack(&p) * z).collect();
            let hyperplane = Hyperplane::new(DecisionFunction::Distance, &[z[0], z[1], z[2], r]);
            for x in [[0.0, 0.0, 0.0], [0.3, 0.4, -0.5], [-0.9, 0.1, 0.2], [0.01, -0.99, 0.0]] {
                let minus_p: Vec<f64> = p.iter().map(|p| -p).collect();
                let mut moved = [0.0; 3];
                poincare::translate(&minus_p, &x, &mut moved);
                let inner: f64 = moved.iter().zip(&a).map(|(x, a)| x * a).sum();
                let norm = poincare::norm(&a);
                let printed = 2.0 / poincare::slack(&p)
                    * norm
                    * (2.0 * inner / (poincare::slack(&moved) * norm)).asinh();
                let value = hyperplane.value(hyperplane.product(&lifted(&x))).value;
                assert!((value - printed).abs() < 1e-12 * printed.abs().max(1.0), "{value} {printed}");
            }
        }
    }

    #[test]
    fn normals_have_positive_minkowski_square() {
        for parameters in [[0.3, -4.0, 2.0], [1e-9, 0.0, -3.0], [50.0, 50.0, 5.0]] {
            let normal = Hyperplane::new(DecisionFunction::Margin, &parameters).normal;
            let square = normal[1] * normal[1] + normal[2] * normal[2] - normal[0] * normal[0];
            assert!((square - 1.0).abs() < 1e-11, "{square}");
        }
    }

    #[test]
    fn gradients_match_finite_differences() {
        let rows = [lifted(&[0.3, -0.2]), lifted(&[-0.8, 0.5]), lifted(&[0.01, 0.9])];
        for decision in [DecisionFunction::Distance, DecisionFunction::Margin, DecisionFunction::Linear] {
            for parameters in [[0.8, -0.3, 0.6], [-2.0, 0.4, -1.5], [1e-3, 1e-3, 0.1]] {
                // the loss is the sum of squares of the values
                let loss = |parameters: &[f64]| -> f64 {
                    let hyperplane = Hyperplane::new(decision, parameters);
                    rows.iter().map(|row| hyperplane.value(hyperplane.product(row)).value.powi(2)).sum()
                };
                let hyperplane = Hyperplane::new(decision, &parameters);
                let mut sums = LossSums::zero(3);
                for row in &rows {
                    let value = hyperplane.value(hyperplane.product(row));
                    let push = 2.0 * value.value;
                    sums.pull.iter_mut().zip(row).for_each(|(pull, x)| *pull += push * value.slope * x);
                    sums.stretch += push * value.stretch;
                }
                let mut gradient = [0.0; 3];
                hyperplane.gradient(&sums, &mut gradient);
                for i in 0..3 {
                    let step = 1e-6 * parameters[i].abs();
                    let (mut up, mut down) = (parameters, parameters);
                    up[i] += step;
                    down[i] -= step;
                    let numeric = (loss(&up) - loss(&down)) / (2.0 * step);
                    let size = gradient.iter().fold(0.0, |size: f64, g| size.max(g.abs()));
                    assert!(
                        (gradient[i] - numeric).abs() < 1e-6 * size,
                        "{decision:?}: {} {numeric}",
                        gradient[i]
                    );
                }
            }
        }
    }

    #[test]
    fn asinh_matches_the_standard_library() {
        for x in [0.0, 1e-300, 1e-9, 0.3, -2.0, 1e6, -1e30] {
            let (value, root) = asinh(x);
            assert!((value - f64::asinh(x)).abs() <= 1e-15 * value.abs(), "{x}");
            assert!((root - f64::hypot(1.0, x)).abs() <= 1e-15 * root);
        }
    }
}
