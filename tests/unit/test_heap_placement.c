/* test_heap_placement.c
 *
 * Goal: blocks lie where heap.h states: aligned, in one piece where one fits,
 *   otherwise in whole units of the longest runs. No run that the promise
 *   counts on is overlooked.
 * Method: holes of chosen lengths, freed in a chosen order, because a search
 *   starts at the head of a list and examines only its first eight entries.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "harness.h"
#include "support/heap_fixture.h"

#include <stdint.h>

static void heap_gives_page_aligned_extents_inside_its_arena(void)
{
    for (uint32_t shift = 12; shift <= 16; shift++) {
        struct carve carve = {.base = heap_memory, .limit = sizeof heap_memory};
        uint32_t page = 1u << shift;
        struct heap heap;
        heap_handle handle;
        uint8_t *data;
        uint32_t bytes;

        spn__heap_init(&heap, &carve, 8, shift, 4);
        CHECK(!carve.is_over);
        CHECK_EQ(spn__heap_alloc(&heap, 8 * page - 1, 8 * page, HEAP_TAG_STATIC,
                                 &handle),
                 SPN_OK);
        data = spn__heap_data(&heap, handle);
        CHECK(data != NULL);
        CHECK_EQ_U((uintptr_t)data % page, 0);
        CHECK(data >= heap_memory &&
              data + 8 * page <= heap_memory + carve.used);
        CHECK(spn__heap_extent(&heap, handle, 0, &bytes) == data);
        CHECK_EQ_U(bytes, 8 * page - 1);
        CHECK_EQ_U(spn__heap_free_pages(&heap), 0);
        CHECK(spn__heap_free(&heap, handle));
    }
}

static void heap_rounds_bytes_up_to_pages(void)
{
    static const uint32_t sizes[][2] = {
        {1, 1}, {PAGE, 1}, {PAGE + 1, 2}, {2 * PAGE, 2}, {10 * PAGE - 1, 10}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct heap heap;
        heap_handle handle;

        heap_make(&heap, 16, 4);
        CHECK_EQ(spn__heap_alloc(&heap, sizes[i][0], 0, HEAP_TAG_READ, &handle),
                 SPN_OK);
        CHECK_EQ_U(spn__heap_free_pages(&heap), 16 - sizes[i][1]);
        CHECK_EQ_U(spn__heap_bytes(&heap, handle), sizes[i][0]);
    }
}

static void heap_prefers_the_best_fit_among_holes(void)
{
    /* Holes of 3, 5, 4 and 40 pages, kept apart by blocks of one. */
    static const uint32_t holes[] = {3, 5, 4, 40};
    struct heap heap;
    heap_handle hole[4];
    uint8_t *where[4];
    uint32_t bytes;

    heap_make(&heap, 57, 16);
    for (uint32_t i = 0; i < 4; i++) {
        hole[i] = heap_take(&heap, holes[i]);
        where[i] = spn__heap_data(&heap, hole[i]);
        heap_take(&heap, 1);
    }
    heap_take(&heap, 1);
    CHECK_EQ_U(spn__heap_free_pages(&heap), 0);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(spn__heap_free(&heap, hole[i]));
    CHECK(spn__heap_extent(&heap, heap_take(&heap, 4), 0, &bytes) == where[2]);
    CHECK(spn__heap_extent(&heap, heap_take(&heap, 4), 0, &bytes) == where[1]);
    CHECK(spn__heap_extent(&heap, heap_take(&heap, 3), 0, &bytes) == where[0]);
    CHECK(spn__heap_extent(&heap, heap_take(&heap, 3), 0, &bytes) == where[3]);
    CHECK(spn__heap_check(&heap));
}

static void heap_gathers_the_longest_runs_in_whole_units(void)
{
    /* Holes of 7, 5 and 2 pages. 8 pages in units of 2: the longest gives 6,
     * then the best fit for the last 2 is the hole of 2. */
    static const uint32_t holes[] = {7, 5, 2};
    struct heap heap;
    heap_handle hole[3];
    uint8_t *where[3];
    heap_handle handle;
    uint32_t bytes;

    heap_make(&heap, 17, 16);
    for (uint32_t i = 0; i < 3; i++) {
        hole[i] = heap_take(&heap, holes[i]);
        where[i] = spn__heap_data(&heap, hole[i]);
        heap_take(&heap, 1);
    }
    for (uint32_t i = 0; i < 3; i++)
        CHECK(spn__heap_free(&heap, hole[i]));
    CHECK_EQ(spn__heap_alloc(&heap, 8 * PAGE - 100, 2 * PAGE, HEAP_TAG_DECODED,
                             &handle),
             SPN_OK);
    CHECK_EQ_U(spn__heap_extent_count(&heap, handle), 2);
    CHECK(spn__heap_extent(&heap, handle, 0, &bytes) == where[0]);
    CHECK_EQ_U(bytes, 6 * PAGE);
    CHECK(spn__heap_extent(&heap, handle, 1, &bytes) == where[2]);
    CHECK_EQ_U(bytes, 2 * PAGE - 100);
    CHECK(spn__heap_extent(&heap, handle, 2, &bytes) == NULL);
    CHECK(spn__heap_data(&heap, handle) == NULL);
    CHECK(spn__heap_check(&heap));
}

static void heap_gives_a_whole_block_in_one_piece_or_not_at_all(void)
{
    struct heap heap;
    heap_handle pages[64];

    heap_make(&heap, 64, 70);
    heap_shred(&heap, pages, 64, 4);
    CHECK(spn__heap_free(&heap, pages[1]));
    CHECK_EQ(heap_try(&heap, 2 * PAGE, 2 * PAGE), SPN_OK);
    CHECK_EQ(heap_try(&heap, 3 * PAGE, 3 * PAGE), SPN_NO_MEMORY_NOW);
    CHECK_EQ(heap_try(&heap, 3 * PAGE, UINT32_MAX), SPN_NO_MEMORY_NOW);
    CHECK_EQ(heap_try(&heap, 3 * PAGE, PAGE), SPN_OK);
    CHECK_EQ_U(heap_stats_of(&heap).failed_fragmented, 2);
}

