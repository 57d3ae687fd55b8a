/* anim_system.h - all clips and databases of a runtime: what they share.
 *
 *   header image     names, headers and places of all clips (anim_image.h)
 *   counts           references to clips, by any thread (anim_counts.h)
 *   loads            ranges that are in memory or on their way (range_load.h,
 *                    anim_loads.h), in blocks of the heap (anim_memory.h)
 *   clips            which of them are wanted, and their loads (anim_clips.h)
 *   databases        (anim_databases.h)
 *   skeletons        (skeleton_table.h)
 *   plays, timelines what wants clips (anim_plays.h, anim_timelines.h)
 *   playing clips    decoded for plays (playing_clip.h, play_needs.h)
 *
 * Everything changes in an update, or in a call on the caller's thread, which
 * owns all fields but those of the counts. Decisions depend on the order of the
 * calls and on the time of the update alone.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_SYSTEM_H
#define SPN_ANIM_ANIM_SYSTEM_H

#include "anim/anim_counts.h"
#include "anim/anim_image.h"
#include "anim/anim_loose.h"
#include "anim/playing_clip.h"
#include "anim/range_load.h"
#include "anim/skeleton_table.h"
#include "base/carve.h"
#include "base/heap.h"
#include "base/jobs.h"
#include "base/pool.h"
#include "base/trace.h"
#include "base/tuning_table.h"
#include "play/manager.h"
#include "play/promise.h"
#include "read/io.h"

#include <spindle/anim.h>
#include <spindle/features.h>
#include <stdbool.h>
#include <stdint.h>

struct anim_config {
    struct heap *heap;
    struct io *io;
    struct jobs *jobs;
    struct tuning *tuning;
    struct trace *trace;
    struct manager *manager; /* shares the heap */
    uint32_t clip_count;     /* most headers; 0: no animation */
    uint32_t loaded_count;   /* most loads */
    uint32_t database_count; /* most databases */
    uint32_t play_count;
    uint32_t timeline_count;
    uint32_t skeleton_count;
    uint32_t reserve_bytes;
    uint32_t cpu;           /* instruction sets (base/cpu.h) */
    bool has_loose_headers; /* no image: anim_loose.h */
};

struct anim_play;
struct anim_timeline;

/* A database of the image. */
struct anim_database {
    uint32_t load;     /* ANIM_NONE: nothing is in memory */
    bool is_preloaded; /* to be read as soon as there is a record for it */
    bool is_hidden;
    bool is_locked;
    bool has_come;    /* all data is there since the results were last taken */
    bool is_late;     /* its clips do not wait for it */
    uint64_t late_us; /* they wait until then; 0: none waits */
    uint32_t owner_count;
    uint32_t used_clips; /* its clips that are wanted */
    uint64_t use_us;     /* when it was last in use */
    spn_priority priority;
    spn_file file; /* for all reads of it; 0: not open */
    uint64_t file_use_us;
    uint64_t sweep_offset; /* of the load that was started last (anim_loads.c)
                            */
};

/* Word of a clip: the number of its load + 1, 0: none; and flags. */
#define CLIP_LOAD_MASK 0x3fffffffu
#define CLIP_IS_WANTED 0x40000000u
#define CLIP_IS_LOCKED 0x80000000u

/* Loads in a list: numbers, or ANIM_NONE. */
struct load_list {
    uint32_t first;
    uint32_t last;
};

struct anim {
    /* fixed after init */
    struct anim_config config;
    struct range_load *loads; /* config.loaded_count */
    struct anim_database *databases;
    uint32_t *clips; /* a word for each */
    struct anim_play *plays;
    struct anim_timeline *timelines;
    spn_anim_event *events;
    struct anim_loose *loose; /* NULL: headers come from an image */
    uint32_t event_capacity;
    /* any thread */
    struct anim_counts counts;
    /* caller */
    struct anim_image image;
    struct pool play_pool;
    struct pool timeline_pool;
    struct skeleton_table skeletons;
    struct playing_table playing;
    uint32_t free_load;
    struct load_list lists[LOAD_LISTS];
    uint32_t reads_out;
    uint32_t blocks_taken; /* of the heap by loads, since init */
    uint64_t waits_us;     /* when something last waited for memory */
    uint32_t used_loads;
    bool lacks_records; /* a clip found no free load since the last update */
    uint32_t refusals;  /* of the promises, when idle loads were last freed */
    uint64_t now_us;    /* time of the update */
    spn_anim_event_fn function;
    void *user;
    uint32_t event_count;
    spn_anim_stats stats;
};

/* The number of a clip for the game; 0 is none. */
static inline spn_anim anim_of_clip(uint32_t clip)
{
    return clip + 1;
}

#if SPN_WITH_ANIM

/* Take the tables from `carve`; NULL with one that counts, or without clips. */
struct anim *spn__anim_init(struct carve *carve,
                            const struct anim_config *config);

/* After the heap was carved: begin without an image. NULL: no effect, as in all
 * that follow. */
void spn__anim_begin(struct anim *a);

/* Once an update, before geometry: what this frees can be promised then. */
void spn__anim_update(struct anim *a, uint64_t now_us);
/* Report the events of the update. At its end. */
void spn__anim_report(struct anim *a);
/* Free everything, one step for each call. True when nothing is left. Reads and
 * jobs must go on between the calls. */
bool spn__anim_shutdown(struct anim *a);
/* The statistics, with those of now. */
void spn__anim_get_stats(const struct anim *a, spn_anim_stats *out);
/* True if the lists, counts and loads do not contradict each other. Reads the
 * whole state. */
bool spn__anim_check(const struct anim *a);

#else

static inline struct anim *spn__anim_init(struct carve *carve,
                                          const struct anim_config *config)
{
    (void)carve;
    (void)config;
    return NULL;
}

static inline void spn__anim_begin(struct anim *a)
{
    (void)a;
}

static inline void spn__anim_update(struct anim *a, uint64_t now_us)
{
    (void)a;
    (void)now_us;
}

static inline void spn__anim_report(struct anim *a)
{
    (void)a;
}

static inline bool spn__anim_shutdown(struct anim *a)
{
    (void)a;
    return true;
}

static inline bool spn__anim_check(const struct anim *a)
{
    (void)a;
    return true;
}

#endif

/* Path of the file that a load reads. */
const char *spn__anim_load_path(const struct range_load *load);
/* Keep an event of a clip or database, to be reported at the end of the update.
 */
void spn__anim_load_event(const struct range_load *load,
                          spn_anim_event_kind kind, spn_status status);
void spn__anim_database_event(struct anim *a, uint32_t database,
                              spn_anim_event_kind kind);
void spn__anim_skeleton_event(struct anim *a, spn_anim_skeleton skeleton,
                              spn_status status);
void spn__anim_clip_event(struct anim *a, uint32_t clip,
                          spn_anim_event_kind kind, spn_status status,
                          uint32_t frame);

static inline void spn__anim_trace(struct anim *a, enum trace_kind kind,
                                   uint32_t subject, uint32_t value)
{
    if (SPN_WITH_OBSERVERS)
        spn__trace_add(a->config.trace, a->now_us, kind, subject, value, 0);
}

#endif
