//! Properties of mixture fits: recovery of sampled mixtures, invariance under permutations, agreement with a reference implementation.

use hycome::Points;
use hycome::geometry::{barycenter::barycenter, poincare};
use hycome::mixture::{GaussianMixture, KMeansConfig, MixtureConfig, Responsibilities, fit, kmeans, refine};
use hycome::mixture::{expectation, maximization};
use hycome::rng::{Purpose, stream};
use hycome::special::{log_zeta, scale_from_spread};

/// Cumulative distribution of the distance from the mean, with density ∝ exp(−r²/2σ²)·sinh(r)^{m−1}, on a fine grid.
fn radii(dim: usize, scale: f64) -> Vec<(f64, f64)> {
    const STEPS: usize = 4000;
    let end = dim as f64 * scale * scale + scale * ((dim as f64).sqrt() + 8.0);
    let at = |i: usize| (i as f64 + 0.5) * end / STEPS as f64;
    let log_density = |r: f64| -0.5 * (r / scale).powi(2) + (dim as f64 - 1.0) * r.sinh().ln();
    let peak = (0..STEPS).map(|i| log_density(at(i))).fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    let mut grid = Vec::with_capacity(STEPS);
    for i in 0..STEPS {
        sum += (log_density(at(i)) - peak).exp();
        grid.push((at(i), sum));
    }
    grid.iter().map(|&(r, share)| (r, share / sum)).collect()
}

fn sample(mixture: &GaussianMixture, count: usize, seed: u64) -> (Points, Vec<u32>) {
    let dim = mixture.dim();
    let radii: Vec<_> = mixture.scales.iter().map(|&scale| radii(dim, scale)).collect();
    let (mut data, mut labels) = (Vec::new(), Vec::new());
    for i in 0..count {
        let mut rng = stream(seed, Purpose::Generate, 0, i as u64);
        let (mut k, mut rest) = (0, rng.unit());
        while k + 1 < mixture.len() && rest >= mixture.weights[k] {
            rest -= mixture.weights[k];
            k += 1;
        }
        let mean = mixture.means.row(k);
        let direction: Vec<f64> = (0..dim).map(|_| rng.normal()).collect();
        let share = rng.unit();
        let radius = radii[k][radii[k].partition_point(|&(_, up_to)| up_to < share)].0;
        let length = radius * poincare::slack(mean) / 2.0;
        let step: Vec<f64> = direction.iter().map(|c| c * length / poincare::norm(&direction)).collect();
        let mut x = vec![0.0; dim];
        poincare::exp(mean, &step, &mut x);
        data.extend(x);
        labels.push(k as u32);
    }
    (Points::new(dim, data), labels)
}

/// Three components on the first axes, separated but overlapping.
fn three(dim: usize) -> GaussianMixture {
    let mut means = Points::zeros(3, dim);
    means.row_mut(0)[0] = 0.8;
    means.row_mut(1)[1] = 0.7;
    means.row_mut(2)[0] = -0.6;
    means.row_mut(2)[1] = -0.3;
    let spread = 1.0 / (dim as f64).sqrt();
    GaussianMixture {
        weights: vec![0.5, 0.3, 0.2],
        means,
        scales: vec![0.7 * spread, 0.5 * spread, 0.9 * spread],
    }
}

fn config(communities: usize) -> MixtureConfig {
    MixtureConfig { communities, ..MixtureConfig::default() }
}

