/* lift_neon.c - the lifting kernels for 64-bit ARM, two vertices a vector.
 *
 * Only the vector operations are here; lift_vector.h has the kernels. Products
 * with a vertex's weights take them from lanes, so nothing is spread. The
 * rounding product saturates where both factors are -32768: one never is, the
 * door refuses those weights. 32-bit ARM has no vector square root and runs the
 * scalar code. Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/lift.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

#include "codec/lift/lift_formulas.h"

#define LANE_VERTICES 2u
typedef int16x8_t vi;

#define vi_load(p) vld1q_s16(p)
#define vi_store(p, a) vst1q_s16(p, a)
#define vi_set16(x) vdupq_n_s16(x)
#define vi_add(a, b) vaddq_s16(a, b)
#define vi_sub(a, b) vsubq_s16(a, b)
#define vi_and(a, b) vandq_s16(a, b)
#define vi_or(a, b) vorrq_s16(a, b)
#define vi_xor(a, b) veorq_s16(a, b)
#define vi_andnot(not, a) vbicq_s16(a, not )
#define vi_greater(a, b) vreinterpretq_s16_u16(vcgtq_s16(a, b))
#define vi_absolute(a) vabsq_s16(a)
#define vi_max(a, b) vmaxq_s16(a, b)
#define vi_select(a, b, mask) vbslq_s16(vreinterpretq_u16_s16(mask), b, a)
#define vi_half(a, b) vqrdmulhq_s16(a, b)
#define vi_low(a, b) vmulq_s16(a, b)
#define vi_top(a) vshlq_n_s16(a, 15)
#define vi_zip_low16(a, b) vzip1q_s16(a, b)
#define vi_zip_high16(a, b) vzip2q_s16(a, b)
#define vi_zip_low32(a, b)                                                     \
    vreinterpretq_s16_s32(                                                     \
        vzip1q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
#define vi_zip_high32(a, b)                                                    \
    vreinterpretq_s16_s32(                                                     \
        vzip2q_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
#define vi_zip_low64(a, b)                                                     \
    vreinterpretq_s16_s64(                                                     \
        vzip1q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
#define vi_zip_high64(a, b)                                                    \
    vreinterpretq_s16_s64(                                                     \
        vzip2q_s64(vreinterpretq_s64_s16(a), vreinterpretq_s64_s16(b)))
#define vi_fourth(p) vi_load(p)

LIFT_INLINE vi vi_signed(vi a, vi by)
{
    const vi zero = vdupq_n_s16(0);

    return vi_select(vi_and(a, vi_greater(by, zero)), vnegq_s16(a),
                     vi_greater(zero, by));
}

LIFT_INLINE vi vi_dot(vi a, vi b)
{
    const int32x4_t two = vpaddq_s32(
        vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
    const int32x4_t sum = vpaddq_s32(two, two);

    return vreinterpretq_s16_s32(vshrq_n_s32(vzip1q_s32(sum, sum), 31));
}

LIFT_INLINE vi take_bytes(const int16_t *p, const uint8_t *at)
{
    return vreinterpretq_s16_u8(
        vqtbl1q_u8(vreinterpretq_u8_s16(vld1q_s16(p)), vld1q_u8(at)));
}

LIFT_INLINE vi vi_times2(const int16_t *times)
{
    static const uint8_t at[16] = {0, 1, 2, 3, 255, 255, 255, 255,
                                   4, 5, 6, 7, 255, 255, 255, 255};

    return take_bytes(times, at);
}

LIFT_INLINE vi vi_times3(const int16_t *times)
{
    static const uint8_t at[16] = {0, 1, 2, 3, 4,  5,  255, 255,
                                   6, 7, 8, 9, 10, 11, 255, 255};

    return take_bytes(times, at);
}

LIFT_INLINE vi vi_last(vi a, vi b)
{
    /* 16 bits from the second one's place to the fourth's; the low 48 stay. */
    return vreinterpretq_s16_u64(
        vsliq_n_u64(vreinterpretq_u64_s16(a),
                    vshrq_n_u64(vreinterpretq_u64_s16(b), 16), 48));
}

LIFT_INLINE void vi_store2(uint16_t *out, vi a)
{
    vst1_u16(out, vreinterpret_u16_u32(vmovn_u64(vreinterpretq_u64_s16(a))));
}

