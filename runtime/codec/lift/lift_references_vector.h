/* lift_references_vector.h - weighted sums over the references of vertices.
 *
 * Part of lift_vector.h. A vector holds LANE_VERTICES vertices of four 16-bit
 * numbers each. The file that is named for an instruction set may have made
 *   HAS_GATHER    gather()
 *   HAS_SUMS      sum_values() and root_of_three()
 * because its instruction set has a faster way.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CODEC_LIFT_LIFT_REFERENCES_VECTOR_H
#define SPN_CODEC_LIFT_LIFT_REFERENCES_VECTOR_H

#include "codec/lift/lift_formulas.h"
#include "codec/lift/lift_kernels.h"

#if !defined(HAS_GATHER)
/* Reference r[0] of a vertex, and the same one of the next vertices. */
LIFT_INLINE vi gather(const int16_t *values, const uint16_t *r)
{
    return vi_gather64(values, r, LIFT_REFERENCES, 2 * LIFT_REFERENCES);
}
#endif

/* 256 times weight j of each vertex, at all of its numbers. */
#define SPREAD(w, j)                                                           \
    vi_shuffle8(w, vi_pattern(-1, 2 * (j), -1, 2 * (j), -1, 2 * (j), -1,       \
                              2 * (j), -1, 8 + 2 * (j), -1, 8 + 2 * (j), -1,   \
                              8 + 2 * (j), -1, 8 + 2 * (j)))

/* S of lift.h: the weighted sum of R at the references. */
LIFT_INLINE vi sum_errors(const int16_t *errors, const uint16_t *r,
                          const int8_t *weights)
{
    const vi w = vi_load_i8(weights);
    const vi a = vi_mulround16(gather(errors, r), SPREAD(w, 0));
    const vi b = vi_mulround16(gather(errors, r + 1), SPREAD(w, 1));
    const vi c = vi_mulround16(gather(errors, r + 2), SPREAD(w, 2));
    const vi d = vi_mulround16(gather(errors, r + 3), SPREAD(w, 3));
    const vi sum = vi_add16(vi_add16(a, b), vi_add16(c, d));

    return vi_add16(sum, sum);
}

/* The largest reference whose weight is not 0, at all numbers of a vertex. */
LIFT_INLINE vi sign_reference(const uint16_t *r, const int8_t *weights)
{
    const vi is_unused = vi_equal16(vi_load_i8(weights), vi_zero());
    const vi one = vi_andnot(is_unused, vi_load(r));
    const vi two = vi_max_u16(one, vi_swap16(one));

    return vi_max_u16(two, vi_swap32(two));
}

/* As negative as the sum of a vertex's products, at all of its numbers. */
LIFT_INLINE vi dot_signs(vi a, vi b)
{
    const vi two = vi_madd16(a, b);

    return vi_right_i32(vi_add32(two, vi_swap32(two)), 16);
}

#if !defined(HAS_SUMS)
/* Low 16 bits of (sum + 32) >> 6: those bits are taken to the top first. */
LIFT_INLINE vi round_down(vi sum)
{
    return vi_right_i32(vi_left32(vi_add32(sum, vi_set32(32)), 10), 16);
}

/* P in space; `side` has its sign: numbers below 0 where it is -1. */
LIFT_INLINE vi sum_values(const int16_t *values, const uint16_t *r,
                          const int8_t *weights, vi *side)
{
    const vi w = vi_load_i8(weights);
    const vi a = gather(values, r);
    const vi b = gather(values, r + 1);
    const vi c = gather(values, r + 2);
    const vi d = gather(values, r + 3);
    const vi one = vi_add32(vi_madd16(vi_zip_low16(a, b), vi_repeat32(w, 0)),
                            vi_madd16(vi_zip_low16(c, d), vi_repeat32(w, 1)));
    const vi two = vi_add32(vi_madd16(vi_zip_high16(a, b), vi_repeat32(w, 2)),
                            vi_madd16(vi_zip_high16(c, d), vi_repeat32(w, 3)));

    /* Bit 5 to the top, where it stays when the number is cut to 16 bits. */
    *side = vi_pack_i32(vi_left32(one, 26), vi_left32(two, 26));
    return vi_pack_i32(round_down(one), round_down(two));
}

LIFT_INLINE vi root_of_rest(vi sum, vi *side)
{
    const vi one = vi_set32(LIFT_SQUARE);
    const vi d = vi_min_i32(vi_max_i32(vi_sub32(one, sum), vi_zero()), one);

    /* Below 2^24, so exact; and never half way between two integers. */
    const vf root = vf_sqrt(vi_to_float(d));
    const vi whole = vf_round(root);

    *side = vf_bits(vf_less(root, vi_to_float(whole)));
    return whole;
}

/* round(sqrt(D)) of three planes; a fourth one is 0. `side` as above. */
LIFT_INLINE vi root_of_three(vi a, vi b, vi c, vi d, vi *side)
{
    const vi ab_low = vi_zip_low16(a, b);
    const vi ab_high = vi_zip_high16(a, b);
    const vi cd_low = vi_zip_low16(c, d);
    const vi cd_high = vi_zip_high16(c, d);
    vi side_low;
    vi side_high;
    const vi low = root_of_rest(
        vi_add32(vi_madd16(ab_low, ab_low), vi_madd16(cd_low, cd_low)),
        &side_low);
    const vi high = root_of_rest(
        vi_add32(vi_madd16(ab_high, ab_high), vi_madd16(cd_high, cd_high)),
        &side_high);

    *side = vi_pack_i32(side_low, side_high);
    return vi_pack_i32(low, high);
}
#endif

#endif
