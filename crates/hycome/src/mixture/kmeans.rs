//! K-means clustering by Fréchet means: a clusterer, and the initialization of EM.
//!
//! Lloyd's algorithm lowers the inertia Σ_i d²(x_i, nearest centre) by two steps in turn: every point is assigned to its
//! nearest centre, every centre moves to the Fréchet mean of its points. The first centres are drawn by k-means++ (Arthur
//! and Vassilvitskii 2007): each is a point, chosen with probability proportional to its squared distance from the nearest
//! centre so far. Lloyd's algorithm ends in a local minimum, so the best of several restarts is kept. An empty cluster
//! is re-seeded at the point farthest from its centre.

use rayon::prelude::*;

use super::euclidean::{CovarianceType, Euclidean};
use super::family::ComponentFamily;
use super::hyperbolic::Hyperbolic;
use crate::geometry::Geometry;
use crate::numeric::columns::ROWS;
use crate::rng::{Purpose, Stream, stream};
use crate::{Error, Points, Result, interrupt};

/// Settings of K-means.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeansConfig {
    /// Maximum number of Lloyd iterations.
    pub max_iterations: usize,
    /// Number of k-means++ initializations; the result with the lowest inertia is kept.
    pub restarts: usize,
}

impl Default for KMeansConfig {
    fn default() -> Self {
        Self { max_iterations: 100, restarts: 4 }
    }
}

/// Cluster centres and the assignment of the points.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// The centres.
    pub means: Points,
    /// The nearest centre of each point.
    pub assignment: Vec<u32>,
    /// Sum of the squared distances of the points from their centres.
    pub inertia: f64,
    /// Lloyd iterations of the restart that was kept.
    pub iterations: usize,
    /// Whether the assignment converged before the maximum number of iterations.
    pub converged: bool,
}

/// K-means of points of the Poincaré ball, with `communities` clusters.
///
/// # Errors
/// If a point is not inside the ball, or there are fewer distinct points than clusters.
pub fn kmeans(points: &Points, communities: usize, config: &KMeansConfig, seed: u64) -> Result<KMeans> {
    best(&Hyperbolic::new(points)?, communities, config, seed)
}

/// K-means of points of a geometry.
///
/// # Errors
/// If a point does not belong to the geometry, or there are fewer distinct points than clusters.
pub fn kmeans_in(
    geometry: Geometry,
    points: &Points,
    communities: usize,
    config: &KMeansConfig,
    seed: u64,
) -> Result<KMeans> {
    if geometry.is_euclidean() {
        best(&Euclidean::new(points, CovarianceType::Spherical)?, communities, config, seed)
    } else {
        kmeans(points, communities, config, seed)
    }
}

fn best<F: ComponentFamily>(
    family: &F,
    communities: usize,
    config: &KMeansConfig,
    seed: u64,
) -> Result<KMeans> {
    let mut best = run(family, communities, config.max_iterations, seed, 0)?;
    for restart in 1..config.restarts {
        let found = run(family, communities, config.max_iterations, seed, restart as u64)?;
        if found.inertia < best.inertia {
            best = found;
        }
    }
    Ok(best)
}

/// One restart.
pub(super) fn run<F: ComponentFamily>(
    family: &F,
    communities: usize,
    max_iterations: usize,
    seed: u64,
    restart: u64,
) -> Result<KMeans> {
    let points = family.points();
    if communities == 0 || communities > points.len() {
        let expected = format!("from 1 to the number of points, {}", points.len());
        return Err(not_possible(expected, communities));
    }
    let mut rng = stream(seed, Purpose::Means, restart, 0);
    let mut means = plus_plus(family, communities, &mut rng)?;
    let mut nearest = assign(family, &means)?;
    let (mut iterations, mut converged) = (0, false);
    while !converged && iterations < max_iterations {
        means = recentre(family, &nearest, means)?;
        let moved = assign(family, &means)?;
        iterations += 1;
        converged = moved.centre == nearest.centre;
        nearest = moved;
    }
    let inertia = nearest.squared_distance.iter().sum();
    Ok(KMeans { means, assignment: nearest.centre, inertia, iterations, converged })
}

