//! Cluster sizes, and warnings about imbalanced ones.
//!
//! Trivial partitions score well: a giant community with a few tiny ones cuts hardly any edge, and on a multi-label
//! graph a single cluster matched with the majority class is correct for many nodes. The sizes reveal both, so every
//! report should include [`warnings`].

use super::{GroundTruthRef, largest_class_share};

/// Fraction of the possible excess over the fair share 1/K from which a community is a giant.
///
/// This is 80 % of the nodes for two clusters and 60 % for many. The ground-truth classes of the paper's graphs stay
/// below (the largest class of Wikipedia has 47 % of the nodes).
const GIANT_EXCESS: f64 = 0.6;

/// Fraction of the mean size n/K below which a community is tiny.
const TINY_SHARE: f64 = 0.02;

/// Minimum number of nodes of a community that is not tiny, for graphs so small that the fraction above is less than a
/// node. Applies if clusters have at least ten nodes on average.
const TINY_NODES: f64 = 3.0;

/// Fraction of the mean below which a cluster is tiny if clusters have fewer than ten nodes on average.
const TINY_SHARE_OF_FEW: f64 = 0.3;

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

/// Warnings about imbalanced cluster sizes, one sentence each.
///
/// A giant no larger than the largest class of `truth` is not reported.
///
/// ```
/// use hycome::metrics::warnings;
/// assert!(warnings(&[16, 18], None).is_empty());
/// assert_eq!(warnings(&[33, 1], None).len(), 2);
/// ```
#[must_use]
pub fn warnings(sizes: &[usize], truth: Option<GroundTruthRef<'_>>) -> Vec<String> {
    let node_count: usize = sizes.iter().sum();
    if sizes.len() < 2 || node_count == 0 {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    sentences.extend(giant(sizes, node_count, truth));
    sentences.extend(tiny(sizes, node_count));
    sentences.extend(empty(sizes));
    sentences
}

/// Whether one community contains most nodes, so that few edges can be cut.
#[must_use]
pub(crate) fn has_giant(sizes: &[usize]) -> bool {
    let (largest, node_count) = (sizes.iter().max().copied().unwrap_or(0), sizes.iter().sum::<usize>());
    let (largest, fair) = (largest as f64 / node_count.max(1) as f64, 1.0 / sizes.len() as f64);
    (largest - fair) / (1.0 - fair) > GIANT_EXCESS
}

/// Size below which a community is tiny.
#[must_use]
pub(crate) fn tiny_limit(sizes: &[usize]) -> f64 {
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    (TINY_SHARE * mean).max(TINY_NODES.min(TINY_SHARE_OF_FEW * mean))
}

fn giant(sizes: &[usize], node_count: usize, truth: Option<GroundTruthRef<'_>>) -> Option<String> {
    let largest = sizes.iter().max().copied().unwrap_or(0) as f64 / node_count as f64;
    let of_class = truth.map(largest_class_share);
    if !has_giant(sizes) || of_class.is_some_and(|share| largest <= share) {
        return None;
    }
    let holds = format!("one of the {} clusters holds {:.0} % of the nodes", sizes.len(), 100.0 * largest);
    Some(match of_class.filter(|_| truth.is_some_and(GroundTruthRef::is_multi_label)) {
        Some(share) => format!(
            "{holds}: few edges can be cut, so a low conductance is not meaningful, and since nodes have \
             several classes, a single cluster already has a precision@1 of {:.1} %",
            100.0 * share
        ),
        None => format!(
            "{holds}: few edges can be cut, so a low conductance does not mean that communities were found; \
             compare modularity, or try another seed or number of communities"
        ),
    })
}

fn tiny(sizes: &[usize], node_count: usize) -> Option<String> {
    let mean = node_count as f64 / sizes.len() as f64;
    let limit = tiny_limit(sizes);
    let tiny: Vec<usize> = sizes.iter().copied().filter(|&size| size > 0 && (size as f64) < limit).collect();
    let largest = tiny.iter().max()?;
    Some(format!(
        "{} of the {} clusters {} no more than {} ({mean:.0} on average): too few to be a community, and \
         each weighs as much as a large one in the mean conductance",
        tiny.len(),
        sizes.len(),
        if tiny.len() == 1 { "has" } else { "have" },
        if *largest == 1 { "one node".to_string() } else { format!("{largest} nodes") },
    ))
}

fn empty(sizes: &[usize]) -> Option<String> {
    let empty = sizes.iter().filter(|&&size| size == 0).count();
    (empty > 0).then(|| {
        format!(
            "{empty} of the {} clusters {} empty: the graph may have fewer communities",
            sizes.len(),
            if empty == 1 { "is" } else { "are" },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::GroundTruth;

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
    fn giant_with_tiny_communities_raises_two_warnings() {
        let sentences = warnings(&[13_180, 1, 1, 1, 1], None);
        assert_eq!(sentences.len(), 2);
        assert!(sentences[0].starts_with("one of the 5 clusters holds 100 % of the nodes: few edges"));
        assert!(sentences[1].starts_with("4 of the 5 clusters have no more than one node (2637 on average)"));
    }

    #[test]
    fn giant_cluster_is_accepted_if_the_ground_truth_has_one() {
        let mut classes = vec![0; 95];
        classes.extend([1; 5]);
        let truth = GroundTruth::single(&classes);
        assert!(warnings(&[95, 5], Some(truth.view())).is_empty());
        assert_eq!(warnings(&[96, 4], Some(truth.view())).len(), 1);
    }

    #[test]
    fn multi_label_giant_warns_about_precision_too() {
        let lists: Vec<&[u32]> =
            (0..100).map(|node| if node % 2 == 0 { &[0, 1][..] } else { &[2] }).collect();
        let truth = GroundTruth::from_lists(lists);
        let sentences = warnings(&[90, 5, 5], Some(truth.view()));
        assert!(sentences[0].contains("precision@1 of 50.0 %"), "{sentences:?}");
    }

    #[test]
    fn empty_clusters_raise_a_warning() {
        let sentences = warnings(&[5, 0, 6], None);
        assert_eq!(sentences.len(), 1);
        assert!(sentences[0].starts_with("1 of the 3 clusters is empty"));
    }

    #[test]
    fn a_single_cluster_raises_no_warning() {
        assert!(warnings(&[34], None).is_empty());
        assert!(warnings(&[], None).is_empty());
        assert!(warnings(&[0, 0], None).is_empty());
    }

    #[test]
    fn small_clusters_of_a_small_graph_are_not_tiny() {
        assert!(warnings(&[3, 3, 2, 1, 2, 3], None).is_empty());
    }
}
