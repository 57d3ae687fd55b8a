/* sample_cuts.c - compare poses between frames with those of the frames. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/sample_cuts.h"

#include "anim/source/evaluate.h"
#include "anim/source/rotation.h"

#include <math.h>

/* A part of a joint changes if a number differs by more than this. */
#define CHANGE_MIN 1e-6
/* It has not left a frame's value if it differs by at most this part of the
 * change. */
#define NEAR_PART 0.02

enum jump { JUMP_NO_CHANGE, JUMP_JUMPS, JUMP_MOVES };

static enum jump jump_max(enum jump a, enum jump b)
{
    return a > b ? a : b;
}

/* The values of a part of a joint in the frame before, in the frame after, and
 * between them. */
struct part {
    const double *before;
    const double *after;
    const double *between;
};

typedef double difference_fn(const double *a, const double *b);

static double vector_difference(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

static enum jump classify_part(const struct part *part,
                               difference_fn *difference)
{
    const double change = difference(part->before, part->after);
    const double away = fmin(difference(part->before, part->between),
                             difference(part->after, part->between));

    if (change <= CHANGE_MIN)
        return away <= CHANGE_MIN ? JUMP_NO_CHANGE : JUMP_MOVES;
    return away <= NEAR_PART * change ? JUMP_JUMPS : JUMP_MOVES;
}

static enum jump classify_joint(const struct joint_transform *before,
                                const struct joint_transform *after,
                                const struct joint_transform *between,
                                uint8_t is_step)
{
    const struct part rotation = {before->rotation, after->rotation,
                                  between->rotation};
    const struct part translation = {before->translation, after->translation,
                                     between->translation};
    const struct part scale = {before->scale, after->scale, between->scale};
    enum jump jump = JUMP_NO_CHANGE;

    if (!(is_step & DENSE_STEP_ROTATION))
        jump = jump_max(jump, classify_part(&rotation, rotation_difference));
    if (!(is_step & DENSE_STEP_TRANSLATION))
        jump = jump_max(jump, classify_part(&translation, vector_difference));
    if (!(is_step & DENSE_STEP_SCALE))
        jump = jump_max(jump, classify_part(&scale, vector_difference));
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
            jump = jump_max(jump, classify_joint(&before[place], &after[place],
                                                 &pose[i],
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
