// Emulation of the AVX-512 intrinsics of the hand-tuned kernel by pairs of AVX2 vectors. It is included before the kernel
// (`clang++ -include`), whose source is unchanged.
#pragma once
#include <immintrin.h>
#include <cstdint>

namespace avx2 {
#define INLINE static inline __attribute__((always_inline))

// ---------- halves ---------------------------------------------------------------------------
INLINE __m256 low(__m512 a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7); }
INLINE __m256 high(__m512 a) { return __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15); }
INLINE __m512 join(__m256 a, __m256 b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }
INLINE __m256d low(__m512d a) { return __builtin_shufflevector(a, a, 0, 1, 2, 3); }
INLINE __m256d high(__m512d a) { return __builtin_shufflevector(a, a, 4, 5, 6, 7); }
INLINE __m512d join(__m256d a, __m256d b) { return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7); }

// ---------- masks: lanes of ones, of either width ----------------------------------------------
INLINE __m256 lanes_ps(int bits) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return (__m256)_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(bits), bit), bit);
}
INLINE __m256d lanes_pd(int bits) {
  const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
  return (__m256d)_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), bit), bit);
}
struct Mask8 {
  __m256 floats;
  __m256d doubles[2];
  INLINE Mask8 of(__m256 lanes) { Mask8 m; m.floats = lanes; return m; }
  INLINE Mask8 of(__m256d a, __m256d b) { Mask8 m; m.doubles[0] = a; m.doubles[1] = b; return m; }
  Mask8() = default;
  Mask8(int bits) : floats(lanes_ps(bits)), doubles{lanes_pd(bits & 15), lanes_pd(bits >> 4 & 15)} {}
};
struct Mask16 {
  __m256 floats[2];
  Mask16(__m256 a, __m256 b) : floats{a, b} {}
  Mask16(int bits) : floats{lanes_ps(bits & 255), lanes_ps(bits >> 8 & 255)} {}
};

// ---------- arithmetic, half by half -----------------------------------------------------------
#define ONE(name, suffix, T, H) INLINE T name##_##suffix(T a) { return join(_mm256_##name##_##suffix(low(a)), _mm256_##name##_##suffix(high(a))); }
#define TWO(name, suffix, T, H) INLINE T name##_##suffix(T a, T b) { return join(_mm256_##name##_##suffix(low(a), low(b)), _mm256_##name##_##suffix(high(a), high(b))); }
#define THREE(name, suffix, T, H) INLINE T name##_##suffix(T a, T b, T c) { return join(_mm256_##name##_##suffix(low(a), low(b), low(c)), _mm256_##name##_##suffix(high(a), high(b), high(c))); }
#define FLOATS(kind, name) kind(name, ps, __m512, __m256) kind(name, pd, __m512d, __m256d)
FLOATS(ONE, sqrt)
FLOATS(TWO, add) FLOATS(TWO, sub) FLOATS(TWO, mul) FLOATS(TWO, div) FLOATS(TWO, max) FLOATS(TWO, unpacklo) FLOATS(TWO, unpackhi)
FLOATS(THREE, fmadd) FLOATS(THREE, fnmadd)
INLINE __m512 set1_ps(float a) { return join(_mm256_set1_ps(a), _mm256_set1_ps(a)); }
INLINE __m512d set1_pd(double a) { return join(_mm256_set1_pd(a), _mm256_set1_pd(a)); }
INLINE __m512 roundscale_ps(__m512 a, int) { return join(_mm256_round_ps(low(a), 0), _mm256_round_ps(high(a), 0)); }
INLINE __m512d roundscale_pd(__m512d a, int) { return join(_mm256_round_pd(low(a), 0), _mm256_round_pd(high(a), 0)); }

