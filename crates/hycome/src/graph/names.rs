//! External names of nodes.
//!
//! Internally a node is its row, a [`NodeId`]; externally it has a name, which may be any text. Most published graphs
//! number their nodes, often consecutively, so names are stored in the smallest of three representations: a first
//! number and a count, a list of numbers, or a concatenated text with offsets. The representation is determined by the
//! names alone, hence two `NodeNames` are equal if and only if they hold the same names in the same order.
//!
//! A name is a *number* if it is formatted the way Rust prints a `u64`: `7` is one, `007` and `+7` are not.

use std::borrow::Cow;
use std::collections::HashMap;

use super::NodeId;

/// External name of each node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeNames {
    form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// `first`, `first + 1`, …; `first` is 0 if empty.
    Consecutive { first: u64, count: usize },
    /// Numbers that are not consecutive.
    Numbers(Vec<u64>),
    /// Names that are not all numbers: concatenated text, and the end of each name.
    Texts { text: String, ends: Vec<usize> },
}

impl Default for NodeNames {
    fn default() -> Self {
        Self::numbered(0, 0)
    }
}

impl NodeNames {
    /// Names `first`, `first + 1`, … of `count` nodes.
    ///
    /// ```
    /// let names = hycome::NodeNames::numbered(1, 34);
    /// assert_eq!(names.name(0), "1");
    /// assert_eq!(names.index().get("34"), Some(33));
    /// ```
    #[must_use]
    pub fn numbered(first: u64, count: usize) -> Self {
        let first = if count == 0 { 0 } else { first };
        Self { form: Form::Consecutive { first, count } }
    }

    /// Creates names from numbers.
    #[must_use]
    pub fn from_numbers(numbers: Vec<u64>) -> Self {
        let first = numbers.first().copied().unwrap_or(0);
        let consecutive = numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
        if consecutive { Self::numbered(first, numbers.len()) } else { Self { form: Form::Numbers(numbers) } }
    }

    /// Creates names from strings.
    #[must_use]
    pub fn from_strings(names: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut text = String::new();
        let mut ends = Vec::new();
        let mut numbers = Some(Vec::new());
        for name in names {
            let name = name.as_ref();
            text.push_str(name);
            ends.push(text.len());
            numbers = numbers.zip(number(name)).map(|(mut numbers, number)| {
                numbers.push(number);
                numbers
            });
        }
        match numbers {
            Some(numbers) => Self::from_numbers(numbers),
            None => Self { form: Form::Texts { text, ends } },
        }
    }

    /// Splits `text` at the offsets `ends`; `None` unless they are ascending character boundaries and the last is the
    /// end of the text.
    pub(crate) fn from_text(text: String, ends: Vec<usize>) -> Option<Self> {
        let rises = ends.is_sorted() && ends.last().copied().unwrap_or(0) == text.len();
        if !rises || !ends.iter().all(|&end| text.is_char_boundary(end)) {
            return None;
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let names = || starts.clone().zip(&ends).map(|(start, &end)| &text[start..end]);
        match names().map(number).collect() {
            Some(numbers) => Some(Self::from_numbers(numbers)),
            None => Some(Self { form: Form::Texts { text, ends } }),
        }
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.form {
            Form::Consecutive { count, .. } => *count,
            Form::Numbers(numbers) => numbers.len(),
            Form::Texts { ends, .. } => ends.len(),
        }
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every name is a number, so that "line i is node i" is meaningful.
    #[must_use]
    pub fn are_numbers(&self) -> bool {
        !matches!(self.form, Form::Texts { .. })
    }

    /// Name of `node`.
    #[must_use]
    pub fn name(&self, node: NodeId) -> Cow<'_, str> {
        let node = node as usize;
        assert!(node < self.len(), "node {node} of {} has no name", self.len());
        match &self.form {
            Form::Consecutive { first, .. } => Cow::Owned((first + node as u64).to_string()),
            Form::Numbers(numbers) => Cow::Owned(numbers[node].to_string()),
            Form::Texts { text, ends } => {
                let start = if node == 0 { 0 } else { ends[node - 1] };
                Cow::Borrowed(&text[start..ends[node]])
            }
        }
    }

    /// Iterates over the names in node order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|node| self.name(node as NodeId))
    }

    /// Names of the given nodes, in the given order.
    #[must_use]
    pub(crate) fn subset(&self, nodes: &[NodeId]) -> Self {
        match &self.form {
            Form::Consecutive { first, .. } => {
                Self::from_numbers(nodes.iter().map(|&node| first + u64::from(node)).collect())
            }
            Form::Numbers(numbers) => {
                Self::from_numbers(nodes.iter().map(|&node| numbers[node as usize]).collect())
            }
            Form::Texts { .. } => Self::from_strings(nodes.iter().map(|&node| self.name(node))),
        }
    }

    /// The node of `other` that has the name of each node, if there is one.
    #[must_use]
    pub fn positions_in(&self, other: &Self) -> Vec<Option<NodeId>> {
        let index = other.index();
        self.iter().map(|name| index.get(&name)).collect()
    }

