/* play_motion.h - the motion of a joint between two times of a play.
 *
 * With M(t), the transform of the joint in model space without scale, the
 * motion within one pass of a clip is M(from)^-1 M(to): what happens between
 * the times, seen from the joint. Motions of several passes of a loop are put
 * together. In the gap of a loop that does not close, i.e. from its last to its
 * first frame, the joint moves as from the first frame to the second.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAY_MOTION_H
#define SPN_ANIM_PLAY_MOTION_H

#include "anim/play_needs.h"
#include "anim/skeleton_table.h"

#include <spindle/anim_pose.h>
#include <stdint.h>

/* Any thread between two updates; times of at most SPN_ANIM_TIME_MAX in
 * magnitude.
 *
 * joint    of the skeleton
 * scratch  a pose of as many joints; overwritten
 * out      unchanged unless SPN_OK is returned */
spn_status spn__play_motion(const struct anim *a, const struct anim_play *play,
                            const struct skeleton_record *skeleton,
                            uint32_t joint, int64_t from_us, int64_t to_us,
                            const spn_anim_pose *scratch,
                            spn_anim_transform *out);

#endif
