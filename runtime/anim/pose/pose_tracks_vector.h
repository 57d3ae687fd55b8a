/* pose_tracks_vector.h - the kernel of tracks.
 *
 * A vector has the same number of several tracks.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_TRACKS_VECTOR_H
#define SPN_ANIM_POSE_POSE_TRACKS_VECTOR_H

#include "anim/pose/anim_tracks.h"
#include "anim/pose/pose_rotation_vector.h"

/* `yes` for the elements before number `count`, `no` for the others. */
SPN_INLINE vf select_first(uint32_t count, vf yes, vf no)
{
    static const int32_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};

    if (count >= LANES)
        return yes;
    return vf_select(vi_floats(vi_greater32(vi_set32(count), vi_load(numbers))),
                     yes, no);
}

/* The first track of a vector for the tracks from number i on. The last vector
 * of a list begins earlier, so that all its elements are tracks: arithmetic on
 * what follows in memory can be slow. A list with fewer than LANES tracks has
 * one vector, of which some elements are no tracks; they are not stored. */
SPN_INLINE uint32_t first_track(const struct anim_list *list, uint32_t i)
{
    const uint32_t count = list->count;

    return i + LANES > count && count >= LANES ? count - LANES : i;
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

/* Rotations are computed in blocks of a few vectors of tracks. Each step is a
 * loop over a block, so a processor overlaps the latencies of a vector with the
 * work on the others. Larger blocks are faster; these take nearly 2 KiB of
 * stack. */
#define BLOCK_VECTORS (LANES > 4 ? 4u : 6u)

/* Row `frame` of the tracks from number `first` on. */
SPN_INLINE void load_block(const struct anim_list *list,
                           const struct anim_between *b, int frame,
                           uint32_t first, uint32_t vectors,
                           vf d[BLOCK_VECTORS][4])
{
    for (uint32_t v = 0; v < vectors; v++) {
        const uint32_t i = first_track(list, first + v * LANES);

        load_rotation(b->row[frame] + i, list->count, vf_load(list->step + i),
                      d[v]);
    }
}

/* Interpolate the tracks of a block before number `linear`; the others keep
 * `from`. */
SPN_INLINE void slerp_block(const struct anim_list *list,
                            const struct slerp_vector slerp[2], uint32_t first,
                            uint32_t vectors, uint32_t linear,
                            vf from[BLOCK_VECTORS][4], vf to[BLOCK_VECTORS][4])
{
    vf x[BLOCK_VECTORS];

    for (uint32_t v = 0; v < vectors; v++)
        x[v] = turn_rotations(from[v], to[v]);
    for (uint32_t v = 0; v < vectors; v++) {
        const uint32_t i = first_track(list, first + v * LANES);
        const uint32_t count = i < linear ? linear - i : 0;

        mix_rotations(slerp, x[v], from[v], to[v]);
        for (int k = 0; k < 4; k++)
            from[v][k] = select_first(count, to[v][k], from[v][k]);
    }
}

SPN_INLINE void put_block(const struct anim_tracks *tracks,
                          const struct anim_between *b, uint32_t first,
                          uint32_t vectors, vf d[BLOCK_VECTORS][4])
{
    const struct anim_list *list = &tracks->rotations;

    for (uint32_t v = 0; v < vectors; v++) {
        const uint32_t i = first_track(list, first + v * LANES);
        vf center[4];
        vf q[4];

        for (int k = 0; k < 4; k++)
            center[k] = vf_load(tracks->center[k] + i);
        multiply_rotations(center, d[v], q);
        put_joints(b, list, i, ANIM_POSE_ROTATION, q, 4);
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

        load_block(list, b, 0, first, vectors, d);
        if (first_track(list, first) < linear) {
            vf e[BLOCK_VECTORS][4];

            load_block(list, b, 1, first, vectors, e);
            slerp_block(list, slerp, first, vectors, linear, d, e);
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
    return select_first(
        linear, vf_add(from, vf_mul(vf_sub(to, from), vf_set(u))), from);
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

    for (uint32_t v = 0; v < n; v += LANES) {
        const uint32_t i = first_track(list, v);
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

    for (uint32_t v = 0; v < n; v += LANES) {
        const uint32_t i = first_track(list, v);
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

#endif
