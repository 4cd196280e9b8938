//! Run files: round trips, and refusal of damaged or invalid files.

use std::path::Path;

use crate::assert_mentions;
use hycome::geometry::Geometry;
use hycome::io::run_file::{self, from_bytes, to_bytes};
use hycome::mixture::euclidean::{Covariances, EuclideanMixture};
use hycome::mixture::{GaussianMixture, Mixture};
use hycome::train::{EpochReport, MixtureReport, RestartReport};
use hycome::{NodeNames, Points, Run, TrainConfig};
use proptest::prelude::*;

/// A run of four nodes and two communities.
fn small(names: NodeNames) -> Run {
    let single = |values: [f32; 8]| Points::new(2, values.map(f64::from).to_vec());
    Run {
        nodes: single([0.1, 0.2, -0.3, 0.7, 0.0, -0.9, 0.999, 0.01]),
        contexts: single([0.0, 0.0, 0.3, 0.1, -0.2, 0.4, 0.5, -0.5]),
        layout: None,
        mixture: GaussianMixture {
            weights: vec![1.0 / 3.0, 2.0 / 3.0],
            means: Points::new(2, vec![0.1, 0.3, -0.2, 1e-17]),
            scales: vec![0.7, 1.3],
        }
        .into(),
        names,
        config: TrainConfig {
            communities: Some(2),
            learning_rate: Some(0.1 + 0.2),
            dim: Some(2),
            ..TrainConfig::default()
        },
        history: vec![
            EpochReport { epoch: 1, dim: 2, learning_rate: 0.1, pairs: 12, dropped_steps: 0, mixture: None },
            EpochReport {
                epoch: 2,
                dim: 2,
                learning_rate: 1.0 / 3.0,
                pairs: u64::MAX,
                dropped_steps: 3,
                mixture: Some(MixtureReport { iterations: 7, converged: true, log_likelihood: -0.1 - 0.2 }),
            },
        ],
        restarts: vec![
            RestartReport { conductance: 0.1 + 0.2, pairs: 12, dropped_steps: 3, kept: true },
            RestartReport { conductance: 1.0 / 3.0, pairs: 11, dropped_steps: 0, kept: false },
        ],
    }
}

/// The same run in Euclidean space, where points may lie anywhere.
fn euclidean(geometry: Geometry) -> Run {
    let run = small(NodeNames::numbered(1, 4));
    let covariances = match geometry {
        Geometry::Come => Covariances::Full(vec![2.0, 0.6, 0.6, 0.5, 1.0, 0.0, 0.0, 4.0]),
        _ => Covariances::Spherical(vec![0.7, 1.3]),
    };
    let mixture = EuclideanMixture {
        weights: vec![0.25, 0.75],
        means: Points::new(2, vec![5.0, 0.3, -9.0, 1e-17]),
        covariances,
    };
    Run {
        nodes: Points::new(2, vec![12.5, 0.25, -3.0, 0.75, 0.0, -9.0, 1e6, 0.5]),
        mixture: mixture.into(),
        config: TrainConfig { geometry, ..run.config.clone() },
        ..run
    }
}

const EUCLIDEAN: [Geometry; 2] = [Geometry::Come, Geometry::Euclidean];

fn path() -> &'static Path {
    Path::new("x.safetensors")
}

fn all_names() -> [NodeNames; 4] {
    [
        NodeNames::numbered(1, 4),
        NodeNames::from_numbers(vec![7, 3, u64::MAX, 0]),
        NodeNames::from_strings(["a", "", "été", "tab\there"]),
        NodeNames::from_strings(["007", "7", "x\ny", "\u{1b}[0m"]),
    ]
}

#[test]
fn a_run_survives_a_round_trip() {
    let layout = small(NodeNames::numbered(1, 4)).contexts;
    for (names, layout) in all_names().into_iter().zip([None, Some(layout)].into_iter().cycle()) {
        let run = Run { layout, ..small(names) };
        let bytes = to_bytes(&run, path()).unwrap();
        assert_eq!(from_bytes(&bytes, path()).unwrap(), run);
        assert_eq!(to_bytes(&run, path()).unwrap(), bytes, "the same run has the same bytes");
        assert!(run_file::looks_like_run(&bytes));
    }
}

