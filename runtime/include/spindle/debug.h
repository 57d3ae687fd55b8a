/* debug.h - what the runtime has in memory, and why: a snapshot, and its text.
 *
 * spn_debug_snapshot copies the state of the runtime into memory of the caller:
 * the heap from its first page to its last with the owner of each page, the
 * memory of animation clips, the open caches, each node with the frames that it
 * shows, wants, has decoded and has read, the reads that are under way, and
 * where the heads of the drives are. spn_debug_text prints it in lines for an
 * overlay on the screen, or for a log.
 *
 *   spn_debug shot;
 *   if (spn_debug_snapshot(rt, memory, bytes, &shot) == SPN_OK)
 *       spn_debug_text(&shot, NULL, text, sizeof text);
 *
 * Nothing is recorded for this: the snapshot looks at the tables that playback
 * uses. A snapshot of 64 nodes takes less than a millisecond; what is never
 * called costs nothing, and a linker can drop it.
 *
 *   page     the smallest piece of the heap (memory.h), numbered from 0
 *   extent   adjacent pages of one owner, or adjacent free pages
 *   age      updates (spn_update) since something was needed last
 *   evicted  freed because its memory was wanted for something else
 *   cache    a handle. That of a cache which was closed, and which nodes still
 *            play, is stale
 *
 * Ownership. The arrays of a snapshot are in the memory that the caller gave,
 * and are valid as long as that memory. Paths and names in it belong to the
 * runtime and are valid until the next call of spn_update or of a function that
 * changes caches or nodes.
 *
 * Threads. spn_debug_snapshot and spn_debug_bytes_needed belong to the caller's
 * thread (spindle.h). Any thread may call spn_debug_text.
 *
 * Without observers (features.h) none of this is built.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_DEBUG_H
#define SPINDLE_DEBUG_H

#include <spindle/anim_database.h>
#include <spindle/anim_refs.h>
#include <spindle/anim_skeletons.h>
#include <spindle/features.h>
#include <spindle/geom_cache.h>
#include <spindle/geom_node.h>
#include <spindle/geom_state.h>
#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <spindle/tuning.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the pages of an extent are used for. */
typedef enum spn_debug_kind {
    SPN_DEBUG_FREE = 0,
    SPN_DEBUG_STATIC = 1,     /* tables and static data of a cache or a pak,
                               * or a clip */
    SPN_DEBUG_COMPRESSED = 2, /* groups of frames as they were or will be read
                               */
    SPN_DEBUG_DECODED = 3,    /* a frame that is or will be decoded */
    SPN_DEBUG_BLOCK = 4       /* a block of the game (memory.h) */
} spn_debug_kind;

#define SPN_DEBUG_KINDS 5u

/* spn_debug_extent.age of what has none. */
#define SPN_DEBUG_NO_AGE UINT32_MAX

/* An extent of the heap. The first one begins at page 0, and each begins where
 * the one before ends. */
typedef struct spn_debug_extent {
    uint32_t first_page;
    uint32_t page_count;
    spn_debug_kind kind;
    spn_cache cache;  /* whose it is; 0: no cache's, or of static meshes that
                       * caches share (geom_mesh.h) */
    spn_node node;    /* compressed, decoded: the node that uses or needs it,
                      * also for its second position; 0: none now */
    uint32_t first;   /* decoded: number of the frame. Compressed: of the first
                      * group that has bytes in it */
    uint32_t last;    /* decoded: as `first`. Compressed: of the last group */
    uint32_t age;     /* compressed, decoded; else SPN_DEBUG_NO_AGE. 0: it is
                      * needed now */
    uint32_t is_busy; /* 1: a job or the device uses it now */
    /* Static: whose it is, if one of these is not 0. */
    spn_anim anim;              /* bytes of a clip, or what was decoded of it */
    spn_anim_database database; /* bytes of a database */
    spn_anim_skeleton skeleton; /* 0 also of one that is being closed */
    uint32_t is_decoded; /* 1: `anim` plays, or is a cue, and this is its head
                          * and segments (anim_sample.h) */
} spn_debug_extent;

