//! Parser of edge lists: a line per edge, `source target [weight]`.
//!
//! A name is any text without separators. The order of the nodes is a function of the names alone: by value
//! if every name is a whole number written the plain way, else by the bytes of the names. So neither the
//! order of the lines nor the direction of the edges changes the graph.
//!
//! Files of numbers, by far the most common, take a fast path: chunks of the file are parsed in parallel to pairs of
//! `u32`, and a [rank bitmap](RankBitmap) maps numbers to nodes. Names that are texts, numbers beyond 32 bits or numbers
//! too sparse for a bitmap take the general path: all chunks intern their names in one [table](ShardedInterner), which is
//! sorted in the end. Neither path depends on the number of threads, nor does the reported error, the first in the text.
//!
//! Which lines and columns hold edges is decided by [`crate::io::formats::edge_body`].
//!
//! Files that are tables in a stricter sense (quotes, spaces in names, more columns) are read by
//! [`crate::io::formats::edge_table`].

use std::ops::Range;

use rayon::prelude::*;

use crate::Result;
use crate::graph::ReadNote;
use crate::graph::{EdgePiece, EdgePieces, NodeNames};
use crate::io::formats::edge_body::{Body, Header};
use crate::io::formats::edge_table::{self, AMBIGUOUS, columns_read};
use crate::io::formats::header::{EdgeColumns, Likeness, pair_likeness};
use crate::io::formats::interner::{Query, ShardedInterner};
use crate::io::formats::labels::rows::has_own_header;
use crate::io::formats::rank_bitmap::RankBitmap;
use crate::io::formats::table::Delimiter;
use crate::io::formats::text::{
    CHUNK_BYTES, Fault, Text, first_columns, plain_line, plain_u32, quoted, utf8, weight,
};
use crate::io::read::Parsed;

/// Size of the chunks of a text with names: the names of a chunk fit into a near cache.
const NAME_CHUNK_BYTES: usize = 1 << 19;

/// The edges of `text`, between its nodes and those that `nodes` lists, one per line; `header` is whether the first
/// line is a header, `None` to detect it.
pub(crate) fn parse(text: Text, nodes: Option<Text>, header: Option<bool>) -> Result<Parsed> {
    let parsed = parse_any(text, nodes, header)?;
    if parsed.header.is_some() {
        text.report(refuse_second_header(text))?;
    }
    Ok(parsed)
}

/// Refuses a first line that occurs again, as it does where files with headers were joined.
fn refuse_second_header(text: Text<'_>) -> std::result::Result<(), Fault> {
    let Some((start, line)) = text.data_lines(0..text.bytes.len()).next() else { return Ok(()) };
    let below = start + line.len();
    let is_line = |at: &usize| {
        let before = text.bytes[..*at].last();
        let behind = text.bytes.get(at + line.len());
        before == Some(&b'\n') && behind.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
    };
    let mut found = memchr::memmem::find_iter(&text.bytes[below..], line).map(|at| below + at);
    match found.find(is_line) {
        Some(at) => {
            Err(Fault::new(at, "one header", format!("it again, {}; remove this line", quoted(line))))
        }
        None => Ok(()),
    }
}

fn parse_any(text: Text, nodes: Option<Text>, header: Option<bool>) -> Result<Parsed> {
    if nodes.is_some() {
        return parse_lines(text, nodes, header);
    }
    if has_own_header(text, Delimiter::of(text, false)) {
        return Err(text.content_error("edges", "the communities or predictions of a run, which are labels"));
    }
    if let Some(delimiter) = edge_table::needed(text) {
        return edge_table::parse(text, delimiter, header);
    }
    let parsed = parse_lines(text, None, header);
    let delimiter = Delimiter::of(text, false);
    if parsed.is_err()
        && let Delimiter::Byte(_) = delimiter
        && let Ok(table) = edge_table::parse(text, delimiter, header)
    {
        return Ok(table); // a name with a space far below
    }
    parsed
}

