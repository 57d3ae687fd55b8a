/* sim_heap.h - the runtime's heap while a game reads.
 *
 * Each read takes a block of the runtime's heap (spindle/memory.h) when its
 * first piece has gone to the device. The block is freed some time after the
 * read has ended, which is a model: sounds 1 s, clips 3 s, streams 4 s, bulk
 * 20 s. A read that finds no room is counted and goes on without a block; the
 * runtime does not wait for it. At fixed intervals a snapshot of the runtime
 * (spindle/debug.h) shows which pages are used, by what, and since when. The
 * page draws them as columns of cells; some snapshots are kept whole.
 *
 * Times are microseconds of virtual time. One thread owns a heap.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_HEAP_H
#define OFFLINE_SIMULATE_SIM_HEAP_H

#include "common/arena.h"
#include "schedule/deadline.h"

#include <spindle/spindle.h>
#include <stdint.h>

#define SIM_HEAP_CELLS 64u /* in a column: equal parts of the heap */
#define SIM_HEAP_COLUMNS_MAX 240u
#define SIM_HEAP_SNAPSHOTS_MAX 24u

/* Owner of pages: 0: free; 1 + class (enum deadline_class): a read of it. */
#define SIM_HEAP_STATIC (DEADLINE_CLASSES + 1) /* indices of paks */
#define SIM_HEAP_OWNERS (DEADLINE_CLASSES + 2)

/* Pages that lie side by side and have one owner. */
struct sim_heap_extent {
    uint32_t page_count;
    uint32_t owner;
    uint32_t age_ms; /* since its read went to the device; 0: free or static */
};

struct sim_heap_snapshot {
    uint64_t at_us;
    uint32_t extent_count;
    struct sim_heap_extent *extents; /* all of the heap, by page */
};

struct sim_heap_map {
    uint8_t *cells; /* SIM_HEAP_CELLS for each column, oldest column first: the
                     * owner with the most pages in the cell */
    uint32_t column_count;
    uint64_t column_us; /* between two columns */
    uint64_t bytes;     /* of the heap */
    uint32_t page_bytes;
    uint64_t used_bytes_peak;
    uint32_t failed; /* reads that found no room */
    struct sim_heap_snapshot snapshots[SIM_HEAP_SNAPSHOTS_MAX];
    uint32_t snapshot_count;
};

struct sim_heap;
/* Observe the heap of a runtime, which must outlive it. Ends the process when
 * memory runs out. */
struct sim_heap *sim_heap_create(spn_runtime *rt);
void sim_heap_destroy(struct sim_heap *heap);

/* A read goes to the device: it gets a block at the next sim_heap_settle.
 * Returns its number, >= 1. May be called inside spn_update. */
uint32_t sim_heap_take(struct sim_heap *heap, uint64_t bytes,
                       enum deadline_class class, uint64_t now_us);
/* The read ended at `now_us`: its block is freed after the time of its class.
 * Number 0 is legal and does nothing. */
void sim_heap_release(struct sim_heap *heap, uint32_t number, uint64_t now_us);
/* Between two updates: allocate the blocks of new reads. */
void sim_heap_settle(struct sim_heap *heap);
/* Advance to `now_us`, between two updates: free blocks that are due, take
 * snapshots. */
void sim_heap_advance(struct sim_heap *heap, uint64_t now_us);
/* Store the result, with memory of `arena`. */
void sim_heap_finish(struct sim_heap *heap, struct arena *arena,
                     struct sim_heap_map *out);

#endif
