//! The scalar part of a pair update, for many pairs side by side.
//!
//! A pair is a point x, shared by the group, and a row y. From s = |x−y|², A = 1−|x|² and B = 1−|y|² follow the
//! distance, the pull of the loss and the geodesic step, without looking at coordinates again:
//!
//! > D = s + A·B,  t = √(s/D),  d = 2·artanh t = ln((1+t)²·D/(A·B))
//! > f = 2η·σ(d²/c) if seen, −n₋·2η·σ(−d²/c) if noise: the fraction of the way to x that y moves (negative: away)
//! > τ = tanh(f·d/2),  z = (τ/t)·(B·x − (B+s)·y)/D,  y' = y ⊕ z = α·y + β·x
//! > B' = B·(1−τ²)/(1 + 2⟨y,z⟩ + |y|²·τ²)
//!
//! where c is the curvature: −c scales the metric by 1/c, which changes the loss's argument but, the gradient being
//! Riemannian, not the direction or the fraction of a step. The pull on x is f·log_x(y) = g_y·y + g_x·x. A row that was seen n₊ times
//! has one lane, so no update is lost, and goes n₊·f/(1 + (n₊−1)·f) of the way, which is f for one and never past the
//! target; n₋ is how much a row of noise counts.
//!
//! The loops run over arrays of fixed length and contain neither branches nor calls, so the compiler turns
//! each operation into one instruction for a whole register of lanes. A pair is one long chain, where each operation waits for
//! the one before; so there are four loops, not one, and each goes over several tiles: what a processor looks
//! ahead then holds the same few steps of many pairs, which do not wait for each other.
//! `mul_add` rounds once on every machine, therefore every instruction set gives the same bits.

/// Pairs that go through the arithmetic side by side: two registers of AVX2, one of AVX-512.
pub const LANES: usize = 16;

/// No row gets closer to the boundary than this 1−|x|²; a step that would is dropped.
///
/// It is a hyperbolic radius of 12, where single precision still gives distances to a thousandth.
pub const SLACK_LIMIT: f32 = 2.4e-5;

/// A step of more than twice this hyperbolic length is dropped: the rational tanh is good up to here.
pub const STEP_LIMIT: f32 = 3.0;

/// A number for each lane.
pub type Lanes = [f32; LANES];

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
    inverse_d: Lanes,
    t: Lanes,
    inverse_t: Lanes,
    argument: Lanes,
    ratio: Lanes,
    fraction: Lanes,
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
        let none = [0.0; LANES];
        Self {
            s: none,
            b: none,
            count: none,
            inverse_d: none,
            t: none,
            inverse_t: none,
            argument: none,
            ratio: none,
            fraction: none,
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
    // t, and what the logarithm is taken of
    for pairs in &mut *tiles {
        for l in 0..LANES {
            let (s, b) = (pairs.s[l], pairs.b[l]);
            let ab = a * b;
            let big_d = s + ab;
            // One division serves 1/D, 1/(A·B) and 1/t = D/√(s·D).
            let root = (s.max(TINY) * big_d).sqrt();
            let reciprocal = 1.0 / (big_d * ab * root);
            let inverse_d = reciprocal * ab * root;
            let t = root * inverse_d;
            let one_t = 1.0 + t;
            pairs.inverse_d[l] = inverse_d;
            pairs.inverse_t[l] = reciprocal * big_d * ab * big_d;
            pairs.t[l] = t;
            pairs.argument[l] = one_t * one_t * big_d * (reciprocal * big_d * root);
        }
    }
    // artanh(t)/t
    for pairs in &mut *tiles {
        for l in 0..LANES {
            let t2 = pairs.s[l] * pairs.inverse_d[l];
            let long = 0.5 * ln(pairs.argument[l]) * pairs.inverse_t[l];
            // its series where the logarithm would cancel
            let tail = t2.mul_add(t2.mul_add(1.0 / 9.0, 1.0 / 7.0), 0.2);
            let short = t2.mul_add(t2.mul_add(tail, 1.0 / 3.0), 1.0);
            pairs.ratio[l] = if t2 < SHORT { short } else { long };
        }
    }
    // f
    for pairs in &mut *tiles {
        for l in 0..LANES {
            let half = pairs.ratio[l] * pairs.t[l];
            let e = exp_negative(sharpness * half * half);
            let count = pairs.count[l];
            pairs.fraction[l] = match kind {
                Kind::Seen => count * rate / (count - 1.0).max(0.0).mul_add(rate, 1.0 + e),
                Kind::Noise => -count * rate * e / (1.0 + e),
            };
        }
    }
    // α, β, and the pull on x
    for pairs in tiles {
        for l in 0..LANES {
            let (s, b, t, inverse_d) = (pairs.s[l], pairs.b[l], pairs.t[l], pairs.inverse_d[l]);
            let (ratio, fraction) = (pairs.ratio[l], pairs.fraction[l]);
            let (half, t2) = (ratio * t, s * inverse_d);
            // tanh(f·d/2)/(f·d/2) = p/q, Padé; numerators and denominators below are multiplied by q², which saves a division
            let angle = fraction * half;
            let clamped = angle.clamp(-STEP_LIMIT, STEP_LIMIT);
            let square = clamped * clamped;
            let (p, q) = tanh_parts(square);
            let (pull, q2) = (p * fraction * ratio, q * q); // pull = q·τ/t
            let tau2 = pull * pull * t2;
            let (x2, y2) = (1.0 - a, 1.0 - b);
            let xy = 0.5 * (x2 + y2 - s);
            let k = pull * q * inverse_d;
            let bs = b + s;
            let yz2 = 2.0 * k * (b * xy - bs * y2);
            let inverse = 1.0 / (q2 + yz2 + y2 * tau2);
            let bk = b * k;
            let new_slack = b * (q2 - tau2) * inverse;
            let keep = new_slack >= SLACK_LIMIT && angle == clamped;

            pairs.on_point[l] = if keep { b * bk * inverse } else { 0.0 };
            pairs.on_row[l] = if keep { (q2 + yz2 + tau2 - bk * bs) * inverse } else { 1.0 };
            let g = fraction * a * ratio * inverse_d;
            pairs.pull_row[l] = g * a;
            pairs.pull_point[l] = -g * (a + s);
            pairs.dropped[l] = if keep { 0.0 } else { 1.0 };
        }
    }
}

