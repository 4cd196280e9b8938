//! Principal geodesic analysis (PGA, Fletcher et al. 2004): projection to the two-dimensional geodesic plane of
//! largest variance.
//!
//! With their barycenter μ (Fréchet mean) moved to the origin, the points are X_i = (T_i, S_i) on the hyperboloid
//! ([`lorentz`]). A plane of hyperbolic space through μ is spanned by two orthonormal vectors, the columns of U, and
//! the point of that plane nearest to X_i has the direction UᵀS_i and the distance artanh(|UᵀS_i|/T_i) from μ. The
//! principal plane retains as much as possible of the variance around μ:
//!
//! > maximize f(U) = Σ_i artanh²(|UᵀS_i|/T_i).
//!
//! f is convex in U, so the step U ← polar(∇f(U)), the orthonormal matrix nearest to the gradient, never decreases it
//! (the generalized power method of Journée, Nesterov, Richtárik and Sepulchre). A step costs two passes over the
//! coordinates and needs no matrix of dim × dim. In two dimensions the projection is the identity.
//!
//! The projection is a contraction: distances never grow. The share of retained variance, Σ d²(μ, projected)/Σ d²(μ,
//! x), measures how faithful the visualization is.

use crate::geometry::{barycenter::barycenter, lorentz, poincare};
use crate::interrupt;
use crate::points::Points;

/// Maximum number of iterations.
const MAX_STEPS: usize = 300;

/// Relative gain below which the iteration has converged.
const TOLERANCE: f64 = 1e-10;

/// Projection to the disc.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Dimension of the points.
    pub dim: usize,
    /// The point that is mapped to the centre of the disc.
    center: Vec<f64>,
    /// Orthonormal tangent vectors at the centre; empty in two dimensions.
    axes: [Vec<f64>; 2],
    /// Share of the variance around the centre that is retained, 0 to 1.
    pub retained_variance: f64,
}

/// Fits the projection to points.
#[must_use]
pub(crate) fn project(points: &Points) -> Projection {
    let dim = points.dim();
    if dim <= 2 {
        return Projection {
            dim,
            center: vec![0.0; dim],
            axes: [Vec::new(), Vec::new()],
            retained_variance: 1.0,
        };
    }
    let center = barycenter(points, &vec![1.0; points.len()], None).map_or(vec![0.0; dim], |mean| mean.point);
    let lifted = Lifted::new(points, &center);
    let mut axes = lifted.widest_coordinates();
    let (mut best, mut gradient) = lifted.variance(&axes);
    for _ in 0..MAX_STEPS {
        if interrupt::is_requested() {
            break; // the caller checks for cancellation and returns the error
        }
        let next = orthonormal(gradient);
        let (variance, after) = lifted.variance(&next);
        let has_converged = variance <= best * (1.0 + TOLERANCE);
        if variance >= best {
            (axes, best) = (next, variance);
        }
        gradient = after;
        if has_converged {
            break;
        }
    }
    let total = lifted.total_variance();
    let retained_variance = if total > 0.0 { (best / total).min(1.0) } else { 1.0 };
    Projection { dim, center, axes: rotated(&lifted, axes), retained_variance }
}

impl Projection {
    /// Projects points to the disc.
    #[must_use]
    pub(crate) fn apply(&self, points: &Points) -> Points {
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
                [] => lifted.get(axis + 1).copied().unwrap_or(0.0), // one dimension: a diameter of the disc
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

    /// Subtitle of a figure; none in two dimensions.
    #[must_use]
    pub fn subtitle(&self) -> Option<String> {
        (self.dim > 2).then(|| {
            format!(
                "2-D view of {} dimensions retains {:.0} % of the variance",
                self.dim,
                100.0 * self.retained_variance
            )
        })
    }

    /// Description of the projection for captions; none in two dimensions.
    #[must_use]
    pub(crate) fn caption(&self) -> Option<String> {
        (self.dim > 2).then(|| {
            format!(
                "projected from {} dimensions by principal geodesic analysis, which retains {:.0} % of the variance; \
                 distances in the disc are at most the original ones",
                self.dim,
                100.0 * self.retained_variance
            )
        })
    }
}

/// Points on the hyperboloid, relative to a centre.
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

    /// Initial axes: the two coordinates of largest variance.
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

    /// f(U) and half of its gradient.
    fn variance(&self, axes: &[Vec<f64>; 2]) -> (f64, [Vec<f64>; 2]) {
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

    fn total_variance(&self) -> f64 {
        let distance =
            |(s, time): (&[f64], &f64)| (poincare::norm(s) / time).min(1.0 - f64::EPSILON).atanh().powi(2);
        self.space.rows().zip(&self.times).map(distance).sum()
    }
}

/// Polar factor of a pair of vectors: the nearest orthonormal pair G·(GᵀG)^(−1/2).
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

/// Completes a direction to an orthonormal pair with the most orthogonal coordinate axis.
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

/// Rotates the pair within its plane so that the variance is largest along the first.
fn rotated(lifted: &Lifted, [a, b]: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
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
        stream(5, Purpose::PlotEdges, 1, 1)
    }

    /// Random points of a geodesic plane in `dim` dimensions.
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
    fn points_of_a_plane_keep_their_distances() {
        for dim in [3, 10, 64] {
            let points = plane(60, dim);
            let projection = project(&points);
            assert!(projection.retained_variance > 1.0 - 1e-9, "dim {dim}: {}", projection.retained_variance);
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
        // Two of six like coordinates: a third of the variance in Euclidean space, and less in hyperbolic space.
        assert!((0.2..0.34).contains(&projection.retained_variance), "{}", projection.retained_variance);
    }

    #[test]
    fn no_pair_of_coordinates_retains_more() {
        let mut rng = rng();
        let wide = [0.9, 0.2, 0.7, 0.1, 0.5];
        let points = Points::new(5, (0..500).map(|i| wide[i % 5] * (rng.unit() - 0.5)).collect());
        let center = barycenter(&points, &[1.0; 100], None).unwrap().point;
        let lifted = Lifted::new(&points, &center);
        let best = project(&points).retained_variance * lifted.total_variance();
        for (i, j) in [(0, 1), (0, 2), (0, 4), (2, 4)] {
            let axes = [i, j].map(|axis| (0..5).map(|c| if c == axis { 1.0 } else { 0.0 }).collect());
            assert!(lifted.variance(&axes).0 <= best + 1e-9);
        }
    }

    #[test]
    fn points_of_one_geodesic_and_equal_points_are_projected() {
        let line = Points::new(3, vec![0.1, 0.0, 0.0, 0.5, 0.0, 0.0, -0.3, 0.0, 0.0]);
        let projection = project(&line);
        assert!(projection.retained_variance > 1.0 - 1e-12);
        let disc = projection.apply(&line);
        let (before, after) =
            (poincare::distance(line.row(1), line.row(2)), poincare::distance(disc.row(1), disc.row(2)));
        assert!((before - after).abs() < 1e-9);
        let same = Points::new(4, [0.1, 0.2, 0.3, 0.4].repeat(5));
        assert_eq!(project(&same).retained_variance, 1.0);
        assert!(project(&same).apply(&same).as_slice().iter().all(|c| c.abs() < 1e-12));
    }

    #[test]
    fn two_dimensions_are_unchanged() {
        let points = Points::new(2, vec![0.1, 0.2, -0.5, 0.3]);
        let projection = project(&points);
        assert_eq!(projection.apply(&points), points);
        assert_eq!(projection.caption(), None);
    }
}
