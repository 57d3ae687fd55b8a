/* pose_matrix_vector.h - the kernel of model space.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_MATRIX_VECTOR_H
#define SPN_ANIM_POSE_POSE_MATRIX_VECTOR_H

#include "anim/pose/pose_rotation_vector.h"

/* Store a row of the matrices of LANES joints, `count` of which exist. */
SPN_INLINE void store_rows(float *to, uint32_t count, vf a, vf b, vf c, vf d)
{
    const vi low_ab = vi_zip_low32(vf_bits(a), vf_bits(b));
    const vi high_ab = vi_zip_high32(vf_bits(a), vf_bits(b));
    const vi low_cd = vi_zip_low32(vf_bits(c), vf_bits(d));
    const vi high_cd = vi_zip_high32(vf_bits(c), vf_bits(d));
    const vi rows[4] = {
        vi_zip_low64(low_ab, low_cd), vi_zip_high64(low_ab, low_cd),
        vi_zip_low64(high_ab, high_cd), vi_zip_high64(high_ab, high_cd)};

    if (count >= LANES) {
        for (uint32_t i = 0; i < 4; i++)
            vi_store_lanes(to + 12 * i, 48, rows[i]);
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        float row[LANES];

        vi_store(row, rows[i]);
        for (uint32_t lane = 0; lane < LANES / 4; lane++)
            if (4 * lane + i < count)
                memcpy(to + 48 * lane + 12 * i, row + 4 * lane,
                       4 * sizeof *row);
    }
}

static void local_matrices(const spn_anim_pose *pose, float *matrices)
{
    const size_t n = pose->stride;
    const vf one = vf_set(1.0f);

    for (uint32_t j = 0; j < pose->joint_count; j += LANES) {
        const float *v = pose->values + j;
        float *m = matrices + (size_t)12 * j;
        const uint32_t count = pose->joint_count - j;
        const vf x = vf_load(v);
        const vf y = vf_load(v + n);
        const vf z = vf_load(v + 2 * n);
        const vf w = vf_load(v + 3 * n);
        const vf x2 = vf_add(x, x);
        const vf y2 = vf_add(y, y);
        const vf z2 = vf_add(z, z);
        const vf xx = vf_mul(x, x2);
        const vf xy = vf_mul(x, y2);
        const vf xz = vf_mul(x, z2);
        const vf yy = vf_mul(y, y2);
        const vf yz = vf_mul(y, z2);
        const vf zz = vf_mul(z, z2);
        const vf wx = vf_mul(w, x2);
        const vf wy = vf_mul(w, y2);
        const vf wz = vf_mul(w, z2);
        const vf sx = vf_load(v + 7 * n);
        const vf sy = vf_load(v + 8 * n);
        const vf sz = vf_load(v + 9 * n);

        store_rows(m, count, vf_mul(vf_sub(one, vf_add(yy, zz)), sx),
                   vf_mul(vf_sub(xy, wz), sy), vf_mul(vf_add(xz, wy), sz),
                   vf_load(v + 4 * n));
        store_rows(m + 4, count, vf_mul(vf_add(xy, wz), sx),
                   vf_mul(vf_sub(one, vf_add(xx, zz)), sy),
                   vf_mul(vf_sub(yz, wx), sz), vf_load(v + 5 * n));
        store_rows(m + 8, count, vf_mul(vf_sub(xz, wy), sx),
                   vf_mul(vf_add(yz, wx), sy),
                   vf_mul(vf_sub(one, vf_add(xx, yy)), sz), vf_load(v + 6 * n));
    }
}

/* Rows of a matrix in a vector, and vectors of a matrix. AVX2 has rows 0 and 1
 * in one, row 2 twice in the other. */
#define ROWS (LANES / 4)
#define MATRIX_VECTORS ((3 + ROWS - 1) / ROWS)
/* From the first row of vector i to the next one. */
#define ROW_STRIDE(i) (((i) + 1) * ROWS <= 3 ? 4u : 0u)

static void vector_matrices(const spn_anim_pose *pose, const uint16_t *parents,
                            float *matrices)
{
    static const float unit[4] = {0, 0, 0, 1};
    const vf last = vi_floats(vi_load_lanes(unit, 0));
    vi product[MATRIX_VECTORS] = {vi_zero()};

    local_matrices(pose, matrices);
    for (uint32_t j = 0; j < pose->joint_count; j++) {
        const uint32_t parent = parents[j];
        const float *p = matrices + (size_t)12 * parent;
        float *m = matrices + (size_t)12 * j;
        const vf x = vi_floats(vi_load_lanes(m, 0));
        const vf y = vi_floats(vi_load_lanes(m + 4, 0));
        const vf z = vi_floats(vi_load_lanes(m + 8, 0));

        if (parent >= j) {
            for (uint32_t i = 0; i < MATRIX_VECTORS; i++)
                product[i] = vi_load_lanes(m + 4 * ROWS * i, ROW_STRIDE(i));
            continue;
        }
        for (uint32_t i = 0; i < MATRIX_VECTORS; i++) {
            /* The product of the joint before is at hand. */
            const vi row = parent + 1 == j
                               ? product[i]
                               : vi_load_lanes(p + 4 * ROWS * i, ROW_STRIDE(i));
#define ELEMENT(k) vi_floats(vi_repeat32(row, k))
            const vf sum =
                vf_add(vf_add(vf_mul(ELEMENT(0), x), vf_mul(ELEMENT(1), y)),
                       vf_add(vf_mul(ELEMENT(2), z), vf_mul(ELEMENT(3), last)));
#undef ELEMENT

            product[i] = vf_bits(sum);
            vi_store_lanes(m + 4 * ROWS * i, ROW_STRIDE(i), product[i]);
        }
    }
}

#endif
