/* residual_coder_neon.c - triples of residuals for 64-bit ARM.
 *
 * The same steps as for SSE4.1; a table look-up takes the place of the byte
 * shuffle and shifts by a vector that of the multiplication. Empty elsewhere.
 */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/residual_coder.h"

#if defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

/* Bit 7 of four entries, a bit each. */
static inline uint64_t escapes_of(uint32x4_t entries)
{
    static const int32_t places[4] = {0, 1, 2, 3};
    const uint32x4_t flag = vandq_u32(vshrq_n_u32(entries, 7), vdupq_n_u32(1));

    return vaddvq_u32(vshlq_u32(flag, vld1q_s32(places)));
}

static inline int16x8_t widen_low(uint32x4_t q)
{
    return vmovl_s8(vget_low_s8(vreinterpretq_s8_u32(q)));
}

static inline int16x8_t widen_high(uint32x4_t q)
{
    return vmovl_s8(vget_high_s8(vreinterpretq_s8_u32(q)));
}

static inline uint64_t expand_plain(const uint32_t *entries, int16_t *residuals)
{
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 4) {
        const uint32x4_t e = vld1q_u32(entries + v);
        const uint32x4_t q = vshrq_n_u32(e, 8);

        escapes |= escapes_of(e) << v;
        vst1q_s16(residuals + 4 * v, widen_low(q));
        vst1q_s16(residuals + 4 * v + 8, widen_high(q));
    }
    return escapes;
}

struct low_fields {
    uint8x16_t at;   /* where field i's 16 bits begin */
    int16x8_t down;  /* bits below it there, negative */
    uint16x8_t mask; /* k bits */
    int16x8_t half;
};

static inline struct low_fields make_fields(uint32_t k)
{
    uint8_t at[16];
    int16_t down[8];
    struct low_fields fields;

    for (uint32_t i = 0; i < 8; i++) {
        at[2 * i] = (uint8_t)(i * k / 8);
        at[2 * i + 1] = (uint8_t)(i * k / 8 + 1);
        down[i] = (int16_t) - (int32_t)(i * k % 8);
    }
    fields.at = vld1q_u8(at);
    fields.down = vld1q_s16(down);
    fields.mask = vdupq_n_u16((uint16_t)((1u << k) - 1));
    fields.half = vdupq_n_s16((int16_t)(1 << (k - 1)));
    return fields;
}

static inline int16x8_t take_fields(const struct low_fields *fields,
                                    const uint8_t *raw)
{
    const uint16x8_t window =
        vreinterpretq_u16_u8(vqtbl1q_u8(vld1q_u8(raw), fields->at));
    const uint16x8_t low =
        vandq_u16(vshlq_u16(window, fields->down), fields->mask);

    return vsubq_s16(vreinterpretq_s16_u16(low), fields->half);
}

static inline void store_sum(int16_t *residuals, int16x8_t q, int16x8_t shift,
                             int32x4_t low)
{
    vst1q_s16(residuals,
              vaddq_s16(vshlq_s16(q, shift), vreinterpretq_s16_s32(low)));
}

static inline uint64_t expand_low(const uint32_t *entries, const uint8_t *raw,
                                  uint32_t k, int16_t *residuals)
{
    const struct low_fields fields = make_fields(k);
    const int16x8_t shift = vdupq_n_s16((int16_t)k);
    const int16x8_t zero = vdupq_n_s16(0);
    uint64_t escapes = 0;

    for (uint32_t v = 0; v < RESIDUAL_BLOCK; v += 8) {
        const uint32x4_t a = vld1q_u32(entries + v);
        const uint32x4_t b = vld1q_u32(entries + v + 4);
        const uint32x4_t qa = vshrq_n_u32(a, 8);
        const uint32x4_t qb = vshrq_n_u32(b, 8);
        const int16x8_t x = take_fields(&fields, raw);
        const int16x8_t y = take_fields(&fields, raw + k);
        const int16x8_t z = take_fields(&fields, raw + 2 * k);
        const int32x4_t xy_low = vreinterpretq_s32_s16(vzip1q_s16(x, y));
        const int32x4_t xy_high = vreinterpretq_s32_s16(vzip2q_s16(x, y));
        const int32x4_t z_low = vreinterpretq_s32_s16(vzip1q_s16(z, zero));
        const int32x4_t z_high = vreinterpretq_s32_s16(vzip2q_s16(z, zero));
        int16_t *to = residuals + 4 * v;

        escapes |= (escapes_of(a) | escapes_of(b) << 4) << v;
        store_sum(to, widen_low(qa), shift, vzip1q_s32(xy_low, z_low));
        store_sum(to + 8, widen_high(qa), shift, vzip2q_s32(xy_low, z_low));
        store_sum(to + 16, widen_low(qb), shift, vzip1q_s32(xy_high, z_high));
        store_sum(to + 24, widen_high(qb), shift, vzip2q_s32(xy_high, z_high));
        raw += 3 * k;
    }
    return escapes;
}

static inline uint32_t expand_quads(const uint32_t *entries, int16_t *fourth)
{
    static const uint8_t spread[2][16] = {
        {2, 3, 2, 3, 2, 3, 2, 3, 6, 7, 6, 7, 6, 7, 6, 7},
        {10, 11, 10, 11, 10, 11, 10, 11, 14, 15, 14, 15, 14, 15, 14, 15}};
    static const int16_t lifts[8] = {12, 8, 4, 0, 12, 8, 4, 0};
    const int16x8_t lift = vld1q_s16(lifts);
    uint64_t escapes = 0;

    for (uint32_t i = 0; i < RESIDUAL_BLOCK / 4; i += 4) {
        const uint32x4_t e = vld1q_u32(entries + i);

        escapes |= escapes_of(e) << i;
        for (int half = 0; half < 2; half++) {
            const int16x8_t nibbles = vreinterpretq_s16_u8(
                vqtbl1q_u8(vreinterpretq_u8_u32(e), vld1q_u8(spread[half])));

            vst1q_s16(fourth + 4 * i + 8 * half,
                      vshrq_n_s16(vshlq_s16(nibbles, lift), 12));
        }
    }
    return (uint32_t)escapes;
}

#include "codec/lift/residual_coder_vector.h"

void spn__residual_ops_neon(struct residual_ops *ops)
{
    ops->decode = decode_groups;
}

#else

void spn__residual_ops_neon(struct residual_ops *ops)
{
    (void)ops;
}

#endif
