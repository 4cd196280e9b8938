//! One EM iteration at the size of DBLP, on one thread.
//!
//! `cargo bench -p hycome --bench em`

use criterion::{Criterion, criterion_group, criterion_main};
use hycome::Points;
use hycome::mixture::{GaussianMixture, KMeansConfig, MixtureConfig, kmeans, refine};
use hycome::rng::{Purpose, stream};
use hycome::special::scale_from_spread;

const POINTS: usize = 13_184;
const DIM: usize = 10;

/// Overlapping heaps around random centres, about as far out as a trained graph.
fn heaps(count: usize) -> Points {
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
