/* anim_motion.h - root motion: how far a joint moves between two times.
 *
 * A clip can move the object of a game: each frame the object is moved as far
 * as a joint of the clip moves, and the pose is drawn without that motion.
 *
 *   spn_anim_play_get_motion(rt, play, before_us, now_us, hero, root,
 *                            &scratch, &motion);           (anim_sample.h)
 *   spn_anim_transform_multiply(&object, &motion, &object);
 *
 *   spn_anim_play_sample(rt, play, now_us, hero, &pose, NULL, 0);
 *   spn_anim_pose_remove_motion(&pose, parents, root, NULL, &pose);
 *   ... draw `pose` at `object` ...
 *
 * A motion is a transform without scale, in the space of the joint at the
 * earlier time: (inverse of the joint then) * (the joint now). So the object
 * above stands for the joint: it has the joint's position and axes. That fits
 * a joint on the ground whose axes are those of the model. If the object lies
 * elsewhere, e.g. on the ground below the hips, the game says where the joint
 * is in the object (`place`), e.g. its transform in the rest pose:
 *
 *   spn_anim_motion_to_object(&motion, &place, &motion);
 *   spn_anim_transform_multiply(&object, &motion, &object);
 *   spn_anim_pose_remove_motion(&pose, parents, root, &place, &pose);
 *
 * Transforms of a joint are in model space (spn_anim_pose_get_joint); those of
 * a root may be local, which is the same. Rotations are unit quaternions,
 * scales are ignored. To play backwards, exchange the two times.
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

/* Compute the motion of an object in which the joint has a place:
 * place * motion * (inverse of place).
 *
 * place  the joint in the space of the object
 * out    it may be `motion` or `place` */
spn_status spn_anim_motion_to_object(const spn_anim_transform *motion,
                                     const spn_anim_transform *place,
                                     spn_anim_transform *out);

/* Remove the motion of a joint from a pose: the whole pose is moved and turned
 * so that the joint is at its place in the object. All roots change; the other
 * joints follow them.
 *
 * pose     local transforms
 * parents  as spn_anim_pose_to_matrices
 * joint    below joint_count; SPN_ERR_ARG otherwise
 * place    the joint in the space of the object; NULL: at its origin, not
 *          rotated
 * out      output, of as many joints; it may be `pose` */
spn_status spn_anim_pose_remove_motion(const spn_anim_pose *pose,
                                       const uint16_t *parents, uint32_t joint,
                                       const spn_anim_transform *place,
                                       const spn_anim_pose *out);

/* The joint in a clip that loops. */
typedef struct spn_anim_loop_ends {
    spn_anim_transform first; /* at the first frame */
    spn_anim_transform last;  /* at the last frame */
    /* The motion from the last frame to the first one of the next pass, which
     * is not in the clip. If the loop has a closing frame
     * (SPN_ANIM_CLOSES), there is no time between them: the identity.
     * Otherwise it takes as long as from a frame to the next; as
     * spn_anim_play_get_motion does, take the motion from the first frame to
     * the second one. */
    spn_anim_transform closing;
} spn_anim_loop_ends;

/* Compute the motion between two times of a loop.
 *
 *   passes 0    from -> to
 *   passes n    from -> last, closing, n - 1 times (first -> last, closing),
 *               first -> to
 *
 * A time between the last and the first frame is at last * (a part of closing)
 * of the pass that ends. The joint of a sampled pose goes back to the first
 * frame there: it must not be used as `from` or `to`.
 *
 * from, to  the joint at the two times
 * passes    how often the first frame is passed between them. The cost grows
 *           with the logarithm of it
 * out       it may be `from` or `to` */
spn_status spn_anim_motion_over_loops(const spn_anim_transform *from,
                                      const spn_anim_transform *to,
                                      const spn_anim_loop_ends *ends,
                                      uint32_t passes, spn_anim_transform *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
