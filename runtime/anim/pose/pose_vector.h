/* pose_vector.h - the kernels of poses, for the vectors of simd_sse41.h,
 * simd_avx2.h or simd_neon.h.
 *
 * A vector has the same number of several tracks. Operations and their order
 * are those of anim_window.h. Vectors at the end of a list have elements that
 * belong to no track; they are computed and not stored.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_VECTOR_H
#define SPN_ANIM_POSE_POSE_VECTOR_H

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

/* The mask of the elements before number `count`. */
SPN_INLINE vf mask_first(uint32_t count)
{
    static const int32_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};

    return vi_floats(vi_greater32(vi_set32(count), vi_load(numbers)));
}

/* Store numbers of the joints of tracks i to i + LANES - 1, or to the last one.
 *
 * first    the place of numbers[0] in the pose */
SPN_INLINE void put_joints(const struct anim_between *b,
                           const struct anim_list *list, uint32_t i,
                           uint32_t first, const vf *numbers,
                           uint32_t number_count)
{
    const uint16_t *joint = list->joint + i;
    const uint32_t count = list->count - i;
    /* Joints increase on each side of linear_count. */
    const bool is_increasing =
        i + LANES <= list->linear_count || i >= list->linear_count;
    float *to = b->values + first * b->number_step;
    float values[4][LANES];

    if (count >= LANES && is_increasing &&
        joint[LANES - 1] - joint[0] == LANES - 1) {
        for (uint32_t k = 0; k < number_count; k++)
            vf_store(to + k * b->number_step + joint[0], numbers[k]);
        return;
    }
    for (uint32_t k = 0; k < number_count; k++)
        vf_store(values[k], numbers[k]);
    for (uint32_t j = 0; j < LANES && j < count; j++) {
        float *at = to + joint[j];

        for (uint32_t k = 0; k < number_count; k++)
            at[k * b->number_step] = values[k][j];
    }
}

/* -- rotations -- */

SPN_INLINE void load_rotation(const int16_t *row, size_t n, vf step, vf d[4])
{
    const vf one = vf_set(1.0f);
    const vf x = vf_mul(vi_to_float(vi_extend_i16(row)), step);
    const vf y = vf_mul(vi_to_float(vi_extend_i16(row + n)), step);
    const vf z = vf_mul(vi_to_float(vi_extend_i16(row + 2 * n)), step);
    const vf r = vf_add(vf_add(vf_mul(x, x), vf_mul(y, y)), vf_mul(z, z));
    const vf h = vf_div(one, vf_add(one, r));
    const vf two_h = vf_add(h, h);

    /* x * (h + h) has the bits of (x + x) * h. */
    d[0] = vf_mul(x, two_h);
    d[1] = vf_mul(y, two_h);
    d[2] = vf_mul(z, two_h);
    d[3] = vf_mul(vf_sub(one, r), h);
}

SPN_INLINE vf dot_rotations(const vf a[4], const vf b[4])
{
    return vf_add(vf_add(vf_add(vf_mul(a[0], b[0]), vf_mul(a[1], b[1])),
                         vf_mul(a[2], b[2])),
                  vf_mul(a[3], b[3]));
}

