//! Detection of bipartite edge lists whose two columns number their nodes independently, such as users and items.
//!
//! Equal ids are the same node, which would merge user 1 with item 1. Two signs of such a list: a
//! header whose names are of different kinds (`user,item`), or, without a header, columns that both number their nodes
//! from the same start without gaps, up to clearly different ends, with some row that names the same id twice. The
//! signs are heuristics, so they give a note and nothing else.

use rayon::prelude::*;

use crate::graph::{NodeId, NodeNames, ReadNote};
use crate::io::formats::header::are_different_kinds;

/// Columns number different nodes only if the longer one has at least this many times as many.
const CLEARLY_LONGER: f64 = 1.1;

/// Columns with fewer ids are not judged.
const MIN_IDS: usize = 10;

impl ReadNote {
    /// A note if the two columns of an edge list seem to contain different kinds of nodes, such as users and items, that share
    /// ids. The pairs may come in several pieces; `columns` are the names of the columns, if a header gives them.
    #[must_use]
    pub fn of_columns(
        pieces: &[&[(NodeId, NodeId)]],
        names: &NodeNames,
        columns: Option<(&str, &str)>,
    ) -> Option<Self> {
        shared_ids(pieces, names, columns)
    }
}

/// A note if the columns seem to hold different kinds of nodes and share ids.
fn shared_ids(
    pieces: &[&[(NodeId, NodeId)]],
    names: &NodeNames,
    columns: Option<(&str, &str)>,
) -> Option<ReadNote> {
    let suspected = match columns {
        Some((source, target)) => are_different_kinds(source, target),
        None => are_clearly_unequal(pieces) && is_numbered_without_gaps(names),
    };
    if !suspected {
        return None;
    }
    let seen = Seen::of(pieces);
    let shared = seen.shared();
    let (source, target) = columns.unwrap_or(("column 1", "column 2"));
    (shared > 0 && (columns.is_some() || seen.are_separate_numberings())).then(|| ReadNote::SharedIds {
        source: source.to_owned(),
        target: target.to_owned(),
        shared,
    })
}

/// Whether the largest ids of the two columns differ clearly; one pass over the edges.
fn are_clearly_unequal(pieces: &[&[(NodeId, NodeId)]]) -> bool {
    let largest = |pairs: &[(u32, u32)]| {
        pairs.iter().fold((0, 0), |(source, target), &(u, v)| (u.max(source), v.max(target)))
    };
    let (source, target) =
        pieces.par_iter().map(|piece| largest(piece)).reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let (less, more) = (source.min(target) as usize + 1, source.max(target) as usize + 1);
    less >= MIN_IDS && more as f64 >= CLEARLY_LONGER * less as f64
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
    fn of(pieces: &[&[(NodeId, NodeId)]]) -> Self {
        let edges = || pieces.iter().flat_map(|piece| piece.iter());
        let node_count = edges().map(|&(u, v)| u.max(v) as usize + 1).max().unwrap_or(0);
        let mut seen = Self { columns: vec![0; node_count], has_self_loop: false };
        for &(u, v) in edges() {
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
