//! Edge lists: a line per edge, `source target [weight]`.
//!
//! A name is any text without separators. The order of the nodes is a function of the names alone: by value
//! if every name is a whole number written the plain way, else by the bytes of the names. So neither the
//! order of the lines nor the direction of the edges changes the graph.
//!
//! Files of numbers, by far the most, go a fast way: pieces of the file are parsed in parallel to pairs of
//! `u32`, a bit per possible number marks those that occur, and the number of marks below a name is its
//! node. Names that are texts, numbers beyond 32 bits or numbers too far apart for that go the general way:
//! each piece keeps a table of the names it meets, and the tables are merged and sorted.
//!
//! The first line of data is a header, and skipped, if it starts with a known pair of words such as
//! `source,target`; if its third column is not a number and neither of the others is; or if its two names
//! are not numbers although all names below are. Only there does the order of the lines matter.

use std::ops::Range;

use rayon::prelude::*;

use super::numbering::{NameTable, Ranks, merge};
use super::text::{Fault, PIECE, Text, first_columns, is_plain_integer, plain_u32, quoted, utf8, weight};
use crate::Result;
use crate::graph::{EdgeList, NodeId, NodeNames};

/// What a line should be, for messages.
const LINE: &str = "`source target` or `source target weight`";

/// First lines that name their columns.
const HEADERS: [(&str, &str); 8] = [
    ("source", "target"),
    ("src", "dst"),
    ("from", "to"),
    ("fromnodeid", "tonodeid"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
];

/// The edges of `text`, between its nodes and those that `nodes` lists, one per line.
pub(super) fn parse(text: Text, nodes: Option<Text>) -> Result<(EdgeList, NodeNames)> {
    let body = text.report(Body::find(text))?;
    let nodes = nodes.map_or(Ok(Vec::new()), node_list)?;
    match body.parse_numbers(&nodes) {
        Some(parsed) => text.report(parsed),
        None => body.parse_names(&nodes),
    }
}

/// The names in a file of one name per line.
fn node_list(text: Text<'_>) -> Result<Vec<&str>> {
    let mut names = Vec::new();
    for (offset, line) in text.data_lines(0..text.bytes.len()) {
        let ([name], more) = first_columns::<1>(line);
        if more {
            return Err(text.error(Fault::new(offset, "one node per line", quoted(line))));
        }
        names.push(text.report(utf8(name, offset))?);
    }
    Ok(names)
}

/// The part of the text that holds edges.
struct Body<'a> {
    text: Text<'a>,
    /// Where the first line of data starts that is not certainly a header.
    start: usize,
    /// Where the next line starts, if the first may still turn out to be a header.
    start_below_header: Option<usize>,
    /// Whether lines have a third column.
    weighted: bool,
}

/// Edges of one piece of the text, in ids of its own.
#[derive(Default)]
struct Piece {
    pairs: Vec<(u32, u32)>,
    weights: Vec<f32>,
}

