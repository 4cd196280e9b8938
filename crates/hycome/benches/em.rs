//! One EM iteration at the size of DBLP, on one thread.
//!
//! `cargo bench -p hycome --bench em`

use criterion::{Criterion, criterion_group, criterion_main};
use hycome::Points;
use hycome::generate::sample_mixture;
use hycome::mixture::{GaussianMixture, KMeansConfig, MixtureConfig, kmeans, refine};
use hycome::special::scale_from_spread;

const POINTS: usize = 13_184;
const DIM: usize = 10;

/// Overlapping Gaussians around centres that are points of a wider one.
fn heaps(count: usize) -> Points {
    let of = |means: Points, scale: f64| GaussianMixture {
        weights: vec![1.0 / means.len() as f64; means.len()],
        scales: vec![scale; means.len()],
        means,
    };
    let (centres, _) = sample_mixture(&of(Points::zeros(1, DIM), 0.4), count, 1).unwrap();
    sample_mixture(&of(centres, 0.3), POINTS, 1).unwrap().0
}

/// A mixture on its way: a few iterations after the start.
fn warm(points: &Points, count: usize) -> GaussianMixture {
    let clusters = kmeans(points, count, &KMeansConfig { max_iterations: 3, restarts: 1 }, 1).unwrap();
    let weights = vec![1.0 / count as f64; count];
    let mixture = GaussianMixture { weights, means: clusters.means, scales: vec![0.3; count] };
    let config = MixtureConfig { max_iterations: 3, tolerance: 0.0, ..MixtureConfig::default() };
    refine(points, mixture, &config).unwrap().mixture
}

fn iterations(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for count in [5, 40] {
        let points = heaps(count);
        let mixture = warm(&points, count);
        let mut group = criterion.benchmark_group(format!("{count} components"));
        group.sample_size(10);
        // The columns, an E step, and ten iterations of M and E step: divide by ten.
        let config = MixtureConfig { max_iterations: 10, tolerance: 0.0, ..MixtureConfig::default() };
        group.bench_function("ten iterations", |bencher| {
            bencher.iter(|| pool.install(|| refine(&points, mixture.clone(), &config).unwrap()));
        });
        group.bench_function("E step", |bencher| {
            bencher.iter(|| pool.install(|| mixture.log_likelihood(&points).unwrap()));
        });
        group.finish();
    }
    criterion.bench_function("scale from spread", |bencher| {
        bencher.iter(|| scale_from_spread(DIM, std::hint::black_box(1.3)));
    });
}

criterion_group!(benches, iterations);
criterion_main!(benches);
