//! Stratified negative sampler: draws whole SIMD tiles of context rows, with importance weights that keep the expectation exact.
//!
//! Negative samples have probability ∝ degree^(3/4) (Mikolov et al. 2013). Drawing them one by one would cost more than the updates, so a
//! draw takes a whole tile of [`LANES`] rows. The draws of a block are a list in which every tile appears about in proportion to the
//! total probability of its rows, and each row of a tile has an importance weight:
//!
//! > (draws of the tile / all draws) · weight of the row = LANES · p(row) / p(block)
//!
//! Rows are sorted by degree within a block, so the weights of a tile are close to one. A bucket shuffles the list and consumes it in
//! order, without replacement: within a few groups every tile has come as often as it should.
//!
//! The tiles of a large block do not fit in a cache. A list of more than [`SEGMENT_DRAWS`] draws is therefore consumed in segments:
//! all draws of a random subset of tiles, then all draws of another. A tile is loaded from memory once for all its draws.

use super::pair_update::{F32x16, LANES, MAX_TILES};
use crate::graph::Graph;
use crate::rng::Stream;
use crate::sampling::negative_weight;

/// Draws per tile of a block, on average. More bring the weights closer to one.
const DRAWS_PER_TILE: usize = 8;

/// Draws per segment: those of about 512 tiles, which fit in a cache.
const SEGMENT_DRAWS: usize = 512 * DRAWS_PER_TILE;

/// Bytes per row of a sampler: its weight, and its share of the draws.
pub(crate) const BYTES_PER_ROW: usize = (size_of::<F32x16>() + DRAWS_PER_TILE * size_of::<u32>()) / LANES;

/// Bytes per row of the shuffled draws of a bucket.
pub(crate) const SHUFFLED_BYTES_PER_ROW: usize = DRAWS_PER_TILE * size_of::<u32>() / LANES;

/// Negative sampler of a block of context rows.
#[derive(Clone, Debug)]
pub(crate) struct BlockNegativeSampler {
    /// Tile of each draw, sorted.
    draws: Vec<u32>,
    /// Importance weights of the rows of each tile.
    weights: Vec<F32x16>,
}

impl BlockNegativeSampler {
    /// Sampler of the rows `range` of a graph; it has no draws if all of them are isolated.
    #[must_use]
    pub(crate) fn new(graph: &Graph, range: std::ops::Range<usize>, noise_exponent: f64) -> Self {
        let probability: Vec<f64> =
            range.map(|row| negative_weight(graph, row as u32, noise_exponent)).collect();
        let total: f64 = probability.iter().sum();
        let target = (DRAWS_PER_TILE * probability.len().div_ceil(LANES)) as f64;
        let copies: Vec<f64> = probability
            .chunks(LANES)
            .map(|tile| match tile.iter().sum::<f64>() {
                0.0 => 0.0,
                share => (target * share / total).round().max(1.0),
            })
            .collect();
        let all: f64 = copies.iter().sum();
        let weights = probability.chunks(LANES).zip(&copies).map(|(tile, &copies)| {
            let mut weights = F32x16::ZERO;
            for (weight, own) in weights.iter_mut().zip(tile) {
                *weight = if copies > 0.0 { (LANES as f64 * own / total * all / copies) as f32 } else { 0.0 };
            }
            weights
        });
        let draws = (0..).zip(&copies).flat_map(|(tile, &copies)| std::iter::repeat_n(tile, copies as usize));
        Self { draws: draws.collect(), weights: weights.collect() }
    }

    /// Shuffles the draws into a new cursor.
    #[must_use]
    pub(crate) fn shuffled(&self, stream: &mut Stream) -> SamplerCursor<'_> {
        let mut segments = Vec::new();
        if self.draws.len() <= SEGMENT_DRAWS {
            let tiles = (0..self.weights.len() as u32).collect();
            segments.push(Segment { tiles, draws: self.draws.clone() });
        } else {
            let mut tiles: Vec<&[u32]> = self.draws.chunk_by(|one, other| one == other).collect();
            stream.shuffle(&mut tiles);
            segments.extend(tiles.concat().chunks(SEGMENT_DRAWS).map(Segment::new));
        }
        segments.iter_mut().for_each(|segment| stream.shuffle(&mut segment.draws));
        let current = segments.len() - 1;
        SamplerCursor {
            sampler: self,
            next: segments[current].draws.len(),
            current,
            segments,
            weights: Vec::new(),
        }
    }
}

/// Draws that are shuffled together.
#[derive(Debug)]
struct Segment {
    /// Distinct tiles.
    tiles: Vec<u32>,
    /// For each draw the index of its tile in `tiles`.
    draws: Vec<u32>,
}

impl Segment {
    /// Segment of draws sorted by tile.
    fn new(draws: &[u32]) -> Self {
        let runs = || draws.chunk_by(|one, other| one == other);
        let indices = (0..).zip(runs()).flat_map(|(index, run)| std::iter::repeat_n(index, run.len()));
        Self { tiles: runs().map(|run| run[0]).collect(), draws: indices.collect() }
    }
}

/// Position in the shuffled draws of a sampler, which are consumed cyclically.
#[derive(Debug)]
pub(crate) struct SamplerCursor<'a> {
    sampler: &'a BlockNegativeSampler,
    segments: Vec<Segment>,
    /// Current segment, and its next draw.
    current: usize,
    next: usize,
    /// Weights of its tiles.
    weights: Vec<F32x16>,
}

