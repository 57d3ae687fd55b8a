/* anim_limits.h - the largest clips and skeletons that files may have. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_LIMITS_H
#define SPN_ANIM_ANIM_LIMITS_H

#include <spindle/anim_pose.h>
#include <stdint.h>

#define ANIM_JOINTS_MAX SPN_ANIM_JOINTS_MAX
#define ANIM_NAME_BYTES_MAX 4096u /* of a joint, with the NUL */
#define ANIM_FLOAT_TRACKS_MAX 4096u
#define ANIM_FRAMES_MAX (UINT32_C(1) << 24)
#define ANIM_RATE_MAX 100000u /* of numerator and denominator */

#endif