    /// The node of `other` that has the name of each node.
    ///
    /// # Errors
    /// The first node whose name `other` does not have.
    pub fn find_in(&self, other: &Self) -> std::result::Result<Vec<NodeId>, NodeId> {
        if self == other {
            return Ok((0..self.len() as NodeId).collect());
        }
        let index = other.index();
        self.iter().enumerate().map(|(node, name)| index.get(&name).ok_or(node as NodeId)).collect()
    }

    /// Index from names to nodes.
    #[must_use]
    pub fn index(&self) -> NameIndex<'_> {
        let table = match &self.form {
            Form::Consecutive { first, count } => Table::Consecutive { first: *first, count: *count },
            Form::Numbers(numbers) => Table::Numbers(
                numbers.iter().enumerate().rev().map(|(node, &number)| (number, node as NodeId)).collect(),
            ),
            Form::Texts { text, ends } => {
                let mut nodes = HashMap::with_capacity(ends.len());
                let mut start = 0;
                for (node, &end) in ends.iter().enumerate() {
                    nodes.entry(&text[start..end]).or_insert(node as NodeId);
                    start = end;
                }
                Table::Texts(nodes)
            }
        };
        NameIndex { table }
    }
}

/// Index from names to nodes; see [`NodeNames::index`].
#[derive(Clone, Debug)]
pub struct NameIndex<'a> {
    table: Table<'a>,
}

#[derive(Clone, Debug)]
enum Table<'a> {
    Consecutive { first: u64, count: usize },
    Numbers(HashMap<u64, NodeId>),
    Texts(HashMap<&'a str, NodeId>),
}

impl NameIndex<'_> {
    /// Looks up a node by name; the first one if the name is not unique.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<NodeId> {
        match &self.table {
            Table::Consecutive { first, count } => {
                let node = number(name)?.checked_sub(*first)?;
                (node < *count as u64).then_some(node as NodeId)
            }
            Table::Numbers(nodes) => nodes.get(&number(name)?).copied(),
            Table::Texts(nodes) => nodes.get(name).copied(),
        }
    }
}

/// Parses a name that is a number in canonical form.
fn number(name: &str) -> Option<u64> {
    let canonical = name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
    if canonical { name.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equality_is_independent_of_construction() {
        let consecutive = NodeNames::numbered(3, 2);
        assert_eq!(consecutive, NodeNames::from_strings(["3", "4"]));
        assert_eq!(consecutive, NodeNames::from_numbers(vec![3, 4]));
        assert_eq!(consecutive, NodeNames::from_strings(["2", "3", "4", "x"]).subset(&[1, 2]));
        assert_eq!(NodeNames::default(), NodeNames::from_strings([""; 0]));
        assert_ne!(consecutive, NodeNames::from_numbers(vec![4, 3]));
    }

    #[test]
    fn consecutive_numbers_do_not_wrap_around() {
        let last = NodeNames::from_numbers(vec![u64::MAX - 1, u64::MAX]);
        assert_eq!(last, NodeNames::numbered(u64::MAX - 1, 2));
        assert_eq!((last.name(1), last.index().get("0")), ("18446744073709551615".into(), None));
        let around = NodeNames::from_numbers(vec![u64::MAX, 0]);
        assert_eq!((around.name(1), around.index().get("0")), ("0".into(), Some(1)));
    }

    #[test]
    fn only_plain_decimals_are_numbers() {
        for text in ["007", "+7", "-7", "", " 7", "7.0", "18446744073709551616"] {
            assert_eq!(number(text), None, "{text:?}");
        }
        assert_eq!(number("0"), Some(0));
        assert_eq!(number("18446744073709551615"), Some(u64::MAX));
        assert!(!NodeNames::from_strings(["7", "007"]).are_numbers());
    }

    #[test]
    fn offsets_are_character_boundaries_and_cover_the_text() {
        for ends in [vec![1, 3], vec![3, 2, 3], vec![], vec![2], vec![2, 4]] {
            assert_eq!(NodeNames::from_text("éa".to_owned(), ends.clone()), None, "{ends:?}");
        }
        assert_eq!(
            NodeNames::from_text("éa".to_owned(), vec![2, 2, 3]),
            Some(NodeNames::from_strings(["é", "", "a"]))
        );
    }

    #[test]
    fn numbers_beyond_32_bits_are_supported() {
        let names = NodeNames::from_strings(["5", "5000000000"]);
        assert_eq!(names.name(1), "5000000000");
        assert_eq!(names.index().get("5000000000"), Some(1));
        assert_eq!(names.index().get("705032704"), None, "5000000000 modulo 2^32");
    }

    proptest! {
        #[test]
        fn index_inverts_name(names in prop::collection::btree_set("[0-9]{1,2}|[a-cé]{0,3}", 0..20)) {
            let table = NodeNames::from_strings(&names);
            prop_assert!(table.iter().eq(names.iter().map(String::as_str)));
            let ends = names.iter().scan(0, |end, name| { *end += name.len(); Some(*end) }).collect();
            let text: String = names.iter().map(String::as_str).collect();
            prop_assert_eq!(NodeNames::from_text(text, ends), Some(table.clone()));
            let index = table.index();
            for (node, name) in names.iter().enumerate() {
                prop_assert_eq!(index.get(name), Some(node as NodeId));
            }
            prop_assert_eq!(index.get("nobody"), None);
        }
    }
}
