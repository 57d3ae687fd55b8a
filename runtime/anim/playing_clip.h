/* playing_clip.h - a clip that plays: its tracks and its decoded windows.
 *
 * As long as a clip has plays, or cues whose time is near (anim_timelines.h),
 * which count as plays here, it is opened: its head is decoded to tracks
 * (anim_clip.h), once for all of them. Of its segments those are decoded to
 * windows that a play needs at its time, at its time before, or soon
 * (play_needs.h). A clip without plays has nothing here.
 *
 *   PLAYING_WAITING    for the first part of the clip, or a turn
 *   PLAYING_MEASURING  a job decodes the head to see how large the tracks are
 *   PLAYING_MEASURED   it waits for memory
 *   PLAYING_OPENING    a job decodes the head into the memory
 *   PLAYING_OPEN       windows are decoded
 *   PLAYING_FAILED     the head is damaged; see `job`
 *
 *   WINDOW_EMPTY     needed; waits for its bytes, for memory, or for a turn
 *   WINDOW_DECODING  a job decodes it
 *   WINDOW_READY     to be sampled, by any thread between two updates
 *   WINDOW_DAMAGED   the segment is damaged; see `job`
 *
 * Memory. One contiguous block has the tracks and two windows, which is what
 * one play needs; each further window, for plays at other times, is a block of
 * its own. The work is done by workers, except for what a play lacks now: the
 * first anim_decode_now pieces of it are done by the update itself, so that a
 * clip in memory has a pose after the first update of its play.
 *
 * States change in updates, and in calls on the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_PLAYING_CLIP_H
#define SPN_ANIM_PLAYING_CLIP_H

#include "anim/anim_clip.h"
#include "anim/anim_segment.h"
#include "anim/clip_index.h"
#include "anim/pose/anim_window.h"
#include "base/atomic.h"
#include "base/carve.h"
#include "base/heap.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stdint.h>

struct anim;
struct range_load;

/* No playing clip, no window. */
#define PLAYING_NONE UINT32_MAX
/* Windows in the block of the tracks. */
#define PLAYING_SLOTS 2u

enum playing_state {
    PLAYING_FREE,
    PLAYING_WAITING,
    PLAYING_MEASURING,
    PLAYING_MEASURED,
    PLAYING_OPENING,
    PLAYING_OPEN,
    PLAYING_FAILED
};

enum window_state {
    WINDOW_FREE,
    WINDOW_EMPTY,
    WINDOW_DECODING,
    WINDOW_READY,
    WINDOW_DAMAGED
};

/* Why a window is needed; the larger number is decoded first. */
enum window_need {
    WINDOW_IS_IDLE,  /* no play needs it */
    WINDOW_IS_AHEAD, /* it is next in the direction of a play */
    WINDOW_IS_PAST,  /* of the time before; for root motion. It is kept, but
                      * not decoded again */
    WINDOW_IS_END,   /* of an end of a loop that was passed; for root motion */
    WINDOW_IS_NOW
};

/* The result of a piece of work, written by the thread that does it. */
struct playing_job {
    spn_status status;
    spn_fault fault;
    struct atomic_u32 is_done; /* set at the end of a job */
};

struct playing_clip {
    struct anim *anim; /* fixed after init */
    /* caller */
    enum playing_state state;
    uint32_t clip;
    struct clip_facts facts; /* of it */
    uint32_t play_count;
    uint32_t needed;       /* windows that are not idle */
    uint32_t first_window; /* list by playing_window.next */
    uint32_t used_slots;   /* bit i: a window uses slot i */
    uint32_t next;         /* with the same place in the table; or next free */
    heap_handle block;     /* 0: none */
    /* The compressed bytes. They stay where they are while the clip has plays;
     * after that while a job uses them (range_load.users). */
    struct range_load *load;
    heap_handle source;
    uint32_t source_start;
    /* A job while PLAYING_MEASURING or PLAYING_OPENING; then only read */
    uint32_t track_bytes; /* multiples of 4 */
    uint32_t window_bytes;
    uint32_t table_bytes; /* of a copy of the table of segments; 0: it is
                           * contiguous in the compressed bytes */
    struct anim_clip open;
    struct playing_job job;
};

struct playing_window {
    /* caller */
    enum window_state state;
    enum window_need need;
    uint32_t owner; /* playing clip */
    uint32_t segment;
    uint32_t next;     /* of the owner, or next free; PLAYING_NONE: the end */
    uint32_t previous; /* of the owner; PLAYING_NONE: it is the first */
    uint32_t same;     /* the next one with the same place in the table */
    uint32_t slot;     /* PLAYING_SLOTS: it has a block of its own */
    heap_handle block; /* 0: none */
    /* A job while WINDOW_DECODING; then only read */
    struct anim_window window;
    struct playing_job job;
};

struct playing_table {
    /* fixed after init */
    struct playing_clip *clips;
    struct playing_window *windows;
    uint32_t *places; /* by hash of the clip: the first one; PLAYING_NONE */
    uint32_t clip_count;
    uint32_t window_count;
    uint32_t place_count; /* power of two */
    /* By hash of the playing clip and the segment: the first window. */
    uint32_t *window_places;
    uint32_t window_place_count; /* power of two */
    struct anim_decoder_tables *tables;
    /* caller */
    uint32_t free_clip;
    uint32_t free_window;
    uint32_t busy;   /* clips and windows with a job */
    uint32_t takes;  /* attempts to take memory, since init */
    uint32_t blocks; /* of these, those that succeeded */
    /* Window of a clip in which nothing moves. */
    struct anim_window still;
};

/* Whether a piece of work has ended. */
static inline bool spn__playing_is_done(const struct playing_job *job)
{
    /* Pairs with the store at the end of a job. */
    return atomic_load_acquire(&job->is_done) != 0;
}

/* cue_count  clips that are opened without a play */
void spn__playing_init(struct playing_table *table, struct carve *carve,
                       uint32_t play_count, uint32_t cue_count);
void spn__playing_begin(struct anim *a);

/* Find the playing clip of a clip, or begin one, for one more play of it, which
 * has a reference to the clip. PLAYING_NONE: there is no record now. */
uint32_t spn__playing_join(struct anim *a, uint32_t clip);
/* One play less; its reference may be released. After the last one all is freed
 * as soon as no job uses it. */
void spn__playing_leave(struct anim *a, uint32_t playing);

/* The steps of an update: take the results of jobs, and end what has no plays
 * any more; open clips; free idle windows, and decode those that are needed.
 *
 * budget  pieces of work that may be done at once; reduced */
void spn__playing_collect(struct anim *a);
void spn__playing_open(struct anim *a, struct playing_clip *p,
                       uint32_t *budget);
void spn__playing_decode(struct anim *a, uint32_t *budget);

/* Free everything, one step for each call; true when nothing is left. */
bool spn__playing_shutdown(struct anim *a);
/* Add the pages of all to *pages, and count plays; false if the state
 * contradicts itself. */
bool spn__playing_check(const struct anim *a, uint64_t *pages);

#endif
