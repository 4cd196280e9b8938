//! K-means: the K centres whose points are nearest to them.
//!
//! The inertia Σ_i d²(x_i, nearest centre) is lowered by two steps in turn (Lloyd): every point goes to its
//! nearest centre, every centre to the barycenter of its points. The first centres are drawn by k-means++: each
//! is a point, chosen with probability proportional to its squared distance from the centres so far, so that
//! they are spread out. It ends in a local minimum, so the best of several starts is kept. A cluster that loses
//! all its points starts again at the point that is farthest from its own centre.

use pulp::Arch;
use rayon::prelude::*;

use super::columns::{Column, Columns, MIN_BLOCKS, ROWS};
use super::kernel::{Attract, FindNearest, Sums};
use crate::geometry::barycenter::{MAX_PASSES, tolerance};
use crate::rng::{Purpose, Stream, stream};
use crate::{Error, Points, Result, interrupt};

/// How to search for K-means.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeansConfig {
    /// Lloyd iterations after which a search ends in any case.
    pub max_iterations: usize,
    /// Starts from different centres, of which the one of least inertia is kept.
    pub restarts: usize,
}

impl Default for KMeansConfig {
    fn default() -> Self {
        Self { max_iterations: 100, restarts: 4 }
    }
}

/// Centres and the points that are nearest to them.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// The centres.
    pub means: Points,
    /// The nearest centre of each point.
    pub assignment: Vec<u32>,
    /// Sum of the squared distances of the points from their centres.
    pub inertia: f64,
    /// Lloyd iterations of the start that was kept.
    pub iterations: usize,
    /// Whether no point changed its centre any more, rather than the iterations having come to their end.
    pub converged: bool,
}

/// Finds `communities` centres.
///
/// # Errors
/// Where a point is not inside the ball or there are fewer distinct points than centres.
pub fn kmeans(points: &Points, communities: usize, config: &KMeansConfig, seed: u64) -> Result<KMeans> {
    let columns = Columns::new(points)?;
    let mut best = run(points, &columns, communities, config.max_iterations, seed, 0)?;
    for restart in 1..config.restarts {
        let found = run(points, &columns, communities, config.max_iterations, seed, restart as u64)?;
        if found.inertia < best.inertia {
            best = found;
        }
    }
    Ok(best)
}

/// One search, from its own start.
pub(super) fn run(
    points: &Points,
    columns: &Columns,
    communities: usize,
    max_iterations: usize,
    seed: u64,
    restart: u64,
) -> Result<KMeans> {
    if communities == 0 || communities > points.len() {
        let expected = format!("from 1 to the number of points, {}", points.len());
        return Err(not_possible(&expected, communities));
    }
    let mut rng = stream(seed, Purpose::Means, restart, 0);
    let mut means = seed_centres(points, columns, communities, &mut rng)?;
    let mut nearest = assign(columns, &means)?;
    let (mut iterations, mut converged) = (0, false);
    while !converged && iterations < max_iterations {
        means = recentre(points, columns, &nearest, means)?;
        let moved = assign(columns, &means)?;
        iterations += 1;
        converged = moved.centre == nearest.centre;
        nearest = moved;
    }
    let inertia = nearest.squared_distance.iter().sum();
    Ok(KMeans { means, assignment: nearest.centre, inertia, iterations, converged })
}

fn not_possible(expected: &str, found: usize) -> Error {
    Error::Config { parameter: "communities", expected: expected.into(), found: found.to_string() }
}

/// Squared distances up to this are those of equal points.
const EQUAL: f64 = 1e-290;

/// The first centres, by k-means++.
fn seed_centres(points: &Points, columns: &Columns, communities: usize, rng: &mut Stream) -> Result<Points> {
    let mut centres = Vec::with_capacity(communities * points.dim());
    let mut distance = vec![f64::INFINITY; points.len()];
    let mut chosen = (rng.unit() * points.len() as f64) as usize;
    for seeded in 1..=communities {
        centres.extend_from_slice(points.row(chosen));
        if seeded == communities {
            break;
        }
        lower(columns, points.row(chosen), &mut distance)?;
        let total: f64 = distance.iter().sum();
        if total <= EQUAL * points.len() as f64 {
            return Err(not_possible(
                &format!("at most the number of distinct points, {seeded}"),
                communities,
            ));
        }
        chosen = draw(&distance, rng.unit() * total);
    }
    Ok(Points::new(points.dim(), centres))
}

/// Lowers every point's squared distance to that from one more centre.
fn lower(columns: &Columns, centre: &[f64], distance: &mut [f64]) -> Result<()> {
    let centre = Points::new(columns.dim, centre.to_vec());
    distance.par_chunks_mut(ROWS).enumerate().try_for_each(|(b, distance)| {
        interrupt::check()?;
        let (_, found) = Arch::new().dispatch(FindNearest { block: columns.block(b), means: &centre });
        for (distance, found) in distance.iter_mut().zip(found) {
            *distance = distance.min(if found > EQUAL { found } else { 0.0 });
        }
        Ok(())
    })
}

/// The place at which the running sum of `shares` passes `target`; never one without a share.
pub(super) fn draw(shares: &[f64], target: f64) -> usize {
    let (mut sum, mut last) = (0.0, 0);
    for (i, &share) in shares.iter().enumerate() {
        if share > 0.0 {
            sum += share;
            last = i;
            if sum > target {
                break;
            }
        }
    }
    last
}

/// The nearest centre of each point, and how far it is.
struct Nearest {
    centre: Vec<u32>,
    squared_distance: Vec<f64>,
}

