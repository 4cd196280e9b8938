//! The scalar part of a pair update, for many pairs side by side.
//!
//! A pair is a point x, shared by the group, and a row y. From s = |x−y|², A = 1−|x|² and B = 1−|y|² follow the
//! distance, the pull of the loss and the geodesic step, without looking at coordinates again:
//!
//! > D = s + A·B,  r = √(s·D),  cosh d = (D+s)/(A·B),  sinh d = 2r/(A·B),  d = ln(1 + 2(s+r)/(A·B))
//! > f = 2η·σ(d²/c) if seen, −n₋·2η·σ(−d²/c) if noise: the fraction of the way to x that y moves (negative: away)
//! > F = f·d/2r,  tanh(f·d/2) = F·r·p/q,  G = F·p,  U = q − G·D,  V = q − G·s
//! > y' = (U·V·y + W·x)/N,  W = B²·G·q,  N = U·(V + B·G·s) + W,  1−|y'|² = B·(q² − G²·s·D)/N
//! > f·log_x(y) = A·F·(A·y − (A+s)·x): the pull on x
//!
//! The step is the point sinh((1−f)·d)·Y + sinh(f·d)·X of the hyperboloid, over sinh d, seen in the ball; its coefficients
//! are products of sums in which nothing cancels. c is the curvature: −c scales the metric by 1/c, which changes the loss's
//! argument but, the gradient being Riemannian, not the direction or the fraction of a step. A row that was seen n₊ times
//! has one lane, so no update is lost, and goes n₊·f/(1 + (n₊−1)·f) of the way, which is f for one and never past the
//! target; n₋ is how much a row of noise counts.
//!
//! The loops run over arrays of fixed length and contain neither branches nor calls, so the compiler turns
//! each operation into one instruction for a whole register of lanes. A pair is one long chain, where each operation waits for
//! the one before; so there are four loops, not one, and each goes over several tiles: what a processor looks
//! ahead then holds the same few steps of many pairs, which do not wait for each other.
//! `mul_add` rounds once on every machine, therefore every instruction set gives the same bits.

use std::ops::{Deref, DerefMut};

/// Pairs that go through the arithmetic side by side: two registers of AVX2, one of AVX-512.
pub const LANES: usize = 16;

/// No row gets closer to the boundary than this 1−|x|²; a step that would is dropped.
///
/// It is a hyperbolic radius of 12, where single precision still gives distances to a thousandth.
pub const SLACK_LIMIT: f32 = 2.4e-5;

/// A step of more than twice this hyperbolic length is dropped: the rational tanh is good up to here.
pub const STEP_LIMIT: f32 = 3.0;

/// A number for each lane, in a cache line of its own: a register that is loaded from two lines costs two loads.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// Zero for all lanes.
    pub const NONE: Self = Self::all(0.0);

    /// The same number for all lanes.
    #[inline(always)]
    #[must_use]
    pub const fn all(value: f32) -> Self {
        Self([value; LANES])
    }
}

impl Deref for Lanes {
    type Target = [f32; LANES];

    #[inline(always)]
    fn deref(&self) -> &[f32; LANES] {
        &self.0
    }
}

impl DerefMut for Lanes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f32; LANES] {
        &mut self.0
    }
}

/// Tiles that go through the arithmetic one right after the other.
pub const MOST_TILES: usize = 8;

/// The pairs of a tile: what they are, and what becomes of them.
#[derive(Clone, Copy, Debug)]
pub struct Pairs {
    /// |x−y|².
    pub s: Lanes,
    /// B = 1−|y|².
    pub b: Lanes,
    /// n₊ or n₋.
    pub count: Lanes,
    root: Lanes,
    inverse_root: Lanes,
    excess: Lanes,
    half_over_root: Lanes,
    pull: Lanes,
    /// α of y' = α·y + β·x.
    pub on_row: Lanes,
    /// β.
    pub on_point: Lanes,
    /// g_y of the pull on x.
    pub pull_row: Lanes,
    /// g_x of the pull on x.
    pub pull_point: Lanes,
    /// 1 where the step was dropped, else 0.
    pub dropped: Lanes,
}