/// Why a piece was not read to its end.
enum Stop {
    NotNumbers,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<'a> Body<'a> {
    fn find(text: Text<'a>) -> std::result::Result<Self, Fault> {
        let mut lines = text.data_lines(0..text.bytes.len());
        let empty = Self { text, start: text.bytes.len(), start_below_header: None, weighted: false };
        let Some((mut start, mut line)) = lines.next() else { return Ok(empty) };
        let second = lines.next();
        let likeness = header_likeness(line);
        if likeness == Likeness::Certain {
            let Some(next) = second else { return Ok(empty) };
            (start, line) = next;
        }
        let weighted = edge_columns(line, start)?.2.is_some();
        let start_below_header = second.map(|next| next.0).filter(|_| likeness == Likeness::Possible);
        Ok(Self { text, start, start_below_header, weighted })
    }

    /// The fast way, if every name is a number up to `u32::MAX` and they are not too sparse for it.
    fn parse_numbers(&self, nodes: &[&str]) -> Option<std::result::Result<(EdgeList, NodeNames), Fault>> {
        let start = self.start_below_header.unwrap_or(self.start);
        let number = |column: &'a [u8], _| plain_u32(column).ok_or(Stop::NotNumbers);
        let pieces = self.text.in_pieces(start, PIECE, |range| self.parse_piece(range, number));
        if pieces.iter().any(|piece| matches!(piece, Err(Stop::NotNumbers))) {
            return None;
        }
        let isolated: Vec<u32> =
            nodes.iter().map(|name| plain_u32(name.as_bytes())).collect::<Option<_>>()?;
        let mut whole = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                Ok(piece) => whole.push(piece),
                Err(Stop::Fault(fault)) => return Some(Err(fault)),
                Err(Stop::NotNumbers) => return None,
            }
        }
        let pairs: Vec<&[(u32, u32)]> = whole.iter().map(|piece| piece.pairs.as_slice()).collect();
        let ranks = Ranks::of(&pairs, &isolated)?;
        for piece in &mut whole {
            piece.pairs.par_iter_mut().for_each(|(u, v)| (*u, *v) = (ranks.rank(*u), ranks.rank(*v)));
        }
        let names = NodeNames::from_numbers(ranks.numbers());
        Some(Ok((self.join(whole, names.len()), names)))
    }

    /// The general way.
    fn parse_names(&self, nodes: &[&str]) -> Result<(EdgeList, NodeNames)> {
        // Few pieces, for each has a table of its own; the result does not depend on how many.
        let size = self.text.bytes.len().div_ceil(2 * rayon::current_num_threads()).max(PIECE);
        let mut pieces = self.text.in_pieces(self.start, size, |range| {
            let mut table = NameTable::default();
            let piece = self.parse_piece(range, |column, offset| Ok(table.id(column, offset)?));
            piece.map(|piece| (piece, table.names))
        });
        pieces.push(Ok((Piece::default(), nodes.to_vec())));
        let mut tables = Vec::with_capacity(pieces.len());
        let mut whole = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                Ok((piece, table)) => {
                    whole.push(piece);
                    tables.push(table);
                }
                Err(Stop::Fault(fault)) => return Err(self.text.error(fault)),
                Err(Stop::NotNumbers) => unreachable!("a table takes any name"),
            }
        }
        if self.start_below_header.is_some() && first_line_is_header(&whole, &tables) {
            whole[0].pairs.remove(0);
            whole[0].weights.drain(..usize::from(self.weighted));
            tables[0].drain(..2);
            whole[0].pairs.iter_mut().for_each(|(u, v)| (*u, *v) = (*u - 2, *v - 2));
        }
        let (names, nodes) = merge(&tables);
        if names.len() > NodeId::MAX as usize {
            let found = format!("{} of them", names.len());
            return Err(self.text.content_error("at most 4294967295 different nodes", found));
        }
        whole.par_iter_mut().zip(&nodes).for_each(|(piece, nodes)| {
            piece.pairs.iter_mut().for_each(|(u, v)| (*u, *v) = (nodes[*u as usize], nodes[*v as usize]));
        });
        let names = NodeNames::from_strings(names);
        Ok((self.join(whole, names.len()), names))
    }

    /// The edges of some lines, their names turned into ids by `id`.
    fn parse_piece(
        &self,
        range: Range<usize>,
        mut id: impl FnMut(&'a [u8], usize) -> std::result::Result<u32, Stop>,
    ) -> std::result::Result<Piece, Stop> {
        let mut piece = Piece::default();
        for (offset, line) in self.text.data_lines(range) {
            let (source, target, third) = edge_columns(line, offset)?;
            if third.is_some() != self.weighted {
                return Err(Stop::Fault(self.uneven(line, offset)));
            }
            piece.pairs.push((id(source, offset)?, id(target, offset)?));
            if let Some(third) = third {
                piece.weights.push(weight(third, offset)?);
            }
        }
        Ok(piece)
    }

    fn uneven(&self, line: &[u8], offset: usize) -> Fault {
        let expected = if self.weighted {
            "`source target weight` as in the first line (a weight in every line or in none)"
        } else {
            "`source target` as in the first line (a weight in every line or in none)"
        };
        Fault::new(offset, expected, quoted(line))
    }

    fn join(&self, pieces: Vec<Piece>, node_count: usize) -> EdgeList {
        let count = pieces.iter().map(|piece| piece.pairs.len()).sum();
        let mut pairs = Vec::with_capacity(count);
        let mut weights = self.weighted.then(|| Vec::with_capacity(count));
        for piece in pieces {
            pairs.extend(piece.pairs);
            if let Some(weights) = &mut weights {
                weights.extend(piece.weights);
            }
        }
        EdgeList { node_count, pairs, weights }
    }
}

