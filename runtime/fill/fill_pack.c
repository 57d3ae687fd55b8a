/* fill_pack.c - scalar kernels that pack float columns. */
/* SPDX-License-Identifier: MIT */
#include "fill/fill_pack.h"

#include "base/mem.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_SHIFT(k) (24u - 8u * (k))
#define HALF_SHIFT(k) (16u - 16u * (k))
#else
#define BYTE_SHIFT(k) (8u * (k))
#define HALF_SHIFT(k) (16u * (k))
#endif

/* Round v, |v| <= 2^22, to an integer. A float of the size 1.5 * 2^23 has no
 * fraction bits, so the addition rounds, and the low bits are the integer. */
static inline uint32_t round_to_integer(float v)
{
    return fill_word(v + 12582912.0f) - 0x4b400000u;
}

static inline uint32_t half_of(float v)
{
    const uint32_t infinity = 0x7f800000u;
    const uint32_t bits = fill_word(v) & 0x7fffffffu;
    const uint32_t sign = fill_word(v) >> 16 & 0x8000u;
    /* Change the bias of the exponent and drop 13 bits. Before that, add half
     * of the last step, or just less if the result is even: ties go to even. */
    const uint32_t normal =
        (bits - (112u << 23) + 0xfffu + (bits >> 13 & 1u)) >> 13;
    /* Below 2^-14 a half is subnormal: its step is that of a float near 1/2. */
    const uint32_t small = fill_word(fill_float(bits) + 0.5f) - 0x3f000000u;
    const uint32_t large = bits > infinity ? 0x7e00u : 0x7c00u;
    const uint32_t magnitude = bits < 113u << 23 ? small : normal;

    return sign | (bits >= 143u << 23 ? large : magnitude);
}

static void pack_f16x2(uint32_t *restrict out, const uint32_t *restrict in,
                       size_t pitch, uint32_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = half_of(fill_float(in[i])) << HALF_SHIFT(0) |
                 half_of(fill_float(in[pitch + i])) << HALF_SHIFT(1);
}

static void pack_f16x4(uint32_t *out, const uint32_t *in, size_t pitch,
                       uint32_t count)
{
    pack_f16x2(out, in, pitch, count);
    pack_f16x2(out + pitch, in + 2 * pitch, pitch, count);
}

/* A format whose components are all converted the same way. */
struct packing {
    float scale[4];
    uint8_t shift[4]; /* lowest bit of each component in the word */
    uint8_t count;
    uint8_t bits; /* of a component; the last one may have fewer */
};

static inline void pack(const struct packing *p, uint32_t *restrict out,
                        const uint32_t *restrict in, size_t pitch,
                        uint32_t count)
{
    const uint32_t mask = (1u << p->bits) - 1;

    for (size_t i = 0; i < count; i++) {
        uint32_t word = 0;

        for (uint32_t k = 0; k < p->count; k++)
            word |=
                (round_to_integer(fill_float(in[k * pitch + i]) * p->scale[k]) &
                 mask)
                << p->shift[k];
        out[i] = word;
    }
}

static void pack_snorm8x4(uint32_t *out, const uint32_t *in, size_t pitch,
                          uint32_t count)
{
    static const struct packing packing = {
        {127, 127, 127, 127},
        {BYTE_SHIFT(0), BYTE_SHIFT(1), BYTE_SHIFT(2), BYTE_SHIFT(3)},
        4,
        8};

    pack(&packing, out, in, pitch, count);
}

static void pack_snorm16x2(uint32_t *out, const uint32_t *in, size_t pitch,
                           uint32_t count)
{
    static const struct packing packing = {
        {32767, 32767}, {HALF_SHIFT(0), HALF_SHIFT(1)}, 2, 16};

    pack(&packing, out, in, pitch, count);
}

static void pack_snorm16x4(uint32_t *out, const uint32_t *in, size_t pitch,
                           uint32_t count)
{
    pack_snorm16x2(out, in, pitch, count);
    pack_snorm16x2(out + pitch, in + 2 * pitch, pitch, count);
}

static void pack_snorm10x3_2(uint32_t *out, const uint32_t *in, size_t pitch,
                             uint32_t count)
{
    static const struct packing packing = {
        {511, 511, 511, 1}, {0, 10, 20, 30}, 4, 10};

    pack(&packing, out, in, pitch, count);
}

static inline uint32_t unorm16(float v)
{
    v = v > 0 ? v : 0;
    v = v < 1.0f ? v : 1.0f;
    return round_to_integer(v * 65535.0f);
}

static void pack_unorm16x2(uint32_t *restrict out, const uint32_t *restrict in,
                           size_t pitch, uint32_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = unorm16(fill_float(in[i])) << HALF_SHIFT(0) |
                 unorm16(fill_float(in[pitch + i])) << HALF_SHIFT(1);
}

static void pack_unorm8x4(uint32_t *out, const uint32_t *in, size_t pitch,
                          uint32_t count)
{
    static const struct packing packing = {
        {1, 1, 1, 1},
        {BYTE_SHIFT(0), BYTE_SHIFT(1), BYTE_SHIFT(2), BYTE_SHIFT(3)},
        4,
        8};

    pack(&packing, out, in, pitch, count);
}

static void pack_unorm8x4_bgra(uint32_t *out, const uint32_t *in, size_t pitch,
                               uint32_t count)
{
    static const struct packing packing = {
        {1, 1, 1, 1},
        {BYTE_SHIFT(2), BYTE_SHIFT(1), BYTE_SHIFT(0), BYTE_SHIFT(3)},
        4,
        8};

    pack(&packing, out, in, pitch, count);
}

void spn__fill_pack_init(struct fill_ops *ops)
{
    ops->pack[SPN_FORMAT_NONE] = NULL;
    ops->pack[SPN_FORMAT_F32X2] = NULL;
    ops->pack[SPN_FORMAT_F32X3] = NULL;
    ops->pack[SPN_FORMAT_F32X4] = NULL;
    ops->pack[SPN_FORMAT_F16X2] = pack_f16x2;
    ops->pack[SPN_FORMAT_F16X4] = pack_f16x4;
    ops->pack[SPN_FORMAT_SNORM8X4] = pack_snorm8x4;
    ops->pack[SPN_FORMAT_SNORM16X4] = pack_snorm16x4;
    ops->pack[SPN_FORMAT_SNORM10X3_2] = pack_snorm10x3_2;
    ops->pack[SPN_FORMAT_UNORM16X2] = pack_unorm16x2;
    ops->pack[SPN_FORMAT_UNORM8X4] = pack_unorm8x4;
    ops->pack[SPN_FORMAT_UNORM8X4_BGRA] = pack_unorm8x4_bgra;
}
