//! Header detection: whether a first line names columns, and which columns are source, target and weight.

use crate::io::formats::table::plain_word;

/// Names of two columns that are the ends of an edge, without case and punctuation. The first [`CERTAIN`] are never
/// those of nodes.
const PAIRS: [(&str, &str); 14] = [
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("follower", "followee"),
    ("citing", "cited"),
    ("user", "item"),
    ("head", "tail"),
    ("start", "end"),
    ("parent", "child"),
    ("caller", "callee"),
    ("interactora", "interactorb"),
];

/// The first of [`PAIRS`], up to this number, make a header even if their words occur again below.
const CERTAIN: usize = 6;

/// Suffixes in which two otherwise equal names may differ, such as `protein1` and `protein2`.
const NUMBERS: [(&str, &str); 6] = [("1", "2"), ("0", "1"), ("a", "b"), ("x", "y"), ("i", "j"), ("u", "v")];

/// Longest name of a column, in bytes.
const LONGEST_NAME: usize = 256;

/// How likely two names are those of the columns of an edge list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// They are not.
    No,
    /// They differ as the names of two columns do, but nodes may be called so too.
    Likely,
    /// They are words for the ends of an edge.
    Certain,
}

/// Whether two names are those of columns.
pub(crate) fn pair_likeness(first: &str, second: &str) -> Likeness {
    if first.len().max(second.len()) > LONGEST_NAME {
        return Likeness::No;
    }
    let (first, second) = (plain_word(first), plain_word(second));
    if let Some(place) = PAIRS.iter().position(|pair| *pair == (first.as_str(), second.as_str())) {
        return if place < CERTAIN { Likeness::Certain } else { Likeness::Likely };
    }
    let (a, b): (Vec<char>, Vec<char>) = (first.chars().collect(), second.chars().collect());
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(x, y)| x == y).count();
    let rest = |name: &[char]| name[start..name.len() - end].iter().collect::<String>();
    let (rest_a, rest_b) = (rest(&a), rest(&b));
    let common = a[..start].iter().chain(&a[a.len() - end..]);
    let letters = common.filter(|c| c.is_alphabetic()).count();
    if letters >= 2 && PAIRS.contains(&(&rest_a, &rest_b)) {
        return Likeness::Certain; // `from_node` and `to_node`
    }
    // Common letters may be part of the words: `user_from` and `user_to`.
    let ends = |x: &str, y: &str| first.ends_with(x) && second.ends_with(y) && first.len() > x.len();
    let starts = |x: &str, y: &str| first.starts_with(x) && second.starts_with(y) && first.len() > x.len();
    let affix = |(x, y): &(&str, &str)| {
        (ends(x, y) && first[..first.len() - x.len()] == second[..second.len() - y.len()])
            || (starts(x, y) && first[x.len()..] == second[y.len()..])
    };
    if PAIRS.iter().any(affix) {
        return Likeness::Certain;
    }
    if letters >= 2 && NUMBERS.contains(&(&rest_a, &rest_b)) { Likeness::Likely } else { Likeness::No }
}

/// Names for two nodes of one kind that are too common as words to recognise a header by.
const SAME_KIND: [(&str, &str); 7] = [
    ("node", "neighbor"),
    ("node", "neighbour"),
    ("ego", "alter"),
    ("row", "col"),
    ("row", "column"),
    ("user", "friend"),
    ("person", "friend"),
];

/// Longest prefix or suffix, in bytes, by which names of one kind differ, such as `author` and `coauthor`.
const LONGEST_AFFIX: usize = 3;

/// Whether two columns of an edge list are called after different kinds of nodes, as `user` and `item` are.
pub(crate) fn are_different_kinds(source: &str, target: &str) -> bool {
    let (source_word, target_word) = (plain_word(source), plain_word(target));
    let (a, b) = (source_word.as_str(), target_word.as_str());
    let is_word = |name: &str| name.chars().filter(|c| c.is_alphabetic()).count() >= 3; // `a` and `b` are too short
    let has_affix =
        |long: &str, short: &str| long.contains(short) && long.len() - short.len() <= LONGEST_AFFIX;
    let is_pair = |first: &str, second: &str| pair_likeness(first, second) != Likeness::No;
    let are_alike = is_pair(source, target)
        || is_pair(target, source)
        || SAME_KIND.iter().any(|&pair| pair == (a, b) || pair == (b, a))
        || has_affix(a, b)
        || has_affix(b, a);
    matches!((a, b), ("user", "item") | ("item", "user")) || (!are_alike && is_word(a) && is_word(b))
}

