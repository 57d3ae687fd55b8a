/* pose_sample.h - local poses of a clip, as structures of arrays.
 *
 * Pure functions; any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_POSE_SAMPLE_H
#define SPN_ANIM_POSE_POSE_SAMPLE_H

#include "anim/pose/anim_reference.h"

/* Sample a clip between two frames.
 *
 * rest      the rest pose of the skeleton, with tracks->joint_count joints
 * from, to  neighbouring frames; both may be the same. If `to` is a cut, the
 *           pose of `from` is held
 * u         position between them, in [0, 1)
 * pose      output, of as many joints; pose->cpu is of SPN_CPU_... It may be
 *           `rest`
 * floats    output, [float track]; NULL: not wanted
 */
void spn__pose_sample(const struct anim_tracks *tracks,
                      const spn_anim_pose *rest, struct anim_frame from,
                      struct anim_frame to, float u, const spn_anim_pose *pose,
                      float *floats);

#endif
