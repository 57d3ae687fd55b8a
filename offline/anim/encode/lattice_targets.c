/* lattice_targets.c - which joints move rigidly with which. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/affine.h"
#include "anim/encode/lattice.h"

#include <string.h>

void lattice_still_vector(const struct lattice *l, uint32_t joint,
                          uint32_t kind, double value[3])
{
    const struct lattice_track *t = &l->joints[joint].part[kind];
    const struct joint_transform *rest = &l->clip->joints[joint].rest;
    const float offset = kind == ANIM_SCALE ? 1.0f : 0.0f;

    for (int k = 0; k < 3; k++) {
        const float rests =
            (float)(kind == ANIM_SCALE ? rest->scale : rest->translation)[k];
        const int32_t center = t->center[k] * (1 << t->shift);

        value[k] = (double)(t->form == ANIM_FORM_REST
                                ? rests
                                : offset + (float)center * t->step);
    }
}

void lattice_still_rotation(const struct lattice *l, uint32_t joint,
                            double value[4])
{
    const struct lattice_track *t = &l->joints[joint].part[ANIM_ROTATION];

    for (int k = 0; k < 4; k++)
        value[k] = t->form == ANIM_FORM_REST
                       ? l->clip->joints[joint].rest.rotation[k]
                       : (double)t->rotation_center[k];
}

static bool is_still(const struct lattice *l, uint32_t joint, uint32_t kind)
{
    return l->joints[joint].part[kind].form < ANIM_FORM_LINEAR;
}

/* The joint that moves `joint` by its rotation, or -1, and the place of the
 * origin of `joint` in its space. */
static int32_t mover_of(const struct lattice *l, uint32_t joint,
                        double local[3])
{
    int32_t at = l->clip->joints[joint].parent;

    if (!is_still(l, joint, ANIM_TRANSLATION))
        return -1;
    lattice_still_vector(l, joint, ANIM_TRANSLATION, local);
    while (at >= 0 && is_still(l, (uint32_t)at, ANIM_ROTATION)) {
        const uint32_t a = (uint32_t)at;
        double rotation[4];
        double translation[3];
        double scale[3];
        double moved[3];
        struct affine transform;

        if (!is_still(l, a, ANIM_TRANSLATION) || !is_still(l, a, ANIM_SCALE))
            return -1;
        lattice_still_rotation(l, a, rotation);
        lattice_still_vector(l, a, ANIM_TRANSLATION, translation);
        lattice_still_vector(l, a, ANIM_SCALE, scale);
        affine_make(&transform, rotation, translation, scale);
        affine_point(&transform, local, moved);
        memcpy(local, moved, sizeof moved);
        at = l->clip->joints[a].parent;
    }
    return at;
}

/* The largest distance of a target from its joint, in model space. */
static double distance_of(const struct lattice *l, uint32_t joint,
                          uint32_t target)
{
    const uint32_t joints = l->clip->joint_count;
    double square = 0;

    for (uint32_t f = 0; f < l->clip->frame_count; f++) {
        const struct affine *frame = l->original + (size_t)f * joints;

        square = fmax(square, distance_squared(frame[joint].origin,
                                               frame[target].origin));
    }
    return sqrt(square);
}

void lattice_find_targets(struct lattice *l, struct arena *arena)
{
    const uint32_t joints = l->clip->joint_count;
    struct lattice_target *all =
        ARENA_NEW(arena, struct lattice_target, joints);
    int32_t *mover = ARENA_NEW(arena, int32_t, joints);
    uint32_t next = 0;

    for (uint32_t j = 0; j < joints; j++) {
        l->joints[j].bone = LATTICE_SHELL;
        mover[j] = mover_of(l, j, all[j].local);
        if (mover[j] >= 0)
            l->joints[mover[j]].target_count++;
    }
    for (uint32_t j = 0; j < joints; j++) {
        struct lattice_joint *joint = &l->joints[j];
        struct lattice_target *targets =
            ARENA_NEW(arena, struct lattice_target, joint->target_count);

        next = 0;
        for (uint32_t k = j + 1; k < joints; k++)
            if (mover[k] == (int32_t)j) {
                targets[next] = all[k];
                targets[next++].joint = k;
                joint->bone = fmax(joint->bone, distance_of(l, j, k));
            }
        joint->targets = targets;
    }
}
