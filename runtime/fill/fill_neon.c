/* fill_neon.c - the fill's kernels for 64-bit ARM, four vertices at a time.
 *
 * Only the vector operations are here; fill_vector.h has the kernels. 32-bit
 * ARM has no vector division or root and flushes what is smaller than normal
 * floats: it runs the scalar code. Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "fill/fill.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

/* -- columns to vertices -- */

typedef uint32x4_t words4;

#define words4_load(p) vld1q_u32(p)
#define words4_store(p, a) vst1q_u8(p, vreinterpretq_u8_u32(a))
#define words4_store_low(p, a) vst1_u8(p, vget_low_u8(vreinterpretq_u8_u32(a)))
#define words4_low32(a, b) vzip1q_u32(a, b)
#define words4_high32(a, b) vzip2q_u32(a, b)
#define words4_low64(a, b)                                                     \
    vreinterpretq_u32_u64(                                                     \
        vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)))
#define words4_high64(a, b)                                                    \
    vreinterpretq_u32_u64(                                                     \
        vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)))

#include "fill/fill_store_vector.h"

/* -- kernels -- */

#define VECTOR_LANES 4u
typedef float32x4_t vf;
typedef uint32x4_t vi;

#define AS_SIGNED(a) vreinterpretq_s32_u32(a)
#define vf_bits(a) vreinterpretq_u32_f32(a)
#define vi_floats(a) vreinterpretq_f32_u32(a)

#define vf_set(x) vdupq_n_f32(x)
#define vf_load(p) vi_floats(vld1q_u32(p))
#define vf_store(p, a) vst1q_u32(p, vf_bits(a))
#define vf_add(a, b) vaddq_f32(a, b)
#define vf_sub(a, b) vsubq_f32(a, b)
#define vf_mul(a, b) vmulq_f32(a, b)
#define vf_div(a, b) vdivq_f32(a, b)
#define vf_sqrt(a) vsqrtq_f32(a)
/* The second one where either is no number. */
#define vf_max(a, b) vbslq_f32(vcgtq_f32(a, b), a, b)
#define vf_min(a, b) vbslq_f32(vcltq_f32(a, b), a, b)
#define vf_and(a, b) vi_floats(vandq_u32(vf_bits(a), vf_bits(b)))
#define vf_xor(a, b) vi_floats(veorq_u32(vf_bits(a), vf_bits(b)))
#define vf_andnot(not, a) vi_floats(vbicq_u32(vf_bits(a), vf_bits(not )))
#define vf_select(mask, yes, no) vbslq_f32(vf_bits(mask), yes, no)
#define vi_set(x) vdupq_n_u32((uint32_t)(x))
#define vi_store(p, a) vst1q_u32(p, a)
#define vi_add(a, b) vaddq_u32(a, b)
#define vi_sub(a, b) vsubq_u32(a, b)
#define vi_mul(a, b) vmulq_u32(a, b)
#define vi_and(a, b) vandq_u32(a, b)
#define vi_or(a, b) vorrq_u32(a, b)
#define vi_left(a, n) vshlq_n_u32(a, n)
#define vi_right(a, n) vshrq_n_u32(a, n)
#define vi_greater(a, b) vcgtq_s32(AS_SIGNED(a), AS_SIGNED(b))
#define vi_equal(a, b) vceqq_u32(a, b)
#define vi_select(mask, yes, no) vbslq_u32(mask, yes, no)
#define vi_to_float(a) vcvtq_f32_s32(AS_SIGNED(a))

static inline vi vi_lanes(void)
{
    static const uint32_t lanes[4] = {1, 2, 4, 8};

    return vld1q_u32(lanes);
}

static inline vi load_words(const void *values)
{
    return vreinterpretq_u32_u8(vld1q_u8(values));
}

static inline vi load_halves(const void *values)
{
    return vmovl_u16(vld1_u16(values));
}

/* 2^16 q of four, and |q|^2. */
static inline vi interpolate(const void *floor, const void *ceil, int16_t alpha,
                             vi q[4])
{
    const int16x4x4_t f = vld4_s16(floor);
    const int16x4x4_t c = vld4_s16(ceil);
    int32x4_t dot = vmull_s16(f.val[0], c.val[0]);
    int32x4_t squared = vdupq_n_s32(0);
    int16x4_t turn;

    for (int k = 1; k < 4; k++)
        dot = vmlal_s16(dot, f.val[k], c.val[k]);
    turn = vmovn_s32(vshrq_n_s32(dot, 31));
    for (int k = 0; k < 4; k++) {
        const int16x4_t nearer = vsub_s16(veor_s16(c.val[k], turn), turn);
        const int16x4_t moved = vshl_n_s16(vsub_s16(nearer, f.val[k]), 5);
        const int16x4_t x = vadd_s16(vshl_n_s16(f.val[k], 5),
                                     vqrdmulh_s16(moved, vdup_n_s16(alpha)));

        squared = vmlal_s16(squared, x, x);
        q[k] = vi_left(vreinterpretq_u32_s32(vmovl_s16(x)), 16);
    }
    return vreinterpretq_u32_s32(squared);
}

/* Three u16 of four items. */
static inline void load_triples(const void *values, vi out[3])
{
    const uint16x4x3_t triples = vld3_u16(values);

    for (int k = 0; k < 3; k++)
        out[k] = vmovl_u16(triples.val[k]);
}

#include "fill/fill_vector.h"

void spn__fill_ops_neon(struct fill_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__fill_ops_neon(struct fill_ops *ops)
{
    (void)ops;
}

#endif