/// The nearest of these centres for each point.
pub(super) fn nearest_centres<F: ComponentFamily>(family: &F, means: &Points) -> Result<Vec<u32>> {
    Ok(assign(family, means)?.centre)
}

/// The clusters of an assignment, each with its Fréchet mean; every cluster has a point.
pub(super) fn from_assignment<F: ComponentFamily>(
    family: &F,
    assignment: Vec<u32>,
    communities: usize,
) -> Result<KMeans> {
    let points = family.points();
    let mut first = Points::zeros(communities, points.dim()); // a point of each cluster, to search its mean from
    for (i, &k) in assignment.iter().enumerate().rev() {
        first.row_mut(k as usize).copy_from_slice(points.row(i));
    }
    let nearest = Nearest { squared_distance: vec![0.0; assignment.len()], centre: assignment };
    let means = recentre(family, &nearest, first)?;
    let squared = |(i, &k): (usize, &u32)| F::squared_distance(points.row(i), means.row(k as usize));
    let inertia = nearest.centre.iter().enumerate().map(squared).sum();
    Ok(KMeans { means, assignment: nearest.centre, inertia, iterations: 0, converged: true })
}

fn not_possible(expected: String, found: usize) -> Error {
    Error::Config { parameter: "communities", expected, found: found.to_string() }
}

/// k-means++ seeding.
fn plus_plus<F: ComponentFamily>(family: &F, communities: usize, rng: &mut Stream) -> Result<Points> {
    let points = family.points();
    let mut centres = Vec::with_capacity(communities * points.dim());
    let mut distance = vec![f64::INFINITY; points.len()];
    let mut chosen = (rng.unit() * points.len() as f64) as usize;
    for seeded in 1..=communities {
        centres.extend_from_slice(points.row(chosen));
        if seeded == communities {
            break;
        }
        lower(family, points.row(chosen), &mut distance)?;
        let total: f64 = distance.iter().sum();
        if total <= F::EQUAL * points.len() as f64 {
            let expected = format!("at most the number of distinct points, {seeded}");
            return Err(not_possible(expected, communities));
        }
        chosen = draw(&distance, rng.unit() * total);
    }
    Ok(Points::new(points.dim(), centres))
}

/// Updates every point's squared distance from the nearest centre by one more centre.
fn lower<F: ComponentFamily>(family: &F, centre: &[f64], distance: &mut [f64]) -> Result<()> {
    let centre = Points::new(centre.len(), centre.to_vec());
    distance.par_chunks_mut(ROWS).enumerate().try_for_each(|(b, distance)| {
        interrupt::check()?;
        let (_, found) = family.nearest(b, &centre);
        for (distance, found) in distance.iter_mut().zip(found) {
            *distance = distance.min(if found > F::EQUAL { found } else { 0.0 });
        }
        Ok(())
    })
}

/// The index at which the cumulative sum of `weights` exceeds `target`; never one of weight zero.
fn draw(weights: &[f64], target: f64) -> usize {
    let (mut sum, mut last) = (0.0, 0);
    for (i, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            sum += weight;
            last = i;
            if sum > target {
                break;
            }
        }
    }
    last
}

/// The nearest centre of each point, and the squared distance from it.
struct Nearest {
    centre: Vec<u32>,
    squared_distance: Vec<f64>,
}

fn assign<F: ComponentFamily>(family: &F, means: &Points) -> Result<Nearest> {
    let len = family.points().len();
    let mut nearest = Nearest { centre: vec![0; len], squared_distance: vec![0.0; len] };
    let centres = nearest.centre.par_chunks_mut(ROWS);
    centres.zip(nearest.squared_distance.par_chunks_mut(ROWS)).enumerate().try_for_each(
        |(b, (centre, distance))| {
            interrupt::check()?;
            let (index, least) = family.nearest(b, means);
            for (centre, index) in centre.iter_mut().zip(index) {
                *centre = index as u32;
            }
            distance.copy_from_slice(&least[..distance.len()]);
            Ok::<_, Error>(())
        },
    )?;
    Ok(nearest)
}

