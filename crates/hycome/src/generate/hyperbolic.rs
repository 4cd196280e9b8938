//! Random geometric graph in the Poincaré ball, with points drawn from a Gaussian mixture (after Krioukov et al.
//! 2010).
//!
//! Points at distance d are joined with the Fermi–Dirac connection probability
//!
//! > p(d) = 1/(1 + e^{(d−R)/T}),
//!
//! close to one within the radius R and close to zero beyond it; a lower temperature T makes the transition sharper. R
//! is found by bisection so that the expected average degree is the requested one. This graph is well specified for
//! the model that hycome fits.
//!
//! All pairs are visited twice, so the cost is quadratic: ten thousand nodes take a second. The first pass computes a
//! histogram of distances. With sinh²(d/2) = q = |x−y|²/((1−|x|²)(1−|y|²)), bins are indexed by the leading bits of q,
//! which avoids a logarithm per pair. The second pass draws the edges: a uniform number is compared with the
//! probability at the near end of the bin, and with p(d) itself only if it is below that.
//!
//! D. Krioukov, F. Papadopoulos, M. Kitsak, A. Vahdat and M. Boguñá, *Hyperbolic geometry of complex networks*, 2010.
//! Their model draws the points from a single disk instead of a mixture.

use rayon::prelude::*;
use serde::Serialize;

use super::gaussian::{random_direction, sample_mixture};
use super::{Generated, Pairs, Step, check_range, check_size, refuse, step};
use crate::geometry::poincare;
use crate::graph::{Direction, EdgeList, Graph, NodeId, RepeatedEdges};
use crate::interrupt;
use crate::mixture::GaussianMixture;
use crate::{Points, Result};

/// Settings of a random geometric graph in the Poincaré ball.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct HyperbolicConfig {
    /// Number of nodes; time grows with its square.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "N", default_value_t = Self::default().nodes))]
    pub nodes: usize,
    /// Number of communities, all of the same weight.
    #[cfg_attr(feature = "clap", arg(short = 'k', long, value_name = "K", default_value_t = Self::default().communities))]
    pub communities: usize,
    /// Dimensions of the ball, 2 to 1024.
    #[cfg_attr(feature = "clap", arg(long, value_name = "M", default_value_t = Self::default().dim))]
    pub dim: usize,
    /// Distance of the communities' centres from the origin; the larger, the farther apart they are.
    #[cfg_attr(feature = "clap", arg(long, value_name = "D", default_value_t = Self::default().distance))]
    pub distance: f64,
    /// Scale of each community's Gaussian; the larger, the more they overlap.
    #[cfg_attr(feature = "clap", arg(long, value_name = "X", default_value_t = Self::default().scale))]
    pub scale: f64,
    /// Average degree.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", default_value_t = Self::default().average_degree))]
    pub average_degree: f64,
    /// How gradually the probability of an edge falls with the distance, 0.001 to 1000; near 0 it is a step.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = Self::default().temperature))]
    pub temperature: f64,
    /// Random seed: the same seed gives the same graph, on any number of threads.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = Self::default().seed))]
    pub seed: u64,
}

impl Default for HyperbolicConfig {
    fn default() -> Self {
        Self {
            nodes: 1000,
            communities: 5,
            dim: 2,
            distance: 3.0,
            scale: 0.7,
            average_degree: 10.0,
            temperature: 0.2,
            seed: 1,
        }
    }
}

/// A random geometric graph, its points, and the mixture they were drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyperbolic {
    /// The graph; the community of a node is the component of its point.
    pub generated: Generated,
    /// The point of each node.
    pub points: Points,
    /// The mixture.
    pub mixture: GaussianMixture,
    /// R, the distance at which the connection probability is one half.
    pub radius: f64,
}

/// Candidate directions per centre; the farthest from the previous centres is kept.
const DIRECTIONS: usize = 16;

