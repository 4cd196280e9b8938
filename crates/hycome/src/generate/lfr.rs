//! LFR benchmark (Lancichinetti et al. 2008): power-law degrees and power-law community sizes.
//!
//! Each node has degree k, and a fraction μ of its neighbours, the *mixing parameter*, is outside its community. Every
//! step is linear in nodes or edges:
//!
//! 1. Degrees are drawn from a power law with the requested mean, and community sizes from theirs until they add up to
//!    the number of nodes.
//! 2. The internal degree of a node is (1−μ)·k, randomly rounded without bias. Nodes are assigned in order of
//!    decreasing internal degree: each takes a random free slot among the communities with more members than its
//!    internal degree. If there is none, it takes a slot in the next smaller community, and the excess internal degree
//!    becomes external. Such *cut* nodes are counted.
//! 3. If the internal degrees of a community have an odd sum, one of its nodes is rounded the other way.
//! 4. Internal stubs are matched within each community and external stubs between communities by the rewired
//!    configuration model of `pairing.rs`. Stubs that cannot be matched are removed, so the sum of the degrees is
//!    2·edges + dropped ends.
//!
//! Rounding, cut nodes and dropped ends shift the mixing slightly; [`Generated::mixing`] is the realized value. The
//! shift is largest for dense communities, whose internal degrees are close to their sizes, and for a mixing that a
//! few large communities cannot absorb.
//!
//! A. Lancichinetti, S. Fortunato and F. Radicchi, *Benchmark graphs for testing community detection algorithms*,
//! 2008. Assignment in order of degree follows M. Hamann, U. Meyer, M. Penschuck, H. Tran and D. Wagner,
//! *I/O-efficient generation of massive graphs following the LFR benchmark*, 2018.

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::degrees::PowerLaw;
use super::draw::{below, shuffle};
use super::pairing::{self, Pairing};
use super::{Generated, Pairs, Step, check_range, check_size, in_random_order, refuse, step};
use crate::Result;
use crate::graph::NodeId;
use crate::interrupt;
use crate::rng::Stream;

/// Settings of the LFR benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LfrConfig {
    /// Number of nodes.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "N", default_value_t = Self::default().nodes))]
    pub nodes: usize,
    /// Mixing: share of each node's neighbours outside its community, 0 to 1; above 0.5 they are hard to find.
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "MU", default_value_t = Self::default().mixing))]
    pub mixing: f64,
    /// Average degree.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", default_value_t = Self::default().average_degree))]
    pub average_degree: f64,
    /// Largest degree.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", default_value_t = Self::default().max_degree))]
    pub max_degree: usize,
    /// Exponent of the degrees' power law, 0 to 10; usually 2 to 3.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = Self::default().degree_exponent))]
    pub degree_exponent: f64,
    /// Nodes of the smallest community.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::default().min_community))]
    pub min_community: usize,
    /// Nodes of the largest community; above (1 - MU) times the largest degree.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Self::default().max_community))]
    pub max_community: usize,
    /// Exponent of the sizes' power law, 0 to 10; usually 1 to 2.
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", default_value_t = Self::default().community_exponent))]
    pub community_exponent: f64,
    /// Random seed: the same seed gives the same graph, on any number of threads.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = Self::default().seed))]
    pub seed: u64,
}

/// A common choice in benchmarks of community detection.
impl Default for LfrConfig {
    fn default() -> Self {
        Self {
            nodes: 1000,
            mixing: 0.3,
            average_degree: 15.0,
            max_degree: 50,
            degree_exponent: 2.0,
            min_community: 20,
            max_community: 100,
            community_exponent: 1.0,
            seed: 1,
        }
    }
}

impl LfrConfig {
    fn validate(&self) -> Result<()> {
        check_size(self.nodes, self.average_degree)?;
        check_range("mixing", self.mixing, 0.0..=1.0)?;
        check_range("degree_exponent", self.degree_exponent, 0.0..=10.0)?;
        check_range("community_exponent", self.community_exponent, 0.0..=10.0)?;
        let Self { nodes, max_degree, min_community, max_community, .. } = *self;
        if !(1..nodes).contains(&max_degree) {
            return refuse("max_degree", format!("from 1 to {}, the other nodes", nodes - 1), max_degree);
        }
        check_range("average_degree", self.average_degree, 1.0..=max_degree as f64)?;
        if !(1..=nodes).contains(&min_community) {
            return refuse("min_community", format!("from 1 to {nodes}, the number of nodes"), min_community);
        }
        if !(min_community..=nodes).contains(&max_community) {
            let expected =
                format!("from {min_community}, the smallest community, to {nodes}, the number of nodes");
            return refuse("max_community", expected, max_community);
        }
        if nodes.div_ceil(max_community) > nodes / min_community {
            let expected = format!(
                "so large that communities of {min_community} to {max_community} nodes can have {nodes} nodes together"
            );
            return refuse("max_community", expected, max_community);
        }
        let inside = ((1.0 - self.mixing) * max_degree as f64).ceil() as usize;
        if inside >= max_community {
            let expected = format!(
                "above {inside}, the neighbours of a node of the largest degree inside its community (or lower \
                 `max_degree` or raise `mixing`)"
            );
            return refuse("max_community", expected, max_community);
        }
        Ok(())
    }
}

