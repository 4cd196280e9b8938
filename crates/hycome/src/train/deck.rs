//! Negative samples, a tile at a time.
//!
//! Noise draws nodes with probability ∝ degree^(3/4). Drawing them one by one would cost more than comparing them, so
//! a draw takes a whole tile of [`LANES`] rows. A deck has cards for every tile of a block, about in proportion to
//! the noise of its rows, and each row of a drawn tile counts as much as makes the expectation exact:
//!
//! > (cards of the tile / all cards) · count of the row = LANES · noise of the row / noise of the block
//!
//! Rows lie by degree inside a block, so the counts of a tile are close to one. A bucket shuffles the deck
//! and deals it from the top: within a few groups every tile has come as often as it should.
//!
//! Tiles of a large block would come from memory each time they are drawn. So a deck of more than `STRETCH` cards is dealt
//! in stretches: all cards of some tiles drawn by chance, then all cards of some others. A tile comes from memory
//! once for all its cards, and over the deck as often as before.

use prefetch_index::prefetch_index;

use super::lanes::{LANES, Lanes, MOST_TILES};
use crate::graph::Graph;
use crate::rng::Stream;
use crate::sample::noise_weight;

/// Cards in a deck for each tile of its block, on average. More make the counts of a tile's rows closer to one.
const CARDS_PER_TILE: usize = 8;

/// Cards that are shuffled among each other: those of some five hundred tiles, which a cache can hold.
const STRETCH: usize = 512 * CARDS_PER_TILE;

/// The tiles of a block, as often as they should be drawn.
#[derive(Clone, Debug)]
pub struct Deck {
    cards: Vec<u32>,
    counts: Vec<Lanes>,
}

impl Deck {
    /// The deck of the rows `range` of a graph; no cards if all of them are isolated.
    #[must_use]
    pub fn new(graph: &Graph, range: std::ops::Range<usize>) -> Self {
        let noise: Vec<f64> = range.map(|row| noise_weight(graph, row as u32)).collect();
        let total: f64 = noise.iter().sum();
        let wanted = (CARDS_PER_TILE * noise.len().div_ceil(LANES)) as f64;
        let copies: Vec<f64> = noise
            .chunks(LANES)
            .map(|tile| match tile.iter().sum::<f64>() {
                0.0 => 0.0,
                share => (wanted * share / total).round().max(1.0),
            })
            .collect();
        let all: f64 = copies.iter().sum();
        let counts = noise.chunks(LANES).zip(&copies).map(|(tile, &copies)| {
            let mut counts = Lanes::NONE;
            for (count, noise) in counts.iter_mut().zip(tile) {
                *count =
                    if copies > 0.0 { (LANES as f64 * noise / total * all / copies) as f32 } else { 0.0 };
            }
            counts
        });
        let cards = (0..).zip(&copies).flat_map(|(tile, &copies)| std::iter::repeat_n(tile, copies as usize));
        Self { cards: cards.collect(), counts: counts.collect() }
    }

    /// A shuffled copy to deal from.
    #[must_use]
    pub fn shuffled(&self, stream: &mut Stream) -> Dealer<'_> {
        let mut cards = self.cards.clone();
        if cards.len() > STRETCH {
            let mut tiles: Vec<&[u32]> = self.cards.chunk_by(|one, other| one == other).collect();
            stream.shuffle(&mut tiles);
            cards = tiles.concat();
        }
        for stretch in cards.chunks_mut(STRETCH) {
            stream.shuffle(stretch);
        }
        Dealer { counts: &self.counts, cards, next: 0 }
    }
}

/// Deals a shuffled deck over and over.
#[derive(Debug)]
pub struct Dealer<'a> {
    counts: &'a [Lanes],
    cards: Vec<u32>,
    next: usize,
}

impl<'d> Dealer<'d> {
    /// Whether there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The tile of the card `ahead` of the next one, if the deck is not dealt out before; asks memory for its counts.
    #[inline(always)]
    pub fn coming(&self, ahead: usize) -> Option<usize> {
        let tile = *self.cards.get(self.next + ahead)? as usize;
        prefetch_index(self.counts, tile);
        Some(tile)
    }

