//! Rank bitmap: node ids for names that are 32-bit numbers, without a hash table.
//!
//! One bit per possible number marks those that occur. With a prefix sum of the population counts, the rank of a number,
//! which is its node id, is one lookup and one `popcnt`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::graph::NodeId;

/// Rank bitmap: the set of numbers that occur as names, with constant-time rank queries.
pub(crate) struct RankBitmap {
    /// One bit per number.
    words: Vec<u64>,
    /// Exclusive prefix sum of the population counts of `words`.
    before: Vec<u32>,
}

/// Words of bits that are allowed beyond one per edge.
const MIN_WORDS: usize = 1 << 12;

impl RankBitmap {
    /// The numbers in `pieces` and `isolated`; `None` if they are so sparse that the bitmap would need much more memory
    /// than the edges.
    pub(crate) fn new(pieces: &[&[(u32, u32)]], isolated: &[u32]) -> Option<Self> {
        let in_pairs =
            pieces.par_iter().map(|piece| piece.iter().map(|&(u, v)| u.max(v)).max()).max().flatten();
        let largest = in_pairs.max(isolated.iter().copied().max()).unwrap_or(0) as usize;
        let rows: usize = pieces.iter().map(|piece| piece.len()).sum();
        let word_count = largest / 64 + 1;
        if word_count > rows + isolated.len() + MIN_WORDS {
            return None;
        }
        let words: Vec<AtomicU64> = (0..word_count).map(|_| AtomicU64::new(0)).collect();
        let mark = |number: u32| {
            let (word, bit) = (&words[number as usize / 64], 1 << (number % 64));
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        };
        isolated.iter().for_each(|&number| mark(number));
        pieces
            .par_iter()
            .for_each(|piece| piece.iter().for_each(|&(u, v)| [u, v].into_iter().for_each(mark)));

        let words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
        let mut count = 0u32;
        let mut before = Vec::with_capacity(word_count);
        for word in &words {
            before.push(count);
            count += word.count_ones();
        }
        Some(Self { words, before })
    }

    /// Whether the numbers are 0, 1, …, so that each is its own rank.
    pub(crate) fn is_identity(&self) -> bool {
        let count = self.before[self.before.len() - 1] + self.words[self.words.len() - 1].count_ones();
        count as usize
            == 64 * (self.words.len() - 1) + (64 - self.words[self.words.len() - 1].leading_zeros()) as usize
    }

    /// How many of the numbers are smaller than `number`.
    pub(crate) fn rank(&self, number: u32) -> NodeId {
        let (word, bit) = (number as usize / 64, number % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// The numbers, ascending.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.words.iter().zip(0u64..).flat_map(|(&word, i)| bits(word).map(move |bit| 64 * i + bit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_are_their_own_ranks() {
        let of = |numbers: &[u32]| RankBitmap::new(&[], numbers).unwrap();
        assert!(of(&(0..64).collect::<Vec<_>>()).is_identity());
        assert!(of(&(0..65).rev().collect::<Vec<_>>()).is_identity());
        assert!(!of(&[1, 2]).is_identity());
        assert!(!of(&[0, 1, 130]).is_identity());
        assert_eq!([5, 64, 200].map(|number| of(&[5, 64, 200]).rank(number)), [0, 1, 2]);
    }
}
