//! Parser of edge lists that are tables: quoted fields, names with spaces, semicolons, more than three columns.
//!
//! Slower than [`crate::io::formats::edge_list`], which reads everything else; the graph of a file that both can read is the same.

use std::collections::HashMap;

use crate::Result;
use crate::graph::{ColumnsRead, ReadNote};
use crate::graph::{EdgeList, NodeId, NodeNames};
use crate::io::formats::header::{EdgeColumns, Likeness, is_time, is_weight};
use crate::io::formats::table::{Delimiter, ONE_LINE_NAME, for_each_row, spans_lines};
use crate::io::formats::text::{Fault, Text, is_plain_integer, quoted, weight};
use crate::io::read::Parsed;

/// Lines that are inspected to decide whether a file needs this reader.
const INSPECTED_LINES: usize = 1000;

/// The delimiter, if a file can be read as a table only.
pub(crate) fn needed(text: Text<'_>) -> Option<Delimiter> {
    let delimiter = Delimiter::of(text, false);
    let lines = || text.data_lines(0..text.bytes.len()).map(|(_, line)| line).take(INSPECTED_LINES);
    let first = delimiter.split(lines().next()?);
    let Delimiter::Byte(byte) = delimiter else {
        // Columns between spaces can be chosen by a header only.
        let named = EdgeColumns::named(&first).is_some();
        let chosen = first.len() > 3 || first.get(2).is_some_and(|third| is_time(third));
        return (named && chosen).then_some(delimiter);
    };
    let has_space = |line: &[u8]| {
        let field = |field: &[u8]| {
            let field = field.trim_ascii();
            memchr::memchr(b' ', field).is_some() || (byte == b'\t' && memchr::memchr(b',', field).is_some())
        };
        line.split(|&other| other == byte).any(field)
    };
    let is_empty =
        |line: &[u8]| line.split(|&other| other == byte).any(|field| field.trim_ascii().is_empty());
    let third_is_no_weight = first.len() == 3 && EdgeColumns::named(&first).is_some() && {
        let below = lines().nth(1).map(|line| delimiter.split(line)).unwrap_or_default();
        is_time(&first[2]) || below.get(2).is_none_or(|third| third.parse::<f64>().is_err())
    };
    let odd_order = EdgeColumns::named(&first).is_some_and(|(columns, likeness)| {
        likeness == Likeness::Certain && (columns.source, columns.target) != (0, 1)
    });
    let needed = byte == b';'
        || memchr::memchr(b'"', text.bytes).is_some()
        || first.len() > 3
        || third_is_no_weight
        || odd_order
        || lines().any(|line| has_space(line) || is_empty(line));
    needed.then_some(delimiter)
}

/// The edges of a table; `header` is whether the first line is a header, `None` to detect it.
pub(crate) fn parse(text: Text<'_>, delimiter: Delimiter, header: Option<bool>) -> Result<Parsed> {
    text.report(read(text, delimiter, header))
}

#[derive(Default)]
struct Interner {
    ids: HashMap<String, NodeId>,
}

impl Interner {
    fn id(&mut self, name: &str) -> NodeId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = self.ids.len() as NodeId;
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The names in the order of all edge lists, and the place of each id there.
    fn ranked(self) -> (NodeNames, Vec<NodeId>) {
        let mut names: Vec<(String, NodeId)> = self.ids.into_iter().collect();
        if names.iter().all(|(name, _)| is_plain_integer(name)) {
            names.sort_unstable_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
        } else {
            names.sort_unstable();
        }
        let mut ranks = vec![0; names.len()];
        for (rank, (_, id)) in names.iter().enumerate() {
            ranks[*id as usize] = rank as NodeId;
        }
        (NodeNames::from_strings(names.iter().map(|(name, _)| name)), ranks)
    }
}

fn read(text: Text<'_>, delimiter: Delimiter, header: Option<bool>) -> std::result::Result<Parsed, Fault> {
    let mut lines = Rows { header, ..Rows::default() };
    for_each_row(text, delimiter, |offset, row| lines.row(offset, row, delimiter))?;
    lines.finish(delimiter)
}

#[derive(Default)]
struct Rows {
    /// Whether the first line is a header, `None` to detect it.
    header: Option<bool>,
    columns: Option<EdgeColumns>,
    /// The first line while it may be a header.
    possible: Option<(usize, Vec<String>)>,
    found_header: Option<Vec<String>>,
    width: usize,
    names: Interner,
    pairs: Vec<(NodeId, NodeId)>,
    weights: Option<Vec<f32>>,
    notes: Vec<ReadNote>,
}

