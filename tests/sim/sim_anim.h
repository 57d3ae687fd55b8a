/* sim_anim.h - a caller that uses animation clips, and the truth about them.
 *
 *   sim_anim.c            the image or loose headers, sizes, recovery, the end
 *   sim_anim_calls.c      references, plays, databases
 *   sim_anim_timelines.c  timelines
 *   sim_anim_poses.c      skeletons, times of plays, sampled poses
 *   sim_anim_modes.h      how the times of plays go on
 *   sim_anim_blends.h, sim_anim_motion.h   what is made of poses
 *   sim_anim_aborts.h     reads that end early
 *   sim_anim_pak.h        the pak that has the files
 *   sim_anim_truth.c      what must be in memory, and what may not
 *   sim_anim_events.c     events, and why bytes were freed
 *
 * The truth knows the calls, and the rules of spindle/anim.h. It computes which
 * clips are wanted and which databases are in use, and compares after each
 * update: nothing that is wanted was freed or moved, what is reported as loaded
 * has the bytes of the disc, and nothing idle was freed before its grace ended
 * unless memory was needed. Random numbers have a generator of their own.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_ANIM_H
#define TESTS_SIM_SIM_ANIM_H

#include "harness.h"
#include "sim/anim/sim_anim_aborts.h"
#include "sim/anim/sim_anim_blends.h"
#include "sim/anim/sim_anim_modes.h"
#include "sim/anim/sim_anim_motion.h"
#include "sim/anim/sim_anim_pak.h"
#include "sim/made_anim.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

#define SIM_ANIM_PLAYS 6u
#define SIM_ANIM_TIMELINES 2u
#define SIM_ANIM_CUES 12u
#define SIM_ANIM_REFS 3u
#define SIM_ANIM_LOADS 32u
/* Clips, then databases. */
#define SIM_ANIM_ITEMS (MADE_ANIM_CLIPS + MADE_ANIM_DATABASES)

struct sim;

/* The bytes of a clip's own, or of a database. */
struct sim_anim_item {
    bool is_wanted;     /* at the end of the last update */
    bool was_unwanted;  /* at any time since then */
    uint32_t quiet;     /* updates since the last call that concerns it */
    uint64_t unused_us; /* it was unused from then on, or later; */
    uint64_t surely_us; /* and from then on; UINT64_MAX: unknown */
    bool is_unloaded;   /* by a call, since the last update */
    bool is_used;       /* the same, so that its time-outs begin anew */
    /* by events */
    bool is_ready;
    bool is_loaded;
    bool is_hidden;
};

struct sim_anim_clip {
    spn_anim anim; /* 0: not known yet */
    uint32_t refs; /* that the caller added */
    bool is_locked;
    bool was_ok;      /* at the end of the last update */
    const void *data; /* then: its first byte */
    uint64_t taints;  /* of the disc, when it was not in memory */
};

struct sim_anim_database {
    spn_anim_database database; /* 0: not known yet */
    bool is_locked;
    uint32_t owners;
    bool was_ok;
};

struct sim_anim_play {
    spn_anim_play play; /* 0: none */
    spn_anim_play old_play;
    uint32_t clip;
    uint32_t updates;
    uint32_t glitches;
    uint32_t held; /* updates without a pose */
    int64_t time_us;
    struct sim_anim_mode mode;
    bool had_pose;     /* at the end of the update before */
    int64_t before_us; /* its time then */
};

struct sim_anim_timeline {
    spn_anim_timeline timeline; /* 0: none */
    /* Those of now, and those before: these are the runtime's until they are
     * replaced. */
    spn_anim_cue cues[2][SIM_ANIM_CUES];
    uint32_t clips[2][SIM_ANIM_CUES];
    uint32_t now; /* 0 or 1 */
    uint32_t count;
    int64_t time_us;
    uint32_t held;     /* the clips of the cues [held, wanted) are wanted */
    uint32_t released; /* the cues [held, released) no longer from the next
                        * update on */
    uint32_t first;
    uint32_t wanted;
    uint32_t hits;
    uint32_t misses;
};

/* What a change of memory is explained by. */
struct sim_anim_sums {
    spn_anim_stats stats; /* at the end of the last update, before reactions */
    spn_anim_stats now;   /* of this update */
    uint32_t early;       /* events since then of what was freed in its grace */
    uint32_t freed;       /* all such events, without those of calls */
    uint32_t failed;      /* all events of failures so far */
    uint32_t takes;       /* attempts of clips that play to take memory */
    uint32_t blocks;      /* that they have taken */
    uint32_t skeletons;   /* that have memory */
    uint32_t refusals;    /* of memory to others */
    bool was_lacking;     /* something wanted was not in memory */
    bool was_short;       /* streams had too little memory */
    uint32_t load_blocks[SIM_ANIM_LOADS]; /* of the heap, before the update */
};