#[test]
fn a_sampled_mixture_is_recovered() {
    const COUNT: usize = 3000;
    for dim in [2, 5, 10] {
        let truth = three(dim);
        let (points, labels) = sample(&truth, COUNT, 42);
        let tight = MixtureConfig { tolerance: 1e-7, max_iterations: 500, ..config(3) };
        let found = fit(&points, &tight, 1).unwrap();
        assert!(found.converged);
        assert!(found.log_likelihood >= truth.log_likelihood(&points).unwrap());
        let communities = found.mixture.responsibilities(&points).unwrap().communities();
        let mut right = 0;
        for k in 0..3 {
            let mean = truth.means.row(k);
            let near = |&a: &usize, &b: &usize| {
                let d = |j| poincare::distance(mean, found.mixture.means.row(j));
                d(a).total_cmp(&d(b))
            };
            let j = (0..3).min_by(near).unwrap();
            let members = truth.weights[k] * COUNT as f64;
            // A coordinate of the mean has standard error about σ/√n, a scale σ/√(2nm), a weight √(π(1−π)/N).
            // Overlap raises them by a factor below two; a bound of five rejects a correct fit by chance once
            // in 10⁵ seeds.
            let scale = truth.scales[k];
            let error = poincare::distance(mean, found.mixture.means.row(j));
            assert!(
                error < 10.0 * scale * (dim as f64 / members).sqrt(),
                "dim {dim}: mean {k} off by {error}"
            );
            let error = (found.mixture.scales[j] - scale).abs();
            assert!(
                error < 10.0 * scale / (2.0 * members * dim as f64).sqrt(),
                "dim {dim}: scale {k} off by {error}"
            );
            let error = (found.mixture.weights[j] - truth.weights[k]).abs();
            assert!(error < 10.0 * 0.5 / (COUNT as f64).sqrt(), "dim {dim}: weight {k} off by {error}");
            right += labels
                .iter()
                .zip(&communities)
                .filter(|&(&l, &c)| l as usize == k && c as usize == j)
                .count();
        }
        assert!(right as f64 > 0.9 * COUNT as f64, "dim {dim}: {right} right");
    }
}

#[test]
fn the_likelihood_never_decreases() {
    for (dim, communities) in [(2, 3), (5, 7), (10, 4)] {
        let (points, _) = sample(&three(dim), 700, 3);
        let clusters =
            kmeans(&points, communities, &KMeansConfig { max_iterations: 0, restarts: 1 }, 5).unwrap();
        let certain = Responsibilities::one_hot(communities, &clusters.assignment);
        let mut mixture = maximization(&points, &certain, 1e-3).unwrap();
        let mut last = mixture.log_likelihood(&points).unwrap();
        let once = MixtureConfig { max_iterations: 1, tolerance: 0.0, ..config(communities) };
        for iteration in 0..60 {
            let next = refine(&points, mixture, &once).unwrap();
            assert!(
                next.log_likelihood >= last - 1e-9 * last.abs(),
                "iteration {iteration}: {} after {last}",
                next.log_likelihood
            );
            last = next.log_likelihood;
            mixture = next.mixture;
        }
    }
}

/// Reference E and M step: one point and one component at a time.
fn obvious_iteration(
    points: &Points,
    mixture: &GaussianMixture,
    floor: f64,
) -> (GaussianMixture, Vec<Vec<f64>>) {
    let dim = points.dim();
    let rows: Vec<Vec<f64>> = points
        .rows()
        .map(|x| {
            let logs: Vec<f64> = (0..mixture.len())
                .map(|k| {
                    let (d, scale) = (poincare::distance(x, mixture.means.row(k)), mixture.scales[k]);
                    mixture.weights[k].ln() - log_zeta(dim, scale) - 0.5 * (d / scale).powi(2)
                })
                .collect();
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = logs.iter().map(|l| (l - largest).exp()).sum();
            logs.iter().map(|l| (l - largest).exp() / total).collect()
        })
        .collect();
    let mut next = mixture.clone();
    for k in 0..mixture.len() {
        let weights: Vec<f64> = rows.iter().map(|row| row[k]).collect();
        let total: f64 = weights.iter().sum();
        let mean = barycenter(points, &weights, None).unwrap().point;
        let squares = points.rows().zip(&weights).map(|(x, w)| w * poincare::distance(x, &mean).powi(2));
        next.weights[k] = total / points.len() as f64;
        next.scales[k] = scale_from_spread(dim, squares.sum::<f64>() / total).max(floor);
        next.means.row_mut(k).copy_from_slice(&mean);
    }
    (next, rows)
}

