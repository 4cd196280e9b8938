//! Two principal geodesics: points of many dimensions in the disc.
//!
//! Seen from their barycenter μ, moved to the origin, the points are X_i = (T_i, S_i) on the hyperboloid
//! ([`lorentz`]). A plane of hyperbolic space through μ is spanned by two orthonormal vectors, the columns of U, and
//! the point of that plane nearest to X_i has the direction UᵀS_i and the distance artanh(|UᵀS_i|/T_i) from μ. The
//! principal plane keeps as much as possible of the spread around μ:
//!
//! > maximise f(U) = Σ_i artanh²(|UᵀS_i|/T_i).
//!
//! f is convex in U, so the step U ← polar(∇f(U)), the orthonormal matrix nearest to the gradient, never lessens it
//! (the generalised power method of Journée, Nesterov, Richtárik and Sepulchre). A step costs two passes over the
//! coordinates and needs no matrix of dim × dim. Dimension two needs no projection, and gets none.
//!
//! A projection to a plane brings points nearer to each other, never farther apart. How much of the spread is kept,
//! Σ d²(μ, projected)/Σ d²(μ, x), says how far the picture can be believed.

use crate::geometry::{barycenter::barycenter, lorentz, poincare};
use crate::interrupt;
use crate::points::Points;

/// Steps after which the search ends in any case.
const MOST_STEPS: usize = 300;

/// The search ends when a step gains less than this share.
const GAIN: f64 = 1e-10;

/// Points of the disc, and how they came there.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Dimensions that the points had.
    pub dim: usize,
    /// Where the disc's centre is.
    center: Vec<f64>,
    /// The two directions at the centre; empty in two dimensions.
    axes: [Vec<f64>; 2],
    /// Share of the spread around the centre that the disc keeps, 0 to 1.
    pub kept: f64,
}

/// The projection that suits these points best.
#[must_use]
pub fn project(points: &Points) -> Projection {
    let dim = points.dim();
    if dim <= 2 {
        return Projection { dim, center: vec![0.0; dim], axes: [Vec::new(), Vec::new()], kept: 1.0 };
    }
    let center = barycenter(points, &vec![1.0; points.len()], None).map_or(vec![0.0; dim], |mean| mean.point);
    let lifted = Lifted::new(points, &center);
    let mut axes = lifted.widest_coordinates();
    let (mut best, mut gradient) = lifted.spread(&axes);
    for _ in 0..MOST_STEPS {
        if interrupt::is_requested() {
            break; // the caller fails
        }
        let next = orthonormal(gradient);
        let (spread, after) = lifted.spread(&next);
        let is_settled = spread <= best * (1.0 + GAIN);
        if spread >= best {
            (axes, best) = (next, spread);
        }
        gradient = after;
        if is_settled {
            break;
        }
    }
    let whole = lifted.whole_spread();
    let kept = if whole > 0.0 { (best / whole).min(1.0) } else { 1.0 };
    Projection { dim, center, axes: turned(&lifted, axes), kept }
}

impl Projection {
    /// The points of the disc nearest to these.
    #[must_use]
    pub fn apply(&self, points: &Points) -> Points {
        if self.dim == 2 {
            return points.clone();
        }
        let (mut moved, mut lifted) = (vec![0.0; self.dim], vec![0.0; self.dim + 1]);
        let back: Vec<f64> = self.center.iter().map(|c| -c).collect();
        let mut data = Vec::with_capacity(2 * points.len());
        for x in points.rows() {
            poincare::translate(&back, x, &mut moved);
            lorentz::lift(&moved, &mut lifted);
            let along = [0, 1].map(|axis| match self.axes[axis].as_slice() {
                [] => lifted.get(axis + 1).copied().unwrap_or(0.0), // one dimension: a line of the disc
                axis => dot(axis, &lifted[1..]),
            });
            let length = along[0].hypot(along[1]);
            let share = (length / lifted[0]).min(1.0 - f64::EPSILON);
            // artanh(share) is the distance from the centre; the disc's radius is tanh of half of it.
            let radius = (0.5 * share.atanh()).tanh();
            data.extend(along.map(|c| if length > 0.0 { c / length * radius } else { 0.0 }));
        }
        Points::new(2, data)
    }

    /// A subtitle for projected pictures.
    #[must_use]
    pub fn subtitle(&self) -> Option<String> {
        (self.dim > 2).then(|| {
            format!("2-D view of {} dimensions: keeps {:.0} % of the spread", self.dim, 100.0 * self.kept)
        })
    }

    /// One sentence that says what was done.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        (self.dim > 2).then(|| {
            format!(
                "projected from {} dimensions to the two principal geodesics, which keep {:.0} % of the spread; \
                 distances in the disc are at most the true ones",
                self.dim,
                100.0 * self.kept
            )
        })
    }
}

