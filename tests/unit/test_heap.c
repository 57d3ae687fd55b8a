/* test_heap.c
 *
 * Goal: handles that are not live are refused. Chained blocks are complete. A
 *   heap that has no pages or handles left reports which, loses nothing and
 *   recovers.
 * Method: small heaps in states built by hand. test_heap_placement.c tests
 *   the places of blocks, test_heap_check.c damage, test_heap_model.c long
 *   random use.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "harness.h"
#include "support/heap_fixture.h"

#include "base/heap_record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* -- arguments and handles -- */

static void heap_refuses_zero_bytes_and_unknown_tags(void)
{
    struct heap heap;
    heap_handle handle = 77;

    heap_make(&heap, 4, 4);
    CHECK_EQ(spn__heap_alloc(&heap, 0, 0, HEAP_TAG_READ, &handle), SPN_ERR_ARG);
    CHECK_EQ(spn__heap_alloc(&heap, 1, 0, HEAP_TAG_COUNT, &handle),
             SPN_ERR_ARG);
    CHECK_EQ_U(handle, 77);
    CHECK(spn__heap_check(&heap));
}

static void check_dead(struct heap *heap, heap_handle handle)
{
    struct heap_walk walk;
    uint32_t bytes = 5;
    uint8_t bounce[8];

    CHECK(!spn__heap_free(heap, handle));
    CHECK(!spn__heap_is_live(heap, handle));
    CHECK_EQ_U(spn__heap_bytes(heap, handle), 0);
    CHECK_EQ_U(spn__heap_extent_count(heap, handle), 0);
    CHECK(spn__heap_extent(heap, handle, 0, &bytes) == NULL);
    CHECK_EQ_U(bytes, 0);
    CHECK(spn__heap_data(heap, handle) == NULL);
    CHECK(spn__heap_view(heap, handle, 0, 1, bounce) == NULL);
    bytes = 5;
    spn__heap_walk_begin(heap, handle, &walk);
    CHECK(spn__heap_walk_next(&walk, &bytes) == NULL);
    CHECK_EQ_U(bytes, 0);
}

static void heap_refuses_stale_handles_everywhere(void)
{
    struct heap heap;
    heap_handle old;
    heap_handle live;

    heap_make(&heap, 8, 1);
    check_dead(&heap, 0);
    check_dead(&heap, 1u << 16);
    check_dead(&heap, UINT32_MAX);
    old = heap_take(&heap, 2);
    check_dead(&heap, old + (1u << 16));
    check_dead(&heap, old + 1);
    check_dead(&heap, old | 0x80000000u);
    CHECK(spn__heap_free(&heap, old));
    check_dead(&heap, old);
    /* The same record and pages, but another handle. */
    live = heap_take(&heap, 2);
    CHECK_EQ_U(live & 0xFFFFu, old & 0xFFFFu);
    check_dead(&heap, old);
    CHECK(spn__heap_is_live(&heap, live));
    CHECK(spn__heap_check(&heap));
}

static void heap_handle_returns_after_32767_uses_and_is_never_0(void)
{
    struct heap heap;
    heap_handle first;

    heap_make(&heap, 1, 1);
    first = heap_take(&heap, 1);
    CHECK(spn__heap_free(&heap, first));
    for (uint32_t i = 1; i < 32767; i++) {
        heap_handle handle = heap_take(&heap, 1);

        CHECK(handle != first && handle <= INT32_MAX);
        CHECK(spn__heap_free(&heap, handle));
    }
    CHECK_EQ_U(heap_take(&heap, 1), first);
}

static void heap_refuses_the_handle_of_a_chained_record(void)
{
    struct heap heap;
    heap_handle pages[64];
    heap_handle handle;

    heap_make(&heap, 64, 70);
    heap_shred(&heap, pages, 64, 2);
    handle = heap_take(&heap, 20);
    CHECK_EQ_U(spn__heap_extent_count(&heap, handle), 20);
    for (uint32_t i = 0; i < 70; i++)
        if (heap.records[i].state == HEAP_RECORD_MORE)
            check_dead(&heap, (uint32_t)heap.records[i].generation << 16 | i);
    CHECK(spn__heap_check(&heap));
}

