//! Reader notes: what a reader guessed, merged or ignored, as data that each front end can format.

use std::fmt;

use super::{BuildStats, Merged};

/// Roles of the columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnsRead {
    /// Role and name of each column used; named `column 1` and so on if there is no header.
    pub used: Vec<(&'static str, String)>,
    /// Names of unused columns.
    pub ignored: Vec<String>,
}

impl fmt::Display for ColumnsRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used: Vec<String> =
            self.used.iter().map(|(role, name)| format!("{role}={}", shown(name))).collect();
        f.write_str(&used.join(", "))?;
        let ignored: Vec<String> = self.ignored.iter().map(|name| shown(name)).collect();
        match ignored.len() {
            0 => Ok(()),
            1 => write!(f, "; 1 column ignored: {}", ignored[0]),
            count => write!(f, "; {count} columns ignored: {}", ignored.join(", ")),
        }
    }
}

/// A decision of a reader that the user may want to check; [`fmt::Display`] formats it as one sentence.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadNote {
    /// The first line was read as a header.
    Header {
        /// The line, quoted.
        line: String,
    },
    /// The first line was read as data, but may be a header.
    PossibleHeader {
        /// The line, quoted.
        line: String,
    },
    /// Repeated edges were merged.
    RepeatedEdges {
        /// Rows beyond the first of each pair.
        count: usize,
        /// How they were merged.
        merged: Merged,
    },
    /// Edges are directed; the direction was ignored.
    Directed {
        /// Whether the input declares it; otherwise the input is an asymmetric matrix.
        declared: bool,
    },
    /// Self loops were removed.
    SelfLoops {
        /// Their number.
        count: usize,
    },
    /// Edges of weight 0 were removed.
    ZeroWeights {
        /// Their number.
        count: usize,
    },
    /// The weights look like timestamps.
    WeightsLookLikeTimes {
        /// The smallest weight.
        smallest: f64,
        /// The largest weight.
        largest: f64,
    },
    /// The two columns may hold different kinds of nodes with overlapping ids.
    SharedIds {
        /// Name of the first column.
        source: String,
        /// Name of the second column.
        target: String,
        /// Number of names that occur in both.
        shared: usize,
    },
    /// Nodes without a unique name were renamed.
    RenamedNodes {
        /// Nodes with an empty name, renamed to their id.
        empty: usize,
        /// Nodes with a duplicate name, renamed to `name (id)`.
        repeated: usize,
    },
    /// Labels of nodes not in the graph were ignored.
    UnknownNodes {
        /// Number of these nodes.
        count: usize,
        /// Some of them.
        examples: Vec<String>,
    },
    /// Some nodes of the label file have no label.
    NoLabel {
        /// Their number.
        count: usize,
    },
    /// The number of classes suggests that an id column was read as labels.
    ManyClasses {
        /// Number of classes.
        classes: usize,
        /// Number of labelled nodes.
        nodes: usize,
    },
}

impl ReadNote {
    /// Reader parameter that [`fmt::Display`] quotes in backticks, so that a front end can add its own prefix.
    #[must_use]
    pub fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::PossibleHeader { .. } => Some("header"),
            Self::WeightsLookLikeTimes { .. } => Some("unweighted"),
            _ => None,
        }
    }

    /// Stable identifier of the type of note.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Header { .. } => "header",
            Self::PossibleHeader { .. } => "possible_header",
            Self::RepeatedEdges { .. } => "repeated_edges",
            Self::Directed { .. } => "directed",
            Self::SelfLoops { .. } => "self_loops",
            Self::ZeroWeights { .. } => "zero_weights",
            Self::WeightsLookLikeTimes { .. } => "weights_look_like_times",
            Self::SharedIds { .. } => "shared_ids",
            Self::RenamedNodes { .. } => "renamed_nodes",
            Self::UnknownNodes { .. } => "unknown_nodes",
            Self::NoLabel { .. } => "no_label",
            Self::ManyClasses { .. } => "many_classes",
        }
    }

    /// Detects weights that look like timestamps: all integers in the range of Unix times in seconds, milliseconds or
    /// microseconds from 1973 to 2100, or all years. Weights may be given in chunks.
    #[must_use]
    pub fn of_weights(pieces: &[&[f32]]) -> Option<Self> {
        const MIN_WEIGHTS: usize = 4;
        let weights = || pieces.iter().flat_map(|piece| piece.iter().copied());
        if weights().nth(MIN_WEIGHTS - 1).is_none() || weights().any(|weight| weight.fract() != 0.0) {
            return None;
        }
        let smallest = weights().fold(f32::INFINITY, f32::min);
        let largest = weights().fold(0.0, f32::max);
        let is_unix_time = |unit: f32| smallest >= 1e8 * unit && largest <= 4.2e9 * unit;
        let are_years = smallest >= 1900.0 && largest <= 2100.0 && smallest < largest;
        ([1.0, 1e3, 1e6].into_iter().any(is_unix_time) || are_years).then_some(Self::WeightsLookLikeTimes {
            smallest: f64::from(smallest),
            largest: f64::from(largest),
        })
    }

    /// Notes derived from build statistics.
    #[must_use]
    pub fn of_stats(stats: &BuildStats) -> Vec<Self> {
        let mut notes = Vec::new();
        if stats.repeats > 0 {
            notes.push(Self::RepeatedEdges { count: stats.repeats, merged: stats.merged });
        }
        if stats.self_loops > 0 {
            notes.push(Self::SelfLoops { count: stats.self_loops });
        }
        if stats.zero_weights > 0 {
            notes.push(Self::ZeroWeights { count: stats.zero_weights });
        }
        notes
    }
}

