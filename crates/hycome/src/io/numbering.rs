//! From the names in an edge list to nodes.
//!
//! [`Names`] is one table for all pieces of a file, cut into shards by the hash of a name. A piece collects its names
//! first, deals them to the shards they belong to and then visits one shard after the other: so a lock is taken once
//! for hundreds of names, and looking them up goes in order through all memory but the table's. Which name comes
//! first is chance, so a name's *ticket*, its shard and its place there, is only good until [`Names::rank`] has
//! sorted all names.
//!
//! [`Ranks`] does the same for names that are numbers, without a table.

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::text::is_plain_integer;
use crate::graph::{NodeId, NodeNames};

/// Names are dealt to so many shards.
const SHARDS: usize = 64;

/// The names that all pieces have met.
pub(super) struct Names<'a> {
    /// Where the names stand.
    texts: [&'a [u8]; 2],
    shards: Vec<Mutex<Shard>>,
    /// Chosen anew for each table, so that nobody can write names that all fall together.
    seed: u64,
}

/// Names whose hashes are alike in some bits: a hash table with open addressing.
#[derive(Default)]
struct Shard {
    /// Names and their places, each at its hash or soon after it; a power of two of them, at most 3/4 taken.
    slots: Vec<(Key, u32)>,
    /// The names in the order of their places.
    names: Vec<Key>,
}

/// A slot that is not taken.
const FREE: (Key, u32) = (Key([0; 2]), u32::MAX);

/// So many names are looked up together.
const TOGETHER: usize = 16;

/// A name that fits into 15 bytes, as most do, or the place of a longer one.
///
/// The first is the name itself, padded, with its length in the last byte: no look at the text far away where it was
/// first met. The second is where it starts, its length, in which text it is, and [`LONG`] in the last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key([u64; 2]);

/// Stands where a short name has its length.
const LONG: u64 = 255 << 56;

/// Marks a long name in the second text.
const SECOND: u64 = 1 << 55;

/// A name and its hash.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    key: Key,
    hash: u64,
}

impl Wanted {
    fn shard(self) -> usize {
        (self.hash >> 32) as usize % SHARDS // other bits than those that find the slot
    }
}

