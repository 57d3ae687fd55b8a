/* heap_promise.h - the guarantee of heap.h about allocations, derived from its
 * text. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HEAP_PROMISE_H
#define TESTS_SUPPORT_HEAP_PROMISE_H

#include "base/heap.h"

/* Smallest number m * 2^k >= unit with m < 32. */
uint32_t promise_border(uint32_t unit);

/* Records of a block of `pages` pages when each extent is one unit. */
uint32_t promise_records(uint32_t pages, uint32_t unit);

/* Whether a heap with these counts must have room for such a block. */
bool promise_covers(const struct heap_stats *stats, uint32_t pages,
                    uint32_t unit);

#endif
