/* simd_neon.h - vector primitives for 64-bit ARM: vectors of 16 bytes.
 *
 * simd_sse41.h documents the names. Float products and sums are separate
 * instructions, because vmla may be fused, which rounds differently. Shifts use
 * the compiler's operators on vectors, which accept variable counts.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_SIMD_NEON_H
#define SPN_BASE_SIMD_NEON_H

#include "base/compiler.h"
#include "base/mem.h"

#include <arm_neon.h>
#include <stdint.h>

#define VECTOR_BYTES 16u
typedef uint16x8_t vi;
typedef float32x4_t vf;

/* Reinterpret a vi as a vector of another type, and the reverse. */
#define AS_U8(a) vreinterpretq_u8_u16(a)
#define AS_S8(a) vreinterpretq_s8_u16(a)
#define AS_S16(a) vreinterpretq_s16_u16(a)
#define AS_U32(a) vreinterpretq_u32_u16(a)
#define AS_S32(a) vreinterpretq_s32_u16(a)
#define AS_U64(a) vreinterpretq_u64_u16(a)
#define FROM_U8(a) vreinterpretq_u16_u8(a)
#define FROM_S16(a) vreinterpretq_u16_s16(a)
#define FROM_U32(a) vreinterpretq_u16_u32(a)
#define FROM_S32(a) vreinterpretq_u16_s32(a)
#define FROM_U64(a) vreinterpretq_u16_u64(a)

#define vi_load(p) FROM_U8(vld1q_u8((const void *)(p)))
#define vi_store(p, a) vst1q_u8((void *)(p), AS_U8(a))
#define vi_load_lanes(p, stride) ((void)(stride), vi_load(p))
#define vi_store_lanes(p, stride, a) ((void)(stride), vi_store(p, a))
#define vi_load_i8(p) FROM_S16(vmovl_s8(vld1_s8(p)))
#define vi_load_u16(p) FROM_U32(vmovl_u16(vld1_u16((const void *)(p))))
#define vi_load_u32(p)                                                         \
    FROM_U64(vmovl_u32(vreinterpret_u32_u8(vld1_u8((const void *)(p)))))
#define vi_extend_i16(p) FROM_S32(vmovl_s16(vld1_s16(p)))
#define vi_store_low32(p, a)                                                   \
    vst1_u8((void *)(p), vreinterpret_u8_u32(vmovn_u64(AS_U64(a))))

#define vi_zero() vdupq_n_u16(0)
#define vi_set8(x) FROM_U8(vdupq_n_u8((uint8_t)(x)))
#define vi_set16(x) vdupq_n_u16((uint16_t)(x))
#define vi_set32(x) FROM_U32(vdupq_n_u32((uint32_t)(x)))
#define BYTES4(a, b, c, d)                                                     \
    (uint8_t)(a), (uint8_t)(b), (uint8_t)(c), (uint8_t)(d)
#define vi_pattern(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)             \
    FROM_U8(((uint8x16_t){BYTES4(a, b, c, d), BYTES4(e, f, g, h),              \
                          BYTES4(i, j, k, l), BYTES4(m, n, o, p)}))
#define vi_shuffle8(a, pattern) FROM_U8(vqtbl1q_u8(AS_U8(a), AS_U8(pattern)))

#define vi_and(a, b) vandq_u16(a, b)
#define vi_or(a, b) vorrq_u16(a, b)
#define vi_xor(a, b) veorq_u16(a, b)
#define vi_andnot(not, a) vbicq_u16(a, not )
#define vi_select(mask, yes, no) vbslq_u16(mask, yes, no)
#define WORD_BIT(bits, k) ((bits) >> (k)&1 ? (uint16_t)0xffff : (uint16_t)0)
#define vi_blend16(a, b, bits)                                                 \
    vbslq_u16(((vi){WORD_BIT(bits, 0), WORD_BIT(bits, 1), WORD_BIT(bits, 2),   \
                    WORD_BIT(bits, 3), WORD_BIT(bits, 4), WORD_BIT(bits, 5),   \
                    WORD_BIT(bits, 6), WORD_BIT(bits, 7)}),                    \
              b, a)
