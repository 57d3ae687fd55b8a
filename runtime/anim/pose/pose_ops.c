/* pose_ops.c - the scalar loops, and the choice of a set. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/pose_ops.h"

#include "base/cpu.h"
#include "base/mem.h"
#include "codec/lift/root.h"

static void local_matrices(const spn_anim_pose *pose, float *matrices)
{
    const size_t n = pose->stride;

    for (uint32_t j = 0; j < pose->joint_count; j++) {
        const float *v = pose->values + j;
        float *m = matrices + (size_t)12 * j;
        const float x = v[0];
        const float y = v[n];
        const float z = v[2 * n];
        const float w = v[3 * n];
        const float x2 = x + x;
        const float y2 = y + y;
        const float z2 = z + z;
        const float sx = v[7 * n];
        const float sy = v[8 * n];
        const float sz = v[9 * n];

        m[0] = (1.0f - (y * y2 + z * z2)) * sx;
        m[1] = (x * y2 - w * z2) * sy;
        m[2] = (x * z2 + w * y2) * sz;
        m[3] = v[4 * n];
        m[4] = (x * y2 + w * z2) * sx;
        m[5] = (1.0f - (x * x2 + z * z2)) * sy;
        m[6] = (y * z2 - w * x2) * sz;
        m[7] = v[5 * n];
        m[8] = (x * z2 - w * y2) * sx;
        m[9] = (y * z2 + w * x2) * sy;
        m[10] = (1.0f - (x * x2 + y * y2)) * sz;
        m[11] = v[6 * n];
    }
}

static void scalar_matrices(const spn_anim_pose *pose, const uint16_t *parents,
                            float *matrices)
{
    local_matrices(pose, matrices);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        float *m = matrices + (size_t)12 * j;
        const float *p = matrices + (size_t)12 * parents[j];
        float l[16] = {0};

        if (parents[j] >= j)
            continue;
        memcpy(l, m, 12 * sizeof *l);
        l[15] = 1.0f;
        for (int r = 0; r < 12; r += 4)
            for (int c = 0; c < 4; c++)
                m[r + c] = (p[r] * l[c] + p[r + 1] * l[4 + c]) +
                           (p[r + 2] * l[8 + c] + p[r + 3] * l[12 + c]);
    }
}

static void scalar_weigh(const spn_anim_pose *pose, uint32_t first,
                         uint32_t count, const float *weights, bool is_first,
                         const spn_anim_pose *out)
{
    const size_t n = out->stride;

    for (uint32_t j = 0; j < count; j++) {
        const float *v = pose->values + first + j;
        float *to = out->values + first + j;
        const float weight = weights[j];
        float signed_weight = weight;

        if (is_first) {
            for (size_t k = 0; k < ANIM_POSE_NUMBERS; k++)
                to[k * n] = v[k * n] * weight;
            continue;
        }
        if (((to[0] * v[0] + to[n] * v[n]) + to[2 * n] * v[2 * n]) +
                to[3 * n] * v[3 * n] <
            0.0f)
            signed_weight = -weight;
        for (size_t k = 0; k < 4; k++)
            to[k * n] = to[k * n] + v[k * n] * signed_weight;
        for (size_t k = 4; k < ANIM_POSE_NUMBERS; k++)
            to[k * n] = to[k * n] + v[k * n] * weight;
    }
}

static void scalar_normalize(const spn_anim_pose *pose)
{
    const size_t n = pose->stride;

    for (size_t j = 0; j < n; j++) {
        float *q = pose->values + j;
        const float square =
            ((q[0] * q[0] + q[n] * q[n]) + q[2 * n] * q[2 * n]) +
            q[3 * n] * q[3 * n];
        float inverse = 1.0f;

        if (POSE_SQUARE_MIN < square && square < POSE_SQUARE_MAX)
            inverse = 1.0f / spn__float_root(square);
        for (size_t k = 0; k < 4; k++)
            q[k * n] = q[k * n] * inverse;
    }
}

/* The rotation of a joint, and the reverse. */
static void get_rotation(const spn_anim_pose *pose, size_t joint, float q[4])
{
    for (size_t k = 0; k < 4; k++)
        q[k] = pose->values[k * pose->stride + joint];
}

static void set_rotation(const spn_anim_pose *pose, size_t joint,
                         const float q[4])
{
    for (size_t k = 0; k < 4; k++)
        pose->values[k * pose->stride + joint] = q[k];
}

static void scalar_subtract(const spn_anim_pose *pose,
                            const spn_anim_pose *base, const spn_anim_pose *out)
{
    const size_t n = out->stride;

    for (size_t j = 0; j < n; j++) {
        const float *a = base->values + j;
        const float *b = pose->values + j;
        float *to = out->values + j;
        float inverse[4];
        float q[4];

        get_rotation(base, j, inverse);
        for (int k = 0; k < 3; k++)
            inverse[k] = -inverse[k];
        get_rotation(pose, j, q);
        spn__anim_multiply(inverse, q, q);
        for (int k = 0, is_long = q[3] < 0.0f; k < 4; k++)
            q[k] = is_long ? -q[k] : q[k];
        set_rotation(out, j, q);
        for (size_t k = 4; k < 7; k++)
            to[k * n] = b[k * n] - a[k * n];
        for (size_t k = 7; k < 10; k++)
            to[k * n] = a[k * n] == 0.0f ? 1.0f : b[k * n] / a[k * n];
    }
}

static void scalar_add(const spn_anim_pose *pose, const spn_anim_pose *additive,
                       const struct anim_slerp slerp[2],
                       const spn_anim_pose *out)
{
    static const float none[4] = {0, 0, 0, 1};
    const size_t n = out->stride;
    const float weight = slerp[1].t;

    for (size_t j = 0; j < n; j++) {
        const float *a = pose->values + j;
        const float *b = additive->values + j;
        float *to = out->values + j;
        float d[4];
        float q[4];

        get_rotation(additive, j, d);
        spn__anim_slerp(slerp, none, d, d);
        get_rotation(pose, j, q);
        spn__anim_multiply(q, d, q);
        set_rotation(out, j, q);
        for (size_t k = 4; k < 7; k++)
            to[k * n] = a[k * n] + b[k * n] * weight;
        for (size_t k = 7; k < 10; k++)
            to[k * n] = a[k * n] * (1.0f + (b[k * n] - 1.0f) * weight);
    }
}

static const struct pose_ops scalar = {
    .tracks = spn__anim_pose_tracks,
    .matrices = scalar_matrices,
    .weigh = scalar_weigh,
    .normalize = scalar_normalize,
    .subtract = scalar_subtract,
    .add = scalar_add,
};

const struct pose_ops *spn__pose_ops(uint32_t cpu)
{
    const struct pose_ops *ops = NULL;

    if (cpu & SPN_CPU_AVX2)
        ops = spn__pose_ops_avx2();
    if (!ops && cpu & SPN_CPU_SSE41)
        ops = spn__pose_ops_sse41();
    if (!ops && cpu & SPN_CPU_NEON)
        ops = spn__pose_ops_neon();
    return ops ? ops : &scalar;
}