fn assign(columns: &Columns, means: &Points) -> Result<Nearest> {
    let mut nearest = Nearest { centre: vec![0; columns.len], squared_distance: vec![0.0; columns.len] };
    let centres = nearest.centre.par_chunks_mut(ROWS);
    centres.zip(nearest.squared_distance.par_chunks_mut(ROWS)).enumerate().try_for_each(
        |(b, (centre, distance))| {
            interrupt::check()?;
            let (place, least) = Arch::new().dispatch(FindNearest { block: columns.block(b), means });
            for (centre, place) in centre.iter_mut().zip(place) {
                *centre = place as u32;
            }
            distance.copy_from_slice(&least[..distance.len()]);
            Ok::<_, Error>(())
        },
    )?;
    Ok(nearest)
}

/// Every centre moves to the barycenter of its points, or, without any, to the point farthest from its own.
fn recentre(points: &Points, columns: &Columns, nearest: &Nearest, means: Points) -> Result<Points> {
    let mut members = vec![Vec::new(); means.len()];
    for (i, &k) in nearest.centre.iter().enumerate() {
        members[k as usize].push(i);
    }
    let moved: Vec<Option<Vec<f64>>> = members
        .par_iter()
        .enumerate()
        .map(|(k, members)| {
            if members.len() == points.len() {
                return Ok(Some(settle(columns, means.row(k))?));
            }
            let columns = Columns::gather(points, members.len(), |i| members[i]);
            (!members.is_empty()).then(|| settle(&columns, means.row(k))).transpose()
        })
        .collect::<Result<_>>()?;
    let mut means = means;
    let mut far: Vec<usize> = Vec::new();
    for (k, moved) in moved.iter().enumerate() {
        match moved {
            Some(moved) => means.row_mut(k).copy_from_slice(moved),
            None => {
                let farthest = (0..points.len()).filter(|i| !far.contains(i)).fold(0, |best, i| {
                    if nearest.squared_distance[i] > nearest.squared_distance[best] { i } else { best }
                });
                far.push(farthest);
                means.row_mut(k).copy_from_slice(points.row(farthest));
            }
        }
    }
    Ok(means)
}

/// Mean pull below which a centre is settled: far below what changes an assignment.
const SETTLED: f64 = 1e-8;

/// The barycenter of the points, sought from `start`.
fn settle(columns: &Columns, start: &[f64]) -> Result<Vec<f64>> {
    let mut mean = start.to_vec();
    for _ in 0..MAX_PASSES {
        let attract = |b: usize| {
            interrupt::check()?;
            let block = columns.block(b);
            let mut weights: Column = [1.0; ROWS];
            weights[block.len..].fill(0.0);
            Ok(Arch::new().dispatch(Attract { block, mean: &mean, weights: &weights }))
        };
        let blocks = (0..columns.block_count()).into_par_iter().with_min_len(MIN_BLOCKS).map(attract);
        let mut sums = Sums::zero(columns.dim);
        blocks.collect::<Result<Vec<Sums>>>()?.iter().for_each(|block| sums.add(block));
        let pull = sums.pull(&mean);
        if pull.gradient_norm(&mean).is_none_or(|norm| norm <= tolerance(SETTLED, &mean)) {
            break;
        }
        mean = pull.follow(&mean);
    }
    Ok(mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_heaps() -> Points {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut row = |at: f64| vec![at + 0.1 * (rng.unit() - 0.5), 0.1 * (rng.unit() - 0.5)];
        Points::new(2, (0..600).flat_map(|i| row(if i < 200 { 0.5 } else { -0.5 })).collect())
    }

    #[test]
    fn two_heaps_are_told_apart() {
        let found = kmeans(&two_heaps(), 2, &KMeansConfig::default(), 7).unwrap();
        let first = found.assignment[0];
        assert!(found.converged);
        assert!(found.assignment[..200].iter().all(|&k| k == first));
        assert!(found.assignment[200..].iter().all(|&k| k == 1 - first));
    }

    #[test]
    fn inertia_falls_with_every_iteration() {
        let points = two_heaps();
        let columns = Columns::new(&points).unwrap();
        let mut last = f64::INFINITY;
        for iterations in 0..12 {
            let inertia = run(&points, &columns, 9, iterations, 3, 0).unwrap().inertia;
            assert!(inertia <= last * (1.0 + 1e-12), "{inertia} after {last}");
            last = inertia;
        }
    }

    #[test]
    fn as_many_centres_as_distinct_points_leave_no_inertia() {
        let points = Points::new(2, [0.1, 0.2, -0.3, 0.4, 0.5, 0.5].repeat(20));
        let found = kmeans(&points, 3, &KMeansConfig::default(), 2).unwrap();
        assert!(found.inertia < 1e-26, "{}", found.inertia);
    }

    #[test]
    fn more_centres_than_distinct_points_are_refused() {
        let points = Points::new(2, [0.1, 0.2, -0.3, 0.4].repeat(20));
        let error = kmeans(&points, 3, &KMeansConfig::default(), 2).unwrap_err().to_string();
        assert_eq!(error, "`communities` must be at most the number of distinct points, 2, but is 3");
        assert!(kmeans(&points, 0, &KMeansConfig::default(), 2).is_err());
        assert!(kmeans(&Points::default(), 1, &KMeansConfig::default(), 2).is_err());
    }

    #[test]
    fn a_cluster_without_points_starts_again_at_the_farthest() {
        let points = two_heaps();
        let nearest = Nearest { centre: vec![0; 600], squared_distance: (0..600).map(f64::from).collect() };
        let columns = Columns::new(&points).unwrap();
        let means = recentre(&points, &columns, &nearest, Points::zeros(3, 2)).unwrap();
        assert_eq!(means.row(1), points.row(599));
        assert_eq!(means.row(2), points.row(598));
    }
}
