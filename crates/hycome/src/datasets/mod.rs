//! Benchmark datasets: four small labelled graphs compiled in, and a manifest of larger ones to download.
//!
//! | name | nodes | edges | classes |
//! |---|---|---|---|
//! | `karate` | 34 members of a club | 78 friendships | 2 clubs after the split |
//! | `books` | 105 books on politics | 441 pairs bought together | 3 leanings |
//! | `football` | 115 college teams | 613 games | 12 conferences |
//! | `polblogs` | 1,490 blogs, 266 of them isolated | 16,715 pairs, from 19,090 links | 2 leanings |
//!
//! Each graph is two tab-separated text files in this folder: `NAME.nodes` with lines `id name class`, ids counting
//! from 0, and `NAME.edges` with lines `id id`; `#` starts a comment. The rows are those of the source, including self
//! loops and repeats; building the graph removes them and reports their number. `tools/make_builtin_data.py` writes
//! the files, and `docs/reference/datasets.md` documents their sources.
//!
//! [`MANIFEST`] lists these graphs together with larger public ones, which have to be downloaded.

mod manifest;

pub use manifest::{Dataset, DatasetFiles, MANIFEST, PublishedFile, dataset};

use crate::{
    graph::{Direction, EdgeList, Graph, Labels, NodeId, NodeNames, RepeatedEdges},
    io::LoadedGraph,
    metrics::GroundTruth,
};

/// Merging of repeated edges in the public graphs: published results use simple graphs.
const PUBLISHED: RepeatedEdges = RepeatedEdges::Max;

/// A dataset compiled into the library.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub title: &'static str,
    /// Reference to cite.
    pub citation: &'static str,
    /// Package that the copy was made from.
    pub origin: &'static str,
    /// Text of `NAME.nodes`.
    pub nodes: &'static str,
    /// Text of `NAME.edges`.
    pub edges: &'static str,
}

/// Parsed contents of a [`Builtin`]; node `i` is entry `i` of `names` and `classes`.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// Name of each node; may contain spaces.
    pub names: Vec<String>,
    /// Class of each node.
    pub classes: Vec<&'static str>,
    /// Edges of the source, including self loops and repeats.
    pub edges: Vec<(NodeId, NodeId)>,
}

/// All built-in datasets, smallest first.
pub static ALL: [Builtin; 4] = [KARATE, BOOKS, FOOTBALL, POLBLOGS];

const KARATE: Builtin = Builtin {
    name: "karate",
    title: "Zachary's karate club: friendships between 34 members, and the club each joined after the split",
    citation: "W. W. Zachary, An information flow model for conflict and fission in small groups, \
               Journal of Anthropological Research 33, 452-473 (1977)",
    origin: "PyPI networkx 3.6.1, karate_club_graph() without its weights",
    nodes: include_str!("karate.nodes"),
    edges: include_str!("karate.edges"),
};

const BOOKS: Builtin = Builtin {
    name: "books",
    title: "Books on US politics from around the election of 2004, joined if often bought together",
    citation: "V. Krebs, Books about US politics, unpublished, http://www.orgnet.com/; \
               leanings assigned by M. E. J. Newman",
    origin: "Debian python3-graph-tool 2.45, collection/polbooks.gt.gz",
    nodes: include_str!("books.nodes"),
    edges: include_str!("books.edges"),
};

const FOOTBALL: Builtin = Builtin {
    name: "football",
    title: "American college football: games between 115 teams in autumn 2000, and their conferences",
    citation: "M. Girvan and M. E. J. Newman, Community structure in social and biological networks, \
               Proc. Natl. Acad. Sci. USA 99, 7821-7826 (2002)",
    origin: "PyPI nxviz 0.9.0, docs/data/football.gml",
    nodes: include_str!("football.nodes"),
    edges: include_str!("football.edges"),
};

const POLBLOGS: Builtin = Builtin {
    name: "polblogs",
    title: "Links between 1,490 blogs on US politics in 2005, liberal and conservative",
    citation: "L. A. Adamic and N. Glance, The political blogosphere and the 2004 US election: divided \
               they blog, Proc. 3rd International Workshop on Link Discovery, 36-43 (2005)",
    origin: "Debian python3-graph-tool 2.45, collection/polblogs.gt.gz",
    nodes: include_str!("polblogs.nodes"),
    edges: include_str!("polblogs.edges"),
};

/// Looks up a built-in dataset by name; `polbooks` is an alias of `books`.
///
/// ```
/// let karate = hycome::datasets::builtin("karate").expect("karate is built in");
/// assert_eq!(karate.graph().edge_count(), 78);
/// assert!(hycome::datasets::builtin("facebook").is_none());
/// ```
#[must_use]
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    let name = if name == "polbooks" { "books" } else { name };
    ALL.iter().find(|builtin| builtin.name == name)
}