// ---------- exponents of normal numbers ----------------------------------------------------------
INLINE __m256 half_getexp(__m256 a) { return _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_srli_epi32((__m256i)a, 23), _mm256_set1_epi32(127))); }
INLINE __m256d half_getexp(__m256d a) {  // convert an integer below 2^52: put it into the mantissa of 2^52, then subtract 2^52
  __m256i shifted = _mm256_or_si256(_mm256_srli_epi64((__m256i)a, 52), _mm256_set1_epi64x(0x4330000000000000));
  return _mm256_sub_pd((__m256d)shifted, _mm256_set1_pd(4503599627370496. + 1023));
}
INLINE __m256 half_getmant(__m256 a) { return _mm256_or_ps(_mm256_and_ps(a, (__m256)_mm256_set1_epi32(0x7fffff)), _mm256_set1_ps(1)); }
INLINE __m256d half_getmant(__m256d a) { return _mm256_or_pd(_mm256_and_pd(a, (__m256d)_mm256_set1_epi64x(0xfffffffffffff)), _mm256_set1_pd(1)); }
INLINE __m256 half_scalef(__m256 a, __m256 k) { return (__m256)_mm256_add_epi32((__m256i)a, _mm256_slli_epi32(_mm256_cvtps_epi32(k), 23)); }
INLINE __m256d half_scalef(__m256d a, __m256d k) { return (__m256d)_mm256_add_epi64((__m256i)a, _mm256_slli_epi64(_mm256_cvtepi32_epi64(_mm256_cvtpd_epi32(k)), 52)); }
template <class T> INLINE T getexp(T a) { return join(half_getexp(low(a)), half_getexp(high(a))); }
template <class T> INLINE T getmant(T a) { return join(half_getmant(low(a)), half_getmant(high(a))); }
template <class T> INLINE T scalef(T a, T k) { return join(half_scalef(low(a), low(k)), half_scalef(high(a), high(k))); }

// ---------- masked ---------------------------------------------------------------------------------
INLINE __m512 blend(Mask16 m, __m512 a, __m512 b) { return join(_mm256_blendv_ps(low(a), low(b), m.floats[0]), _mm256_blendv_ps(high(a), high(b), m.floats[1])); }
INLINE __m512d blend(Mask8 m, __m512d a, __m512d b) { return join(_mm256_blendv_pd(low(a), low(b), m.doubles[0]), _mm256_blendv_pd(high(a), high(b), m.doubles[1])); }
INLINE __m256 blend(Mask8 m, __m256 a, __m256 b) { return _mm256_blendv_ps(a, b, m.floats); }
INLINE __m512 keep(Mask16 m, __m512 a) { return join(_mm256_and_ps(low(a), m.floats[0]), _mm256_and_ps(high(a), m.floats[1])); }
INLINE __m512d keep(Mask8 m, __m512d a) { return join(_mm256_and_pd(low(a), m.doubles[0]), _mm256_and_pd(high(a), m.doubles[1])); }
INLINE __m256 keep(Mask8 m, __m256 a) { return _mm256_and_ps(a, m.floats); }

// ---------- quarters and shuffles ------------------------------------------------------------------
INLINE __m512 insert4(__m512 a, __m128 b, int i) {
  return i == 1 ? join(_mm256_insertf128_ps(low(a), b, 1), high(a)) : i == 2 ? join(low(a), _mm256_insertf128_ps(high(a), b, 0)) : join(low(a), _mm256_insertf128_ps(high(a), b, 1));
}
INLINE __m128 extract4(__m512 a, int i) { return i == 1 ? _mm256_extractf128_ps(low(a), 1) : i == 2 ? _mm256_castps256_ps128(high(a)) : _mm256_extractf128_ps(high(a), 1); }
INLINE __m512d pick(__m512d a, __m512i i, __m512d b) {
  __m512d c;
  for (int k = 0; k < 8; k++) c[k] = i[k] < 8 ? a[i[k]] : b[i[k] - 8];
  return c;
}
}  // namespace avx2

