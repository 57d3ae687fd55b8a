/* memory.h - blocks of the runtime's heap, and reports about its memory.
 *
 * spn_init gets one piece of memory. The runtime divides it into tables, whose
 * sizes follow from the config, and the *heap*, from which everything of
 * variable size is allocated: compressed and decoded frames, static data of
 * caches, indices of paks, and blocks for the game. This header has three
 * parts: blocks for the game, the sizes of tables and heap, and statistics of
 * the heap.
 *
 * The heap is divided into *pages* of spn_config.heap_page_bytes: a power of
 * two from 4 KiB to 64 KiB, by default the smallest with which the heap has at
 * most 65534 pages (4 KiB up to a heap of 255 MiB).
 *
 * A *block* is an allocation of the heap. It consists of 1 to
 * SPN_BLOCK_EXTENTS_MAX *extents*, which may lie anywhere in the heap. Each
 * extent is one contiguous sequence of pages, of which the block uses all
 * bytes; only of the last page of the last extent it may use a part. Extents
 * never move.
 *
 * *Caller's thread*: the thread that calls spn_update (spindle.h).
 *
 * A block of known size is allocated, read into, used and freed by the game:
 *
 *   spn_block block;
 *   spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
 *   if (spn_block_alloc(rt, bytes, 0, &block) == SPN_OK) {
 *       desc.extents = extents;
 *       desc.extent_count = spn_block_get_extents(rt, block, extents,
 *                                                 SPN_BLOCK_EXTENTS_MAX);
 *       desc.buffer_bytes = bytes;
 *       ... spn_read_start; when the read has completed and the data was used:
 *       spn_block_free(rt, block);
 *   }
 *
 * If the game does not know the size before the read, e.g. because it reads to
 * the end of a file, the read allocates the block itself:
 *
 *   desc.flags = SPN_READ_INTO_HEAP;
 *   desc.on_done = on_done;     a function that uses and frees result->block
 *   desc.heap_unit_bytes = 0;   the same as unit_bytes of spn_block_alloc
 *
 * spn_update allocates the block when the number of bytes is known, the queue
 * of the medium has chosen the read, and the read budget has room (medium.h,
 * Memory). The block counts towards spn_config.read_budget_bytes until the read
 * completes. If the heap has no room, other reads go on, and each spn_update
 * tries again. The read ends with SPN_ERR_MEMORY only if its data is larger
 * than the heap without the memory of mounted paks. If the read does not end
 * with SPN_OK, the runtime frees the block, and result->bytes is 0.
 *
 * The caller's thread must not wait for such a read (spn_read_wait), because
 * only spn_update allocates its block.
 *
 * Animation clips (anim.h) may have a reserve of the heap, which blocks of the
 * game never take either.
 *
 * Streams of geometry caches (geom.h) have memory of the heap reserved for
 * them, at least as much as they need to play. Blocks of the game never
 * take reserved memory. Streams use the rest of the heap to read further ahead;
 * while blocks of the game exist, that rest is smaller.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_MEMORY_H
#define SPINDLE_MEMORY_H

#include <spindle/platform.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- blocks -- */

/* Most extents of one block. */
#define SPN_BLOCK_EXTENTS_MAX 256u

/* Allocate a block. Its contents are undefined.
 *
 * bytes       1 or more
 * unit_bytes  how much memory must be contiguous
 *               0           one page. A block of at most
 *                           SPN_BLOCK_EXTENTS_MAX pages is found if enough
 *                           pages are free, because each page can be an extent
 *                           of its own. A larger block may not be found
 *                           (SPN_NO_MEMORY_NOW): use a larger unit for it
 *               n           n bytes, rounded up to whole pages: the size of
 *                           each extent except the last is a multiple of that
 *               >= `bytes`  all: the block is one extent
 *             If it is more than one page, the block may not be found although
 *             enough pages are free, because they are not contiguous
 *
 * Returns
 *   SPN_OK             *out is the block
 *   SPN_NO_MEMORY_NOW  there is no room now beside static data of caches and
 *                      the memory that is reserved for streams. The call may
 *                      have freed frames that were read ahead
 *   SPN_ERR_MEMORY     there would be no room even if caches and streams used
 *                      no memory. Free other blocks or unload paks first
 *   SPN_ERR_ARG        `bytes` is 0, or a pointer is NULL
 *
 * Thread: the caller's. */
SPN_NODISCARD spn_status spn_block_alloc(spn_runtime *rt, uint64_t bytes,
                                         uint32_t unit_bytes, spn_block *out);

/* Free a block. No read into it may be in flight. spn_shutdown frees all
 * blocks. SPN_ERR_HANDLE if the handle is stale, or the block was not allocated
 * by spn_block_alloc or SPN_READ_INTO_HEAP. Thread: the caller's. */
spn_status spn_block_free(spn_runtime *rt, spn_block block);

/* Get the extents of a block, in order. They are valid until the block is
 * freed.
 *
 * extents   room for `capacity` extents; may be NULL if that is 0. If the block
 *           has more extents, only the first ones are written
 *
 * Returns the number of extents of the block; 0 if the handle is stale.
 *
 * Threads: the caller's. Any other thread, as long as the game ensures that the
 * caller's thread does not free the block meanwhile. on_async of the read that
 * allocated the block. */