/* The heap as a whole, in pages. */
typedef struct spn_debug_heap {
    uint32_t page_bytes;
    uint32_t page_count;
    uint32_t pages[SPN_DEBUG_KINDS]; /* by spn_debug_kind; they add up to
                                      * page_count */
    uint32_t free_spans;             /* extents that are free */
    uint32_t promised; /* reserved for the nodes that play, used or not */
    uint32_t needed;   /* part of compressed and decoded that nodes need */
    uint32_t held;     /* part of `needed` that cannot be freed now */
    uint32_t limit;    /* most compressed and decoded pages: the tuning variable
                        * stream_memory_kib, at most page_count */
    /* Allocations that failed since spn_init, as in spn_heap_stats. */
    uint32_t failed_no_memory;
    uint32_t failed_fragmented;
    uint32_t failed_no_record;
    uint32_t evicted_frames; /* decoded frames, since spn_init */
    uint32_t evicted_reads;  /* compressed groups, by read */
} spn_debug_heap;

/* A cache that is open, opening or closing. */
typedef struct spn_debug_cache {
    spn_cache cache;
    const char *path;
    spn_status status; /* of spn_cache_get_status */
    uint32_t node_count;
    uint32_t static_pages; /* of its tables and static data, without static
                            * meshes (geom_mesh.h) */
    /* 0 until status is SPN_OK: */
    uint32_t frame_count;
    int64_t duration_us;
    uint64_t bytes_per_second; /* compressed, of its frames */
    uint32_t ready_count;      /* frames that are decoded */
    uint32_t running_count;    /* frames that are being decoded */
    uint32_t lost_count; /* damaged or unreadable frames that are remembered */
} spn_debug_cache;

/* Animation clips (anim.h). All numbers are 0 without them. */
typedef struct spn_debug_anim {
    uint32_t pages;         /* all that clips use, without the header image */
    uint32_t idle_pages;    /* of these, of idle clips and databases */
    uint32_t image_pages;   /* of the header image */
    uint32_t reserve_pages; /* spn_config.anim_reserve_bytes */
    uint32_t clip_count;    /* headers that are known */
    uint32_t loaded;        /* clips and databases, as in spn_anim_stats */
    uint32_t loading;
    uint32_t plays;
    uint32_t play_updates; /* since spn_init */
    uint32_t glitches;     /* since spn_init */
} spn_debug_anim;

/* Frames that follow each other in the direction of playback. */
typedef struct spn_debug_range {
    uint32_t first; /* numbers of frames in the clip */
    uint32_t last;
    uint32_t count; /* 0: none, and both numbers are 0. More than the clip has
                     * if several loops of it are meant */
} spn_debug_range;

/* A node, or the second position of one (spn_node_set_streaming_time). */
typedef struct spn_debug_node {
    spn_node node; /* second position: that of its node; 0: it has ended, but
                    * its reads or jobs have not */
    spn_cache cache;
    const char *path; /* of the cache */
    uint32_t is_second;
    spn_node_state state; /* of spn_node_get_state; of a second position, as if
                           * it was a node: playback_us is its time */
    uint32_t is_playing;  /* 1: it takes part in reading and decoding */
    int64_t duration_us;  /* of the clip; 0 until the cache is open */
    uint32_t frame_count; /* the same */
    uint32_t is_looping;
    uint32_t is_backward;
    uint32_t rate_permille; /* speed that it plans with, at least 1000 */
    uint32_t importance;    /* of its view, or of spn_node_set_importance */
    spn_debug_range shown;  /* the frames between which it interpolates */
    /* From the frame of its time on, in the direction of playback, without the
     * frames that the node leaves out. `decoded` and `read` end before the
     * first frame that is not there; they may be shorter or longer than
     * `wanted`. */
    spn_debug_range wanted;  /* frames within the decode-ahead time */
    spn_debug_range decoded; /* frames that are decoded */
    spn_debug_range read;    /* frames that were read, or are decoded */
    uint32_t promised_pages; /* reserved for it */
    uint32_t charged_pages;  /* used by it; shared pages count in full */
    uint32_t running_count;  /* frames that it launched and that run */
    uint32_t pending_count;  /* reads that it started and that have not ended */
} spn_debug_node;

/* State of a read of groups. */
typedef enum spn_debug_read_state {
    SPN_DEBUG_READ_PENDING = 0,
    SPN_DEBUG_READ_RETRY = 1,  /* failed at one place; goes on behind it */
    SPN_DEBUG_READ_ABORTED = 2 /* nobody wants it; the device may still write */
} spn_debug_read_state;

