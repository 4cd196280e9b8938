//! Stochastic block model (Holland et al. 1983) with one edge probability within blocks and another between them.
//!
//! Pairs are enumerated and the next edge is found by a geometric skip (Batagelj & Brandes 2005), so the cost is
//! linear in the edges instead of quadratic in the nodes. Blocks are contiguous, so the pairs within a block form a
//! triangle, and the pairs between it and all later blocks one rectangle: two enumerations per block, independent of
//! the number of blocks.

use rayon::prelude::*;
use serde::Serialize;

use super::draw::select;
use super::{Generated, Pairs, Step, check_range, check_size, in_random_order, refuse, step};
use crate::Result;
use crate::graph::NodeId;
use crate::interrupt;

/// Settings of a stochastic block model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SbmConfig {
    /// Number of nodes in each block.
    pub sizes: Vec<usize>,
    /// Edge probability within a block.
    pub p_in: f64,
    /// Edge probability between blocks.
    pub p_out: f64,
    /// Random seed.
    pub seed: u64,
}

impl SbmConfig {
    /// Settings with given average degrees within and between blocks.
    ///
    /// With blocks of unequal sizes, the average is over all nodes; nodes of larger blocks have higher degrees.
    ///
    /// # Errors
    /// If a block is empty, or a degree exceeds the number of available pairs.
    pub fn from_degrees(sizes: Vec<usize>, within: f64, between: f64, seed: u64) -> Result<Self> {
        check_blocks(&sizes)?;
        check_size(node_count(&sizes), 0.0)?;
        let n: f64 = sizes.iter().map(|&size| size as f64).sum();
        let squares: f64 = sizes.iter().map(|&size| (size as f64).powi(2)).sum();
        let probability = |parameter, degree: f64, most: f64| {
            if !(0.0..=most).contains(&degree) {
                let most = (most * 1e4).floor() / 1e4;
                let expected = format!("from 0 to {most}, as many as there are on average");
                return refuse(parameter, expected, degree);
            }
            Ok(if degree > 0.0 { degree / most } else { 0.0 })
        };
        let p_in = probability("degree_within", within, squares / n - 1.0)?;
        let p_out = probability("degree_between", between, n - squares / n)?;
        Ok(Self { sizes, p_in, p_out, seed })
    }

    /// Sizes of `blocks` blocks with `nodes` nodes in total that differ by at most one.
    ///
    /// # Errors
    /// If there are fewer nodes than blocks, or no blocks.
    pub fn equal_sizes(nodes: usize, blocks: usize) -> Result<Vec<usize>> {
        check_size(nodes, 0.0)?;
        if !(1..=nodes).contains(&blocks) {
            return refuse("communities", format!("from 1 to {nodes}, the number of nodes"), blocks);
        }
        Ok((0..blocks).map(|b| nodes / blocks + usize::from(b < nodes % blocks)).collect())
    }

    fn validate(&self) -> Result<()> {
        check_blocks(&self.sizes)?;
        check_range("p_in", self.p_in, 0.0..=1.0)?;
        check_range("p_out", self.p_out, 0.0..=1.0)?;
        let nodes = node_count(&self.sizes);
        let n = nodes as f64;
        let squares: f64 = self.sizes.iter().map(|&size| (size as f64).powi(2)).sum();
        check_size(nodes, (self.p_in * (squares - n) + self.p_out * (n * n - squares)) / n)
    }
}

/// Fails if a block is empty.
fn check_blocks(sizes: &[usize]) -> Result<()> {
    if sizes.contains(&0) { refuse("sizes", "whole numbers from 1", 0) } else { Ok(()) }
}

/// Total number of nodes, saturating.
fn node_count(sizes: &[usize]) -> usize {
    sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size))
}

/// Generates a stochastic block model graph.
///
/// # Errors
/// [`Error::Config`](crate::Error::Config) for settings out of range.
pub fn sbm(config: &SbmConfig) -> Result<Generated> {
    config.validate()?;
    let nodes = node_count(&config.sizes);
    let mut communities = Vec::with_capacity(nodes);
    let mut starts = Vec::with_capacity(config.sizes.len());
    for (block, &size) in (0..).zip(&config.sizes) {
        starts.push(communities.len());
        communities.resize(communities.len() + size, block);
    }
    let blocks = (0..starts.len()).into_par_iter();
    let parts: Vec<Pairs> = blocks
        .map(|b| {
            let mut pairs = within(starts[b], config.sizes[b], config.p_in, config.seed, b);
            between(starts[b], config.sizes[b], nodes, config.p_out, config.seed, b, &mut pairs);
            pairs
        })
        .collect();
    interrupt::check()?;
    let (graph, communities) = in_random_order(nodes, parts.concat(), &communities, config.seed);
    Ok(Generated { graph, communities, community_count: starts.len(), dropped_ends: 0, cut_nodes: 0 })
}

