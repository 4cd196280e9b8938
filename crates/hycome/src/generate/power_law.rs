//! Chung–Lu model with power-law expected degrees.
//!
//! Node u has an expected degree w_u drawn from a power law, and the pair (u, v) is an edge with probability min(1,
//! w_u·w_v/W), where W = Σ w. With nodes sorted by decreasing w, the probabilities decrease along a row: the next
//! candidate is found by a geometric skip with the current probability, and accepted with the ratio of its own
//! probability to it. The cost is linear in nodes and edges (Miller & Hagberg 2011).
//!
//! Degrees are approximately Poisson around their expectations, so some nodes of small expected degree are isolated.
//! If w_u·w_v exceeds W, which requires a maximum degree above √W, hubs have fewer neighbours than expected.
//!
//! F. Chung and L. Lu, *Connected components in random graphs with given expected degree sequences*, 2002; J. Miller
//! and A. Hagberg, *Efficient generation of networks with given expected degrees*, 2011.

use rayon::prelude::*;
use serde::Serialize;

use super::degrees::PowerLaw;
use super::draw::failures;
use super::{Generated, Pairs, Step, check_range, check_size, in_random_order, refuse, step};
use crate::Result;
use crate::graph::NodeId;
use crate::interrupt;

/// Settings of a power-law graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PowerLawConfig {
    /// Number of nodes.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "N", default_value_t = Self::default().nodes))]
    pub nodes: usize,
    /// Average degree.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", default_value_t = Self::default().average_degree))]
    pub average_degree: f64,
    /// Exponent of the degrees' power law, 0 to 10; usually 2 to 3.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = Self::default().exponent))]
    pub exponent: f64,
    /// Largest expected degree; by default the root of nodes times average degree, above which hubs fall short of
    /// theirs.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K"))]
    pub max_degree: Option<usize>,
    /// Random seed: the same seed gives the same graph, on any number of threads.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = Self::default().seed))]
    pub seed: u64,
}

impl Default for PowerLawConfig {
    fn default() -> Self {
        Self { nodes: 1000, average_degree: 10.0, exponent: 2.5, max_degree: None, seed: 1 }
    }
}

impl PowerLawConfig {
    /// Distribution of the expected degrees.
    fn law(&self) -> Result<PowerLaw> {
        let Self { nodes, average_degree, exponent, .. } = *self;
        check_size(nodes, average_degree)?;
        check_range("exponent", exponent, 0.0..=10.0)?;
        check_range("average_degree", average_degree, 0.0..=(nodes - 1) as f64)?;
        let usual = (nodes as f64 * average_degree).sqrt() as usize;
        let most = self.max_degree.unwrap_or(usual.clamp(1, nodes - 1));
        if !(1..nodes).contains(&most) {
            return refuse("max_degree", format!("from 1 to {}, the other nodes", nodes - 1), most);
        }
        check_range("average_degree", average_degree, 0.0..=most as f64)?;
        PowerLaw::with_mean(average_degree, most, exponent).or_else(|least| {
            let expected = format!("at least {least:.2}, the mean of a power law from 1 to {most}");
            refuse("average_degree", expected, average_degree)
        })
    }
}

/// Rows per parallel task.
const ROWS: usize = 1024;

/// Generates a Chung–Lu graph with power-law expected degrees.
///
/// # Errors
/// [`Error::Config`](crate::Error::Config) for settings out of range.
pub fn power_law(config: &PowerLawConfig) -> Result<Generated> {
    let law = config.law()?;
    let mut rng = step(config.seed, Step::Degrees, 0);
    let mut expected: Vec<u32> = (0..config.nodes).map(|_| law.draw(&mut rng) as u32).collect();
    expected.par_sort_unstable_by(|a, b| b.cmp(a));
    let total: f64 = expected.iter().map(|&w| f64::from(w)).sum();
    let parts: Vec<Pairs> = (0..config.nodes.div_ceil(ROWS))
        .into_par_iter()
        .map(|part| {
            let mut pairs = Vec::new();
            if interrupt::is_requested() {
                return pairs;
            }
            for u in part * ROWS..config.nodes.min((part + 1) * ROWS) {
                add_row(u, &expected, total, config.seed, &mut pairs);
            }
            pairs
        })
        .collect();
    interrupt::check()?;
    let (graph, _) = in_random_order(config.nodes, parts.concat(), &[], config.seed);
    Ok(Generated { graph, communities: Vec::new(), community_count: 0, dropped_ends: 0, cut_nodes: 0 })
}