impl HyperbolicConfig {
    /// Mixture of equal weights and scales, with well-separated random centres on a sphere around the origin.
    ///
    /// # Errors
    /// [`Error::Config`](crate::Error::Config) for settings out of range.
    pub(crate) fn mixture(&self) -> Result<GaussianMixture> {
        const MOST: usize = 10_000;
        let Self { communities, dim, .. } = *self;
        if !(1..=MOST).contains(&communities) {
            return refuse("communities", format!("a whole number from 1 to {MOST}"), communities);
        }
        if !(2..=1024).contains(&dim) {
            return refuse("dim", "a whole number from 2 to 1024", dim);
        }
        check_range("distance", self.distance, 0.0..=20.0)?;
        let mut means = Points::zeros(communities, dim);
        let mut direction = vec![0.0; dim];
        for k in 0..communities {
            let mut rng = step(self.seed, Step::Means, k);
            let mut best = f64::INFINITY;
            for _ in 0..DIRECTIONS {
                random_direction(&mut direction, &mut rng);
                let cosine = |j: usize| means.row(j).iter().zip(&direction).map(|(x, y)| x * y).sum::<f64>();
                let nearest = (0..k).map(cosine).fold(-1.0, f64::max);
                if nearest < best {
                    best = nearest;
                    means.row_mut(k).copy_from_slice(&direction);
                }
            }
        }
        let norm = (0.5 * self.distance).tanh();
        let means = Points::new(dim, means.as_slice().iter().map(|c| c * norm).collect());
        let weights = vec![1.0 / communities as f64; communities];
        Ok(GaussianMixture { weights, means, scales: vec![self.scale; communities] })
    }
}

/// Generates a random geometric graph in the Poincaré ball.
///
/// # Errors
/// [`Error::Config`](crate::Error::Config) for settings out of range.
pub fn hyperbolic(config: &HyperbolicConfig) -> Result<Hyperbolic> {
    check_size(config.nodes, config.average_degree)?;
    check_join(config.nodes, config.average_degree, config.temperature)?;
    let mixture = config.mixture()?;
    let (points, communities) = sample_mixture(&mixture, config.nodes, config.seed)?;
    let (graph, radius) = join_near(&points, config.average_degree, config.temperature, config.seed)?;
    let generated =
        Generated { graph, communities, community_count: mixture.len(), dropped_ends: 0, cut_nodes: 0 };
    Ok(Hyperbolic { generated, points, mixture, radius })
}

/// Joins points with Fermi–Dirac probabilities of the given expected average degree. Also returns the radius R.
///
/// # Errors
/// For settings out of range, or a point outside the ball.
pub(crate) fn join_near(
    points: &Points,
    average_degree: f64,
    temperature: f64,
    seed: u64,
) -> Result<(Graph, f64)> {
    let node_count = points.len();
    check_size(node_count, average_degree)?;
    check_join(node_count, average_degree, temperature)?;
    let slacks: Vec<f64> = points.rows().map(poincare::slack).collect();
    if let Some(outside) = slacks.iter().position(|&slack| slack.is_nan() || slack <= 0.0) {
        return refuse("points", "inside the ball", format!("outside it at row {outside}"));
    }
    let near = Near { points, slacks };
    let counts = near.count();
    interrupt::check()?;
    let edge_count = 0.5 * node_count as f64 * average_degree;
    let edge = FermiDirac::with_edges(edge_count, &counts, temperature);
    let pairs = near.draw(&edge, seed);
    interrupt::check()?;
    let edges = EdgeList { node_count, pairs, weights: None };
    Ok((edges.build_with(RepeatedEdges::First, Direction::Undirected).0, edge.radius))
}

fn check_join(nodes: usize, average_degree: f64, temperature: f64) -> Result<()> {
    check_range("average_degree", average_degree, 0.0..=(nodes - 1) as f64)?;
    check_range("temperature", temperature, 1e-3..=1e3)
}

/// Leading mantissa bits of q that select its bin: the relative width of a bin is 1/128.
const FRACTION_BITS: u32 = 7;

/// Binary exponents with their own bins. Outside, distances are below 10⁻⁸ or above 42, the largest possible.
const POWERS: std::ops::Range<i32> = -56..62;

const BINS: usize = ((POWERS.end - POWERS.start) as usize) << FRACTION_BITS;

