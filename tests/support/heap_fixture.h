/* heap_fixture.h - for the tests of the heap: a heap of small pages in static
 * memory, and calls that must either succeed or change nothing. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HEAP_FIXTURE_H
#define TESTS_SUPPORT_HEAP_FIXTURE_H

#include "base/heap.h"

#include <spindle/status.h>
#include <stdint.h>

#define PAGE 4096u
#define PAGES 600u

/* Block of all heaps of the tests. */
extern uint8_t heap_memory[(PAGES + 2) * PAGE + 256 * 1024];

/* Make an empty heap, whose invariants hold. */
void heap_make(struct heap *heap, uint32_t pages, uint32_t records);

/* Allocate some pages, which must succeed. */
heap_handle heap_take(struct heap *heap, uint32_t pages);

/* Allocate, and free it again. The free pages do not change; the invariants
 * hold. */
spn_status heap_try(struct heap *heap, uint32_t bytes, uint32_t unit);

struct heap_stats heap_stats_of(const struct heap *heap);

/* Fill the heap with blocks of one page, then free each of which the index is
 * a multiple of `every`. */
void heap_shred(struct heap *heap, heap_handle *pages, uint32_t count,
                uint32_t every);

#endif