/// Moves every centre to the Fréchet mean of its points, and those of empty clusters to the points farthest from theirs.
fn recentre<F: ComponentFamily>(family: &F, nearest: &Nearest, means: Points) -> Result<Points> {
    let mut members = vec![Vec::new(); means.len()];
    for (i, &k) in nearest.centre.iter().enumerate() {
        members[k as usize].push(i);
    }
    let moved: Vec<Option<Vec<f64>>> = members
        .par_iter()
        .enumerate()
        .map(|(k, members)| (!members.is_empty()).then(|| family.mean(members, means.row(k))).transpose())
        .collect::<Result<_>>()?;
    let points = family.points();
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

#[cfg(test)]
mod tests {
    use super::*;

    const GEOMETRIES: [Geometry; 2] = [Geometry::Poincare, Geometry::Euclidean];

    fn two_clusters() -> Points {
        let mut rng = stream(1, Purpose::Start, 0, 0);
        let mut row = |at: f64| vec![at + 0.1 * (rng.unit() - 0.5), 0.1 * (rng.unit() - 0.5)];
        Points::new(2, (0..600).flat_map(|i| row(if i < 200 { 0.5 } else { -0.5 })).collect())
    }

    fn euclidean(points: &Points) -> Euclidean<'_> {
        Euclidean::new(points, CovarianceType::Spherical).unwrap()
    }

    #[test]
    fn two_clusters_are_separated() {
        for geometry in GEOMETRIES {
            let found = kmeans_in(geometry, &two_clusters(), 2, &KMeansConfig::default(), 7).unwrap();
            let first = found.assignment[0];
            assert!(found.converged);
            assert!(found.assignment[..200].iter().all(|&k| k == first));
            assert!(found.assignment[200..].iter().all(|&k| k == 1 - first));
        }
    }

    #[test]
    fn inertia_falls_with_every_iteration() {
        fn check<F: ComponentFamily>(family: &F) {
            let mut last = f64::INFINITY;
            for iterations in 0..12 {
                let inertia = run(family, 9, iterations, 3, 0).unwrap().inertia;
                assert!(inertia <= last * (1.0 + 1e-12), "{inertia} after {last}");
                last = inertia;
            }
        }
        check(&Hyperbolic::new(&two_clusters()).unwrap());
        check(&euclidean(&two_clusters()));
    }

    #[test]
    fn as_many_centres_as_distinct_points_leave_no_inertia() {
        let points = Points::new(2, [0.1, 0.2, -0.3, 0.4, 0.5, 0.5].repeat(20));
        for geometry in GEOMETRIES {
            let found = kmeans_in(geometry, &points, 3, &KMeansConfig::default(), 2).unwrap();
            assert!(found.inertia < 1e-26, "{}", found.inertia);
        }
    }

    #[test]
    fn more_centres_than_distinct_points_are_refused() {
        let points = Points::new(2, [0.1, 0.2, -0.3, 0.4].repeat(20));
        let config = KMeansConfig::default();
        for geometry in GEOMETRIES {
            let error = kmeans_in(geometry, &points, 3, &config, 2).unwrap_err().to_string();
            assert_eq!(error, "`communities` must be at most the number of distinct points, 2, but is 3");
            assert!(kmeans_in(geometry, &points, 0, &config, 2).is_err());
            assert!(kmeans_in(geometry, &Points::default(), 1, &config, 2).is_err());
            let undefined = Points::new(1, vec![0.0, f64::NAN]);
            assert!(kmeans_in(geometry, &undefined, 1, &config, 2).is_err());
        }
    }

    #[test]
    fn an_empty_cluster_is_seeded_again_at_the_farthest_point() {
        fn check<F: ComponentFamily>(family: &F) {
            let nearest =
                Nearest { centre: vec![0; 600], squared_distance: (0..600).map(f64::from).collect() };
            let means = recentre(family, &nearest, Points::zeros(3, 2)).unwrap();
            assert_eq!(means.row(1), family.points().row(599));
            assert_eq!(means.row(2), family.points().row(598));
        }
        check(&Hyperbolic::new(&two_clusters()).unwrap());
        check(&euclidean(&two_clusters()));
    }
}