/// Generates an LFR benchmark graph.
///
/// # Errors
/// [`Error::Config`](crate::Error::Config) for settings out of range or inconsistent with each other.
pub fn lfr(config: &LfrConfig) -> Result<Generated> {
    config.validate()?;
    let degrees = match PowerLaw::with_mean(config.average_degree, config.max_degree, config.degree_exponent)
    {
        Ok(law) => law,
        Err(least) => {
            let expected =
                format!("at least {least:.2}, the mean of a power law from 1 to the largest degree");
            return refuse("average_degree", expected, config.average_degree);
        }
    };
    let mut plan = Plan::assign(members(config, &degrees), &sizes(config), config.seed);
    let cut_nodes = plan.cut();
    plan.make_even(1.0 - config.mixing);
    let (communities, community_count) = (plan.communities(), plan.community_count());
    let (pairs, dropped_ends) = plan.join(&communities, config.seed);
    interrupt::check()?;
    drop(plan);
    let (graph, communities) = in_random_order(config.nodes, pairs, &communities, config.seed);
    Ok(Generated { graph, communities, community_count, dropped_ends, cut_nodes })
}

/// Degree and internal degree of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    inside: u32,
    degree: u32,
}

fn members(config: &LfrConfig, degrees: &PowerLaw) -> Vec<Member> {
    let mut rng = step(config.seed, Step::Degrees, 0);
    let draw = |_| {
        let degree = degrees.draw(&mut rng);
        let inside = ((1.0 - config.mixing) * degree as f64 + rng.unit()) as usize;
        Member { inside: inside.min(degree) as u32, degree: degree as u32 }
    };
    (0..config.nodes).map(draw).collect()
}

