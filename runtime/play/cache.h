/* cache.h - one open cache: its tables and static data in the heap.
 *
 * A cache file holds the frames of one clip; runtime/cache/FORMAT.md describes
 * it. While the file is open, this record holds what all nodes that play it
 * share: header, frame table, group table, and static data. The frames
 * themselves belong to streams (stream.h).
 *
 * Terms
 *
 *   tile    one part of a mesh, or several parts of small meshes, at most 8192
 *           vertices; is decoded as a whole
 *   block   one channel (positions, UVs ...) of one tile in one frame. A *heap
 *           block* is another thing: an allocation of the heap
 *   group   consecutive frames that are read and decoded together
 *   blob    a piece of static data (triangle indices, a channel that never
 *           changes ...), stored in the file like a block
 *   chunk   a part of a large table in memory, at most 64 KiB. An array of
 *           pointers gives the address of each chunk
 *   page    the smallest piece of the heap, 4 to 64 KiB (base/heap.h)
 *   job     a function that a worker (a thread of the runtime) runs
 *   user    the game, which calls the functions of geom.h
 *
 * cache_references.h opens a cache, cache_load.h loads it, cache_memory.h
 * allocates for it, cache_jobs.h validates and unpacks, cache_info.h describes
 * it to the user.
 *
 * Threads: the caller's thread (the thread that calls spn_update) owns the
 * record, apart from the fields marked otherwise. From CACHE_READY until the
 * cache closes, tables and static data do not change; jobs and nodes read them
 * without synchronization.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_H
#define SPN_PLAY_CACHE_H

#include "base/atomic.h"
#include "base/heap.h"
#include "cache/decoder.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Entries in one chunk of the frame table and of the group table. */
#define CACHE_CHUNK_FRAMES 1024u
#define CACHE_CHUNK_GROUPS 2048u

/* The states of a cache. While it is loaded, it goes through them in this
 * order. In a state _MEMORY it allocates heap blocks, and tries again at each
 * update until it has them; in a state _READ it waits for a read, in a state
 * _JOB for jobs. */
enum cache_state {
    CACHE_WAITING, /* until the caches that were opened before are loaded */
    CACHE_HEADER_READ,
    CACHE_FRAMES_MEMORY, /* arrays, chunks, buffer for the frame table */
    CACHE_FRAMES_READ,
    CACHE_FRAMES_JOB,    /* validates the frame table, fills the chunks */
    CACHE_STATIC_MEMORY, /* buffer for tables and blobs */
    CACHE_STATIC_READ,
    CACHE_TABLES_JOB,    /* validates the tables */
    CACHE_BLOBS_MEMORY,  /* a heap block for each blob */
    CACHE_BLOBS_JOB,     /* unpacks blobs that need no other blob */
    CACHE_RINGS_JOB,     /* computes the neighbours of vertices from the blobs
                          * of hierarchies and indices */
    CACHE_PREDICTED_JOB, /* unpacks predicted channels, which need all other
                          * blobs */
    CACHE_READY,         /* nodes can play it */
    CACHE_FAILED,        /* it could not be loaded */
    CACHE_CLOSING        /* waits until its read and jobs have ended */
};

/* Where the blocks of a decoded frame lie in memory. They are packed into
 * *units* of at most 64 KiB, each of which is one contiguous heap block. Unit 0
 * begins with the frame's control record (frame.h). */
struct cache_plan {
    uint32_t *block_unit;   /* for each block: its unit */
    uint32_t *block_offset; /* for each block: byte offset in the unit */
    uint32_t *unit_bytes;   /* for each unit: its size */
    uint32_t unit_count;
    uint32_t control_bytes;  /* size of the control record */
    uint32_t frame_pages;    /* heap pages of all units together */
    uint32_t unit_pages_max; /* heap pages of the largest unit */
};

struct cache {
    /* fixed while the slot is in use */
    struct manager *manager;