fn parse_lines(text: Text, nodes: Option<Text>, header: Option<bool>) -> Result<Parsed> {
    let body = text.report(Body::find(text, header))?;
    let isolated = nodes.map_or(Ok(Vec::new()), node_list)?;
    match body.parse_numbers(&isolated) {
        Some(parsed) => text.report(parsed),
        None => body.parse_names(&isolated, nodes.map_or(&[], |nodes| nodes.bytes)),
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

/// Why a chunk was not parsed to its end.
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
    /// The edges, and the first line if it is a header.
    fn parsed(&self, edges: EdgePieces, names: NodeNames, possible_is_header: bool) -> Parsed {
        let header = match self.header {
            Header::Certain(line) => Some(line),
            Header::Possible(line, _) if possible_is_header => Some(line),
            Header::None | Header::Possible(..) => None,
        };
        let fields = header.map(|line| Delimiter::Space.split(line));
        let columns = EdgeColumns { source: 0, target: 1, weight: self.weighted.then_some(2) };
        let columns = Some(columns_read(&columns, 2 + usize::from(self.weighted), fields.as_deref()));
        Parsed { header: header.map(quoted), columns, ..Parsed::new(edges, names) }
    }

    /// Fast path; `None` unless every name is a number up to `u32::MAX` and they are dense enough for a bitmap.
    fn parse_numbers(&self, nodes: &[&str]) -> Option<std::result::Result<Parsed, Fault>> {
        let start = self.start_below_header();
        let pieces = self.text.in_chunks(start, CHUNK_BYTES, |range| self.parse_number_chunk(range));
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
        let ranks = RankBitmap::new(&pairs, &isolated)?;
        if !ranks.is_identity() {
            whole.par_iter_mut().for_each(|piece| {
                piece.pairs.iter_mut().for_each(|(u, v)| (*u, *v) = (ranks.rank(*u), ranks.rank(*v)));
            });
        }
        let names = NodeNames::from_numbers(ranks.numbers());
        Some(Ok(self.parsed(EdgePieces { node_count: names.len(), pieces: whole }, names, true)))
    }

    /// General path; `nodes` are slices of `nodes_text`.
    fn parse_names(&self, nodes: &[&'a str], nodes_text: &'a [u8]) -> Result<Parsed> {
        let table = ShardedInterner::new([self.text.bytes, nodes_text]);
        let piece = |range| self.parse_name_chunk(range, &table);
        // The first line is a chunk of its own if it may be a header.
        let below = self.start_below_header();
        let first_line = (below > self.start).then(|| piece(self.start..below));
        let others = self.text.in_chunks(below, NAME_CHUNK_BYTES, piece);
        let pieces: std::result::Result<Vec<EdgePiece>, Fault> =
            first_line.into_iter().chain(others).collect();
        let mut pieces = self.text.report(pieces)?;
        let isolated: Vec<Query> = nodes.iter().map(|name| table.query(1, name.as_bytes())).collect();
        if table.lookup(&isolated).is_none() {
            return Err(self.text.error(too_many(self.start)));
        }

        let mut header = Vec::new();
        let mut notes = Vec::new();
        if let Header::Possible(line, _) = self.header
            && first_names_are_alone(&pieces)
        {
            let (u, v) = pieces[0].pairs[0];
            let ([first, second], _) = first_columns(line);
            let word = |column| String::from_utf8_lossy(column).into_owned();
            let is_named = pair_likeness(&word(first), &word(second)) != Likeness::No;
            if is_named || table.others_are_numbers(&[u, v]) {
                pieces.remove(0);
                header = vec![u, v];
            } else if pieces.iter().map(|piece| piece.pairs.len()).sum::<usize>() > AMBIGUOUS {
                notes.push(ReadNote::PossibleHeader { line: quoted(line) });
            }
        }
        let (names, ranks) = table.rank(&header);
        pieces.par_iter_mut().for_each(|piece| {
            piece.pairs.iter_mut().for_each(|(u, v)| (*u, *v) = (ranks.node(*u), ranks.node(*v)));
        });
        let edges = EdgePieces { node_count: names.len(), pieces };
        Ok(Parsed { notes, ..self.parsed(edges, names, !header.is_empty()) })
    }

    /// The edges of some lines between numbers.
    fn parse_number_chunk(&self, range: Range<usize>) -> std::result::Result<EdgePiece, Stop> {
        let mut pairs = Vec::with_capacity(self.text.line_count(range.clone()));
        let mut weights = self.weighted.then(|| Vec::with_capacity(pairs.capacity()));
        let mut rest = range;
        while rest.start < rest.end {
            if !self.weighted
                && let Some((u, v, length)) = plain_line(&self.text.bytes[rest.clone()])
            {
                pairs.push((u, v));
                rest.start += length;
                continue;
            }
            let Some((offset, line)) = self.text.next_data_line(&mut rest) else { break };
            let (source, target, third) = self.columns(line, offset)?;
            let number = |column| plain_u32(column).ok_or(Stop::NotNumbers);
            pairs.push((number(source)?, number(target)?));
            if let Some((third, weights)) = third.zip(weights.as_mut()) {
                weights.push(weight(third, offset)?);
            }
        }
        Ok(EdgePiece { pairs, weights })
    }

    /// The edges of some lines between names, as provisional ids of the interner.
    fn parse_name_chunk(
        &self,
        range: Range<usize>,
        table: &ShardedInterner<'a>,
    ) -> std::result::Result<EdgePiece, Fault> {
        let is_text = utf8(&self.text.bytes[range.clone()], range.start).is_ok();
        let mut names = Vec::with_capacity(2 * self.text.line_count(range.clone()));
        let mut weights = self.weighted.then(|| Vec::with_capacity(names.capacity() / 2));
        for (offset, line) in self.text.data_lines(range.clone()) {
            let (source, target, third) = self.columns(line, offset)?;
            if !is_text {
                utf8(source, offset)?; // the invalid bytes may be in a comment
                utf8(target, offset)?;
            }
            names.extend([table.query(0, source), table.query(0, target)]);
            if let Some((third, weights)) = third.zip(weights.as_mut()) {
                weights.push(weight(third, offset)?);
            }
        }
        let ids = table.lookup(&names).ok_or_else(|| too_many(range.start))?;
        let pairs = ids.chunks_exact(2).map(|ends| (ends[0], ends[1])).collect();
        Ok(EdgePiece { pairs, weights })
    }
}

/// More names than there can be nodes.
fn too_many(offset: usize) -> Fault {
    Fault::new(offset, "at most 4294967295 different nodes", "more in all lines")
}

/// Whether the first line's two names differ and occur nowhere else.
fn first_names_are_alone(pieces: &[EdgePiece]) -> bool {
    let (u, v) = pieces[0].pairs[0];
    let is_elsewhere =
        |piece: &EdgePiece| piece.pairs.iter().any(|&(a, b)| [a, b].iter().any(|&end| end == u || end == v));
    u != v && pieces.len() > 1 && !pieces[1..].par_iter().any(is_elsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::assert_mentions;
    use crate::graph::EdgeList;
    use proptest::prelude::*;
    use std::path::Path;

    fn read(text: &str) -> (EdgeList, NodeNames) {
        let Parsed { edges, names, .. } =
            parse(Text::new(Path::new("edges"), text.as_bytes()), None, None).unwrap();
        (edges.joined(), names)
    }

    /// [`read`] in a pool of `threads` threads.
    fn read_with(threads: usize, text: &str) -> Result<(EdgeList, NodeNames)> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let text = Text::new(Path::new("edges"), text.as_bytes());
        pool.install(|| parse(text, None, None)).map(|parsed| (parsed.edges.joined(), parsed.names))
    }

    fn refusal(text: &[u8]) -> String {
        parse(Text::new(Path::new("edges"), text), None, None).unwrap_err().to_string()
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
    fn a_line_that_is_read_as_a_header_is_reported() {
        let header =
            |text: &str| parse(Text::new(Path::new("edges"), text.as_bytes()), None, None).unwrap().header;
        assert_eq!(header("source,target\n1,2\n").as_deref(), Some("\"source,target\""));
        assert_eq!(header("ann bob x\nbob cat 2\n").as_deref(), Some("\"ann bob x\""));
        assert_eq!(header("head tail\n1 2\n").as_deref(), Some("\"head tail\""));
        assert_eq!(header("head tail\n1 x\n").as_deref(), Some("\"head tail\""));
        assert_eq!(header("head tail\n1 head\n"), None);
        assert_eq!(header("up down\n1 x\n"), None);
        assert_eq!(header("1 2\n3 4\n"), None);
        assert_eq!(header("a b\n"), None);
        assert_eq!(header("# nothing\n"), None);
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
        let expected = "edges:2: … \"3\"";
        assert_mentions(&refusal(b"1 2\n3\n"), expected);
        assert_mentions(&refusal(b"a b\n3\n"), expected);
    }

    #[test]
    fn a_line_of_four_columns_is_refused() {
        let expected = "edges:1: … \"1 2 1.0 1234\"";
        assert_mentions(&refusal(b"1 2 1.0 1234"), expected);
    }

    #[test]
    fn a_weight_here_and_none_there_is_refused() {
        let expected = "edges:3: … \"2 3 4\"";
        assert_mentions(&refusal(b"1 2\n#\n2 3 4"), expected);
    }

    #[test]
    fn a_weight_that_is_not_a_number_is_refused() {
        let expected = "edges:1: … \"NaN\"";
        assert_mentions(&refusal(b"a b NaN"), expected);
        assert_mentions(&refusal(b"1 2 NaN"), expected);
    }

    #[test]
    fn a_negative_weight_is_refused() {
        let expected = "edges:2: … \"-1\"";
        assert_mentions(&refusal(b"1 2 1\n2 3 -1"), expected);
    }

    #[test]
    fn names_that_are_not_text_are_refused() {
        let expected = "edges:2: … UTF-8 … \"caf\u{fffd}\" … iconv";
        assert_mentions(&refusal(b"1 2\n3 caf\xe9"), expected);
        assert_mentions(&refusal(b"a\0 b"), "edges:1: … \"a\\0\"");
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

    #[test]
    fn neither_graph_nor_fault_depends_on_threads() {
        let lines = |name: &str| -> String {
            (0..400_000).map(|i| format!("{name}{} {name}{}\n", i % 70_001, i * 7 % 65_537)).collect()
        };
        for text in [lines(""), lines("x"), lines("9000000000"), lines("a name of twenty letters".trim())] {
            let text = text.replace("a name of twenty letters", "a_name_of_twenty_letters");
            let (edges, names) = read_with(1, &text).unwrap();
            for threads in [2, 3] {
                let (other_edges, other_names) = read_with(threads, &text).unwrap();
                assert!(other_edges.pairs == edges.pairs && other_names == names);
            }
            let faulty = format!("{text}one\n{text}one two three\n");
            for threads in [1, 2, 3] {
                let message = read_with(threads, &faulty).unwrap_err().to_string();
                assert!(message.starts_with("edges:400001: "), "{message}");
            }
        }
    }

    proptest! {
        #[test]
        fn anything_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(Text::new(Path::new("edges"), &bytes), None, None);
        }

        #[test]
        fn anything_like_an_edge_list_is_read_or_refused(text in "([a-c0-9é]{0,3}[ ,\t\n]){0,40}") {
            let _ = parse(Text::new(Path::new("edges"), text.as_bytes()), None, None);
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
