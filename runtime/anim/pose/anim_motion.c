/* anim_motion.c - how far a joint moves between two times. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/anim_reference.h"
#include "anim/pose/pose_check.h"
#include "anim/pose/pose_transform.h"
#include "base/mem.h"
#include "codec/lift/root.h"

#include <spindle/anim_motion.h>
#include <spindle/features.h>

#if SPN_WITH_ANIM

static const spn_anim_transform identity = {.rotation = {0, 0, 0, 1},
                                            .scale = {1, 1, 1}};

/* (inverse of from) * to. */
static void motion_between(const spn_anim_transform *from,
                           const spn_anim_transform *to,
                           spn_anim_transform *out)
{
    const float inverse[4] = {-from->rotation[0], -from->rotation[1],
                              -from->rotation[2], from->rotation[3]};
    spn_anim_transform motion = {.scale = {1, 1, 1}};

    for (int k = 0; k < 3; k++)
        motion.translation[k] = to->translation[k] - from->translation[k];
    spn__joint_rotate(inverse, motion.translation, motion.translation);
    spn__anim_multiply(inverse, to->rotation, motion.rotation);
    *out = motion;
}

static void without_scale(spn_anim_transform *transform)
{
    for (int k = 0; k < 3; k++)
        transform->scale[k] = 1;
}

spn_status spn_anim_motion_between(const spn_anim_transform *from,
                                   const spn_anim_transform *to,
                                   spn_anim_transform *out)
{
    if (!from || !to || !out)
        return SPN_ERR_ARG;
    motion_between(from, to, out);
    return SPN_OK;
}

spn_status spn_anim_motion_get_part(const spn_anim_transform *motion,
                                    float part, spn_anim_transform *out)
{
    static const float none[4] = {0, 0, 0, 1};
    spn_anim_transform result = {.scale = {1, 1, 1}};
    struct anim_slerp slerp[2];
    float to[4];

    if (!motion || !(part >= 0 && part <= 1) || !out)
        return SPN_ERR_ARG;
    for (int k = 0; k < 4; k++)
        to[k] = motion->rotation[3] < 0 ? -motion->rotation[k]
                                        : motion->rotation[k];
    spn__anim_slerp_init(&slerp[0], 1.0f - part);
    spn__anim_slerp_init(&slerp[1], part);
    spn__anim_slerp(slerp, none, to, result.rotation);
    for (int k = 0; k < 3; k++)
        result.translation[k] = motion->translation[k] * part;
    *out = result;
    return SPN_OK;
}

/* The transform that moves `from` to `to`, in the space of both: to * (inverse
 * of from). */
static void displacement(const spn_anim_transform *from,
                         const spn_anim_transform *to, spn_anim_transform *out)
{
    spn_anim_transform inverse = *from;
    spn_anim_transform target = *to;

    without_scale(&inverse);
    without_scale(&target);
    motion_between(&inverse, &identity, &inverse);
    spn__joint_multiply(&target, &inverse, out);
}

spn_status spn_anim_motion_to_object(const spn_anim_transform *motion,
                                     const spn_anim_transform *place,
                                     spn_anim_transform *out)
{
    spn_anim_transform moved;

    if (!motion || !place || !out)
        return SPN_ERR_ARG;
    moved = *place;
    without_scale(&moved);
    spn__joint_multiply(&moved, motion, &moved);
    displacement(place, &moved, out);
    return SPN_OK;
}

spn_status spn_anim_pose_remove_motion(const spn_anim_pose *pose,
                                       const uint16_t *parents, uint32_t joint,
                                       const spn_anim_transform *place,
                                       const spn_anim_pose *out)
{
    spn_anim_transform move;
    spn_status status;

    if (!are_poses(pose, out))
        return SPN_ERR_ARG;
    status = spn_anim_pose_get_joint(pose, parents, joint, &move);
    if (status != SPN_OK)
        return status;
    displacement(&move, place ? place : &identity, &move);
    if (out->values != pose->values)
        memcpy(out->values, pose->values,
               SPN_ANIM_POSE_BYTES(pose->joint_count));
    for (uint32_t j = 0; j < out->joint_count; j++) {
        spn_anim_transform root;

        if (parents[j] < j)
            continue;
        spn__pose_get(out, j, &root);
        spn__joint_multiply(&move, &root, &root);
        spn__pose_set(out, j, &root);
    }
    return SPN_OK;
}

/* Powers would multiply what the length is off 1. */
static void normalize(float q[4])
{
    const float square =
        ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3];

    if (!(square > 0.5f && square < 2.0f))
        return;
    for (int k = 0; k < 4; k++)
        q[k] /= spn__float_root(square);
}

/* pass^passes, by squares. */
static void repeat(spn_anim_transform pass, uint32_t passes,
                   spn_anim_transform *out)
{
    *out = (spn_anim_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    for (; passes > 0; passes >>= 1) {
        normalize(pass.rotation);
        if (passes & 1)
            spn__joint_multiply(out, &pass, out);
        spn__joint_multiply(&pass, &pass, &pass);
    }
}

spn_status spn_anim_motion_over_loops(const spn_anim_transform *from,
                                      const spn_anim_transform *to,
                                      const spn_anim_loop_ends *ends,
                                      uint32_t passes, spn_anim_transform *out)
{
    spn_anim_transform closing;
    spn_anim_transform motion;
    spn_anim_transform pass;
    spn_anim_transform rest;

    if (!from || !to || !ends || !out)
        return SPN_ERR_ARG;
    if (passes == 0) {
        motion_between(from, to, out);
        return SPN_OK;
    }
    closing = ends->closing;
    without_scale(&closing);
    motion_between(&ends->first, &ends->last, &pass);
    spn__joint_multiply(&pass, &closing, &pass);
    repeat(pass, passes - 1, &pass);
    motion_between(from, &ends->last, &motion);
    spn__joint_multiply(&motion, &closing, &motion);
    spn__joint_multiply(&motion, &pass, &motion);
    motion_between(&ends->first, to, &rest);
    spn__joint_multiply(&motion, &rest, out);
    return SPN_OK;
}

#endif
