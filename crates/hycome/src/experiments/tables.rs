//! The paper's tables: their rows and columns.
//!
//! A table has rows of a graph and a dimension, and columns of a way to learn points ([`Contender`]) and a way to use
//! them: communities of the mixture, or a classifier. All columns of one contender share its trainings. Columns
//! that the paper does not have stand beside its own.

use super::Source;
use crate::classify::Method;

/// A way to learn points.
#[derive(Debug)]
pub struct Contender {
    /// Its name in reports.
    pub name: &'static str,
    /// Settings that make it, as JSON.
    pub(super) settings: &'static str,
    /// Methods that are scored on its points.
    pub(super) methods: &'static [Method],
}

/// Ours.
pub static HYPERBOLIC: Contender = Contender {
    name: "hyperbolic",
    settings: "{}",
    methods: &[Method::Kmeans, Method::Gaussian, Method::Logistic, Method::Svm, Method::Knn],
};
/// What the paper compares with, by Cavallari et al.: dot products and a mixture with full covariances.
pub static COME: Contender =
    Contender { name: "ComE", settings: r#"{"geometry":"come"}"#, methods: &[Method::EuclideanLogistic] };

/// All contenders.
pub static CONTENDERS: [&Contender; 2] = [&HYPERBOLIC, &COME];

/// What a column shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shows {
    /// Communities of the mixture.
    Communities(&'static Contender),
    /// A classifier on the points; in this dimension, whatever the row says.
    Classes(&'static Contender, Method, Option<usize>),
    /// The commonest class, cross-validated.
    Majority,
    /// The commonest class, on the nodes it was counted on.
    MajorityOfAll,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its heading.
    pub title: &'static str,
    /// What `paper.txt` calls it.
    pub(super) key: &'static str,
    pub(super) shows: Shows,
}

const fn column(title: &'static str, key: &'static str, shows: Shows) -> Column {
    Column { title, key, shows }
}

const fn classes(title: &'static str, key: &'static str, method: Method) -> Column {
    column(title, key, Shows::Classes(&HYPERBOLIC, method, None))
}

/// A table of the paper.
#[derive(Debug)]
pub struct PaperTable {
    /// Its number.
    pub number: u8,
    /// What it is about.
    pub title: &'static str,
    /// The graphs of its rows.
    pub data: &'static [&'static str],
    /// The dimensions of its rows; none if a row is a graph.
    pub(super) dims: &'static [usize],
    /// Its columns.
    pub columns: &'static [Column],
}

pub(super) const SMALL: &[&str] = &["karate", "polblogs", "books", "football"];
const LARGE: &[&str] = &["dblp", "wikipedia", "blogcatalog", "flickr"];

/// Tables 2 to 5; table 1 has the counts of `hycome datasets list`.
pub static TABLES: [PaperTable; 4] = [
    PaperTable {
        number: 2,
        title: "communities found without labels",
        data: LARGE,
        dims: &[2, 5, 10],
        columns: &[
            column("H-GMM", "h-gmm", Shows::Communities(&HYPERBOLIC)),
            column("ComE", "come", Shows::Communities(&COME)),
        ],
    },
    PaperTable {
        number: 3,
        title: "classes learnt from labels",
        data: LARGE,
        dims: &[2, 5, 10],
        columns: &[
            classes("H-K-Means", "kmeans", Method::Kmeans),
            classes("H-GMM", "gaussian", Method::Gaussian),
            classes("H-LR", "logistic", Method::Logistic),
            classes("H-kNN", "knn", Method::Knn),
            column("ComE", "come", Shows::Classes(&COME, Method::EuclideanLogistic, None)),
        ],
    },
    PaperTable {
        number: 4,
        title: "classes of small graphs learnt from labels",
        data: SMALL,
        dims: &[2],
        columns: &[
            classes("H-SVM", "svm", Method::Svm),
            classes("H-K-Means", "kmeans", Method::Kmeans),
            classes("H-GMM", "gaussian", Method::Gaussian),
            classes("H-LR", "logistic", Method::Logistic),
            classes("H-kNN", "knn", Method::Knn),
        ],
    },
    PaperTable {
        number: 5,
        title: "the most common community, beside logistic regression",
        data: &["karate", "polblogs", "books", "football", "dblp", "wikipedia", "blogcatalog", "flickr"],
        dims: &[],
        columns: &[
            column("H-LR 2D", "logistic", Shows::Classes(&HYPERBOLIC, Method::Logistic, Some(2))),
            column("H-LR 10D", "logistic", Shows::Classes(&HYPERBOLIC, Method::Logistic, Some(10))),
            column("MCC, held out", "majority", Shows::Majority),
            column("MCC, all nodes", "all-nodes", Shows::MajorityOfAll),
        ],
    },
];

/// What of a graph is used, the same for every table.
#[must_use]
pub fn source(data: &str) -> Source {
    // The paper counts 1,224 blogs, those with a link; two of them are linked to each other alone.
    Source { graph: data.to_owned(), largest_component: data == "polblogs", ..Source::default() }
}

/// The scores of a column: what the table calls them, and the names of their metrics.
pub(super) fn scores(table: u8, column: &Column, multi_label: bool) -> Vec<(&'static str, String)> {
    if table == 2 {
        // The paper matches few communities as well as possible and many by their sizes.
        let precision = if multi_label { "precision_at_1_by_size" } else { "precision_at_1" };
        return vec![
            ("precision@1", precision.to_owned()),
            ("conductance", "conductance".to_owned()),
            ("NMI", "nmi".to_owned()),
        ];
    }
    let method = match column.shows {
        Shows::Classes(_, method, _) => method.name(),
        _ => Method::Majority.name(),
    };
    let places = [("precision@1", 1), ("precision@3", 3), ("precision@5", 5)];
    let count = if multi_label { 3 } else { 1 };
    places.into_iter().take(count).map(|(title, n)| (title, format!("{method}.precision_at_{n}"))).collect()
}
