/* simd_sse41.h - vector primitives for SSE4.1: vectors of 16 bytes.
 *
 * simd_sse41.h, simd_avx2.h and simd_neon.h define the same names with the same
 * results. A kernel is written once with these names, in a file *_vector.h, and
 * is compiled once for each instruction set: the file of an instruction set
 * includes one of the three headers, then the kernel.
 *
 *   VECTOR_BYTES  bytes of a vector
 *   vi            a vector of integers of any width
 *   vf            a vector of single-precision floats; results are rounded to
 *                 nearest
 *
 * The number at the end of a name is the width of the integers in bits. Sums,
 * differences and low products wrap. A lane is a part of 16 bytes. Operations
 * that move numbers within a vector move them only within their lane. In a
 * mask, all bits of a number are set or all are clear.
 *
 *   vi_load_lanes(p, stride)    lane l is loaded from p + l * stride
 *   vi_gather64(p, r, step, lane_step)
 *                               loads 8-byte records of the array p; lane l
 *                               gets the records with the numbers
 *                               r[l * lane_step] and r[l * lane_step + step]
 *   vi_scatter64(p, r, lane_step, a)
 *                               stores to these records, with step 1
 *   vi_load_i8(p), vi_load_u16(p), vi_load_u32(p)
 *                               load VECTOR_BYTES / 2 bytes and extend each
 *                               integer to twice its width
 *   vi_extend_i16(p)            the same to signed 32-bit integers
 *   vi_store_low32(p, a)        stores the low half of each 64 bits
 *   vi_pattern(i0 .. i15), vi_shuffle8(a, pattern)
 *                               byte k of a lane becomes byte i_k of the same
 *                               lane, or 0 if i_k is -1
 *   vi_andnot(not, a)           a & ~not
 *   vi_select(mask, yes, no)    yes where the mask is set, else no; also
 *                               vf_select
 *   vi_blend16(a, b, bits)      number k of a lane is from b if bit k is set,
 *                               else from a
 *   vi_mulhi_u16                high half of the unsigned product
 *   vi_mulround16               (a * b + 2^14) >> 15; a and b must not both be
 *                               -2^15
 *   vi_sign16(a, by)            a, 0 or -a if `by` is positive, 0 or negative
 *   vi_madd16                   signed products, and their sums in pairs of
 *                               neighbours, as 32-bit numbers
 *   vi_left*, vi_right*         shifts that insert zeros
 *   vi_right_i*                 arithmetic shifts to the right
 *   vi_swap16, vi_swap32        exchange the halves of each 32 or 64 bits
 *   vi_repeat32(a, k)           number k of a lane at all places of the lane
 *   vi_zip_low*, vi_zip_high*   interleave the low or high halves of two lanes
 *   vi_extend_low8, vi_extend_high8
 *                               sign-extend the low or high half of a lane
 *   vi_even32(a, b), vi_odd32(a, b)
 *                               numbers of a with even or odd positions, then
 *                               such numbers of b
 *   vi_split32(a)               across lanes: numbers with even positions, then
 *                               those with odd positions; in a vector of one
 *                               lane the numbers keep their places
 *   vi_pack_i32(a, b), vi_pack_u16(a, b)
 *                               reduce to half the width with saturation; a
 *                               lane gets its numbers of a, then those of b
 *   vi_signs32                  the sign bits of all 32-bit numbers, as bits of
 *                               one integer
 *   vf_load_i8(p)               VECTOR_BYTES / 4 signed bytes as floats
 *   vf_max, vf_min              the second operand if one operand is NaN
 *   vf_round                    the nearest 32-bit integers, ties to even
 *   vf_bits, vi_floats          reinterpret the bits as the other type
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_SIMD_SSE41_H
#define SPN_BASE_SIMD_SSE41_H

#include "base/compiler.h"
#include "base/mem.h"

#include <smmintrin.h>
#include <stdint.h>

#define VECTOR_BYTES 16u
typedef __m128i vi;
typedef __m128 vf;

#define vi_load(p) _mm_loadu_si128((const void *)(p))
#define vi_store(p, a) _mm_storeu_si128((void *)(p), a)
#define vi_load_lanes(p, stride) ((void)(stride), vi_load(p))
#define vi_store_lanes(p, stride, a) ((void)(stride), vi_store(p, a))
#define vi_load_i8(p) _mm_cvtepi8_epi16(_mm_loadl_epi64((const void *)(p)))
#define vi_load_u16(p) _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)(p)))
#define vi_load_u32(p) _mm_cvtepu32_epi64(_mm_loadl_epi64((const void *)(p)))
#define vi_extend_i16(p) _mm_cvtepi16_epi32(_mm_loadl_epi64((const void *)(p)))
#define vi_store_low32(p, a)                                                   \
    _mm_storel_epi64((void *)(p), _mm_shuffle_epi32(a, 0x08))

#define vi_zero() _mm_setzero_si128()
#define vi_set8(x) _mm_set1_epi8((char)(x))
#define vi_set16(x) _mm_set1_epi16((short)(x))
#define vi_set32(x) _mm_set1_epi32((int)(x))
#define vi_pattern(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)             \
    _mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
#define vi_shuffle8(a, pattern) _mm_shuffle_epi8(a, pattern)

#define vi_and(a, b) _mm_and_si128(a, b)
#define vi_or(a, b) _mm_or_si128(a, b)
#define vi_xor(a, b) _mm_xor_si128(a, b)
#define vi_andnot(not, a) _mm_andnot_si128(not, a)
#define vi_select(mask, yes, no) _mm_blendv_epi8(no, yes, mask)
#define vi_blend16(a, b, bits) _mm_blend_epi16(a, b, bits)
#define vi_is_zero(a) (_mm_testz_si128(a, a) != 0)

#define vi_add8(a, b) _mm_add_epi8(a, b)
#define vi_add16(a, b) _mm_add_epi16(a, b)
#define vi_sub16(a, b) _mm_sub_epi16(a, b)
#define vi_mul16(a, b) _mm_mullo_epi16(a, b)
#define vi_mulhi_u16(a, b) _mm_mulhi_epu16(a, b)
#define vi_mulround16(a, b) _mm_mulhrs_epi16(a, b)
#define vi_sign16(a, by) _mm_sign_epi16(a, by)
#define vi_abs16(a) _mm_abs_epi16(a)
#define vi_max_i16(a, b) _mm_max_epi16(a, b)
#define vi_max_u16(a, b) _mm_max_epu16(a, b)
#define vi_min_u16(a, b) _mm_min_epu16(a, b)
#define vi_equal16(a, b) _mm_cmpeq_epi16(a, b)
#define vi_greater16(a, b) _mm_cmpgt_epi16(a, b)
#define vi_left16(a, n) _mm_slli_epi16(a, n)
#define vi_right16(a, n) _mm_srli_epi16(a, n)
#define vi_right_i16(a, n) _mm_srai_epi16(a, n)
#define vi_madd16(a, b) _mm_madd_epi16(a, b)

#define vi_add32(a, b) _mm_add_epi32(a, b)
#define vi_sub32(a, b) _mm_sub_epi32(a, b)
#define vi_mul32(a, b) _mm_mullo_epi32(a, b)
#define vi_max_i32(a, b) _mm_max_epi32(a, b)
#define vi_min_i32(a, b) _mm_min_epi32(a, b)
#define vi_equal32(a, b) _mm_cmpeq_epi32(a, b)
#define vi_greater32(a, b) _mm_cmpgt_epi32(a, b)
#define vi_left32(a, n) _mm_slli_epi32(a, n)
#define vi_right32(a, n) _mm_srli_epi32(a, n)
#define vi_right_i32(a, n) _mm_srai_epi32(a, n)
#define vi_left64(a, n) _mm_slli_epi64(a, n)
#define vi_signs32(a) ((uint32_t)_mm_movemask_ps(vi_floats(a)))

#define vi_swap16(a) vi_or(vi_left32(a, 16), vi_right32(a, 16))
#define vi_swap32(a) _mm_shuffle_epi32(a, 0xb1)
#define vi_repeat32(a, k) _mm_shuffle_epi32(a, 0x55 * (k))
#define vi_zip_low8(a, b) _mm_unpacklo_epi8(a, b)
#define vi_zip_high8(a, b) _mm_unpackhi_epi8(a, b)
#define vi_zip_low16(a, b) _mm_unpacklo_epi16(a, b)
#define vi_zip_high16(a, b) _mm_unpackhi_epi16(a, b)
#define vi_zip_low32(a, b) _mm_unpacklo_epi32(a, b)
#define vi_zip_high32(a, b) _mm_unpackhi_epi32(a, b)
#define vi_zip_low64(a, b) _mm_unpacklo_epi64(a, b)
#define vi_zip_high64(a, b) _mm_unpackhi_epi64(a, b)
#define vi_extend_low8(a) _mm_cvtepi8_epi16(a)
#define vi_extend_high8(a) _mm_cvtepi8_epi16(_mm_srli_si128(a, 8))
#define vi_even32(a, b)                                                        \
    vf_bits(_mm_shuffle_ps(vi_floats(a), vi_floats(b), 0x88))
#define vi_odd32(a, b) vf_bits(_mm_shuffle_ps(vi_floats(a), vi_floats(b), 0xdd))
#define vi_split32(a) (a)
#define vi_pack_i32(a, b) _mm_packs_epi32(a, b)
#define vi_pack_u16(a, b) _mm_packus_epi16(a, b)

#define vf_set(x) _mm_set1_ps(x)
#define vf_load(p) _mm_loadu_ps((const void *)(p))
#define vf_store(p, a) _mm_storeu_ps((void *)(p), a)
#define vf_add(a, b) _mm_add_ps(a, b)
#define vf_sub(a, b) _mm_sub_ps(a, b)
#define vf_mul(a, b) _mm_mul_ps(a, b)
#define vf_div(a, b) _mm_div_ps(a, b)
#define vf_sqrt(a) _mm_sqrt_ps(a)
#define vf_max(a, b) _mm_max_ps(a, b)
#define vf_min(a, b) _mm_min_ps(a, b)
#define vf_and(a, b) _mm_and_ps(a, b)
#define vf_xor(a, b) _mm_xor_ps(a, b)
#define vf_andnot(not, a) _mm_andnot_ps(not, a)
#define vf_equal(a, b) _mm_cmpeq_ps(a, b)
#define vf_less(a, b) _mm_cmplt_ps(a, b)
#define vf_select(mask, yes, no) _mm_blendv_ps(no, yes, mask)
#define vf_round(a) _mm_cvtps_epi32(a)
#define vf_bits(a) _mm_castps_si128(a)
#define vi_floats(a) _mm_castsi128_ps(a)
#define vi_to_float(a) _mm_cvtepi32_ps(a)

SPN_INLINE vf vf_load_i8(const int8_t *p)
{
    int32_t four;

    memcpy(&four, p, sizeof four);
    return vi_to_float(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
}

SPN_INLINE vi vi_gather64(const int16_t *p, const uint16_t *r, uint32_t step,
                          uint32_t lane_step)
{
    (void)lane_step;
    return vi_zip_low64(
        _mm_loadl_epi64((const void *)(p + 4 * (size_t)r[0])),
        _mm_loadl_epi64((const void *)(p + 4 * (size_t)r[step])));
}

SPN_INLINE void vi_scatter64(int16_t *p, const uint8_t *r, uint32_t lane_step,
                             vi a)
{
    (void)lane_step;
    _mm_storel_epi64((void *)(p + 4 * (size_t)r[0]), a);
    _mm_storeh_pi((void *)(p + 4 * (size_t)r[1]), vi_floats(a));
}

#endif
