//! Scalar arithmetic of a pair update, for sixteen pairs side by side.
//!
//! A pair is a point x, shared by the group, and a row y. From s = |x−y|², A = 1−|x|² and B = 1−|y|² follow the hyperbolic distance, the
//! derivative of the loss and the geodesic step (Riemannian SGD, Bonnabel 2013), without another pass over coordinates:
//!
//! > D = s + A·B,  r = √(s·D),  cosh d = (D+s)/(A·B),  sinh d = 2r/(A·B),  d = ln(1 + 2(s+r)/(A·B))
//! > f = 2η·σ(d²/c) for a positive, −w·2η·σ(−d²/c) for a negative: the fraction of the way to x that y moves (negative: away)
//! > F = f·d/2r,  tanh(f·d/2) = F·r·p/q,  G = F·p,  U = q − G·D,  V = q − G·s
//! > y' = (U·V·y + W·x)/N,  W = B²·G·q,  N = U·(V + B·G·s) + W,  1−|y'|² = B·(q² − G²·s·D)/N
//! > f·log_x(y) = A·F·(A·y − (A+s)·x): the gradient step of x
//!
//! The step is the point sinh((1−f)·d)·Y + sinh(f·d)·X of the hyperboloid, over sinh d, projected to the ball; its coefficients
//! are products of sums without cancellation. c is the curvature: −c scales the metric by 1/c, which changes the argument of the loss
//! but, the gradient being Riemannian, not the direction or the fraction of a step. A positive row of multiplicity n
//! has one lane, so no update is lost, and moves n·f/(1 + (n−1)·f) of the way, which is f for one and never past the
//! target; w is the importance weight of a negative.
//!
//! The loops run over arrays of fixed length and contain neither branches nor calls, so the compiler vectorizes
//! each operation. A pair is one long dependency chain, bound by latency; so there are four loops, not one, and each runs over several
//! tiles: the out-of-order window then holds the same few operations of many independent pairs.
//! `mul_add` rounds once on every machine, therefore every instruction set gives the same bits.

use std::ops::{Deref, DerefMut};

/// SIMD width in pairs: two registers of AVX2, one of AVX-512.
pub(crate) const LANES: usize = 16;

/// Minimum conformal slack 1−|x|²; an update that would bring a row closer to the boundary is skipped.
///
/// It is a hyperbolic radius of 12, where single precision still gives distances to a thousandth.
pub(crate) const MIN_CONFORMAL_SLACK: f32 = 2.4e-5;

/// Maximum half length of a step in hyperbolic distance; a longer one is skipped, because the rational tanh is accurate up to here.
pub(crate) const MAX_STEP: f32 = 3.0;

/// Sixteen single-precision lanes in one cache line: a register that straddles two lines costs two loads.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct F32x16(pub [f32; LANES]);

impl F32x16 {
    /// Zero in all lanes.
    pub(crate) const ZERO: Self = Self::splat(0.0);

    /// The same value in all lanes.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
}

impl Deref for F32x16 {
    type Target = [f32; LANES];

    #[inline(always)]
    fn deref(&self) -> &[f32; LANES] {
        &self.0
    }
}

impl DerefMut for F32x16 {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32; LANES] {
        &mut self.0
    }
}

/// Maximum number of tiles per call of [`update_pairs`].
pub(crate) const MAX_TILES: usize = 8;

/// Pairs of a tile: inputs, intermediate results and outputs of [`update_pairs`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct TilePairs {
    /// |x−y|².
    pub s: F32x16,
    /// B = 1−|y|².
    pub b: F32x16,
    /// n of a positive, w of a negative.
    pub weight: F32x16,
    root: F32x16,
    inverse_root: F32x16,
    excess: F32x16,
    half_over_root: F32x16,
    pull: F32x16,
    /// α of y' = α·y + β·x.
    pub on_row: F32x16,
    /// β.
    pub on_point: F32x16,
    /// g_y of the gradient on x.
    pub pull_row: F32x16,
    /// g_x of the gradient on x.
    pub pull_point: F32x16,
    /// 1 where the update was skipped, else 0.
    pub skipped: F32x16,
}

impl TilePairs {
    /// All lanes zero.
    pub(crate) const ZERO: Self = {
        let none = F32x16::ZERO;
        Self {
            s: none,
            b: none,
            weight: none,
            root: none,
            inverse_root: none,
            excess: none,
            half_over_root: none,
            pull: none,
            on_row: none,
            on_point: none,
            pull_row: none,
            pull_point: none,
            skipped: none,
        }
    };
}

/// Label of a training pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    /// Observed pair: an edge, or a node and its context.
    Positive,
    /// Negative sample.
    Negative,
}

/// Step size and curvature of a pair update.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSize {
    /// 2η times the weight of the loss: the maximum fraction of the way that one sample moves a row.
    pub rate: f32,
    /// c: the space has curvature −c, and its squared distance is d²/c.
    pub curvature: f32,
}

