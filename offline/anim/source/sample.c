/* sample.c - evaluate a clip at its frames. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/sample.h"

#include "anim/source/evaluate.h"
#include "anim/source/rotation.h"
#include "anim/source/sample_cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double sample_unit_metres(enum motion_format format)
{
    return format == MOTION_BVH ? 0.01 : 1;
}

/* -- the skeleton -- */

static int by_name(const void *a, const void *b)
{
    const struct dense_joint *const *one = a;
    const struct dense_joint *const *two = b;
    const int order = strcmp((*one)->name, (*two)->name);

    /* Joints of one array: its order decides between equal names. */
    return order != 0 ? order : (*one > *two) - (*one < *two);
}

/* Make names unique: of equal names, all but the first get the number of their
 * joint. A name made so may exist already; then it gets the number again. */
static void separate_names(const struct motion *motion,
                           struct dense_joint *joints, struct arena *arena)
{
    const uint32_t count = motion->joint_count;
    const struct dense_joint **sorted =
        ARENA_NEW(arena, const struct dense_joint *, count);
    bool is_unique = false;

    while (!is_unique) {
        for (uint32_t i = 0; i < count; i++)
            sorted[i] = &joints[i];
        qsort(sorted, count, sizeof *sorted, by_name);
        is_unique = true;
        for (uint32_t i = count; i-- > 1;)
            if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0) {
                const uint32_t place = (uint32_t)(sorted[i] - joints);

                joints[place].name = arena_format(
                    arena, "%s#%u", joints[place].name, motion->order[place]);
                is_unique = false;
            }
    }
}

static bool is_in_range(const struct joint_transform *transform)
{
    for (int i = 0; i < 3; i++)
        if (!(fabs(transform->translation[i]) <= SAMPLE_VALUE_MAX) ||
            !(fabs(transform->scale[i]) <= SAMPLE_VALUE_MAX))
            return false;
    return true;
}

static void to_metres(struct joint_transform *transform, double unit_metres)
{
    for (int i = 0; i < 3; i++)
        transform->translation[i] *= unit_metres;
}

static bool refuse_range(const char *path, const char *joint, struct diag *diag,
                         const char *where)
{
    return diag_refuse(diag, path, DIAG_NO_OFFSET, joint,
                       "%s: a translation (in metres) or a scale is above %g",
                       where, SAMPLE_VALUE_MAX);
}

bool sample_skeleton(const struct motion *motion, double unit_metres,
                     struct arena *arena, const char *path, struct diag *diag,
                     struct sample_skeleton *skeleton)
{
    const uint32_t count = motion->joint_count;
    struct dense_joint *joints = ARENA_NEW(arena, struct dense_joint, count);
    uint32_t *places = ARENA_NEW(arena, uint32_t, count);

    if (count == 0)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "the file has no joints");
    for (uint32_t i = 0; i < count; i++)
        places[motion->order[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = motion->order[i];
        const struct motion_joint *joint = &motion->joints[number];

        joints[i].name =
            joint->name ? joint->name : arena_format(arena, "joint%u", number);
        joints[i].parent =
            joint->parent < 0 ? -1 : (int32_t)places[joint->parent];
        joints[i].rest = joint->rest;
        to_metres(&joints[i].rest, unit_metres);
        if (!is_in_range(&joints[i].rest))
            return refuse_range(path, joints[i].name, diag, "rest pose");
    }
    separate_names(motion, joints, arena);
    skeleton->joints = joints;
    skeleton->places = places;
    return true;
}

/* -- the frames -- */

static bool sample_locals(const struct motion *motion,
                          const struct motion_clip *clip,
                          const struct sample_skeleton *skeleton,
                          double unit_metres, const struct sample_grid *grid,
                          struct arena *arena, const char *path,
                          struct diag *diag, struct dense_clip *dense)
{
    const uint32_t count = motion->joint_count;
    struct joint_transform *pose =
        ARENA_NEW(arena, struct joint_transform, count);
    struct joint_transform *locals = ARENA_NEW(
        arena, struct joint_transform, (uint64_t)count * grid->frame_count);

    dense->locals = locals;
    for (uint32_t f = 0; f < grid->frame_count; f++) {
        evaluate_locals(motion, clip, grid->times[f], pose);
        for (uint32_t i = 0; i < count; i++, locals++) {
            *locals = pose[motion->order[i]];
            to_metres(locals, unit_metres);
            if (!is_in_range(locals)) {
                char where[64];

                snprintf(where, sizeof where, "at %g s", grid->times[f]);
                return refuse_range(path, skeleton->joints[i].name, diag,
                                    where);
            }
        }
    }
    return true;
}

static void flag_steps(const struct motion_clip *clip,
                       const struct sample_skeleton *skeleton,
                       uint8_t *joint_is_step)
{
    static const uint8_t bits[MOTION_PATHS] = {
        DENSE_STEP_TRANSLATION, DENSE_STEP_ROTATION, DENSE_STEP_SCALE, 0};

    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];

        if (channel->interpolation == MOTION_STEP)
            joint_is_step[skeleton->places[channel->joint]] |=
                bits[channel->path];
    }
}

/* The name of a weight: that of its morph target, or, without one, its place.
 */
static const char *target_name(const struct motion_joint *joint,
                               const char *joint_name, uint32_t target,
                               struct arena *arena)
{
    if (target < joint->target_name_count && joint->target_names[target])
        return joint->target_names[target];
    return arena_format(arena, "%s/weights[%u]", joint_name, target);
}

