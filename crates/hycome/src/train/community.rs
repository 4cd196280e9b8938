//! O₃: each node is pulled to its communities.
//!
//! The loss is −Σₖ wᵢₖ ln f(φᵢ | μₖ, σₖ), and its gradient at φᵢ is −Σₖ (wᵢₖ/σₖ²)·log_φᵢ(μₖ): every community pulls
//! in proportion to its responsibility, and tight ones pull harder. In flat space the gradient is −Σₖ wᵢₖ·Σₖ⁻¹(μₖ−φᵢ), where a
//! community that is tight in one direction pulls harder in that one. The mixture stays as it is.

use rayon::prelude::*;

use super::table::Table;
use crate::error::Result;
use crate::geometry::poincare::{exp, log};
use crate::mixture::flat::Component;
use crate::mixture::{GaussianMixture, Mixture};
use crate::points::Points;

/// A step goes at most this share of the way to the mean of its communities, however tight they are.
///
/// Past one the step would overshoot; a collapsed community has 1/σ² of a million.
const LARGEST_SHARE: f64 = 0.5;

/// A community that a node belongs to with less than this pulls it by nothing that single precision could tell.
const NEGLIGIBLE: f64 = 1e-12;

/// Moves every row along its pull; `points` are the rows in double precision.
///
/// # Errors
/// If the mixture cannot judge the points.
pub fn gather_communities(nodes: &mut Table, points: &Points, mixture: &Mixture, rate: f64) -> Result<()> {
    match mixture {
        Mixture::Hyperbolic(own) => {
            move_rows(nodes, points, mixture, |x, shares| gathered(x, shares, own, rate))
        }
        Mixture::Flat(own) => {
            let components = own.components()?;
            move_rows(nodes, points, mixture, |x, shares| gathered_flat(x, shares, &components, rate))
        }
    }
}

/// Puts every row where `gather` takes its point, given how probable each community is.
fn move_rows(
    nodes: &mut Table,
    points: &Points,
    mixture: &Mixture,
    gather: impl Fn(&[f64], &[f64]) -> Vec<f64> + Sync,
) -> Result<()> {
    for block in mixture.responsibilities_by_blocks(points) {
        let (rows, responsibilities) = block?;
        let first = rows.start;
        let moved: Vec<Vec<f64>> = rows
            .into_par_iter()
            .with_min_len(256)
            .map(|i| gather(points.row(i), responsibilities.row(i - first)))
            .collect();
        moved.iter().zip(first..).for_each(|(point, i)| nodes.set(i, point));
    }
    Ok(())
}

/// Where the communities of the ball pull x.
fn gathered(x: &[f64], responsibilities: &[f64], mixture: &GaussianMixture, rate: f64) -> Vec<f64> {
    let (mut sum, mut toward, mut share) = (vec![0.0; x.len()], vec![0.0; x.len()], 0.0);
    for (k, &responsibility) in responsibilities.iter().enumerate() {
        if responsibility < NEGLIGIBLE {
            continue;
        }
        let pull = rate * responsibility / (mixture.scales[k] * mixture.scales[k]);
        log(x, mixture.means.row(k), &mut toward);
        sum.iter_mut().zip(&toward).for_each(|(s, v)| *s += pull * v);
        share += pull;
    }
    let shrink = if share > LARGEST_SHARE { LARGEST_SHARE / share } else { 1.0 };
    sum.iter_mut().for_each(|s| *s *= shrink);
    let mut moved = toward;
    exp(x, &sum, &mut moved);
    moved
}

/// Where the communities of flat space pull x: no farther than [`LARGEST_SHARE`] of its distance from their mean.
fn gathered_flat(x: &[f64], responsibilities: &[f64], components: &[Component], rate: f64) -> Vec<f64> {
    let (mut sum, mut pull, mut way) = (vec![0.0; x.len()], vec![0.0; x.len()], vec![0.0; x.len()]);
    for (component, &responsibility) in components.iter().zip(responsibilities) {
        if responsibility < NEGLIGIBLE {
            continue;
        }
        component.pull(x, &mut pull);
        sum.iter_mut().zip(&pull).for_each(|(s, p)| *s += rate * responsibility * p);
        way.iter_mut().zip(&component.mean).zip(x).for_each(|((w, m), x)| *w += responsibility * (m - x));
    }
    let length = |v: &[f64]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let (step, most) = (length(&sum), LARGEST_SHARE * length(&way));
    let shrink = if step > most { most / step } else { 1.0 };
    x.iter().zip(&sum).map(|(x, s)| x + shrink * s).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::mixture::flat::{FlatMixture, Spreads};

    fn mixture(spreads: Spreads) -> FlatMixture {
        FlatMixture { weights: vec![0.5, 0.5], means: Points::new(2, vec![2.0, 0.0, -2.0, 1.0]), spreads }
    }

    #[test]
    fn flat_points_go_against_the_gradient_of_finite_differences() {
        let full = Spreads::Full(vec![2.0, 0.6, 0.6, 0.5, 1.0, 0.0, 0.0, 4.0]);
        for spreads in [full, Spreads::Round(vec![1.5, 0.9])] {
            let components = mixture(spreads).components().unwrap();
            let (x, shares, rate) = ([0.3, -0.7], [0.6, 0.4], 1e-3);
            let loss = |x: &[f64]| -> f64 {
                components.iter().zip(shares).map(|(component, w)| -w * component.log_density(x)).sum()
            };
            let found = gathered_flat(&x, &shares, &components, rate);
            for j in 0..2 {
                let at = |h: f64| {
                    let mut x = x;
                    x[j] += h;
                    loss(&x)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((found[j] - x[j] + rate * slope).abs() < 1e-9, "{slope}");
            }
        }
    }

    #[test]
    fn however_tight_a_flat_community_is_a_point_goes_at_most_half_of_the_way() {
        let tight = mixture(Spreads::Full(vec![1e-6, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]));
        let mut nodes = Table::new(Geometry::Come, 1, 2);
        nodes.set(0, &[1.0, 0.0]);
        let points = nodes.all_points();
        let certain = FlatMixture { weights: vec![1.0, 0.0], ..tight };
        gather_communities(&mut nodes, &points, &certain.into(), 0.1).unwrap();
        assert_eq!(nodes.row(0), [1.5, 0.0]);
    }
}