/// Points of the hyperboloid, seen from a centre.
struct Lifted {
    times: Vec<f64>,
    space: Points,
}

impl Lifted {
    fn new(points: &Points, center: &[f64]) -> Self {
        let back: Vec<f64> = center.iter().map(|c| -c).collect();
        let (mut moved, mut lifted) = (back.clone(), vec![0.0; points.dim() + 1]);
        let (mut times, mut space) = (Vec::new(), Vec::new());
        for x in points.rows() {
            poincare::translate(&back, x, &mut moved);
            lorentz::lift(&moved, &mut lifted);
            times.push(lifted[0]);
            space.extend_from_slice(&lifted[1..]);
        }
        Self { times, space: Points::new(points.dim(), space) }
    }

    /// Where the search starts: the two coordinates along which points differ most.
    fn widest_coordinates(&self) -> [Vec<f64>; 2] {
        let dim = self.space.dim();
        let mut squares = vec![0.0; dim];
        for (s, time) in self.space.rows().zip(&self.times) {
            squares.iter_mut().zip(s).for_each(|(sum, s)| *sum += (s / time).powi(2));
        }
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&a, &b| squares[b].total_cmp(&squares[a]));
        [order[0], order[1]].map(|axis| (0..dim).map(|c| if c == axis { 1.0 } else { 0.0 }).collect())
    }

    /// f(U), and half of its gradient.
    fn spread(&self, axes: &[Vec<f64>; 2]) -> (f64, [Vec<f64>; 2]) {
        let mut gradient = [vec![0.0; self.space.dim()], vec![0.0; self.space.dim()]];
        let mut sum = 0.0;
        for (s, time) in self.space.rows().zip(&self.times) {
            let along = [dot(&axes[0], s), dot(&axes[1], s)];
            let share = (along[0].hypot(along[1]) / time).min(1.0 - f64::EPSILON);
            let distance = share.atanh();
            sum += distance * distance;
            // artanh(q)/q · 1/(1 − q²) · 1/T², which is 1/T² at the centre
            let ratio = if share > f64::EPSILON { distance / share } else { 1.0 };
            let weight = ratio / (1.0 - share * share) / (time * time);
            for (gradient, along) in gradient.iter_mut().zip(along) {
                gradient.iter_mut().zip(s).for_each(|(g, s)| *g += weight * along * s);
            }
        }
        (sum, gradient)
    }

    fn whole_spread(&self) -> f64 {
        let distance =
            |(s, time): (&[f64], &f64)| (poincare::norm(s) / time).min(1.0 - f64::EPSILON).atanh().powi(2);
        self.space.rows().zip(&self.times).map(distance).sum()
    }
}

/// The orthonormal pair nearest to this one: G·(GᵀG)^(−1/2).
fn orthonormal(pair: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let [mut a, mut b] = pair;
    let scale = poincare::norm(&a).max(poincare::norm(&b));
    if scale == 0.0 || !scale.is_finite() {
        return axes_of(a.len());
    }
    a.iter_mut().chain(&mut b).for_each(|c| *c /= scale);
    let (aa, ab, bb) = (dot(&a, &a), dot(&a, &b), dot(&b, &b));
    let root = (aa * bb - ab * ab).max(0.0).sqrt(); // √det
    let trace = (aa + bb + 2.0 * root).sqrt();
    if root < 1e-12 {
        return completed(if aa >= bb { a } else { b }); // all points on one geodesic
    }
    // (M^(1/2))⁻¹ with M^(1/2) = (M + √det·I)/trace, whose determinant is √det
    let (p, q, r) = ((aa + root) / trace, ab / trace, (bb + root) / trace);
    let mix =
        |x: f64, y: f64| -> Vec<f64> { a.iter().zip(&b).map(|(a, b)| (x * a + y * b) / root).collect() };
    [mix(r, -q), mix(-q, p)]
}

fn axes_of(dim: usize) -> [Vec<f64>; 2] {
    [0, 1].map(|axis| (0..dim).map(|c| if c == axis { 1.0 } else { 0.0 }).collect())
}

/// A direction, and the coordinate axis most across to it, made orthogonal.
fn completed(direction: Vec<f64>) -> [Vec<f64>; 2] {
    let length = poincare::norm(&direction);
    let first: Vec<f64> = direction.iter().map(|c| c / length).collect();
    let across = (0..first.len()).min_by(|&a, &b| first[a].abs().total_cmp(&first[b].abs())).unwrap_or(0);
    let mut second: Vec<f64> = first.iter().map(|c| -c * first[across]).collect();
    second[across] += 1.0;
    let length = poincare::norm(&second);
    second.iter_mut().for_each(|c| *c /= length);
    [first, second]
}