impl Rows {
    fn row(
        &mut self,
        offset: usize,
        row: &csv::StringRecord,
        delimiter: Delimiter,
    ) -> std::result::Result<(), Fault> {
        if self.columns.is_none() {
            return self.first(offset, row.iter().map(str::to_owned).collect(), delimiter);
        }
        self.edge(offset, row)
    }

    /// The first line decides which columns are read.
    fn first(
        &mut self,
        offset: usize,
        fields: Vec<String>,
        delimiter: Delimiter,
    ) -> std::result::Result<(), Fault> {
        let named = EdgeColumns::named(&fields).filter(|_| self.header != Some(false));
        self.width = fields.len();
        let plain = EdgeColumns { source: 0, target: 1, weight: (self.width == 3).then_some(2) };
        let is_number = |field: &String| field.parse::<f64>().is_ok();
        let no_number = !fields.iter().any(is_number);
        let third_word = self.width == 3 && fields[2].starts_with(char::is_alphabetic) && no_number;
        match named {
            Some((columns, Likeness::Certain)) => {
                // Of three columns the third is the weight, unless it is called a time or, as an index, nothing.
                let third = (0..3).find(|&i| i != columns.source && i != columns.target);
                let is_no_weight = |name: &str| name.is_empty() || is_time(name);
                let third = third.filter(|&i| self.width == 3 && !is_no_weight(&fields[i]));
                self.columns = Some(EdgeColumns { weight: columns.weight.or(third), ..columns });
                self.found_header = Some(fields);
            }
            Some((columns, Likeness::Likely))
                if self.width > 3 || (columns.source, columns.target) != (0, 1) =>
            {
                self.columns = Some(columns);
                self.found_header = Some(fields);
            }
            _ if self.width > 3 => return Err(too_wide(offset, &fields, delimiter)),
            _ if self.width < 2 => return Err(Fault::new(offset, LINE, quoted(fields.join(" ").as_bytes()))),
            _ if self.header == Some(true) || (self.header.is_none() && third_word) => {
                let timed = self.width == 3 && is_time(&fields[2]);
                self.columns = Some(EdgeColumns { weight: plain.weight.filter(|_| !timed), ..plain });
                self.found_header = Some(fields);
            }
            _ => {
                self.columns = Some(plain);
                self.weights = plain.weight.map(|_| Vec::new());
                if self.header.is_none() && no_number {
                    self.possible = Some((offset, fields));
                } else {
                    return self.edge(offset, &fields.into());
                }
            }
        }
        self.weights = self.columns.and_then(|columns| columns.weight).map(|_| Vec::new());
        Ok(())
    }

    fn edge(&mut self, offset: usize, row: &csv::StringRecord) -> std::result::Result<(), Fault> {
        let Some(columns) = self.columns else { return Ok(()) };
        let fault = |expected: String| {
            Fault::new(offset, expected, quoted(row.iter().collect::<Vec<_>>().join(" | ").as_bytes()))
        };
        if row.len() != self.width {
            return Err(fault(format!("{} columns as in the first line", self.width)));
        }
        let (source, target) = (&row[columns.source], &row[columns.target]);
        if source.is_empty() || target.is_empty() {
            return Err(fault("a source and a target".to_owned()));
        }
        if [source, target].iter().any(|name| spans_lines(name)) {
            return Err(fault(ONE_LINE_NAME.to_owned()));
        }
        if let (Some(column), false) = (columns.weight, self.weights.is_none()) {
            let header = self.found_header.as_ref();
            let is_unnamed = header.is_some_and(|names| !is_weight(&names[column]));
            // A column that the header does not call a weight and that holds words is none.
            if is_unnamed && self.pairs.is_empty() && row[column].parse::<f64>().is_err() {
                self.weights = None;
                self.columns = Some(EdgeColumns { weight: None, ..columns });
            } else {
                let value = weight(row[column].as_bytes(), offset)
                    .map_err(|fault| decimal_comma(fault, &row[column]))?;
                self.weights.get_or_insert_default().push(value);
            }
        }
        if self.names.ids.len() > u32::MAX as usize - 2 {
            return Err(fault("at most 4294967295 different nodes".to_owned()));
        }
        let pair = (self.names.id(source), self.names.id(target));
        self.pairs.push(pair);
        Ok(())
    }