impl Pairs {
    /// Pairs of which nothing is known yet.
    pub const NONE: Self = {
        let none = Lanes::NONE;
        Self {
            s: none,
            b: none,
            count: none,
            root: none,
            inverse_root: none,
            excess: none,
            half_over_root: none,
            pull: none,
            on_row: none,
            on_point: none,
            pull_row: none,
            pull_point: none,
            dropped: none,
        }
    };
}

/// How a row came to be compared with the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They were seen together.
    Seen,
    /// The row was drawn by chance.
    Noise,
}

/// How far and how sharply pairs move.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// 2η times the weight of the loss: the largest fraction of the way that one sample moves a row.
    pub rate: f32,
    /// c: the space has curvature −c, and its squared distance is d²/c.
    pub curvature: f32,
}

/// The steps of the pairs of some tiles with one point, `a` being its 1−|x|².
#[inline(always)]
pub fn steps(kind: Kind, tiles: &mut [Pairs], a: f32, pace: Pace) {
    let (rate, sharpness) = (pace.rate, -4.0 / pace.curvature);
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
            let count = pairs.count[l];
            let fraction = match kind {
                Kind::Seen => count * rate / (count - 1.0).max(0.0).mul_add(rate, 1.0 + e),
                Kind::Noise => -count * rate * e / (1.0 + e),
            };
            pairs.pull[l] = fraction * pairs.half_over_root[l];
        }
    }
    // the step, and the pull on x
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
            let keep = new_slack >= SLACK_LIMIT && angle2 <= STEP_LIMIT * STEP_LIMIT;

            pairs.on_row[l] = if keep { u * v * inverse } else { 1.0 };
            pairs.on_point[l] = if keep { w * inverse } else { 0.0 };
            pairs.pull_row[l] = a * a * pull;
            pairs.pull_point[l] = -a * pull * (a + s);
            pairs.dropped[l] = if keep { 0.0 } else { 1.0 };
        }
    }
}

/// p and q of tanh(x)/x = p/q, Padé, from x²: good to 10⁻⁶ up to x = 1 and to 4.1·10⁻⁴ up to [`STEP_LIMIT`].
#[inline(always)]
pub fn tanh_parts(square: f32) -> (f32, f32) {
    let p = square.mul_add(square.mul_add(1.0 / 945.0, 105.0 / 945.0), 1.0);
    let q = square.mul_add(square.mul_add(15.0 / 945.0, 420.0 / 945.0), 1.0);
    (p, q)
}

/// Keeps 1/0 out of lanes whose rows lie on the point.
const TINY: f32 = 1e-12;

/// ln(1+w)/2 of a number that is not negative: ln(2ᵉ·m) = e·ln 2 + 2·artanh((m−1)/(m+1)), m in [√½, √2).
#[inline(always)]
fn half_ln_1p(w: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let x = 1.0 + w;
    let bits = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (bits as i32) >> 23;
    let m = f32::from_bits((bits & 0x007f_ffff) + SQRT_HALF);
    // where 1+w is m, its difference to one is known better than by subtracting
    let above = if x < std::f32::consts::SQRT_2 { w } else { m - 1.0 };
    let r = above / (above + 2.0);
    let r2 = r * r;
    let series = r2.mul_add(r2.mul_add(0.206_023_14, 0.333_277_87), 1.0); // artanh(r)/r, minimax
    (e as f32).mul_add(0.5 * std::f32::consts::LN_2, r * series)
}

/// eˣ for x ≤ 0; below −87 it is as good as zero.
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
    fn the_hyperbolic_tangent_is_as_good_as_is_said() {
        for i in 1..=300 {
            let x = 0.01 * i as f32;
            let (p, q) = tanh_parts(x * x);
            let error = (p / q / (x.tanh() / x) - 1.0).abs();
            assert!(error < if x <= 1.0 { 1e-6 } else { 4.1e-4 }, "tanh {x}: {error}");
        }
    }
}
