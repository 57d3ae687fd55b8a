/* fill_scene.c - random vertices and random layouts for tests of the fill.
 *
 * QTangents are random as in files: unit quaternions times 511, rounded, of
 * either sign, sometimes with w = 0. The ceiling frame's are near the floor
 * frame's, or far.
 */
/* SPDX-License-Identifier: MIT */
#include "support/fill_scene.h"

#include "harness.h"
#include "support/layout_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(struct test_random *random)
{
    return (double)(test_random_u64(random) >> 11) / 9007199254740992.0;
}

static void random_bytes(struct test_random *random, void *bytes, size_t count)
{
    uint8_t *b = bytes;

    for (size_t i = 0; i < count; i++)
        b[i] = (uint8_t)test_random_u64(random);
}

static void random_qtangent(struct test_random *random, const int16_t *near,
                            int16_t out[4])
{
    double q[4];
    double squared;

    do {
        squared = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = uniform(random) * 2 - 1;
            if (near != NULL)
                q[k] = near[k] + q[k] * 20;
            squared += q[k] * q[k];
        }
    } while (squared < 0.1);
    if (near == NULL && test_random_below(random, 16) == 0) {
        squared -= q[3] * q[3];
        q[3] = 0;
    }
    if (squared < 0.01) {
        q[0] = 1;
        squared = 1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    }
    if (test_random_below(random, 4) == 0)
        squared = -squared; /* flip the sign */
    for (int k = 0; k < 4; k++)
        out[k] = (int16_t)lrint(q[k] * QTANGENT_ONE / sqrt(fabs(squared)) *
                                (squared < 0 ? -1 : 1));
}

static void make_qtangents(struct fill_scene *s, struct test_random *random,
                           uint32_t count, bool is_wild)
{
    const size_t bytes = (size_t)count * 8;
    bool is_near = test_random_below(random, 3) != 0;

    for (int k = 0; k < 2; k++)
        s->qtangent[k] = malloc(bytes + !bytes);
    for (uint32_t i = 0; i < count; i++) {
        int16_t *floor = s->qtangent[0] + 4 * i;
        int16_t *ceil = s->qtangent[1] + 4 * i;

        if (!is_wild) {
            random_qtangent(random, NULL, floor);
            random_qtangent(random, is_near ? floor : NULL, ceil);
            continue;
        }
        random_bytes(random, floor, 8);
        random_bytes(random, ceil, 8);
        for (int k = 0; k < 4; k++) {
            if (test_random_below(random, 4) == 0)
                floor[k] = ceil[k] = INT16_MIN;
            if (test_random_below(random, 2) == 0)
                floor[k] = (int16_t)(floor[k] & 1);
            if (i % 5 == 0)
                floor[k] = ceil[k] = 0;
        }
    }
}

