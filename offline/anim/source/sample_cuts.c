/* sample_cuts.c - compare poses between frames with those of the frames. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/sample_cuts.h"

#include "anim/source/evaluate.h"

#include <math.h>

/* A part of a joint changes if a number differs by more than this. */
#define CHANGE_MIN 1e-6
/* It has not left a frame's value if it differs by at most this part of the
 * change. */
#define NEAR_PART 0.02

static double largest_difference(const double *a, const double *b, int count,
                                 double sign)
{
    double largest = 0;

    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(a[i] - sign * b[i]));
    return largest;
}

static double rotation_difference(const double *a, const double *b)
{
    return fmin(largest_difference(a, b, 4, 1),
                largest_difference(a, b, 4, -1));
}

enum jump { JUMP_NO_CHANGE, JUMP_JUMPS, JUMP_MOVES };

/* Judge a part from its distances to the frames. */
static enum jump judge(double change, double from_before, double from_after)
{
    if (change <= CHANGE_MIN)
        return fmin(from_before, from_after) <= CHANGE_MIN ? JUMP_NO_CHANGE
                                                           : JUMP_MOVES;
    return fmin(from_before, from_after) <= NEAR_PART * change ? JUMP_JUMPS
                                                               : JUMP_MOVES;
}

static enum jump worse(enum jump a, enum jump b)
{
    return a > b ? a : b;
}

static enum jump judge_joint(const struct joint_transform *before,
                             const struct joint_transform *after,
                             const struct joint_transform *between,
                             uint8_t is_step)
{
    enum jump jump = JUMP_NO_CHANGE;

    if (!(is_step & DENSE_STEP_ROTATION))
        jump = worse(
            jump,
            judge(rotation_difference(before->rotation, after->rotation),
                  rotation_difference(before->rotation, between->rotation),
                  rotation_difference(after->rotation, between->rotation)));
    if (!(is_step & DENSE_STEP_TRANSLATION))
        jump =
            worse(jump, judge(largest_difference(before->translation,
                                                 after->translation, 3, 1),
                              largest_difference(before->translation,
                                                 between->translation, 3, 1),
                              largest_difference(after->translation,
                                                 between->translation, 3, 1)));
    if (!(is_step & DENSE_STEP_SCALE))
        jump = worse(
            jump,
            judge(largest_difference(before->scale, after->scale, 3, 1),
                  largest_difference(before->scale, between->scale, 3, 1),
                  largest_difference(after->scale, between->scale, 3, 1)));
    return jump;
}

/* Does the source jump on its way to frame `frame`? `pose` has room for one. */
static bool is_cut(const struct motion *motion, const struct motion_clip *clip,
                   const struct sample_skeleton *skeleton, double unit_metres,
                   const struct sample_grid *grid,
                   const struct dense_clip *dense, uint32_t frame,
                   struct joint_transform *pose)
{
    const double begin = grid->times[frame - 1];
    const double interval = grid->times[frame] - begin;
    enum jump jump = JUMP_NO_CHANGE;

    for (int quarter = 1; quarter <= 3; quarter++) {
        const struct joint_transform *after =
            dense->locals + (size_t)frame * dense->joint_count;
        const struct joint_transform *before = after - dense->joint_count;

        evaluate_locals(motion, clip, begin + interval * quarter / 4, pose);
        for (uint32_t i = 0; i < motion->joint_count; i++) {
            const uint32_t place = skeleton->places[i];

            for (int k = 0; k < 3; k++)
                pose[i].translation[k] *= unit_metres;
            jump =
                worse(jump, judge_joint(&before[place], &after[place], &pose[i],
                                        dense->joint_is_step[place]));
            if (jump == JUMP_MOVES)
                return false;
        }
    }
    return jump == JUMP_JUMPS;
}

const uint8_t *sample_cuts(const struct motion *motion,
                           const struct motion_clip *clip,
                           const struct sample_skeleton *skeleton,
                           double unit_metres, const struct sample_grid *grid,
                           const struct dense_clip *dense, struct arena *arena)
{
    struct joint_transform *pose;
    uint8_t *cuts;
    bool has_cuts = false;

    if (grid->every == 1 || grid->frame_count < 2)
        return NULL;
    pose = ARENA_NEW(arena, struct joint_transform, motion->joint_count);
    cuts = ARENA_NEW(arena, uint8_t, grid->frame_count);
    for (uint32_t f = 1; f < grid->frame_count; f++) {
        cuts[f] =
            is_cut(motion, clip, skeleton, unit_metres, grid, dense, f, pose);
        has_cuts = has_cuts || cuts[f];
    }
    return has_cuts ? cuts : NULL;
}