/// Histogram bin of q = sinh²(d/2).
#[inline]
fn bin(q: f64) -> usize {
    let leading = (q.to_bits() >> (f64::MANTISSA_DIGITS - 1 - FRACTION_BITS)) as i64;
    let first = i64::from(POWERS.start + f64::MAX_EXP - 1) << FRACTION_BITS;
    (leading - first).clamp(0, BINS as i64 - 1) as usize
}

/// Lower edge of bin `b`; zero for the first.
fn bin_start(b: usize) -> f64 {
    let (power, fraction) = (POWERS.start + (b >> FRACTION_BITS) as i32, b % (1 << FRACTION_BITS));
    if b == 0 { 0.0 } else { 2f64.powi(power) * (1.0 + fraction as f64 / f64::from(1u32 << FRACTION_BITS)) }
}

/// Distance d with sinh²(d/2) = q.
fn distance(q: f64) -> f64 {
    2.0 * q.sqrt().asinh()
}

/// Fermi–Dirac connection probability.
struct FermiDirac {
    radius: f64,
    temperature: f64,
}

impl FermiDirac {
    /// Finds the radius with `edge_count` expected edges, from a histogram of pair distances.
    fn with_edges(edge_count: f64, counts: &[u64], temperature: f64) -> Self {
        /// Bisection steps after which the radius has full precision.
        const HALVINGS: usize = 80;
        let used: Vec<(f64, f64)> = (0..BINS)
            .filter(|&b| counts[b] > 0)
            .map(|b| (distance(0.5 * (bin_start(b) + bin_start(b + 1))), counts[b] as f64))
            .collect();
        let expected = |radius| {
            let edge = Self { radius, temperature };
            used.iter().map(|&(d, count)| count * edge.probability(d)).sum::<f64>()
        };
        let farthest = used.last().map_or(0.0, |last| last.0);
        // The margin exceeds T·ln(number of pairs), so that the bracket contains the root.
        let margin = 60.0 * temperature;
        let (mut low, mut high) = (-margin, farthest + margin);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if expected(middle) < edge_count { low = middle } else { high = middle }
        }
        Self { radius: 0.5 * (low + high), temperature }
    }

    fn probability(&self, distance: f64) -> f64 {
        1.0 / (1.0 + ((distance - self.radius) / self.temperature).exp())
    }
}

/// Points with their precomputed 1−|x|².
struct Near<'p> {
    points: &'p Points,
    slacks: Vec<f64>,
}

