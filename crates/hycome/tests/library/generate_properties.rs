//! Properties of all graph generators: determinism, and ground truth that the mixture recovers.

use hycome::generate::{
    Generated, HyperbolicConfig, LfrConfig, PowerLawConfig, SbmConfig, hyperbolic, lfr, power_law,
    sample_mixture, sbm,
};
use hycome::geometry::poincare;
use hycome::mixture::{GaussianMixture, MixtureConfig, fit};
use hycome::{Graph, Points};

/// One graph of each model, of several thousand nodes.
fn all(seed: u64) -> Vec<Generated> {
    let sizes = SbmConfig::equal_sizes(5000, 20).unwrap();
    vec![
        lfr(&LfrConfig { nodes: 5000, seed, ..LfrConfig::default() }).unwrap(),
        sbm(&SbmConfig::from_degrees(sizes, 8.0, 2.0, seed).unwrap()).unwrap(),
        power_law(&PowerLawConfig { nodes: 5000, seed, ..PowerLawConfig::default() }).unwrap(),
        hyperbolic(&HyperbolicConfig { nodes: 2000, seed, ..HyperbolicConfig::default() }).unwrap().generated,
    ]
}

#[test]
fn result_does_not_depend_on_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool can be built");
        pool.install(|| all(7))
    };
    let one = on(1);
    assert!(one == on(1) && one == on(2) && one == on(3));
    let other = all(8);
    assert!(one.iter().zip(&other).all(|(a, b)| a.graph != b.graph));
}

#[test]
fn graphs_are_simple_and_communities_are_numbered() {
    for made in all(3) {
        for u in made.graph.nodes() {
            let neighbors = made.graph.neighbors(u);
            assert!(neighbors.is_sorted_by(|a, b| a < b) && neighbors.binary_search(&u).is_err());
        }
        let count = made.community_count;
        assert!(made.communities.iter().all(|&community| (community as usize) < count));
        assert!(made.communities.is_empty() || made.communities.len() == made.graph.node_count());
    }
}

/// Correlation of node ids with a property of the nodes.
fn correlation(graph: &Graph, of: impl Fn(u32) -> f64) -> f64 {
    let n = graph.node_count() as f64;
    let mean = graph.nodes().map(&of).sum::<f64>() / n;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for node in graph.nodes() {
        let (number, value) = (f64::from(node) - (n - 1.0) / 2.0, of(node) - mean);
        covariance += number * value;
        variance += value * value;
    }
    covariance / (variance * n * (n * n - 1.0) / 12.0).sqrt()
}

#[test]
fn node_ids_are_uncorrelated_with_properties() {
    for made in all(5) {
        // The correlation of independent variables has standard deviation 1/√n; the bound is six of them.
        let bound = 6.0 / (made.graph.node_count() as f64).sqrt();
        let degree = correlation(&made.graph, |node| made.graph.degree(node) as f64);
        assert!(degree.abs() < bound, "degree: {degree}");
        if !made.communities.is_empty() {
            let community = correlation(&made.graph, |node| f64::from(made.communities[node as usize]));
            assert!(community.abs() < bound, "community: {community}");
        }
    }
}

#[test]
fn degrees_of_an_lfr_graph_follow_their_power_law() {
    for exponent in [2.0, 3.0] {
        let config = LfrConfig {
            nodes: 40_000,
            degree_exponent: exponent,
            average_degree: 20.0,
            max_degree: 300,
            max_community: 600,
            ..LfrConfig::default()
        };
        let made = lfr(&config).unwrap();
        // Between the ranges of two to four and four to eight times the smallest degree the mass of the law drops by 2^{1−τ} (up to
        // rounding to whole degrees, 1 %); the logarithm of a count has standard error 1/√count, and we take six.
        let degrees: Vec<usize> = made.graph.nodes().map(|node| made.graph.degree(node)).collect();
        let between = |a: usize, b: usize| degrees.iter().filter(|&&k| (a..b).contains(&k)).count() as f64;
        let (near, far) = (between(30, 60), between(60, 120));
        let expected: f64 = {
            let mass = |a: u32, b: u32| (a..b).map(|k| f64::from(k).powf(-exponent)).sum::<f64>();
            (mass(30, 60) / mass(60, 120)).ln()
        };
        let bound = 6.0 * (1.0 / near + 1.0 / far).sqrt();
        assert!(
            ((near / far).ln() - expected).abs() < bound,
            "{exponent}: {near} and {far}, not e^{expected}"
        );
        // If many hubs fall into one small community, no simple graph has their degrees: 0.2 % of the stubs are
        // dropped here.
        assert!(made.dropped_ends < 4000 && made.cut_nodes == 0, "{} {}", made.dropped_ends, made.cut_nodes);
    }
}

