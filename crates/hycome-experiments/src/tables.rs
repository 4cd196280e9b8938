//! Layout of the paper's tables 2 to 5.
//!
//! A row is a graph and a dimension; a column is an [`EmbeddingMethod`] and a downstream task: community detection with
//! the mixture, or a classifier. All columns of an embedding method share its training runs. Some columns are not in
//! the paper.

use crate::Source;
use hycome::classify::Method;

/// An embedding method under comparison.
#[derive(Debug)]
pub struct EmbeddingMethod {
    /// Name in reports.
    pub name: &'static str,
    /// Hyperparameters that define it, as JSON.
    pub(crate) settings: &'static str,
    /// Classifiers evaluated on its embeddings.
    pub(crate) methods: &'static [Method],
}

/// Hyperbolic embedding in the Poincaré ball: the method of the paper and the default of hycome.
pub static HYPERBOLIC: EmbeddingMethod = EmbeddingMethod {
    name: "hyperbolic",
    settings: "{}",
    methods: &[Method::NearestCentroid, Method::Gaussian, Method::Logistic, Method::Svm, Method::Knn],
};
/// ComE (Cavallari et al. 2017), the baseline of the paper: dot products and a Euclidean mixture with full covariances.
pub static COME: EmbeddingMethod = EmbeddingMethod {
    name: "ComE",
    settings: r#"{"geometry":"come"}"#,
    methods: &[Method::EuclideanLogistic],
};

/// All embedding methods.
pub static EMBEDDING_METHODS: [&EmbeddingMethod; 2] = [&HYPERBOLIC, &COME];

/// Content of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ColumnKind {
    /// Community detection with the mixture.
    Communities(&'static EmbeddingMethod),
    /// A classifier on the embedding, in a fixed dimension if one is given and else in that of the row.
    Classes(&'static EmbeddingMethod, Method, Option<usize>),
    /// Majority-class baseline, cross-validated.
    Majority,
    /// Majority-class baseline, fitted and tested on all nodes.
    MajorityAllNodes,
}

/// A column of a paper table.
#[derive(Clone, Copy, Debug)]
pub struct PaperColumn {
    /// Heading.
    pub title: &'static str,
    /// Key in `paper.txt`.
    pub(crate) key: &'static str,
    pub(crate) kind: ColumnKind,
}

const fn column(title: &'static str, key: &'static str, kind: ColumnKind) -> PaperColumn {
    PaperColumn { title, key, kind }
}

const fn classes(title: &'static str, key: &'static str, method: Method) -> PaperColumn {
    column(title, key, ColumnKind::Classes(&HYPERBOLIC, method, None))
}

/// A table of the paper.
#[derive(Debug)]
pub struct PaperTable {
    /// Table number.
    pub number: u8,
    /// Caption.
    pub title: &'static str,
    /// Datasets of the rows.
    pub data: &'static [&'static str],
    /// Dimensions of the rows; empty if there is one row per dataset.
    pub(crate) dims: &'static [usize],
    /// Columns.
    pub columns: &'static [PaperColumn],
}

pub(crate) const SMALL: &[&str] = &["karate", "polblogs", "books", "football"];
const LARGE: &[&str] = &["dblp", "wikipedia", "blogcatalog", "flickr"];

/// Tables 2 to 5. Table 1 lists dataset sizes, as `hycome datasets list` does.
pub static TABLES: [PaperTable; 4] = [
    PaperTable {
        number: 2,
        title: "community detection",
        data: LARGE,
        dims: &[2, 5, 10],
        columns: &[
            column("H-GMM", "h-gmm", ColumnKind::Communities(&HYPERBOLIC)),
            column("ComE", "come", ColumnKind::Communities(&COME)),
        ],
    },
    PaperTable {
        number: 3,
        title: "classification",
        data: LARGE,
        dims: &[2, 5, 10],
        columns: &[
            classes("H-K-Means", "kmeans", Method::NearestCentroid),
            classes("H-GMM", "gaussian", Method::Gaussian),
            classes("H-LR", "logistic", Method::Logistic),
            classes("H-kNN", "knn", Method::Knn),
            column("ComE", "come", ColumnKind::Classes(&COME, Method::EuclideanLogistic, None)),
        ],
    },
    PaperTable {
        number: 4,
        title: "classification of small graphs",
        data: SMALL,
        dims: &[2],
        columns: &[
            classes("H-SVM", "svm", Method::Svm),
            classes("H-K-Means", "kmeans", Method::NearestCentroid),
            classes("H-GMM", "gaussian", Method::Gaussian),
            classes("H-LR", "logistic", Method::Logistic),
            classes("H-kNN", "knn", Method::Knn),
        ],
    },
    PaperTable {
        number: 5,
        title: "majority-class baseline (MCC) and logistic regression",
        data: &["karate", "polblogs", "books", "football", "dblp", "wikipedia", "blogcatalog", "flickr"],
        dims: &[],
        columns: &[
            column("H-LR 2D", "logistic", ColumnKind::Classes(&HYPERBOLIC, Method::Logistic, Some(2))),
            column("H-LR 10D", "logistic", ColumnKind::Classes(&HYPERBOLIC, Method::Logistic, Some(10))),
            column("MCC, held out", "majority", ColumnKind::Majority),
            column("MCC, all nodes", "all-nodes", ColumnKind::MajorityAllNodes),
        ],
    },
];

/// Input and preprocessing of a dataset, the same for every table.
#[must_use]
pub fn source(data: &str) -> Source {
    // The paper counts the 1,224 blogs with a link; two of them form a component of their own.
    Source { graph: data.to_owned(), largest_component: data == "polblogs", ..Source::default() }
}

/// Scores of a column: name in the table, and name in [`Metrics`](crate::Metrics).
pub(crate) fn scores(table: u8, column: &PaperColumn, multi_label: bool) -> Vec<(&'static str, String)> {
    if table == 2 {
        // The paper uses Hungarian matching for few communities and matching by size for many, and its own NMI, which
        // differs for nodes with several classes.
        let precision = if multi_label { "precision_at_1_by_size" } else { "precision_at_1" };
        return vec![
            ("precision@1", precision.to_owned()),
            ("conductance", "conductance".to_owned()),
            ("NMI", "nmi_paper".to_owned()),
        ];
    }
    let method = match column.kind {
        ColumnKind::Classes(_, method, _) => method.name(),
        _ => Method::Majority.name(),
    };
    let places = [("precision@1", 1), ("precision@3", 3), ("precision@5", 5)];
    let count = if multi_label { 3 } else { 1 };
    places.into_iter().take(count).map(|(title, n)| (title, format!("{method}.precision_at_{n}"))).collect()
}
