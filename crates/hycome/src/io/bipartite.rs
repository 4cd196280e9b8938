//! Bipartite edge lists whose two columns number their nodes independently, such as users and items.
//!
//! hycome takes equal ids for the same node, which would merge user 1 with item 1. Two signs give such a list away: a
//! header whose names are of different kinds (`user,item`), or, without a header, columns that both number their nodes
//! from the same start without gaps, up to clearly different ends, with some row that names the same id twice. The
//! signs are no proof, so they make a note and nothing else.

use rayon::prelude::*;

use super::header::are_different_kinds;
use super::notes::{ColumnsRead, ReadNote};
use crate::graph::{EdgePieces, NodeNames};

/// Columns number different nodes only if the longer one has at least this many times as many.
const CLEARLY_LONGER: f64 = 1.1;

/// Columns with fewer ids say too little.
const FEW: usize = 10;

/// A note if the columns seem to hold different kinds of nodes and share ids.
pub(super) fn shared_ids(
    edges: &EdgePieces,
    names: &NodeNames,
    columns: &ColumnsRead,
    has_header: bool,
) -> Option<ReadNote> {
    let name = |role| columns.used.iter().find(|used| used.0 == role).map(|used| used.1.clone());
    let (source, target) = (name("source")?, name("target")?);
    let suspected = if has_header {
        are_different_kinds(&source, &target)
    } else {
        are_clearly_unequal(edges) && is_numbered_without_gaps(names)
    };
    if !suspected {
        return None;
    }
    let seen = Seen::of(edges);
    let shared = seen.shared();
    (shared > 0 && (has_header || seen.are_separate_numberings())).then_some(ReadNote::SharedIds {
        source,
        target,
        shared,
    })
}

/// Whether the largest ids of the two columns differ clearly; costs one look at each edge.
fn are_clearly_unequal(edges: &EdgePieces) -> bool {
    let largest = |pairs: &[(u32, u32)]| {
        pairs.iter().fold((0, 0), |(source, target), &(u, v)| (u.max(source), v.max(target)))
    };
    let (source, target) = edges
        .pieces
        .par_iter()
        .map(|piece| largest(&piece.pairs))
        .reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let (less, more) = (source.min(target) as usize + 1, source.max(target) as usize + 1);
    less >= FEW && more as f64 >= CLEARLY_LONGER * less as f64
}

/// Whether the names are the numbers from 0 or 1 on.
fn is_numbered_without_gaps(names: &NodeNames) -> bool {
    let number = |node: usize| names.name(node as u32).parse::<u64>().ok();
    match (number(0), number(names.len() - 1)) {
        (Some(first @ 0..=1), Some(last)) => last == first + names.len() as u64 - 1,
        _ => false,
    }
}

/// Which nodes occur in which column.
struct Seen {
    /// Bit 0: as a source; bit 1: as a target.
    columns: Vec<u8>,
    has_self_loop: bool,
}

impl Seen {
    fn of(edges: &EdgePieces) -> Self {
        let mut seen = Self { columns: vec![0; edges.node_count], has_self_loop: false };
        for &(u, v) in edges.pieces.iter().flat_map(|piece| &piece.pairs) {
            seen.columns[u as usize] |= 1;
            seen.columns[v as usize] |= 2;
            seen.has_self_loop |= u == v;
        }
        seen
    }

    fn shared(&self) -> usize {
        self.columns.iter().filter(|&&columns| columns == 3).count()
    }

    /// Whether one column holds all nodes and the other exactly the first of them.
    fn are_separate_numberings(&self) -> bool {
        let shared = self.shared();
        let (front, rest) = self.columns.split_at(shared);
        let alone = rest.first().copied().unwrap_or(3);
        self.has_self_loop
            && alone != 3
            && front.iter().all(|&columns| columns == 3)
            && rest.iter().all(|&columns| columns == alone)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::io::{ReadNote, ReadOptions, read_graph_from_bytes};

    fn shared(text: String) -> Option<usize> {
        let options = ReadOptions::default();
        let loaded = read_graph_from_bytes(Path::new("e.csv"), text.into_bytes(), &options).unwrap();
        loaded.notes.iter().find_map(|note| match note {
            ReadNote::SharedIds { shared, .. } => Some(*shared),
            _ => None,
        })
    }

    /// Twelve users who rated forty items.
    fn ratings(header: &str) -> String {
        let rows = (1..=12).flat_map(|user| (1..=40).map(move |item| (user, item)));
        let rows = rows.filter(|(user, item)| (user * 7 + item * 3) % 5 != 1);
        rows.fold(header.to_owned(), |text, (user, item)| format!("{text}{user},{item},{}\n", 1 + item % 5))
    }

    #[test]
    fn ids_that_users_and_items_share_are_noted() {
        assert_eq!(shared(ratings("user,item,rating\n")), Some(12));
        assert_eq!(shared(ratings("customer_id,product_id,rating\n")), Some(12));
        assert_eq!(shared(ratings("")), Some(12));
        assert_eq!(shared("user,item\nu1,i1\nu2,i1\nu2,i2\n".to_owned()), None);
    }

    #[test]
    fn graphs_of_one_kind_of_node_are_not_suspected() {
        assert_eq!(shared(ratings("source,target,weight\n")), None);
        assert_eq!(shared(ratings("protein1,protein2,score\n")), None);
        assert_eq!(shared(ratings("a,b,c\n")), None);
        let ring: String = (0..50).map(|node| format!("{node},{}\n", (node + 1) % 50)).collect();
        assert_eq!(shared(ring), None);
        let triangle: String = (0..30).flat_map(|u| (0..u).map(move |v| format!("{v},{u}\n"))).collect();
        assert_eq!(shared(triangle), None);
    }
}