/// Three well-separated Gaussians of different weights, scales and means.
fn separated_mixture(dim: usize) -> GaussianMixture {
    let mut means = Points::zeros(3, dim);
    means.row_mut(0)[0] = 0.93;
    means.row_mut(1)[1] = 0.9;
    means.row_mut(2)[0] = -0.85;
    means.row_mut(2)[1] = -0.3;
    let unit = 1.0 / (dim as f64).sqrt();
    GaussianMixture { weights: vec![0.5, 0.3, 0.2], means, scales: vec![0.6 * unit, 0.4 * unit, 0.8 * unit] }
}

#[test]
fn em_recovers_the_mixture_that_points_were_sampled_from() {
    const COUNT: usize = 20_000;
    for dim in [2, 3, 10] {
        let truth = separated_mixture(dim);
        let (points, components) = sample_mixture(&truth, COUNT, 11).unwrap();
        let config = MixtureConfig {
            communities: 3,
            tolerance: 1e-8,
            max_iterations: 300,
            ..MixtureConfig::default()
        };
        let found = fit(&points, &config, 1).unwrap();
        let communities = found.mixture.responsibilities(&points).unwrap().communities();
        for k in 0..3 {
            // The component with most of the points drawn from k.
            let mut taken = [0usize; 3];
            for (i, _) in components.iter().enumerate().filter(|&(_, &c)| c as usize == k) {
                taken[communities[i] as usize] += 1;
            }
            let j = (0..3).max_by_key(|&j| taken[j]).unwrap();
            let drawn: usize = taken.iter().sum();
            assert!(
                taken[j] as f64 > 0.99 * drawn as f64,
                "dim {dim}, component {k}: hardly a point is in doubt"
            );

            let (n, m, scale) = (truth.weights[k] * COUNT as f64, dim as f64, truth.scales[k]);
            // The weight is the mean of COUNT indicators: standard error √(π(1−π)/N).
            let weight = truth.weights[k];
            let error = (found.mixture.weights[j] - weight).abs();
            let standard = (weight * (1.0 - weight) / COUNT as f64).sqrt();
            assert!(
                error < 6.0 * standard,
                "dim {dim}: weight {k} off by {error}, standard error {standard}"
            );
            // The mean: the score of a point is log_μ(x)/σ², so the information on each of m coordinates is
            // n·E[d²]/(m·σ⁴), at least n/σ² as E[d²] ≥ m·σ². The squared distance is then at most χ²_m·σ²/n, and χ²_m
            // passes m + 6√(2m) + 36 once in 10⁸ draws.
            let error = poincare::distance(truth.means.row(k), found.mixture.means.row(j));
            let bound = scale * ((m + 6.0 * (2.0 * m).sqrt() + 36.0) / n).sqrt();
            assert!(error < bound, "dim {dim}: mean {k} off by {error}, bound {bound}");
            // The scale solves Φ⁻¹(σ) = mean of d², and dΦ⁻¹/dσ = Var(d²)/σ³: its standard error is σ³/√(n·Var(d²)).
            // Var(d²) is at least 2mσ⁴, its value in Euclidean space.
            let error = (found.mixture.scales[j] - scale).abs();
            let standard = scale / (2.0 * m * n).sqrt();
            assert!(error < 6.0 * standard, "dim {dim}: scale {k} off by {error}, standard error {standard}");
        }
    }
}
