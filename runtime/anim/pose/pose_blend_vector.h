/* pose_blend_vector.h - the kernels of several poses.
 *
 * A vector has the same number of several joints.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_BLEND_VECTOR_H
#define SPN_ANIM_POSE_POSE_BLEND_VECTOR_H

#include "anim/pose/pose_ops.h"
#include "anim/pose/pose_rotation_vector.h"

SPN_INLINE void load_numbers(const float *values, size_t n, uint32_t count,
                             vf *numbers)
{
    for (uint32_t k = 0; k < count; k++)
        numbers[k] = vf_load(values + k * n);
}

SPN_INLINE void store_numbers(float *values, size_t n, uint32_t count,
                              const vf *numbers)
{
    for (uint32_t k = 0; k < count; k++)
        vf_store(values + k * n, numbers[k]);
}

static void vector_weigh(const spn_anim_pose *pose, uint32_t first,
                         uint32_t count, const float *weights, bool is_first,
                         const spn_anim_pose *out)
{
    const size_t n = out->stride;

    for (size_t j = first; j < first + count; j += LANES) {
        const vf w = vf_load(weights + (j - first));
        vf v[ANIM_POSE_NUMBERS];
        vf to[ANIM_POSE_NUMBERS];
        vf negative;

        load_numbers(pose->values + j, n, ANIM_POSE_NUMBERS, v);
        if (is_first) {
            for (uint32_t k = 0; k < ANIM_POSE_NUMBERS; k++)
                to[k] = vf_mul(v[k], w);
            store_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
            continue;
        }
        load_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
        negative =
            vf_and(vf_less(dot_rotations(to, v), vf_set(0.0f)), vf_set(-0.0f));
        for (uint32_t k = 0; k < ANIM_POSE_NUMBERS; k++)
            to[k] =
                vf_add(to[k], vf_mul(v[k], k < 4 ? vf_xor(w, negative) : w));
        store_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
    }
}

static void vector_normalize(const spn_anim_pose *pose)
{
    const size_t n = pose->stride;
    const vf one = vf_set(1.0f);

    for (size_t j = 0; j < n; j += LANES) {
        vf q[4];
        vf square;
        vf is_good;
        vf inverse;

        load_numbers(pose->values + j, n, 4, q);
        square = dot_rotations(q, q);
        is_good = vf_and(vf_less(vf_set(POSE_SQUARE_MIN), square),
                         vf_less(square, vf_set(POSE_SQUARE_MAX)));
        inverse = vf_div(one, vf_sqrt(vf_select(is_good, square, one)));
        for (uint32_t k = 0; k < 4; k++)
            q[k] = vf_mul(q[k], inverse);
        store_numbers(pose->values + j, n, 4, q);
    }
}

static void vector_subtract(const spn_anim_pose *pose,
                            const spn_anim_pose *base, const spn_anim_pose *out)
{
    const size_t n = out->stride;
    const vf sign = vf_set(-0.0f);
    const vf zero = vf_set(0.0f);
    const vf one = vf_set(1.0f);

    for (size_t j = 0; j < n; j += LANES) {
        vf a[ANIM_POSE_NUMBERS];
        vf b[ANIM_POSE_NUMBERS];
        vf to[ANIM_POSE_NUMBERS];
        vf is_long;

        load_numbers(base->values + j, n, ANIM_POSE_NUMBERS, a);
        load_numbers(pose->values + j, n, ANIM_POSE_NUMBERS, b);
        for (uint32_t k = 0; k < 3; k++)
            a[k] = vf_xor(a[k], sign);
        multiply_rotations(a, b, to);
        is_long = vf_and(vf_less(to[3], zero), sign);
        for (uint32_t k = 0; k < 4; k++)
            to[k] = vf_xor(to[k], is_long);
        for (uint32_t k = 4; k < 7; k++)
            to[k] = vf_sub(b[k], a[k]);
        for (uint32_t k = 7; k < ANIM_POSE_NUMBERS; k++) {
            const vf is_zero = vf_equal(a[k], zero);

            to[k] = vf_div(vf_select(is_zero, one, b[k]),
                           vf_select(is_zero, one, a[k]));
        }
        store_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
    }
}

static void vector_add(const spn_anim_pose *pose, const spn_anim_pose *additive,
                       const struct anim_slerp slerp[2],
                       const spn_anim_pose *out)
{
    const size_t n = out->stride;
    const vf zero = vf_set(0.0f);
    const vf one = vf_set(1.0f);
    const vf none[4] = {zero, zero, zero, one};
    const vf weight = vf_set(slerp[1].t);
    struct slerp_vector spread[2];

    spread_slerp(&slerp[0], &spread[0]);
    spread_slerp(&slerp[1], &spread[1]);
    for (size_t j = 0; j < n; j += LANES) {
        vf a[ANIM_POSE_NUMBERS];
        vf b[ANIM_POSE_NUMBERS];
        vf to[ANIM_POSE_NUMBERS];

        load_numbers(pose->values + j, n, ANIM_POSE_NUMBERS, a);
        load_numbers(additive->values + j, n, ANIM_POSE_NUMBERS, b);
        mix_rotations(spread, turn_rotations(none, b), none, b);
        multiply_rotations(a, b, to);
        for (uint32_t k = 4; k < 7; k++)
            to[k] = vf_add(a[k], vf_mul(b[k], weight));
        for (uint32_t k = 7; k < ANIM_POSE_NUMBERS; k++)
            to[k] =
                vf_mul(a[k], vf_add(one, vf_mul(vf_sub(b[k], one), weight)));
        store_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
    }
}

#endif