#ifdef __clang__
#pragma clang diagnostic ignored "-Wmacro-redefined"
#endif
#define __mmask8 avx2::Mask8
#define __mmask16 avx2::Mask16
#define _mm512_set1_ps avx2::set1_ps
#define _mm512_set1_pd avx2::set1_pd
#define _mm512_add_ps avx2::add_ps
#define _mm512_add_pd avx2::add_pd
#define _mm512_sub_ps avx2::sub_ps
#define _mm512_sub_pd avx2::sub_pd
#define _mm512_mul_ps avx2::mul_ps
#define _mm512_mul_pd avx2::mul_pd
#define _mm512_div_pd avx2::div_pd
#define _mm512_max_ps avx2::max_ps
#define _mm512_max_pd avx2::max_pd
#define _mm512_sqrt_ps avx2::sqrt_ps
#define _mm512_sqrt_pd avx2::sqrt_pd
#define _mm512_fmadd_ps avx2::fmadd_ps
#define _mm512_fmadd_pd avx2::fmadd_pd
#define _mm512_fnmadd_ps avx2::fnmadd_ps
#define _mm512_fnmadd_pd avx2::fnmadd_pd
#define _mm512_roundscale_ps avx2::roundscale_ps
#define _mm512_roundscale_pd avx2::roundscale_pd
#define _mm512_unpacklo_ps avx2::unpacklo_ps
#define _mm512_unpacklo_pd avx2::unpacklo_pd
#define _mm512_unpackhi_ps avx2::unpackhi_ps
#define _mm512_unpackhi_pd avx2::unpackhi_pd
#define _mm512_getexp_ps avx2::getexp
#define _mm512_getexp_pd avx2::getexp
#define _mm256_getexp_ps avx2::half_getexp
#define _mm512_getmant_ps(a, norm, sign) avx2::getmant(a)
#define _mm512_getmant_pd(a, norm, sign) avx2::getmant(a)
#define _mm256_getmant_ps(a, norm, sign) avx2::half_getmant(a)
#define _mm512_scalef_ps avx2::scalef
#define _mm512_scalef_pd avx2::scalef
#define _mm256_scalef_ps avx2::half_scalef
#define _mm256_cmp_ps_mask(a, b, how) avx2::Mask8::of(_mm256_cmp_ps(a, b, how))
#define _mm512_cmp_ps_mask(a, b, how) avx2::Mask16(_mm256_cmp_ps(avx2::low(a), avx2::low(b), how), _mm256_cmp_ps(avx2::high(a), avx2::high(b), how))
#define _mm512_cmp_pd_mask(a, b, how) avx2::Mask8::of(_mm256_cmp_pd(avx2::low(a), avx2::low(b), how), _mm256_cmp_pd(avx2::high(a), avx2::high(b), how))
#define _mm512_mask_blend_ps avx2::blend
#define _mm512_mask_blend_pd avx2::blend
#define _mm256_mask_mul_ps(other, m, a, b) avx2::blend(m, other, _mm256_mul_ps(a, b))
#define _mm256_mask_add_ps(other, m, a, b) avx2::blend(m, other, _mm256_add_ps(a, b))
#define _mm512_mask_mul_ps(other, m, a, b) avx2::blend(m, other, avx2::mul_ps(a, b))
#define _mm512_mask_add_ps(other, m, a, b) avx2::blend(m, other, avx2::add_ps(a, b))
#define _mm512_mask_mul_pd(other, m, a, b) avx2::blend(m, other, avx2::mul_pd(a, b))
#define _mm512_mask_add_pd(other, m, a, b) avx2::blend(m, other, avx2::add_pd(a, b))
#define _mm256_maskz_sub_ps(m, a, b) avx2::keep(m, _mm256_sub_ps(a, b))
#define _mm512_maskz_sub_ps(m, a, b) avx2::keep(m, avx2::sub_ps(a, b))
#define _mm512_maskz_sub_pd(m, a, b) avx2::keep(m, avx2::sub_pd(a, b))
#define _mm256_mask_broadcastss_ps(a, m, b) avx2::blend(m, a, _mm256_broadcastss_ps(b))
#define _mm512_mask_broadcastss_ps(a, m, b) avx2::blend(m, a, avx2::join(_mm256_broadcastss_ps(b), _mm256_broadcastss_ps(b)))
#define _mm512_mask_broadcastsd_pd(a, m, b) avx2::blend(m, a, avx2::join(_mm256_broadcastsd_pd(b), _mm256_broadcastsd_pd(b)))
#define _mm512_shuffle_ps(a, b, how) avx2::join(_mm256_shuffle_ps(avx2::low(a), avx2::low(b), how), _mm256_shuffle_ps(avx2::high(a), avx2::high(b), how))
#define _mm512_setr_epi64(...) __m512i{__VA_ARGS__}
#define _mm512_permutex2var_pd avx2::pick
#define _mm512_insertf32x4 avx2::insert4
#define _mm512_extractf32x4_ps avx2::extract4
#define _mm512_insertf32x8(a, b, i) avx2::join(avx2::low(a), b)
#define _mm512_extractf32x8_ps(a, i) avx2::high(a)
#define _mm512_insertf64x4(a, b, i) avx2::join(avx2::low(a), b)
#define _mm512_extractf64x4_pd(a, i) avx2::high(a)
#define _mm512_castps512_ps128(a) _mm256_castps256_ps128(avx2::low(a))
#define _mm512_castps512_ps256(a) avx2::low(a)
#define _mm512_castpd512_pd256(a) avx2::low(a)
#define _mm512_castps128_ps512(a) avx2::join(_mm256_castps128_ps256(a), _mm256_setzero_ps())
#define _mm512_castps256_ps512(a) avx2::join(a, _mm256_setzero_ps())
#define _mm512_castpd256_pd512(a) avx2::join(a, _mm256_setzero_pd())
