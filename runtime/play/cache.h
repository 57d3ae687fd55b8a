/* cache.h - one open cache: its tables and static data in the heap.
 *
 * A cache file holds the frames of one clip (runtime/cache/FORMAT.md). While
 * the file is open this record holds what all nodes that play it share: header,
 * frame table, group table, the static data of the meshes, and which of its
 * frames and groups are in memory (frame_slot.h, group_table.h).
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
 * allocates for it, cache_jobs.h validates and unpacks, cache_meshes.h shares
 * its static meshes with other caches, cache_info.h describes it to the user.
 *
 * Threads: the caller's thread (the thread that calls spn_update) owns the
 * record, apart from the fields marked otherwise. From CACHE_READY until the
 * cache closes, tables do not change, and static data does not until it is
 * unloaded, which happens only while no node streams; jobs and nodes read them
 * without synchronization.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_H
#define SPN_PLAY_CACHE_H

#include "base/atomic.h"
#include "base/heap.h"
#include "cache/decoder.h"
#include "play/manager.h"

#include <spindle/features.h>
#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

/* Entries in one chunk of the frame table and of the group table. */
#define CACHE_CHUNK_FRAMES 1024u
#define CACHE_CHUNK_GROUPS 2048u
/* Entries in one chunk of the slots of frames and of those of groups. */
#define CACHE_CHUNK_SLOTS 1024u
#define CACHE_CHUNK_GROUP_SLOTS 8192u

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
    CACHE_BLOBS_JOB,     /* unpacks blobs (cache_jobs.h) */
    CACHE_MESHES_MEMORY, /* gives static meshes to the registry */
    CACHE_READY,         /* nodes can play it */
    CACHE_UNLOADED,      /* its blobs were freed. It is loaded again from
                          * CACHE_STATIC_MEMORY on; its tables stay */
    CACHE_FAILED,        /* it could not be loaded */
    CACHE_CLOSING        /* waits until its read and jobs have ended */
};

/* Where the blocks of a decoded frame lie in memory. Blocks are packed into
 * *units* of at most 64 KiB; each unit is one heap block. Unit 0 begins with
 * the frame's record (decoded_frame.h). */
struct cache_plan {
    uint32_t *block_unit;   /* for each block: its unit */
    uint32_t *block_offset; /* for each block: byte offset in the unit */
    uint32_t *unit_bytes;   /* for each unit: its size */
    uint32_t unit_count;
    uint32_t record_bytes; /* of the record with its arrays */
    uint32_t frame_pages;  /* of all units together */
    uint32_t unit_pages_max;
};

/* What is in memory of a group, see group_table.h. */
struct group_slot {
    uint16_t body_read;   /* 1 + index of the read that has the frames other */
    uint16_t border_read; /* than the border, and the border; 0: none */
    uint16_t settled_count; /* frames of it that are not EMPTY */
    uint16_t ready_count;   /* frames of it that are READY */
};

struct frame_slot;  /* frame_slot.h */
struct static_mesh; /* mesh/mesh_registry.h */

/* The static meshes of a cache, see cache_meshes.h. */
struct cache_meshes {
    struct static_mesh **table; /* for each mesh: the one of the registry; NULL:
                                 * it is animated, or not handled yet */
    /* while it is loaded */
    uint32_t part;                 /* first part of the mesh that is handled */
    uint32_t piece;                /* next piece of this mesh */
    bool is_begun;                 /* this mesh has been looked up */
    struct static_mesh *candidate; /* the one that is compared with it */
    struct static_mesh *building;  /* the one that is made of it */
    size_t built_bytes;            /* of its bundle */
    heap_handle pack;              /* where bundles go; 0: none */
    size_t pack_used;
    size_t pack_bytes;
    /* What its meshes take if no other cache has them: pages of packs and
     * blocks, and bytes that are free in the last pack. */
    uint32_t alone_pages;
    size_t alone_left;
};

/* The engine's buffers of a cache, see frame_buffer.h. Owner: the caller's
 * thread; the layout is fixed while frames are decoded, and jobs read it. */
struct cache_buffers {
    spn_frame_buffers engine;     /* acquire == NULL: frames are not written */
    spn_cache cache;              /* the handle that the engine used */
    struct decoded_frame *first;  /* all frames that have a buffer */
    struct decoded_frame *wanted; /* during the plan: frames that are to get */
    struct decoded_frame **wanted_end; /* one, the most important one first */
    uint32_t count;                    /* how many these are */
    uint32_t busy_count; /* of these: being written, or about to be */
    uint32_t each;       /* buffers for one cursor */
};