uint32_t spn_block_get_extents(const spn_runtime *rt, spn_block block,
                               spn_extent *extents, uint32_t capacity);

/* -- the memory of spn_init -- */

/* The parts of the memory that is given to spn_init: the runtime's record, its
 * tables, and the heap. X(name, text, grows_by)
 *
 * name      of the value of spn_memory_table
 * text      name of the part for a report
 * grows_by  a phrase for a person who reads a report, not for a program: what
 *           makes the part larger; "": nothing. Several causes are separated
 *           by commas. A word with an underscore is a field of spn_config. The
 *           other words are numbers that follow from the config: "codecs" is
 *           the number of registered block codecs (codec.h), "drives" that of
 *           media with the deadline scheduler, "pages" that of pages of the
 *           heap */
#define SPN_MEMORY_TABLE_MAP(X)                                                \
    X(RUNTIME, "runtime", "")                                                  \
    X(JOBS, "jobs", "job_count, reserved_tasks")                               \
    X(WORKERS, "workers", "worker_count + 1 for spn_update, codecs")           \
    X(TRACE, "trace", "trace_count")                                           \
    X(READS, "reads", "read_count, wait_count")                                \
    X(FILES, "files", "file_count, read_count")                                \
    X(MEDIA, "media", "read_count for each medium, drives")                    \
    X(PAKS, "paks", "pak_count, unpack_bytes")                                 \
    X(CACHES, "caches", "cache_count")                                         \
    X(NODES, "nodes", "node_count, fill_count")                                \
    X(ANIM, "animations",                                                      \
      "anim_count, anim_loaded_count, anim_database_count, anim_play_count, "  \
      "anim_timeline_count, anim_skeleton_count")                              \
    X(HEAP_TABLES, "heap tables", "heap_block_count, pages")                   \
    X(HEAP, "heap", "heap_bytes")

/* SPN_MEMORY_RUNTIME, SPN_MEMORY_JOBS ...: the rows of a report. */
typedef enum spn_memory_table {
#define SPN_MEMORY_TABLE_ENUM(name, text, by) SPN_MEMORY_##name,
    SPN_MEMORY_TABLE_MAP(SPN_MEMORY_TABLE_ENUM)
#undef SPN_MEMORY_TABLE_ENUM
        SPN_MEMORY_TABLE_COUNT
} spn_memory_table;

typedef struct spn_memory_row {
    const char *name;     /* static string, e.g. "reads" */
    const char *grows_by; /* static string: what makes the part larger, see
                           * SPN_MEMORY_TABLE_MAP */
    uint64_t bytes;
    uint32_t count; /* number of elements (nodes, reads, workers ...); 0: the
                     * table has no elements */
} spn_memory_row;

typedef struct spn_memory_report {
    spn_memory_row rows[SPN_MEMORY_TABLE_COUNT]; /* by spn_memory_table */
    uint64_t bytes; /* the sum: what spn_memory_needed returns for the config */
} spn_memory_report;

struct spn_config;
/* Report how spn_init would divide its memory with this config (spindle.h).
 * SPN_ERR_ARG if the config is invalid; SPN_ERR_NOT_BUILT if it needs a part
 * that this build does not have (features.h); SPN_ERR_MEMORY if the sum does
 * not fit a size_t. Thread: any. */
spn_status spn_memory_get_report(const struct spn_config *config,
                                 spn_memory_report *out);

/* -- statistics of the heap -- */

typedef struct spn_heap_stats {
    uint64_t bytes; /* size of the heap */
    uint64_t free_bytes;
    uint64_t live_bytes; /* sum of the sizes of all allocations, as requested */
    uint64_t live_bytes_peak; /* the most of live_bytes at a time */
    uint64_t used_bytes_peak; /* the most bytes of pages in use at a time; more
                               * than live_bytes_peak if allocations do not
                               * fill their last page */
    /* The parts of live_bytes, by purpose. */
    uint64_t compressed_bytes; /* frames as they were read */
    uint64_t decoded_bytes;    /* decoded frames */
    uint64_t static_bytes;     /* tables and static data of caches; indices and
                                * contents of paks; headers and bytes of
                                * animation clips (anim_event.h has their
                                * number alone) */
    uint64_t block_bytes;      /* blocks of the game */
    /* Allocations that failed since spn_init, by cause. If the runtime needs
     * memory itself and there is none, it tries again at each update; each such
     * failure counts. */
    uint32_t failed_no_memory;  /* too few free pages */
    uint32_t failed_fragmented; /* enough free pages, but too scattered */
    uint32_t failed_no_record;  /* spn_config.heap_block_count was reached */
} spn_heap_stats;

/* Get the statistics as they are now. Peaks and failures are counted since
 * spn_init. Thread: the caller's. */
void spn_heap_get_stats(const spn_runtime *rt, spn_heap_stats *out);

#ifdef __cplusplus
}
#endif
#endif
