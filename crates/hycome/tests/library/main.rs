//! Black-box tests of the library: properties, independent reference values, slow reference implementations, end-to-end trainings.
//!
//! One test binary: each would link the whole library again, and test binaries run one after another.

mod classify_properties;
mod determinism;
mod end_to_end;
mod euclidean_geometries;
mod far_points;
mod generate_properties;
mod geometry_properties;
mod hostile_sizes;
mod malformed;
mod metrics_values;
mod mixture_properties;
mod numbering;
mod public_data;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]
mod recorded_results;
mod reference_values;
mod resume;
mod robustness;
mod run_file;

/// Asserts that `message` starts with the first part of `pattern` and mentions the others in this order; ` … ` separates parts.
fn assert_mentions(message: &str, pattern: &str) {
    let mut parts = pattern.split(" … ");
    let mut rest = message.strip_prefix(parts.next().unwrap_or_default());
    for part in parts {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    assert!(rest.is_some(), "expected {pattern:?}, found {message:?}");
}