#[test]
fn em_agrees_with_the_reference_implementation() {
    for dim in [1, 2, 5, 10, 33] {
        let (points, _) = sample(&three(dim.max(2)), 300, 9);
        let points = Points::new(dim, points.rows().flat_map(|x| x[..dim].to_vec()).collect());
        let clusters = kmeans(&points, 3, &KMeansConfig::default(), 2).unwrap();
        let start =
            GaussianMixture { weights: vec![0.2, 0.3, 0.5], means: clusters.means, scales: vec![0.3; 3] };
        let (slow, rows) = obvious_iteration(&points, &start, 1e-3);
        let fast = expectation(&start, &points).unwrap();
        for (slow, fast) in rows.iter().zip(fast.responsibilities.rows()) {
            // d²/2σ² is a few hundred at most, and its rounding is a relative error of the responsibility.
            assert!(slow.iter().zip(fast).all(|(s, f)| (s - f).abs() < 1e-12), "{slow:?} {fast:?}");
        }
        let once = MixtureConfig { max_iterations: 1, tolerance: 0.0, ..config(3) };
        let fast = refine(&points, start, &once).unwrap().mixture;
        for k in 0..3 {
            assert!((slow.weights[k] - fast.weights[k]).abs() < 1e-12);
            // The iteration for the mean stops at a gradient below 10⁻⁶; squared distances are off by its square.
            assert!(poincare::distance(slow.means.row(k), fast.means.row(k)) < 2e-6);
            assert!((slow.scales[k] / fast.scales[k] - 1.0).abs() < 1e-10);
        }
        let both =
            maximization(&points, &expectation(&fast, &points).unwrap().responsibilities, 1e-3).unwrap();
        let (slow, _) = obvious_iteration(&points, &fast, 1e-3);
        assert!((0..3).all(|k| (slow.scales[k] / both.scales[k] - 1.0).abs() < 1e-10));
    }
}

#[test]
fn the_order_of_the_points_does_not_matter() {
    let (points, _) = sample(&three(5), 900, 4);
    let mut order: Vec<usize> = (0..points.len()).collect();
    stream(1, Purpose::Blocks, 0, 0).shuffle(&mut order);
    let shuffled = Points::new(5, order.iter().flat_map(|&i| points.row(i).to_vec()).collect());
    // Only K-means++ depends on positions; from the same initial mixture the order changes rounding only.
    let start = || GaussianMixture { scales: vec![0.4; 3], ..three(5) };
    let a = refine(&points, start(), &config(3)).unwrap();
    let b = refine(&shuffled, start(), &config(3)).unwrap();
    assert_eq!(a.iterations, b.iterations);
    assert!((a.log_likelihood - b.log_likelihood).abs() < 1e-12 * a.log_likelihood.abs());
    for k in 0..3 {
        assert!((a.mixture.scales[k] / b.mixture.scales[k] - 1.0).abs() < 1e-9);
        assert!(poincare::distance(a.mixture.means.row(k), b.mixture.means.row(k)) < 4e-6);
    }
}

#[test]
fn the_order_of_the_components_does_not_matter() {
    let (points, _) = sample(&three(5), 900, 4);
    let start = three(5);
    let turned = GaussianMixture {
        weights: vec![0.2, 0.5, 0.3],
        means: Points::new(5, [start.means.row(2), start.means.row(0), start.means.row(1)].concat()),
        scales: vec![start.scales[2], start.scales[0], start.scales[1]],
    };
    let a = refine(&points, start, &config(3)).unwrap();
    let b = refine(&points, turned, &config(3)).unwrap();
    for (k, j) in [(0, 1), (1, 2), (2, 0)] {
        assert!((a.mixture.scales[k] / b.mixture.scales[j] - 1.0).abs() < 1e-9);
        assert!((a.mixture.weights[k] - b.mixture.weights[j]).abs() < 1e-9);
    }
}

