//! Sizes of the clusters, and a word when they make the other numbers look better than they are.
//!
//! Conductance and precision@1 can both be won by not clustering at all: one giant with a few slivers cuts
//! hardly any edge, and on a graph whose nodes have several classes one cluster named after the commonest
//! class is right about many nodes. The sizes show it at once, so every report should carry [`warnings`].

use super::{Truth, largest_class_share};

/// A cluster is a giant if it has this share of what it could have beyond its fair share 1/K.
///
/// That is 80 % of the nodes for two clusters, four to one, and 60 % for many. The real classes of the
/// paper's graphs stay below (the largest class of Wikipedia holds 47 % of its nodes).
const GIANT_EXCESS: f64 = 0.6;

/// A cluster is a sliver below this share of the mean size n/K.
const SLIVER_SHARE: f64 = 0.02;

/// In small graphs the share above is less than a node, so a cluster of fewer nodes than this is a sliver
/// too, provided that clusters have ten nodes or more on average …
const SLIVER_NODES: f64 = 3.0;

/// … and where they have fewer, a cluster below this share of the mean.
const SLIVER_SHARE_OF_FEW: f64 = 0.3;

/// Number of nodes in each cluster.
///
/// # Panics
/// If a cluster is not below `cluster_count`.
#[must_use]
pub fn cluster_sizes(clusters: &[u32], cluster_count: usize) -> Vec<usize> {
    let mut sizes = vec![0; cluster_count];
    for &cluster in clusters {
        sizes[cluster as usize] += 1;
    }
    sizes
}

