/* cache.h - one opened cache: its tables and static data in the heap.
 *
 * Opening: header, frame table, static data, one read each; then jobs judge
 * and unpack. One cache opens at a time, in the order of the calls, so that
 * two half-opened caches can never wait for each other's memory. Memory that
 * is not there now is asked for again at every update; memory that the heap
 * could never give fails the cache: at once where it is more than there is,
 * at the second refusal where nobody else holds any.
 *
 * Large tables are chunks of at most 64 KiB behind pointer tables; every
 * blob has a heap block of its own. Once READY, nothing of it changes until
 * it closes: jobs and nodes read it freely.
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

/* Frames of one chunk: 64 KiB. Groups: 32 bytes each. */
#define CACHE_CHUNK_FRAMES 1024u
#define CACHE_CHUNK_GROUPS 2048u

enum cache_state {
    CACHE_WAITING, /* for its turn */
    CACHE_HEADER_READ,
    CACHE_FRAMES_MEMORY, /* for the frame table and all that it fills */
    CACHE_FRAMES_READ,
    CACHE_FRAMES_JOB,
    CACHE_STATIC_MEMORY,
    CACHE_STATIC_READ,
    CACHE_TABLES_JOB,
    CACHE_BLOBS_MEMORY,
    CACHE_BLOBS_JOB,     /* all but channels that are predicted, and rings */
    CACHE_RINGS_JOB,     /* rings, now that shapes and indices are there */
    CACHE_PREDICTED_JOB, /* those channels, now that all is judged */
    CACHE_READY,
    CACHE_FAILED,
    CACHE_CLOSING
};

/* Where a decoded frame lies: blocks packed into units of at most 64 KiB,
 * each one heap block. Unit 0 begins with the frame's control (frame.h). */
struct cache_plan {
    uint32_t *block_unit;
    uint32_t *block_offset;
    uint32_t *unit_bytes;
    uint32_t unit_count;
    uint32_t control_bytes;
    uint32_t frame_pages; /* of all units */
    uint32_t unit_pages_max;
};

struct cache {
    /* fixed while the slot is in use */
    struct manager *manager;

    /* caller */
    spn_cache handle;
    enum cache_state state;
    spn_status status;        /* PENDING, OK, or why it failed */
    uint32_t serial;          /* order of opening */
    uint32_t reference_count; /* of the user */
    uint32_t node_count;      /* that play it, dying ones too */
    spn_file file;
    spn_medium medium; /* of the file, once the header is read */
    spn_read read;     /* 0: none */
    spn_status read_status;
    uint64_t read_offset; /* in the file */
    uint64_t read_wanted;
    uint64_t read_bytes; /* that arrived */
    uint64_t file_bytes;
    heap_handle read_block;
    uint32_t read_skip;    /* bytes before what was wanted: alignment */
    uint32_t chunk_cursor; /* chunks and blobs that have memory */
    uint32_t job_cursor;
    bool was_refused;         /* memory, the last time that it asked */
    uint32_t pages;           /* of the heap, now */
    uint32_t pages_peak;      /* while opening */
    heap_handle table_block;  /* struct arrays below lie in it */
    heap_handle bounce_block; /* the tables in one piece */

    /* fixed once READY; before that the running job's, or the caller's while
     * none runs */
    const spn_codec *codec;
    uint32_t workspace_at; /* the codec's, in a worker's scratch */
    struct cache_tables tables;
    void *tables_memory;
    size_t tables_memory_bytes;
    struct cache_frame **frame_chunks;
    struct cache_group **group_chunks;
    heap_handle *chunk_handles; /* frames', then groups', then blobs' */
    uint32_t frame_chunk_count;
    uint32_t group_chunk_count;
    uint8_t **blob_data;
    heap_handle *blob_handles; /* of the same */
    struct cache_decoder decoder;
    struct cache_plan plan;
    uint32_t group_frames_max;
    uint32_t read_pages_max; /* of one group with the frame before it */
    int64_t loop_us;
    uint32_t live_extents; /* blocks that stay */

    /* the job that fails first, then the caller */
    spn_status job_status;
    /* atomic */
    struct atomic_u32 jobs_left;
    struct atomic_u32 has_failed;
    /* Last, so that the offsets of the others are small: the first two are
     * fixed, `fault` is the caller's, the others are the job's, as above. */
    struct cache_header header;
    char path[SPN_PATH_BYTES_MAX];
    struct spn_fault fault;
    uint8_t header_bytes[CACHE_HEADER_BYTES];
    struct spn_fault job_fault;
};

/* -- caller's thread -- */

spn_status spn__cache_open(struct manager *m, const char *path, spn_cache *out);
spn_status spn__cache_release(struct cache *c);
/* One node more or less plays it. */
void spn__cache_hold(struct cache *c);
void spn__cache_unhold(struct cache *c);
/* Close without asking who holds it: at shutdown, once no node plays. */
void spn__cache_abandon(struct cache *c);
/* Everything that can be done now. */
void spn__cache_step(struct cache *c);
/* It opens no more: ready, failed or closing. The next one's turn comes. */
void spn__cache_end_turn(struct cache *c);
/* Free all memory; no read or job is left. */
void spn__cache_drop_memory(struct cache *c);
/* Heap that `node_count` nodes need; READY only. */
uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count);
bool spn__cache_check(const struct cache *c);

/* Pages of decoded frames that a stream of it is promised, beside one read:
 * to play without a gap, and to go on at all. The latter are a group, the
 * frame before it that it refers to, and the picture that is shown. */
uint32_t spn__cache_decode_promise(const struct cache *c);
#define CACHE_LEAST_FRAMES(cache) ((cache)->group_frames_max + 2)
uint32_t spn__cache_decode_least(const struct cache *c);

/* cache_memory.c. SPN_OK, SPN_NO_MEMORY_NOW, SPN_ERR_MEMORY (never). */
spn_status spn__cache_alloc(struct cache *c, uint64_t bytes,
                            uint32_t unit_bytes, enum heap_tag tag,
                            heap_handle *out);
void spn__cache_free(struct cache *c, heap_handle *handle);
/* The block of the arrays, cut by the header's counts. */
spn_status spn__cache_cut_tables(struct cache *c);
/* Frame and group chunks, or blobs, from the cursor on. */
spn_status spn__cache_alloc_chunks(struct cache *c);
spn_status spn__cache_alloc_blobs(struct cache *c);

/* -- jobs (cache_jobs.c) -- */

void spn__cache_frames_job(void *context, uint32_t argument,
                           struct job_worker *worker);
void spn__cache_tables_job(void *context, uint32_t argument,
                           struct job_worker *worker);
void spn__cache_blob_job(void *context, uint32_t argument,
                         struct job_worker *worker);
/* The state in whose jobs a blob is unpacked: for what it waits. */
enum cache_state spn__cache_blob_state(const struct cache_blob *blob);

/* -- any thread, once READY -- */

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

/* The decoder's part of a worker's scratch memory. */
static inline struct decode_scratch spn__cache_scratch(const struct cache *c,
                                                       uint8_t *memory)
{
    return (struct decode_scratch){memory, memory + c->workspace_at};
}

/* The last frame at or before `time_us` (0 <= time_us). */
uint32_t spn__cache_frame_before(const struct cache *c, int64_t time_us);

#endif
