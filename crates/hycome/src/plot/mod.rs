//! Visualization of runs in the Poincaré disc: an interactive viewer and vector figures.
//!
//! A [`Scene`] is everything that a visualization may show, as plain data in two dimensions: points, edges,
//! communities, classes, Gaussians, scores. It is built from a [`Run`](crate::Run) and optionally from the graph,
//! ground-truth labels and a classifier. Two modules render it:
//!
//! | module | output |
//! |---|---|
//! | [`page`] | the interactive viewer: one self-contained HTML file without server or network access |
//! | [`figure`] | SVG of discs and charts with embedded fonts; PNG and PDF with the feature `figures` |
//!
//! Points of more than two dimensions are drawn by the layout of the run or, without one, projected by principal geodesic
//! analysis; the scene states how faithful either is ([`View`]). Edges of large graphs are sampled uniformly ([`EdgeSample`]),
//! with a note in the scene.

mod coloring;
mod contours;
mod curves;
mod decision_boundaries;
mod decision_raster;
mod decision_regions;
mod edges;
pub mod figure;
pub mod page;
mod palette;
mod projection;
mod scene;
mod view;

pub use coloring::{Class, Coloring};
pub use edges::{EdgeSample, MAX_EDGES};
#[cfg(feature = "figures")]
pub use figure::raster;
pub use figure::{Content, Figure, Layers, Panel, chart, label_distribution, label_shares, theme};
pub use scene::{Gaussian, Scene, Score};
pub use view::View;
