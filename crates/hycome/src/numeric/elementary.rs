//! Branch-free ln(1+x) and eˣ that the compiler can vectorize.
//!
//! Calls of the scalar library functions would dominate an EM iteration. These use the same polynomials (FreeBSD's
//! `log1p`; the Taylor series of e^r, |r| ≤ ½ ln 2) with branches replaced by arithmetic, on the ranges that a mixture
//! needs. Both are accurate to about two ulps. Fused multiply-add is not used: it was no faster in an E step, which is
//! bound by divisions and square roots, and without hardware support it is a slow call.

use std::f64::consts::{LOG2_E, SQRT_2};

/// ln(1 + x) for finite x ≥ 0, with full relative accuracy down to zero.
#[inline(always)]
pub(crate) fn ln_1p(x: f64) -> f64 {
    let y = 1.0 + x;
    // Rounding error of the addition: y + lost = 1 + x, hence ln(1+x) = ln y + lost/y.
    let lost = x - (y - 1.0);
    // y = 2^k·z with z in [√½, √2): subtracting the bits of √½ leaves k in the exponent field.
    let shifted = y.to_bits().wrapping_sub(SQRT_HALF_BITS);
    let k_bits = shifted >> 52;
    let f = f64::from_bits((shifted & MANTISSA).wrapping_add(SQRT_HALF_BITS)) - 1.0;
    let k = f64::from_bits(k_bits | TWO_52_BITS) - TWO_52;
    // lost/y matters only near k = 0, where lost/2^k is close enough to it.
    let lost = lost * f64::from_bits((1023u64.wrapping_sub(k_bits)) << 52);

    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * (L2 + w * (L4 + w * L6));
    let even = z * (L1 + w * (L3 + w * (L5 + w * L7)));
    let half_square = 0.5 * f * f;
    k * LN2_HIGH - ((half_square - (s * (half_square + odd + even) + (k * LN2_LOW + lost))) - f)
}

/// eˣ for x ≤ 0; zero below [`UNDERFLOW`].
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    // Adding and subtracting 1.5·2⁵² rounds to an integer, which remains in the low bits.
    let rounded = x * LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let r2 = r * r;
    let r4 = r2 * r2;
    // Estrin's scheme: Horner's would be a chain of thirteen dependent products.
    let low = (1.0 + r) + r2 * (1.0 / 2.0 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0))
        + r2 * (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0))
        + r4 * (1.0 / 479_001_600.0 + r * (1.0 / 6_227_020_800.0));
    let series = low + r4 * (middle + r4 * high);
    let scaled = f64::from_bits(series.to_bits().wrapping_add(rounded.to_bits() << 52));
    if x > UNDERFLOW { scaled } else { 0.0 }
}

/// Below this eˣ is subnormal, and negligible as a responsibility.
pub(crate) const UNDERFLOW: f64 = -707.0;

/// 1.5·2⁵²: doubles near it are integers, and negative summands do not change its exponent.
const ROUND: f64 = 6_755_399_441_055_744.0;
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_52_BITS: u64 = TWO_52.to_bits();
const MANTISSA: u64 = (1 << 52) - 1;
const SQRT_HALF_BITS: u64 = (SQRT_2 / 2.0).to_bits();

/// ln 2 split in two, the first with enough trailing zeros that its multiples are exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// FreeBSD's minimax coefficients of (ln((1+s)/(1−s)) − 2s)/s.
const L1: f64 = 6.666_666_666_666_735e-1;
const L2: f64 = 3.999_999_999_940_942e-1;
const L3: f64 = 2.857_142_874_366_239e-1;
const L4: f64 = 2.222_219_843_214_978_4e-1;
const L5: f64 = 1.818_357_216_161_805e-1;
const L6: f64 = 1.531_383_769_920_937_3e-1;
const L7: f64 = 1.479_819_860_511_658_6e-1;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two to three ulps.
    const CLOSE: f64 = 6e-16;

    #[test]
    fn ln_1p_matches_std() {
        let mut x = 1e-310;
        while x < 1e40 {
            assert!((ln_1p(x) / x.ln_1p() - 1.0).abs() < CLOSE, "{x:e}: {} {}", ln_1p(x), x.ln_1p());
            x *= 1.003;
        }
        assert_eq!(ln_1p(0.0), 0.0);
    }

    #[test]
    fn exp_matches_std() {
        let mut x = -706.9;
        while x < 0.0 {
            assert!((exp(x) / x.exp() - 1.0).abs() < CLOSE, "{x}: {} {}", exp(x), x.exp());
            x += 0.0137;
        }
        assert_eq!((exp(0.0), exp(-1e-320)), (1.0, 1.0));
        assert_eq!((exp(-800.0), exp(f64::NEG_INFINITY), exp(-1e300)), (0.0, 0.0, 0.0));
    }
}