LIFT_INLINE void vi_store3(uint16_t *out, vi a)
{
    static const uint8_t at[16] = {0,  1,  2,  3,  4,   5,   8,   9,
                                   10, 11, 12, 13, 255, 255, 255, 255};

    vst1q_u16(out, vreinterpretq_u16_u8(
                       vqtbl1q_u8(vreinterpretq_u8_s16(a), vld1q_u8(at))));
}

LIFT_INLINE int16x4_t vertex_at(const int16_t *values, uint32_t vertex)
{
    return vld1_s16(values + 4 * (size_t)vertex);
}

LIFT_INLINE vi gather(const int16_t *values, const uint16_t *r)
{
    return vcombine_s16(vertex_at(values, r[0]), vertex_at(values, r[4]));
}

LIFT_INLINE vi vi_nearest(const uint16_t *r, const int8_t *weights)
{
    const uint16x8_t none = vceqzq_s16(vmovl_s8(vld1_s8(weights)));
    const uint16x8_t one = vbicq_u16(vld1q_u16(r), none);
    const uint16x8_t two = vmaxq_u16(one, vrev32q_u16(one));
    const uint32x4_t other = vrev64q_u32(vreinterpretq_u32_u16(two));

    return vreinterpretq_s16_u16(vmaxq_u16(two, vreinterpretq_u16_u32(other)));
}

/* `w`: 256 times the weights */
LIFT_INLINE int16x4_t near_one(const int16_t *rest, const uint16_t *r,
                               int16x4_t w)
{
    const int16x4_t a = vqrdmulh_lane_s16(vertex_at(rest, r[0]), w, 0);
    const int16x4_t b = vqrdmulh_lane_s16(vertex_at(rest, r[1]), w, 1);
    const int16x4_t c = vqrdmulh_lane_s16(vertex_at(rest, r[2]), w, 2);
    const int16x4_t d = vqrdmulh_lane_s16(vertex_at(rest, r[3]), w, 3);
    const int16x4_t sum = vadd_s16(vadd_s16(a, b), vadd_s16(c, d));

    return vadd_s16(sum, sum);
}

LIFT_INLINE vi vi_near(const int16_t *rest, const uint16_t *r,
                       const int8_t *weights)
{
    const int16x8_t w = vshlq_n_s16(vmovl_s8(vld1_s8(weights)), 8);

    return vcombine_s16(near_one(rest, r, vget_low_s16(w)),
                        near_one(rest, r + 4, vget_high_s16(w)));
}

/* The narrowing shifts keep low 16 bits; of the sum, bit 5 at the top. */
LIFT_INLINE int16x4_t space_one(const int16_t *values, const uint16_t *r,
                                int16x4_t w, int16x4_t *side)
{
    int32x4_t sum = vmull_lane_s16(vertex_at(values, r[0]), w, 0);

    sum = vmlal_lane_s16(sum, vertex_at(values, r[1]), w, 1);
    sum = vmlal_lane_s16(sum, vertex_at(values, r[2]), w, 2);
    sum = vmlal_lane_s16(sum, vertex_at(values, r[3]), w, 3);
    *side = vshl_n_s16(vmovn_s32(sum), 10);
    return vrshrn_n_s32(sum, 6);
}

LIFT_INLINE vi vi_space(const int16_t *values, const uint16_t *r,
                        const int8_t *weights, vi *side)
{
    const int16x8_t w = vmovl_s8(vld1_s8(weights));
    int16x4_t side_one;
    int16x4_t side_two;
    const int16x4_t one = space_one(values, r, vget_low_s16(w), &side_one);
    const int16x4_t two = space_one(values, r + 4, vget_high_s16(w), &side_two);

    *side = vcombine_s16(side_one, side_two);
    return vcombine_s16(one, two);
}

/* Squares add up modulo 2^32: the sums of hostile values wrap. */
LIFT_INLINE int16x4_t root_of(int16x4_t a, int16x4_t b, int16x4_t c,
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

LIFT_INLINE vi vi_root(vi a, vi b, vi c, vi d, vi *side)
{
    int16x4_t side_low;
    int16x4_t side_high;
    const int16x4_t low = root_of(vget_low_s16(a), vget_low_s16(b),
                                  vget_low_s16(c), vget_low_s16(d), &side_low);
    const int16x4_t high =
        root_of(vget_high_s16(a), vget_high_s16(b), vget_high_s16(c),
                vget_high_s16(d), &side_high);

    *side = vcombine_s16(side_low, side_high);
    return vcombine_s16(low, high);
}

#include "codec/lift/lift_vector.h"

void spn__lift_ops_neon(struct lift_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__lift_ops_neon(struct lift_ops *ops)
{
    (void)ops;
}

#endif