/* -- chains -- */

static void heap_chains_records_up_to_the_limit_of_extents(void)
{
    static heap_handle pages[PAGES];
    struct heap heap;
    heap_handle handle;
    struct heap_walk walk;
    uint32_t walked;
    uint32_t indexed;

    heap_make(&heap, PAGES, PAGES + 20);
    heap_shred(&heap, pages, PAGES, 2);
    CHECK_EQ(heap_try(&heap, 257 * PAGE, 0), SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(heap_stats_of(&heap).failed_fragmented, 1);
    CHECK_EQ(spn__heap_alloc(&heap, 256 * PAGE - 3, 0, HEAP_TAG_USER, &handle),
             SPN_OK);
    CHECK_EQ_U(spn__heap_extent_count(&heap, handle), 256);
    CHECK_EQ_U(heap_stats_of(&heap).free_records,
               PAGES + 20 - PAGES / 2 - 256 / HEAP_RECORD_EXTENTS);
    CHECK(spn__heap_check(&heap));

    spn__heap_walk_begin(&heap, handle, &walk);
    for (uint32_t i = 0; i < 256; i++) {
        void *data = spn__heap_walk_next(&walk, &walked);

        CHECK(data != NULL);
        CHECK(spn__heap_extent(&heap, handle, i, &indexed) == data);
        CHECK_EQ_U(walked, indexed);
        CHECK_EQ_U(walked, i < 255 ? PAGE : PAGE - 3);
        memset(data, (int)i, walked);
    }
    CHECK(spn__heap_walk_next(&walk, &walked) == NULL);
    CHECK_EQ_U(walked, 0);
    CHECK(spn__heap_walk_next(&walk, &walked) == NULL);
    CHECK(spn__heap_free(&heap, handle));
    CHECK(spn__heap_check(&heap));
    CHECK_EQ_U(heap_stats_of(&heap).free_records, PAGES + 20 - PAGES / 2);
}

static void heap_view_shows_every_range_across_every_seam(void)
{
    static heap_handle pages[64];
    static uint8_t copy[20 * PAGE];
    static uint8_t bounce[20 * PAGE];
    static const uint32_t steps[] = {0, 1, PAGE - 1};
    const uint32_t size = 20 * PAGE - 5;
    struct heap heap;
    heap_handle handle;

    heap_make(&heap, 64, 70);
    heap_shred(&heap, pages, 64, 3);
    CHECK(spn__heap_free(&heap, pages[1]));
    CHECK(spn__heap_free(&heap, pages[31]));
    CHECK_EQ(spn__heap_alloc(&heap, size, 0, HEAP_TAG_READ, &handle), SPN_OK);
    CHECK(spn__heap_extent_count(&heap, handle) > HEAP_RECORD_EXTENTS);
    for (uint32_t i = 0, at = 0; at < size; i++) {
        uint32_t bytes;
        uint8_t *data = spn__heap_extent(&heap, handle, i, &bytes);

        for (uint32_t k = 0; k < bytes; k++, at++)
            copy[at] = data[k] = (uint8_t)(at * 7 + at / PAGE);
    }
    for (uint32_t a = 0; a < 20 * 3; a++)
        for (uint32_t b = 0; b < 20 * 3; b++) {
            uint32_t from = a / 3 * PAGE + steps[a % 3];
            uint32_t to = b / 3 * PAGE + steps[b % 3];
            const void *view;

            if (to > size)
                to = size;
            if (from >= to)
                continue;
            test_context("view of %u to %u", from, to);
            view = spn__heap_view(&heap, handle, from, to - from, bounce);
            CHECK(view != NULL);
            CHECK_MEM(view, copy + from, to - from);
            if (from / PAGE == (to - 1) / PAGE)
                CHECK(view != bounce);
        }
    CHECK(spn__heap_view(&heap, handle, 0, 0, bounce) == NULL);
    CHECK(spn__heap_view(&heap, handle, size, 1, bounce) == NULL);
    CHECK(spn__heap_view(&heap, handle, 0, size + 1, bounce) == NULL);
    CHECK(spn__heap_view(&heap, handle, size - 1, 2, bounce) == NULL);
    CHECK(spn__heap_view(&heap, handle, UINT32_MAX, 2, bounce) == NULL);
    CHECK(spn__heap_view(&heap, handle, 1, UINT32_MAX, bounce) == NULL);
}

/* -- exhaustion -- */

static void heap_gives_every_page_then_refuses_then_recovers(void)
{
    static heap_handle pages[PAGES];
    struct heap heap;

    heap_make(&heap, PAGES, PAGES);
    for (int round = 0; round < 3; round++) {
        heap_shred(&heap, pages, PAGES, PAGES);
        pages[0] = heap_take(&heap, 1);
        CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
        CHECK_EQ(heap_try(&heap, UINT32_MAX, 0), SPN_NO_MEMORY_NOW);
        CHECK_EQ_U(heap_stats_of(&heap).failed_no_memory,
                   2 * (unsigned)round + 2);
        for (uint32_t i = 0; i < PAGES; i++)
            CHECK(spn__heap_free(&heap, pages[i * 7 % PAGES]));
        CHECK_EQ_U(heap_stats_of(&heap).free_spans, 1);
        CHECK_EQ(heap_try(&heap, PAGES * PAGE, PAGES * PAGE), SPN_OK);
        CHECK_EQ(heap_try(&heap, PAGES * PAGE + 1, 0), SPN_NO_MEMORY_NOW);
        heap.stats.failed_no_memory--;
    }
    CHECK_EQ_U(heap_stats_of(&heap).failed_fragmented, 0);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_record, 0);
}