#[test]
fn result_does_not_depend_on_threads() {
    let (points, _) = sample(&three(5), 3000, 8);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (fit(&points, &config(4), 3).unwrap(), kmeans(&points, 4, &KMeansConfig::default(), 3).unwrap())
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
}

#[test]
fn one_component_is_the_barycenter_with_its_spread() {
    let (points, _) = sample(&three(2), 500, 6);
    let found = fit(&points, &config(1), 1).unwrap();
    let mean = barycenter(&points, &[1.0; 500], None).unwrap().point;
    assert!(found.converged);
    assert_eq!(found.mixture.weights, [1.0]);
    assert!(poincare::distance(found.mixture.means.row(0), &mean) < 2e-6);
}

#[test]
fn equal_points_make_one_component_of_the_smallest_scale() {
    let points = Points::new(3, [0.2, -0.1, 0.5].repeat(50));
    let found = fit(&points, &config(1), 1).unwrap();
    assert_eq!(found.mixture.scales, [1e-3]);
    assert!(poincare::distance(found.mixture.means.row(0), points.row(0)) < 1e-12);
    let error = fit(&points, &config(2), 1).unwrap_err().to_string();
    assert_eq!(error, "`communities` must be at most the number of distinct points, 1, but is 2");
}

#[test]
fn a_component_on_duplicates_stops_at_the_floor() {
    let (cloud, _) = sample(&three(2), 300, 6);
    let mut data = cloud.as_slice().to_vec();
    data.extend([-0.1, 0.95].repeat(40));
    let found = fit(&Points::new(2, data), &config(4), 1).unwrap();
    assert!(found.mixture.scales.contains(&1e-3), "{:?}", found.mixture.scales);
    assert!(found.log_likelihood.is_finite());
}

#[test]
fn as_many_components_as_distinct_points_are_all_found() {
    let points = Points::new(2, [0.1, 0.2, -0.3, 0.4, 0.5, 0.5].repeat(10));
    let found = fit(&points, &config(3), 1).unwrap();
    assert_eq!(found.mixture.scales, [1e-3; 3]);
    assert!(found.mixture.weights.iter().all(|w| (w - 1.0 / 3.0).abs() < 1e-12));
}

#[test]
fn a_component_without_points_stays_with_weight_zero() {
    let (points, _) = sample(&three(2), 300, 6);
    let lost = GaussianMixture {
        weights: vec![0.5, 0.5],
        means: Points::new(2, vec![0.2, 0.2, 0.0, -0.999_999]),
        scales: vec![0.8, 1e-3],
    };
    let found = refine(&points, lost, &config(2)).unwrap();
    assert_eq!(found.mixture.weights, [1.0, 0.0]);
    assert_eq!(found.mixture.means.row(1), [0.0, -0.999_999]);
    assert!(found.log_likelihood.is_finite());
    let again = found.mixture.responsibilities(&points).unwrap();
    assert!(again.rows().all(|row| row == [1.0, 0.0]));
}

#[test]
fn impossible_settings_are_refused() {
    let points = Points::new(2, vec![0.1, 0.2, -0.3, 0.4]);
    assert!(fit(&points, &config(0), 1).is_err());
    assert!(fit(&Points::default(), &config(1), 1).is_err());
    assert!(fit(&points, &MixtureConfig { scale_floor: 0.0, ..config(1) }, 1).is_err());
    assert!(fit(&points, &MixtureConfig { tolerance: f64::NAN, ..config(1) }, 1).is_err());
    assert!(fit(&Points::new(2, vec![1.0, 0.0]), &config(1), 1).is_err());
    assert!(maximization(&points, &Responsibilities::one_hot(1, &[0]), 1e-3).is_err());
    assert!(refine(&points, GaussianMixture { scales: vec![0.0; 3], ..three(2) }, &config(3)).is_err());
    assert!(refine(&Points::zeros(0, 2), three(2), &config(3)).is_err());
    assert_eq!(three(2).responsibilities(&Points::zeros(0, 2)).unwrap().rows().len(), 0);
}