/* What its cursors were promised at the last update (node/memory_play.h). */
struct cache_promises {
    uint32_t count;       /* of cursors that have a promise */
    uint32_t frame_pages; /* promised for frames */
    uint32_t read_pages;  /* promised for reads */
};

struct cache {
    /* fixed while the slot is in use */
    struct manager *manager;

    /* caller's thread */
    spn_cache handle;
    enum cache_state state;
    spn_status status; /* SPN_PENDING, SPN_OK, or why it failed. SPN_OK
                               * from the first CACHE_READY on */
    /* From the first CACHE_READY on: SPN_OK while it is READY; if not,
     * SPN_PENDING, or why its blobs could not be loaded the last time. */
    spn_status load_status;
    uint64_t retry_us;    /* UNLOADED, after an error: when it is tried again */
    bool is_unwanted;     /* nobody needs the blobs now (scene/node_view.h) */
    uint32_t whole_pages; /* `pages` and those of its static meshes,
                           * when it was READY last */
    uint32_t table_pages; /* `pages` without blobs */
    uint32_t serial;      /* serial number of the spn_cache_open that opened
                               * it (manager.next_serial) */
    uint32_t reference_count; /* references of the user */
    uint32_t node_count;      /* nodes that use it, also while they end */
    uint32_t cursor_count;    /* of these: nodes that stream */
    uint32_t full_frames;   /* spn__cache_frames_full, for this decode-ahead */
    uint32_t full_ahead_us; /* time; 0: not computed */
    uint32_t ready_count;   /* frames that are READY */
    uint32_t decoded_count; /* frames that have memory, READY or not */
    uint32_t decoded_pages; /* pages of that memory */
    bool keeps_frames;      /* it plays from memory, see node/memory_play.h */
    uint8_t memory_rank;    /* used there during the update */
    struct cache_promises promises;
    uint32_t fault_frame; /* number of the frame of frame_fault */
    uint32_t retry_stamp; /* while it plays from memory, a new loop tries frames
                           * again that were lost before this update */
    spn_file file;
    /* Medium of the file; valid from CACHE_FRAMES_MEMORY on. */
    spn_medium medium;
    spn_read read;          /* the read under way; 0: none */
    spn_status read_status; /* of the last read */
    uint64_t read_offset;   /* of the wanted bytes in the file */
    uint64_t read_wanted;   /* number of wanted bytes */
    uint64_t read_bytes;    /* how many of them arrived */
    uint64_t file_bytes;
    heap_handle read_block; /* buffer of the read */
    uint32_t read_skip;     /* bytes in the buffer before the wanted ones,
                               * because reads begin at multiples of 4096 */
    uint32_t chunk_cursor;  /* next chunk or blob that needs memory */
    bool was_refused;       /* the last allocation failed */
    /* Which tiles are decoded, see node/mesh_mask.h. */
    bool mask_is_due;    /* tile_mask must be found anew */
    bool is_masked;      /* some tile is not wanted */
    bool has_lacking;    /* some frame lacks a wanted tile */
    uint32_t *tile_mask; /* one bit for each tile; all are wanted, and this is
                            not used, unless is_masked */
    uint32_t pages;      /* heap pages that it uses */
    uint32_t pages_peak; /* most pages that it used while it was loaded */
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
    heap_handle *chunk_handles; /* of the chunks in the order of their arrays,
                                   then of blobs */
    struct frame_slot **slot_chunks;
    struct group_slot **group_slot_chunks;
    uint32_t frame_chunk_count;
    uint32_t group_chunk_count;
    uint32_t slot_chunk_count;
    uint32_t group_slot_chunk_count;
    uint8_t **blob_data;       /* for each blob: its unpacked bytes; NULL: they
                                * are freed, or in the registry of meshes */
    heap_handle *blob_handles; /* the part of chunk_handles for blobs */
    struct cache_decoder decoder;
    struct cache_plan plan;
    struct cache_meshes meshes;  /* caller; the table is fixed from CACHE_READY
                                 * on */
    uint32_t group_frames_max;   /* frames of the largest group */
    uint32_t closure_frames_max; /* frames of the largest closure (closure.h) */
    uint32_t read_pages_max; /* of a group and the frame before, in one or two
                                reads */
    uint32_t level_max;      /* number of the last level, see level.h */
    uint32_t level_frames[CACHE_HEIGHT_INDEX + 1]; /* frames of each height */
    int64_t loop_us; /* duration of one loop, > 0 with two frames */