static void heap_refuses_when_records_run_out_and_recovers(void)
{
    struct heap heap;
    heap_handle first;

    heap_make(&heap, 10, 3);
    first = heap_take(&heap, 1);
    heap_take(&heap, 1);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_OK);
    heap_take(&heap, 1);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_record, 1);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_memory, 0);
    CHECK(spn__heap_free(&heap, first));
    CHECK_EQ(heap_try(&heap, 8 * PAGE, 0), SPN_OK);
}

static void heap_undoes_a_chain_that_lacks_a_record(void)
{
    struct heap heap;
    heap_handle pages[40];
    heap_handle rest;
    struct heap_stats before;
    struct heap_stats after;

    /* 20 holes of one page and one free record. The other records belong to
     * blocks of two pages, which do not fit into the holes. */
    heap_make(&heap, 80, 41);
    rest = heap_take(&heap, 40);
    heap_shred(&heap, pages, 40, 2);
    CHECK(spn__heap_free(&heap, rest));
    for (uint32_t i = 0; i < 20; i++)
        heap_take(&heap, 2);
    before = heap_stats_of(&heap);
    CHECK_EQ_U(before.free_records, 1);
    CHECK_EQ_U(before.free_spans, 20);
    CHECK_EQ_U(before.free_pages, 20);

    CHECK_EQ(heap_try(&heap, 17 * PAGE, 0), SPN_NO_MEMORY_NOW);
    after = heap_stats_of(&heap);
    CHECK_EQ_U(after.failed_no_record, 1);
    CHECK_EQ_U(after.free_pages, 20);
    CHECK_EQ_U(after.free_spans, 20);
    CHECK_EQ_U(after.free_records, 1);
    CHECK_EQ_U(after.live_extents, before.live_extents);
    CHECK_EQ_U(after.live_bytes, before.live_bytes);
    CHECK_EQ_U(after.live_bytes_peak, before.live_bytes_peak);
    CHECK_EQ_U(after.used_pages_peak, before.used_pages_peak);
    CHECK_EQ(heap_try(&heap, 16 * PAGE, 0), SPN_OK);
}