    /* caller's thread */
    spn_cache handle;
    enum cache_state state;
    spn_status status;        /* SPN_PENDING, SPN_OK, or why it failed */
    uint32_t serial;          /* serial number of the spn_cache_open that opened
                               * it (manager.next_serial) */
    uint32_t reference_count; /* references of the user */
    uint32_t node_count;      /* nodes that use it, also while they end */
    spn_file file;
    /* Medium of the file; valid from CACHE_FRAMES_MEMORY on. */
    spn_medium medium;
    spn_read read;          /* the read under way; 0: none */
    spn_status read_status; /* of the last read */
    uint64_t read_offset;   /* of the wanted bytes in the file */
    uint64_t read_wanted;   /* number of wanted bytes */
    uint64_t read_bytes;    /* how many of them arrived */
    uint64_t file_bytes;
    heap_handle read_block;   /* buffer of the read */
    uint32_t read_skip;       /* bytes in the buffer before the wanted ones,
                               * because reads begin at multiples of 4096 */
    uint32_t chunk_cursor;    /* next chunk or blob that needs memory */
    uint32_t job_cursor;      /* next blob that needs a job */
    bool was_refused;         /* the last allocation failed */
    uint32_t pages;           /* heap pages that it uses */
    uint32_t pages_peak;      /* most pages that it used while it was loaded */
    heap_handle table_block;  /* memory of the arrays below */
    heap_handle bounce_block; /* contiguous copy of the tables */

    /* Owned by the running job, or by the caller while none runs; fixed from
     * CACHE_READY on. */
    const spn_codec *codec;
    uint32_t workspace_at; /* offset of the codec's workspace in the scratch
                            * memory of a worker (scratch.h) */
    struct cache_tables tables;
    void *tables_memory; /* memory of the arrays of `tables` */
    size_t tables_memory_bytes;
    struct cache_frame **frame_chunks;
    struct cache_group **group_chunks;
    heap_handle *chunk_handles; /* of frame chunks, group chunks, then blobs */
    uint32_t frame_chunk_count;
    uint32_t group_chunk_count;
    uint8_t **blob_data;       /* for each blob: its unpacked bytes */
    heap_handle *blob_handles; /* the part of chunk_handles for blobs */
    struct cache_decoder decoder;
    struct cache_plan plan;
    uint32_t group_frames_max; /* frames of the largest group */
    uint32_t read_pages_max;   /* heap pages of the largest read of one group
                                * and the frame before it */
    int64_t loop_us;           /* duration of one loop; > 0 if there are two or
                                * more frames */
    uint32_t live_extents;     /* heap extents (runs of contiguous pages) that
                                * it uses while READY */

    /* Written by the job that fails first; read by the caller when no job
     * runs. */
    spn_status job_status;
    /* atomic */
    struct atomic_u32 jobs_left;  /* jobs submitted that have not ended */
    struct atomic_u32 has_failed; /* a job failed */
    /* Large fields are last, so that the others have small offsets. `header`
     * and `path` are fixed, `fault` is the caller's, the rest is the jobs'. */
    struct cache_header header;
    char path[SPN_PATH_BYTES_MAX];
    struct spn_fault fault; /* why it failed */
    uint8_t header_bytes[CACHE_HEADER_BYTES];
    struct spn_fault job_fault; /* written with job_status */
};

/* Pages of decoded frames that a stream needs to play without a gap: those of
 * two groups, and of the frames that are shown meanwhile. The cache must be
 * READY. */
uint32_t spn__cache_decode_promise(const struct cache *c);

/* Frames that a stream must have in memory to play at all: one group, the frame
 * before it to which the group refers, and the frame that is shown. */
#define CACHE_LEAST_FRAMES(cache) ((cache)->group_frames_max + 2)
/* The same in pages. The cache must be READY. */
uint32_t spn__cache_decode_least(const struct cache *c);

/* The result of spn_cache_heap_needed (geom.h). The cache must be READY. */
uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count);

/* Number of the last frame whose time is at or before time_us >= 0. The cache
 * must be READY. Any thread. */
uint32_t spn__cache_frame_before(const struct cache *c, int64_t time_us);

/* True if state, status and memory are consistent. The time is proportional to
 * the number of blobs. */
bool spn__cache_check(const struct cache *c);

/* Table entry of a frame or of a group, by its number in the clip. The cache
 * must be READY. Any thread. */
static inline const struct cache_frame *cache_frame_at(const struct cache *c,
                                                       uint32_t number)
{
    return &c->frame_chunks[number / CACHE_CHUNK_FRAMES]
                           [number % CACHE_CHUNK_FRAMES];
}

static inline const struct cache_group *cache_group_at(const struct cache *c,
                                                       uint32_t group)
{
    return &c->group_chunks[group / CACHE_CHUNK_GROUPS]
                           [group % CACHE_CHUNK_GROUPS];
}

/* The decoder's view of a worker's scratch memory (scratch.h). */
static inline struct decode_scratch spn__cache_scratch(const struct cache *c,
                                                       uint8_t *memory)
{
    return (struct decode_scratch){memory, memory + c->workspace_at};
}

#endif
