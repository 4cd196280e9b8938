//! Node labels: zero or more classes per node.
//!
//! Stored like the graph, in compressed sparse rows: the classes of node `i` are `classes[offsets[i]..offsets[i +
//! 1]]`, sorted and distinct. Class ids follow the order of the class names, numeric if every name is an integer and
//! alphabetical otherwise, so that they do not depend on the order of lines in a file.

use std::collections::HashMap;

use super::NodeId;

/// Class ids of each node, and class names.
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
    /// Creates labels from class names and the class ids of each node, in any order.
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

    /// Creates labels from (node, class name) pairs in any order; repeats are allowed.
    ///
    /// `more_classes` lists classes that exist even if no node has them.
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

    /// Creates labels from stored CSR rows; `None` unless every class has a name and the classes of each node are
    /// ascending.
    pub(crate) fn from_rows(offsets: Vec<usize>, classes: Vec<u32>, names: Vec<String>) -> Option<Self> {
        let covers = offsets.first() == Some(&0) && offsets.last() == Some(&classes.len());
        let named = classes.iter().all(|&class| (class as usize) < names.len());
        let sound = covers
            && named
            && offsets.is_sorted()
            && offsets.windows(2).all(|pair| classes[pair[0]..pair[1]].is_sorted_by(|a, b| a < b));
        sound.then_some(Self { offsets, classes, names })
    }

    /// CSR offsets and classes, as [`Labels::from_rows`] takes them.
    pub(crate) fn rows(&self) -> (&[usize], &[u32]) {
        (&self.offsets, &self.classes)
    }

    /// Classes of `node`, ascending.
    #[must_use]
    pub fn of(&self, node: NodeId) -> &[u32] {
        &self.classes[self.offsets[node as usize]..self.offsets[node as usize + 1]]
    }

    /// Number of nodes, labelled or not.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of classes, including empty ones.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.names.len()
    }

    /// Number of non-empty classes: the default number of communities to detect.
    #[must_use]
    pub fn used_class_count(&self) -> usize {
        self.class_sizes().into_iter().filter(|&size| size > 0).count()
    }

    /// Name of `class`.
    #[must_use]
    pub fn class_name(&self, class: u32) -> &str {
        &self.names[class as usize]
    }

    /// Class names, in the order of the ids.
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

    /// Whether any node has more than one class.
    #[must_use]
    pub fn is_multi_label(&self) -> bool {
        self.offsets.windows(2).any(|pair| pair[1] - pair[0] > 1)
    }

    /// Number of labelled nodes.
    #[must_use]
    pub fn labelled_count(&self) -> usize {
        self.offsets.windows(2).filter(|pair| pair[1] > pair[0]).count()
    }

    /// Smallest class of each node, `None` if unlabelled; a partition if no node has two classes.
    #[must_use]
    pub fn first_classes(&self) -> Vec<Option<u32>> {
        (0..self.node_count()).map(|node| self.of(node as NodeId).first().copied()).collect()
    }

    /// Labels of the given nodes, in the given order.
    ///
    /// Class ids are unchanged; [`Labels::used_class_count`] counts the classes that still have nodes.
    #[must_use]
    pub fn subset(&self, nodes: &[NodeId]) -> Self {
        let lists = nodes.iter().map(|&node| self.of(node).to_vec()).collect();
        Self::from_lists(self.names.clone(), lists)
    }
}

/// Sorts numerically if every name is an integer (`1` before `01`), else alphabetically.
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