static void heap_without_pages_or_records_refuses(void)
{
    struct carve count = {.limit = SIZE_MAX};
    struct carve small = {.base = heap_memory, .limit = 10 * PAGE};
    struct heap heap;
    uint8_t cells[3] = {9, 9, 9};

    spn__heap_init(&heap, &count, 100, 12, 10);
    CHECK(!count.is_over && count.used >= 100 * PAGE);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    spn__heap_init(&heap, &small, 100, 12, 10);
    CHECK(small.is_over);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    CHECK(!spn__heap_free(&heap, 1u << 16));
    spn__heap_map(&heap, cells, 3);
    CHECK(cells[0] == 0 && cells[1] == 0 && cells[2] == 0);
    heap_make(&heap, 0, 10);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_memory, 1);
    heap_make(&heap, 10, 0);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_record, 1);
}

static void heap_of_the_largest_size_uses_its_last_page(void)
{
    size_t bytes = (size_t)HEAP_PAGES_MAX * PAGE + 8 * 1024 * 1024;
    uint8_t *block = malloc(bytes);
    struct heap heap;
    struct carve carve = {.limit = 0};
    heap_handle whole;
    uint8_t *data;

    if (!block)
        test_skip("no 264 MiB of address space");
    carve.base = block + (0u - (uintptr_t)block) % 64;
    carve.limit = bytes - 64;
    spn__heap_init(&heap, &carve, HEAP_PAGES_MAX, 12, 8);
    CHECK(!carve.is_over);
    CHECK_EQ(spn__heap_alloc(&heap, HEAP_PAGES_MAX * PAGE, UINT32_MAX,
                             HEAP_TAG_READ, &whole),
             SPN_OK);
    CHECK(spn__heap_check(&heap));
    data = spn__heap_data(&heap, whole);
    CHECK(data >= block);
    CHECK(data + (size_t)HEAP_PAGES_MAX * PAGE <= carve.base + carve.used);
    CHECK(spn__heap_free(&heap, whole));
    heap_take(&heap, HEAP_PAGES_MAX - 1);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_OK);
    heap_take(&heap, 1);
    CHECK_EQ(heap_try(&heap, 1, 0), SPN_NO_MEMORY_NOW);
    free(block);
}

/* -- threads -- */

struct reader {
    const struct heap *heap;
    heap_handle handle;
    uint32_t wrong;
};

static void *read_block(void *argument)
{
    struct reader *reader = argument;

    for (int round = 0; round < 2000; round++) {
        uint32_t sum = 0;
        uint32_t bytes;
        struct heap_walk walk;

        spn__heap_walk_begin(reader->heap, reader->handle, &walk);
        while (spn__heap_walk_next(&walk, &bytes))
            sum += bytes;
        reader->wrong += sum != 20 * PAGE ||
                         !spn__heap_is_live(reader->heap, reader->handle) ||
                         spn__heap_bytes(reader->heap, reader->handle) != sum;
    }
    return NULL;
}

static void heap_blocks_may_be_read_while_the_owner_works(void)
{
    static heap_handle pages[100];
    struct heap heap;
    struct reader reader = {&heap, 0, 0};
    pthread_t thread;

    heap_make(&heap, 100, 120);
    heap_shred(&heap, pages, 100, 2);
    reader.handle = heap_take(&heap, 20);
    CHECK_EQ(pthread_create(&thread, NULL, read_block, &reader), 0);
    for (int round = 0; round < 5000; round++) {
        heap_handle handle = heap_take(&heap, 20);

        CHECK(spn__heap_free(&heap, handle));
    }
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ_U(reader.wrong, 0);
    CHECK(spn__heap_check(&heap));
}

TEST_MAIN(TEST(heap_refuses_zero_bytes_and_unknown_tags),
          TEST(heap_refuses_stale_handles_everywhere),
          TEST(heap_handle_returns_after_32767_uses_and_is_never_0),
          TEST(heap_refuses_the_handle_of_a_chained_record),
          TEST(heap_chains_records_up_to_the_limit_of_extents),
          TEST(heap_view_shows_every_range_across_every_seam),
          TEST(heap_gives_every_page_then_refuses_then_recovers),
          TEST(heap_refuses_when_records_run_out_and_recovers),
          TEST(heap_undoes_a_chain_that_lacks_a_record),
          TEST(heap_without_pages_or_records_refuses),
          TEST(heap_of_the_largest_size_uses_its_last_page),
          TEST(heap_blocks_may_be_read_while_the_owner_works))