impl<'a> Names<'a> {
    /// A table for the names in these texts.
    pub fn new(texts: [&'a [u8]; 2]) -> Self {
        Self {
            texts,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            seed: RandomState::new().hash_one(0),
        }
    }

    /// The name in a column of one of the texts; it must be UTF-8 and hold no zero byte.
    #[inline]
    pub fn want(&self, text: usize, column: &[u8]) -> Wanted {
        let start = column.as_ptr().addr() - self.texts[text].as_ptr().addr();
        let length = column.len();
        if length > 15 {
            let key = Key([start as u64, LONG | (text as u64 * SECOND) | length as u64]);
            return Wanted { key, hash: self.hash(key) };
        }
        let word = match self.texts[text].get(start..start + 16) {
            Some(window) => {
                let window = u128::from_le_bytes(window.try_into().expect("it has sixteen bytes"));
                window & ((1 << (8 * length)) - 1)
            }
            None => column.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
        };
        let key = Key([word as u64, (word >> 64) as u64 | (length as u64) << 56]);
        Wanted { key, hash: self.hash(key) }
    }

    /// Turns names into tickets, in the same order; `None` if there are more than tickets.
    pub fn tickets(&self, wanted: &[Wanted]) -> Option<Vec<u32>> {
        let mut starts = [0usize; SHARDS + 1];
        wanted.iter().for_each(|name| starts[name.shard() + 1] += 1);
        for i in 0..SHARDS {
            starts[i + 1] += starts[i];
        }
        let mut next = starts;
        let nothing = Wanted { key: Key([0; 2]), hash: 0 };
        let mut dealt = vec![(nothing, 0u32); wanted.len()];
        for (i, &name) in wanted.iter().enumerate() {
            let place = &mut next[name.shard()];
            dealt[*place] = (name, i as u32);
            *place += 1;
        }
        // Pieces start at different shards, so that they seldom wait for each other.
        let first = wanted.first().map_or(0, |name| name.shard());
        let mut tickets = vec![0; wanted.len()];
        for shard in (first..SHARDS).chain(0..first) {
            let mut table = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            for names in dealt[starts[shard]..starts[shard + 1]].chunks(TOGETHER) {
                table.touch(names);
                for &(name, i) in names {
                    tickets[i as usize] = ticket(shard, table.place(name, self))?;
                }
            }
        }
        Some(tickets)
    }

    /// All names in the order of the nodes, and a way from tickets to nodes. `leave_out` are tickets of names that
    /// are not wanted.
    pub fn rank(mut self, leave_out: &[u32]) -> (NodeNames, TicketRanks) {
        let all = self.take();
        let keys = all.iter().enumerate().flat_map(|(shard, keys)| {
            keys.iter().enumerate().map(move |(id, &key)| (key, ticket(shard, id).unwrap_or(u32::MAX)))
        });
        let mut order: Vec<(u128, Key, u32)> = keys
            .filter(|(_, ticket)| !leave_out.contains(ticket))
            .map(|(key, ticket)| (self.first_bytes(key), key, ticket))
            .collect();
        // Plain numbers have no leading zeros, so the longer one is larger. The first bytes save most of the
        // comparisons of texts.
        let numbers = order.par_iter().all(|(_, key, _)| self.with(*key, is_plain_integer));
        order.par_sort_unstable_by(|a, b| {
            let by_length = if numbers { a.1.length().cmp(&b.1.length()) } else { Ordering::Equal };
            let by_text = || self.with(a.1, |a| self.with(b.1, |b| a.cmp(b)));
            by_length.then(a.0.cmp(&b.0)).then_with(by_text)
        });

        let mut ranks: Vec<Vec<NodeId>> = all.iter().map(|keys| vec![0; keys.len()]).collect();
        let mut text = String::with_capacity(order.iter().map(|(_, key, _)| key.length()).sum());
        let mut ends = Vec::with_capacity(order.len());
        for (rank, &(_, key, ticket)) in order.iter().enumerate() {
            ranks[ticket as usize % SHARDS][ticket as usize / SHARDS] = rank as NodeId;
            self.with(key, |name| text.push_str(name));
            ends.push(text.len());
        }
        let names = NodeNames::from_text(text, ends).expect("names end where they were put");
        (names, TicketRanks { ranks })
    }

    /// Whether all names are plain numbers but those of these tickets, and there is one.
    pub fn others_are_numbers(&self, tickets: &[u32]) -> bool {
        let mut others = 0;
        for (shard, table) in self.shards.iter().enumerate() {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            for (id, &key) in table.names.iter().enumerate() {
                if ticket(shard, id).is_some_and(|ticket| tickets.contains(&ticket)) {
                    continue;
                }
                if !self.with(key, is_plain_integer) {
                    return false;
                }
                others += 1;
            }
        }
        others > 0
    }

    /// The names of all shards; the tables are let go.
    fn take(&mut self) -> Vec<Vec<Key>> {
        let shards = std::mem::take(&mut self.shards).into_iter();
        shards.map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner).names).collect()
    }

    /// What `look` finds in the text of a name.
    fn with<T>(&self, key: Key, look: impl FnOnce(&str) -> T) -> T {
        let short;
        let bytes = if key.is_long() {
            self.long(key)
        } else {
            short = key.bytes();
            &short[..key.length()]
        };
        look(std::str::from_utf8(bytes).expect("names are checked before they are wanted"))
    }

    fn long(&self, key: Key) -> &'a [u8] {
        let text = self.texts[usize::from(key.0[1] & SECOND != 0)];
        &text[key.0[0] as usize..][..key.length()]
    }

    /// The first fifteen bytes as a number that is ordered as they are; no name holds the zeros it is padded with.
    fn first_bytes(&self, key: Key) -> u128 {
        let mut bytes = key.bytes();
        if key.is_long() {
            bytes[..15].copy_from_slice(&self.long(key)[..15]);
        }
        bytes[15] = 0;
        u128::from_be_bytes(bytes)
    }

    /// A hash that tells names apart: eight bytes at a time, each product folded onto itself.
    fn hash(&self, key: Key) -> u64 {
        let Key([a, b]) = key;
        if !key.is_long() {
            return fold(fold(a ^ self.seed, b ^ 0x9e37_79b9_7f4a_7c15) ^ b, self.seed | 1);
        }
        let mut state = fold(self.seed ^ key.length() as u64, 0x9e37_79b9_7f4a_7c15);
        for word in self.long(key).chunks(8) {
            let word = word.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            state = fold(state ^ word, self.seed | 1);
        }
        fold(state, 0xbf58_476d_1ce4_e5b9)
    }
}

/// The halves of a product, on top of each other.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The ticket of a shard's name.
fn ticket(shard: usize, place: usize) -> Option<u32> {
    u32::try_from(place * SHARDS + shard).ok()
}

impl Shard {
    /// Looks at the slots of some names, so that memory brings all of them at once and not one after the other.
    fn touch(&self, names: &[(Wanted, u32)]) {
        let slot = |hash: u64| self.slots.get(hash as usize & self.slots.len().wrapping_sub(1));
        let seen = names.iter().filter_map(|(name, _)| slot(name.hash)).fold(0, |seen, slot| seen ^ slot.1);
        std::hint::black_box(seen);
    }

    /// The place of a name, which is added if it is new.
    #[inline]
    fn place(&mut self, name: Wanted, names: &Names<'_>) -> usize {
        if 4 * self.names.len() >= 3 * self.slots.len() {
            self.grow(names);
        }
        let Wanted { key, hash } = name;
        let is_same = |other: Key| {
            key == other || key.is_long() && other.is_long() && names.long(key) == names.long(other)
        };
        let at = self.find(hash, is_same);
        if self.slots[at].1 == FREE.1 {
            self.slots[at] = (key, self.names.len() as u32);
            self.names.push(key);
        }
        self.slots[at].1 as usize
    }

