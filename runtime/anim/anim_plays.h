/* anim_plays.h - clips that play: each wants its clip now. Caller's thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_PLAYS_H
#define SPN_ANIM_ANIM_PLAYS_H

#include <spindle/anim_refs.h>
#include <spindle/anim_sample.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;

struct anim_play {
    uint32_t clip;
    uint32_t updates;
    uint32_t glitches;
    uint32_t held_updates;
    uint64_t skeleton; /* hash of the clip's */
    uint32_t joint_count;
    uint32_t
        playing; /* number of the playing clip (playing_clip.h); UINT32_MAX:
                         * there was no record */
    spn_anim_loop loop;
    int32_t direction; /* given by the game; 0: none */
    bool moves_back;   /* the time's last small step was back */
    bool has_moved;    /* the time was set since the last update */
    int64_t time_us;
    int64_t past_us;      /* at the update before */
    uint64_t deadline_us; /* of its clip: the time at which it started */
};

/* The implementations of the public functions; handles and clips are valid. */
spn_status spn__play_start(struct anim *a, uint32_t clip, spn_anim_play *out);
void spn__play_stop(struct anim *a, spn_anim_play play);
void spn__play_set_time(struct anim_play *play, int64_t time_us);

/* Say again when the clips of all plays are needed. */
void spn__plays_hurry(struct anim *a);
/* Once an update, after results were taken: count glitches. */
void spn__plays_update(struct anim *a);

#endif
