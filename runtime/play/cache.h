/* cache.h - one open cache: its tables and static data in the heap.
 *
 * A cache file holds the frames of one clip (runtime/cache/FORMAT.md). While
 * the file is open this record holds what all nodes that play it share: header,
 * frame table, group table, and the static data of the meshes. The frames
 * themselves belong to streams (stream.h).
 *
 * cache_references.h opens a cache, cache_load.h loads it, cache_memory.h
 * allocates for it, cache_jobs.h validates and unpacks, cache_info.h describes
 * it to the user. Large tables are divided into chunks of at most 64 KiB, found
 * through tables of pointers; each blob has a heap block of its own.
 *
 * Threads: the caller's thread owns the record, apart from the fields marked
 * otherwise. From CACHE_READY until the cache closes, tables and static data do
 * not change; jobs and nodes read them without synchronization.
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

/* The steps of loading, in order. READ: a read is under way. MEMORY: blocks are
 * being allocated. JOB: jobs are running. */
enum cache_state {
    CACHE_WAITING, /* until the caches opened before have been loaded */
    CACHE_HEADER_READ,
    CACHE_FRAMES_MEMORY, /* arrays, chunks, and the read of the frame table */
    CACHE_FRAMES_READ,
    CACHE_FRAMES_JOB,
    CACHE_STATIC_MEMORY, /* the read of tables and blobs */
    CACHE_STATIC_READ,
    CACHE_TABLES_JOB,
    CACHE_BLOBS_MEMORY,
    CACHE_BLOBS_JOB,     /* blobs that need no other blob */
    CACHE_RINGS_JOB,     /* rings: they need hierarchies and indices */
    CACHE_PREDICTED_JOB, /* predicted channels: they need all other blobs */
    CACHE_READY,
    CACHE_FAILED,
    CACHE_CLOSING
};

/* Where the blocks of a decoded frame lie in memory. Blocks are packed into
 * *units* of at most 64 KiB; each unit is one heap block. Unit 0 begins with
 * the frame's control record (frame.h). */
struct cache_plan {
    uint32_t *block_unit;   /* for each block: its unit */
    uint32_t *block_offset; /* for each block: byte offset in the unit */
    uint32_t *unit_bytes;   /* for each unit: its size */
    uint32_t unit_count;
    uint32_t control_bytes; /* of the control record */
    uint32_t frame_pages;   /* of all units together */
    uint32_t unit_pages_max;
};

struct cache {
    /* fixed while the slot is in use */
    struct manager *manager;

    /* caller */
    spn_cache handle;
    enum cache_state state;
    spn_status status;        /* SPN_PENDING, SPN_OK, or why it failed */
    uint32_t serial;          /* when it was opened */
    uint32_t reference_count; /* references of the user */
    uint32_t node_count;      /* nodes that use it, also while they end */
    spn_file file;
    spn_medium
        medium;    /* where the file is; valid from CACHE_FRAMES_MEMORY on */
    spn_read read; /* the read under way; 0: none */
    spn_status read_status; /* of the last read */
    uint64_t read_offset;   /* in the file */
    uint64_t read_wanted;   /* bytes requested */
    uint64_t read_bytes;    /* bytes that arrived */
    uint64_t file_bytes;
    heap_handle read_block;   /* buffer of the read */
    uint32_t read_skip;       /* bytes in it before the wanted ones, which come
                                 from alignment */
    uint32_t chunk_cursor;    /* next chunk or blob that needs memory */
    uint32_t job_cursor;      /* next blob that needs a job */
    bool was_refused;         /* the last allocation failed */
    uint32_t pages;           /* heap pages that it holds */
    uint32_t pages_peak;      /* most that it held while loading */
    heap_handle table_block;  /* holds the arrays below */
    heap_handle bounce_block; /* holds the tables contiguously */

    /* Owned by the running job, or by the caller while none runs; fixed from
     * CACHE_READY on. */
    const spn_codec *codec;
    uint32_t workspace_at; /* the codec's workspace in a worker's scratch */
    struct cache_tables tables;
    void *tables_memory; /* where the arrays of `tables` lie */
    size_t tables_memory_bytes;
    struct cache_frame **frame_chunks;
    struct cache_group **group_chunks;
    heap_handle *chunk_handles; /* of frame chunks, group chunks, then blobs */
    uint32_t frame_chunk_count;
    uint32_t group_chunk_count;
    uint8_t **blob_data;       /* for each blob: its unpacked bytes */
    heap_handle *blob_handles; /* the part of chunk_handles that is blobs' */
    struct cache_decoder decoder;
    struct cache_plan plan;
    uint32_t group_frames_max; /* frames of the largest group */
    uint32_t read_pages_max;   /* of a read of one group and the frame before */
    int64_t loop_us;           /* duration of one loop, > 0 with two frames */
    uint32_t live_extents;     /* heap extents that it holds while READY */

    /* The job that fails first writes it; the caller reads it afterwards. */
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

/* Pages of decoded frames that a stream needs to play without a gap: two
 * groups and the frames that are shown meanwhile. READY only. */
uint32_t spn__cache_decode_promise(const struct cache *c);

/* Frames that a stream needs to go on at all: one group, the frame before it
 * to which the group refers, and the frame that is shown. */
#define CACHE_LEAST_FRAMES(cache) ((cache)->group_frames_max + 2)
/* The same in pages. READY only. */
uint32_t spn__cache_decode_least(const struct cache *c);

/* Heap bytes with which `node_count` nodes can play this cache; READY only. */
uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count);

/* The last frame whose time is at or before time_us >= 0. Any thread, READY. */
uint32_t spn__cache_frame_before(const struct cache *c, int64_t time_us);

/* True if state, status and memory agree. Reads all blobs' handles. */
bool spn__cache_check(const struct cache *c);

/* Entry of a frame or of a group, by number. Any thread, READY only. */
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
