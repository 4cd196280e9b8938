//! Merging of repeated edges (parallel edges of a multigraph).
//!
//! Event logs, mail archives and multigraphs repeat an edge once per event, so the multiplicity is a weight. Adjacency
//! matrices and many published edge lists contain each edge once per direction, which is not. The rules, applied
//! wherever a graph is built:
//!
//! * Rows with the same source and target are repeats. [`RepeatedEdges`] selects how their weights are combined;
//!   without weights they are counted, and the counts become the weights.
//! * If the input is declared undirected, both orientations are the same edge and therefore repeats.
//! * Otherwise, if every row has a mirror image of the same weight, each edge is listed twice and counted once. If
//!   not, the weights of both directions are combined. Without weights and without repeats in the same direction, a
//!   reciprocated pair is one edge and the graph stays unweighted; with such repeats, all rows count.
//!
//! Sums are computed in `f64` over sorted values, so they do not depend on the order of rows, and saturate at the
//! largest `f32`.

use serde::{Deserialize, Serialize};

/// How the weights of repeated edges are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum RepeatedEdges {
    /// Add the weights; count the rows if there are none.
    #[default]
    Sum,
    /// Keep the largest weight; a graph without weights stays unweighted.
    Max,
    /// Keep the weight of the first row; a graph without weights stays unweighted.
    First,
}

impl RepeatedEdges {
    /// Name in flags and files.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Max => "max",
            Self::First => "first",
        }
    }
}

impl std::fmt::Display for RepeatedEdges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for RepeatedEdges {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Sum, Self::Max, Self::First]
            .into_iter()
            .find(|repeated| repeated.name() == text)
            .ok_or_else(|| format!("expected sum, max or first, found {text:?}"))
    }
}

/// Declared direction of the input's edges. The graph is undirected in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Not declared, as in an edge list or a general matrix.
    #[default]
    Unknown,
    /// Edges are declared directed.
    Directed,
    /// Edges are declared undirected, so `a b` and `b a` are the same edge.
    Undirected,
}

/// How repeated rows were merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Merged {
    /// There were no repeats.
    #[default]
    Nothing,
    /// Edges were listed once per direction and counted once.
    BothDirections,
    /// Rows were counted, and the counts became the weights.
    Counted,
    /// Weights were added.
    Summed,
    /// The largest weight was kept.
    Largest,
    /// The first row was kept.
    First,
}

impl Merged {
    const ALL: [Self; 6] =
        [Self::Nothing, Self::BothDirections, Self::Counted, Self::Summed, Self::Largest, Self::First];

    /// Name in files.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::BothDirections => "both_directions",
            Self::Counted => "counted",
            Self::Summed => "summed",
            Self::Largest => "largest",
            Self::First => "first",
        }
    }

    /// Parses a name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|merged| merged.name() == name)
    }
}