/* Make holes of the given lengths in a heap without other free pages. They are
 * freed in this order, so the last one is the first of its list. */
static void make_holes(struct heap *heap, const uint32_t *pages, uint32_t count,
                       uint8_t **where)
{
    heap_handle hole[16];
    uint32_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += pages[i] + 1;
    CHECK(count <= 16 && sum <= PAGES);
    heap_make(heap, sum, 40);
    for (uint32_t i = 0; i < count; i++) {
        hole[i] = heap_take(heap, pages[i]);
        where[i] = spn__heap_data(heap, hole[i]);
        CHECK(where[i] != NULL);
        heap_take(heap, 1);
    }
    CHECK_EQ_U(spn__heap_free_pages(heap), 0);
    for (uint32_t i = 0; i < count; i++)
        CHECK(spn__heap_free(heap, hole[i]));
}

static void heap_examines_eight_of_a_class_for_the_best_fit(void)
{
    /* 64 to 67 pages are one class. */
    static const uint32_t holes[] = {65, 67, 67, 66, 67, 67, 67, 67};
    struct heap heap;
    uint8_t *where[8];

    make_holes(&heap, holes, 8, where);
    CHECK(spn__heap_data(&heap, heap_take(&heap, 65)) == where[0]);
    CHECK(spn__heap_data(&heap, heap_take(&heap, 65)) == where[3]);
    CHECK(spn__heap_check(&heap));
}

static void heap_examines_eight_of_the_next_class_for_the_best_fit(void)
{
    static const uint32_t holes[] = {64, 67, 67, 66, 67, 67, 67, 67};
    struct heap heap;
    uint8_t *where[8];

    make_holes(&heap, holes, 8, where);
    CHECK(spn__heap_data(&heap, heap_take(&heap, 40)) == where[0]);
    CHECK(spn__heap_check(&heap));
}

static void heap_examines_eight_of_the_topmost_class_for_the_longest(void)
{
    static const uint32_t holes[] = {67, 64, 64, 66, 64, 64, 64, 64};
    struct heap heap;
    uint8_t *where[8];
    heap_handle handle;
    uint32_t bytes;

    make_holes(&heap, holes, 8, where);
    handle = heap_take(&heap, 67 + 66 + 64);
    CHECK_EQ_U(spn__heap_extent_count(&heap, handle), 3);
    CHECK(spn__heap_extent(&heap, handle, 0, &bytes) == where[0]);
    CHECK(spn__heap_extent(&heap, handle, 1, &bytes) == where[3]);
    CHECK(spn__heap_check(&heap));
}

/* For every length at which the promise lets a class begin, a unit of that
 * length is found behind ten runs that are one page too short. */
static void heap_overlooks_no_run_at_the_border_of_a_class(void)
{
    for (uint32_t unit = 2; unit <= 52; unit++) {
        uint32_t holes[11];
        uint8_t *where[11];
        struct heap heap;
        heap_handle handle;

        /* Beyond 32 pages a border has at most five leading bits. */
        if (unit > 32 && unit % 2 != 0)
            continue;
        test_context("unit of %u pages", unit);
        holes[0] = unit;
        for (uint32_t i = 1; i < 11; i++)
            holes[i] = unit - 1;
        make_holes(&heap, holes, 11, where);
        CHECK_EQ(spn__heap_alloc(&heap, unit * PAGE, unit * PAGE,
                                 HEAP_TAG_STATIC, &handle),
                 SPN_OK);
        CHECK(spn__heap_data(&heap, handle) == where[0]);
        CHECK_EQ(heap_try(&heap, unit * PAGE, unit * PAGE), SPN_NO_MEMORY_NOW);
    }
}

/* The same where runs must be cut: a block of two units, in two runs that hold
 * one unit each. */
static void heap_gathers_units_at_the_border_of_a_class(void)
{
    for (uint32_t unit = 2; unit <= 48; unit++) {
        uint32_t holes[11];
        uint8_t *where[11];
        struct heap heap;
        heap_handle handle;

        if (unit > 32 && unit % 2 != 0)
            continue;
        test_context("unit of %u pages", unit);
        holes[0] = unit;
        holes[1] = unit + 1;
        for (uint32_t i = 2; i < 11; i++)
            holes[i] = unit - 1;
        make_holes(&heap, holes, 11, where);
        CHECK_EQ(spn__heap_alloc(&heap, 2 * unit * PAGE, unit * PAGE,
                                 HEAP_TAG_DECODED, &handle),
                 SPN_OK);
        CHECK_EQ_U(spn__heap_extent_count(&heap, handle), 2);
        CHECK(spn__heap_check(&heap));
    }
}

TEST_MAIN(TEST(heap_gives_page_aligned_extents_inside_its_arena),
          TEST(heap_rounds_bytes_up_to_pages),
          TEST(heap_prefers_the_best_fit_among_holes),
          TEST(heap_gathers_the_longest_runs_in_whole_units),
          TEST(heap_gives_a_whole_block_in_one_piece_or_not_at_all),
          TEST(heap_examines_eight_of_a_class_for_the_best_fit),
          TEST(heap_examines_eight_of_the_next_class_for_the_best_fit),
          TEST(heap_examines_eight_of_the_topmost_class_for_the_longest),
          TEST(heap_overlooks_no_run_at_the_border_of_a_class),
          TEST(heap_gathers_units_at_the_border_of_a_class))