impl fmt::Display for ReadNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        match self {
            Self::Header { line } => write!(f, "the first line, {line}, is taken for a header"),
            Self::PossibleHeader { line } => write!(
                f,
                "the first line, {line}, is read as an edge, but its names occur nowhere else; if it is a header, \
                 set `header`"
            ),
            Self::RepeatedEdges { count, merged } => {
                let rows =
                    format!("{count} row{} repeat{} an edge", s(*count), if *count == 1 { "s" } else { "" });
                match merged {
                    Merged::Nothing => Ok(()),
                    Merged::BothDirections => write!(
                        f,
                        "{count} edge{} {} listed in both directions and taken once",
                        s(*count),
                        if *count == 1 { "is" } else { "are" }
                    ),
                    Merged::Counted => write!(f, "{rows}; rows are counted, and the counts are the weights"),
                    Merged::Summed => write!(f, "{rows}; weights are summed"),
                    Merged::Largest => write!(f, "{rows}; the largest weight is kept"),
                    Merged::First => write!(f, "{rows}; the first row is kept"),
                }
            }
            Self::Directed { declared: true } => f.write_str("edges are directed; directions are ignored"),
            Self::Directed { declared: false } => {
                f.write_str("the matrix is not symmetric; it is taken as undirected")
            }
            Self::SelfLoops { count } => write!(f, "{count} self-loop{} removed", s(*count)),
            Self::ZeroWeights { count } => {
                write!(f, "{count} edge{} of weight 0 removed", s(*count))
            }
            Self::WeightsLookLikeTimes { smallest, largest } => {
                write!(f, "the weights, {smallest} to {largest}, look like times; `unweighted` ignores them")
            }
            Self::SharedIds { source, target, shared } => write!(
                f,
                "columns {} and {} share {shared} id{}, taken for the same node{}; if the columns hold different \
                 kinds of nodes, prefix the ids of one",
                shown(source),
                shown(target),
                s(*shared),
                s(*shared)
            ),
            Self::RenamedNodes { empty, repeated } => {
                let mut parts = Vec::new();
                if *empty > 0 {
                    parts.push(format!("{empty} node{} without a name called by id", s(*empty)));
                }
                if *repeated > 0 {
                    parts.push(format!(
                        "{repeated} node{} that share a name called `name (id)`",
                        s(*repeated)
                    ));
                }
                f.write_str(&parts.join(", "))
            }
            Self::UnknownNodes { count, examples } => write!(
                f,
                "{count} node{} of the labels {} not in the graph and ignored, such as {}",
                s(*count),
                if *count == 1 { "is" } else { "are" },
                examples.iter().map(|name| shown(name)).collect::<Vec<_>>().join(", ")
            ),
            Self::NoLabel { count } => {
                write!(f, "{count} node{} of the label file without a label", s(*count))
            }
            Self::ManyClasses { classes, nodes } => {
                write!(f, "{classes} classes for {nodes} labelled nodes; is the label column one of ids?")
            }
        }
    }
}

/// A name without quotes, with control characters escaped for the terminal.
fn shown(name: &str) -> String {
    name.chars()
        .flat_map(|c| {
            let is_harmless = matches!(c, '"' | '\'' | '\\');
            let (kept, escaped) = if is_harmless { (Some(c), None) } else { (None, Some(c.escape_debug())) };
            kept.into_iter().chain(escaped.into_iter().flatten())
        })
        .collect()
}
