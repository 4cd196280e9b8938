//! Body of an edge list: header detection, the first line of edges, and the columns of a line.
//!
//! The first line of data is a header, and skipped, if it starts with a known pair of words such as
//! `source,target`; if its third column is a word and neither of the others a number; or if its two names
//! occur nowhere below and either differ as names of columns do (`gene_a`, `gene_b`) or are not numbers although all
//! names below are. Only there does the order of the lines matter.

use crate::io::formats::header::{Likeness, pair_likeness};
use crate::io::formats::text::{Fault, Text, first_columns, quoted};

/// What a line should be, for messages.
const LINE: &str = "`source target` or `source target weight`";

/// The part of the text that holds edges.
pub(crate) struct Body<'a> {
    pub text: Text<'a>,
    /// Where the first line of data starts that is not certainly a header.
    pub start: usize,
    pub header: Header<'a>,
    /// Whether lines have a third column.
    pub weighted: bool,
}

/// Whether the first line of data is a header.
#[derive(Clone, Copy)]
pub(crate) enum Header<'a> {
    None,
    /// This line is.
    Certain(&'a [u8]),
    /// This line may still turn out to be one; the next line starts there.
    Possible(&'a [u8], usize),
}

impl<'a> Body<'a> {
    /// Finds the first edge; `known` is whether the first line is a header, `None` to detect it.
    pub(crate) fn find(text: Text<'a>, known: Option<bool>) -> std::result::Result<Self, Fault> {
        let mut lines = text.data_lines(0..text.bytes.len());
        let empty = Self { text, start: text.bytes.len(), header: Header::None, weighted: false };
        let Some((mut start, mut line)) = lines.next() else { return Ok(empty) };
        let second = lines.next();
        let mut header = Header::None;
        let likeness = match known {
            Some(true) => First::Header,
            Some(false) => First::Edge,
            None => header_likeness(line),
        };
        match (likeness, second) {
            (First::Header, None) => return Ok(Self { header: Header::Certain(line), ..empty }),
            (First::Header, Some(next)) => {
                header = Header::Certain(line);
                (start, line) = next;
            }
            (First::Either, Some((below, _))) => header = Header::Possible(line, below),
            _ => {}
        }
        let weighted = edge_columns(line, start)?.2.is_some();
        Ok(Self { text, start, header, weighted })
    }

    /// Where lines begin that cannot be a header.
    pub(crate) fn start_below_header(&self) -> usize {
        if let Header::Possible(_, below) = self.header { below } else { self.start }
    }

    /// The columns of a line that has a weight if the others have.
    pub(crate) fn columns(&self, line: &'a [u8], offset: usize) -> std::result::Result<Columns<'a>, Fault> {
        let columns = edge_columns(line, offset)?;
        if columns.2.is_some() == self.weighted { Ok(columns) } else { Err(self.uneven(line, offset)) }
    }

    fn uneven(&self, line: &[u8], offset: usize) -> Fault {
        let expected = if self.weighted {
            "`source target weight` as in the first line (a weight in every line or in none)"
        } else {
            "`source target` as in the first line (a weight in every line or in none)"
        };
        Fault::new(offset, expected, quoted(line))
    }
}

/// Source, target and perhaps weight.
pub(crate) type Columns<'a> = (&'a [u8], &'a [u8], Option<&'a [u8]>);

fn edge_columns(line: &[u8], offset: usize) -> std::result::Result<Columns<'_>, Fault> {
    let ([source, target, third], more) = first_columns(line);
    if more {
        let expected = format!(
            "{LINE}, or a first line that names the columns, such as `source target weight`; cut other columns away"
        );
        return Err(Fault::new(offset, expected, quoted(line)));
    }
    if target.is_empty() {
        return Err(Fault::new(offset, LINE, quoted(line)));
    }
    Ok((source, target, (!third.is_empty()).then_some(third)))
}

/// What the first line may be.
#[derive(PartialEq)]
enum First {
    Header,
    Either,
    Edge,
}

/// Evidence that the first line is a header.
fn header_likeness(line: &[u8]) -> First {
    let ([source, target, third], _) = first_columns(line);
    let lower = |column: &[u8]| String::from_utf8_lossy(column).to_ascii_lowercase();
    if pair_likeness(&lower(source), &lower(target)) == Likeness::Certain {
        return First::Header;
    }
    let starts_like_number =
        |column: &[u8]| column.first().is_none_or(|first| first.is_ascii_digit() || b"+-.".contains(first));
    if starts_like_number(source) || starts_like_number(target) {
        return First::Edge;
    }
    let is_number = |column: &[u8]| lower(column).parse::<f64>().is_ok();
    // A date is neither a number nor a name of a column.
    if starts_like_number(third) || is_number(third) { First::Either } else { First::Header }
}
