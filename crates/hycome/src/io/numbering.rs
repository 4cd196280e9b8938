//! From the names in an edge list to nodes.
//!
//! [`NameTable`] numbers the names of one piece of a file as they come and [`merge`] brings the tables of all
//! pieces into the order of the nodes. [`Ranks`] does the same for names that are numbers, without a table.

use std::collections::HashMap;

use rayon::prelude::*;

use super::text::{Fault, is_plain_integer, utf8};
use crate::graph::NodeId;

/// The names a piece has met, numbered as they came.
///
/// Most names are short; those are kept in the table itself, padded and with their length, which saves a
/// look at the text far away where the name was first met.
#[derive(Default)]
pub(super) struct NameTable<'a> {
    short: HashMap<[u8; 16], u32>,
    long: HashMap<&'a [u8], u32>,
    pub names: Vec<&'a str>,
}

impl<'a> NameTable<'a> {
    pub fn id(&mut self, column: &'a [u8], offset: usize) -> std::result::Result<u32, Fault> {
        let next = self.names.len() as u32;
        let id = if column.len() < 16 {
            let mut key = [0; 16];
            key[..column.len()].copy_from_slice(column);
            key[15] = column.len() as u8;
            *self.short.entry(key).or_insert(next)
        } else {
            *self.long.entry(column).or_insert(next)
        };
        if id == next {
            self.names.push(utf8(column, offset)?);
        }
        Ok(id)
    }
}

/// All names once, in the order of the nodes, and the node of each name of each table.
pub(super) fn merge<'a>(tables: &[Vec<&'a str>]) -> (Vec<&'a str>, Vec<Vec<NodeId>>) {
    let mut places: HashMap<&str, u32> = HashMap::new();
    let mut distinct = Vec::new();
    let mut place = |name: &&'a str| {
        *places.entry(name).or_insert_with(|| {
            distinct.push(*name);
            distinct.len() as u32 - 1
        })
    };
    let mut nodes: Vec<Vec<u32>> =
        tables.iter().map(|table| table.iter().map(&mut place).collect()).collect();

    // Plain numbers have no leading zeros, so the longer one is larger. The first bytes save most of the
    // comparisons of texts.
    let numbers = distinct.iter().all(|name| is_plain_integer(name));
    let key = |name: &'a str| (if numbers { name.len() } else { 0 }, first_bytes(name), name);
    let mut order: Vec<_> = distinct.iter().zip(0u32..).map(|(name, place)| (key(name), place)).collect();
    order.par_sort_unstable();

    let mut ranks = vec![0; order.len()];
    for (rank, &(_, place)) in order.iter().enumerate() {
        ranks[place as usize] = rank as NodeId;
    }
    for table in &mut nodes {
        table.iter_mut().for_each(|place| *place = ranks[*place as usize]);
    }
    (order.into_iter().map(|(key, _)| key.2).collect(), nodes)
}

/// The first eight bytes as a number that is ordered as they are.
fn first_bytes(name: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(8);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

/// The numbers that occur as names, and how many occur below each.
pub(super) struct Ranks {
    /// A bit per number.
    words: Vec<u64>,
    /// How many bits are set before each word.
    before: Vec<u32>,
}

/// A word of bits per edge, and this many in any case, is little beside the edges.
const SMALL: usize = 1 << 12;

impl Ranks {
    /// `None` if the numbers are so far apart that the bits would need much more memory than the edges.
    pub fn of(pieces: &[&[(u32, u32)]], isolated: &[u32]) -> Option<Self> {
        let in_pairs = pieces.par_iter().flat_map_iter(|piece| piece.iter().map(|&(u, v)| u.max(v))).max();
        let largest = in_pairs.max(isolated.iter().copied().max()).unwrap_or(0) as usize;
        let rows: usize = pieces.iter().map(|piece| piece.len()).sum();
        let word_count = largest / 64 + 1;
        if word_count > rows + isolated.len() + SMALL {
            return None;
        }
        let mut words = vec![0u64; word_count];
        let ends = pieces.iter().flat_map(|piece| piece.iter()).flat_map(|&(u, v)| [u, v]);
        for number in ends.chain(isolated.iter().copied()) {
            words[number as usize / 64] |= 1 << (number % 64);
        }
        let mut count = 0u32;
        let before = words
            .iter()
            .map(|word| {
                let before = count;
                count += word.count_ones();
                before
            })
            .collect();
        Some(Self { words, before })
    }

    pub fn rank(&self, number: u32) -> NodeId {
        let (word, bit) = (number as usize / 64, number % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }

    /// The numbers that occur, ascending.
    pub fn numbers(&self) -> Vec<u64> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.words.iter().zip(0u64..).flat_map(|(&word, i)| bits(word).map(move |bit| 64 * i + bit)).collect()
    }
}
