/* simd_avx2.h - vector primitives for AVX2: vectors of 32 bytes, in two lanes.
 *
 * simd_sse41.h documents the names.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_SIMD_AVX2_H
#define SPN_BASE_SIMD_AVX2_H

#include "base/compiler.h"
#include "base/mem.h"

#include <immintrin.h>
#include <stdint.h>

#define VECTOR_BYTES 32u
typedef __m256i vi;
typedef __m256 vf;

/* Load one lane. */
#define HALF_LOAD(p) _mm_loadu_si128((const void *)(p))

#define vi_load(p) _mm256_loadu_si256((const void *)(p))
#define vi_store(p, a) _mm256_storeu_si256((void *)(p), a)
#define vi_load_lanes(p, stride)                                               \
    _mm256_inserti128_si256(_mm256_castsi128_si256(HALF_LOAD(p)),              \
                            HALF_LOAD((p) + (stride)), 1)
#define vi_store_lanes(p, stride, a)                                           \
    (_mm_storeu_si128((void *)(p), _mm256_castsi256_si128(a)),                 \
     _mm_storeu_si128((void *)((p) + (stride)),                                \
                      _mm256_extracti128_si256(a, 1)))
#define vi_load_i8(p) _mm256_cvtepi8_epi16(HALF_LOAD(p))
#define vi_load_u16(p) _mm256_cvtepu16_epi32(HALF_LOAD(p))
#define vi_load_u32(p) _mm256_cvtepu32_epi64(HALF_LOAD(p))
#define vi_extend_i16(p)                                                       \
    _mm256_cvtepi16_epi32(_mm_loadu_si128((const void *)(p)))
#define vi_store_low32(p, a)                                                   \
    _mm_storeu_si128((void *)(p), _mm256_castsi256_si128(vi_split32(a)))

#define vi_zero() _mm256_setzero_si256()
#define vi_set8(x) _mm256_set1_epi8((char)(x))
#define vi_set16(x) _mm256_set1_epi16((short)(x))
#define vi_set32(x) _mm256_set1_epi32((int)(x))
#define vi_pattern(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)             \
    _mm256_broadcastsi128_si256(                                               \
        _mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p))
#define vi_shuffle8(a, pattern) _mm256_shuffle_epi8(a, pattern)

#define vi_and(a, b) _mm256_and_si256(a, b)
#define vi_or(a, b) _mm256_or_si256(a, b)
#define vi_xor(a, b) _mm256_xor_si256(a, b)
#define vi_andnot(not, a) _mm256_andnot_si256(not, a)
#define vi_select(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define vi_blend16(a, b, bits) _mm256_blend_epi16(a, b, bits)
#define vi_is_zero(a) (_mm256_testz_si256(a, a) != 0)

#define vi_add8(a, b) _mm256_add_epi8(a, b)
#define vi_add16(a, b) _mm256_add_epi16(a, b)
#define vi_sub16(a, b) _mm256_sub_epi16(a, b)
#define vi_mul16(a, b) _mm256_mullo_epi16(a, b)
#define vi_mulhi_u16(a, b) _mm256_mulhi_epu16(a, b)
#define vi_mulround16(a, b) _mm256_mulhrs_epi16(a, b)
#define vi_sign16(a, by) _mm256_sign_epi16(a, by)
#define vi_abs16(a) _mm256_abs_epi16(a)
#define vi_max_i16(a, b) _mm256_max_epi16(a, b)
#define vi_max_u16(a, b) _mm256_max_epu16(a, b)
#define vi_min_u16(a, b) _mm256_min_epu16(a, b)
#define vi_equal16(a, b) _mm256_cmpeq_epi16(a, b)
#define vi_greater16(a, b) _mm256_cmpgt_epi16(a, b)
#define vi_left16(a, n) _mm256_slli_epi16(a, n)
#define vi_right16(a, n) _mm256_srli_epi16(a, n)
#define vi_right_i16(a, n) _mm256_srai_epi16(a, n)
#define vi_madd16(a, b) _mm256_madd_epi16(a, b)

#define vi_add32(a, b) _mm256_add_epi32(a, b)
#define vi_sub32(a, b) _mm256_sub_epi32(a, b)
#define vi_mul32(a, b) _mm256_mullo_epi32(a, b)
#define vi_max_i32(a, b) _mm256_max_epi32(a, b)
#define vi_min_i32(a, b) _mm256_min_epi32(a, b)
#define vi_equal32(a, b) _mm256_cmpeq_epi32(a, b)
#define vi_greater32(a, b) _mm256_cmpgt_epi32(a, b)
#define vi_left32(a, n) _mm256_slli_epi32(a, n)
#define vi_right32(a, n) _mm256_srli_epi32(a, n)
#define vi_right_i32(a, n) _mm256_srai_epi32(a, n)
#define vi_left64(a, n) _mm256_slli_epi64(a, n)
#define vi_signs32(a) ((uint32_t)_mm256_movemask_ps(vi_floats(a)))

