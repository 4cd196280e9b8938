//! Parser of GML, the format of the graphs published by Newman and Adamic.
//!
//! ```text
//! Creator "Mark Newman on Sat Jul 22 05:32:16 2006"
//! graph [
//!   directed 0
//!   node [ id 0 label "BrighamYoung" value 7 ]
//!   edge [ source 1 target 0 ]
//! ]
//! ```
//!
//! Nodes are ordered by `id`. They are called by their `label`; one without is called by its `id`, one that shares its
//! label `label (id)`. The class of a node is its `value`, or the first of [`CLASS_KEYS`] that some node has. The
//! weight of an edge is its `weight`, else its `value`, if that is a number; an edge without one weighs 1.
//! `directed` determines whether an edge and its mirror image are repeats of one another; every other key is ignored.

mod tokens;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::Result;
use crate::graph::{Direction, EdgeList, Labels, NodeId, NodeNames, ReadNote};
use crate::io::formats::text::{Fault, Text, quoted, weight};
use crate::io::read::Parsed;
use tokens::{Token, Tokens};

/// Keys of a node that may hold its class, the first that occurs is taken.
const CLASS_KEYS: [&str; 6] = ["value", "club", "community", "group", "class", "gt"];

/// Reads a graph, and labels if its nodes have classes.
pub(crate) fn parse(text: Text) -> Result<Parsed> {
    text.report(read(text).and_then(RawGraph::finish))
}

fn read(text: Text<'_>) -> std::result::Result<RawGraph<'_>, Fault> {
    let mut tokens = Tokens::new(text);
    let mut graph = None;
    loop {
        match tokens.next()? {
            (offset, Token::Word("graph")) => {
                if graph.is_some() {
                    return Err(Fault::new(offset, "one graph in the file", "a second one"));
                }
                tokens.open("graph")?;
                graph = Some(RawGraph::read(&mut tokens)?);
            }
            (_, Token::Word(_)) => _ = tokens.value()?,
            (offset, Token::End) => {
                return graph.ok_or_else(|| Fault::new(offset, "`graph [`", "the end of the file"));
            }
            (offset, other) => return Err(Fault::new(offset, "a key such as `graph`", other.shown())),
        }
    }
}

/// The nodes and edges as they are written.
#[derive(Default)]
struct RawGraph<'a> {
    direction: Direction,
    nodes: Vec<RawNode<'a>>,
    edges: Vec<RawEdge>,
}

struct RawNode<'a> {
    offset: usize,
    id: i64,
    label: Option<Cow<'a, str>>,
    classes: [Option<Cow<'a, str>>; CLASS_KEYS.len()],
}

struct RawEdge {
    offset: usize,
    source: i64,
    target: i64,
    weight: Option<f32>,
}

impl<'a> RawGraph<'a> {
    fn read(tokens: &mut Tokens<'a>) -> std::result::Result<Self, Fault> {
        let mut graph = Self::default();
        while let Some((offset, key)) = tokens.key_in_list()? {
            match key {
                "node" => graph.nodes.push(RawNode::read(tokens, offset)?),
                "edge" => graph.edges.push(RawEdge::read(tokens, offset)?),
                "directed" => {
                    graph.direction = match tokens.value()?.as_deref() {
                        Some("0") => Direction::Undirected,
                        Some("1") => Direction::Directed,
                        _ => Direction::Unknown,
                    };
                }
                _ => _ = tokens.value()?,
            }
        }
        Ok(graph)
    }

