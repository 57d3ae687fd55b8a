/* anim_timelines.h - timelines of clips to come.
 *
 * A timeline has a reference to the clip of each cue that it holds, wanted with
 * the time of the cue as the deadline. Shortly before that time the clip is
 * opened as for a play, and its first segment is decoded. Both stay for two
 * updates after the time has passed the cue, so that a play that starts then
 * finds them. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_TIMELINES_H
#define SPN_ANIM_ANIM_TIMELINES_H

#include <spindle/anim_timeline.h>
#include <stdint.h>

/* Most cues of a timeline whose clips are open. */
#define TIMELINE_OPEN_MAX 4u

struct anim;

struct anim_timeline {
    const spn_anim_cue *cues; /* of the game */
    uint32_t count;
    uint32_t held;     /* the clips of the cues [held, wanted) are wanted */
    uint32_t released; /* cues [held, released) were passed before the last
                        * update */
    uint32_t first;    /* the first cue that was not passed */
    uint32_t wanted;
    uint32_t open_count; /* the cues [held, held + open_count) are open: */
    uint32_t playing[TIMELINE_OPEN_MAX]; /* of cue c: number c modulo the size;
                                          * see playing_clip.h */
    int64_t time_us;
    uint32_t hits;
    uint32_t misses;
};

/* The implementations of the public functions; handles and clips are valid. */
void spn__timeline_set_cues(struct anim *a, struct anim_timeline *t,
                            const spn_anim_cue *cues, uint32_t count);
/* Want no cue any more. */
void spn__timeline_clear(struct anim *a, struct anim_timeline *t);
void spn__timeline_set_time(struct anim *a, struct anim_timeline *t,
                            int64_t time_us);
void spn__timeline_jump(struct anim *a, struct anim_timeline *t,
                        int64_t time_us);

/* Once an update, before reads are started: release the cues that were passed
 * before the last update, and want those ahead. */
void spn__timelines_update(struct anim *a);

/* Say again when the clips of all cues ahead are needed. */
void spn__timelines_hurry(struct anim *a);

/* The playing clip of an open cue, by numbers that start at 0 for each
 * timeline. PLAYING_NONE: there is none with this number. */
uint32_t spn__timeline_playing(const struct anim_timeline *t, uint32_t number);

#endif
