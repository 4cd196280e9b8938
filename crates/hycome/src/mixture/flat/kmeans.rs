//! K-means in flat space: the start of EM there, and a clusterer.
//!
//! As [in the ball](mod@crate::mixture::kmeans): first centres by k-means++, then every point goes to its nearest centre
//! and every centre to the mean of its points, until no point changes; a cluster without points starts again at the
//! point farthest from its own centre.

use rayon::prelude::*;

use super::check_finite;
use crate::mixture::{KMeans, KMeansConfig};
use crate::rng::{Purpose, Stream, stream};
use crate::{Error, Points, Result, interrupt};

/// Points that one thread looks at together.
const BLOCK: usize = 256;

/// Finds `communities` centres.
///
/// # Errors
/// Where a point is not finite or there are fewer distinct points than centres.
pub fn kmeans(points: &Points, communities: usize, config: &KMeansConfig, seed: u64) -> Result<KMeans> {
    check_finite(points)?;
    let mut best = run(points, communities, config.max_iterations, seed, 0)?;
    for restart in 1..config.restarts {
        let found = run(points, communities, config.max_iterations, seed, restart as u64)?;
        if found.inertia < best.inertia {
            best = found;
        }
    }
    Ok(best)
}

/// One search, from its own start, among finite points.
pub(super) fn run(
    points: &Points,
    communities: usize,
    max_iterations: usize,
    seed: u64,
    restart: u64,
) -> Result<KMeans> {
    if communities == 0 || communities > points.len() {
        let expected = format!("from 1 to the number of points, {}", points.len());
        return Err(not_possible(expected, communities));
    }
    let mut rng = stream(seed, Purpose::Means, restart, 0);
    let mut means = seed_centres(points, communities, &mut rng)?;
    let mut nearest = assign(points, &means)?;
    let (mut iterations, mut converged) = (0, false);
    while !converged && iterations < max_iterations {
        means = recentre(points, &nearest, means);
        let moved = assign(points, &means)?;
        iterations += 1;
        converged = moved.iter().zip(&nearest).all(|(new, old)| new.0 == old.0);
        nearest = moved;
    }
    let inertia = nearest.iter().map(|nearest| nearest.1).sum();
    let assignment = nearest.into_iter().map(|nearest| nearest.0).collect();
    Ok(KMeans { means, assignment, inertia, iterations, converged })
}

fn not_possible(expected: String, found: usize) -> Error {
    Error::Config { parameter: "communities", expected, found: found.to_string() }
}

fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The first centres, by k-means++.
fn seed_centres(points: &Points, communities: usize, rng: &mut Stream) -> Result<Points> {
    let mut centres = Vec::with_capacity(communities * points.dim());
    let mut distance = vec![f64::INFINITY; points.len()];
    let mut chosen = (rng.unit() * points.len() as f64) as usize;
    for seeded in 1..=communities {
        interrupt::check()?;
        let centre = points.row(chosen);
        centres.extend_from_slice(centre);
        if seeded == communities {
            break;
        }
        let lower = |(i, d): (usize, &mut f64)| *d = d.min(squared_distance(points.row(i), centre));
        distance.par_iter_mut().enumerate().with_min_len(BLOCK).for_each(lower);
        let total: f64 = distance.iter().sum();
        if total == 0.0 {
            let expected = format!("at most the number of distinct points, {seeded}");
            return Err(not_possible(expected, communities));
        }
        chosen = crate::mixture::kmeans::draw(&distance, rng.unit() * total);
    }
    Ok(Points::new(points.dim(), centres))
}

/// The nearest centre of each point, and its squared distance.
fn assign(points: &Points, means: &Points) -> Result<Vec<(u32, f64)>> {
    let nearest = |i: usize| {
        let distances = means.rows().map(|mean| squared_distance(points.row(i), mean));
        interrupt::check()?;
        Ok((0..).zip(distances).fold((0, f64::INFINITY), |best, one| if one.1 < best.1 { one } else { best }))
    };
    (0..points.len()).into_par_iter().with_min_len(BLOCK).map(nearest).collect()
}

/// Every centre moves to the mean of its points, or, without any, to the point farthest from its own.
fn recentre(points: &Points, nearest: &[(u32, f64)], means: Points) -> Points {
    let mut sums = Points::zeros(means.len(), means.dim());
    let mut counts = vec![0usize; means.len()];
    for (x, &(k, _)) in points.rows().zip(nearest) {
        counts[k as usize] += 1;
        sums.row_mut(k as usize).iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
    }
    let mut far: Vec<usize> = Vec::new();
    for (k, &count) in counts.iter().enumerate() {
        if count > 0 {
            sums.row_mut(k).iter_mut().for_each(|sum| *sum /= count as f64);
            continue;
        }
        let farthest = (0..points.len())
            .filter(|i| !far.contains(i))
            .fold(0, |best, i| if nearest[i].1 > nearest[best].1 { i } else { best });
        far.push(farthest);
        sums.row_mut(k).copy_from_slice(points.row(farthest));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_heaps() -> Points {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut row = |at: f64| vec![at + rng.normal(), rng.normal()];
        Points::new(2, (0..600).flat_map(|i| row(if i < 200 { 50.0 } else { -50.0 })).collect())
    }

    #[test]
    fn two_heaps_are_told_apart() {
        let found = kmeans(&two_heaps(), 2, &KMeansConfig::default(), 7).unwrap();
        let first = found.assignment[0];
        assert!(found.converged && found.assignment[..200].iter().all(|&k| k == first));
        assert!(found.assignment[200..].iter().all(|&k| k == 1 - first));
    }

    #[test]
    fn inertia_falls_with_every_iteration() {
        let mut last = f64::INFINITY;
        for iterations in 0..12 {
            let inertia = run(&two_heaps(), 9, iterations, 3, 0).unwrap().inertia;
            assert!(inertia <= last * (1.0 + 1e-12), "{inertia} after {last}");
            last = inertia;
        }
    }

    #[test]
    fn more_centres_than_distinct_points_are_refused() {
        let points = Points::new(2, [1.0, 2.0, -3.0, 4.0].repeat(20));
        assert_eq!(kmeans(&points, 2, &KMeansConfig::default(), 2).unwrap().inertia, 0.0);
        let error = kmeans(&points, 3, &KMeansConfig::default(), 2).unwrap_err().to_string();
        assert_eq!(error, "`communities` must be at most the number of distinct points, 2, but is 3");
        assert!(kmeans(&Points::new(1, vec![0.0, f64::NAN]), 1, &KMeansConfig::default(), 2).is_err());
    }

    #[test]
    fn a_cluster_without_points_starts_again_at_the_farthest() {
        let points = two_heaps();
        let nearest: Vec<(u32, f64)> = (0..600).map(|i| (0, f64::from(i))).collect();
        let means = recentre(&points, &nearest, Points::zeros(3, 2));
        assert_eq!((means.row(1), means.row(2)), (points.row(599), points.row(598)));
    }
}
