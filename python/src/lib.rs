//! Compiled extension module of the Python package: converts arguments, calls the library, converts results.
//!
//! The public API is written in Python, in `hycome/`.

mod arrays;
mod checkpoint;
mod classify;
mod datasets;
mod error;
mod generate;
mod graph;
mod manifold;
mod metrics;
mod mixture;
mod plot;
mod run;
mod settings;
mod work;

use pyo3::prelude::*;

/// Compiled extension module of hycome.
#[pymodule]
mod _hycome {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::classify::{Classifier, cross_validate, folds};
    #[pymodule_export]
    use crate::datasets::{Dataset, find_dataset, known_datasets, load_dataset};
    #[pymodule_export]
    use crate::generate::{hyperbolic, lfr, power_law, sbm};
    #[pymodule_export]
    use crate::graph::{Graph, Labels, Names, read};
    #[pymodule_export]
    use crate::manifold::{
        barycenter, distance, exp, from_lorentz, from_tangent, log, log_zeta, mean_squared_distance,
        mobius_add, pairwise_distance, scale_from_spread, to_lorentz,
    };
    #[pymodule_export]
    use crate::metrics::{against_labels, agreement, conductance, graph_warnings, score, size_warnings};
    #[pymodule_export]
    use crate::mixture::{fit_mixture, kmeans, log_densities, responsibilities, sample};
    #[pymodule_export]
    use crate::plot::{Scene, label_distribution, write_file};
    #[pymodule_export]
    use crate::run::{Run, resume, train, unfinished};
    #[pymodule_export]
    use crate::settings::settings;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