#[test]
fn euclidean_runs_survive_a_round_trip() {
    for geometry in EUCLIDEAN {
        let run = euclidean(geometry);
        let bytes = to_bytes(&run, path()).unwrap();
        assert_eq!(from_bytes(&bytes, path()).unwrap(), run);
        let name = format!("\"geometry\":\"{}\"", geometry.name());
        assert!(String::from_utf8_lossy(&bytes).contains(&name), "other readers find the geometry");
    }
}

#[test]
fn invalid_euclidean_runs_are_not_written() {
    for geometry in EUCLIDEAN {
        let refused = |change: &dyn Fn(&mut Run)| {
            let mut run = euclidean(geometry);
            change(&mut run);
            to_bytes(&run, path()).unwrap_err().to_string()
        };
        for wrong in [f64::NAN, f64::INFINITY] {
            let message = refused(&|run| run.nodes.row_mut(2)[0] = wrong);
            assert_mentions(&message, "x.safetensors: … `nodes` … finite … row 2");
        }
        let spread = |covariances: Covariances| {
            refused(&|run| {
                run.mixture = Mixture::Euclidean(EuclideanMixture {
                    covariances: covariances.clone(),
                    ..run.mixture.euclidean().unwrap().clone()
                });
            })
        };
        let (not_positive, too_few, other) = match geometry {
            Geometry::Come => (
                Covariances::Full(vec![1.0, 2.0, 2.0, 1.0, 1.0, 0.0, 0.0, 4.0]),
                Covariances::Full(vec![1.0, 0.0, 0.0, 1.0]),
                Covariances::Spherical(vec![1.0; 2]),
            ),
            _ => (
                Covariances::Spherical(vec![0.7, 0.0]),
                Covariances::Spherical(vec![0.7]),
                Covariances::Full([1.0, 0.0, 0.0, 1.0].repeat(2)),
            ),
        };
        assert!(spread(not_positive).contains("positive definite"));
        assert!(spread(too_few).contains("2 means of 2 coordinates and"));
        assert!(spread(other).contains(&format!("Gaussians of the geometry {}", geometry.name())));
        let of_the_ball = small(NodeNames::numbered(1, 4)).mixture;
        assert!(refused(&|run| run.mixture = of_the_ball.clone()).contains("Gaussians of the geometry"));
    }
}

#[test]
fn no_changed_byte_of_a_euclidean_run_panics() {
    for geometry in EUCLIDEAN {
        let bytes = to_bytes(&euclidean(geometry), path()).unwrap();
        for place in 0..bytes.len() {
            for change in [1, 0x40, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                if let Ok(run) = from_bytes(&changed, path()) {
                    let found = run.responsibilities().expect("what was accepted can be used");
                    assert!(found.rows().flatten().all(|w| (0.0..=1.0).contains(w)), "byte {place}");
                }
            }
        }
    }
}

#[test]
fn a_run_is_loaded_from_its_folder_or_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = small(NodeNames::numbered(0, 4));
    let file = folder.path().join(run_file::RUN_FILE);
    run_file::save(&run, &file).unwrap();
    run_file::save(&run, &file).unwrap();
    assert_eq!(run_file::load(folder.path()).unwrap(), run);
    assert_eq!(run_file::load(&file).unwrap(), run);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let message = run_file::load(&folder.path().join("none")).unwrap_err().to_string();
    assert!(message.contains("none: cannot read"), "{message}");
}

#[test]
fn every_truncation_is_refused() {
    for names in all_names() {
        let bytes = to_bytes(&small(names), path()).unwrap();
        for length in 0..bytes.len() {
            assert!(from_bytes(&bytes[..length], path()).is_err(), "{length} of {} bytes", bytes.len());
        }
        assert!(from_bytes(&[&bytes[..], b"\0"].concat(), path()).is_err(), "a byte too many");
    }
}

#[test]
fn a_changed_bit_is_detected() {
    for names in all_names() {
        let bytes = to_bytes(&small(names), path()).unwrap();
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                assert!(from_bytes(&changed, path()).is_err(), "bit {bit} of byte {place}");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(from_bytes(&bytes, path()).is_err());
    }

    #[test]
    fn no_header_panics(header in "[\\[\\]{}\",:0-9a-zA-Z_.]{0,80}") {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        prop_assert!(from_bytes(&bytes, path()).is_err());
    }
}