    fn finish(mut self) -> std::result::Result<Parsed, Fault> {
        self.nodes.sort_by_key(|node| node.id);
        if let Some(pair) = self.nodes.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(Fault::new(pair[1].offset, "a node `id` once", format!("{} again", pair[1].id)));
        }
        let places: HashMap<i64, NodeId> = self.nodes.iter().map(|node| node.id).zip(0..).collect();
        let mut pairs = Vec::with_capacity(self.edges.len());
        for edge in &self.edges {
            let place = |id| {
                let expected = "edges between nodes of this graph";
                let fault =
                    || Fault::new(edge.offset, expected, format!("one with node {id}, which is not there"));
                places.get(&id).copied().ok_or_else(fault)
            };
            pairs.push((place(edge.source)?, place(edge.target)?));
        }
        let weighted = self.edges.iter().any(|edge| edge.weight.is_some());
        let weights = weighted.then(|| self.edges.iter().map(|edge| edge.weight.unwrap_or(1.0)).collect());
        let edges = EdgeList { node_count: self.nodes.len(), pairs, weights };
        let (direction, labels) = (self.direction, self.labels());
        let (names, note) = self.names();
        Ok(Parsed { direction, labels, notes: note.into_iter().collect(), ..Parsed::new(edges, names) })
    }

    /// The nodes' labels. A node without one is called by its id, and one that shares its label `label (id)`; if no node
    /// has a label, or these names clash with others, all are called by their ids.
    fn names(&self) -> (NodeNames, Option<ReadNote>) {
        let by_id = || NodeNames::from_strings(self.nodes.iter().map(|node| node.id.to_string()));
        let label = |node: &'_ RawNode<'a>| node.label.clone().filter(|label| !label.is_empty());
        let mut uses: HashMap<Cow<str>, usize> = HashMap::with_capacity(self.nodes.len());
        self.nodes.iter().filter_map(label).for_each(|label| *uses.entry(label).or_default() += 1);
        if uses.is_empty() {
            return (by_id(), None);
        }
        let (mut empty, mut repeated) = (0, 0);
        let names: Vec<Cow<str>> = self
            .nodes
            .iter()
            .map(|node| match label(node) {
                None => {
                    empty += 1;
                    node.id.to_string().into()
                }
                Some(label) if uses[&label] > 1 => {
                    repeated += 1;
                    format!("{label} ({})", node.id).into()
                }
                Some(label) => label,
            })
            .collect();
        let distinct: HashSet<&str> = names.iter().map(AsRef::as_ref).collect();
        if distinct.len() < names.len() {
            return (by_id(), Some(ReadNote::RenamedNodes { empty: names.len(), repeated: 0 }));
        }
        let renamed = empty + repeated > 0;
        (NodeNames::from_strings(&names), renamed.then_some(ReadNote::RenamedNodes { empty, repeated }))
    }

    fn labels(&self) -> Option<Labels> {
        let key =
            (0..CLASS_KEYS.len()).find(|&key| self.nodes.iter().any(|node| node.classes[key].is_some()))?;
        let class = |(place, node): (NodeId, &'_ RawNode<'a>)| Some((place, node.classes[key].clone()?));
        let owned: Vec<(NodeId, Cow<str>)> = (0..).zip(&self.nodes).filter_map(class).collect();
        let pairs: Vec<(NodeId, &str)> =
            owned.iter().map(|(place, class)| (*place, class.as_ref())).collect();
        Some(Labels::from_pairs(self.nodes.len(), &pairs, &[]))
    }
}

impl<'a> RawNode<'a> {
    fn read(tokens: &mut Tokens<'a>, offset: usize) -> std::result::Result<Self, Fault> {
        tokens.open("node")?;
        let mut id = None;
        let mut label = None;
        let mut classes = [const { None }; CLASS_KEYS.len()];
        while let Some((offset, key)) = tokens.key_in_list()? {
            let value = tokens.value()?;
            match key {
                "id" => id = Some(integer(key, value, offset)?),
                "label" => label = value,
                _ => {
                    if let Some(place) = CLASS_KEYS.iter().position(|&other| other == key) {
                        classes[place] = value;
                    }
                }
            }
        }
        let id = id.ok_or_else(|| Fault::new(offset, "a node with an `id`", "one without"))?;
        Ok(Self { offset, id, label, classes })
    }
}

impl RawEdge {
    fn read(tokens: &mut Tokens, offset: usize) -> std::result::Result<Self, Fault> {
        tokens.open("edge")?;
        let (mut source, mut target, mut weighs, mut valued) = (None, None, None, None);
        while let Some((offset, key)) = tokens.key_in_list()? {
            let value = tokens.value()?;
            match key {
                "source" => source = Some(integer(key, value, offset)?),
                "target" => target = Some(integer(key, value, offset)?),
                "weight" => weighs = value.map(|value| (offset, value)),
                "value" => valued = value.map(|value| (offset, value)),
                _ => {}
            }
        }
        let (Some(source), Some(target)) = (source, target) else {
            return Err(Fault::new(offset, "an edge with `source` and `target`", "one without"));
        };
        let is_number = |value: &(usize, Cow<str>)| value.1.parse::<f64>().is_ok();
        let number = weighs.filter(is_number).or(valued.filter(is_number));
        let weight = number.map(|(offset, value)| weight(value.as_bytes(), offset)).transpose()?;
        Ok(Self { offset, source, target, weight })
    }
}

