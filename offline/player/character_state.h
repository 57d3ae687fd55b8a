/* character_state.h - what a character of play_clips.h plays now, and what of
 * it is in memory: for a snapshot and for the overlay of view. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_CHARACTER_STATE_H
#define OFFLINE_PLAYER_CHARACTER_STATE_H

#include "player/play_clips.h"

struct character_state {
    spn_anim anim;
    const char *name; /* of the clip; it lives as long as the report */
    uint32_t bytes;
    uint32_t first_bytes; /* of its first part */
    uint32_t frame_count;
    uint32_t frame; /* at the time of the pose, or the one before */
    bool is_ready;  /* the first part is in memory */
    bool is_loaded; /* all is */
    enum play_pose_state pose;
    bool has_skeleton;
    uint32_t glitches; /* pictures of the clip so far, without its first part */
    uint32_t held;     /* others without a pose */
    spn_status status; /* why there is no pose; SPN_OK: there is one, or it is
                        * pending */
};

void character_state_get(const struct play_clips *clips,
                         const struct character *character,
                         struct character_state *out);

/* "sampled", "held", "pending", "failed" or "no skeleton". */
const char *character_state_text(const struct character_state *state);

#endif