static void make_layout(spn_vertex_layout *layout, struct test_random *random)
{
    bool is_dense = test_random_below(random, 2) != 0;
    uint32_t at = is_dense ? 0 : test_random_below(random, 6);
    uint8_t order[LAYOUT_ATTRIBUTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

    memset(layout, 0, sizeof *layout);
    for (uint32_t i = LAYOUT_ATTRIBUTES - 1; i > 0; i--) {
        uint32_t k = test_random_below(random, i + 1);
        uint8_t kept = order[i];

        order[i] = order[k];
        order[k] = kept;
    }
    for (uint32_t i = 0; i < LAYOUT_ATTRIBUTES; i++) {
        spn_attribute *attribute = layout_attribute(layout, order[i]);
        uint32_t format = test_random_below(random, SPN_FORMAT_QUANTIZED + 1);

        while (format != 0 && layout_bytes[order[i]][format] == 0)
            format = test_random_below(random, SPN_FORMAT_QUANTIZED + 1);
        attribute->format = (spn_format)format;
        attribute->offset = at;
        at += layout_bytes[order[i]][format];
        if (!is_dense && format != 0)
            at += test_random_below(random, 6);
    }
    layout->stride = at != 0 ? at : 1;
}

void fill_scene_cover(const spn_vertex_layout *layout, uint8_t *covered)
{
    spn_vertex_layout copy = *layout;

    for (uint32_t i = 0; i < LAYOUT_ATTRIBUTES; i++) {
        const spn_attribute *attribute = layout_attribute(&copy, i);

        memset(covered + attribute->offset, 1,
               layout_bytes[i][attribute->format]);
    }
}

static float random_alpha(struct test_random *random)
{
    switch (test_random_below(random, 4)) {
    case 0:
        return 0;
    case 1:
        return 1;
    }
    return (float)uniform(random);
}

static void *random_array(struct test_random *random, size_t bytes)
{
    void *array = malloc(bytes + !bytes);

    random_bytes(random, array, bytes);
    return array;
}

static void make_source(struct fill_scene *s, struct test_random *random,
                        uint32_t count)
{
    struct fill_source *source = &s->source;
    bool is_static = test_random_below(random, 8) == 0;

    source->count = count;
    source->alpha = random_alpha(random);
    source->previous_alpha = random_alpha(random);
    source->floor[CHANNEL_POSITION] = s->position[0];
    source->ceil[CHANNEL_POSITION] = s->position[1];
    source->previous_floor = s->position[2];
    source->previous_ceil = s->position[3];
    if (test_random_below(random, 8) != 0) {
        source->velocity_floor = s->position[1];
        source->velocity_ceil = s->position[2];
        source->velocity_rate = 0.5f;
    }
    source->floor[CHANNEL_QTANGENT] = s->qtangent[0];
    source->ceil[CHANNEL_QTANGENT] = s->qtangent[1];
    source->floor[CHANNEL_UV] = s->uv[0];
    source->ceil[CHANNEL_UV] = s->uv[1];
    source->floor[CHANNEL_COLOR] = s->color[0];
    source->ceil[CHANNEL_COLOR] = s->color[1];
    source->floor[CHANNEL_SECOND_UV] = s->second_uv[0];
    source->ceil[CHANNEL_SECOND_UV] = s->second_uv[1];
    source->floor[CHANNEL_VELOCITY] = s->velocity[0];
    source->ceil[CHANNEL_VELOCITY] = s->velocity[1];
    if (is_static && s->uv[0] != NULL) {
        memcpy(s->uv[1], s->uv[0], (size_t)count * 4);
        source->ceil[CHANNEL_UV] = s->uv[0];
    }
    source->reflection_first = test_random_below(random, 20);
    s->reflection =
        random_array(random, (source->reflection_first + count + 7) / 8);
    source->reflection = s->reflection;
}

void fill_scene_make(struct fill_scene *scene, uint64_t seed, uint32_t count,
                     bool is_wild)
{
    struct test_random random = {seed};

    memset(scene, 0, sizeof *scene);
    for (int k = 0; k < 3; k++) {
        double size = pow(10, uniform(&random) * 6 - 3);

        scene->constants.range[CHANNEL_POSITION].min[k] =
            (float)((uniform(&random) * 2 - 1) * size);
        scene->constants.range[CHANNEL_POSITION].step[k] =
            (float)(size / 65535);
        scene->constants.range[CHANNEL_VELOCITY].min[k] =
            (float)(-size * uniform(&random));
        scene->constants.range[CHANNEL_VELOCITY].step[k] = (float)(size / 4095);
    }
    for (int k = 0; k < 2; k++) {
        scene->constants.range[CHANNEL_UV].min[k] =
            (float)(uniform(&random) - 0.5);
        scene->constants.range[CHANNEL_UV].step[k] =
            (float)(uniform(&random) * 2 / 65535);
        scene->constants.range[CHANNEL_SECOND_UV].min[k] =
            (float)(uniform(&random) * 2 - 1);
        scene->constants.range[CHANNEL_SECOND_UV].step[k] =
            (float)(uniform(&random) / 65535);
    }
    scene->constants.range[CHANNEL_POSITION].fourth = 1;
    scene->constants.reflection = (uint8_t)test_random_below(&random, 3);
    for (int k = 0; k < 4; k++)
        scene->position[k] = random_array(&random, (size_t)count * 6);
    make_qtangents(scene, &random, count, is_wild);
    if (test_random_below(&random, 4) != 0)
        for (int k = 0; k < 2; k++)
            scene->uv[k] = random_array(&random, (size_t)count * 4);
    if (test_random_below(&random, 2) != 0)
        for (int k = 0; k < 2; k++)
            scene->color[k] = random_array(&random, (size_t)count * 4);
    if (test_random_below(&random, 2) != 0)
        for (int k = 0; k < 2; k++)
            scene->second_uv[k] = random_array(&random, (size_t)count * 4);
    if (test_random_below(&random, 2) != 0)
        for (int k = 0; k < 2; k++)
            scene->velocity[k] = random_array(&random, (size_t)count * 6);
    make_source(scene, &random, count);
    make_layout(&scene->layout, &random);
}

void fill_scene_free(struct fill_scene *scene)
{
    for (int k = 0; k < 4; k++)
        free(scene->position[k]);
    for (int k = 0; k < 2; k++) {
        free(scene->qtangent[k]);
        free(scene->uv[k]);
        free(scene->color[k]);
        free(scene->second_uv[k]);
        free(scene->velocity[k]);
    }
    free(scene->reflection);
    memset(scene, 0, sizeof *scene);
}