#define vi_swap16(a) vi_or(vi_left32(a, 16), vi_right32(a, 16))
#define vi_swap32(a) _mm256_shuffle_epi32(a, 0xb1)
#define vi_repeat32(a, k) _mm256_shuffle_epi32(a, 0x55 * (k))
#define vi_zip_low8(a, b) _mm256_unpacklo_epi8(a, b)
#define vi_zip_high8(a, b) _mm256_unpackhi_epi8(a, b)
#define vi_zip_low16(a, b) _mm256_unpacklo_epi16(a, b)
#define vi_zip_high16(a, b) _mm256_unpackhi_epi16(a, b)
#define vi_zip_low32(a, b) _mm256_unpacklo_epi32(a, b)
#define vi_zip_high32(a, b) _mm256_unpackhi_epi32(a, b)
#define vi_zip_low64(a, b) _mm256_unpacklo_epi64(a, b)
#define vi_zip_high64(a, b) _mm256_unpackhi_epi64(a, b)
#define vi_extend_low8(a) vi_right_i16(vi_zip_low8(a, a), 8)
#define vi_extend_high8(a) vi_right_i16(vi_zip_high8(a, a), 8)
#define vi_even32(a, b)                                                        \
    vf_bits(_mm256_shuffle_ps(vi_floats(a), vi_floats(b), 0x88))
#define vi_odd32(a, b)                                                         \
    vf_bits(_mm256_shuffle_ps(vi_floats(a), vi_floats(b), 0xdd))
#define vi_split32(a)                                                          \
    _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7))
#define vi_pack_i32(a, b) _mm256_packs_epi32(a, b)
#define vi_pack_u16(a, b) _mm256_packus_epi16(a, b)

#define vf_set(x) _mm256_set1_ps(x)
#define vf_load(p) _mm256_loadu_ps((const void *)(p))
#define vf_store(p, a) _mm256_storeu_ps((void *)(p), a)
#define vf_load_i8(p)                                                          \
    vi_to_float(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const void *)(p))))
#define vf_add(a, b) _mm256_add_ps(a, b)
#define vf_sub(a, b) _mm256_sub_ps(a, b)
#define vf_mul(a, b) _mm256_mul_ps(a, b)
#define vf_div(a, b) _mm256_div_ps(a, b)
#define vf_sqrt(a) _mm256_sqrt_ps(a)
#define vf_max(a, b) _mm256_max_ps(a, b)
#define vf_min(a, b) _mm256_min_ps(a, b)
#define vf_and(a, b) _mm256_and_ps(a, b)
#define vf_xor(a, b) _mm256_xor_ps(a, b)
#define vf_andnot(not, a) _mm256_andnot_ps(not, a)
#define vf_equal(a, b) _mm256_cmp_ps(a, b, _CMP_EQ_OQ)
#define vf_less(a, b) _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define vf_select(mask, yes, no) _mm256_blendv_ps(no, yes, mask)
#define vf_round(a) _mm256_cvtps_epi32(a)
#define vf_bits(a) _mm256_castps_si256(a)
#define vi_floats(a) _mm256_castsi256_ps(a)
#define vi_to_float(a) _mm256_cvtepi32_ps(a)

SPN_INLINE __m128i half_gather64(const int16_t *p, uint32_t r0, uint32_t r1)
{
    const __m128i low = _mm_loadl_epi64((const void *)(p + 4 * (size_t)r0));

    return _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(low),
                                         (const void *)(p + 4 * (size_t)r1)));
}

SPN_INLINE vi vi_gather64(const int16_t *p, const uint16_t *r, uint32_t step,
                          uint32_t lane_step)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(half_gather64(p, r[0], r[step])),
        half_gather64(p, r[lane_step], r[lane_step + step]), 1);
}

SPN_INLINE void half_scatter64(int16_t *p, const uint8_t *r, __m128i a)
{
    _mm_storel_epi64((void *)(p + 4 * (size_t)r[0]), a);
    _mm_storeh_pi((void *)(p + 4 * (size_t)r[1]), _mm_castsi128_ps(a));
}

SPN_INLINE void vi_scatter64(int16_t *p, const uint8_t *r, uint32_t lane_step,
                             vi a)
{
    half_scatter64(p, r, _mm256_castsi256_si128(a));
    half_scatter64(p, r + lane_step, _mm256_extracti128_si256(a, 1));
}

#endif
