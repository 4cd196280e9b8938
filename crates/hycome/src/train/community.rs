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

/// A community that a node belongs to with less than this pulls it by nothing that single precision could tell.
const NEGLIGIBLE: f64 = 1e-12;

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
    for block in mixture.responsibilities_by_blocks(points) {
        let (rows, responsibilities) = block?;
        let first = rows.start;
        let moved: Vec<Vec<f64>> = rows
            .into_par_iter()
            .with_min_len(256)
            .map(|i| gathered(points.row(i), responsibilities.row(i - first), mixture, rate))
            .collect();
        moved.iter().zip(first..).for_each(|(point, i)| nodes.set(i, point));
    }
    Ok(())
}

/// Where the communities pull x.
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
