//! How the nodes of a run get into the disc, and how faithful that is.
//!
//! An embedding of two dimensions is drawn as it is. One of more dimensions is drawn by the layout of its run
//! ([`Trainer::with_layout`](crate::Trainer::with_layout)) or, without one, by its [`Projection`].

use rayon::prelude::*;

use super::projection::{Projection, project};
use crate::Result;
use crate::geometry::poincare::distance;
use crate::interrupt;
use crate::mixture::{GaussianMixture, Mixture, MixtureConfig, Responsibilities, maximization};
use crate::points::Points;
use crate::train::Run;

/// Nearest neighbours that are compared.
const NEIGHBORS: usize = 10;

/// Nodes whose neighbours are compared, at most.
const MAX_SAMPLE: usize = 500;

/// Distances that are computed, at most: a fraction of a second.
const MAX_DISTANCES: usize = 20_000_000;

/// How the nodes of a run get into the disc.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// By projection, which is the identity in two dimensions.
    Projection(Projection),
    /// By the layout of the run.
    Layout {
        /// Dimension of the embedding.
        dim: usize,
        /// What the layout preserves of it.
        faithfulness: Faithfulness,
    },
}

/// What a layout preserves of an embedding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faithfulness {
    /// Share of the nodes that the Gaussians of the layout assign to their community.
    pub communities: f64,
    /// Share of a node's ten nearest neighbours that are among its ten nearest in the layout, on average.
    pub neighbors: f64,
}

/// Points and Gaussians in the disc.
pub(super) struct Disc {
    pub view: View,
    pub points: Points,
    pub mixture: GaussianMixture,
}

/// Points and Gaussians of a run in the disc; `mixture` is that of the run.
pub(super) fn disc(
    run: &Run,
    mixture: &GaussianMixture,
    responsibilities: &Responsibilities,
) -> Result<Disc> {
    if let Some(layout) = &run.layout {
        let fitted = maximization(layout, responsibilities, MixtureConfig::default().scale_floor)?;
        let faithfulness = Faithfulness {
            communities: agreement(layout, &fitted, &responsibilities.communities())?,
            neighbors: preserved_neighbors(&run.nodes, layout),
        };
        let view = View::Layout { dim: run.nodes.dim(), faithfulness };
        return Ok(Disc { view, points: layout.clone(), mixture: fitted });
    }
    projected(&run.nodes, mixture)
}

/// Points and Gaussians in the disc by projection.
pub(super) fn projected(nodes: &Points, mixture: &GaussianMixture) -> Result<Disc> {
    let projection = project(nodes);
    interrupt::check()?;
    let points = projection.apply(nodes);
    let mixture = GaussianMixture { means: projection.apply(&mixture.means), ..mixture.clone() };
    Ok(Disc { view: View::Projection(projection), points, mixture })
}

/// Share of the nodes that a mixture assigns to these communities.
fn agreement(points: &Points, mixture: &GaussianMixture, communities: &[u32]) -> Result<f64> {
    let found = Mixture::from(mixture.clone()).communities(points)?;
    let equal = found.iter().zip(communities).filter(|(a, b)| a == b).count();
    Ok(equal as f64 / communities.len().max(1) as f64)
}

/// Share of the nearest neighbours in `points` that are also nearest in `layout`, averaged over an evenly spaced sample.
fn preserved_neighbors(points: &Points, layout: &Points) -> f64 {
    let count = points.len();
    let neighbors = NEIGHBORS.min(count.saturating_sub(1));
    if neighbors == 0 {
        return 1.0;
    }
    let sample = (MAX_DISTANCES / count).clamp(1, MAX_SAMPLE).min(count);
    let shares: Vec<f64> = (0..sample)
        .into_par_iter()
        .map(|i| {
            let node = i * count / sample;
            let (own, other) = (nearest(points, node, neighbors), nearest(layout, node, neighbors));
            own.iter().filter(|neighbor| other.contains(neighbor)).count() as f64 / neighbors as f64
        })
        .collect();
    shares.iter().sum::<f64>() / sample as f64
}

/// The nearest points of a node, without itself.
fn nearest(points: &Points, node: usize, count: usize) -> Vec<usize> {
    let x = points.row(node);
    let mut all: Vec<(f64, usize)> =
        (0..points.len()).filter(|&i| i != node).map(|i| (distance(x, points.row(i)), i)).collect();
    let compare = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    all.select_nth_unstable_by(count - 1, compare);
    all.truncate(count);
    all.into_iter().map(|(_, i)| i).collect()
}

impl View {
    /// Dimension of the embedding.
    #[must_use]
    pub fn dim(&self) -> usize {
        match self {
            Self::Projection(projection) => projection.dim,
            Self::Layout { dim, .. } => *dim,
        }
    }

    /// Dimension of the Gaussians that are drawn: two, or that of a projected embedding.
    #[must_use]
    pub(crate) fn gaussian_dim(&self) -> usize {
        match self {
            Self::Projection(projection) => projection.dim,
            Self::Layout { .. } => 2,
        }
    }

    /// Subtitle of a figure; none in two dimensions.
    #[must_use]
    pub fn subtitle(&self) -> Option<String> {
        match self {
            Self::Projection(projection) => projection.subtitle(),
            Self::Layout { dim, faithfulness } => Some(format!(
                "2-D layout of {dim} dimensions: {:.0} % of nodes in their community, {:.0} % of nearest neighbours kept",
                100.0 * faithfulness.communities,
                100.0 * faithfulness.neighbors
            )),
        }
    }

    /// Notes for captions; none in two dimensions.
    #[must_use]
    pub(crate) fn notes(&self) -> Vec<String> {
        match self {
            Self::Projection(projection) if projection.dim <= 2 => Vec::new(),
            Self::Projection(projection) => {
                let contours = "contours contain 50 % and 90 % of the mass of the projected Gaussians";
                projection.caption().into_iter().chain([contours.to_owned()]).collect()
            }
            Self::Layout { dim, .. } => vec![format!(
                "positions are a layout that keeps communities apart; communities and probabilities are of {dim} dimensions"
            )],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(order: impl Iterator<Item = usize>) -> Points {
        Points::new(2, order.flat_map(|i| [i as f64 * 0.01, 0.0]).collect())
    }

    #[test]
    fn neighbors_are_preserved_by_a_copy_and_lost_by_a_shuffle() {
        let points = line(0..80);
        assert_eq!(preserved_neighbors(&points, &points), 1.0);
        let shuffled = preserved_neighbors(&points, &line((0..80).map(|i| i * 37 % 80)));
        assert!(shuffled < 0.4, "{shuffled}");
        assert_eq!(preserved_neighbors(&line(0..1), &line(0..1)), 1.0);
    }

    #[test]
    fn agreement_counts_nodes_of_their_own_gaussian() {
        let points = line([0, 1, 60, 61].into_iter());
        let means = Points::new(2, vec![0.0, 0.0, 0.6, 0.0]);
        let mixture = GaussianMixture { weights: vec![0.5; 2], means, scales: vec![0.2; 2] };
        assert_eq!(agreement(&points, &mixture, &[0, 0, 1, 1]).unwrap(), 1.0);
        assert_eq!(agreement(&points, &mixture, &[0, 1, 1, 1]).unwrap(), 0.75);
    }
}
