/* pose_rotation_vector.h - rotations in vectors, for the vectors of
 * simd_sse41.h, simd_avx2.h or simd_neon.h.
 *
 * A vector has the same number of several rotations. Operations and their order
 * are those of anim_window.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_ROTATION_VECTOR_H
#define SPN_ANIM_POSE_POSE_ROTATION_VECTOR_H

#include "anim/pose/anim_reference.h"

#define LANES (VECTOR_BYTES / 4)

/* W(t, x), its coefficients spread. */
struct slerp_vector {
    vf t;
    vf b[ANIM_SLERP_TERMS];
};

SPN_INLINE void spread_slerp(const struct anim_slerp *from,
                             struct slerp_vector *to)
{
    to->t = vf_set(from->t);
    for (int i = 0; i < ANIM_SLERP_TERMS; i++)
        to->b[i] = vf_set(from->b[i]);
}

SPN_INLINE vf slerp_weight(const struct slerp_vector *w, vf x, vf x2, vf x4)
{
#define PAIR(i) vf_add(w->b[i], vf_mul(w->b[(i) + 1], x))
    const vf low = vf_add(PAIR(0), vf_mul(PAIR(2), x2));
    const vf middle = vf_add(PAIR(4), vf_mul(PAIR(6), x2));
    const vf high = vf_add(middle, vf_mul(PAIR(8), x4));
    const vf sum = vf_add(low, vf_mul(high, x4));
#undef PAIR

    return vf_mul(w->t, vf_add(vf_set(1.0f), vf_mul(x, sum)));
}

SPN_INLINE vf dot_rotations(const vf a[4], const vf b[4])
{
    return vf_add(vf_add(vf_add(vf_mul(a[0], b[0]), vf_mul(a[1], b[1])),
                         vf_mul(a[2], b[2])),
                  vf_mul(a[3], b[3]));
}

/* The two steps of spn__anim_slerp: first turn `to` to the arc that is taken.
 * Returns x of W(t, x). */
SPN_INLINE vf turn_rotations(const vf from[4], vf to[4])
{
    const vf c = dot_rotations(from, to);
    const vf turned = vf_and(vf_less(c, vf_set(ANIM_TURN_MIN)), vf_set(-0.0f));

    for (int k = 0; k < 4; k++)
        to[k] = vf_xor(to[k], turned);
    return vf_sub(vf_xor(c, turned), vf_set(1.0f));
}

/* Then interpolate; `to` is replaced. */
SPN_INLINE void mix_rotations(const struct slerp_vector slerp[2], vf x,
                              const vf from[4], vf to[4])
{
    const vf x2 = vf_mul(x, x);
    const vf x4 = vf_mul(x2, x2);
    const vf w0 = slerp_weight(&slerp[0], x, x2, x4);
    const vf w1 = slerp_weight(&slerp[1], x, x2, x4);

    for (int k = 0; k < 4; k++)
        to[k] = vf_add(vf_mul(from[k], w0), vf_mul(to[k], w1));
}

SPN_INLINE void multiply_rotations(const vf a[4], const vf b[4], vf product[4])
{
#define TERM(i, k) vf_mul(a[i], b[k])
    product[0] =
        vf_sub(vf_add(vf_add(TERM(3, 0), TERM(0, 3)), TERM(1, 2)), TERM(2, 1));
    product[1] =
        vf_sub(vf_add(vf_add(TERM(3, 1), TERM(1, 3)), TERM(2, 0)), TERM(0, 2));
    product[2] =
        vf_sub(vf_add(vf_add(TERM(3, 2), TERM(2, 3)), TERM(0, 1)), TERM(1, 0));
    product[3] =
        vf_sub(vf_sub(vf_sub(TERM(3, 3), TERM(0, 0)), TERM(1, 1)), TERM(2, 2));
#undef TERM
}

#endif
