/* anim_plays.h - clips that play, and timelines of clips to come.
 *
 * Both want clips with a deadline: a play now, a timeline at the time of the
 * cue. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_PLAYS_H
#define SPN_ANIM_ANIM_PLAYS_H

#include <spindle/anim_refs.h>
#include <spindle/anim_sample.h>
#include <spindle/anim_timeline.h>
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
    uint32_t
        playing; /* number of the playing clip (playing_clip.h); UINT32_MAX:
                         * there was no record */
    spn_anim_loop loop;
    int32_t direction; /* given by the game; 0: none */
    bool moves_back;   /* the time's last small step was back */
    bool has_moved;    /* the time was set since the last update */
    int64_t time_us;
    int64_t past_us; /* at the update before */
};

struct anim_timeline {
    const spn_anim_cue *cues; /* of the game */
    uint32_t count;
    uint32_t first;  /* the first cue that was not passed */
    uint32_t wanted; /* clips of the cues [first, wanted) are wanted */
    int64_t time_us;
    uint32_t hits;
    uint32_t misses;
};

/* The implementations of the public functions; handles and clips are valid. */
spn_status spn__play_start(struct anim *a, uint32_t clip, spn_anim_play *out);
void spn__play_stop(struct anim *a, spn_anim_play play);
void spn__play_set_time(struct anim_play *play, int64_t time_us);
void spn__timeline_set_cues(struct anim *a, struct anim_timeline *t,
                            const spn_anim_cue *cues, uint32_t count);
/* Want no cue any more. */
void spn__timeline_clear(struct anim *a, struct anim_timeline *t);
void spn__timeline_set_time(struct anim *a, struct anim_timeline *t,
                            int64_t time_us);

/* Once an update, before reads are started: want the cues ahead. */
void spn__timelines_update(struct anim *a);
/* Once an update, after results were taken: count glitches. */
void spn__plays_update(struct anim *a);

#endif
