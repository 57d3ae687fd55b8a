/* heap_promise.c - the guarantee of heap.h, computed independently. */
/* SPDX-License-Identifier: MIT */
#include "support/heap_promise.h"

uint32_t promise_border(uint32_t unit)
{
    for (;; unit++) {
        uint32_t m = unit;

        while (m % 2 == 0)
            m /= 2;
        if (m < 32)
            return unit;
    }
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

uint32_t promise_records(uint32_t pages, uint32_t unit)
{
    return divide_up(divide_up(pages, unit), HEAP_RECORD_EXTENTS);
}

bool promise_covers(const struct heap_stats *stats, uint32_t pages,
                    uint32_t unit)
{
    return pages <= HEAP_EXTENTS_MAX * unit &&
           stats->free_records >= promise_records(pages, unit) &&
           stats->free_pages >=
               pages + (stats->live_extents + 1) * (promise_border(unit) - 1);
}