fn integer(key: &str, value: Option<Cow<str>>, offset: usize) -> std::result::Result<i64, Fault> {
    let number = value.as_ref().and_then(|value| value.parse().ok());
    let found = || value.as_ref().map_or("a list".to_owned(), |value| quoted(value.as_bytes()));
    number.ok_or_else(|| Fault::new(offset, format!("a whole number after `{key}`"), found()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::assert_mentions;
    use proptest::prelude::*;
    use std::path::Path;

    fn read(text: &str) -> Parsed {
        parse(Text::new(Path::new("g"), text.as_bytes())).unwrap_or_else(|error| panic!("{error}"))
    }

    fn refusal(text: &str) -> String {
        parse(Text::new(Path::new("g"), text.as_bytes())).expect_err("a fault").to_string()
    }

    #[test]
    fn names_classes_and_weights_are_found() {
        let parsed = read(
            "Creator \"me\"\ngraph\n[\n directed 1 # yes\n node [ id 5 label \"b\" value \"x\" graphics [ x 1 [ y 2 ] ] ]
             node\n[\nid -3\nlabel \"a &amp; c\" club 1 ]\n edge [ source 5 target -3 value 2.5 label \"e\" ]
             edge [ target 5 source -3 ] ]",
        );
        assert_eq!(parsed.names, NodeNames::from_strings(["a & c", "b"]));
        assert_eq!(parsed.edges.pieces[0].pairs, [(1, 0), (0, 1)]);
        assert_eq!(parsed.edges.pieces[0].weights, Some(vec![2.5, 1.0]));
        let labels = parsed.labels.unwrap();
        assert_eq!(
            (labels.class_names(), labels.first_classes()),
            (&["x".to_owned()][..], vec![None, Some(0)])
        );
    }

    #[test]
    fn only_nodes_without_a_label_of_their_own_are_called_otherwise() {
        let repeated = read(
            "graph [ node [ id 1 label \"a\" ] node [ id 2 label \"b\" ] node [ id 3 label \"a\" ] node [ id 4 label \"\" ]
             node [ id 5 ] ]",
        );
        assert_eq!(repeated.names, NodeNames::from_strings(["a (1)", "b", "a (3)", "4", "5"]));
        assert_eq!(repeated.notes, [ReadNote::RenamedNodes { empty: 2, repeated: 2 }]);
        assert_eq!(repeated.labels, None);
        let bare = read("graph [ node [ id 1 ] node [ id 2 ] ]");
        assert_eq!((bare.names, bare.notes), (NodeNames::numbered(1, 2), vec![]));
        let clash = read("graph [ node [ id 1 label \"2\" ] node [ id 2 ] ]");
        assert_eq!(clash.names, NodeNames::numbered(1, 2), "a label that is another node's id");
    }

    #[test]
    fn an_edge_value_that_is_no_number_is_no_weight() {
        assert_eq!(
            read("graph [ node [ id 1 ] edge [ source 1 target 1 value strong ] ]").edges.pieces[0].weights,
            None
        );
    }

    #[test]
    fn an_edge_to_an_unknown_node_is_refused() {
        let message = refusal("graph [\nnode [ id 1 ]\nedge [ source 1\ntarget 2 ]\n]");
        assert_mentions(&message, "g:3: … node 2");
    }

    #[test]
    fn a_node_without_id_is_refused() {
        assert_mentions(&refusal("graph [\nnode [ label \"a\" ]\n]"), "g:2: … `id`");
    }

    #[test]
    fn a_repeated_id_is_refused() {
        let message = refusal("graph [\nnode [ id 1 ]\nnode [ id 1 ]\n]");
        assert_mentions(&message, "g:3: … `id` … 1");
    }

    #[test]
    fn an_id_that_is_no_number_is_refused() {
        let message = refusal("graph [\nnode [ id x ]\n]");
        assert_mentions(&message, "g:2: … \"x\"");
    }

    #[test]
    fn an_edge_without_target_is_refused() {
        let message = refusal("graph [ edge [ source 1 ] ]");
        assert_mentions(&message, "g:1: … `target`");
    }

    #[test]
    fn a_string_without_end_is_refused() {
        let message = refusal("graph [\nnode [ id 1 label \"abc ]\n]\n");
        assert_mentions(&message, "g:2: … `\"` … \"\\\"abc ]\\n]\\n\"");
    }

    #[test]
    fn brackets_without_partner_are_refused() {
        assert_mentions(&refusal("graph [\nnode [ id 1 ]\n"), "g:3: … `]`");
        assert_mentions(&refusal("graph [ ]\n]"), "g:2: … `]`");
        assert_mentions(&refusal("graph 1"), "g:1: … \"1\"");
        assert_mentions(&refusal("graph [ node [ id ] ]"), "g:1: … `]`");
    }

    #[test]
    fn lists_too_deep_are_refused() {
        let message = refusal(&format!("a {}", "[ a ".repeat(100_000)));
        assert_mentions(&message, "g:1: … 64 deep");
    }

    #[test]
    fn a_file_without_graph_or_with_two_is_refused() {
        assert_mentions(&refusal("Creator \"me\"\n"), "g:2: … `graph [`");
        assert_mentions(&refusal("graph [ ]\ngraph [ ]"), "g:2: … a second one");
    }

    #[test]
    fn weights_no_edge_can_have_are_refused() {
        let message = refusal("graph [ node [ id 1 ]\nedge [ source 1 target 1 weight -2 ] ]");
        assert_mentions(&message, "g:2: … \"-2\"");
        let message = refusal("graph [ node [ id 1 ]\nedge [ source 1 target 1 value NaN ] ]");
        assert_mentions(&message, "g:2: … \"NaN\"");
    }

    proptest! {
        #[test]
        fn anything_like_gml_is_read_or_refused(
            words in prop::collection::vec(prop::sample::select(
                vec!["graph", "[", "]", "node", "edge", "id", "1", "2", "source", "target", "\"", "#", "\n", "é", "value"],
            ), 0..60),
        ) {
            let _ = parse(Text::new(Path::new("g"), words.join(" ").as_bytes()));
        }
    }
}
