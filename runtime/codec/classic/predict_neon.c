/* predict_neon.c - temporal prediction for 64-bit ARM, 16 bytes at a time.
 *
 * Only the vector operations are here; predict_vector.h has the kernels.
 * Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/predict.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

#define VECTOR_BYTES 16u
typedef uint16x8_t vi;

#define AS_BYTES(a) vreinterpretq_u8_u16(a)
#define AS_WORDS(a) vreinterpretq_u16_u8(a)
#define AS_SIGNED(a) vreinterpretq_s16_u16(a)

#define vi_load(p) AS_WORDS(vld1q_u8(p))
#define vi_store(p, a) vst1q_u8(p, AS_BYTES(a))
#define vi_zero() vdupq_n_u16(0)
#define vi_and(a, b) vandq_u16(a, b)
#define vi_or(a, b) vorrq_u16(a, b)
#define vi_andnot(not, a) vbicq_u16(a, not )
#define vi_set16(x) vdupq_n_u16(x)
#define vi_add16(a, b) vaddq_u16(a, b)
#define vi_sub16(a, b) vsubq_u16(a, b)
#define vi_mul16(a, b) vmulq_u16(a, b)
/* Shifts by a number that is no constant are shifts by a vector. */
#define vi_left16(a, n) vshlq_u16(a, vdupq_n_s16((int16_t)(n)))
#define vi_right16(a, n) vshlq_u16(a, vdupq_n_s16((int16_t) - (n)))
#define vi_min16(a, b) vminq_u16(a, b)
#define vi_equal16(a, b) vceqq_u16(a, b)
#define vi_greater16(a, b) vcgtq_s16(AS_SIGNED(a), AS_SIGNED(b))
#define vi_add8(a, b) AS_WORDS(vaddq_u8(AS_BYTES(a), AS_BYTES(b)))
/* Halves; narrow puts them back in the same order. */
#define vi_wide_low(a) vmovl_u8(vget_low_u8(AS_BYTES(a)))
#define vi_wide_high(a) vmovl_high_u8(AS_BYTES(a))
#define vi_narrow(low, high)                                                   \
    AS_WORDS(vcombine_u8(vmovn_u16(low), vmovn_u16(high)))

static inline vi vi_mulhi16(vi a, vi b)
{
    const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
    const uint32x4_t high = vmull_high_u16(a, b);

    return vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

#include "codec/classic/predict_vector.h"

void spn__predict_ops_neon(struct predict_ops *ops)
{
    set_vector_ops(ops);
}

#else

void spn__predict_ops_neon(struct predict_ops *ops)
{
    (void)ops;
}

#endif
