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

/* The time at the position u between `frame` and the next frame. */
static double time_between(const struct source_poses *source, uint32_t frame,
                           double u)
{
    return (1 - u) * source->grid->times[frame] +
           u * source->grid->times[frame + 1];
}

void source_poses_curve(const struct source_poses *source, uint32_t frame,
                        double u, struct joint_transform *pose)
{
    evaluate_locals(source->motion, source->clip,
                    time_between(source, frame, u), source->file_order);
    for (uint32_t i = 0; i < source->motion->joint_count; i++) {
        struct joint_transform *out = &pose[source->skeleton->places[i]];

        *out = source->file_order[i];
        for (int k = 0; k < 3; k++)
            out->translation[k] *= source->unit_metres;
    }
}

/* Set the parts of a sampled pose that have cubic curves to those of `curve`.
 */
static void take_curves(const struct source_poses *source,
                        const struct joint_transform *curve,
                        struct joint_transform *pose)
{
    for (uint32_t i = 0; i < source->clip->channel_count; i++) {
        const struct motion_channel *channel = &source->clip->channels[i];
        const uint32_t place = source->skeleton->places[channel->joint];
        const struct joint_transform *from = &curve[place];
        struct joint_transform *to = &pose[place];

        if (channel->interpolation != MOTION_CUBIC)
            continue;
        if (channel->path == MOTION_ROTATION)
            memcpy(to->rotation, from->rotation, sizeof to->rotation);
        else if (channel->path == MOTION_TRANSLATION)
            memcpy(to->translation, from->translation, sizeof to->translation);
        else if (channel->path == MOTION_SCALE)
            memcpy(to->scale, from->scale, sizeof to->scale);
    }
}

/* The largest distance of a float track from its cubic curve at a time.
 * `values` has room for all float tracks. */
static double floats_lost(const struct source_poses *source, uint32_t frame,
                          double u, double *values)
{
    const uint32_t count = source->dense->float_track_count;
    const float *a = source->dense->floats + (size_t)frame * count;
    const float *b = a + count;
    double lost = 0;

    for (uint32_t i = 0; i < source->clip->channel_count; i++) {
        const struct motion_channel *channel = &source->clip->channels[i];

        if (channel->path != MOTION_WEIGHTS)
            continue;
        if (channel->interpolation == MOTION_CUBIC) {
            evaluate_channel(channel, time_between(source, frame, u), values);
            for (uint32_t k = 0; k < channel->width; k++)
                lost = fmax(lost, fabs(values[k] - (1 - u) * (double)a[k] -
                                       u * (double)b[k]));
        }
        a += channel->width;
        b += channel->width;
    }
    return lost;
}

struct source_loss source_poses_lost(const struct source_poses *source,
                                     struct arena *arena)
{
    const struct dense_clip *dense = source->dense;
    const uint32_t joints = dense->joint_count;
    struct joint_transform *sampled =
        ARENA_NEW(arena, struct joint_transform, joints);
    struct joint_transform *curve =
        ARENA_NEW(arena, struct joint_transform, joints);
    struct joint_transform *wanted =
        ARENA_NEW(arena, struct joint_transform, joints);
    double *values = ARENA_NEW(arena, double, dense->float_track_count);
    struct source_loss lost = {0, 0};
    struct skin_error skin;
    uint32_t joint;

    skin_error_init(&skin, dense->joints, joints, arena);
    for (uint32_t f = 0; f + 1 < dense->frame_count; f++) {
        if (dense->frame_is_cut && dense->frame_is_cut[f + 1])
            continue;
        for (int i = 1; i < 4; i++) {
            source_poses_sampled(source, f, i / 4.0, sampled);
            source_poses_curve(source, f, i / 4.0, curve);
            memcpy(wanted, sampled, joints * sizeof *wanted);
            take_curves(source, curve, wanted);
            lost.metres = fmax(lost.metres, skin_error_measure(&skin, sampled,
                                                               wanted, &joint));
            if (dense->float_track_count > 0)
                lost.floats =
                    fmax(lost.floats, floats_lost(source, f, i / 4.0, values));
        }
    }
    return lost;
}

bool source_loss_exceeds(const struct source_loss *loss,
                         const struct source_loss *limit)
{
    return loss->metres > limit->metres || loss->floats > limit->floats;
}

bool source_has_curves(const struct motion_clip *clip)
{
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].interpolation == MOTION_CUBIC)
            return true;
    return false;
}

/* Sample at a rate and measure; *base becomes the rate of the result. */
static bool try_rate(const struct motion *motion, uint32_t index,
                     const struct sample_skeleton *skeleton,
                     const struct sample_options *sample, const char *path,
                     struct diag *diag, double *base, struct source_loss *lost)
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
                        const struct sample_options *sample,
                        const struct source_loss *limit, const char *path,
                        struct diag *diag, double *rate)
{
    struct sample_options tried = *sample;
    double base = 0;
    struct source_loss lost = {0, 0};
    double ignored;

    *rate = 0;
    if (!source_has_curves(&motion->clips[index]))
        return true;
    if (!try_rate(motion, index, skeleton, &tried, path, diag, &base, &lost))
        return false;
    for (uint32_t m = 2;
         source_loss_exceeds(&lost, limit) && base * m <= FOLLOW_RATE_MAX;
         m++) {
        tried.rate = base * m;
        if (!try_rate(motion, index, skeleton, &tried, path, diag, &ignored,
                      &lost))
            return false;
        *rate = tried.rate;
    }
    return true;
}
