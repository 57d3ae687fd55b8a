/* source_poses.c - interpolate frames, and evaluate between them. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/source_poses.h"

#include "anim/source/evaluate.h"
#include "anim/source/rotation.h"

#include <math.h>
#include <string.h>

void source_poses_init(struct source_poses *source, struct arena *arena)
{
    source->file_order =
        ARENA_NEW(arena, struct joint_transform, source->motion->joint_count);
}

void source_poses_sampled(const struct source_poses *source, uint32_t frame,
                          double u, struct joint_transform *pose)
{
    const struct dense_clip *dense = source->dense;
    const struct joint_transform *a =
        dense->locals + (size_t)frame * dense->joint_count;
    const bool is_held =
        u == 0 || (dense->frame_is_cut && dense->frame_is_cut[frame + 1]);

    memcpy(pose, a, dense->joint_count * sizeof *a);
    for (uint32_t i = 0; !is_held && i < dense->joint_count; i++) {
        const struct joint_transform *b = &a[dense->joint_count + i];
        const uint8_t step = dense->joint_is_step[i];

        if (!(step & DENSE_STEP_ROTATION))
            rotation_slerp(a[i].rotation, b->rotation, u, pose[i].rotation);
        for (int k = 0; k < 3; k++) {
            if (!(step & DENSE_STEP_TRANSLATION))
                pose[i].translation[k] =
                    (1 - u) * a[i].translation[k] + u * b->translation[k];
            if (!(step & DENSE_STEP_SCALE))
                pose[i].scale[k] = (1 - u) * a[i].scale[k] + u * b->scale[k];
        }
    }
}

void source_poses_curve(const struct source_poses *source, uint32_t frame,
                        double u, struct joint_transform *pose)
{
    const double seconds = (1 - u) * source->grid->times[frame] +
                           u * source->grid->times[frame + 1];

    evaluate_locals(source->motion, source->clip, seconds, source->file_order);
    for (uint32_t i = 0; i < source->motion->joint_count; i++) {
        struct joint_transform *out = &pose[source->skeleton->places[i]];

        *out = source->file_order[i];
        for (int k = 0; k < 3; k++)
            out->translation[k] *= source->unit_metres;
    }
}

double source_poses_lost(const struct source_poses *source, struct arena *arena)
{
    const uint32_t joints = source->dense->joint_count;
    struct joint_transform *a =
        ARENA_NEW(arena, struct joint_transform, joints);
    struct joint_transform *b =
        ARENA_NEW(arena, struct joint_transform, joints);
    struct skin_error skin;
    uint32_t joint;
    double lost = 0;

    skin_error_init(&skin, source->dense->joints, joints, arena);
    for (uint32_t f = 0; f + 1 < source->dense->frame_count; f++)
        for (int i = 1; i < 4; i++) {
            source_poses_sampled(source, f, i / 4.0, a);
            source_poses_curve(source, f, i / 4.0, b);
            lost = fmax(lost, skin_error_measure(&skin, a, b, &joint));
        }
    return lost;
}

bool source_has_curves(const struct motion_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].interpolation == MOTION_CUBIC &&
            clip->channels[i].path != MOTION_WEIGHTS)
            return true;
    return false;
}

/* Sample at a rate and measure; *base becomes the rate of the result. */
static bool try_rate(const struct motion *motion, uint32_t index,
                     const struct sample_skeleton *skeleton,
                     const struct sample_options *sample, const char *path,
                     struct diag *diag, double *base, double *lost)
{
    struct sample_grid grid;
    struct dense_clip dense;
    struct arena arena;
    struct source_poses source = {
        .motion = motion,
        .clip = &motion->clips[index],
        .skeleton = skeleton,
        .unit_metres = sample->unit_metres > 0
                           ? sample->unit_metres
                           : sample_unit_metres(motion->format),
        .grid = &grid,
        .dense = &dense,
    };
    bool is_good;

    arena_init(&arena);
    is_good = sample_clip(motion, index, skeleton, sample, &arena, path, diag,
                          &grid, &dense);
    if (is_good) {
        source_poses_init(&source, &arena);
        *base = (double)grid.rate_numerator / grid.rate_denominator;
        *lost = source_poses_lost(&source, &arena);
    }
    arena_free(&arena);
    return is_good;
}

bool source_follow_rate(const struct motion *motion, uint32_t index,
                        const struct sample_skeleton *skeleton,
                        const struct sample_options *sample, double limit,
                        const char *path, struct diag *diag, double *rate)
{
    struct sample_options tried = *sample;
    double base = 0;
    double lost = 0;
    double ignored;

    *rate = 0;
    if (!source_has_curves(&motion->clips[index]))
        return true;
    if (!try_rate(motion, index, skeleton, &tried, path, diag, &base, &lost))
        return false;
    for (uint32_t m = 2; lost > limit && base * m <= FOLLOW_RATE_MAX; m++) {
        tried.rate = base * m;
        if (!try_rate(motion, index, skeleton, &tried, path, diag, &ignored,
                      &lost))
            return false;
        *rate = tried.rate;
    }
    return true;
}