/// What the sizes of the clusters say against the other numbers, one sentence each; empty if nothing.
///
/// A giant that is no larger than the largest class of `truth` is not reported: the graph is so.
///
/// ```
/// use hycome::metrics::warnings;
/// assert!(warnings(&[16, 18], None).is_empty());
/// assert_eq!(warnings(&[33, 1], None).len(), 2);
/// ```
#[must_use]
pub fn warnings(sizes: &[usize], truth: Option<Truth<'_>>) -> Vec<String> {
    let node_count: usize = sizes.iter().sum();
    if sizes.len() < 2 || node_count == 0 {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    sentences.extend(giant(sizes, node_count, truth));
    sentences.extend(slivers(sizes, node_count));
    sentences.extend(empty(sizes));
    sentences
}

/// Whether one cluster has so large a share of the nodes that few edges are left to cut.
#[must_use]
pub fn has_giant(sizes: &[usize]) -> bool {
    let (largest, node_count) = (sizes.iter().max().copied().unwrap_or(0), sizes.iter().sum::<usize>());
    let (largest, fair) = (largest as f64 / node_count.max(1) as f64, 1.0 / sizes.len() as f64);
    (largest - fair) / (1.0 - fair) > GIANT_EXCESS
}

/// Clusters have to have this many nodes lest they be slivers.
#[must_use]
pub fn least_size(sizes: &[usize]) -> f64 {
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    (SLIVER_SHARE * mean).max(SLIVER_NODES.min(SLIVER_SHARE_OF_FEW * mean))
}

fn giant(sizes: &[usize], node_count: usize, truth: Option<Truth<'_>>) -> Option<String> {
    let largest = sizes.iter().max().copied().unwrap_or(0) as f64 / node_count as f64;
    let of_class = truth.map(largest_class_share);
    if !has_giant(sizes) || of_class.is_some_and(|share| largest <= share) {
        return None;
    }
    let holds = format!("one of the {} clusters holds {:.0} % of the nodes", sizes.len(), 100.0 * largest);
    Some(match of_class.filter(|_| truth.is_some_and(Truth::is_multi_label)) {
        Some(share) => format!(
            "{holds}: few edges are left to cut, so a low conductance is no success, and since nodes here \
             have several classes a single cluster for everything already has a precision@1 of {:.1} %",
            100.0 * share
        ),
        None => format!(
            "{holds}: few edges are left to cut, so a low conductance here does not mean that communities \
             were found; compare modularity, or try another seed or number of communities"
        ),
    })
}

fn slivers(sizes: &[usize], node_count: usize) -> Option<String> {
    let mean = node_count as f64 / sizes.len() as f64;
    let limit = least_size(sizes);
    let slivers: Vec<usize> =
        sizes.iter().copied().filter(|&size| size > 0 && (size as f64) < limit).collect();
    let largest = slivers.iter().max()?;
    Some(format!(
        "{} of the {} clusters {} no more than {} ({mean:.0} on average): too few to be a community, and \
         each weighs as much as a large one in the mean conductance",
        slivers.len(),
        sizes.len(),
        if slivers.len() == 1 { "has" } else { "have" },
        if *largest == 1 { "one node".to_string() } else { format!("{largest} nodes") },
    ))
}

fn empty(sizes: &[usize]) -> Option<String> {
    let empty = sizes.iter().filter(|&&size| size == 0).count();
    (empty > 0).then(|| {
        format!(
            "{empty} of the {} clusters {} empty: the graph seems to have fewer communities than were asked for",
            sizes.len(),
            if empty == 1 { "is" } else { "are" },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::TruthBuf;

    #[test]
    fn sizes_count_the_nodes() {
        assert_eq!(cluster_sizes(&[2, 0, 2, 2], 4), [1, 0, 3, 0]);
        assert!(cluster_sizes(&[], 0).is_empty());
    }

    #[test]
    fn real_classes_raise_no_warning() {
        assert!(warnings(&[17, 17], None).is_empty());
        assert!(warnings(&[49, 43, 13], None).is_empty());
        assert!(warnings(&[9, 8, 11, 12, 10, 5, 13, 8, 10, 12, 7, 10], None).is_empty());
        assert!(warnings(&[2098, 2167, 1973, 5019, 1927], None).is_empty());
    }

    #[test]
    fn a_giant_with_slivers_is_told() {
        let sentences = warnings(&[13_180, 1, 1, 1, 1], None);
        assert_eq!(sentences.len(), 2);
        assert!(sentences[0].starts_with("one of the 5 clusters holds 100 % of the nodes: few edges"));
        assert!(sentences[1].starts_with("4 of the 5 clusters have no more than one node (2637 on average)"));
    }

    #[test]
    fn a_giant_class_excuses_a_giant_cluster() {
        let mut classes = vec![0; 95];
        classes.extend([1; 5]);
        let truth = TruthBuf::single(&classes);
        assert!(warnings(&[95, 5], Some(truth.view())).is_empty());
        assert_eq!(warnings(&[96, 4], Some(truth.view())).len(), 1);
    }

    #[test]
    fn several_classes_make_the_giant_suspect_for_precision_too() {
        let lists: Vec<&[u32]> =
            (0..100).map(|node| if node % 2 == 0 { &[0, 1][..] } else { &[2] }).collect();
        let truth = TruthBuf::from_lists(lists);
        let sentences = warnings(&[90, 5, 5], Some(truth.view()));
        assert!(sentences[0].contains("precision@1 of 50.0 %"), "{sentences:?}");
    }

    #[test]
    fn empty_clusters_are_told() {
        let sentences = warnings(&[5, 0, 6], None);
        assert_eq!(sentences.len(), 1);
        assert!(sentences[0].starts_with("1 of the 3 clusters is empty"));
    }

    #[test]
    fn a_single_cluster_that_was_asked_for_is_no_fault() {
        assert!(warnings(&[34], None).is_empty());
        assert!(warnings(&[], None).is_empty());
        assert!(warnings(&[0, 0], None).is_empty());
    }

    #[test]
    fn small_clusters_of_a_small_graph_are_no_slivers() {
        assert!(warnings(&[3, 3, 2, 1, 2, 3], None).is_empty());
    }
}
