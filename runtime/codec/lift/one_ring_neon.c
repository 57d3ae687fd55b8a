/* one_ring_neon.c - guessed QTangents for 64-bit ARM, four vertices a vector.
 *
 * Only the vector operations are here; one_ring_vector.h has the kernel.
 * Products and sums stay apart: vmla may be fused. Empty elsewhere; 32-bit
 * ARM's vectors flush small numbers and have neither division nor root.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/one_ring.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

#define VECTOR_LANES 4u
typedef float32x4_t vf;

#define vf_set(x) vdupq_n_f32(x)
#define vf_add(a, b) vaddq_f32(a, b)
#define vf_sub(a, b) vsubq_f32(a, b)
#define vf_mul(a, b) vmulq_f32(a, b)
#define vf_div(a, b) vdivq_f32(a, b)
#define vf_sqrt(a) vsqrtq_f32(a)
#define vf_max(a, b) vmaxq_f32(a, b)
#define vf_equal(a, b) vreinterpretq_f32_u32(vceqq_f32(a, b))
#define vf_select(a, b, mask) vbslq_f32(vreinterpretq_u32_f32(mask), b, a)

ONE_RING_INLINE vf vf_weights(const int8_t *weights)
{
    const int16_t wide[4] = {weights[0], weights[1], weights[2], weights[3]};

    return vcvtq_f32_s32(vmovl_s16(vld1_s16(wide)));
}

struct places;
ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r);
ONE_RING_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                       const vf q[4]);

#include "codec/lift/one_ring_vector.h"

ONE_RING_INLINE uint32x4_t pair(const int16_t *positions, const uint16_t *r)
{
    return vreinterpretq_u32_s16(
        vcombine_s16(vld1_s16(positions + 4 * (size_t)r[0]),
                     vld1_s16(positions + 4 * (size_t)r[1])));
}

ONE_RING_INLINE struct places load_places(const int16_t *positions,
                                          const uint16_t *r)
{
    const uint32x4_t a = pair(positions, r);
    const uint32x4_t b = pair(positions, r + 2);
    const uint32x4_t xy = vuzp1q_u32(a, b);
    const uint32x4_t zw = vuzp2q_u32(a, b);
    /* Low bits of a float from 2^23 on: larger by so much. */
    const uint32x4_t high = vdupq_n_u32(0x4b000000);
    const uint32x4_t low = vdupq_n_u32(0xffff);
    const struct places p = {{vreinterpretq_f32_u32(vbslq_u32(low, xy, high)),
                              vreinterpretq_f32_u32(vsriq_n_u32(high, xy, 16)),
                              vreinterpretq_f32_u32(vbslq_u32(low, zw, high))},
                             vreinterpretq_f32_u32(vsriq_n_u32(high, zw, 16))};
    return p;
}

ONE_RING_INLINE int16x4_t rounded(vf x)
{
    return vmovn_s32(vcvtnq_s32_f32(x));
}

ONE_RING_INLINE void store_quaternions(int16_t *out, const uint8_t *to,
                                       const vf q[4])
{
    const int16x4x2_t xz = vzip_s16(rounded(q[0]), rounded(q[2]));
    const int16x4x2_t yw = vzip_s16(rounded(q[1]), rounded(q[3]));
    const int16x4x2_t low = vzip_s16(xz.val[0], yw.val[0]);
    const int16x4x2_t high = vzip_s16(xz.val[1], yw.val[1]);

    vst1_s16(out + 4 * (size_t)to[0], low.val[0]);
    vst1_s16(out + 4 * (size_t)to[1], low.val[1]);
    vst1_s16(out + 4 * (size_t)to[2], high.val[0]);
    vst1_s16(out + 4 * (size_t)to[3], high.val[1]);
}

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    ops->guess = vector_guess;
}

#else

void spn__one_ring_ops_neon(struct one_ring_ops *ops)
{
    (void)ops;
}

#endif
