/* fill_pack_vector.h - vector kernels that pack columns of floats to words of a
 * vertex format.
 *
 * A part of fill_vector.h, which includes this file and has the terms. The
 * scalar code of fill_pack.c is the specification.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_FILL_FILL_PACK_VECTOR_H
#define SPN_FILL_FILL_PACK_VECTOR_H

/* The nearest integer, ties to even, in the low 22 bits of the result. The
 * other bits are undefined. Adding 1.5 * 2^23 rounds the fraction away. */
static inline vi round_to_bits(vf v)
{
    return vf_bits(vf_add(v, vf_set(12582912.0f)));
}

static inline vi round_to_integer(vf v)
{
    return vi_sub32(round_to_bits(v), vi_set32(0x4b400000u));
}

static inline vi join16(vi low, vi high)
{
    return vi_or(vi_and(low, vi_set32(0xffffu)), vi_left32(high, 16));
}

#if !defined(HAS_HALF_OF)
static inline vi half_of(vf v)
{
    const vi bits = vi_and(vf_bits(v), vi_set32(0x7fffffffu));
    const vi sign = vi_and(vi_right32(vf_bits(v), 16), vi_set32(0x8000u));
    const vi odd = vi_and(vi_right32(bits, 13), vi_set32(1));
    const vi normal_half =
        vi_right32(vi_add32(vi_add32(vi_sub32(bits, vi_set32(112u << 23)),
                                     vi_set32(0xfffu)),
                            odd),
                   13);
    const vi small = vi_sub32(vf_bits(vf_add(vi_floats(bits), vf_set(0.5f))),
                              vi_set32(0x3f000000u));
    const vi large = vi_select(vi_greater32(bits, vi_set32(0x7f800000u)),
                               vi_set32(0x7e00u), vi_set32(0x7c00u));
    const vi magnitude =
        vi_select(vi_greater32(vi_set32(113u << 23), bits), small, normal_half);

    return vi_or(sign,
                 vi_select(vi_greater32(bits, vi_set32((143u << 23) - 1u)),
                           large, magnitude));
}
#endif

static inline vi half_pair(vf x, vf y)
{
    return join16(half_of(x), half_of(y));
}

static inline vi scaled(vf v, float scale)
{
    return round_to_bits(vf_mul(v, vf_set(scale)));
}

static inline vi snorm8x4(const vf v[4])
{
    const vi low = vi_set32(0xffu);
    const vi x = vi_and(scaled(v[0], 127.0f), low);
    const vi y = vi_and(scaled(v[1], 127.0f), low);
    const vi z = vi_and(scaled(v[2], 127.0f), low);
    const vi w = scaled(v[3], 127.0f);

    return vi_or(vi_or(x, vi_left32(y, 8)),
                 vi_or(vi_left32(z, 16), vi_left32(w, 24)));
}

static inline vi snorm16x2(vf x, vf y)
{
    return join16(scaled(x, 32767.0f), scaled(y, 32767.0f));
}

static inline vi snorm10x3_2(const vf v[4])
{
    const vi low = vi_set32(0x3ffu);
    const vi x = vi_and(scaled(v[0], 511.0f), low);
    const vi y = vi_and(scaled(v[1], 511.0f), low);
    const vi z = vi_and(scaled(v[2], 511.0f), low);
    const vi w = round_to_bits(v[3]);

    return vi_or(vi_or(x, vi_left32(y, 10)),
                 vi_or(vi_left32(z, 20), vi_left32(w, 30)));
}

/* A NaN gives 0, because vf_max returns its second operand if one operand is
 * NaN. */
static inline vi unorm16(vf v)
{
    return round_to_bits(
        vf_mul(vf_min(vf_max(v, vf_set(0)), vf_set(1.0f)), vf_set(65535.0f)));
}

static inline vi unorm8x4(vf x, vf y, vf z, vf w)
{
    const vi b0 = round_to_integer(x);
    const vi b1 = vi_left32(round_to_integer(y), 8);
    const vi b2 = vi_left32(round_to_integer(z), 16);
    const vi b3 = vi_left32(round_to_bits(w), 24);

    return vi_or(vi_or(b0, b1), vi_or(b2, b3));
}

/* Loops that write a format are inlined with a constant format. The compiler
 * then keeps more values in registers. */
#define FORMAT_INLINE SPN_INLINE

/* Pack the components v of VECTOR_LANES vertices and store them at `out`. */
FORMAT_INLINE void put(uint32_t *out, size_t pitch, spn_format format,
                       const vf v[4])
{
    switch (format) {
    case SPN_FORMAT_F32X4:
        vf_store(out + 3 * pitch, v[3]);
        vf_store(out + 2 * pitch, v[2]);
        vf_store(out + pitch, v[1]);
        vf_store(out, v[0]);
        break;
    case SPN_FORMAT_F32X3:
        vf_store(out + 2 * pitch, v[2]);
        vf_store(out + pitch, v[1]);
        vf_store(out, v[0]);
        break;
    case SPN_FORMAT_F32X2:
        vf_store(out + pitch, v[1]);
        vf_store(out, v[0]);
        break;
    case SPN_FORMAT_F16X4:
        vi_store(out + pitch, half_pair(v[2], v[3]));
        vi_store(out, half_pair(v[0], v[1]));
        break;
    case SPN_FORMAT_F16X2:
        vi_store(out, half_pair(v[0], v[1]));
        break;
    case SPN_FORMAT_SNORM8X4:
        vi_store(out, snorm8x4(v));
        break;
    case SPN_FORMAT_SNORM16X4:
        vi_store(out + pitch, snorm16x2(v[2], v[3]));
        vi_store(out, snorm16x2(v[0], v[1]));
        break;
    case SPN_FORMAT_SNORM10X3_2:
        vi_store(out, snorm10x3_2(v));
        break;
    case SPN_FORMAT_UNORM16X2:
        vi_store(out, join16(unorm16(v[0]), unorm16(v[1])));
        break;
    case SPN_FORMAT_UNORM8X4:
        vi_store(out, unorm8x4(v[0], v[1], v[2], v[3]));
        break;
    case SPN_FORMAT_UNORM8X4_BGRA:
        vi_store(out, unorm8x4(v[2], v[1], v[0], v[3]));
        break;
    case SPN_FORMAT_NONE:
    case SPN_FORMAT_QUANTIZED:
        break;
    }
}

#define PACKER(name, format, columns)                                          \
    static void name(uint32_t *out, const uint32_t *in, size_t pitch,          \
                     uint32_t count)                                           \
    {                                                                          \
        for (uint32_t i = 0; i < count; i += VECTOR_LANES) {                   \
            vf v[4];                                                           \
                                                                               \
            for (uint32_t k = 0; k < (columns); k++)                           \
                v[k] = vf_load(in + k * pitch + i);                            \
            put(out + i, pitch, format, v);                                    \
        }                                                                      \
    }
PACKER(pack_f16x2, SPN_FORMAT_F16X2, 2)
PACKER(pack_f16x4, SPN_FORMAT_F16X4, 4)
PACKER(pack_snorm8x4, SPN_FORMAT_SNORM8X4, 4)
PACKER(pack_snorm16x4, SPN_FORMAT_SNORM16X4, 4)
PACKER(pack_snorm10x3_2, SPN_FORMAT_SNORM10X3_2, 4)
PACKER(pack_unorm16x2, SPN_FORMAT_UNORM16X2, 2)
PACKER(pack_unorm8x4, SPN_FORMAT_UNORM8X4, 4)
PACKER(pack_unorm8x4_bgra, SPN_FORMAT_UNORM8X4_BGRA, 4)

#endif