/* spn__anim_slerp: `to` is replaced. */
SPN_INLINE void slerp_rotations(const struct slerp_vector slerp[2],
                                const vf from[4], vf to[4])
{
    const vf sign = vf_set(-0.0f);
    const vf c = dot_rotations(from, to);
    const vf turned = vf_and(vf_less(c, vf_set(ANIM_TURN_MIN)), sign);
    const vf x = vf_sub(vf_xor(c, turned), vf_set(1.0f));
    const vf x2 = vf_mul(x, x);
    const vf x4 = vf_mul(x2, x2);
    const vf w0 = slerp_weight(&slerp[0], x, x2, x4);
    const vf w1 = vf_xor(slerp_weight(&slerp[1], x, x2, x4), turned);

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

/* Rotations are computed in blocks of a few vectors of tracks. Each step is a
 * loop over a block, so a processor overlaps the latencies of a vector with the
 * work on the others. */
#define BLOCK_VECTORS 4u

/* Row `frame` of the tracks from number `first` on. */
SPN_INLINE void load_block(const struct anim_tracks *tracks,
                           const struct anim_between *b, int frame,
                           uint32_t first, uint32_t vectors,
                           vf d[BLOCK_VECTORS][4])
{
    const struct anim_list *list = &tracks->rotations;

    for (uint32_t v = 0; v < vectors; v++) {
        const uint32_t i = first + v * LANES;

        load_rotation(b->row[frame] + i, list->count, vf_load(list->step + i),
                      d[v]);
    }
}

/* Interpolate the first `linear` tracks of a block; the others keep `from`. */
SPN_INLINE void slerp_block(const struct slerp_vector slerp[2],
                            vf from[BLOCK_VECTORS][4], vf to[BLOCK_VECTORS][4],
                            uint32_t vectors, uint32_t linear)
{
    for (uint32_t v = 0; v < vectors && v * LANES < linear; v++) {
        const vf is_linear = mask_first(linear - v * LANES);

        slerp_rotations(slerp, from[v], to[v]);
        for (int k = 0; k < 4; k++)
            from[v][k] = vf_select(is_linear, to[v][k], from[v][k]);
    }
}

SPN_INLINE void put_block(const struct anim_tracks *tracks,
                          const struct anim_between *b, uint32_t first,
                          uint32_t vectors, vf d[BLOCK_VECTORS][4])
{
    for (uint32_t v = 0; v < vectors; v++) {
        const uint32_t i = first + v * LANES;
        vf center[4];
        vf q[4];

        for (int k = 0; k < 4; k++)
            center[k] = vf_load(tracks->center[k] + i);
        multiply_rotations(center, d[v], q);
        put_joints(b, &tracks->rotations, i, ANIM_POSE_ROTATION, q, 4);
    }
}

static void vector_rotations(const struct anim_tracks *tracks,
                             const struct anim_between *b)
{
    const struct anim_list *list = &tracks->rotations;
    const uint32_t linear = b->u > 0.0f ? list->linear_count : 0;
    uint32_t left = (list->count + LANES - 1) / LANES;
    struct slerp_vector slerp[2];
    uint32_t first = 0;

    spread_slerp(&b->slerp[0], &slerp[0]);
    spread_slerp(&b->slerp[1], &slerp[1]);
    /* All blocks have nearly the same size: a short one has little to overlap.
     */
    for (uint32_t blocks = (left + BLOCK_VECTORS - 1) / BLOCK_VECTORS;
         blocks > 0; blocks--) {
        const uint32_t vectors = left / blocks;
        vf d[BLOCK_VECTORS][4];

        load_block(tracks, b, 0, first, vectors, d);
        if (first < linear) {
            vf e[BLOCK_VECTORS][4];

            load_block(tracks, b, 1, first, vectors, e);
            slerp_block(slerp, d, e, vectors, linear - first);
        }
        put_block(tracks, b, first, vectors, d);
        first += vectors * LANES;
        left -= vectors;
    }
}

/* -- translations and scales -- */

/* from + (to - from) * u for the first `linear` elements. */
SPN_INLINE vf mix_vectors(vf from, vf to, float u, uint32_t linear)
{
    const vf mixed = vf_add(from, vf_mul(vf_sub(to, from), vf_set(u)));

    return linear >= LANES ? mixed : vf_select(mask_first(linear), mixed, from);
}

SPN_INLINE vf load_translation(const struct anim_between *b, int frame,
                               size_t place, size_t component, vf step)
{
    const vi base = vi_extend_i16(b->base[frame] + component);
    const vi n = vi_extend_i16(b->row[frame] + place);

    return vf_mul(vi_to_float(vi_add32(vi_left32(base, 8), n)), step);
}

static void vector_translations(const struct anim_tracks *tracks,
                                const struct anim_between *b)
{
    const struct anim_list *list = &tracks->translations;
    const uint32_t first = anim_row_translations(tracks);
    const uint32_t n = list->count;
    const uint32_t linear = b->u > 0.0f ? list->linear_count : 0;

    for (uint32_t i = 0; i < n; i += LANES) {
        const vf step = vf_load(list->step + i);
        vf t[3];

        for (uint32_t k = 0; k < 3; k++) {
            const size_t at = k * n + i;

            t[k] = load_translation(b, 0, first + at, at, step);
            if (i < linear)
                t[k] = mix_vectors(t[k],
                                   load_translation(b, 1, first + at, at, step),
                                   b->u, linear - i);
        }
        put_joints(b, list, i, ANIM_POSE_TRANSLATION, t, 3);
    }
}

SPN_INLINE vf load_scale(const int16_t *row, vf step)
{
    return vf_add(vf_set(1.0f), vf_mul(vi_to_float(vi_extend_i16(row)), step));
}

static void vector_scales(const struct anim_tracks *tracks,
                          const struct anim_between *b)
{
    const struct anim_list *list = &tracks->scales;
    const uint32_t n = list->count;
    const uint32_t linear = b->u > 0.0f ? list->linear_count : 0;

    for (uint32_t i = 0; i < n; i += LANES) {
        const vf step = vf_load(list->step + i);
        vf s[3];

        for (uint32_t k = 0; k < 3; k++) {
            const size_t at = anim_row_scales(tracks) + k * n + i;

            s[k] = load_scale(b->row[0] + at, step);
            if (i < linear)
                s[k] = mix_vectors(s[k], load_scale(b->row[1] + at, step), b->u,
                                   linear - i);
        }
        put_joints(b, list, i, ANIM_POSE_SCALE, s, 3);
    }
}

static void vector_tracks(const struct anim_tracks *tracks,
                          const struct anim_between *b)
{
    vector_rotations(tracks, b);
    vector_translations(tracks, b);
    vector_scales(tracks, b);
}

/* -- model space -- */

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

/* -- blending -- */

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
        slerp_rotations(spread, none, b);
        multiply_rotations(a, b, to);
        for (uint32_t k = 4; k < 7; k++)
            to[k] = vf_add(a[k], vf_mul(b[k], weight));
        for (uint32_t k = 7; k < ANIM_POSE_NUMBERS; k++)
            to[k] =
                vf_mul(a[k], vf_add(one, vf_mul(vf_sub(b[k], one), weight)));
        store_numbers(out->values + j, n, ANIM_POSE_NUMBERS, to);
    }
}

static const struct pose_ops vector_ops = {
    .tracks = vector_tracks,
    .matrices = vector_matrices,
    .weigh = vector_weigh,
    .normalize = vector_normalize,
    .subtract = vector_subtract,
    .add = vector_add,
};

#endif
