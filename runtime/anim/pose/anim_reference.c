/* anim_reference.c - poses one track at a time.
 *
 * The order of the operations is part of the contract of anim_window.h: with
 * another order the last bits differ.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/anim_reference.h"

#include "base/assert.h"

/* 1 / (i (2 i + 1)) and i / (2 i + 1) for i = 1..10. */
static const float slerp_factor[ANIM_SLERP_TERMS] = {
    1.0f / 3,  1.0f / 10,  1.0f / 21,  1.0f / 36,  1.0f / 55,
    1.0f / 78, 1.0f / 105, 1.0f / 136, 1.0f / 171, 1.0f / 210};
static const float slerp_offset[ANIM_SLERP_TERMS] = {
    1.0f / 3,  2.0f / 5,  3.0f / 7,  4.0f / 9,  5.0f / 11,
    6.0f / 13, 7.0f / 15, 8.0f / 17, 9.0f / 19, 10.0f / 21};

void spn__anim_slerp_init(struct anim_slerp *slerp, float t)
{
    const float square = t * t;
    float product = 1.0f;

    slerp->t = t;
    for (int i = 0; i < ANIM_SLERP_TERMS; i++) {
        const float scaled = square * slerp_factor[i];

        product = product * (scaled - slerp_offset[i]);
        slerp->b[i] = product;
    }
    slerp->b[ANIM_SLERP_TERMS - 1] = product * 1.875f;
}

void spn__anim_slerp(const struct anim_slerp slerp[2], const float from[4],
                     const float to[4], float d[4])
{
    const float c = ((from[0] * to[0] + from[1] * to[1]) + from[2] * to[2]) +
                    from[3] * to[3];
    const bool is_turned = c < ANIM_TURN_MIN;
    const float x = (is_turned ? -c : c) - 1.0f;
    const float w0 = anim_slerp_weight(&slerp[0], x);
    const float w1 = anim_slerp_weight(&slerp[1], x);

    for (int k = 0; k < 4; k++)
        d[k] = from[k] * w0 + to[k] * (is_turned ? -w1 : w1);
}

void spn__anim_rotation(float step, int32_t x, int32_t y, int32_t z, float d[4])
{
    const float mx = (float)x * step;
    const float my = (float)y * step;
    const float mz = (float)z * step;
    const float r = (mx * mx + my * my) + mz * mz;
    const float h = 1.0f / (1.0f + r);

    d[0] = (mx + mx) * h;
    d[1] = (my + my) * h;
    d[2] = (mz + mz) * h;
    d[3] = (1.0f - r) * h;
}

void spn__anim_multiply(const float a[4], const float b[4], float product[4])
{
    const float x = ((a[3] * b[0] + a[0] * b[3]) + a[1] * b[2]) - a[2] * b[1];
    const float y = ((a[3] * b[1] + a[1] * b[3]) + a[2] * b[0]) - a[0] * b[2];
    const float z = ((a[3] * b[2] + a[2] * b[3]) + a[0] * b[1]) - a[1] * b[0];
    const float w = ((a[3] * b[3] - a[0] * b[0]) - a[1] * b[1]) - a[2] * b[2];

    product[0] = x;
    product[1] = y;
    product[2] = z;
    product[3] = w;
}

SPN_STATIC_ASSERT(sizeof(spn_anim_transform) == 10 * sizeof(float),
                  transform_has_no_gaps);

static float *place_of(const struct anim_between *b, uint32_t joint,
                       uint32_t number)
{
    return b->values + number * b->number_step + joint * b->joint_step;
}

static void put(const struct anim_between *b, uint32_t joint, uint32_t first,
                const float *floats, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        *place_of(b, joint, first + k) = floats[k];
}

static void pose_rotations(const struct anim_tracks *tracks,
                           const struct anim_between *b)
{
    const struct anim_list *list = &tracks->rotations;
    const uint32_t n = list->count;

    for (uint32_t i = 0; i < n; i++) {
        const float center[4] = {tracks->center[0][i], tracks->center[1][i],
                                 tracks->center[2][i], tracks->center[3][i]};
        const int16_t *row = b->row[0];
        float d[4];

        spn__anim_rotation(list->step[i], row[i], row[n + i], row[2 * n + i],
                           d);
        if (b->u > 0.0f && i < list->linear_count) {
            float e[4];

            row = b->row[1];
            spn__anim_rotation(list->step[i], row[i], row[n + i],
                               row[2 * n + i], e);
            spn__anim_slerp(b->slerp, d, e, d);
        }
        spn__anim_multiply(center, d, d);
        put(b, list->joint[i], ANIM_POSE_ROTATION, d, 4);
    }
}

static float mix(float from, float to, float u)
{
    return u > 0.0f ? from + (to - from) * u : from;
}