/// Computes the updates of the pairs of some tiles with one point, whose 1−|x|² is `a`.
#[inline(always)]
pub(crate) fn update_pairs(label: Label, tiles: &mut [TilePairs], a: f32, step_size: StepSize) {
    let (rate, sharpness) = (step_size.rate, -4.0 / step_size.curvature);
    // r, and e^d − 1
    for pairs in &mut *tiles {
        for l in 0..LANES {
            let (s, b) = (pairs.s[l].max(TINY), pairs.b[l]);
            let ab = a * b;
            let root = (s * (s + ab)).sqrt();
            let reciprocal = 1.0 / (ab * root); // one division serves 1/(A·B) and 1/r
            pairs.root[l] = root;
            pairs.inverse_root[l] = reciprocal * ab;
            pairs.excess[l] = 2.0 * (s + root) * (reciprocal * root);
        }
    }
    // d/2r
    for pairs in &mut *tiles {
        for l in 0..LANES {
            pairs.half_over_root[l] = half_ln_1p(pairs.excess[l]) * pairs.inverse_root[l];
        }
    }
    // F
    for pairs in &mut *tiles {
        for l in 0..LANES {
            let half = pairs.half_over_root[l] * pairs.root[l];
            let e = exp_negative(sharpness * half * half);
            let weight = pairs.weight[l];
            let fraction = match label {
                Label::Positive => weight * rate / (weight - 1.0).max(0.0).mul_add(rate, 1.0 + e),
                Label::Negative => -weight * rate * e / (1.0 + e),
            };
            pairs.pull[l] = fraction * pairs.half_over_root[l];
        }
    }
    // the step, and the gradient on x
    for pairs in tiles {
        for l in 0..LANES {
            let (s, b, pull) = (pairs.s[l], pairs.b[l], pairs.pull[l]);
            let angle = pull * pairs.root[l];
            let angle2 = angle * angle;
            let (p, q) = tanh_parts(angle2);
            let g = pull * p;
            let (gs, gd) = (g * s, g * a.mul_add(b, s));
            let (u, v) = (q - gd, q - gs);
            let w = b * b * g * q;
            let inverse = 1.0 / u.mul_add(b.mul_add(gs, v), w);
            let new_slack = b * gd.mul_add(-gs, q * q) * inverse;
            let keep = new_slack >= MIN_CONFORMAL_SLACK && angle2 <= MAX_STEP * MAX_STEP;

            pairs.on_row[l] = if keep { u * v * inverse } else { 1.0 };
            pairs.on_point[l] = if keep { w * inverse } else { 0.0 };
            pairs.pull_row[l] = a * a * pull;
            pairs.pull_point[l] = -a * pull * (a + s);
            pairs.skipped[l] = if keep { 0.0 } else { 1.0 };
        }
    }
}

/// p and q of tanh(x)/x = p/q, Padé, from x²: accurate to 10⁻⁶ up to x = 1 and to 4.1·10⁻⁴ up to [`MAX_STEP`].
#[inline(always)]
pub(crate) fn tanh_parts(square: f32) -> (f32, f32) {
    let p = square.mul_add(square.mul_add(1.0 / 945.0, 105.0 / 945.0), 1.0);
    let q = square.mul_add(square.mul_add(15.0 / 945.0, 420.0 / 945.0), 1.0);
    (p, q)
}

/// Avoids 1/0 in lanes whose rows coincide with the point.
const TINY: f32 = 1e-12;

/// ln(1+w)/2 of a number that is not negative: ln(2ᵉ·m) = e·ln 2 + 2·artanh((m−1)/(m+1)), m in [√½, √2).
#[inline(always)]
fn half_ln_1p(w: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let x = 1.0 + w;
    let bits = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (bits as i32) >> 23;
    let m = f32::from_bits((bits & 0x007f_ffff) + SQRT_HALF);
    // where 1+w is m, w itself is more accurate than m − 1
    let above = if x < std::f32::consts::SQRT_2 { w } else { m - 1.0 };
    let r = above / (above + 2.0);
    let r2 = r * r;
    let series = r2.mul_add(r2.mul_add(0.206_023_14, 0.333_277_87), 1.0); // artanh(r)/r, minimax
    (e as f32).mul_add(0.5 * std::f32::consts::LN_2, r * series)
}

/// eˣ for x ≤ 0, clamped to x ≥ −87.
#[inline(always)]
pub(super) fn exp_negative(x: f32) -> f32 {
    /// Adding and subtracting 1.5·2²³ rounds to a whole number and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.max(-87.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = k.mul_add(-std::f32::consts::LN_2, x);
    let p = r.mul_add(r.mul_add(0.041_513_82, 0.167_874_98), 0.500_030_15); // minimax
    let p = r.mul_add(r.mul_add(p, 0.999_966_8), 1.0);
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    p * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_agree_with_the_standard_library() {
        for i in 1..4000 {
            let w = 1e-9 * (0.01 * i as f64).exp() as f32;
            let expected = 0.5 * f64::from(w).ln_1p();
            assert!((f64::from(half_ln_1p(w)) / expected - 1.0).abs() < 5e-7, "ln {w}");
            let y = -0.02 * i as f32;
            let expected = y.max(-87.0).exp();
            assert!((exp_negative(y) - expected).abs() <= 6e-6 * expected, "exp {y}");
        }
    }

    #[test]
    fn the_rational_tanh_is_as_accurate_as_documented() {
        for i in 1..=300 {
            let x = 0.01 * i as f32;
            let (p, q) = tanh_parts(x * x);
            let error = (p / q / (x.tanh() / x) - 1.0).abs();
            assert!(error < if x <= 1.0 { 1e-6 } else { 4.1e-4 }, "tanh {x}: {error}");
        }
    }
}