impl SamplerCursor<'_> {
    /// Whether there is nothing to draw.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.sampler.draws.is_empty()
    }

    /// Whether the segment is used up, or none has begun.
    #[inline(always)]
    #[must_use]
    pub(crate) fn is_exhausted(&self) -> bool {
        self.next == self.segments[self.current].draws.len()
    }

    /// Begins the next segment and returns its tiles; draws are indices into them.
    pub(crate) fn next_segment(&mut self) -> &[u32] {
        (self.current, self.next) = ((self.current + 1) % self.segments.len(), 0);
        let tiles = &self.segments[self.current].tiles;
        self.weights.clear();
        self.weights.extend(tiles.iter().map(|&tile| self.sampler.weights[tile as usize]));
        tiles
    }

    /// Draws at most `max` distinct tiles; stops at the end of the segment and before a repeated tile.
    #[inline(always)]
    pub(crate) fn draw<'h>(&mut self, max: usize, drawn_tiles: &'h mut DrawnTiles) -> &'h [usize] {
        let mut drawn = 0;
        for &index in self.segments[self.current].draws[self.next..].iter().take(max.min(MAX_TILES)) {
            let index = index as usize;
            if drawn_tiles.0[..drawn].contains(&index) {
                break;
            }
            drawn_tiles.0[drawn] = index;
            drawn += 1;
        }
        self.next += drawn;
        &drawn_tiles.0[..drawn]
    }

    /// Importance weights of the segment's tiles.
    #[inline(always)]
    #[must_use]
    pub(crate) fn weights(&self) -> &[F32x16] {
        &self.weights
    }
}

/// Buffer for the tiles of one draw.
#[derive(Debug, Default)]
pub(crate) struct DrawnTiles([usize; MAX_TILES]);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn a_full_pass_draws_every_row_in_exact_proportion_to_its_probability() {
        // A star of 100 leaves with a path behind it, rows sorted by degree, as in training.
        let star = (1..=100).map(|leaf| (0, leaf));
        let graph = Graph::from_edges(star.chain((101..140).map(|i| (i, i + 1))));
        let mut order: Vec<u32> = graph.nodes().collect();
        order.sort_by_key(|&node| std::cmp::Reverse(graph.degree(node)));
        let graph = graph.induced(&order);
        let sampler = BlockNegativeSampler::new(&graph, 0..graph.node_count(), 0.75);
        let mut cursor = sampler.shuffled(&mut stream(1, Purpose::Noise, 0, 0));
        let draws = sampler.draws.len();
        let mut weights = vec![0.0; graph.node_count().next_multiple_of(LANES)];
        let (mut drawn_tiles, mut left, mut tiles) = (DrawnTiles::default(), draws, Vec::new());
        while left > 0 {
            if cursor.is_exhausted() {
                tiles = cursor.next_segment().to_vec();
            }
            let drawn = cursor.draw(left, &mut drawn_tiles);
            assert_eq!(
                HashSet::<&usize>::from_iter(drawn).len(),
                drawn.len(),
                "the tiles of a draw are distinct"
            );
            for &place in drawn {
                for (l, weight) in cursor.weights()[place].iter().enumerate() {
                    weights[tiles[place] as usize * LANES + l] += f64::from(*weight);
                }
            }
            left -= drawn.len();
        }
        let noise = |row: u32| (graph.degree(row) as f64).powf(0.75);
        let total: f64 = graph.nodes().map(noise).sum();
        for row in graph.nodes() {
            let expected = (draws * LANES) as f64 * noise(row) / total;
            assert!((weights[row as usize] / expected - 1.0).abs() < 1e-5, "row {row}");
        }
    }

    #[test]
    fn the_segments_of_a_large_block_contain_every_draw() {
        let graph = Graph::from_edges((0..20_000).map(|i| (i, i + 1)));
        let sampler = BlockNegativeSampler::new(&graph, 0..graph.node_count(), 0.75);
        let cursor = sampler.shuffled(&mut stream(1, Purpose::Noise, 0, 0));
        assert!(cursor.segments.len() > 2);
        let mut all = Vec::new();
        for Segment { tiles, draws } in &cursor.segments {
            all.extend(draws.iter().map(|&place| tiles[place as usize]));
            assert!(tiles.len() <= SEGMENT_DRAWS / DRAWS_PER_TILE + 2, "{} tiles in a segment", tiles.len());
            assert_eq!(HashSet::<&u32>::from_iter(tiles).len(), tiles.len(), "each tile is listed once");
            let runs = draws.chunk_by(|one, other| one == other).count();
            assert!(runs > draws.len() * 9 / 10, "draws of a tile are spread over the segment");
        }
        all.sort_unstable();
        assert_eq!(all, sampler.draws, "every draw is in a segment");
    }

    #[test]
    fn isolated_rows_are_never_drawn() {
        let graph = Graph::from_edges([(0, 1), (40, 41)]);
        assert!(BlockNegativeSampler::new(&graph, 2..40, 0.75).draws.is_empty());
        assert!(
            !BlockNegativeSampler::new(&graph, 0..42, 0.75).draws.contains(&1),
            "a tile of isolated rows is never drawn"
        );
    }
}