    /// The slot of a name, or the free one where it would be.
    #[inline]
    fn find(&self, hash: u64, is_same: impl Fn(Key) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != FREE.1 && !is_same(self.slots[at].0) {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self, names: &Names<'_>) {
        self.slots = vec![FREE; (2 * self.slots.len()).max(64)];
        for (place, &key) in self.names.iter().enumerate() {
            let at = self.find(names.hash(key), |_| false);
            self.slots[at] = (key, place as u32);
        }
    }
}

impl Key {
    fn is_long(self) -> bool {
        self.0[1] >= LONG
    }

    fn length(self) -> usize {
        let length = if self.is_long() { self.0[1] & (SECOND - 1) } else { self.0[1] >> 56 };
        length as usize
    }

    fn bytes(self) -> [u8; 16] {
        (u128::from(self.0[1]) << 64 | u128::from(self.0[0])).to_le_bytes()
    }
}

/// The node of each ticket.
pub(super) struct TicketRanks {
    ranks: Vec<Vec<NodeId>>,
}

impl TicketRanks {
    pub fn node(&self, ticket: u32) -> NodeId {
        self.ranks[ticket as usize % SHARDS][ticket as usize / SHARDS]
    }
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
        let in_pairs =
            pieces.par_iter().map(|piece| piece.iter().map(|&(u, v)| u.max(v)).max()).max().flatten();
        let largest = in_pairs.max(isolated.iter().copied().max()).unwrap_or(0) as usize;
        let rows: usize = pieces.iter().map(|piece| piece.len()).sum();
        let word_count = largest / 64 + 1;
        if word_count > rows + isolated.len() + SMALL {
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

    /// Whether the numbers that occur are 0, 1, …, so that each is its own rank.
    pub fn are_the_numbers(&self) -> bool {
        let count = self.before[self.before.len() - 1] + self.words[self.words.len() - 1].count_ones();
        count as usize
            == 64 * (self.words.len() - 1) + (64 - self.words[self.words.len() - 1].leading_zeros()) as usize
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tickets_lead_to_the_sorted_names() {
        let long = "a name that is longer than fifteen bytes";
        let words = ["b", "", long, "a", "b", "fifteen bytes!!", "sixteen bytes !!", long, "a\u{fc}", "b"];
        let (first, second) = words.split_at(5);
        let texts = [first.join("|"), second.join("|")];
        let table = Names::new([texts[0].as_bytes(), texts[1].as_bytes()]);
        let columns = (0..2).flat_map(|text| texts[text].split('|').map(move |name| (text, name.as_bytes())));
        let wanted: Vec<Wanted> = columns.map(|(text, name)| table.want(text, name)).collect();
        let tickets = table.tickets(&wanted).unwrap();
        assert_eq!(table.tickets(&wanted).unwrap(), tickets);
        assert_eq!((tickets[0], tickets[2]), (tickets[4], tickets[7]));
        assert!(!table.others_are_numbers(&[tickets[0]]));
        let (names, ranks) = table.rank(&[tickets[1]]);
        let sorted = ["a", long, "a\u{fc}", "b", "fifteen bytes!!", "sixteen bytes !!"];
        assert_eq!(names, NodeNames::from_strings(sorted));
        for (word, &ticket) in words.iter().zip(&tickets).filter(|(word, _)| !word.is_empty()) {
            assert_eq!(names.name(ranks.node(ticket)), *word);
        }
    }

    #[test]
    fn hashes_tell_names_apart() {
        for name in ["user", "a prefix of some length, user "] {
            let lines: String = (0..50_000).map(|i| format!("{name}{i}\n")).collect();
            let table = Names::new([lines.as_bytes(), b""]);
            let wanted: Vec<Wanted> = lines.lines().map(|line| table.want(0, line.as_bytes())).collect();
            let mut hashes: Vec<u64> = wanted.iter().map(|name| name.hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), 50_000);
            let mut sizes = [0; SHARDS];
            wanted.iter().for_each(|name| sizes[name.shard()] += 1);
            assert!(sizes.iter().all(|&size| (550..1050).contains(&size)), "{sizes:?}");
        }
    }

    #[test]
    fn numbers_without_a_gap_are_their_own_ranks() {
        let of = |numbers: &[u32]| Ranks::of(&[], numbers).unwrap();
        assert!(of(&(0..64).collect::<Vec<_>>()).are_the_numbers());
        assert!(of(&(0..65).rev().collect::<Vec<_>>()).are_the_numbers());
        assert!(!of(&[1, 2]).are_the_numbers());
        assert!(!of(&[0, 1, 130]).are_the_numbers());
        assert_eq!([5, 64, 200].map(|number| of(&[5, 64, 200]).rank(number)), [0, 1, 2]);
    }
}
