//! O₃: each node is pulled to its communities.
//!
//! The loss is −Σₖ wᵢₖ ln f(φᵢ | μₖ, σₖ), and its gradient at φᵢ is −Σₖ (wᵢₖ/σₖ²)·log_φᵢ(μₖ): every community pulls
//! in proportion to its responsibility, and tight ones pull harder. The mixture stays as it is.

use rayon::prelude::*;

use super::table::Table;
use crate::error::Result;
use crate::geometry::poincare::{exp, log};
use crate::mixture::GaussianMixture;
use crate::points::Points;

/// A step goes at most this share of the way to the mean of its communities, however tight they are.
///
/// Past one the step would overshoot; a collapsed community has 1/σ² of a million.
const LARGEST_SHARE: f64 = 0.5;

/// Moves every row along its pull; `points` are the rows in double precision.
///
/// # Errors
/// If the mixture cannot judge the points.
pub fn gather_communities(
    nodes: &mut Table,
    points: &Points,
    mixture: &GaussianMixture,
    rate: f64,
) -> Result<()> {
    let responsibilities = mixture.responsibilities(points)?;
    let dim = points.dim();
    let moved: Vec<Vec<f64>> = (0..points.len())
        .into_par_iter()
        .with_min_len(256)
        .map(|i| {
            let x = points.row(i);
            let (mut sum, mut toward, mut share) = (vec![0.0; dim], vec![0.0; dim], 0.0);
            for (k, &responsibility) in responsibilities.row(i).iter().enumerate() {
                let pull = rate * responsibility / (mixture.scales[k] * mixture.scales[k]);
                log(x, mixture.means.row(k), &mut toward);
                sum.iter_mut().zip(&toward).for_each(|(s, v)| *s += pull * v);
                share += pull;
            }
            let shrink = if share > LARGEST_SHARE { LARGEST_SHARE / share } else { 1.0 };
            sum.iter_mut().for_each(|s| *s *= shrink);
            let mut moved = vec![0.0; dim];
            exp(x, &sum, &mut moved);
            moved
        })
        .collect();
    for (i, point) in moved.iter().enumerate() {
        nodes.set(i, point);
    }
    Ok(())
}
