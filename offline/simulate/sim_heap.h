/* sim_heap.h - where a game's reads would lie in the runtime's heap.
 *
 * Every read takes a block, in pages, when its first piece goes to the device,
 * and gives it back some time after it has ended: sounds after a second, clips
 * after 3, what streams bring after 4, all else after 20. The heap is the
 * runtime's own; nothing is written into it, and nobody waits for it: a read
 * that finds no room is counted. Every so often its map is drawn.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_HEAP_H
#define OFFLINE_SIMULATE_SIM_HEAP_H

#include "schedule/sweep.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_HEAP_CELLS 64u
#define SIM_HEAP_COLUMNS_MAX 240u

/* Columns of cells, oldest first: 0 free, else 1 + the class of most of it. */
struct sim_heap_map {
    uint8_t *cells;
    uint32_t column_count;
    uint64_t column_us;
    uint64_t bytes;
    uint64_t used_bytes_peak;
    uint32_t failed;
};

struct sim_heap;
struct sim_heap *sim_heap_create(uint32_t mib);
void sim_heap_destroy(struct sim_heap *heap);

/* 0: there was no room. */
uint32_t sim_heap_take(struct sim_heap *heap, uint64_t bytes,
                       enum sweep_class class);
void sim_heap_release(struct sim_heap *heap, uint32_t block,
                      enum sweep_class class, uint64_t now_us);
/* Time goes on: give back what is over, and draw. */
void sim_heap_advance(struct sim_heap *heap, uint64_t now_us);
/* The caller frees `cells`. */
void sim_heap_finish(struct sim_heap *heap, struct sim_heap_map *out);

#endif