    /// Decides about a first line that may be a header, and orders the names.
    fn finish(mut self, delimiter: Delimiter) -> std::result::Result<Parsed, Fault> {
        if let Some((offset, fields)) = self.possible.take() {
            let known = |name: &String| self.names.ids.contains_key(name);
            let alone =
                !known(&fields[0]) && !known(&fields[1]) && fields[0] != fields[1] && !self.pairs.is_empty();
            let numbers = self.names.ids.keys().all(|name| is_plain_integer(name));
            let likely = EdgeColumns::named(&fields).is_some();
            if alone && (numbers || likely) {
                self.found_header = Some(fields);
            } else {
                if alone && self.pairs.len() >= AMBIGUOUS {
                    self.notes.push(ReadNote::PossibleHeader { line: delimiter.quoted(&fields) });
                }
                self.edge(offset, &fields.into())?;
            }
        }
        let (names, ranks) = self.names.ranked();
        self.pairs.iter_mut().for_each(|(u, v)| (*u, *v) = (ranks[*u as usize], ranks[*v as usize]));
        let edges = EdgeList { node_count: names.len(), pairs: self.pairs, weights: self.weights };
        let columns =
            self.columns.map(|columns| columns_read(&columns, self.width, self.found_header.as_deref()));
        let header = self.found_header.map(|fields| delimiter.quoted(&fields));
        Ok(Parsed { header, columns, notes: self.notes, ..Parsed::new(edges, names) })
    }
}

/// A first line that may be a header is mentioned in lists of this many other lines.
pub(crate) const AMBIGUOUS: usize = 8;

/// What a line should be, for messages.
const LINE: &str = "`source target` or `source target weight`";

/// The fault of a weight that has a comma where a point is expected, as spreadsheets of many countries write it.
fn decimal_comma(mut fault: Fault, cell: &str) -> Fault {
    if cell.replacen(',', ".", 1).parse::<f64>().is_ok() {
        fault.found.push_str("; write decimals with a point");
    }
    fault
}

/// Roles of the columns.
pub(crate) fn columns_read(columns: &EdgeColumns, width: usize, header: Option<&[String]>) -> ColumnsRead {
    let name = |i: usize| match header.and_then(|header| header.get(i)) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("column {}", i + 1),
    };
    let mut used = vec![("source", name(columns.source)), ("target", name(columns.target))];
    used.extend(columns.weight.map(|weight| ("weight", name(weight))));
    let is_used =
        |i: &usize| [Some(columns.source), Some(columns.target), columns.weight].contains(&Some(*i));
    ColumnsRead { used, ignored: (0..width).filter(|i| !is_used(i)).map(name).collect() }
}

