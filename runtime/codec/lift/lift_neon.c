/* lift_neon.c - lifting for 64-bit ARM: the kernels of lift_vector.h,
 * one_ring_vector.h and residual_coder_vector.h.
 *
 * A vector holds two vertices. The rounding product would saturate if both
 * factors were -32768, but validation refuses such weights. 32-bit ARM has no
 * vector square root and runs the scalar code. Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift_kernels.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/simd_neon.h"
#include "codec/lift/lift_formulas.h"

/* Products with one number of a vector take the place of spread weights. */
#define HAS_SUMS
/* The narrowing shifts keep low 16 bits; of the sum, bit 5 at the top. */
LIFT_INLINE int16x4_t sum_one(const int16_t *values, const uint16_t *r,
                              int16x4_t w, int16x4_t *side)
{
    int32x4_t sum = vmull_lane_s16(vld1_s16(values + 4 * (size_t)r[0]), w, 0);

    sum = vmlal_lane_s16(sum, vld1_s16(values + 4 * (size_t)r[1]), w, 1);
    sum = vmlal_lane_s16(sum, vld1_s16(values + 4 * (size_t)r[2]), w, 2);
    sum = vmlal_lane_s16(sum, vld1_s16(values + 4 * (size_t)r[3]), w, 3);
    *side = vshl_n_s16(vmovn_s32(sum), 10);
    return vrshrn_n_s32(sum, 6);
}

LIFT_INLINE vi sum_values(const int16_t *values, const uint16_t *r,
                          const int8_t *weights, vi *side)
{
    const int16x8_t w = AS_S16(vi_load_i8(weights));
    int16x4_t side_one;
    int16x4_t side_two;
    const int16x4_t one = sum_one(values, r, vget_low_s16(w), &side_one);
    const int16x4_t two = sum_one(values, r + 4, vget_high_s16(w), &side_two);

    *side = FROM_S16(vcombine_s16(side_one, side_two));
    return FROM_S16(vcombine_s16(one, two));
}

/* Squares add up modulo 2^32: the sums of hostile values wrap. */
LIFT_INLINE int16x4_t root_of_rest(int16x4_t a, int16x4_t b, int16x4_t c,
                                   int16x4_t d, int16x4_t *side)
{
    const int32x4_t one = vdupq_n_s32(LIFT_SQUARE);
    int32x4_t sum = vmull_s16(a, a);
    int32x4_t rest;
    float32x4_t root;
    int32x4_t whole;

    sum = vmlal_s16(sum, b, b);
    sum = vmlal_s16(sum, c, c);
    sum = vmlal_s16(sum, d, d);
    rest = vmaxq_s32(vsubq_s32(one, sum), vdupq_n_s32(0));
    rest = vminq_s32(rest, one);
    root = vsqrtq_f32(vcvtq_f32_s32(rest));
    whole = vcvtnq_s32_f32(root);
    *side =
        vreinterpret_s16_u16(vmovn_u32(vcltq_f32(root, vcvtq_f32_s32(whole))));
    return vmovn_s32(whole);
}

LIFT_INLINE vi root_of_three(vi a, vi b, vi c, vi d, vi *side)
{
    int16x4_t side_low;
    int16x4_t side_high;
    const int16x4_t low = root_of_rest(
        vget_low_s16(AS_S16(a)), vget_low_s16(AS_S16(b)),
        vget_low_s16(AS_S16(c)), vget_low_s16(AS_S16(d)), &side_low);
    const int16x4_t high = root_of_rest(
        vget_high_s16(AS_S16(a)), vget_high_s16(AS_S16(b)),
        vget_high_s16(AS_S16(c)), vget_high_s16(AS_S16(d)), &side_high);

    *side = FROM_S16(vcombine_s16(side_low, side_high));
    return FROM_S16(vcombine_s16(low, high));
}

#include "codec/lift/lift_vector.h"
#include "codec/lift/one_ring_vector.h"
#include "codec/lift/residual_coder_vector.h"

void spn__lift_ops_neon(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

void spn__residual_ops_neon(struct residual_ops *ops)
{
    ops->decode = decode_stripes;
}

#else

void spn__lift_ops_neon(struct lift_ops *ops)
{
    (void)ops;
}

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    (void)ops;
}

void spn__residual_ops_neon(struct residual_ops *ops)
{
    (void)ops;
}

#endif