/// Error message for a file with one text of the header replaced by another of the same length, and a correct checksum.
fn refusal(run: &Run, from: &str, to: &str) -> String {
    assert_eq!(from.len(), to.len());
    let bytes = to_bytes(run, path()).unwrap();
    let place = bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("it is there");
    let mut changed = bytes;
    changed[place..place + to.len()].copy_from_slice(to.as_bytes());
    let sum = changed.windows(12).position(|window| window == b"\"checksum\":\"").expect("it is there") + 12;
    changed[sum..sum + 8].copy_from_slice(b"00000000");
    let digits = format!("{:08x}", crc32fast::hash(&changed));
    changed[sum..sum + 8].copy_from_slice(digits.as_bytes());
    from_bytes(&changed, path()).unwrap_err().to_string()
}

#[test]
fn errors_name_the_invalid_content() {
    let run = small(NodeNames::numbered(0, 4));
    let error = |from, to| refusal(&run, from, to);
    assert_mentions(
        &error("\"format_version\":\"1\"", "\"format_version\":\"9\""),
        "x.safetensors: … version 9 … \"hycome 0.1.0\"",
    );
    assert_mentions(&error("\"format_version\":\"1\"", "\"format_version\":\"x\""), "x.safetensors: … \"x\"");
    assert_mentions(&error("hycome-run", "hycome-ruN"), "x.safetensors: … other tensors");
    assert_mentions(&error("\"mixture.scales\"", "\"mixture.scaleS\""), "x.safetensors: … `mixture.scales`");
    assert_mentions(&error("\"poincare\"", "\"lorentz!\""), "x.safetensors: … \"lorentz!\"");
    assert_mentions(&error("\\\"poincare\\\"", "\\\"come\\\"    "), "x.safetensors: … \"come\"");
    assert_mentions(&error("\"history\"", "\"histori\""), "x.safetensors: … `history`");
    assert_mentions(&error("\\\"dim\\\":2", "\\\"dim\\\":3"), "x.safetensors: … dim = 2 … 3");
    let unknown = error("\\\"seed\\\"", "\\\"sead\\\"");
    assert!(
        unknown
            .starts_with("x.safetensors: expected `config` as this version writes it, found unknown field"),
        "{unknown}"
    );
    let shape = error("\"F32\",\"shape\":[4,2]", "\"F32\",\"shape\":[8,1]");
    assert_mentions(&shape, "x.safetensors: … contexts … 8 and 1");
    let dtype = error("\"mixture.scales\":{\"dtype\":\"F64\"", "\"mixture.scales\":{\"dtype\":\"I64\"");
    assert_mentions(&dtype, "x.safetensors: … `mixture.scales` … F64 … I64");
}

#[test]
fn other_files_are_refused() {
    let message = from_bytes(b"1 2\n2 3\n", path()).unwrap_err().to_string();
    assert_mentions(&message, "x.safetensors: … another kind of file");
    assert!(!run_file::looks_like_run(b"1 2\n2 3\n3 4\n"));
}

fn ball(run: &mut Run) -> &mut GaussianMixture {
    match &mut run.mixture {
        Mixture::Hyperbolic(mixture) => mixture,
        Mixture::Euclidean(_) => panic!("the run is one of the ball"),
    }
}

#[test]
fn invalid_runs_are_not_written() {
    let good = small(NodeNames::numbered(0, 4));
    let refused = |change: &dyn Fn(&mut Run)| {
        let mut run = good.clone();
        change(&mut run);
        to_bytes(&run, path()).unwrap_err().to_string()
    };
    let message = refused(&|run| run.nodes.row_mut(2)[0] = f64::NAN);
    assert_mentions(&message, "x.safetensors: … `nodes` … row 2");
    assert!(refused(&|run| run.contexts.row_mut(0)[1] = 1.0).contains("`contexts`"));
    assert!(refused(&|run| ball(run).means.row_mut(1)[1] = -1.5).contains("`mixture.means`"));
    assert!(refused(&|run| ball(run).weights[0] = 0.4).contains("add up to 1"));
    assert!(refused(&|run| ball(run).weights = vec![-0.5, 1.5]).contains("weights from 0 to 1"));
    assert!(refused(&|run| ball(run).scales[1] = 0.0).contains("scales from 1e-50 to 1e50, found 0e0"));
    assert!(
        refused(&|run| ball(run).scales[1] = f64::INFINITY).contains("scales from 1e-50 to 1e50, found inf")
    );
    assert!(refused(&|run| run.names = NodeNames::numbered(0, 3)).contains("4 names"));
    assert!(refused(&|run| run.config.walks = Some(0)).contains("settings within their ranges"));
    assert!(refused(&|run| run.history[0].learning_rate = f64::NAN).contains("epoch 1"));
}