fn too_wide(offset: usize, fields: &[String], delimiter: Delimiter) -> Fault {
    let expected = format!(
        "{LINE}, or a first line between {} that names the columns, such as `source,target,weight`; cut other columns away",
        delimiter.name()
    );
    Fault::new(
        offset,
        expected,
        format!("{} columns, {}", fields.len(), quoted(fields.join(" | ").as_bytes())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::formats::edge_list;
    use std::path::Path;

    fn read(text: &str) -> Parsed {
        edge_list::parse(Text::new(Path::new("e.csv"), text.as_bytes()), None, None).unwrap()
    }

    fn names(parsed: &Parsed) -> Vec<String> {
        parsed.names.iter().map(|name| name.into_owned()).collect()
    }

    #[test]
    fn quotes_spaces_and_semicolons_are_those_of_a_table() {
        assert_eq!(names(&read("\"TP53\",\"BRCA1\"\n\"BRCA1\",\"MDM2\"\n")), ["BRCA1", "MDM2", "TP53"]);
        let parsed = read("\"Valjean, Jean\",Cosette,3\nCosette,Marius,2\n");
        assert_eq!(names(&parsed), ["Cosette", "Marius", "Valjean, Jean"]);
        assert_eq!(
            names(&read("Jean Valjean,Cosette\nCosette,Marius\n")),
            ["Cosette", "Jean Valjean", "Marius"]
        );
        assert_eq!(names(&read("a;b;1\nb;c;2\n")), ["a", "b", "c"]);
    }

    #[test]
    fn headers_name_columns_and_are_no_edges() {
        for header in ["Gene_A,Gene_B", "person_a,person_b", "user_from,user_to", "Source,Target"] {
            for body in ["TP53,BRCA1\nBRCA1,MDM2\n", "\"TP53\",\"BRCA1\"\nBRCA1,MDM2\n"] {
                let parsed = read(&format!("{header}\n{body}"));
                assert_eq!(names(&parsed), ["BRCA1", "MDM2", "TP53"], "{header}");
                assert_eq!(parsed.header, Some(format!("\"{header}\"")));
            }
        }
        assert_eq!(read("Source;Target\na;b\n").header, Some("\"Source;Target\"".to_owned()));
        let wide = read("protein1,protein2,combined_score,source\na,b,900,x\nb,c,400,y\n");
        assert_eq!(names(&wide), ["a", "b", "c"]);
        let columns = wide.columns.unwrap().to_string();
        assert_eq!(
            columns,
            "source=protein1, target=protein2, weight=combined_score; 1 column ignored: source"
        );
        let timed = read("source,target,timestamp\n1,2,1200000000\n2,3,1200000001\n");
        assert_eq!(
            (timed.edges.joined().weights, timed.columns.unwrap().ignored),
            (None, vec!["timestamp".to_owned()])
        );
    }

    #[test]
    fn a_column_that_is_called_a_weight_holds_weights() {
        let refusal = |text: &str| {
            let text = Text::new(Path::new("e.csv"), text.as_bytes());
            edge_list::parse(text, None, None).unwrap_err().to_string()
        };
        let message = refusal("source,target,weight\na,b,\nb,c,2\n");
        assert!(message.starts_with("e.csv:2: expected a weight"), "{message}");
        let message = refusal("protein1;protein2;score\na;b;0,5\nb;c;1,5\n");
        assert!(message.ends_with("found \"0,5\"; write decimals with a point"), "{message}");
        let kinds = read("source,target,kind\na,b,friend\nb,c,\n");
        assert_eq!(kinds.columns.unwrap().ignored, ["kind"]);
    }

    #[test]
    fn an_index_column_without_a_name_is_no_weight() {
        let parsed = read(",source,target\n0,a,b\n1,b,c\n");
        assert_eq!(
            parsed.columns.unwrap().to_string(),
            "source=source, target=target; 1 column ignored: column 1"
        );
        assert_eq!(parsed.edges.joined().weights, None);
    }

    #[test]
    fn a_row_with_a_date_or_without_its_weight_is_no_header() {
        let refusal = |text: &str| {
            edge_list::parse(Text::new(Path::new("e.tsv"), text.as_bytes()), None, None)
                .unwrap_err()
                .to_string()
        };
        assert!(refusal("a\tb\t\nb\tc\t3\n").contains("a weight in every line or in none"));
        for text in ["a,b,2001-02-03\nb,c,2002-02-03\n", "a a,b,2001-02-03\nb,c,2002-02-03\n"] {
            let message = refusal(text);
            assert!(message.contains("expected a weight") && message.contains("-02-03"), "{message}");
        }
    }

    #[test]
    fn a_quote_that_is_not_closed_is_refused() {
        let refusal = |text: &str| {
            edge_list::parse(Text::new(Path::new("e.csv"), text.as_bytes()), None, None)
                .unwrap_err()
                .to_string()
        };
        for text in
            ["a,\"b\nb,c\nc,d\n", "a,b\n\"b,c\n\"c,d\n", "source,target,note\na,b,\"x\nb,c,y\nc,d,z\n"]
        {
            let message = refusal(text);
            assert!(message.contains("quote"), "{text:?}: {message}");
        }
        let closed = read("source,target,note\na,b,\"two\nlines, at least\"\nb,c,y\n");
        assert_eq!(names(&closed), ["a", "b", "c"]);
    }

    #[test]
    fn communities_of_a_run_are_no_edges() {
        let text = Text::new(Path::new("c.tsv"), b"node\tcommunity\tprobability\n1\t0\t0.9\n2\t1\t0.8\n");
        let message = edge_list::parse(text, None, None).unwrap_err().to_string();
        assert!(message.contains("expected edges, found the communities"), "{message}");
    }

    #[test]
    fn a_header_far_below_is_refused() {
        let refusal = |text: &str| {
            edge_list::parse(Text::new(Path::new("e.csv"), text.as_bytes()), None, None)
                .unwrap_err()
                .to_string()
        };
        for text in [
            "source,target\na,b\nsource,target\nb,c\n",
            "source,target\n1,2\r\nsource,target\r\n2,3\r\n",
            "source,target\n\"a a\",b\nsource,target",
        ] {
            let message = refusal(text);
            assert!(message.starts_with("e.csv:3: expected one header"), "{message}");
        }
        assert_eq!(read("source,target\na,source\ntarget,a\n").names.len(), 3);
    }

    #[test]
    fn a_header_can_be_asserted_or_denied() {
        let read = |text: &str, header| {
            edge_list::parse(Text::new(Path::new("e.csv"), text.as_bytes()), None, Some(header)).unwrap()
        };
        assert_eq!(names(&read("foo,bar\na,b\nb,c\n", true)), ["a", "b", "c"]);
        assert_eq!(names(&read("source,target\na,b\n", false)), ["a", "b", "source", "target"]);
        assert_eq!(names(&read("foo,bar\na b,b\nb,c\n", true)), ["a b", "b", "c"]);
    }
}