struct sim_anim {
    struct test_random random;
    struct test_random acts; /* of how plays go on and are sampled */
    bool is_on;
    bool is_loose;        /* headers come from files */
    bool is_open;         /* the image, or all loose headers */
    bool is_blind;        /* events were lost */
    bool is_inside;       /* of the function that gets events */
    bool is_waiting;      /* in a synchronous load */
    bool has_reacted;     /* in it, in this update */
    bool was_changed;     /* tuning variables, since the last update */
    uint32_t rest_frames; /* without calls */
    uint64_t before_us;   /* time of the update before */
    struct sim_anim_clip clips[MADE_ANIM_CLIPS];
    struct sim_anim_database databases[MADE_ANIM_DATABASES];
    struct sim_anim_item items[SIM_ANIM_ITEMS];
    struct sim_anim_play plays[SIM_ANIM_PLAYS];
    spn_anim_skeleton skeletons[MADE_ANIM_REAL]; /* 0: none */
    struct sim_anim_timeline timelines[SIM_ANIM_TIMELINES];
    struct sim_anim_sums sums;
    struct sim_anim_aborts aborts;
    struct sim_anim_pak pak;
    /* tuning variables */
    uint32_t grace_ms;
    uint32_t unregister_ms;
    uint32_t remove_ms;
    uint32_t ahead_ms;
    uint32_t memory_kib;
    uint32_t memory_least; /* the least value of memory_kib so far */
    bool may_unload;
    bool may_unload_clips;
};

void sim_anim_init(struct sim *sim);
void sim_anim_add_sizes(const struct sim *sim, spn_config *config);
/* After the sizes of a poor seed were drawn. */
void sim_anim_make_poor(struct sim *sim);
/* After spn_init. */
void sim_anim_begin(struct sim *sim);
/* The caller's calls of a frame. */
void sim_anim_frame(struct sim *sim);
/* A call by another thread. */
void sim_anim_thread(struct sim *sim);
/* Before a call that takes changes of references as an update does: what is
 * lacking now may free what is idle, though it is not wanted any more at the
 * update. */
void sim_anim_note_lack(struct sim *sim);
/* Immediately before spn_update, and after it. */
void sim_anim_begin_update(struct sim *sim);
void sim_anim_end_update(struct sim *sim);
/* A file is about to be read. */
void sim_anim_check_submit(struct sim *sim, uint32_t file);
/* Faults are over: want no more than the reserve of clips has room for. */
void sim_anim_end_faults(struct sim *sim);
/* True if all that is wanted is in memory. */
bool sim_anim_recover(struct sim *sim);
/* Want nothing. */
void sim_anim_close(struct sim *sim);
/* True if only the image is in memory. */
bool sim_anim_is_empty(const struct sim *sim);

/* True if a clip itself, not only its database, is in memory. */
bool sim_anim_has_own_bytes(const struct sim *sim, uint32_t clip);
/* Pages of the image, and of the reserve. */
uint32_t sim_anim_image_pages(const struct sim *sim);
uint32_t sim_anim_reserve_pages(const struct sim *sim);
/* Planted bugs; false: there is no opportunity. */
bool sim_anim_change_byte(struct sim *sim);
bool sim_anim_free_wanted(struct sim *sim);
bool sim_anim_add_glitch(struct sim *sim);

/* -- functions for these files -- */

uint32_t sim_anim_below(struct sim *sim, uint32_t limit);
/* Whether the faults so far explain that something could not be read. */
bool sim_anim_is_legal(const struct sim *sim, spn_status status);
/* Open the image, or name files. */
void sim_anim_open(struct sim *sim);
/* Open skeletons, and set the times of plays. */
void sim_anim_poses_frame(struct sim *sim);
/* Compare the pose of a play with a direct decode of its clip. */
void sim_anim_poses_check(struct sim *sim, struct sim_anim_play *p,
                          const spn_anim_play_state *state);
void sim_anim_poses_close(struct sim *sim);
/* A clip whose header is known. False: there is none. */
bool sim_anim_draw_clip(struct sim *sim, uint32_t *clip);
void sim_anim_change_timeline(struct sim *sim);
void sim_anim_advance_timelines(struct sim *sim);
void sim_anim_destroy_timelines(struct sim *sim);
/* The timelines hold the cues ahead, as the next update will. */
void sim_anim_hold_cues(struct sim *sim);
/* The number of the item of a database. */
static inline uint32_t sim_anim_item_of(uint32_t database)
{
    return MADE_ANIM_CLIPS + database;
}
/* The references that a clip has, or must get in the next update. */
uint32_t sim_anim_refs(const struct sim *sim, uint32_t clip);
bool sim_anim_is_wanted(const struct sim *sim, uint32_t clip);
bool sim_anim_is_in_use(const struct sim *sim, uint32_t database);
/* Before and after each call that concerns an item. */
void sim_anim_touch(struct sim *sim, uint32_t clip);
void sim_anim_touch_database(struct sim *sim, uint32_t database);
/* It was unused from then on, or later. */
uint64_t sim_anim_unused_us(const struct sim *sim,
                            const struct sim_anim_item *item);
/* Check the reasons for what was freed in the last update. */
void sim_anim_check_freed(struct sim *sim);
/* Bytes that clips may use: whole pages. */
uint64_t sim_anim_budget(const struct sim *sim);
void sim_anim_listen(struct sim *sim);
void sim_anim_react(struct sim *sim);
void sim_anim_add_ref(struct sim *sim, uint32_t clip);
void sim_anim_unload(struct sim *sim, uint32_t clip);
/* Want it no longer, but for timelines. */
void sim_anim_leave(struct sim *sim, uint32_t clip);
/* The same of a database, but for its clips; then unload it. */
void sim_anim_leave_database(struct sim *sim, uint32_t i);
void sim_anim_stop_all(struct sim *sim);
void sim_anim_unload_all(struct sim *sim);
void sim_anim_set(struct sim *sim, const char *name, uint32_t value);

#endif
