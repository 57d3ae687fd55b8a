/* play_needs.h - which segments plays need, and where they can be sampled.
 *
 * A play needs the segments of the frames around its time; those around its
 * time of the update before, and, if the end of a loop lies between the two
 * times, the first and the last segment, so that the motion between both can be
 * computed; and, if both frames are of one segment, the next one in its
 * direction. The last of these is left out if more than two segments for each
 * play of the clip would be needed.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAY_NEEDS_H
#define SPN_ANIM_PLAY_NEEDS_H

#include "anim/anim_plays.h"
#include "anim/playing_clip.h"
#include "anim/pose/anim_reference.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

/* Once an update, after loads were stepped: open clips that play, and decode
 * what plays need. */
void spn__play_needs_update(struct anim *a);
/* At the end of the update, once more: what jobs have done meanwhile. Then
 * count plays that hold their pose. */
void spn__play_needs_finish(struct anim *a);

/* Float tracks of the clip; 0: not known yet. */
uint32_t spn__play_float_count(const struct anim *a,
                               const struct anim_play *play);

bool spn__play_loops(const struct anim *a, const struct anim_play *play);

/* Two frames in memory, and a position between them. */
struct play_frames {
    const struct playing_clip *clip;
    struct anim_frame from;
    struct anim_frame to;
    float between;
    const spn_fault *fault; /* after an error: where the clip is damaged, from
                             * its start */
};

/* The clip of a play, if it is open. Any thread between two updates. Returns
 * SPN_PENDING, or why it cannot be opened. */
spn_status spn__play_find_clip(const struct anim *a,
                               const struct anim_play *play,
                               const struct playing_clip **out);
/* Two frames of an open clip. The second one is not needed if `between` is 0.
 */
spn_status spn__playing_frames(const struct anim *a,
                               const struct playing_clip *clip, uint32_t frame,
                               uint32_t next, float between,
                               struct play_frames *out);

/* Find the frames of a play at a time. Any thread between two updates.
 *
 * Returns SPN_PENDING: they are not in memory; or why they are damaged. */
spn_status spn__play_find_frames(const struct anim *a,
                                 const struct anim_play *play, int64_t time_us,
                                 struct play_frames *out);

/* Why a play cannot be sampled, from the start of the file that has its clip.
 *
 * frames  of spn__play_find_frames, which returned `status`, an error */
spn_fault spn__play_fault(const struct anim *a, const struct anim_play *play,
                          const struct play_frames *frames, spn_status status);

#endif