/// Source, target and perhaps weight.
#[allow(clippy::type_complexity)]
fn edge_columns(line: &[u8], offset: usize) -> std::result::Result<(&[u8], &[u8], Option<&[u8]>), Fault> {
    let ([source, target, third], more) = first_columns(line);
    if more {
        let expected = format!("{LINE}; cut other columns away, such as times");
        return Err(Fault::new(offset, expected, quoted(line)));
    }
    if target.is_empty() {
        return Err(Fault::new(offset, LINE, quoted(line)));
    }
    Ok((source, target, (!third.is_empty()).then_some(third)))
}

#[derive(PartialEq)]
enum Likeness {
    Certain,
    Possible,
    No,
}

/// How much the first line looks like a header.
fn header_likeness(line: &[u8]) -> Likeness {
    let ([source, target, third], _) = first_columns(line);
    let lower = |column: &[u8]| String::from_utf8_lossy(column).to_ascii_lowercase();
    let (source_word, target_word) = (lower(source), lower(target));
    if HEADERS.contains(&(&source_word, &target_word)) {
        return Likeness::Certain;
    }
    let starts_like_number =
        |column: &[u8]| column.first().is_none_or(|first| first.is_ascii_digit() || b"+-.".contains(first));
    if starts_like_number(source) || starts_like_number(target) {
        return Likeness::No;
    }
    let is_number = |column: &[u8]| lower(column).parse::<f64>().is_ok();
    if !third.is_empty() && !is_number(third) { Likeness::Certain } else { Likeness::Possible }
}