/// Words for the weight of an edge.
const WEIGHTS: [&str; 14] = [
    "weight",
    "weights",
    "w",
    "combinedscore",
    "score",
    "value",
    "count",
    "counts",
    "strength",
    "similarity",
    "frequency",
    "freq",
    "rating",
    "n",
];

/// Words for a point in time.
const TIMES: [&str; 8] = ["time", "timestamp", "unixtime", "date", "datetime", "year", "ts", "createdat"];

/// Whether a name is that of a column of times.
pub(crate) fn is_time(name: &str) -> bool {
    TIMES.contains(&plain_word(name).as_str())
}

/// Which of [`WEIGHTS`] a column is called, if it is one.
fn weight_rank(name: &str) -> Option<usize> {
    WEIGHTS.iter().position(|word| *word == plain_word(name))
}

/// Whether a column is called a weight.
pub(crate) fn is_weight(name: &str) -> bool {
    weight_rank(name).is_some()
}

/// Source and target are searched among this many columns, as the search is quadratic.
const MAX_NAMES: usize = 100;

/// Source, target and perhaps weight among the named columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeColumns {
    pub source: usize,
    pub target: usize,
    pub weight: Option<usize>,
}

impl EdgeColumns {
    /// The columns that a header names, and how likely that is; considers the first [`MAX_NAMES`] names.
    pub(crate) fn named(names: &[String]) -> Option<(Self, Likeness)> {
        let names = &names[..names.len().min(MAX_NAMES)];
        let pairs =
            (0..names.len()).flat_map(|i| (0..names.len()).map(move |j| (i, j))).filter(|(i, j)| i != j);
        let judged = pairs.map(|(i, j)| (pair_likeness(&names[i], &names[j]), i, j));
        let best = judged.max_by_key(|&(likeness, i, j)| (likeness, std::cmp::Reverse((i, j))))?;
        let (likeness, source, target) = best;
        if likeness == Likeness::No {
            return None;
        }
        let free = |&i: &usize| i != source && i != target;
        let rank = |i: &usize| weight_rank(&names[*i]);
        let weight = (0..names.len()).filter(free).filter(|i| rank(i).is_some()).min_by_key(|i| rank(i));
        Some((Self { source, target, weight }, likeness))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_told_from_names_of_nodes() {
        for (a, b) in [
            ("Source", "Target"),
            ("user_from", "user_to"),
            ("from_node", "to_node"),
            ("FromNodeId", "ToNodeId"),
        ] {
            assert_eq!(pair_likeness(a, b), Likeness::Certain, "{a} {b}");
        }
        for (a, b) in
            [("Gene_A", "Gene_B"), ("person_a", "person_b"), ("protein1", "protein2"), ("id_1", "id_2")]
        {
            assert_eq!(pair_likeness(a, b), Likeness::Likely, "{a} {b}");
        }
        for (a, b) in
            [("a", "b"), ("1", "2"), ("n1", "n2"), ("11", "12"), ("TP53", "BRCA1"), ("é1", "é2"), ("", "")]
        {
            assert_eq!(pair_likeness(a, b), Likeness::No, "{a} {b}");
        }
    }

    #[test]
    fn names_of_columns_reveal_kinds_of_nodes() {
        for (a, b) in [
            ("user", "item"),
            ("Item", "User"),
            ("customer_id", "product_id"),
            ("Actor", "Movie"),
            ("user", "user group"),
        ] {
            assert!(are_different_kinds(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("author", "coauthor"),
            ("user", "user.1"),
            ("Node", "Neighbour"),
            ("row", "col"),
            ("user_id", "user_id"),
            ("protein1", "protein2"),
            ("source", "target"),
            ("a", "b"),
        ] {
            assert!(!are_different_kinds(a, b) && !are_different_kinds(b, a), "{a} {b}");
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        let names = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let (columns, _) = EdgeColumns::named(&names("protein1,protein2,combined_score,source")).unwrap();
        assert_eq!(columns, EdgeColumns { source: 0, target: 1, weight: Some(2) });
        let (columns, _) = EdgeColumns::named(&names("weight,id,from,to")).unwrap();
        assert_eq!(columns, EdgeColumns { source: 2, target: 3, weight: Some(0) });
        assert_eq!(EdgeColumns::named(&names("a,b,c,d")), None);
    }
}