/// p and q of tanh(x)/x = p/q, Padé, from x²: good to 10⁻⁶ up to [`STEP_LIMIT`].
#[inline(always)]
pub fn tanh_parts(square: f32) -> (f32, f32) {
    const P: [f32; 3] = [17325.0 / 135135.0, 378.0 / 135135.0, 1.0 / 135135.0];
    const Q: [f32; 3] = [62370.0 / 135135.0, 3150.0 / 135135.0, 28.0 / 135135.0];
    let p = square.mul_add(square.mul_add(square.mul_add(P[2], P[1]), P[0]), 1.0);
    let q = square.mul_add(square.mul_add(square.mul_add(Q[2], Q[1]), Q[0]), 1.0);
    (p, q)
}

/// Keeps 1/0 out of lanes whose rows lie on the point; the series serves them.
const TINY: f32 = 1e-12;

/// Below this t² the series of artanh(t)/t is used; its first missing term is t¹⁰/11 < 10⁻⁸.
const SHORT: f32 = 0.03;

/// Natural logarithm of a positive normal number: ln(2ᵉ·m) = e·ln 2 + 2·artanh((m−1)/(m+1)), m in [√½, √2).
#[inline(always)]
fn ln(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    let bits = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = (bits as i32) >> 23;
    let m = f32::from_bits((bits & 0x007f_ffff) + SQRT_HALF);
    let r = (m - 1.0) / (m + 1.0);
    let r2 = r * r;
    let series = r2.mul_add(r2.mul_add(r2.mul_add(r2.mul_add(2.0 / 9.0, 2.0 / 7.0), 0.4), 2.0 / 3.0), 2.0);
    (e as f32).mul_add(std::f32::consts::LN_2, r * series)
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
    let p = r.mul_add(1.0 / 720.0, 1.0 / 120.0);
    let p = r.mul_add(r.mul_add(r.mul_add(r.mul_add(p, 1.0 / 24.0), 1.0 / 6.0), 0.5), 1.0).mul_add(r, 1.0);
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    p * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_agree_with_the_standard_library() {
        for i in 1..4000 {
            let x = 1.0 + 0.003 * i as f32 * i as f32;
            assert!((ln(x) / x.ln() - 1.0).abs() < 3e-7, "ln {x}");
            let y = -0.02 * i as f32;
            let expected = y.max(-87.0).exp();
            assert!((exp_negative(y) - expected).abs() <= 6e-6 * expected, "exp {y}");
        }
    }
}