static bool sample_floats(const struct motion *motion,
                          const struct motion_clip *clip,
                          const struct sample_skeleton *skeleton,
                          const struct sample_grid *grid, struct arena *arena,
                          const char *path, struct diag *diag,
                          struct dense_clip *dense)
{
    uint64_t count = 0;
    uint64_t at = 0;
    const char **names;
    uint8_t *is_step;
    float *floats;
    double *values;

    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].path == MOTION_WEIGHTS)
            count += clip->channels[i].width;
    if (count == 0)
        return true;
    if (count > SAMPLE_FLOATS_MAX / grid->frame_count)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, dense->name,
                           "%" PRIu64 " morph weights in %u frames, too many",
                           count, grid->frame_count);
    names = ARENA_NEW(arena, const char *, count);
    is_step = ARENA_NEW(arena, uint8_t, count);
    floats = ARENA_NEW(arena, float, count * grid->frame_count);
    values = ARENA_NEW(arena, double, count);
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const struct motion_channel *channel = &clip->channels[i];
        const char *joint =
            skeleton->joints[skeleton->places[channel->joint]].name;

        if (channel->path != MOTION_WEIGHTS)
            continue;
        for (uint32_t k = 0; k < channel->width; k++) {
            names[at + k] =
                target_name(&motion->joints[channel->joint], joint, k, arena);
            is_step[at + k] = channel->interpolation == MOTION_STEP;
        }
        for (uint32_t f = 0; f < grid->frame_count; f++) {
            evaluate_channel(channel, grid->times[f], values);
            for (uint32_t k = 0; k < channel->width; k++) {
                if (!(fabs(values[k]) <= SAMPLE_VALUE_MAX))
                    return diag_refuse(diag, path, DIAG_NO_OFFSET,
                                       names[at + k], "%g at %g s, above %g",
                                       values[k], grid->times[f],
                                       SAMPLE_VALUE_MAX);
                floats[f * count + at + k] = (float)values[k];
            }
        }
        at += channel->width;
    }
    dense->float_track_count = (uint32_t)count;
    dense->float_track_names = names;
    dense->floats = floats;
    dense->float_is_step = is_step;
    return true;
}

/* Find joints by name whose motion does not count: that joint and its parents.
 * Returns for each joint 1 or 0. */
static const uint8_t *find_travel(const struct dense_clip *dense,
                                  const char *root_joint, struct arena *arena)
{
    uint8_t *travels = ARENA_NEW(arena, uint8_t, dense->joint_count);

    for (uint32_t i = dense->joint_count; root_joint && i-- > 0;) {
        const int32_t parent = dense->joints[i].parent;

        if (strcmp(dense->joints[i].name, root_joint) == 0)
            travels[i] = 1;
        if (travels[i] && parent >= 0)
            travels[parent] = 1;
    }
    return travels;
}

bool sample_loop_closes(const struct dense_clip *dense, const char *root_joint,
                        struct arena *arena)
{
    const uint8_t *travels = find_travel(dense, root_joint, arena);
    const uint32_t last = dense->frame_count - 1;
    const struct joint_transform *a = dense->locals;
    const struct joint_transform *b = a + (size_t)last * dense->joint_count;
    const float *floats =
        dense->floats ? dense->floats + (size_t)last * dense->float_track_count
                      : NULL;

    for (uint32_t i = 0; i < dense->joint_count; i++) {
        if (!travels[i] && rotation_difference(a[i].rotation, b[i].rotation) >
                               SAMPLE_LOOP_TOLERANCE)
            return false;
        for (int k = 0; k < 3; k++)
            if ((!travels[i] &&
                 fabs(a[i].translation[k] - b[i].translation[k]) >
                     SAMPLE_LOOP_TOLERANCE) ||
                fabs(a[i].scale[k] - b[i].scale[k]) > SAMPLE_LOOP_TOLERANCE)
                return false;
    }
    for (uint32_t i = 0; i < dense->float_track_count; i++)
        if (fabsf(dense->floats[i] - floats[i]) > (float)SAMPLE_LOOP_TOLERANCE)
            return false;
    return last > 0;
}

bool sample_clip(const struct motion *motion, uint32_t index,
                 const struct sample_skeleton *skeleton,
                 const struct sample_options *options, struct arena *arena,
                 const char *path, struct diag *diag, struct sample_grid *grid,
                 struct dense_clip *dense)
{
    const struct motion_clip *clip = &motion->clips[index];
    const double unit_metres = options->unit_metres > 0
                                   ? options->unit_metres
                                   : sample_unit_metres(motion->format);
    uint8_t *joint_is_step = ARENA_NEW(arena, uint8_t, motion->joint_count);

    memset(dense, 0, sizeof *dense);
    dense->name =
        clip->name ? clip->name : arena_format(arena, "clip%u", index);
    if (!sample_grid_choose(clip, options->rate, arena, path, diag, grid))
        return false;
    if (motion->joint_count > SAMPLE_TRANSFORMS_MAX / grid->frame_count)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, dense->name,
                           "%u joints in %u frames, too many",
                           motion->joint_count, grid->frame_count);
    dense->joint_count = motion->joint_count;
    dense->joints = skeleton->joints;
    dense->frame_count = grid->frame_count;
    dense->rate_numerator = grid->rate_numerator;
    dense->rate_denominator = grid->rate_denominator;
    dense->joint_is_step = joint_is_step;
    flag_steps(clip, skeleton, joint_is_step);
    if (!sample_locals(motion, clip, skeleton, unit_metres, grid, arena, path,
                       diag, dense) ||
        !sample_floats(motion, clip, skeleton, grid, arena, path, diag, dense))
        return false;
    dense->frame_is_cut =
        sample_cuts(motion, clip, skeleton, unit_metres, grid, dense, arena);
    dense->loop_closes = sample_loop_closes(dense, NULL, arena);
    return true;
}
