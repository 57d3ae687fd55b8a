/* heap_fixture.h - for tests of the heap: a heap of small pages in static
 * memory, and calls that either succeed or change nothing. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HEAP_FIXTURE_H
#define TESTS_SUPPORT_HEAP_FIXTURE_H

#include "base/heap.h"

#include <spindle/status.h>
#include <stdint.h>

#define PAGE 4096u
#define PAGES 600u

/* Memory of all heaps of the tests. */
extern uint8_t heap_memory[(PAGES + 2) * PAGE + 256 * 1024];

/* Make an empty heap and check its invariants. */
void heap_make(struct heap *heap, uint32_t pages, uint32_t records);

/* Allocate pages; fails the claim when that fails. */
heap_handle heap_take(struct heap *heap, uint32_t pages);

/* Allocate and free again. Checks the invariants, and that the number of free
 * pages stays the same. */
spn_status heap_try(struct heap *heap, uint32_t bytes, uint32_t unit);

struct heap_stats heap_stats_of(const struct heap *heap);

/* Fill the heap with blocks of one page, then free each block whose index is a
 * multiple of `every`. */
void heap_shred(struct heap *heap, heap_handle *pages, uint32_t count,
                uint32_t every);

#endif
