/* heap_promise.h - what heap.h promises of allocations, from its text. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HEAP_PROMISE_H
#define TESTS_SUPPORT_HEAP_PROMISE_H

#include "base/heap.h"

/* Smallest number >= unit of the form m * 2^k, m < 32. */
uint32_t promise_border(uint32_t unit);

/* Records of a block of so many pages, each of its extents a whole unit. */
uint32_t promise_records(uint32_t pages, uint32_t unit);

/* Must a heap with these counts have room for such a block? */
bool promise_covers(const struct heap_stats *stats, uint32_t pages,
                    uint32_t unit);

#endif