/// The pair turned within its plane so that the spread is largest along the first.
fn turned(lifted: &Lifted, [a, b]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
    let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
    for (s, time) in lifted.space.rows().zip(&lifted.times) {
        let (x, y) = (dot(&a, s) / time, dot(&b, s) / time);
        (aa, ab, bb) = (aa + x * x, ab + x * y, bb + y * y);
    }
    let (sin, cos) = (0.5 * (2.0 * ab).atan2(aa - bb)).sin_cos();
    let mix = |x: f64, y: f64| a.iter().zip(&b).map(|(a, b)| x * a + y * b).collect();
    [mix(cos, sin), mix(-sin, cos)]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Stream, stream};

    fn rng() -> Stream {
        stream(5, Purpose::Picture, 1, 1)
    }

    /// Points of a geodesic plane, at any place of a space of `dim` dimensions.
    fn plane(count: usize, dim: usize) -> Points {
        let mut rng = rng();
        let random = |rng: &mut Stream| (0..dim).map(|_| rng.normal()).collect::<Vec<f64>>();
        let axes = orthonormal([random(&mut rng), random(&mut rng)]);
        let place: Vec<f64> = random(&mut rng).iter().map(|c| 0.3 * c / (dim as f64).sqrt()).collect();
        let mut data = vec![0.0; count * dim];
        for row in data.chunks_exact_mut(dim) {
            let (x, y) = (0.9 * rng.unit() - 0.45, 1.2 * rng.unit() - 0.6);
            let flat: Vec<f64> = axes[0].iter().zip(&axes[1]).map(|(a, b)| x * a + y * b).collect();
            poincare::translate(&place, &flat, row);
        }
        Points::new(dim, data)
    }

    #[test]
    fn points_of_a_plane_keep_all_their_distances() {
        for dim in [3, 10, 64] {
            let points = plane(60, dim);
            let projection = project(&points);
            assert!(projection.kept > 1.0 - 1e-9, "dim {dim}: {}", projection.kept);
            let disc = projection.apply(&points);
            for i in 1..60 {
                let (before, after) = (
                    poincare::distance(points.row(0), points.row(i)),
                    poincare::distance(disc.row(0), disc.row(i)),
                );
                assert!((before - after).abs() < 1e-6 * (1.0 + before), "dim {dim}: {before} {after}");
            }
        }
    }

    #[test]
    fn no_distance_grows() {
        let mut rng = rng();
        let points = Points::new(6, (0..600).map(|_| 0.7 * (rng.unit() - 0.5)).collect());
        let projection = project(&points);
        let disc = projection.apply(&points);
        for (i, j) in (0..100).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let before = poincare::distance(points.row(i), points.row(j));
            assert!(poincare::distance(disc.row(i), disc.row(j)) <= before + 1e-9);
        }
        // Two of six like coordinates: a third of the spread if the space were flat, and less as it is not.
        assert!((0.2..0.34).contains(&projection.kept), "{}", projection.kept);
    }

    #[test]
    fn no_pair_of_coordinates_keeps_more() {
        let mut rng = rng();
        let wide = [0.9, 0.2, 0.7, 0.1, 0.5];
        let points = Points::new(5, (0..500).map(|i| wide[i % 5] * (rng.unit() - 0.5)).collect());
        let center = barycenter(&points, &[1.0; 100], None).unwrap().point;
        let lifted = Lifted::new(&points, &center);
        let best = project(&points).kept * lifted.whole_spread();
        for (i, j) in [(0, 1), (0, 2), (0, 4), (2, 4)] {
            let axes = [i, j].map(|axis| (0..5).map(|c| if c == axis { 1.0 } else { 0.0 }).collect());
            assert!(lifted.spread(&axes).0 <= best + 1e-9);
        }
    }

    #[test]
    fn points_of_one_geodesic_and_equal_points_are_no_trouble() {
        let line = Points::new(3, vec![0.1, 0.0, 0.0, 0.5, 0.0, 0.0, -0.3, 0.0, 0.0]);
        let projection = project(&line);
        assert!(projection.kept > 1.0 - 1e-12);
        let disc = projection.apply(&line);
        let (before, after) =
            (poincare::distance(line.row(1), line.row(2)), poincare::distance(disc.row(1), disc.row(2)));
        assert!((before - after).abs() < 1e-9);
        let same = Points::new(4, [0.1, 0.2, 0.3, 0.4].repeat(5));
        assert_eq!(project(&same).kept, 1.0);
        assert!(project(&same).apply(&same).as_slice().iter().all(|c| c.abs() < 1e-12));
    }

    #[test]
    fn two_dimensions_stay_as_they_are() {
        let points = Points::new(2, vec![0.1, 0.2, -0.5, 0.3]);
        let projection = project(&points);
        assert_eq!(projection.apply(&points), points);
        assert_eq!(projection.words(), None);
    }
}
