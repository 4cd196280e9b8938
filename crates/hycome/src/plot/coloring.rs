//! Colourings of nodes: by community, ground-truth label or predicted class.
//!
//! Communities get colours by descending size, so that the largest have the most distinct colours. Classes get the
//! colours of the communities that a maximum-overlap matching (Hungarian method) assigns to them, so that switching
//! the colouring changes only the nodes on which both disagree.

use super::palette;
use crate::graph::{Labels, NodeId};
use crate::metrics::{CountTable, match_best};

/// Maximum number of classes or communities that are matched: the matching takes cubic time.
const MAX_MATCHED: usize = 500;

/// A class for each node, with the style of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    /// Kind of the classes: `community`, `label` or `prediction`.
    pub key: &'static str,
    /// The classes.
    pub classes: Vec<Class>,
    /// Class of each node; none if unknown.
    pub node_classes: Vec<Option<u32>>,
    /// All classes of each node, if some node has several; the first determines the colour.
    pub multi_labels: Option<Labels>,
}

/// A class and its style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name.
    pub name: String,
    /// Number of nodes.
    pub size: usize,
    /// Rank in the palette, which determines colour and shape; see [`palette`].
    pub(crate) rank: usize,
}

impl Coloring {
    /// Communities, named by their numbers.
    #[must_use]
    pub(crate) fn from_communities(communities: &[u32], count: usize) -> Self {
        let names = (0..count).map(|k| k.to_string()).collect();
        let node_classes: Vec<Option<u32>> = communities.iter().map(|&k| Some(k)).collect();
        let sizes = sizes(&node_classes, count);
        Self::new("community", names, node_classes, by_size(&sizes))
    }

    /// Ground-truth classes, in the colours of the matched communities.
    #[must_use]
    pub(crate) fn from_labels(labels: &Labels, communities: &Self) -> Self {
        let multi_labels = labels.is_multi_label().then(|| labels.clone());
        let names = labels.class_names().to_vec();
        Self { multi_labels, ..Self::matched("label", names, labels.first_classes(), communities) }
    }

    /// Predicted classes, in the colours of ground-truth classes with the same names.
    #[must_use]
    pub(crate) fn from_predictions(names: &[String], classes: &[usize], like: &Self) -> Self {
        let node_classes: Vec<Option<u32>> = classes.iter().map(|&class| u32::try_from(class).ok()).collect();
        let place =
            |name: &String| like.classes.iter().find(|class| &class.name == name).map(|class| class.rank);
        match names.iter().map(place).collect::<Option<Vec<usize>>>() {
            Some(ranks) if like.key == "label" => {
                Self::new("prediction", names.to_vec(), node_classes, ranks)
            }
            _ => Self::matched("prediction", names.to_vec(), node_classes, like),
        }
    }

    fn new(key: &'static str, names: Vec<String>, node_classes: Vec<Option<u32>>, ranks: Vec<usize>) -> Self {
        let sizes = sizes(&node_classes, names.len());
        let classes =
            names.into_iter().zip(sizes).zip(ranks).map(|((name, size), rank)| Class { name, size, rank });
        Self { key, classes: classes.collect(), node_classes, multi_labels: None }
    }

    /// Classes in the styles of the matched classes of `other`; unmatched ones get unused styles.
    fn matched(key: &'static str, names: Vec<String>, node_classes: Vec<Option<u32>>, other: &Self) -> Self {
        let (rows, columns) = (names.len(), other.classes.len());
        let sizes = sizes(&node_classes, rows);
        if rows.max(columns) > MAX_MATCHED || rows == 0 || columns == 0 {
            return Self::new(key, names, node_classes, by_size(&sizes));
        }
        let mut table = CountTable::new(rows, columns);
        for (class, theirs) in node_classes.iter().zip(&other.node_classes) {
            if let (Some(class), Some(theirs)) = (class, theirs) {
                table.add(*class as usize, *theirs as usize);
            }
        }
        // After an interrupt the plot is discarded, so its styles do not matter.
        let matching = match_best(&table).unwrap_or_else(|_| vec![None; rows]);
        let mut ranks: Vec<Option<usize>> =
            matching.iter().map(|column| column.map(|column| other.classes[column].rank)).collect();
        let mut free =
            (0..).filter(|rank| !ranks.contains(&Some(*rank))).take(rows).collect::<Vec<usize>>().into_iter();
        for class in largest_first(&sizes) {
            if ranks[class].is_none() {
                ranks[class] = free.next();
            }
        }
        Self::new(key, names, node_classes, ranks.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// Palette rank of a node's class.
    #[must_use]
    pub(crate) fn rank(&self, node: NodeId) -> Option<usize> {
        self.node_classes[node as usize].map(|class| self.classes[class as usize].rank)
    }

    /// A note if styles are shared; none if all are distinct.
    #[must_use]
    pub(crate) fn note(&self) -> Option<String> {
        let count = self.classes.len();
        (count > palette::DISTINCT).then(|| {
            format!(
                "{count} classes share {} pairs of colour and shape, the largest have their own",
                palette::DISTINCT
            )
        })
    }
}

fn sizes(node_classes: &[Option<u32>], count: usize) -> Vec<usize> {
    let mut sizes = vec![0; count];
    node_classes.iter().flatten().for_each(|&class| sizes[class as usize] += 1);
    sizes
}

fn largest_first(sizes: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(sizes[class]));
    order
}

/// Rank of each class by descending size.
fn by_size(sizes: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; sizes.len()];
    largest_first(sizes).into_iter().enumerate().for_each(|(rank, class)| ranks[class] = rank);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_community_has_the_first_colour() {
        let coloring = Coloring::from_communities(&[2, 2, 2, 0, 1, 1], 3);
        assert_eq!(coloring.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [2, 1, 0]);
        assert_eq!(coloring.rank(0), Some(0));
    }

    #[test]
    fn classes_have_the_colours_of_matched_communities() {
        let communities = Coloring::from_communities(&[0, 0, 0, 1, 1], 2);
        let labels = Labels::from_pairs(5, &[(0, "b"), (1, "b"), (2, "c"), (3, "a"), (4, "a")], &[]);
        let coloring = Coloring::from_labels(&labels, &communities);
        // a is community 1, b community 0, and c gets the first unused style
        assert_eq!(coloring.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [1, 0, 2]);
        let predicted = Coloring::from_predictions(&["a".into(), "c".into()], &[0, 1, 1, 0, 0], &coloring);
        assert_eq!(predicted.classes.iter().map(|class| class.rank).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn nodes_without_a_label_have_no_colour() {
        let communities = Coloring::from_communities(&[0, 0], 1);
        let labels = Labels::from_pairs(2, &[(1, "x")], &[]);
        assert_eq!(Coloring::from_labels(&labels, &communities).rank(0), None);
    }

    #[test]
    fn more_classes_than_styles_give_a_note() {
        let many: Vec<u32> = (0..60).collect();
        assert!(Coloring::from_communities(&many, 60).note().is_some());
        assert_eq!(Coloring::from_communities(&[0, 1], 2).note(), None);
    }
}
