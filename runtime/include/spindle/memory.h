/* memory.h - the runtime's own heap: what it holds, and reads into it.
 *
 *   spn_block block;
 *   spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
 *   if (spn_block_alloc(rt, bytes, 0, &block) == SPN_OK) {
 *       desc.extents = extents;
 *       desc.extent_count = spn_block_get_extents(rt, block, extents,
 *                                                 SPN_BLOCK_EXTENTS_MAX);
 *       desc.buffer_bytes = bytes;
 *       ... spn_read_start, and once it has ended and is used up ...
 *       spn_block_free(rt, block);
 *   }
 *
 * A read whose size is not known yet, to the end of a file or of a compressed
 * entry, takes its block itself:
 *
 *   desc.flags = SPN_READ_INTO_HEAP; buffer, extents and on_storage are NULL,
 *   desc.buffer_bytes is 0, desc.on_done is needed: it gets result->block
 *
 * When its turn has come the block is taken inside the next spn_update, as
 * spn_block_alloc takes one, and counts in spn_config.read_budget_bytes until
 * the completion. Where the heap has no room now other reads go on, and it is
 * tried again with each spn_update; only one that is larger than the heap, less
 * what the mounted paks hold of it, ends in SPN_ERR_MEMORY. So the thread
 * that calls spn_update must not wait for such a read, or for its abort:
 * nobody would take the block. Of a read that does not end in SPN_OK the
 * engine gives the block back; result->bytes is 0 then.
 *
 * The heap lives with fragmentation: a block is a list of extents, each a whole
 * number of the heap's pages but for the last one's end, none of which ever
 * moves. Blocks of the caller leave alone what is promised to the streams of
 * geometry caches, which read less far ahead while they are there.
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

/* Extents of one block at most. */
#define SPN_BLOCK_EXTENTS_MAX 256u

/* Take a block.
 *
 * bytes       1 or more
 * unit_bytes  that lie together: every extent but the last is a multiple of it,
 *             rounded up to pages. 0: one page, which is found whenever there
 *             are pages enough (of a block of more than 256, larger units are
 *             surer); `bytes` or more: one extent
 *
 * Returns SPN_OK; SPN_NO_MEMORY_NOW: not now, and the streams have been asked
 * to give back what they read ahead, so try after the next spn_update;
 * SPN_ERR_MEMORY: the heap can never hold it beside the blocks that are there;
 * SPN_ERR_ARG for 0 bytes or NULL. Contents are undefined. Thread: caller's. */
SPN_NODISCARD spn_status spn_block_alloc(spn_runtime *rt, uint64_t bytes,
                                         uint32_t unit_bytes, spn_block *out);

/* Give it back: no read into it may be in flight any more. SPN_ERR_HANDLE when
 * it was, or is no block of the caller's. What spn_shutdown finds is gone with
 * the runtime. Thread: caller's. */
spn_status spn_block_free(spn_runtime *rt, spn_block block);

/* Write the first `capacity` extents of a block, in order; all their bytes
 * together are the block's. Returns how many there are, 1 to
 * SPN_BLOCK_EXTENTS_MAX; 0 for a stale handle. They hold until it is freed.
 * `extents` may be NULL with a capacity of 0. Thread: caller's, and those that
 * it hands the block to before it frees it; the asynchronous callback of the
 * read that brought it. */
uint32_t spn_block_get_extents(const spn_runtime *rt, spn_block block,
                               spn_extent *extents, uint32_t capacity);

/* What the block of memory is made of: X(name, text, what it grows by). */
#define SPN_MEMORY_TABLE_MAP(X)                                                \
    X(RUNTIME, "runtime", "")                                                  \
    X(JOBS, "jobs", "job_count, reserved_tasks")                               \
    X(WORKERS, "workers", "worker_count and 1 of spn_update's; codecs")        \
    X(TRACE, "trace", "trace_count")                                           \
    X(READS, "reads", "read_count; wait_count")                                \
    X(FILES, "files", "file_count, and read_count")                            \
    X(MEDIA, "media", "read_count, of each; drives")                           \
    X(PAKS, "paks", "pak_count; unpack_bytes")                                 \
    X(CACHES, "caches", "cache_count")                                         \
    X(NODES, "nodes", "node_count, times stream_frame_count")                  \
    X(HEAP_TABLES, "heap tables", "heap_block_count, pages")                   \
    X(HEAP, "heap", "heap_bytes")

typedef enum spn_memory_table {
#define SPN_MEMORY_TABLE_ENUM(name, text, by) SPN_MEMORY_##name,
    SPN_MEMORY_TABLE_MAP(SPN_MEMORY_TABLE_ENUM)
#undef SPN_MEMORY_TABLE_ENUM
        SPN_MEMORY_TABLE_COUNT
} spn_memory_table;

typedef struct spn_memory_row {
    const char *name; /* "reads" */
    const char *by;   /* what of the config it grows by; static strings */
    uint64_t bytes;
    uint32_t count; /* of nodes, reads, workers ...; 0: it has no number */
} spn_memory_row;

typedef struct spn_memory_report {
    spn_memory_row rows[SPN_MEMORY_TABLE_COUNT];
    uint64_t bytes; /* the sum: spn_memory_needed of the same config */
} spn_memory_report;

/* What spn_init would cut out of its block with this config (spn_config), table
 * by table. SPN_ERR_ARG: the config is invalid; SPN_ERR_NOT_BUILT: it wants
 * what this build is without (features.h); SPN_ERR_MEMORY: it needs more than a
 * size_t can say. Thread: any. */
struct spn_config;
spn_status spn_memory_get_report(const struct spn_config *config,
                                 spn_memory_report *out);

typedef struct spn_heap_stats {
    uint64_t bytes; /* of the heap */
    uint64_t free_bytes;
    uint64_t live_bytes; /* asked for and not freed */
    uint64_t live_bytes_peak;
    uint64_t used_bytes_peak; /* with page slack */
    uint64_t read_bytes;      /* live, by purpose */
    uint64_t decoded_bytes;
    uint64_t static_bytes;
    uint64_t block_bytes;      /* of the caller's blocks */
    uint32_t failed_no_memory; /* allocations that had to wait */
    uint32_t failed_fragmented;
    uint32_t failed_no_record;
} spn_heap_stats;
/* Now, and since init. */
void spn_heap_get_stats(const spn_runtime *rt, spn_heap_stats *out);

#ifdef __cplusplus
}
#endif
#endif
