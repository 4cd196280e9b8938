//! Parallel string interning: from the names in an edge list to node ids.
//!
//! [`ShardedInterner`] is one hash table for all chunks of a file, partitioned by hash into [`SHARDS`] shards, each behind
//! its own mutex. A chunk collects its names first, partitions them by shard with a counting sort, and then looks up one
//! shard after the other, so that a lock is taken once for hundreds of names. The order of insertion depends on thread
//! scheduling, so a lookup returns a *provisional id*, which [`ShardedInterner::rank`] maps to the final node id after all
//! names are sorted.
//!
//! Each shard is an open-addressing table with linear probing. It differs from `hashbrown` with `foldhash` in three ways
//! that matter for tables larger than the cache: keys of up to 15 bytes are stored inline in the slot, so that a probe does
//! not touch the text; lookups go in batches of [`LOOKUP_BATCH`] whose slots are prefetched, so that their cache misses
//! overlap; and all names of a chunk that belong to one shard are looked up together. The benchmark `load` measures it.
//!
//! Names that are 32-bit numbers need no table; see [`RankBitmap`](super::rank_bitmap::RankBitmap).

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::graph::{NodeId, NodeNames};
use crate::io::formats::text::is_plain_integer;

/// Number of shards, each with its own lock.
const SHARDS: usize = 64;

/// Concurrent string interner, sharded by hash.
pub(crate) struct ShardedInterner<'a> {
    /// The texts that contain the names; keys refer to them by offset.
    texts: [&'a [u8]; 2],
    shards: Vec<Mutex<Shard>>,
    /// Random hash seed per table, against inputs with crafted collisions.
    seed: u64,
}

/// Open-addressing hash table with linear probing, for the names of one shard.
#[derive(Default)]
struct Shard {
    /// Keys and their indices into `names`; the length is a power of two and the load factor at most 3/4.
    slots: Vec<(NameKey, u32)>,
    /// The names in order of insertion.
    names: Vec<NameKey>,
}

/// An empty slot.
const EMPTY: (NameKey, u32) = (NameKey([0; 2]), u32::MAX);

/// Names whose slots are prefetched together.
const LOOKUP_BATCH: usize = 16;

/// A name of up to 15 bytes inline, or a reference to a longer one.
///
/// An inline key is the zero-padded name with its length in the last byte, so that comparing it does not touch the text.
/// A reference is the byte offset, the length, the index of the text, and [`LONG`] in the last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct NameKey([u64; 2]);

/// Tag of a reference, in the place of the length of an inline name.
const LONG: u64 = 255 << 56;

/// Flag of a reference into the second text.
const SECOND: u64 = 1 << 55;

/// A name to look up, with its hash.
#[derive(Clone, Copy)]
pub(crate) struct Query {
    key: NameKey,
    hash: u64,
}

impl Query {
    fn shard(self) -> usize {
        (self.hash >> 32) as usize % SHARDS // not the bits that select the slot
    }
}