static void pose_translations(const struct anim_tracks *tracks,
                              const struct anim_between *b)
{
    const struct anim_list *list = &tracks->translations;
    const uint32_t first = anim_row_translations(tracks);

    for (uint32_t i = 0; i < list->count; i++) {
        const float u = i < list->linear_count ? b->u : 0.0f;

        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t at = k * list->count + i;
            float value[2];

            for (int f = 0; f < 2; f++)
                value[f] =
                    (float)(256 * b->base[f][at] + b->row[f][first + at]) *
                    list->step[i];
            *place_of(b, list->joint[i], ANIM_POSE_TRANSLATION + k) =
                mix(value[0], value[1], u);
        }
    }
}

static void pose_wide_translations(const struct anim_tracks *tracks,
                                   const struct anim_between *b)
{
    const struct anim_list *list = &tracks->wide_translations;

    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t at = k * list->count + i;

            *place_of(b, list->joint[i], ANIM_POSE_TRANSLATION + k) =
                mix((float)b->wide[0][at] * list->step[i],
                    (float)b->wide[1][at] * list->step[i],
                    i < list->linear_count ? b->u : 0.0f);
        }
}

/* center + n * step of a place in a row. */
static float pose_number(const struct anim_between *b, uint32_t place,
                         float center, float step, float u)
{
    return mix(center + (float)b->row[0][place] * step,
               center + (float)b->row[1][place] * step, u);
}

static void pose_scales(const struct anim_tracks *tracks,
                        const struct anim_between *b)
{
    const struct anim_list *list = &tracks->scales;

    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < list->count; i++)
            *place_of(b, list->joint[i], ANIM_POSE_SCALE + k) = pose_number(
                b, anim_row_scales(tracks) + k * list->count + i, 1.0f,
                list->step[i], i < list->linear_count ? b->u : 0.0f);
}

static void pose_constants(const struct anim_constants *c,
                           const struct anim_between *b)
{
    for (uint32_t i = 0; i < c->rotation_count; i++)
        put(b, c->rotation_joint[i], ANIM_POSE_ROTATION,
            c->rotation + (size_t)4 * i, 4);
    for (uint32_t i = 0; i < c->translation_count; i++)
        put(b, c->translation_joint[i], ANIM_POSE_TRANSLATION,
            c->translation + (size_t)3 * i, 3);
    for (uint32_t i = 0; i < c->scale_count; i++)
        put(b, c->scale_joint[i], ANIM_POSE_SCALE, c->scale + (size_t)3 * i, 3);
}

static void pose_numbers(const struct anim_tracks *tracks,
                         const struct anim_between *b, float *floats)
{
    const struct anim_constants *c = &tracks->constants;
    const struct anim_list *list = &tracks->floats;

    /* Float tracks that rest are in no list. */
    for (uint32_t i = 0; i < tracks->float_track_count; i++)
        floats[i] = 0;
    for (uint32_t i = 0; i < c->float_count; i++)
        floats[c->float_track[i]] = c->number[i];
    for (uint32_t i = 0; i < list->count; i++)
        floats[list->joint[i]] =
            pose_number(b, anim_row_floats(tracks) + i, tracks->float_center[i],
                        list->step[i], i < list->linear_count ? b->u : 0.0f);
}

void spn__anim_between_init(struct anim_between *b,
                            const struct anim_tracks *tracks,
                            struct anim_frame from, struct anim_frame to,
                            float u)
{
    b->row[0] = anim_window_row(from.window, tracks, from.frame);
    b->row[1] = anim_window_row(to.window, tracks, to.frame);
    b->base[0] = from.window->base;
    b->base[1] = to.window->base;
    b->wide[0] = anim_window_wide(from.window, tracks, from.frame);
    b->wide[1] = anim_window_wide(to.window, tracks, to.frame);
    b->u = to.window->cuts >> to.frame & 1 ? 0.0f : u;
    spn__anim_slerp_init(&b->slerp[0], 1.0f - b->u);
    spn__anim_slerp_init(&b->slerp[1], b->u);
}

void spn__anim_pose_tracks(const struct anim_tracks *tracks,
                           const struct anim_between *b)
{
    pose_rotations(tracks, b);
    pose_translations(tracks, b);
    pose_scales(tracks, b);
}

void spn__anim_pose_rest(const struct anim_tracks *tracks,
                         const struct anim_between *b, float *floats)
{
    pose_constants(&tracks->constants, b);
    pose_wide_translations(tracks, b);
    if (floats)
        pose_numbers(tracks, b, floats);
}

void spn__anim_pose(const struct anim_tracks *tracks, struct anim_frame from,
                    struct anim_frame to, float u, spn_anim_transform *locals,
                    float *floats)
{
    struct anim_between b = {.values = (float *)(void *)locals,
                             .number_step = 1,
                             .joint_step = ANIM_POSE_NUMBERS};

    spn__anim_between_init(&b, tracks, from, to, u);
    spn__anim_pose_tracks(tracks, &b);
    spn__anim_pose_rest(tracks, &b, floats);
}
