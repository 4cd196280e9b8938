//! Input formats: detection, one parser per format, and the text utilities they share.

pub(crate) mod bipartite;
#[cfg(feature = "formats")]
pub(crate) mod csv_folder;
pub(crate) mod detect;
pub(crate) mod edge_body;
pub(crate) mod edge_list;
pub(crate) mod edge_table;
#[cfg(feature = "formats")]
pub(crate) mod gml;
pub(crate) mod header;
pub(crate) mod interner;
pub(crate) mod labels;
#[cfg(feature = "formats")]
pub(crate) mod matlab;
#[cfg(feature = "formats")]
pub(crate) mod matrix_market;
pub(crate) mod rank_bitmap;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod unsupported;