impl<'a> ShardedInterner<'a> {
    /// An empty interner for names in these texts.
    pub(crate) fn new(texts: [&'a [u8]; 2]) -> Self {
        Self {
            texts,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            seed: RandomState::new().hash_one(0),
        }
    }

    /// The query for the name in `column`, a slice of `texts[text]`; it must be UTF-8 without zero bytes.
    #[inline]
    pub(crate) fn query(&self, text: usize, column: &[u8]) -> Query {
        let start = column.as_ptr().addr() - self.texts[text].as_ptr().addr();
        let length = column.len();
        if length > 15 {
            let key = NameKey([start as u64, LONG | (text as u64 * SECOND) | length as u64]);
            return Query { key, hash: self.hash(key) };
        }
        let word = match self.texts[text].get(start..start + 16) {
            Some(window) => {
                let window = u128::from_le_bytes(window.try_into().expect("it has sixteen bytes"));
                window & ((1 << (8 * length)) - 1)
            }
            None => column.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte)),
        };
        let key = NameKey([word as u64, (word >> 64) as u64 | (length as u64) << 56]);
        Query { key, hash: self.hash(key) }
    }

    /// Interns names and returns their provisional ids, in the same order; `None` if there are more than 2³² names.
    pub(crate) fn lookup(&self, queries: &[Query]) -> Option<Vec<u32>> {
        let mut starts = [0usize; SHARDS + 1];
        queries.iter().for_each(|query| starts[query.shard() + 1] += 1);
        for i in 0..SHARDS {
            starts[i + 1] += starts[i];
        }
        let mut next = starts;
        let empty = Query { key: NameKey([0; 2]), hash: 0 };
        let mut by_shard = vec![(empty, 0u32); queries.len()];
        for (i, &query) in queries.iter().enumerate() {
            let slot = &mut next[query.shard()];
            by_shard[*slot] = (query, i as u32);
            *slot += 1;
        }
        // Chunks start at different shards, which reduces lock contention.
        let first = queries.first().map_or(0, |query| query.shard());
        let mut ids = vec![0; queries.len()];
        for shard in (first..SHARDS).chain(0..first) {
            let mut table = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            for batch in by_shard[starts[shard]..starts[shard + 1]].chunks(LOOKUP_BATCH) {
                table.prefetch(batch);
                for &(query, i) in batch {
                    ids[i as usize] = provisional_id(shard, table.intern(query, self))?;
                }
            }
        }
        Some(ids)
    }

    /// All names in node order, and the map from provisional ids to nodes. `excluded` are provisional ids of names that
    /// are not nodes.
    pub(crate) fn rank(mut self, excluded: &[u32]) -> (NodeNames, NodeIds) {
        let all = self.take_keys();
        let keys = all.iter().enumerate().flat_map(|(shard, keys)| {
            keys.iter()
                .enumerate()
                .map(move |(index, &key)| (key, provisional_id(shard, index).unwrap_or(u32::MAX)))
        });
        let mut order: Vec<(u128, NameKey, u32)> = keys
            .filter(|(_, id)| !excluded.contains(id))
            .map(|(key, id)| (self.sort_prefix(key), key, id))
            .collect();
        // Plain numbers have no leading zeros, so the longer one is larger. The prefixes decide most comparisons
        // without access to the text.
        let numbers = order.par_iter().all(|(_, key, _)| self.with(*key, is_plain_integer));
        order.par_sort_unstable_by(|a, b| {
            let by_length = if numbers { a.1.length().cmp(&b.1.length()) } else { Ordering::Equal };
            let by_text = || self.with(a.1, |a| self.with(b.1, |b| a.cmp(b)));
            by_length.then(a.0.cmp(&b.0)).then_with(by_text)
        });

        let mut ranks: Vec<Vec<NodeId>> = all.iter().map(|keys| vec![0; keys.len()]).collect();
        let mut text = String::with_capacity(order.iter().map(|(_, key, _)| key.length()).sum());
        let mut ends = Vec::with_capacity(order.len());
        for (rank, &(_, key, id)) in order.iter().enumerate() {
            ranks[id as usize % SHARDS][id as usize / SHARDS] = rank as NodeId;
            self.with(key, |name| text.push_str(name));
            ends.push(text.len());
        }
        let names = NodeNames::from_text(text, ends).expect("ends are char boundaries of the text");
        (names, NodeIds { ranks })
    }

    /// Whether there are names other than those with these provisional ids, and all of them are plain numbers.
    pub(crate) fn others_are_numbers(&self, ids: &[u32]) -> bool {
        let mut others = 0;
        for (shard, table) in self.shards.iter().enumerate() {
            let table = table.lock().unwrap_or_else(PoisonError::into_inner);
            for (index, &key) in table.names.iter().enumerate() {
                if provisional_id(shard, index).is_some_and(|id| ids.contains(&id)) {
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

    /// The keys of all shards; frees the hash tables.
    fn take_keys(&mut self) -> Vec<Vec<NameKey>> {
        let shards = std::mem::take(&mut self.shards).into_iter();
        shards.map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner).names).collect()
    }

    /// Calls `f` with the name of a key.
    fn with<T>(&self, key: NameKey, f: impl FnOnce(&str) -> T) -> T {
        let short;
        let bytes = if key.is_long() {
            self.long(key)
        } else {
            short = key.bytes();
            &short[..key.length()]
        };
        f(std::str::from_utf8(bytes).expect("names are checked to be UTF-8 before they are interned"))
    }

    /// The bytes of a name that is too long to be inline.
    fn long(&self, key: NameKey) -> &'a [u8] {
        let text = self.texts[usize::from(key.0[1] & SECOND != 0)];
        &text[key.0[0] as usize..][..key.length()]
    }

    /// The first 15 bytes as a big-endian number, which sorts like the bytes; the zero padding occurs in no name.
    fn sort_prefix(&self, key: NameKey) -> u128 {
        let mut bytes = key.bytes();
        if key.is_long() {
            bytes[..15].copy_from_slice(&self.long(key)[..15]);
        }
        bytes[15] = 0;
        u128::from_be_bytes(bytes)
    }

    /// Folded-multiply hash, eight bytes at a time.
    fn hash(&self, key: NameKey) -> u64 {
        let NameKey([a, b]) = key;
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

/// The XOR of the two halves of the 128-bit product.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The provisional id of the name at `index` of a shard.
fn provisional_id(shard: usize, index: usize) -> Option<u32> {
    u32::try_from(index * SHARDS + shard).ok()
}

impl Shard {
    /// Loads the first slot of each query, so that the cache misses overlap.
    fn prefetch(&self, batch: &[(Query, u32)]) {
        let slot = |hash: u64| self.slots.get(hash as usize & self.slots.len().wrapping_sub(1));
        let loaded = batch.iter().filter_map(|(query, _)| slot(query.hash)).fold(0, |all, slot| all ^ slot.1);
        std::hint::black_box(loaded);
    }

    /// The index of a name, which is inserted if it is new.
    #[inline]
    fn intern(&mut self, query: Query, interner: &ShardedInterner<'_>) -> usize {
        if 4 * self.names.len() >= 3 * self.slots.len() {
            self.grow(interner);
        }
        let Query { key, hash } = query;
        let is_same = |other: NameKey| {
            key == other || key.is_long() && other.is_long() && interner.long(key) == interner.long(other)
        };
        let at = self.find(hash, is_same);
        if self.slots[at].1 == EMPTY.1 {
            self.slots[at] = (key, self.names.len() as u32);
            self.names.push(key);
        }
        self.slots[at].1 as usize
    }

    /// The slot of a name, or the empty slot where it would be inserted.
    #[inline]
    fn find(&self, hash: u64, is_same: impl Fn(NameKey) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != EMPTY.1 && !is_same(self.slots[at].0) {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self, interner: &ShardedInterner<'_>) {
        self.slots = vec![EMPTY; (2 * self.slots.len()).max(64)];
        for (index, &key) in self.names.iter().enumerate() {
            let at = self.find(interner.hash(key), |_| false);
            self.slots[at] = (key, index as u32);
        }
    }
}

impl NameKey {
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

/// The node of each provisional id.
pub(crate) struct NodeIds {
    ranks: Vec<Vec<NodeId>>,
}

impl NodeIds {
    pub(crate) fn node(&self, id: u32) -> NodeId {
        self.ranks[id as usize % SHARDS][id as usize / SHARDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provisional_ids_map_to_the_sorted_names() {
        let long = "a name that is longer than fifteen bytes";
        let words = ["b", "", long, "a", "b", "fifteen bytes!!", "sixteen bytes !!", long, "a\u{fc}", "b"];
        let (first, second) = words.split_at(5);
        let texts = [first.join("|"), second.join("|")];
        let table = ShardedInterner::new([texts[0].as_bytes(), texts[1].as_bytes()]);
        let columns = (0..2).flat_map(|text| texts[text].split('|').map(move |name| (text, name.as_bytes())));
        let queries: Vec<Query> = columns.map(|(text, name)| table.query(text, name)).collect();
        let ids = table.lookup(&queries).unwrap();
        assert_eq!(table.lookup(&queries).unwrap(), ids);
        assert_eq!((ids[0], ids[2]), (ids[4], ids[7]));
        assert!(!table.others_are_numbers(&[ids[0]]));
        let (names, ranks) = table.rank(&[ids[1]]);
        let sorted = ["a", long, "a\u{fc}", "b", "fifteen bytes!!", "sixteen bytes !!"];
        assert_eq!(names, NodeNames::from_strings(sorted));
        for (word, &id) in words.iter().zip(&ids).filter(|(word, _)| !word.is_empty()) {
            assert_eq!(names.name(ranks.node(id)), *word);
        }
    }

    #[test]
    fn hashes_of_similar_names_are_distinct() {
        for name in ["user", "a prefix of some length, user "] {
            let lines: String = (0..50_000).map(|i| format!("{name}{i}\n")).collect();
            let table = ShardedInterner::new([lines.as_bytes(), b""]);
            let queries: Vec<Query> = lines.lines().map(|line| table.query(0, line.as_bytes())).collect();
            let mut hashes: Vec<u64> = queries.iter().map(|name| name.hash).collect();
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), 50_000);
            let mut sizes = [0; SHARDS];
            queries.iter().for_each(|name| sizes[name.shard()] += 1);
            assert!(sizes.iter().all(|&size| (550..1050).contains(&size)), "{sizes:?}");
        }
    }
}