#define vi_is_zero(a) (vmaxvq_u16(a) == 0)

#define vi_add8(a, b) FROM_U8(vaddq_u8(AS_U8(a), AS_U8(b)))
#define vi_add16(a, b) vaddq_u16(a, b)
#define vi_sub16(a, b) vsubq_u16(a, b)
#define vi_mul16(a, b) vmulq_u16(a, b)
#define vi_mulround16(a, b) FROM_S16(vqrdmulhq_s16(AS_S16(a), AS_S16(b)))
#define vi_abs16(a) FROM_S16(vabsq_s16(AS_S16(a)))
#define vi_max_i16(a, b) FROM_S16(vmaxq_s16(AS_S16(a), AS_S16(b)))
#define vi_max_u16(a, b) vmaxq_u16(a, b)
#define vi_min_u16(a, b) vminq_u16(a, b)
#define vi_equal16(a, b) vceqq_u16(a, b)
#define vi_greater16(a, b) vcgtq_s16(AS_S16(a), AS_S16(b))
#define vi_left16(a, n) ((a) << (uint16_t)(n))
#define vi_right16(a, n) ((a) >> (uint16_t)(n))
#define vi_right_i16(a, n) FROM_S16(AS_S16(a) >> (int16_t)(n))

#define vi_add32(a, b) FROM_U32(vaddq_u32(AS_U32(a), AS_U32(b)))
#define vi_sub32(a, b) FROM_U32(vsubq_u32(AS_U32(a), AS_U32(b)))
#define vi_mul32(a, b) FROM_U32(vmulq_u32(AS_U32(a), AS_U32(b)))
#define vi_max_i32(a, b) FROM_S32(vmaxq_s32(AS_S32(a), AS_S32(b)))
#define vi_min_i32(a, b) FROM_S32(vminq_s32(AS_S32(a), AS_S32(b)))
#define vi_equal32(a, b) FROM_U32(vceqq_u32(AS_U32(a), AS_U32(b)))
#define vi_greater32(a, b) FROM_U32(vcgtq_s32(AS_S32(a), AS_S32(b)))
#define vi_left32(a, n) FROM_U32(AS_U32(a) << (uint32_t)(n))
#define vi_right32(a, n) FROM_U32(AS_U32(a) >> (uint32_t)(n))
#define vi_right_i32(a, n) FROM_S32(AS_S32(a) >> (int32_t)(n))
#define vi_left64(a, n) FROM_U64(AS_U64(a) << (uint64_t)(n))

#define vi_swap16(a) vrev32q_u16(a)
#define vi_swap32(a) FROM_U32(vrev64q_u32(AS_U32(a)))
#define vi_repeat32(a, k) FROM_U32(vdupq_laneq_u32(AS_U32(a), k))
#define vi_zip_low8(a, b) FROM_U8(vzip1q_u8(AS_U8(a), AS_U8(b)))
#define vi_zip_high8(a, b) FROM_U8(vzip2q_u8(AS_U8(a), AS_U8(b)))
#define vi_zip_low16(a, b) vzip1q_u16(a, b)
#define vi_zip_high16(a, b) vzip2q_u16(a, b)
#define vi_zip_low32(a, b) FROM_U32(vzip1q_u32(AS_U32(a), AS_U32(b)))
#define vi_zip_high32(a, b) FROM_U32(vzip2q_u32(AS_U32(a), AS_U32(b)))
#define vi_zip_low64(a, b) FROM_U64(vzip1q_u64(AS_U64(a), AS_U64(b)))
#define vi_zip_high64(a, b) FROM_U64(vzip2q_u64(AS_U64(a), AS_U64(b)))
#define vi_extend_low8(a) FROM_S16(vmovl_s8(vget_low_s8(AS_S8(a))))
#define vi_extend_high8(a) FROM_S16(vmovl_high_s8(AS_S8(a)))
#define vi_even32(a, b) FROM_U32(vuzp1q_u32(AS_U32(a), AS_U32(b)))
#define vi_odd32(a, b) FROM_U32(vuzp2q_u32(AS_U32(a), AS_U32(b)))
#define vi_split32(a) (a)
#define vi_pack_i32(a, b)                                                      \
    FROM_S16(vqmovn_high_s32(vqmovn_s32(AS_S32(a)), AS_S32(b)))
