//! What the outside calls the nodes.

/// Outside name of each node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeNames;
