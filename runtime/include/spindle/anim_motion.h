/* anim_motion.h - root motion: how far a joint moves between two times.
 *
 * A motion is a transform without scale, in the space of the joint at the
 * earlier time. So the game multiplies the transform of its object by it:
 *
 *   spn_anim_motion_between(&before, &now, &motion);
 *   spn_anim_transform_multiply(&object, &motion, &object);
 *
 * Transforms of the joint are local, or in model space
 * (spn_anim_pose_get_joint) if it has parents that move. Their rotations are
 * unit quaternions, their scales are ignored. To play backwards, exchange the
 * two times.
 *
 * anim_pose.h explains the terms, threads and errors.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_MOTION_H
#define SPINDLE_ANIM_MOTION_H

#include <spindle/anim_pose.h>
#include <spindle/features.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if SPN_WITH_ANIM

/* Compute (inverse of from) * to.
 *
 * out  it may be `from` or `to` */
spn_status spn_anim_motion_between(const spn_anim_transform *from,
                                   const spn_anim_transform *to,
                                   spn_anim_transform *out);

/* Compute a part of a motion: `part` times its angle, the shorter way round,
 * and `part` times its translation.
 *
 * part  0 to 1; SPN_ERR_ARG otherwise
 * out   it may be `motion` */
spn_status spn_anim_motion_get_part(const spn_anim_transform *motion,
                                    float part, spn_anim_transform *out);

/* The joint in a clip that loops. */
typedef struct spn_anim_loop_ends {
    spn_anim_transform first; /* at the first frame */
    spn_anim_transform last;  /* at the last frame */
    /* The motion from the last frame to the first one of the next round, which
     * is not in the clip. If the loop has a closing frame
     * (SPN_ANIM_LOOP_CLOSES), there is no time between them: the identity.
     * Otherwise it takes as long as from a frame to the next; as
     * spn_anim_play_get_motion does, take the motion from the first frame to
     * the second one. */
    spn_anim_transform closing;
} spn_anim_loop_ends;

/* Compute the motion between two times of a loop.
 *
 *   rounds 0    from -> to
 *   rounds n    from -> last, closing, n - 1 times (first -> last, closing),
 *               first -> to
 *
 * A time between the last and the first frame is at last * (a part of closing)
 * of the round that ends; the pose of the clip is of no use there.
 *
 * from, to  the joint at the two times
 * rounds    how often the first frame is passed between them. The cost grows
 *           with the logarithm of it
 * out       it may be `from` or `to` */
spn_status spn_anim_motion_over_loops(const spn_anim_transform *from,
                                      const spn_anim_transform *to,
                                      const spn_anim_loop_ends *ends,
                                      uint32_t rounds, spn_anim_transform *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