/// Edges from `u` to later nodes; `expected` is in descending order.
fn add_row(u: usize, expected: &[u32], total: f64, seed: u64, pairs: &mut Pairs) {
    let probability = |v: usize| (f64::from(expected[u]) * f64::from(expected[v]) / total).min(1.0);
    let mut rng = step(seed, Step::Edges, u);
    let mut v = u + 1;
    while v < expected.len() {
        let bound = probability(v);
        v = v.saturating_add(failures(bound, &mut rng) as usize);
        if v < expected.len() {
            if rng.unit() * bound < probability(v) {
                pairs.push((u as NodeId, v as NodeId));
            }
            v += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_its_probability() {
        // Few nodes, many graphs: compares each pair with its own probability.
        let expected = [9, 6, 4, 3, 2, 2, 1, 1];
        let total = 28.0;
        let mut counts = [[0u32; 8]; 8];
        let graphs = 20_000u32;
        for seed in 0..graphs {
            let mut pairs = Vec::new();
            (0..8).for_each(|u| add_row(u, &expected, total, u64::from(seed), &mut pairs));
            pairs.iter().for_each(|&(u, v)| counts[u as usize][v as usize] += 1);
        }
        for u in 0..8 {
            for v in u + 1..8 {
                let p = (f64::from(expected[u] * expected[v]) / total).min(1.0);
                // Six standard deviations: false-failure probability 1e-7 per seed.
                let bound = 6.0 * (f64::from(graphs) * p * (1.0 - p)).sqrt() + 1e-9;
                assert!((f64::from(counts[u][v]) - f64::from(graphs) * p).abs() <= bound, "{u}, {v}");
            }
        }
    }

    #[test]
    fn average_degree_matches_the_setting() {
        let config = PowerLawConfig { nodes: 50_000, ..PowerLawConfig::default() };
        let made = power_law(&config).unwrap();
        let square: f64 = made.graph.nodes().map(|node| (made.graph.degree(node) as f64).powi(2)).sum();
        // Six standard errors of the mean degree, plus the missing self-loops, at most the mean of w²/W.
        let bound = 6.0 * (square / 50_000.0).sqrt() / 50_000f64.sqrt() + square / 50_000.0 / 500_000.0;
        assert!(bound < 1.0 && (made.average_degree() - 10.0).abs() < bound, "{}", made.average_degree());
    }

    #[test]
    fn degree_distribution_decays_with_the_exponent() {
        let config = PowerLawConfig { nodes: 200_000, exponent: 2.5, ..PowerLawConfig::default() };
        let made = power_law(&config).unwrap();
        // Hill estimator on the tail: 1 + n/Σ ln(k/k₀) has relative standard error 1/√n. Discretization and Poisson
        // noise around w (relative variance 1/w) add a bias of about 1/k₀ and 3/k₀, the truncation (k₀/most)^{3/2}:
        // less than 0.1 in total at k₀ = 60.
        let start = 60.0;
        let tail: Vec<f64> =
            made.graph.nodes().map(|node| made.graph.degree(node) as f64).filter(|&k| k >= start).collect();
        let count = tail.len() as f64;
        let exponent = 1.0 + count / tail.iter().map(|k| (k / (start - 0.5)).ln()).sum::<f64>();
        assert!((exponent - 2.5).abs() < 0.1 + 6.0 * 1.5 / count.sqrt(), "{exponent} from {count} nodes");
    }

    #[test]
    fn settings_out_of_range_are_rejected() {
        let refusal = |config| power_law(&config).unwrap_err().to_string();
        let usual = PowerLawConfig::default;
        assert_eq!(
            refusal(PowerLawConfig { average_degree: 1.0, ..usual() }),
            "`average_degree` must be at least 1.69, the mean of a power law from 1 to 31, but is 1"
        );
        assert!(
            refusal(PowerLawConfig { max_degree: Some(5), ..usual() }).contains("from 0 to 5, but is 10")
        );
        assert!(refusal(PowerLawConfig { max_degree: Some(1000), ..usual() }).contains("from 1 to 999"));
        assert!(refusal(PowerLawConfig { exponent: f64::NAN, ..usual() }).starts_with("`exponent`"));
        assert!(refusal(PowerLawConfig { nodes: 1, ..usual() }).starts_with("`nodes`"));
        assert!(refusal(PowerLawConfig { nodes: 4_000_000_000, ..usual() }).contains("edges, but is 10"));
    }
}