/// Community sizes in descending order; they sum to the number of nodes.
fn sizes(config: &LfrConfig) -> Vec<usize> {
    let LfrConfig { nodes, min_community: least, max_community: most, .. } = *config;
    let law = PowerLaw::between(least, most, config.community_exponent);
    let mut rng = step(config.seed, Step::Sizes, 0);
    let (mut sizes, mut rest) = (Vec::new(), nodes);
    while rest >= least {
        let size = law.draw(&mut rng).min(rest);
        sizes.push(size);
        rest -= size;
    }
    // The remaining nodes are fewer than a community: existing communities absorb them or, without room, give nodes to
    // a new one.
    let room: usize = sizes.iter().map(|size| most - size).sum();
    if room < rest {
        sizes.push(rest);
        shift(&mut sizes, least - rest, |size| (size > least).then(|| size - 1), &mut rng);
        *sizes.last_mut().expect("one was just added") = least;
    } else {
        shift(&mut sizes, rest, |size| (size < most).then_some(size + 1), &mut rng);
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes
}

/// Changes `count` sizes by one, in random order, cycling until done.
fn shift(sizes: &mut [usize], mut count: usize, change: impl Fn(usize) -> Option<usize>, rng: &mut Stream) {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    shuffle(&mut order, rng);
    while count > 0 {
        for &i in &order {
            if let (true, Some(size)) = (count > 0, change(sizes[i])) {
                sizes[i] = size;
                count -= 1;
            }
        }
    }
}

/// Assignment of members to communities.
struct Plan {
    members: Vec<Member>,
    /// Offsets: the members of community c are `starts[c]..starts[c + 1]`.
    starts: Vec<usize>,
}

/// Communities matched in parallel before their edges are concatenated; bounds the intermediate memory.
const BATCH: usize = 4096;

impl Plan {
    /// Assigns each member to a slot in order of decreasing internal degree; `sizes` are in descending order.
    fn assign(mut members: Vec<Member>, sizes: &[usize], seed: u64) -> Self {
        members.par_sort_unstable_by(|a, b| b.cmp(a));
        let mut starts = vec![0];
        let ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        starts.extend(ends);
        let mut placed = vec![Member::default(); members.len()];
        let mut rng = step(seed, Step::Assignment, 0);
        let (mut free, mut opened) = (Vec::new(), 0);
        for member in members {
            while opened < sizes.len() && (sizes[opened] > member.inside as usize || free.is_empty()) {
                free.extend(starts[opened] as NodeId..starts[opened + 1] as NodeId);
                opened += 1;
            }
            let place = free.swap_remove(below(free.len(), &mut rng));
            placed[place as usize] = member;
        }
        Self { members: placed, starts }
    }

    fn community_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Slots of a community.
    fn places(&self, community: usize) -> Range<usize> {
        self.starts[community]..self.starts[community + 1]
    }

    /// Community of each slot.
    fn communities(&self) -> Vec<u32> {
        let mut communities = Vec::with_capacity(self.members.len());
        for c in 0..self.community_count() {
            communities.resize(self.starts[c + 1], c as u32);
        }
        communities
    }

    /// Limits internal degrees to the community size minus one; returns the number of members affected.
    fn cut(&mut self) -> usize {
        let mut cut = 0;
        for c in 0..self.community_count() {
            let places = self.places(c);
            let others = places.len() as u32 - 1;
            for member in self.members[places].iter_mut().filter(|member| member.inside > others) {
                member.inside = others;
                cut += 1;
            }
        }
        cut
    }

    /// Makes the sum of internal degrees of each community even by rounding one member the other way.
    fn make_even(&mut self, share_inside: f64) {
        for c in 0..self.community_count() {
            let places = self.places(c);
            let others = places.len() as u32 - 1;
            let members = &mut self.members[places];
            if members.iter().map(|member| u64::from(member.inside)).sum::<u64>() % 2 == 0 {
                continue;
            }
            for member in members {
                let exact = share_inside * f64::from(member.degree);
                let (down, up) = (exact.floor() as u32, exact.ceil() as u32);
                let other = if member.inside == down { up } else { down };
                if down < up && (down..=up).contains(&member.inside) && other <= others {
                    member.inside = other;
                    break;
                }
            }
        }
    }

    /// Matches all stubs. Returns the edges between slots and the number of dropped ends.
    fn join(&self, communities: &[u32], seed: u64) -> (Pairs, usize) {
        let ends: usize = self.members.iter().map(|member| member.degree as usize).sum();
        let mut pairs = Vec::with_capacity(ends / 2);
        let mut dropped_ends = 0;
        let mut take = |made: Pairing| {
            pairs.extend(made.pairs);
            dropped_ends += made.dropped_ends;
        };
        let count = self.community_count();
        for first in (0..count).step_by(BATCH) {
            let batch = (first..count.min(first + BATCH)).into_par_iter();
            if interrupt::is_requested() {
                break;
            }
            let made: Vec<Pairing> = batch.map(|c| self.join_inside(c, seed)).collect();
            made.into_iter().for_each(&mut take);
        }
        let ends = self.ends(0..self.members.len(), |member| member.degree - member.inside);
        let is_between = |u: NodeId, v: NodeId| communities[u as usize] != communities[v as usize];
        take(pairing::join(ends, is_between, &mut step(seed, Step::Between, 0)));
        (pairs, dropped_ends)
    }

    fn join_inside(&self, community: usize, seed: u64) -> Pairing {
        let ends = self.ends(self.places(community), |member| member.inside);
        pairing::join(ends, |_, _| true, &mut step(seed, Step::Inside, community))
    }

    /// Stubs: each slot repeated `count` times.
    fn ends(&self, places: Range<usize>, count: impl Fn(&Member) -> u32) -> Vec<NodeId> {
        let total = self.members[places.clone()].iter().map(|member| count(member) as usize).sum();
        let mut ends = Vec::with_capacity(total);
        for (place, member) in places.clone().zip(&self.members[places]) {
            ends.extend(std::iter::repeat_n(place as NodeId, count(member) as usize));
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(config: &LfrConfig) -> (Generated, u64) {
        let law =
            PowerLaw::with_mean(config.average_degree, config.max_degree, config.degree_exponent).unwrap();
        let total = members(config, &law).iter().map(|member| u64::from(member.degree)).sum();
        (lfr(config).unwrap(), total)
    }

    #[test]
    fn degrees_sum_to_edge_ends_and_dropped_ends() {
        for mixing in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let (made, total) = made(&LfrConfig { mixing, ..LfrConfig::default() });
            assert_eq!(
                2 * made.graph.edge_count() as u64 + made.dropped_ends as u64,
                total,
                "mixing {mixing}"
            );
            assert!(
                made.dropped_ends as u64 * 100 <= total,
                "mixing {mixing}: {} dropped",
                made.dropped_ends
            );
        }
    }

    #[test]
    fn mixing_matches_the_setting() {
        for mixing in [0.0, 0.1, 0.3, 0.6, 0.8, 1.0] {
            let config = LfrConfig { nodes: 5000, mixing, seed: 3, ..LfrConfig::default() };
            let (made, total) = made(&config);
            // Random rounding has a standard deviation of at most 1/2 per node. The bound is six of them over all
            // nodes, plus the ends affected by parity, dropping and cutting.
            let moved = made.community_count + made.dropped_ends + 50 * made.cut_nodes;
            let bound = (3.0 * (config.nodes as f64).sqrt() + moved as f64) / total as f64;
            assert!(bound < 0.01, "the bound is vacuous: {bound}");
            assert!((made.mixing() - mixing).abs() <= bound, "{mixing}: {} ± {bound}", made.mixing());
        }
    }

    #[test]
    fn sizes_and_degrees_are_within_range() {
        for (seed, exponent) in (0..20).zip([0.0, 1.0, 2.0, 5.0].into_iter().cycle()) {
            let config = LfrConfig { seed, nodes: 777, community_exponent: exponent, ..LfrConfig::default() };
            let (made, _) = made(&config);
            let sizes = made.community_sizes();
            assert_eq!(sizes.iter().sum::<usize>(), 777);
            assert!(sizes.iter().all(|size| (20..=100).contains(size)), "{sizes:?}");
            assert!(made.graph.nodes().all(|node| made.graph.degree(node) <= 50));
        }
    }

    #[test]
    fn tightly_constrained_sizes_are_found() {
        // 20 to 21 nodes each: 100 = 5·20, 104 = 4·21 + 20, 105 = 5·21; 106 to 119 have no solution.
        for nodes in [100, 101, 104, 105, 120, 126] {
            for seed in 0..10 {
                let config = LfrConfig {
                    nodes,
                    seed,
                    min_community: 20,
                    max_community: 21,
                    max_degree: 20,
                    average_degree: 12.0,
                    ..LfrConfig::default()
                };
                let sizes = lfr(&config).unwrap().community_sizes();
                assert!(
                    sizes.iter().sum::<usize>() == nodes && sizes.iter().all(|s| (20..=21).contains(s)),
                    "{sizes:?}"
                );
                assert!(lfr(&LfrConfig { nodes: 110, ..config }).is_err());
            }
        }
    }

    #[test]
    fn hubs_are_cut_if_no_community_is_large_enough() {
        // Few communities are large enough for the hubs; most have 5 or 6 nodes.
        let config = LfrConfig {
            nodes: 300,
            min_community: 5,
            max_community: 60,
            community_exponent: 4.0,
            mixing: 0.1,
            ..LfrConfig::default()
        };
        let (made, total) = made(&config);
        assert!(made.cut_nodes > 0 && made.mixing() > 0.1);
        assert_eq!(2 * made.graph.edge_count() as u64 + made.dropped_ends as u64, total);
    }

    #[test]
    fn inconsistent_settings_are_rejected() {
        let refusal = |config: LfrConfig| lfr(&config).unwrap_err().to_string();
        let usual = LfrConfig::default;
        assert_eq!(
            refusal(LfrConfig { mixing: 1.2, ..usual() }),
            "`mixing` must be a number from 0 to 1, but is 1.2"
        );
        assert_eq!(
            refusal(LfrConfig { average_degree: 2.0, ..usual() }),
            "`average_degree` must be at least 2.77, the mean of a power law from 1 to the largest degree, but is 2"
        );
        assert!(
            refusal(LfrConfig { max_community: 30, ..usual() }).contains("must be above 35, the neighbours")
        );
        assert!(refusal(LfrConfig { max_degree: 1000, ..usual() }).contains("must be from 1 to 999"));
        assert!(refusal(LfrConfig { nodes: 0, ..usual() }).starts_with("`nodes` must be"));
        assert!(refusal(LfrConfig { average_degree: f64::NAN, ..usual() }).starts_with("`average_degree`"));
        assert!(
            refusal(LfrConfig { average_degree: f64::INFINITY, ..usual() }).starts_with("`average_degree`")
        );
        assert!(refusal(LfrConfig { min_community: 2000, ..usual() }).starts_with("`min_community`"));
        assert!(refusal(LfrConfig { max_community: 10, ..usual() }).starts_with("`max_community`"));
        assert!(refusal(LfrConfig { degree_exponent: -1.0, ..usual() }).starts_with("`degree_exponent`"));
    }
}