/// Whether the first line's two names occur nowhere else and all others are numbers.
fn first_line_is_header(pieces: &[Piece], tables: &[Vec<&str>]) -> bool {
    let others = || tables.iter().flatten().skip(2);
    pieces[0].pairs.first() == Some(&(0, 1))
        && others().next().is_some()
        && others().all(|name| is_plain_integer(name))
        && pieces[0].pairs[1..].iter().all(|&(u, v)| u > 1 && v > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn read(text: &str) -> (EdgeList, NodeNames) {
        parse(Text::new(Path::new("edges"), text.as_bytes()), None).unwrap()
    }

    fn refusal(text: &[u8]) -> String {
        parse(Text::new(Path::new("edges"), text), None).unwrap_err().to_string()
    }

    fn named_edges(text: &str) -> Vec<(String, String)> {
        let (edges, names) = read(text);
        let name = |node| names.name(node).into_owned();
        edges.pairs.iter().map(|&(u, v)| (name(u), name(v))).collect()
    }

    fn names(text: &str) -> Vec<String> {
        read(text).1.iter().map(|name| name.into_owned()).collect()
    }

    #[test]
    fn separators_comments_and_line_ends_may_mix() {
        let (edges, names) = read("\u{feff}# made by hand\r\n1 2\r\n\n2,\t3\n% end\n 10\t 2 ");
        assert_eq!(names, NodeNames::from_strings(["1", "2", "3", "10"]));
        assert_eq!(edges.pairs, [(0, 1), (1, 2), (3, 1)]);
        assert_eq!(edges.weights, None);
    }

    #[test]
    fn whole_numbers_are_ordered_by_value_and_texts_by_their_bytes() {
        assert_eq!(names("10 9\n9 5000000000"), ["9", "10", "5000000000"]);
        assert_eq!(names("10 9\n9 4294967295"), ["9", "10", "4294967295"]);
        assert_eq!(names("10 9\n9 007"), ["007", "10", "9"]);
        assert_eq!(names("10 9\n9 99999999999999999999999"), ["9", "10", "99999999999999999999999"]);
        assert_eq!(names("bob alice\nbob zoë"), ["alice", "bob", "zoë"]);
    }

    #[test]
    fn the_third_column_is_a_weight() {
        assert_eq!(read("a b 0.5\nb c 2e3").0.weights, Some(vec![0.5, 2000.0]));
        assert_eq!(read("1 2 0.5\n2 3 0").0.weights, Some(vec![0.5, 0.0]));
    }

    #[test]
    fn headers_are_skipped() {
        for header in ["source,target,weight", "From\tTo\tx", "u v w", "a b c"] {
            assert_eq!(read(&format!("{header}\n1 2 3\n")).0.pairs, [(0, 1)], "{header}");
        }
        assert_eq!(named_edges("a b\n1 2\n2 3").len(), 2);
        assert_eq!(named_edges("Source,Target\nanna,bert").len(), 1);
        assert_eq!(names("u v\n5 5000000000"), ["5", "5000000000"]);
    }

    #[test]
    fn first_lines_that_may_be_edges_are_edges() {
        assert_eq!(named_edges("u v\nv w").len(), 2);
        assert_eq!(named_edges("u v\n1 u").len(), 2);
        assert_eq!(named_edges("u v").len(), 1);
        assert_eq!(named_edges("1 v\n2 3").len(), 2);
    }

    #[test]
    fn a_line_of_one_column_is_refused() {
        let expected = "edges:2: expected `source target` or `source target weight`, found \"3\"";
        assert_eq!(refusal(b"1 2\n3\n"), expected);
        assert_eq!(refusal(b"a b\n3\n"), expected);
    }

    #[test]
    fn a_line_of_four_columns_is_refused() {
        let expected = "edges:1: expected `source target` or `source target weight`; cut other columns away, \
            such as times, found \"1 2 1.0 1234\"";
        assert_eq!(refusal(b"1 2 1.0 1234"), expected);
    }

    #[test]
    fn a_weight_here_and_none_there_is_refused() {
        let expected = "edges:3: expected `source target` as in the first line (a weight in every line or in \
            none), found \"2 3 4\"";
        assert_eq!(refusal(b"1 2\n#\n2 3 4"), expected);
    }

    #[test]
    fn a_weight_that_is_not_a_number_is_refused() {
        let expected = "edges:1: expected a weight of 0 or from 1.4e-45 to 3.4e38, found \"NaN\"";
        assert_eq!(refusal(b"a b NaN"), expected);
        assert_eq!(refusal(b"1 2 NaN"), expected);
    }

    #[test]
    fn a_negative_weight_is_refused() {
        let expected = "edges:2: expected a weight of 0 or from 1.4e-45 to 3.4e38, found \"-1\"";
        assert_eq!(refusal(b"1 2 1\n2 3 -1"), expected);
    }

    #[test]
    fn names_that_are_not_text_are_refused() {
        let expected = "edges:2: expected text in UTF-8, found the bytes \"caf\u{fffd}\"";
        assert_eq!(refusal(b"1 2\n3 caf\xe9"), expected);
        assert_eq!(refusal(b"a\0 b"), "edges:1: expected text in UTF-8, found the bytes \"a\\0\"");
    }

    #[test]
    fn many_pieces_give_what_one_gives() {
        let numbers: String = (0..900_000).map(|i| format!("{} {}\n", i % 70_001, i * 7 % 65_537)).collect();
        assert!(numbers.len() > 2 << 22);
        let (fast, fast_names) = read(&numbers);
        let (general, general_names) = read(&format!("{numbers}x y"));
        assert_eq!(fast.pairs.len() + 1, general.pairs.len());
        for i in (0..fast.pairs.len()).step_by(997) {
            let (u, v) = (i % 70_001, i * 7 % 65_537);
            let (a, b) = (fast.pairs[i], general.pairs[i]);
            assert_eq!(
                (fast_names.name(a.0), fast_names.name(a.1)),
                (u.to_string().into(), v.to_string().into())
            );
            assert_eq!(
                (general_names.name(b.0), general_names.name(b.1)),
                (u.to_string().into(), v.to_string().into())
            );
        }
        let fault = refusal(format!("{numbers}7 7 7 7\n").as_bytes());
        assert!(fault.starts_with("edges:900001: "), "{fault}");
    }

    proptest! {
        #[test]
        fn anything_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(Text::new(Path::new("edges"), &bytes), None);
        }

        #[test]
        fn anything_like_an_edge_list_is_read_or_refused(text in "([a-c0-9é]{0,3}[ ,\t\n]){0,40}") {
            let _ = parse(Text::new(Path::new("edges"), text.as_bytes()), None);
        }

        #[test]
        fn the_order_of_lines_does_not_matter(mut lines in prop::collection::vec("[0-9][0-9a]? [0-9][0-9a]?", 1..30)) {
            let one = read(&lines.join("\n"));
            lines.reverse();
            let other = read(&lines.join("\n"));
            prop_assert_eq!(one.1, other.1);
            prop_assert_eq!(one.0.build(), other.0.build());
        }
    }
}
