//! What is known of the nodes: for each, zero or more classes.

/// Class ids of each node, and the classes' names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels;