impl Near<'_> {
    /// sinh²(d/2) between point `i` and each later point.
    #[inline]
    fn row(&self, i: usize) -> impl Iterator<Item = f64> {
        let (x, slack) = (self.points.row(i), self.slacks[i]);
        let later = &self.points.as_slice()[(i + 1) * self.points.dim()..];
        let later = later.chunks_exact(self.points.dim()).zip(&self.slacks[i + 1..]);
        later.map(move |(y, other)| poincare::squared_difference(x, y) / (slack * other))
    }

    /// Histogram of the pair distances.
    fn count(&self) -> Vec<u64> {
        let none = || vec![0u64; BINS];
        let count = |mut counts: Vec<u64>, i| {
            if interrupt::is_requested() {
                return counts;
            }
            self.row(i).for_each(|q| counts[bin(q)] += 1);
            counts
        };
        let add = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        (0..self.points.len()).into_par_iter().fold(none, count).reduce(none, add)
    }

    /// Draws the edges.
    fn draw(&self, edge: &FermiDirac, seed: u64) -> Pairs {
        let bounds: Vec<f64> = (0..BINS).map(|b| edge.probability(distance(bin_start(b)))).collect();
        let row = |i: usize| {
            let mut rng = step(seed, Step::Edges, i);
            let mut pairs = Vec::new();
            if interrupt::is_requested() {
                return pairs;
            }
            for (j, q) in (i + 1..).zip(self.row(i)) {
                let u = rng.unit();
                if u < bounds[bin(q)] && u < edge.probability(distance(q)) {
                    pairs.push((i as NodeId, j as NodeId));
                }
            }
            pairs
        };
        let rows: Vec<Pairs> = (0..self.points.len()).into_par_iter().map(row).collect();
        rows.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_contain_their_numbers() {
        for q in [1e-12, 1e-3, 0.5, 1.0, 1.5, 7.3, 1e6, 1e17] {
            let b = bin(q);
            assert!(bin_start(b) <= q && q < bin_start(b + 1), "{q}: bin {b}");
        }
        assert_eq!((bin(0.0), bin(1e-300), bin(1e300), bin_start(0)), (0, 0, BINS - 1, 0.0));
    }

    #[test]
    fn average_degree_matches_the_setting() {
        for (average_degree, temperature) in [(4.0, 0.01), (10.0, 0.2), (30.0, 2.0), (499.0, 0.2)] {
            let config =
                HyperbolicConfig { nodes: 500, average_degree, temperature, ..HyperbolicConfig::default() };
            let made = hyperbolic(&config).unwrap();
            let edges = 250.0 * average_degree;
            // The variance of the number of edges is below its mean. Six standard deviations, plus the relative bin
            // width of 1/128 because the probability may jump within a bin.
            let bound = 6.0 * edges.sqrt() + edges / 128.0;
            let found = made.generated.graph.edge_count() as f64;
            assert!((found - edges).abs() < bound, "{average_degree}: {found} edges, not {edges} ± {bound}");
        }
    }

    #[test]
    fn edge_frequency_by_distance_is_fermi_dirac() {
        let config =
            HyperbolicConfig { nodes: 1500, temperature: 0.5, dim: 3, ..HyperbolicConfig::default() };
        let made = hyperbolic(&config).unwrap();
        let edge = FermiDirac { radius: made.radius, temperature: config.temperature };
        // Brute-force expectation and variance over all pairs, by distance shell.
        let (mut found, mut mean, mut variance) = ([0.0; 24], [0.0; 24], [0.0; 24]);
        for i in 0..1500 {
            for j in i + 1..1500 {
                let d = poincare::distance(made.points.row(i), made.points.row(j));
                let (shell, p) = ((2.0 * d) as usize, edge.probability(d));
                found[shell] +=
                    f64::from(made.generated.graph.neighbors(i as u32).binary_search(&(j as u32)).is_ok());
                mean[shell] += p;
                variance[shell] += p * (1.0 - p);
            }
        }
        for shell in 0..24 {
            // Six standard deviations, plus six events where the counts are nearly Poisson.
            let bound = 6.0 * f64::sqrt(variance[shell]) + 6.0;
            assert!(
                f64::abs(found[shell] - mean[shell]) < bound,
                "shell {shell}: {} {}",
                found[shell],
                mean[shell]
            );
        }
        assert!(found.iter().sum::<f64>() > 5000.0);
    }

    #[test]
    fn communities_are_denser_inside() {
        let made = hyperbolic(&HyperbolicConfig { distance: 5.0, ..HyperbolicConfig::default() }).unwrap();
        assert!(made.generated.mixing() < 0.1, "{}", made.generated.mixing());
        let near = HyperbolicConfig { distance: 0.0, ..HyperbolicConfig::default() };
        assert!((hyperbolic(&near).unwrap().generated.mixing() - 0.8).abs() < 0.05);
    }

    #[test]
    fn settings_out_of_range_are_rejected() {
        let refusal = |config| hyperbolic(&config).unwrap_err().to_string();
        let usual = HyperbolicConfig::default;
        assert_eq!(
            refusal(HyperbolicConfig { dim: 1, ..usual() }),
            "`dim` must be a whole number from 2 to 1024, but is 1"
        );
        assert!(refusal(HyperbolicConfig { communities: 0, ..usual() }).starts_with("`communities`"));
        assert!(refusal(HyperbolicConfig { temperature: 0.0, ..usual() }).starts_with("`temperature`"));
        assert!(
            refusal(HyperbolicConfig { average_degree: 1000.0, ..usual() }).starts_with("`average_degree`")
        );
        assert!(refusal(HyperbolicConfig { distance: f64::NAN, ..usual() }).starts_with("`distance`"));
        assert!(
            refusal(HyperbolicConfig { distance: 18.0, ..usual() }).starts_with("`scale` must be so small")
        );
        assert!(refusal(HyperbolicConfig { scale: -1.0, ..usual() }).starts_with("`scale` must be above 0"));
    }
}