    /// The next tiles, at most `most`, and how much each of their rows counts. They end before one that is among them already.
    #[inline(always)]
    pub fn draw<'h>(&mut self, most: usize, hand: &'h mut Hand<'d>) -> &'h [(usize, &'d Lanes)] {
        let mut drawn = 0;
        while drawn < most.min(MOST_TILES) {
            if self.next == self.cards.len() {
                self.next = 0;
            }
            let tile = self.cards[self.next] as usize;
            if hand.0[..drawn].iter().any(|&(other, _)| other == tile) {
                break;
            }
            hand.0[drawn] = (tile, &self.counts[tile]);
            self.next += 1;
            drawn += 1;
        }
        &hand.0[..drawn]
    }
}

/// Room for the tiles of a draw.
#[derive(Debug)]
pub struct Hand<'d>([(usize, &'d Lanes); MOST_TILES]);

impl Default for Hand<'_> {
    fn default() -> Self {
        Self([(0, &Lanes::NONE); MOST_TILES])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn a_whole_deck_draws_every_row_in_exact_proportion_to_its_noise() {
        // A star of 100 leaves with a path behind it, rows by degree, as training lays them.
        let star = (1..=100).map(|leaf| (0, leaf));
        let graph = Graph::from_edges(star.chain((101..140).map(|i| (i, i + 1))));
        let mut order: Vec<u32> = graph.nodes().collect();
        order.sort_by_key(|&node| std::cmp::Reverse(graph.degree(node)));
        let graph = graph.induced(&order);
        let deck = Deck::new(&graph, 0..graph.node_count());
        let mut dealer = deck.shuffled(&mut stream(1, Purpose::Noise, 0, 0));
        let cards = deck.cards.len();
        let mut counts = vec![0.0; graph.node_count().next_multiple_of(LANES)];
        let (mut hand, mut left) = (Hand::default(), cards);
        while left > 0 {
            let drawn = dealer.draw(left, &mut hand);
            let tiles: HashSet<usize> = drawn.iter().map(|&(tile, _)| tile).collect();
            assert_eq!(tiles.len(), drawn.len(), "the tiles of a draw are different ones");
            for &(tile, lanes) in drawn {
                for (l, count) in lanes.iter().enumerate() {
                    counts[tile * LANES + l] += f64::from(*count);
                }
            }
            left -= drawn.len();
        }
        let noise = |row: u32| (graph.degree(row) as f64).powf(0.75);
        let total: f64 = graph.nodes().map(noise).sum();
        for row in graph.nodes() {
            let expected = (cards * LANES) as f64 * noise(row) / total;
            assert!((counts[row as usize] / expected - 1.0).abs() < 1e-5, "row {row}");
        }
    }

    #[test]
    fn tiles_of_a_large_deck_come_in_stretches_and_all_of_them_come() {
        let graph = Graph::from_edges((0..20_000).map(|i| (i, i + 1)));
        let deck = Deck::new(&graph, 0..graph.node_count());
        let dealer = deck.shuffled(&mut stream(1, Purpose::Noise, 0, 0));
        let mut sorted = dealer.cards.clone();
        sorted.sort_unstable();
        assert!(dealer.cards.len() > 2 * STRETCH && sorted == deck.cards, "every card is dealt");
        for stretch in dealer.cards.chunks(STRETCH) {
            let tiles: HashSet<u32> = stretch.iter().copied().collect();
            assert!(tiles.len() <= STRETCH / CARDS_PER_TILE + 2, "{} tiles in a stretch", tiles.len());
            let runs = stretch.chunk_by(|one, other| one == other).count();
            assert!(runs > stretch.len() * 9 / 10, "cards of a tile do not come one after the other");
        }
    }

    #[test]
    fn isolated_rows_give_no_cards() {
        let graph = Graph::from_edges([(0, 1), (40, 41)]);
        assert!(Deck::new(&graph, 2..40).cards.is_empty());
        assert!(!Deck::new(&graph, 0..42).cards.contains(&1), "a tile of isolated rows is never drawn");
    }
}
