/* heap_fixture.c - see heap_fixture.h. */
/* SPDX-License-Identifier: MIT */
#include "support/heap_fixture.h"

#include "base/heap_check.h"
#include "harness.h"

#include <stdalign.h>
#include <string.h>

alignas(64) uint8_t heap_memory[(PAGES + 2) * PAGE + 256 * 1024];

void heap_make(struct heap *heap, uint32_t pages, uint32_t records)
{
    struct carve carve = {.base = heap_memory, .limit = sizeof heap_memory};

    memset(heap_memory, 0xA5, sizeof heap_memory);
    spn__heap_init(heap, &carve, pages, 12, records);
    CHECK(!carve.is_over);
    CHECK(spn__heap_check(heap));
}

heap_handle heap_take(struct heap *heap, uint32_t pages)
{
    heap_handle handle = 0;

    CHECK_EQ(spn__heap_alloc(heap, pages * PAGE, 0, HEAP_TAG_READ, &handle),
             SPN_OK);
    CHECK(handle != 0);
    return handle;
}

spn_status heap_try(struct heap *heap, uint32_t bytes, uint32_t unit)
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

struct heap_stats heap_stats_of(const struct heap *heap)
{
    struct heap_stats stats;

    spn__heap_get_stats(heap, &stats);
    return stats;
}

void heap_shred(struct heap *heap, heap_handle *pages, uint32_t count,
                uint32_t every)
{
    for (uint32_t i = 0; i < count; i++)
        pages[i] = heap_take(heap, 1);
    CHECK_EQ_U(spn__heap_free_pages(heap), 0);
    for (uint32_t i = 0; i < count; i += every)
        CHECK(spn__heap_free(heap, pages[i]));
}
