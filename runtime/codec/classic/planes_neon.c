/* planes_neon.c - bit planes to residuals for 64-bit ARM, 128 vertices at a
 * time.
 *
 * Only the vector operations are here; planes_vector.h has the kernel. Empty
 * elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/classic/planes.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include "base/assert.h"

#include <arm_neon.h>

#define VECTOR_BYTES 16u
typedef uint16x8_t vi;

#define AS_BYTES(a) vreinterpretq_u8_u16(a)
#define AS_WORDS(a) vreinterpretq_u16_u8(a)
#define AS_PAIRS(a) vreinterpretq_u32_u16(a)
#define AS_QUADS(a) vreinterpretq_u64_u16(a)

#define vi_load(p) AS_WORDS(vld1q_u8(p))
#define vi_zero() vdupq_n_u16(0)
#define vi_and(a, b) vandq_u16(a, b)
#define vi_or(a, b) vorrq_u16(a, b)
#define vi_xor(a, b) veorq_u16(a, b)
#define vi_is_zero(a) (vmaxvq_u16(a) == 0)
#define vi_set8(x) AS_WORDS(vdupq_n_u8((uint8_t)(x)))
#define vi_set16(x) vdupq_n_u16((uint16_t)(x))
#define vi_add16(a, b) vaddq_u16(a, b)
#define vi_left16(a, n) vshlq_n_u16(a, n)
#define vi_right16(a, n) vshrq_n_u16(a, n)
#define vi_blend16(a, b, mask) vbslq_u16(mask_of(mask), b, a)
#define vi_shuffle8(a, order) AS_WORDS(vqtbl1q_u8(AS_BYTES(a), AS_BYTES(order)))
#define vi_low8(a, b) AS_WORDS(vzip1q_u8(AS_BYTES(a), AS_BYTES(b)))
#define vi_high8(a, b) AS_WORDS(vzip2q_u8(AS_BYTES(a), AS_BYTES(b)))
#define vi_low16(a, b) vzip1q_u16(a, b)
#define vi_high16(a, b) vzip2q_u16(a, b)
#define vi_low32(a, b)                                                         \
    vreinterpretq_u16_u32(vzip1q_u32(AS_PAIRS(a), AS_PAIRS(b)))
#define vi_high32(a, b)                                                        \
    vreinterpretq_u16_u32(vzip2q_u32(AS_PAIRS(a), AS_PAIRS(b)))
#define vi_low64(a, b)                                                         \
    vreinterpretq_u16_u64(vzip1q_u64(AS_QUADS(a), AS_QUADS(b)))
#define vi_high64(a, b)                                                        \
    vreinterpretq_u16_u64(vzip2q_u64(AS_QUADS(a), AS_QUADS(b)))
#define vi_store_lanes(p, lane, a) ((void)(lane), vst1q_u8(p, AS_BYTES(a)))

/* All of word i where bit i is set. */
static inline vi mask_of(uint16_t bits)
{
    static const uint16_t places[8] = {1, 2, 4, 8, 16, 32, 64, 128};

    return vtstq_u16(vdupq_n_u16(bits), vld1q_u16(places));
}

/* The bytes of eight words, by the words' places. */
static inline vi vi_shuffler(uint8_t a, uint8_t b, uint8_t c, uint8_t d,
                             uint8_t e, uint8_t f, uint8_t g, uint8_t h)
{
    const uint8_t words[8] = {a, b, c, d, e, f, g, h};
    const uint16x8_t places = vmovl_u8(vld1_u8(words));

    return vmlaq_n_u16(vdupq_n_u16(0x100), places, 0x202);
}

#include "codec/classic/planes_vector.h"

void spn__planes_ops_neon(struct predict_ops *ops)
{
    ops->join_u16 = join_u16;
}

#else

void spn__planes_ops_neon(struct predict_ops *ops)
{
    (void)ops;
}

#endif
