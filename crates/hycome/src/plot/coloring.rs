//! A way to colour nodes: by community, by known class, by predicted class.
//!
//! Communities have colours in the order of their sizes, so that few large ones have the most different colours.
//! Classes take the colour of the community that shares most nodes with them, in the best matching of both, so that
//! changing from communities to classes changes the colour of those nodes only in which the two disagree.

use super::palette;
use crate::graph::{Labels, NodeId};
use crate::metrics::{CountTable, match_best};

/// Classes are matched with communities up to this many of either: the matching takes cubic time.
const MOST_MATCHED: usize = 500;

/// One class for each node, and how classes look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    /// What the classes are: `community`, `label` or `prediction`.
    pub key: &'static str,
    /// The classes.
    pub classes: Vec<Class>,
    /// The class of each node; none where it is not known.
    pub of_nodes: Vec<Option<u32>>,
    /// All classes of each node, where some node has several; the first gives the colour.
    pub lists: Option<Labels>,
}

/// A class and its look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What it is called.
    pub name: String,
    /// Its nodes.
    pub size: usize,
    /// Its place in the order of looks; see [`palette`].
    pub rank: usize,
}

impl Coloring {
    /// Communities, called by their numbers.
    #[must_use]
    pub fn of_communities(communities: &[u32], count: usize) -> Self {
        let names = (0..count).map(|k| k.to_string()).collect();
        let of_nodes: Vec<Option<u32>> = communities.iter().map(|&k| Some(k)).collect();
        let sizes = sizes(&of_nodes, count);
        Self::new("community", names, of_nodes, by_size(&sizes))
    }

    /// Known classes, in the colours of the communities that they match.
    #[must_use]
    pub fn of_labels(labels: &Labels, communities: &Self) -> Self {
        let lists = labels.is_multi_label().then(|| labels.clone());
        let names = labels.class_names().to_vec();
        Self { lists, ..Self::matched("label", names, labels.first_classes(), communities) }
    }

    /// Predicted classes, in the colours of the known ones where they have the same names.
    #[must_use]
    pub fn of_predictions(names: &[String], classes: &[usize], like: &Self) -> Self {
        let of_nodes: Vec<Option<u32>> = classes.iter().map(|&class| u32::try_from(class).ok()).collect();
        let place =
            |name: &String| like.classes.iter().find(|class| &class.name == name).map(|class| class.rank);
        match names.iter().map(place).collect::<Option<Vec<usize>>>() {
            Some(ranks) if like.key == "label" => Self::new("prediction", names.to_vec(), of_nodes, ranks),
            _ => Self::matched("prediction", names.to_vec(), of_nodes, like),
        }
    }

    fn new(key: &'static str, names: Vec<String>, of_nodes: Vec<Option<u32>>, ranks: Vec<usize>) -> Self {
        let sizes = sizes(&of_nodes, names.len());
        let classes =
            names.into_iter().zip(sizes).zip(ranks).map(|((name, size), rank)| Class { name, size, rank });
        Self { key, classes: classes.collect(), of_nodes, lists: None }
    }

    /// Classes in the looks of those of `other` that share most nodes with them; those left over get what is free.
    fn matched(key: &'static str, names: Vec<String>, of_nodes: Vec<Option<u32>>, other: &Self) -> Self {
        let (rows, columns) = (names.len(), other.classes.len());
        let sizes = sizes(&of_nodes, rows);
        if rows.max(columns) > MOST_MATCHED || rows == 0 || columns == 0 {
            return Self::new(key, names, of_nodes, by_size(&sizes));
        }
        let mut table = CountTable::new(rows, columns);
        for (class, theirs) in of_nodes.iter().zip(&other.of_nodes) {
            if let (Some(class), Some(theirs)) = (class, theirs) {
                table.add(*class as usize, *theirs as usize);
            }
        }
        let matching = match_best(&table);
        let mut ranks: Vec<Option<usize>> =
            matching.iter().map(|column| column.map(|column| other.classes[column].rank)).collect();
        let mut free =
            (0..).filter(|rank| !ranks.contains(&Some(*rank))).take(rows).collect::<Vec<usize>>().into_iter();
        for class in largest_first(&sizes) {
            if ranks[class].is_none() {
                ranks[class] = free.next();
            }
        }
        Self::new(key, names, of_nodes, ranks.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The rank of a node's class.
    #[must_use]
    pub fn rank(&self, node: NodeId) -> Option<usize> {
        self.of_nodes[node as usize].map(|class| self.classes[class as usize].rank)
    }

    /// What the picture says where looks repeat.
    #[must_use]
    pub fn rule(&self) -> Option<String> {
        let count = self.classes.len();
        (count > palette::DISTINCT).then(|| {
            format!(
                "{count} classes share {} pairs of colour and shape, the largest have their own",
                palette::DISTINCT
            )
        })
    }
}

fn sizes(of_nodes: &[Option<u32>], count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    of_nodes.iter().flatten().for_each(|&class| sizes[class as usize] += 1);
    sizes
}

fn largest_first(sizes: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(sizes[class]));
    order
}

/// The place of each class when the largest comes first.
fn by_size(sizes: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; sizes.len()];
    largest_first(sizes).into_iter().enumerate().for_each(|(rank, class)| ranks[class] = rank);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_community_has_the_first_colour() {
        let coloring = Coloring::of_communities(&[2, 2, 2, 0, 1, 1], 3);
        assert_eq!(coloring.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(coloring.rank(0), Some(0));
    }

    #[test]
    fn classes_wear_the_colours_of_their_communities() {
        let communities = Coloring::of_communities(&[0, 0, 0, 1, 1], 2);
        let labels = Labels::from_pairs(5, &[(0, "b"), (1, "b"), (2, "c"), (3, "a"), (4, "a")], &[]);
        let coloring = Coloring::of_labels(&labels, &communities);
        // a is community 1, b community 0, and c gets the first look that is free
        assert_eq!(coloring.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [1, 0, 2]);
        let predicted = Coloring::of_predictions(&["a".into(), "c".into()], &[0, 1, 1, 0, 0], &coloring);
        assert_eq!(predicted.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn nodes_without_a_label_have_no_colour() {
        let communities = Coloring::of_communities(&[0, 0], 1);
        let labels = Labels::from_pairs(2, &[(1, "x")], &[]);
        assert_eq!(Coloring::of_labels(&labels, &communities).rank(0), None);
    }

    #[test]
    fn more_classes_than_looks_are_told() {
        let many: Vec<u32> = (0..60).collect();
        assert!(Coloring::of_communities(&many, 60).rule().is_some());
        assert_eq!(Coloring::of_communities(&[0, 1], 2).rule(), None);
    }
}