/// Edges within block `b`: pairs (i, j), j < i, are enumerated row by row, so that row i starts at i(i−1)/2.
fn within(start: usize, size: usize, p: f64, seed: u64, b: usize) -> Pairs {
    let size = size as u64;
    let mut pairs = Vec::new();
    let (mut row, mut row_start) = (1, 0);
    select(size * (size - 1) / 2, p, &mut step(seed, Step::Inside, b), |number| {
        while number >= row_start + row {
            row_start += row;
            row += 1;
        }
        pairs.push((node(start as u64 + row), node(start as u64 + number - row_start)));
    });
    pairs
}

/// Edges from block `b` to all later ones.
fn between(start: usize, size: usize, nodes: usize, p: f64, seed: u64, b: usize, pairs: &mut Pairs) {
    let end = start + size;
    let width = (nodes - end) as u64;
    select(size as u64 * width, p, &mut step(seed, Step::Between, b), |number| {
        pairs.push((node(start as u64 + number / width), node(end as u64 + number % width)));
    });
}

fn node(id: u64) -> NodeId {
    NodeId::try_from(id).expect("ids are below the number of nodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_within_six_standard_errors() {
        let config = SbmConfig { sizes: vec![400, 1, 250, 350], p_in: 0.06, p_out: 0.004, seed: 5 };
        let made = sbm(&config).unwrap();
        assert_eq!(made.community_sizes(), config.sizes);
        let mut counts = [[0u32; 4]; 4];
        for u in made.graph.nodes() {
            for &v in made.graph.neighbors(u).iter().filter(|&&v| v < u) {
                let (a, b) = (made.communities[u as usize] as usize, made.communities[v as usize] as usize);
                counts[a.min(b)][a.max(b)] += 1;
            }
        }
        for a in 0..4 {
            for b in a..4 {
                let (s, t) = (config.sizes[a] as f64, config.sizes[b] as f64);
                let (trials, p) = if a == b { (s * (s - 1.0) / 2.0, 0.06) } else { (s * t, 0.004) };
                // Six standard deviations of a binomial, plus six events where it is nearly Poisson.
                let bound = 6.0 * (trials * p * (1.0 - p)).sqrt() + 6.0;
                let found = f64::from(counts[a][b]);
                assert!(
                    (found - trials * p).abs() <= bound,
                    "{a}, {b}: {found}, not {} ± {bound}",
                    trials * p
                );
            }
        }
    }

    #[test]
    fn probability_one_joins_every_pair() {
        let config = SbmConfig { sizes: vec![5, 7], p_in: 1.0, p_out: 0.0, seed: 1 };
        assert_eq!(sbm(&config).unwrap().graph.edge_count(), 10 + 21);
        assert_eq!(sbm(&config).unwrap().mixing(), 0.0);
        let config = SbmConfig { p_in: 0.0, p_out: 1.0, ..config };
        assert_eq!(sbm(&config).unwrap().graph.edge_count(), 35);
        assert_eq!(sbm(&config).unwrap().mixing(), 1.0);
    }

    #[test]
    fn average_degrees_match_the_settings() {
        let sizes = SbmConfig::equal_sizes(3002, 30).unwrap();
        let made = sbm(&SbmConfig::from_degrees(sizes, 12.0, 4.0, 2).unwrap()).unwrap();
        // The number of edges is approximately Poisson with standard deviation 155; the fraction between blocks is
        // binomial.
        assert!(
            (made.average_degree() - 16.0).abs() < 6.0 * 2.0 * 155.0 / 3002.0,
            "{}",
            made.average_degree()
        );
        assert!((made.mixing() - 0.25).abs() < 6.0 * (0.25f64 * 0.75 / 24_016.0).sqrt(), "{}", made.mixing());
    }

    #[test]
    fn cost_is_independent_of_the_number_of_blocks() {
        let sizes = SbmConfig::equal_sizes(100_000, 50_000).unwrap();
        let made = sbm(&SbmConfig::from_degrees(sizes, 0.5, 2.0, 2).unwrap()).unwrap();
        assert!((made.average_degree() - 2.5).abs() < 0.1);
    }

    #[test]
    fn invalid_models_are_rejected() {
        let model =
            |sizes, p_in, p_out| sbm(&SbmConfig { sizes, p_in, p_out, seed: 1 }).unwrap_err().to_string();
        assert_eq!(model(vec![3, 0], 0.5, 0.5), "`sizes` must be whole numbers from 1, but is 0");
        assert_eq!(model(vec![3, 3], 1.5, 0.5), "`p_in` must be a number from 0 to 1, but is 1.5");
        assert!(model(vec![], 0.5, 0.5).starts_with("`nodes` must be"));
        assert!(model(vec![1 << 31, 1 << 30], 0.5, 0.5).contains("edges, but is"));
        assert!(model(vec![usize::MAX, 3], 0.5, 0.5).starts_with("`nodes` must be"));
        let degrees = |within, between| SbmConfig::from_degrees(vec![10, 10], within, between, 1);
        assert_eq!(
            degrees(9.5, 1.0).unwrap_err().to_string(),
            "`degree_within` must be from 0 to 9, as many as there are on average, but is 9.5"
        );
        assert!(degrees(9.0, 10.0).is_ok() && degrees(f64::NAN, 1.0).is_err());
        assert!(SbmConfig::equal_sizes(10, 11).is_err() && SbmConfig::equal_sizes(10, 0).is_err());
    }
}
