//! The library from outside: laws, independent values, obvious slow versions and stories.
//!
//! One program, because each would be linked with the whole library, and their tests would wait for each other.

mod classify_laws;
mod corpora;
mod determinism;
mod far_points;
mod flat_geometries;
mod generate_laws;
mod geometry_laws;
mod hostile_sizes;
mod metrics_values;
mod mixture_laws;
mod numbering;
mod public_data;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod recorded_results;
mod reference_values;
mod resume;
mod robustness;
mod run_file;
mod stories;