impl Builtin {
    /// Parses names, classes and edges.
    #[must_use]
    pub(crate) fn parse(&self) -> Parsed {
        let (names, classes) = rows(self.nodes)
            .map(|row| {
                let (_, name_and_class) = row.split_once('\t').expect("a node has an id");
                let (name, class) = name_and_class.split_once('\t').expect("a node has a class");
                (name.to_string(), class)
            })
            .unzip();
        let edges = rows(self.edges)
            .map(|row| {
                let (source, target) = row.split_once('\t').expect("an edge has two ends");
                (source.parse().expect("an end is an id"), target.parse().expect("an end is an id"))
            })
            .collect();
        Parsed { names, classes, edges }
    }

    /// Undirected simple graph: self loops and repeats removed, isolated nodes kept.
    #[must_use]
    pub fn graph(&self) -> Graph {
        self.load().graph
    }

    /// Graph with names, labels and build statistics, as if read from a file.
    #[must_use]
    pub fn load(&self) -> LoadedGraph {
        self.load_with(PUBLISHED)
    }

    /// [`Builtin::load`] with another merging of repeated edges.
    #[must_use]
    pub(crate) fn load_with(&self, repeated: RepeatedEdges) -> LoadedGraph {
        let Parsed { names, classes, edges } = self.parse();
        let rows = edges.len();
        let edges = EdgeList { node_count: names.len(), pairs: edges, weights: None };
        let (graph, cleaning) = edges.build_with(repeated, Direction::Unknown);
        let pairs: Vec<(NodeId, &str)> = (0..).zip(classes).collect();
        let labels = Some(Labels::from_pairs(names.len(), &pairs, &[]));
        let names = NodeNames::from_strings(names);
        LoadedGraph {
            name: self.name.to_owned(),
            graph,
            names,
            labels,
            rows,
            stats: cleaning,
            header: None,
            format: "built in",
            columns: None,
            notes: Vec::new(),
        }
    }

    /// Classes as ground truth for the metrics, numbered in order of first occurrence.
    #[must_use]
    pub fn truth(&self) -> GroundTruth {
        let mut seen: Vec<&str> = Vec::new();
        let mut number = |class| match seen.iter().position(|&other| other == class) {
            Some(id) => id as u32,
            None => {
                seen.push(class);
                seen.len() as u32 - 1
            }
        };
        GroundTruth::single(&self.parse().classes.into_iter().map(&mut number).collect::<Vec<u32>>())
    }
}

/// Lines that are not comments.
fn rows(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Number of nodes, rows, edges and self loops, and the class sizes in descending order.
    fn counts(name: &str) -> (usize, usize, usize, usize, Vec<usize>) {
        let builtin = builtin(name).expect("it is built in");
        let Parsed { names, edges, .. } = builtin.parse();
        let rows = edges.len();
        let list = EdgeList { node_count: names.len(), pairs: edges, weights: None };
        let (graph, cleaning) = list.build_with(PUBLISHED, Direction::Unknown);
        assert_eq!(graph, builtin.graph());
        let mut sizes = builtin.truth().view().class_sizes();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        (graph.node_count(), rows, graph.edge_count(), cleaning.self_loops, sizes)
    }

    #[test]
    fn karate_has_its_78_edges_and_two_clubs() {
        assert_eq!(counts("karate"), (34, 78, 78, 0, vec![17, 17]));
    }

    #[test]
    fn books_has_its_441_edges_and_three_leanings() {
        assert_eq!(counts("books"), (105, 441, 441, 0, vec![49, 43, 13]));
        assert_eq!(counts("polbooks"), counts("books"));
    }

    #[test]
    fn football_has_its_613_edges_and_twelve_conferences() {
        let conferences = vec![13, 12, 12, 11, 10, 10, 10, 9, 8, 8, 7, 5];
        assert_eq!(counts("football"), (115, 613, 613, 0, conferences));
    }

    #[test]
    fn polblogs_keeps_loops_repeats_and_isolated_nodes() {
        assert_eq!(counts("polblogs"), (1490, 19_090, 16_715, 3, vec![758, 732]));
        let graph = builtin("polblogs").expect("it is built in").graph();
        assert_eq!(graph.nodes().filter(|&node| graph.degree(node) == 0).count(), 266);
    }

    #[test]
    fn known_nodes_have_known_ids() {
        let karate = builtin("karate").expect("it is built in");
        let Parsed { names, classes, .. } = karate.parse();
        assert_eq!((names[0].as_str(), classes[0]), ("1", "Mr. Hi"));
        assert_eq!((names[33].as_str(), classes[33]), ("34", "Officer"));
        assert_eq!((karate.graph().degree(0), karate.graph().degree(33)), (16, 17));
    }

    #[test]
    fn ids_count_from_zero_and_names_are_distinct() {
        for builtin in &ALL {
            let ids = rows(builtin.nodes).map(|row| row.split('\t').next().map(str::parse));
            assert!(ids.enumerate().all(|(i, id)| id == Some(Ok(i))), "{}", builtin.name);
            let Parsed { names, classes, edges } = builtin.parse();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{}", builtin.name);
            assert!(names.iter().all(|name| name.trim() == name && !name.is_empty()), "{}", builtin.name);
            assert!(classes.iter().all(|class| !class.is_empty() && !class.contains('\t')));
            assert!(edges.iter().all(|&(u, v)| (u.max(v) as usize) < names.len()), "{}", builtin.name);
        }
    }
}
