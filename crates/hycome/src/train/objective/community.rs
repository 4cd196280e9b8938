//! Community loss O₃: each node is attracted to the Gaussians of its communities (ComE, Cavallari et al. 2017).
//!
//! The loss is −Σₖ wᵢₖ ln f(φᵢ | μₖ, σₖ), and its Riemannian gradient at φᵢ is −Σₖ (wᵢₖ/σₖ²)·log_φᵢ(μₖ). In Euclidean space it is
//! −Σₖ wᵢₖ·Σₖ⁻¹(μₖ−φᵢ). The mixture is fixed during the step.
//!
//! A tight community has 1/σ² of a million, so an explicit gradient step would overshoot. The step is implicit (backward Euler, the
//! proximal operator of the quadratic loss; Parikh and Boyd 2014): where an explicit one would go the fraction s of the way to the mean of
//! its communities, a node moves s/(1 + s) of it. That is the same for small steps, never overshoots, and grows with the weight γ for any
//! γ.

use rayon::prelude::*;

use crate::error::Result;
use crate::geometry::poincare::{exp, log};
use crate::mixture::euclidean::Component;
use crate::mixture::{GaussianMixture, Mixture};
use crate::points::Points;
use crate::train::engine::table::Table;

/// Responsibilities below this are ignored: their gradient vanishes in single precision.
const MIN_RESPONSIBILITY: f64 = 1e-12;

/// Moves every row by one gradient step of O₃; `points` are the rows in double precision.
///
/// # Errors
/// If mixture and points do not fit together, or [`Error::Interrupted`](crate::Error::Interrupted).
pub(crate) fn community_step(nodes: &mut Table, points: &Points, mixture: &Mixture, rate: f64) -> Result<()> {
    match mixture {
        Mixture::Hyperbolic(own) => {
            move_rows(nodes, points, mixture, |x, shares| poincare_step(x, shares, own, rate))
        }
        Mixture::Euclidean(own) => {
            let components = own.components()?;
            move_rows(nodes, points, mixture, |x, shares| euclidean_step(x, shares, &components, rate))
        }
    }
}

/// Sets every row to `step(point, responsibilities)`.
fn move_rows(
    nodes: &mut Table,
    points: &Points,
    mixture: &Mixture,
    step: impl Fn(&[f64], &[f64]) -> Vec<f64> + Sync,
) -> Result<()> {
    for block in mixture.responsibilities_by_blocks(points) {
        let (rows, responsibilities) = block?;
        let first = rows.start;
        let moved: Vec<Vec<f64>> = rows
            .into_par_iter()
            .with_min_len(256)
            .map(|i| step(points.row(i), responsibilities.row(i - first)))
            .collect();
        moved.iter().zip(first..).for_each(|(point, i)| nodes.set(i, point));
    }
    Ok(())
}

/// Implicit gradient step of x in the ball.
fn poincare_step(x: &[f64], responsibilities: &[f64], mixture: &GaussianMixture, rate: f64) -> Vec<f64> {
    let (mut sum, mut toward, mut share) = (vec![0.0; x.len()], vec![0.0; x.len()], 0.0);
    for (k, &responsibility) in responsibilities.iter().enumerate() {
        if responsibility < MIN_RESPONSIBILITY {
            continue;
        }
        let pull = rate * responsibility / (mixture.scales[k] * mixture.scales[k]);
        log(x, mixture.means.row(k), &mut toward);
        sum.iter_mut().zip(&toward).for_each(|(s, v)| *s += pull * v);
        share += pull;
    }
    sum.iter_mut().for_each(|s| *s /= 1.0 + share);
    let mut moved = toward;
    exp(x, &sum, &mut moved);
    moved
}

/// Implicit gradient step of x in Euclidean space.
fn euclidean_step(x: &[f64], responsibilities: &[f64], components: &[Component], rate: f64) -> Vec<f64> {
    let (mut sum, mut pull, mut way) = (vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()]);
    for (component, &responsibility) in components.iter().zip(responsibilities) {
        if responsibility < MIN_RESPONSIBILITY {
            continue;
        }
        component.gradient(x, &mut pull);
        sum.iter_mut().zip(&pull).for_each(|(s, p)| *s += rate * responsibility * p);
        way.iter_mut().zip(&component.mean).zip(x).for_each(|((w, m), x)| *w += responsibility * (m - x));
    }
    let length = |v: &[f64]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let share = length(&sum) / length(&way).max(f64::MIN_POSITIVE);
    let shrink = 1.0 / (1.0 + share);
    x.iter().zip(&sum).map(|(x, s)| x + shrink * s).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::mixture::euclidean::{Covariances, EuclideanMixture};

    fn mixture(covariances: Covariances) -> EuclideanMixture {
        EuclideanMixture {
            weights: vec![0.5, 0.5],
            means: Points::new(2, vec![2.0, 0.0, -2.0, 1.0]),
            covariances,
        }
    }

    #[test]
    fn euclidean_steps_follow_the_negative_gradient_of_finite_differences() {
        let full = Covariances::Full(vec![2.0, 0.6, 0.6, 0.5, 1.0, 0.0, 0.0, 4.0]);
        for spreads in [full, Covariances::Spherical(vec![1.5, 0.9])] {
            let components = mixture(spreads).components().unwrap();
            let (x, shares, rate) = ([0.3, -0.7], [0.6, 0.4], 1e-4);
            let loss = |x: &[f64]| -> f64 {
                components.iter().zip(shares).map(|(component, w)| -w * component.log_density(x)).sum()
            };
            let found = euclidean_step(&x, &shares, &components, rate);
            for j in 0..2 {
                let at = |h: f64| {
                    let mut x = x;
                    x[j] += h;
                    loss(&x)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((found[j] - x[j] + rate * slope).abs() < 1e-5 * slope.abs().max(1.0), "{slope}");
            }
        }
    }

    #[test]
    fn steps_grow_with_their_weight_and_never_overshoot() {
        let tight = mixture(Covariances::Full(vec![1e-6, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]));
        let certain: Mixture = EuclideanMixture { weights: vec![1.0, 0.0], ..tight }.into();
        let ball: Mixture =
            GaussianMixture { weights: vec![1.0], means: Points::new(2, vec![0.6, 0.0]), scales: vec![1e-2] }
                .into();
        for (geometry, mixture, start, mean) in
            [(Geometry::Come, certain, 1.0, 2.0), (Geometry::Poincare, ball, 0.1, 0.6)]
        {
            let mut last = start;
            for rate in [1e-7, 1e-5, 1e-3, 1.0] {
                let mut nodes = Table::new(geometry, 1, 2);
                nodes.set(0, &[start, 0.0]);
                let points = nodes.all_points();
                community_step(&mut nodes, &points, &mixture, rate).unwrap();
                let x = nodes.all_points().row(0)[0];
                assert!(x > last && x <= mean + 1e-6, "{geometry:?}, rate {rate}: {x} after {last}");
                last = x;
            }
        }
    }
}
