/* sim_heap.h - how the reads of a game would fill the runtime's heap.
 *
 * A model without data: each read takes a block of the runtime's own allocator
 * when its first piece goes to the device. The block is released some time
 * after the read has ended: sounds 1 s, clips 3 s, streams 4 s, bulk 20 s. A
 * read that finds no room is counted and goes on without a block. At fixed
 * intervals the occupancy is sampled as a column of cells, for the page.
 *
 * Times are microseconds of virtual time. One thread owns a heap.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_HEAP_H
#define OFFLINE_SIMULATE_SIM_HEAP_H

#include "common/arena.h"
#include "schedule/deadline.h"

#include <stdint.h>

#define SIM_HEAP_CELLS 64u /* in a column: equal parts of the heap */
#define SIM_HEAP_COLUMNS_MAX 240u

struct sim_heap_map {
    uint8_t *cells; /* SIM_HEAP_CELLS for each column, oldest column first. 0:
                     * free; else 1 + the class (enum deadline_class) with the
                     * most bytes in the cell */
    uint32_t column_count;
    uint64_t column_us; /* between two columns */
    uint64_t bytes;     /* of the heap */
    uint64_t used_bytes_peak;
    uint32_t failed; /* reads that found no room */
};

struct sim_heap;
/* Create a heap of `mib` MiB, 1..511. Ends the process when memory runs out. */
struct sim_heap *sim_heap_create(uint32_t mib);
void sim_heap_destroy(struct sim_heap *heap);

/* Take a block for a read. Returns its number; 0: no room. */
uint32_t sim_heap_take(struct sim_heap *heap, uint64_t bytes,
                       enum deadline_class class);
/* The read of the block ended at `now_us`: release the block after the time of
 * its class. Block 0 is legal and does nothing. */
void sim_heap_release(struct sim_heap *heap, uint32_t block,
                      enum deadline_class class, uint64_t now_us);
/* Advance to `now_us`: release blocks that are due, sample columns. */
void sim_heap_advance(struct sim_heap *heap, uint64_t now_us);
/* Store the result. out->cells come from `arena`. */
void sim_heap_finish(struct sim_heap *heap, struct arena *arena,
                     struct sim_heap_map *out);

#endif
