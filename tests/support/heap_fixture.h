/* heap_fixture.h - what the tests of the heap share: a heap of small pages
 * in static memory, and the calls that must succeed or change nothing. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_HEAP_FIXTURE_H
#define TESTS_SUPPORT_HEAP_FIXTURE_H

#include "harness.h"

#include "base/heap.h"
#include "base/heap_check.h"

#include <stdalign.h>
#include <string.h>

#define PAGE 4096u
#define PAGES 600u

alignas(64) static uint8_t memory[(PAGES + 2) * PAGE + 256 * 1024];

static inline void make(struct heap *heap, uint32_t pages, uint32_t records)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};

    memset(memory, 0xA5, sizeof memory);
    spn__heap_init(heap, &carve, pages, 12, records);
    CHECK(!carve.is_over);
    CHECK(spn__heap_check(heap));
}

static inline heap_handle take(struct heap *heap, uint32_t pages)
{
    heap_handle handle = 0;

    CHECK_EQ(spn__heap_alloc(heap, pages * PAGE, 0, HEAP_TAG_READ, &handle),
             SPN_OK);
    CHECK(handle != 0);
    return handle;
}

static inline spn_status try(struct heap *heap, uint32_t bytes, uint32_t unit)
{
    heap_handle handle = 77;
    uint32_t free_pages = spn__heap_free_pages(heap);
    spn_status status =
        spn__heap_alloc(heap, bytes, unit, HEAP_TAG_READ, &handle);

    if (status == SPN_OK) {
        CHECK(spn__heap_free(heap, handle));
    } else {
        CHECK_EQ_U(handle, 77);
    }
    CHECK_EQ_U(spn__heap_free_pages(heap), free_pages);
    CHECK(spn__heap_check(heap));
    return status;
}

static inline struct heap_stats stats_of(const struct heap *heap)
{
    struct heap_stats stats;

    spn__heap_get_stats(heap, &stats);
    return stats;
}

/* Fill with one-page blocks, then free those with index % every == 0. */
static inline void shred(struct heap *heap, heap_handle *pages, uint32_t count,
                         uint32_t every)
{
    for (uint32_t i = 0; i < count; i++)
        pages[i] = take(heap, 1);
    CHECK_EQ_U(spn__heap_free_pages(heap), 0);
    for (uint32_t i = 0; i < count; i += every)
        CHECK(spn__heap_free(heap, pages[i]));
}

#endif
