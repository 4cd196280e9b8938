//! Node labels: zero or more classes per node.
//!
//! Stored like the graph, in compressed sparse rows: the classes of node `i` are `classes[offsets[i]..offsets[i +
//! 1]]`, sorted and distinct. Class ids follow the classes' names: by value if every name is an integer,
//! else in alphabetical order, so that ids do not depend on the order of lines in a file.

use std::collections::HashMap;

use super::NodeId;

/// Class ids of each node, and the classes' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    offsets: Vec<usize>,
    classes: Vec<u32>,
    names: Vec<String>,
}

impl Default for Labels {
    fn default() -> Self {
        Self { offsets: vec![0], classes: Vec::new(), names: Vec::new() }
    }
}

impl Labels {
    /// Labels from the classes' names and the class ids of each node, in any order.
    ///
    /// # Panics
    ///
    /// If a class id has no name.
    #[must_use]
    pub fn from_lists(names: Vec<String>, lists: Vec<Vec<u32>>) -> Self {
        let mut labels = Self { names, ..Self::default() };
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            let named = list.last().is_none_or(|&class| (class as usize) < labels.names.len());
            assert!(named, "class {list:?} has no name: there are {} names", labels.names.len());
            labels.classes.extend(list);
            labels.offsets.push(labels.classes.len());
        }
        labels
    }

    /// Labels of `node_count` nodes from pairs of a node and a class's name, in any order, repeats allowed.
    ///
    /// `more_classes` are names that exist even if no pair mentions them.
    ///
    /// # Panics
    ///
    /// If a node is not below `node_count`.
    #[must_use]
    pub fn from_pairs(node_count: usize, pairs: &[(NodeId, &str)], more_classes: &[&str]) -> Self {
        let mut names: Vec<&str> =
            pairs.iter().map(|pair| pair.1).chain(more_classes.iter().copied()).collect();
        sort_class_names(&mut names);
        names.dedup();
        let ids: HashMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let mut lists = vec![Vec::new(); node_count];
        for (node, name) in pairs {
            lists[*node as usize].push(ids[name]);
        }
        Self::from_lists(names.into_iter().map(str::to_owned).collect(), lists)
    }

    /// Labels from rows as they are stored, if they are sound: a name for every class, ascending classes for
    /// every node.
    pub(crate) fn from_rows(offsets: Vec<usize>, classes: Vec<u32>, names: Vec<String>) -> Option<Self> {
        let covers = offsets.first() == Some(&0) && offsets.last() == Some(&classes.len());
        let named = classes.iter().all(|&class| (class as usize) < names.len());
        let sound = covers
            && named
            && offsets.is_sorted()
            && offsets.windows(2).all(|pair| classes[pair[0]..pair[1]].is_sorted_by(|a, b| a < b));
        sound.then_some(Self { offsets, classes, names })
    }

    /// Where each node's classes begin, and the classes: what [`Labels::from_rows`] takes.
    pub(crate) fn rows(&self) -> (&[usize], &[u32]) {
        (&self.offsets, &self.classes)
    }

    /// The classes of `node`, ascending.
    #[must_use]
    pub fn of(&self, node: NodeId) -> &[u32] {
        &self.classes[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }

    /// Number of nodes, with or without a class.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of classes, those without a node included.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.names.len()
    }

    /// Number of classes that have at least one node: the natural number of communities to look for.
    #[must_use]
    pub fn used_class_count(&self) -> usize {
        self.class_sizes().into_iter().filter(|&size| size > 0).count()
    }

    /// The name of `class`.
    #[must_use]
    pub fn class_name(&self, class: u32) -> &str {
        &self.names[class as usize]
    }

    /// The names of all classes, in the order of their ids.
    #[must_use]
    pub fn class_names(&self) -> &[String] {
        &self.names
    }

    /// Number of nodes in each class.
    #[must_use]
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        for &class in &self.classes {
            sizes[class as usize] += 1;
        }
        sizes
    }

    /// Whether some node has more than one class.
    #[must_use]
    pub fn is_multi_label(&self) -> bool {
        self.offsets.windows(2).any(|pair| pair[1] - pair[0] > 1)
    }

    /// Number of nodes that have a class.
    #[must_use]
    pub fn labelled_count(&self) -> usize {
        self.offsets.windows(2).filter(|pair| pair[1] > pair[0]).count()
    }

    /// The smallest class of each node, `None` where it has none: a partition, if no node has two.
    #[must_use]
    pub fn first_classes(&self) -> Vec<Option<u32>> {
        (0..self.node_count()).map(|node| self.of(node as NodeId).first().copied()).collect()
    }

    /// The labels of some nodes, in the order given.
    ///
    /// The list of classes stays as it is, so that ids keep their meaning; [`Labels::used_class_count`]
    /// counts those that still have a node.
    #[must_use]
    pub fn subset(&self, nodes: &[NodeId]) -> Self {
        let lists = nodes.iter().map(|&node| self.of(node).to_vec()).collect();
        Self::from_lists(self.names.clone(), lists)
    }
}

/// By value if every name is an integer (`1` before `01`), else alphabetically.
fn sort_class_names(names: &mut [&str]) {
    let values: Option<Vec<i64>> = names.iter().map(|name| name.parse().ok()).collect();
    names.sort_unstable();
    if values.is_some() {
        names.sort_by_key(|name| name.parse::<i64>().unwrap_or(i64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_classes_are_ordered_by_value() {
        let labels = Labels::from_pairs(3, &[(0, "10"), (1, "9"), (2, "-1"), (2, "9"), (2, "9")], &[]);
        assert_eq!(labels.class_names(), ["-1", "9", "10"]);
        assert_eq!(labels.of(2), [0, 1]);
        assert_eq!(labels.class_name(2), "10");
        assert!(labels.is_multi_label());
    }

    #[test]
    fn other_classes_are_ordered_alphabetically() {
        let labels = Labels::from_pairs(2, &[(1, "n"), (0, "c")], &["10", "9"]);
        assert_eq!(labels.class_names(), ["10", "9", "c", "n"]);
        assert_eq!((labels.class_count(), labels.used_class_count()), (4, 2));
        assert_eq!(labels.first_classes(), [Some(2), Some(3)]);
    }

    #[test]
    fn a_subset_keeps_the_classes_and_counts_the_used_ones() {
        let labels = Labels::from_lists(vec!["a".into(), "b".into()], vec![vec![1], vec![], vec![1, 0, 1]]);
        assert_eq!((labels.labelled_count(), labels.node_count()), (2, 3));
        assert_eq!(labels.class_sizes(), [1, 2]);
        let subset = labels.subset(&[1, 0]);
        assert_eq!((subset.of(0), subset.of(1)), (&[][..], &[1][..]));
        assert_eq!((subset.class_count(), subset.used_class_count()), (2, 1));
        assert!(!subset.is_multi_label());
        assert_eq!(Labels::default().node_count(), 0);
    }
}
