//! Label distribution: the share of each class among the labels of a graph, as the paper's figure of DBLP, Wikipedia and
//! BlogCatalog.
//!
//! The paper defines ŷ = Σ_i y_i / Σ_i Σ_k y_ik over the label vectors y_i of the nodes: a node with several classes counts
//! once for each, and the shares add up to one. Bars are in descending order.

use super::chart::{Axis, Chart, DataPoint, Mark, Series};
use super::svg::with_separators;
use super::{Content, Panel};
use crate::graph::Labels;

/// Classes with a node, by descending share of the labels; equal shares in the order of the classes.
///
/// ```
/// use hycome::{Labels, plot::label_shares};
/// let labels = Labels::from_pairs(3, &[(0, "a"), (0, "b"), (1, "b"), (2, "b")], &["never"]);
/// assert_eq!(label_shares(&labels), [("b", 0.75), ("a", 0.25)]);
/// ```
#[must_use]
pub fn label_shares(labels: &Labels) -> Vec<(&str, f64)> {
    let sizes = labels.class_sizes();
    let total: usize = sizes.iter().sum();
    let mut classes: Vec<usize> = (0..sizes.len()).filter(|&class| sizes[class] > 0).collect();
    classes.sort_by_key(|&class| std::cmp::Reverse(sizes[class]));
    let share = |class: usize| (labels.class_name(class as u32), sizes[class] as f64 / total as f64);
    classes.into_iter().map(share).collect()
}

/// Panel with the label distribution of a graph.
#[must_use]
pub fn label_distribution(title: &str, labels: &Labels) -> Panel {
    let shares = label_shares(labels);
    let nodes = with_separators(labels.labelled_count());
    let note = format!("{} classes, {nodes} labelled nodes", shares.len());
    let points = (1..).zip(&shares);
    let points = points.map(|(rank, &(_, y))| DataPoint { x: f64::from(rank), y, error: 0.0 }).collect();
    let axis = |name: &str| Axis { name: name.to_owned(), logarithmic: false };
    let series = vec![Series { name: title.to_owned(), points, mark: Mark::Bars }];
    let chart = Chart { x: axis("class, by size"), y: axis("share of labels"), series };
    Panel { title: title.to_owned(), note: Some(note), content: Content::Chart(chart) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Figure;
    use crate::plot::theme::LIGHT;

    fn labels() -> Labels {
        let names = ["rare", "common", "never"].map(str::to_owned).to_vec();
        Labels::from_lists(names, vec![vec![1], vec![0, 1], vec![], vec![1]])
    }

    #[test]
    fn shares_are_of_all_labels_and_descend() {
        assert_eq!(label_shares(&labels()), [("common", 0.75), ("rare", 0.25)]);
        assert!(label_shares(&Labels::from_lists(Vec::new(), vec![Vec::new(); 3])).is_empty());
    }

    #[test]
    fn every_class_has_a_bar() {
        let panel = label_distribution("graph", &labels());
        assert_eq!(panel.note.as_deref(), Some("2 classes, 3 labelled nodes"));
        let svg = Figure::new(640.0, 480.0, LIGHT, vec![panel]).to_svg();
        assert_eq!(svg.matches("class=\"bar\"").count(), 2);
        assert!(svg.contains("share of labels"));
    }
}
