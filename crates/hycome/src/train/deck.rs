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
        let mut stretches = Vec::new();
        if self.cards.len() <= STRETCH {
            let tiles = (0..self.counts.len() as u32).collect();
            stretches.push(Stretch { tiles, cards: self.cards.clone() });
        } else {
            let mut tiles: Vec<&[u32]> = self.cards.chunk_by(|one, other| one == other).collect();
            stream.shuffle(&mut tiles);
            stretches.extend(tiles.concat().chunks(STRETCH).map(Stretch::new));
        }
        stretches.iter_mut().for_each(|stretch| stream.shuffle(&mut stretch.cards));
        let now = stretches.len() - 1;
        Dealer { deck: self, next: stretches[now].cards.len(), now, stretches, counts: Vec::new() }
    }
}

/// Cards that are shuffled among each other.
#[derive(Debug)]
struct Stretch {
    /// Their tiles, each once.
    tiles: Vec<u32>,
    /// For each card the place of its tile in `tiles`.
    cards: Vec<u32>,
}

impl Stretch {
    /// Of cards that come tile by tile.
    fn new(cards: &[u32]) -> Self {
        let runs = || cards.chunk_by(|one, other| one == other);
        let places = (0..).zip(runs()).flat_map(|(place, run)| std::iter::repeat_n(place, run.len()));
        Self { tiles: runs().map(|run| run[0]).collect(), cards: places.collect() }
    }
}

/// Deals a shuffled deck over and over, stretch by stretch.
#[derive(Debug)]
pub struct Dealer<'a> {
    deck: &'a Deck,
    stretches: Vec<Stretch>,
    /// The stretch that is dealt, and its next card.
    now: usize,
    next: usize,
    /// The counts of its tiles.
    counts: Vec<Lanes>,
}

impl Dealer<'_> {
    /// Whether there is nothing to draw.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.deck.cards.is_empty()
    }

    /// Whether the stretch is dealt, or none has been begun.
    #[inline(always)]
    #[must_use]
    pub fn is_dealt(&self) -> bool {
        self.next == self.stretches[self.now].cards.len()
    }

    /// Begins the next stretch; its tiles, which draws will name by their places among them.
    pub fn turn(&mut self) -> &[u32] {
        (self.now, self.next) = ((self.now + 1) % self.stretches.len(), 0);
        let tiles = &self.stretches[self.now].tiles;
        self.counts.clear();
        self.counts.extend(tiles.iter().map(|&tile| self.deck.counts[tile as usize]));
        tiles
    }

    /// The next tiles, at most `most`. They end with the stretch, and before one that is among them already.
    #[inline(always)]
    pub fn draw<'h>(&mut self, most: usize, hand: &'h mut Hand) -> &'h [usize] {
        let mut drawn = 0;
        for &place in self.stretches[self.now].cards[self.next..].iter().take(most.min(MOST_TILES)) {
            let place = place as usize;
            if hand.0[..drawn].contains(&place) {
                break;
            }
            hand.0[drawn] = place;
            drawn += 1;
        }
        self.next += drawn;
        &hand.0[..drawn]
    }

    /// How much each row of the stretch's tiles counts.
    #[inline(always)]
    #[must_use]
    pub fn counts(&self) -> &[Lanes] {
        &self.counts
    }
}

/// Room for the tiles of a draw.
#[derive(Debug, Default)]
pub struct Hand([usize; MOST_TILES]);

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
        let (mut hand, mut left, mut tiles) = (Hand::default(), cards, Vec::new());
        while left > 0 {
            if dealer.is_dealt() {
                tiles = dealer.turn().to_vec();
            }
            let drawn = dealer.draw(left, &mut hand);
            assert_eq!(
                HashSet::<&usize>::from_iter(drawn).len(),
                drawn.len(),
                "the tiles of a draw are different ones"
            );
            for &place in drawn {
                for (l, count) in dealer.counts()[place].iter().enumerate() {
                    counts[tiles[place] as usize * LANES + l] += f64::from(*count);
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
        assert!(dealer.stretches.len() > 2);
        let mut all = Vec::new();
        for Stretch { tiles, cards } in &dealer.stretches {
            all.extend(cards.iter().map(|&place| tiles[place as usize]));
            assert!(tiles.len() <= STRETCH / CARDS_PER_TILE + 2, "{} tiles in a stretch", tiles.len());
            assert_eq!(HashSet::<&u32>::from_iter(tiles).len(), tiles.len(), "each tile has one place");
            let runs = cards.chunk_by(|one, other| one == other).count();
            assert!(runs > cards.len() * 9 / 10, "cards of a tile do not come one after the other");
        }
        all.sort_unstable();
        assert_eq!(all, deck.cards, "every card is dealt");
    }

    #[test]
    fn isolated_rows_give_no_cards() {
        let graph = Graph::from_edges([(0, 1), (40, 41)]);
        assert!(Deck::new(&graph, 2..40).cards.is_empty());
        assert!(!Deck::new(&graph, 0..42).cards.contains(&1), "a tile of isolated rows is never drawn");
    }
}
