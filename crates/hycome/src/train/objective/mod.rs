//! The three losses of the method, one training step each.
//!
//! | loss | step | module |
//! | --- | --- | --- |
//! | O₁, first-order proximity | every edge | [`first_order`]; [`first_order_line`] for dot products |
//! | O₂, second-order proximity | skip-gram with negative sampling on random walks | [`second_order`]; [`reference`] is its slow version |
//! | O₃, community embedding | every node, the mixture fixed | [`community`] |

pub(crate) mod community;
pub(crate) mod first_order;
pub(crate) mod first_order_line;
pub(crate) mod reference;
pub(crate) mod second_order;
