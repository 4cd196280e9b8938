//! EM iterations on as many points as DBLP has nodes, with norms like those of a trained embedding.

use hycome::Points;
use hycome::mixture::{GaussianMixture, KMeansConfig, MixtureConfig, kmeans, refine};
use hycome::rng::{Purpose, stream};
use serde::Serialize;

use super::ThreadOptions;
use crate::clock::{Time, time};

/// As many points as DBLP has nodes.
const POINTS: usize = 13_184;
const DIM: usize = 10;

/// Initial scale of every component.
const SCALE: f64 = 0.3;

/// Flags of `single em`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Number of components.
    #[arg(long, value_name = "K", default_value_t = 5)]
    communities: usize,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Measurement of an EM iteration.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Iterating {
    points: usize,
    dim: usize,
    communities: usize,
    threads: usize,
    iteration: Time,
}

impl Options {
    /// Runs EM.
    pub fn measure(&self) -> anyhow::Result<Iterating> {
        let communities = self.communities;
        let iteration = self.threads.pool()?.install(|| em_iteration(communities))?;
        Ok(Iterating { points: POINTS, dim: DIM, communities, threads: self.threads.count(), iteration })
    }
}

/// Mean time of an EM iteration, barycenters and setup included; the best of three.
pub fn em_iteration(communities: usize) -> hycome::Result<Time> {
    const REPEATS: usize = 3;
    let points = clusters(communities);
    let of = |max_iterations| MixtureConfig { max_iterations, tolerance: 0.0, ..MixtureConfig::default() };
    let warm = refine(&points, start(&points, communities)?, &of(3))?.mixture;
    let mut best = Time::MAX;
    for _ in 0..REPEATS {
        let (took, fit) = time(|| refine(&points, warm.clone(), &of(10)));
        best = best.min(took.over(fit?.iterations));
    }
    Ok(best)
}

/// Initial mixture: a few iterations of K-means.
pub fn start(points: &Points, communities: usize) -> hycome::Result<GaussianMixture> {
    let fit = kmeans(points, communities, &KMeansConfig { max_iterations: 3, restarts: 1 }, 1)?;
    Ok(GaussianMixture {
        weights: vec![1.0 / communities as f64; communities],
        means: fit.means,
        scales: vec![SCALE; communities],
    })
}

/// Points in overlapping clusters, with norms like those of a trained embedding.
pub fn clusters(count: usize) -> Points {
    let mut rng = stream(1, Purpose::Start, 0, count as u64);
    let centres: Vec<f64> = (0..count * DIM).map(|_| 0.2 * rng.normal()).collect();
    let mut data = Vec::with_capacity(POINTS * DIM);
    for i in 0..POINTS {
        let centre = &centres[i % count * DIM..][..DIM];
        let x: Vec<f64> = centre.iter().map(|c| c + 0.15 * rng.normal()).collect();
        let norm = x.iter().map(|c| c * c).sum::<f64>().sqrt();
        data.extend(x.iter().map(|c| c * norm.tanh() / norm));
    }
    Points::new(DIM, data)
}
