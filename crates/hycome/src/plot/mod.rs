//! Pictures of a run: what is in them, and the page and figures that show it.
//!
//! A [`Scene`] holds everything that a picture may show, as plain data in two dimensions: points, edges, communities,
//! classes, Gaussians, scores. It is built from a [`Run`](crate::Run) and, where they are known, from the graph, the labels and a
//! classifier. What is shown is decided later, by whoever draws it:
//!
//! | file | makes |
//! |---|---|
//! | [`page`] | one HTML file with an interactive disc, which needs neither server nor network |
//! | [`figure`] | SVG with its fonts: discs and charts, titles and legends |
//! | `raster` | PNG and PDF of figures, behind the feature `figures` |
//!
//! Points of more than two dimensions are projected to their principal geodesics ([`projection`]), and what that
//! keeps is part of the scene. Edges beyond what a picture can carry are left out by a rule that the picture states
//! ([`edges`]).

mod borders;
mod cells;
pub mod chart;
pub mod coloring;
pub mod contours;
pub mod curves;
pub mod disc;
pub mod edges;
pub mod figure;
mod legend;
mod names;
#[cfg(feature = "figures")]
mod ordered;
mod packed;
pub mod page;
pub mod palette;
pub mod projection;
#[cfg(feature = "figures")]
pub mod raster;
mod regions;
pub mod scene;
mod sketch;
pub mod svg;
pub mod theme;

pub use coloring::{Class, Coloring};
pub use disc::Shown;
pub use edges::ShownEdges;
pub use figure::{Content, Figure, Panel};
pub use packed::PackedEdges;
pub use projection::{Projection, project};
pub use scene::{Frame, Gaussian, Member, Scene, Score};