/* A read of groups that is under way. */
typedef struct spn_debug_read {
    spn_cache cache;
    const char *path; /* of the cache */
    spn_node node;    /* that started it, also for its second position */
    spn_medium medium;
    spn_debug_read_state state;
    spn_priority priority;
    uint32_t first_group;
    uint32_t last_group;
    uint32_t age;    /* updates since it was started */
    uint64_t offset; /* in the file */
    uint32_t bytes;
} spn_debug_read;

/* A medium and its head, as the I/O thread reported them last. */
typedef struct spn_debug_medium {
    uint32_t is_known; /* 1: the head has a position: a command has come back */
    uint32_t is_busy;  /* 1: the device has a command */
    uint64_t head;     /* byte of the medium at which the last command ended */
    uint64_t target;   /* byte at which the command of now begins */
    uint32_t waiting;  /* reads in the queue, those of the game included */
    uint32_t reads;    /* reads of groups, in the queue or at the device */
    uint64_t bytes;    /* of these reads of groups */
} spn_debug_medium;

/* Sums over the nodes that exist now. Only bytes_read includes second
 * positions. */
typedef struct spn_debug_totals {
    uint32_t nodes;
    uint32_t playing;
    uint64_t frames_shown;
    uint64_t frames_late;
    uint64_t frames_left_out;
    uint64_t frames_dropped;
    uint64_t seeks;
    uint64_t bytes_read;
} spn_debug_totals;

typedef struct spn_debug {
    uint64_t now_us; /* the platform's clock at the last spn_update */
    uint32_t update; /* number of that update; it wraps */
    /* Tuning variables, for spn_debug_text. */
    uint32_t level;                         /* `debug` */
    uint32_t with_reads;                    /* `debug_reads` */
    uint32_t is_off;                        /* 1: `geometry` is 0 */
    char filter[SPN_TUNING_TEXT_BYTES_MAX]; /* `debug_filter` */
    spn_debug_heap heap;
    spn_debug_anim anim;
    spn_debug_totals totals;
    spn_debug_medium media[SPN_MEDIUM_COUNT];
    const spn_debug_extent *extents; /* by page */
    uint32_t extent_count;
    const spn_debug_cache *caches;
    uint32_t cache_count;
    const spn_debug_node *nodes;
    uint32_t node_count;
    const spn_debug_read *reads;
    uint32_t read_count;
} spn_debug;

#if SPN_WITH_OBSERVERS

/* The bytes that spn_debug_snapshot needs now, with any alignment. The next
 * spn_update may change this; twice as many are enough for some time. */
uint64_t spn_debug_bytes_needed(const spn_runtime *rt);

/* Copy the state of the runtime.
 *
 * memory  of the caller, any alignment, for the arrays
 * bytes   its size; SPN_ERR_MEMORY if less than spn_debug_bytes_needed
 *
 * Returns SPN_ERR_ARG if a pointer is NULL. Its time is proportional to the
 * extents of the heap, the groups of the open caches, and the frames that nodes
 * have ahead. */
spn_status spn_debug_snapshot(const spn_runtime *rt, void *memory,
                              uint64_t bytes, spn_debug *out);

/* Print a snapshot as lines of ASCII text, each with '\n' at its end:
 *
 *   heap    its use, and a bar of 64 cells from the first page to the last (one
 *           for each page of a smaller heap). A cell is the use of most of its
 *           pages: '.' free, 's' static, 'c' compressed, 'd' decoded, 'b' block
 *   clips   animation clips, if any are known: their memory, how many are
 *           loaded and play, glitches
 *   drive   of each medium whose head is known: head, reads
 *   cache   of each cache
 *   node    of each node: time, rate, ranges of frames, lateness; with
 *           `debug` 2 only of those that play
 *   read    with `debug_reads` 1: of each read
 *   total   sums
 *
 * filter  caches, nodes and reads are printed only if the path of the cache
 *         contains this; NULL: the tuning variable debug_filter; "": all
 * text    of the caller; cut at its end, and always with a NUL. NULL if `bytes`
 *         is 0
 *
 * Returns the length of the whole text without its NUL; 0 if `snapshot` is
 * NULL. */
uint64_t spn_debug_text(const spn_debug *snapshot, const char *filter,
                        char *text, uint64_t bytes);

#endif

#ifdef __cplusplus
}
#endif
#endif