    uint32_t pass;       /* of unpacking, see cache_jobs.h */
    uint32_t job_cursor; /* next blob or mesh that may need a job of it */
    uint64_t blobs_at;   /* offset of the blobs in read_block */

    /* Written by the job that fails first; read by the caller when no job
     * runs. */
    spn_status job_status;
    /* atomic */
    struct atomic_u32 jobs_left;  /* jobs submitted that have not ended */
    struct atomic_u32 has_failed; /* a job failed */
    struct atomic_u32 fill_count; /* fills of spn_fill_start that run */
    /* Large fields are last, so that the others have small offsets. `header`
     * and `path` are fixed, `buffers` and `fault` are the caller's, the rest is
     * the jobs'. */
#if SPN_WITH_FRAME_BUFFERS
    struct cache_buffers buffers;
#endif
    struct cache_header header;
    char path[SPN_PATH_BYTES_MAX];
    struct spn_fault fault;       /* why it failed */
    struct spn_fault frame_fault; /* of the last damaged frame */
    uint8_t header_bytes[CACHE_HEADER_BYTES];
    struct spn_fault job_fault; /* written with job_status */
};

/* Its tables are in memory, and stay until it closes. */
static inline bool cache_has_tables(const struct cache *c)
{
    return c->status == SPN_OK;
}

static inline bool cache_wants_tile(const struct cache *c, uint32_t tile)
{
    return !c->is_masked || (c->tile_mask[tile / 32] >> tile % 32 & 1u);
}

/* What playback of this cache needs in memory, READY only. The frames that a
 * cursor shows and those within the decode-ahead time are decoded, and beside
 * them the closure of one of them.
 *
 * ahead_us  decode-ahead time
 *
 * Frames with which playback has no gap, at normal speed in both directions. */
uint32_t spn__cache_frames_full(const struct cache *c, uint32_t ahead_us);
/* Frames with which it goes on at all: the largest closure, a frame that is
 * decoded, and the frame that is shown meanwhile. */
uint32_t spn__cache_frames_least(const struct cache *c);
/* Bytes of heap memory of all frames, decoded. */
uint64_t spn__cache_clip_bytes(const struct cache *c);
/* Pages of read buffers for what so many cursors may read ahead
 * (buffer_ahead_min_ms and request_kib); at most those of all frames. */
uint64_t spn__cache_ahead_pages(const struct cache *c, uint32_t cursor_count);
/* The most frames in any closed interval of so many microseconds; a clip of two
 * frames and more repeats. */
uint32_t spn__cache_frames_within(const struct cache *c, int64_t span_us);

/* The result of spn_cache_heap_needed (geom_cache.h). The cache has been
 * READY. */
uint64_t spn__cache_heap_needed(const struct cache *c, uint32_t node_count);
/* Pages of read buffers with which playback has no gap: a group with its
 * anchor, and the next group meanwhile. The least is read_pages_max. */
uint32_t spn__cache_reads_full(const struct cache *c);

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

/* The fault of a frame whose bytes could not be read. */
static inline spn_fault cache_unread_fault(const struct cache_frame *frame,
                                           spn_status status)
{
    return (spn_fault){.what = "unreadable frame",
                       .offset = frame->offset,
                       .expected = frame->bytes,
                       .has_expected = 1,
                       .status = status};
}

static inline const struct cache_group *cache_group_at(const struct cache *c,
                                                       uint32_t group)
{
    return &c->group_chunks[group / CACHE_CHUNK_GROUPS]
                           [group % CACHE_CHUNK_GROUPS];
}

static inline struct group_slot *cache_group_slot_at(const struct cache *c,
                                                     uint32_t group)
{
    return &c->group_slot_chunks[group / CACHE_CHUNK_GROUP_SLOTS]
                                [group % CACHE_CHUNK_GROUP_SLOTS];
}

/* The decoder's view of a worker's scratch memory (scratch.h). */
static inline struct decode_scratch spn__cache_scratch(const struct cache *c,
                                                       uint8_t *memory)
{
    return (struct decode_scratch){memory, memory + c->workspace_at};
}

#endif