#define vi_pack_u16(a, b)                                                      \
    FROM_U8(vqmovun_high_s16(vqmovun_s16(AS_S16(a)), AS_S16(b)))

#define vf_set(x) vdupq_n_f32(x)
#define vf_load(p) vi_floats(vi_load(p))
#define vf_store(p, a) vi_store(p, vf_bits(a))
#define vf_add(a, b) vaddq_f32(a, b)
#define vf_sub(a, b) vsubq_f32(a, b)
#define vf_mul(a, b) vmulq_f32(a, b)
#define vf_div(a, b) vdivq_f32(a, b)
#define vf_sqrt(a) vsqrtq_f32(a)
#define vf_max(a, b) vbslq_f32(vcgtq_f32(a, b), a, b)
#define vf_min(a, b) vbslq_f32(vcltq_f32(a, b), a, b)
#define vf_and(a, b) vi_floats(vi_and(vf_bits(a), vf_bits(b)))
#define vf_xor(a, b) vi_floats(vi_xor(vf_bits(a), vf_bits(b)))
#define vf_andnot(not, a) vi_floats(vi_andnot(vf_bits(not ), vf_bits(a)))
#define vf_equal(a, b) vreinterpretq_f32_u32(vceqq_f32(a, b))
#define vf_less(a, b) vreinterpretq_f32_u32(vcltq_f32(a, b))
#define vf_select(mask, yes, no) vbslq_f32(vreinterpretq_u32_f32(mask), yes, no)
#define vf_round(a) FROM_S32(vcvtnq_s32_f32(a))
#define vf_bits(a) vreinterpretq_u16_f32(a)
#define vi_floats(a) vreinterpretq_f32_u16(a)
#define vi_to_float(a) vcvtq_f32_s32(AS_S32(a))

SPN_INLINE vf vf_load_i8(const int8_t *p)
{
    const int16_t wide[4] = {p[0], p[1], p[2], p[3]};

    return vcvtq_f32_s32(vmovl_s16(vld1_s16(wide)));
}

SPN_INLINE vi vi_mulhi_u16(vi a, vi b)
{
    const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
    const uint32x4_t high = vmull_high_u16(a, b);

    return vuzp2q_u16(FROM_U32(low), FROM_U32(high));
}

SPN_INLINE vi vi_madd16(vi a, vi b)
{
    const int16x8_t x = AS_S16(a);
    const int16x8_t y = AS_S16(b);

    return FROM_S32(vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)),
                               vmull_high_s16(x, y)));
}

SPN_INLINE vi vi_sign16(vi a, vi by)
{
    const vi zero = vi_zero();

    return vi_select(vi_greater16(zero, by), FROM_S16(vnegq_s16(AS_S16(a))),
                     vi_and(a, vi_greater16(by, zero)));
}

SPN_INLINE uint32_t vi_signs32(vi a)
{
    const int32x4_t places = {0, 1, 2, 3};

    return vaddvq_u32(vshlq_u32(AS_U32(vi_right32(a, 31)), places));
}

SPN_INLINE vi vi_gather64(const int16_t *p, const uint16_t *r, uint32_t step,
                          uint32_t lane_step)
{
    (void)lane_step;
    return FROM_S16(vcombine_s16(vld1_s16(p + 4 * (size_t)r[0]),
                                 vld1_s16(p + 4 * (size_t)r[step])));
}

SPN_INLINE void vi_scatter64(int16_t *p, const uint8_t *r, uint32_t lane_step,
                             vi a)
{
    (void)lane_step;
    vst1_s16(p + 4 * (size_t)r[0], vget_low_s16(AS_S16(a)));
    vst1_s16(p + 4 * (size_t)r[1], vget_high_s16(AS_S16(a)));
}

#endif
