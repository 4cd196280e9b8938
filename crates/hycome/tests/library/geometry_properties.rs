//! Identities of the Poincaré ball, on random and extreme points.
//!
//! Each holds up to rounding. A coordinate near the boundary is only known to ε, which is a distance of
//! ε/(1−|x|²); the tolerances below are that, with a factor for the length of the calculation.

use hycome::geometry::poincare::{distance, exp, log, norm, slack, translate};
use hycome::rng::{Purpose, Stream, stream};

const DIMS: [usize; 6] = [2, 3, 10, 33, 64, 128];

/// Norms of the points: the origin, magnitudes whose squares underflow, ordinary ones, near the boundary.
const NORMS: [f64; 9] = [0.0, 1e-300, 1e-160, 1e-9, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-6];

fn direction(dim: usize, rng: &mut Stream) -> Vec<f64> {
    let v: Vec<f64> = (0..dim).map(|_| rng.normal()).collect();
    let length = norm(&v);
    v.iter().map(|c| c / length).collect()
}

fn point(dim: usize, norm: f64, rng: &mut Stream) -> Vec<f64> {
    direction(dim, rng).iter().map(|c| c * norm).collect()
}

/// Pairs of points of every kind, and two equal ones.
fn pairs() -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut pairs = Vec::new();
    for dim in DIMS {
        let mut rng = stream(5, Purpose::Start, 1, dim as u64);
        for a in NORMS {
            for b in NORMS {
                pairs.push((point(dim, a, &mut rng), point(dim, b, &mut rng)));
            }
            let x = point(dim, a, &mut rng);
            pairs.push((x.clone(), x));
        }
    }
    pairs
}

/// Error of a distance from `x` due to rounding of the coordinates.
fn rounding(x: &[f64]) -> f64 {
    64.0 * f64::EPSILON / slack(x)
}

#[test]
fn exp_inverts_log() {
    for (x, y) in pairs() {
        let (mut v, mut back) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        log(&x, &y, &mut v);
        exp(&x, &v, &mut back);
        // A direction is known to ε, and what starts ε apart is ε·sinh d apart at distance d.
        let (error, aim) = (distance(&back, &y), 16.0 * f64::EPSILON * distance(&x, &y).sinh());
        assert!(error <= rounding(&y) + rounding(&x) + aim, "{error} from {} to {}", norm(&x), norm(&y));
    }
}

#[test]
fn exp_inverts_log_at_tiny_magnitudes() {
    for scale in [1e-300, 1e-250, 1e-160, 1e-100] {
        let (x, y) = ([3.0 * scale, 0.0], [0.0, 4.0 * scale]);
        let (mut v, mut back) = ([0.0; 2], [0.0; 2]);
        log(&x, &y, &mut v);
        exp(&x, &v, &mut back);
        assert!(back.iter().zip(y).all(|(back, y)| (back - y).abs() < 1e-14 * scale), "{back:?}");
        assert!((distance(&x, &y) / (10.0 * scale) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn log_has_the_length_of_the_distance() {
    for (x, y) in pairs() {
        let mut v = vec![0.0; x.len()];
        log(&x, &y, &mut v);
        let (length, d) = (2.0 * norm(&v) / slack(&x), distance(&x, &y));
        assert!((length - d).abs() <= 1e-12 * d + f64::MIN_POSITIVE, "{length} {d}");
    }
}

#[test]
fn log_inverts_exp() {
    for dim in DIMS {
        let mut rng = stream(6, Purpose::Start, 2, dim as u64);
        for at in [0.0, 1e-9, 0.3, 0.9] {
            for length in [1e-200, 1e-8, 0.5, 3.0] {
                let x = point(dim, at, &mut rng);
                let v = point(dim, length * slack(&x) / 2.0, &mut rng);
                let (mut y, mut back) = (x.clone(), x.clone());
                exp(&x, &v, &mut y);
                log(&x, &y, &mut back);
                let difference: Vec<f64> = v.iter().zip(&back).map(|(v, back)| v - back).collect();
                // Where the step is below the rounding of x it is lost, as it must be.
                let error = 2.0 * norm(&difference) / slack(&x);
                assert!(
                    error <= 1e-13 * length + rounding(&x).min(at * 1e-13) + rounding(&y) * length,
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn distance_is_a_metric() {
    for dim in DIMS {
        let mut rng = stream(7, Purpose::Start, 3, dim as u64);
        for a in NORMS {
            for b in NORMS {
                let (x, y) = (point(dim, a, &mut rng), point(dim, b, &mut rng));
                let z = point(dim, rng.unit(), &mut rng);
                assert_eq!(distance(&x, &y), distance(&y, &x));
                assert_eq!(distance(&x, &x), 0.0);
                assert!(distance(&x, &y) > 0.0 || x == y);
                let (direct, around) = (distance(&x, &y), distance(&x, &z) + distance(&z, &y));
                assert!(direct <= around * (1.0 + 1e-14), "{direct} {around}");
            }
        }
    }
}

#[test]
fn translation_preserves_distances() {
    for (x, y) in pairs().into_iter().filter(|(x, y)| norm(x) < 0.9995 && norm(y) < 0.9995) {
        let mut rng = stream(8, Purpose::Start, 4, x.len() as u64);
        let by = point(x.len(), 0.7, &mut rng);
        let (mut a, mut b) = (x.clone(), y.clone());
        translate(&by, &x, &mut a);
        translate(&by, &y, &mut b);
        let (before, after) = (distance(&x, &y), distance(&a, &b));
        assert!((before - after).abs() <= rounding(&a) + rounding(&b) + 1e-13 * before, "{before} {after}");
    }
}

#[test]
fn distance_agrees_with_the_textbook_form() {
    for (x, y) in pairs() {
        let s: f64 = x.iter().zip(&y).map(|(x, y)| (x - y) * (x - y)).sum();
        let cosh = 1.0 + 2.0 * s / (slack(&x) * slack(&y));
        let (textbook, d) = (cosh.acosh(), distance(&x, &y));
        // arcosh(1 + tiny) has lost half of its digits: δ in cosh d is δ/sinh d in d.
        let tolerance =
            (4.0 * f64::EPSILON * cosh / d.sinh().max(1e-8)).max(1e-7 * f64::from(d < 1e-7)) + 1e-14 * d;
        assert!((textbook - d).abs() <= tolerance, "{textbook} {d}");
    }
}

#[test]
fn distance_from_the_origin_is_twice_artanh_of_the_norm() {
    for radius in [1e-300, 1e-20, 1e-3, 0.02, 0.5, 0.99] {
        let d = distance(&[0.0, 0.0, 0.0], &[0.0, radius, 0.0]);
        assert!((d / (2.0 * f64::atanh(radius)) - 1.0).abs() < 1e-14, "{radius}: {d}");
    }
}
