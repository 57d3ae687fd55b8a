/* random_tracks.c */
/* SPDX-License-Identifier: MIT */
#include "support/random_tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *block(struct random_tracks *r, size_t bytes)
{
    void *memory = calloc(1, bytes);

    CHECK(memory != NULL && r->block_count < 64);
    r->blocks[r->block_count++] = memory;
    return memory;
}

/* An array with slack. */
static void *array(struct random_tracks *r, size_t count, size_t size)
{
    return block(r, count * size + ANIM_SLACK_BYTES);
}

float random_float(struct test_random *random)
{
    return (float)(test_random_below(random, 1u << 24)) / 8388608.0f - 1.0f;
}

void random_rotation(struct test_random *random, float q[4])
{
    float length = 0;

    while (!(length > 0.1f)) {
        for (int k = 0; k < 4; k++)
            q[k] = random_float(random);
        length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    }
    for (int k = 0; k < 4; k++)
        q[k] /= length;
}

/* What each joint's part is. */
enum form { REST, CONSTANT, LINEAR, STEP, WIDE, WIDE_STEP, FORMS };

static uint32_t list_joints(struct random_tracks *r, const enum form *forms,
                            uint32_t count, enum form form,
                            const uint16_t **joints)
{
    uint16_t *list = array(r, count, sizeof *list);
    uint32_t n = 0;

    for (uint32_t j = 0; j < count; j++)
        if (forms[j] == form)
            list[n++] = (uint16_t)j;
    *joints = list;
    return n;
}

static void list_tracks(struct random_tracks *r, struct test_random *random,
                        const enum form *forms, uint32_t count,
                        enum form linear, float step, struct anim_list *list)
{
    uint16_t *joints = array(r, count, sizeof *joints);
    float *steps = array(r, count, sizeof *steps);

    *list = (struct anim_list){0};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t j = 0; j < count; j++)
            if (forms[j] == linear + (unsigned)pass) {
                list->linear_count += pass == 0;
                joints[list->count] = (uint16_t)j;
                steps[list->count++] =
                    step * (1.0f + 0.5f * random_float(random));
            }
    list->joint = joints;
    list->step = steps;
}

/* Runs of joints with the same form, as real clips have them. */
static void choose_forms(struct test_random *random, enum form *forms,
                         uint32_t count, uint32_t limit)
{
    enum form form = LINEAR;

    for (uint32_t j = 0; j < count; j++) {
        if (test_random_below(random, 12) == 0)
            form = (enum form)test_random_below(random, limit);
        forms[j] = form;
    }
}

static const float *random_floats(struct random_tracks *r,
                                  struct test_random *random, uint32_t count)
{
    float *values = array(r, count, sizeof *values);

    for (uint32_t i = 0; i < count; i++)
        values[i] = random_float(random);
    return values;
}

static void make_constants(struct random_tracks *r, struct test_random *random,
                           const enum form (*forms)[RANDOM_JOINTS_MAX],
                           uint32_t joints, uint32_t floats)
{
    struct anim_constants *c = &r->tracks.constants;

    c->rotation_count =
        list_joints(r, forms[0], joints, CONSTANT, &c->rotation_joint);
    c->translation_count =
        list_joints(r, forms[1], joints, CONSTANT, &c->translation_joint);
    c->scale_count =
        list_joints(r, forms[2], joints, CONSTANT, &c->scale_joint);
    c->float_count =
        list_joints(r, forms[3], floats, CONSTANT, &c->float_track);
    c->rotation = random_floats(r, random, 4 * c->rotation_count);
    c->translation = random_floats(r, random, 3 * c->translation_count);
    c->scale = random_floats(r, random, 3 * c->scale_count);
    c->number = random_floats(r, random, c->float_count);
}

static void make_centers(struct random_tracks *r, struct test_random *random)
{
    const uint32_t count = r->tracks.rotations.count;
    float *center[4];

    for (int k = 0; k < 4; k++)
        r->tracks.center[k] = center[k] = array(r, count, sizeof(float));
    for (uint32_t i = 0; i < count; i++) {
        float q[4];

        random_rotation(random, q);
        for (int k = 0; k < 4; k++)
            center[k][i] = q[k];
    }
    r->tracks.float_center = random_floats(r, random, r->tracks.floats.count);
}

static void fill_window(struct random_tracks *r, struct test_random *random)
{
    const struct anim_tracks *t = &r->tracks;

    spn__anim_window_place(
        &r->window, t, ANIM_SEGMENT_FRAMES_MAX,
        block(r, spn__anim_window_bytes(t, ANIM_SEGMENT_FRAMES_MAX)));
    r->window.frame_count = 2;
    r->window.cuts = test_random_below(random, 8) == 0 ? 2 : 0;
    for (uint32_t i = 0; i < 2 * anim_row_length(t); i++)
        r->window.rows[i] = (int16_t)test_random_u64(random);
    /* The same sign often, as neighbours have it. */
    for (uint32_t i = 0; i < anim_row_length(t); i++)
        if (test_random_below(random, 3) > 0)
            r->window.rows[anim_row_length(t) + i] =
                (int16_t)(r->window.rows[i] / 2);
    for (uint32_t i = 0; i < 3 * t->translations.count; i++)
        r->window.base[i] = (int16_t)test_random_u64(random);
    for (uint32_t i = 0; i < 6 * t->wide_translations.count; i++)
        r->window.wide[i] =
            (int32_t)test_random_below(random, 1u << 24) - (int32_t)(1u << 23);
}

void random_tracks_make(struct random_tracks *r, struct test_random *random,
                        uint32_t joint_count)
{
    enum form forms[4][RANDOM_JOINTS_MAX];
    const uint32_t floats = test_random_below(random, 20);
    struct anim_tracks *t = &r->tracks;

    memset(r, 0, sizeof *r);
    t->joint_count = joint_count;
    t->float_track_count = floats;
    for (int kind = 0; kind < 4; kind++)
        choose_forms(random, forms[kind], kind == 3 ? floats : joint_count,
                     kind == 1 ? FORMS : WIDE);
    list_tracks(r, random, forms[0], joint_count, LINEAR, 3e-5f, &t->rotations);
    list_tracks(r, random, forms[1], joint_count, LINEAR, 1e-4f,
                &t->translations);
    list_tracks(r, random, forms[1], joint_count, WIDE, 1e-4f,
                &t->wide_translations);
    list_tracks(r, random, forms[2], joint_count, LINEAR, 1e-4f, &t->scales);
    list_tracks(r, random, forms[3], floats, LINEAR, 1e-3f, &t->floats);
    make_constants(r, random, (const enum form(*)[RANDOM_JOINTS_MAX])forms,
                   joint_count, floats);
    make_centers(r, random);
    fill_window(r, random);
}

void random_tracks_free(struct random_tracks *r)
{
    for (uint32_t i = 0; i < r->block_count; i++)
        free(r->blocks[i]);
}
