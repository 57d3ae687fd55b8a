/* test_heap_check.c
 *
 * Goal: statistics and the map agree with the heap's content. The check
 *   detects every kind of damage to the metadata without following it.
 * Method: states built by hand with known numbers. Single fields of a good
 *   heap are damaged one at a time, and each must be detected. Then random
 *   bytes are damaged anywhere, where the check must only return.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "harness.h"
#include "support/heap_fixture.h"

#include "base/heap_record.h"

#include <string.h>

/* -- statistics and map -- */

static void heap_stats_count_live_blocks_and_keep_peaks(void)
{
    struct heap heap;
    heap_handle a;
    heap_handle b;
    struct heap_stats stats;

    heap_make(&heap, 100, 10);
    CHECK_EQ(spn__heap_alloc(&heap, 10 * PAGE + 1, 0, HEAP_TAG_READ, &a),
             SPN_OK);
    CHECK_EQ(spn__heap_alloc(&heap, 5, 0, HEAP_TAG_STATIC, &b), SPN_OK);
    stats = heap_stats_of(&heap);
    CHECK_EQ_U(stats.page_bytes, PAGE);
    CHECK_EQ_U(stats.page_count, 100);
    CHECK_EQ_U(stats.free_pages, 88);
    CHECK_EQ_U(stats.free_records, 8);
    CHECK_EQ_U(stats.live_blocks, 2);
    CHECK_EQ_U(stats.live_extents, 2);
    CHECK_EQ_U(stats.live_bytes, 10 * PAGE + 6);
    CHECK_EQ_U(stats.tag_bytes[HEAP_TAG_READ], 10 * PAGE + 1);
    CHECK_EQ_U(stats.tag_bytes[HEAP_TAG_STATIC], 5);
    CHECK_EQ_U(stats.tag_bytes[HEAP_TAG_DECODED], 0);
    CHECK_EQ_U(stats.largest_span_pages, 88);
    CHECK(spn__heap_free(&heap, a));
    heap_take(&heap, 3);
    stats = heap_stats_of(&heap);
    CHECK_EQ_U(stats.free_pages, 96);
    CHECK_EQ_U(stats.free_spans, 2);
    CHECK_EQ_U(stats.live_bytes, 3 * PAGE + 5);
    CHECK_EQ_U(stats.live_bytes_peak, 10 * PAGE + 6);
    CHECK_EQ_U(stats.used_pages_peak, 12);
    CHECK_EQ_U(stats.tag_bytes[HEAP_TAG_READ], 3 * PAGE);
    CHECK_EQ_U(stats.largest_span_pages, 88);
    /* A refusal does not change the peak. */
    CHECK_EQ(heap_try(&heap, 97 * PAGE, 0), SPN_NO_MEMORY_NOW);
    CHECK_EQ(heap_try(&heap, 96 * PAGE, UINT32_MAX), SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(heap_stats_of(&heap).used_pages_peak, 12);
    CHECK_EQ_U(heap_stats_of(&heap).failed_no_memory, 1);
    CHECK_EQ_U(heap_stats_of(&heap).failed_fragmented, 1);
}

static void heap_stats_find_the_largest_run_behind_many_of_its_class(void)
{
    /* Nine runs of one class (64..67 pages). The largest was freed first and so
     * is the last in its list. */
    struct heap heap;
    heap_handle runs[9];

    heap_make(&heap, 9 * 65 + 2, 40);
    for (uint32_t i = 0; i < 9; i++) {
        runs[i] = heap_take(&heap, i == 4 ? 66 : 64);
        heap_take(&heap, 1);
    }
    CHECK_EQ_U(spn__heap_free_pages(&heap), 0);
    CHECK(spn__heap_free(&heap, runs[4]));
    for (uint32_t i = 0; i < 9; i++)
        if (i != 4)
            CHECK(spn__heap_free(&heap, runs[i]));
    CHECK_EQ_U(heap_stats_of(&heap).largest_span_pages, 66);
}

static void heap_map_shows_the_majority_of_each_cell(void)
{
    struct heap heap;
    uint8_t cells[24];
    heap_handle handle;
    static const uint8_t by_page[12] = {1, 1, 1, 2, 2, 3, 4, 4, 4, 0, 0, 0};
    static const uint8_t by_three[4] = {1, 2, 4, 0};
    static const uint8_t by_two[6] = {1, 1, 2, 4, 0, 0};

    heap_make(&heap, 12, 12);
    CHECK_EQ(spn__heap_alloc(&heap, 3 * PAGE, 0, HEAP_TAG_READ, &handle), 0);
    CHECK_EQ(spn__heap_alloc(&heap, 2 * PAGE, 0, HEAP_TAG_DECODED, &handle), 0);
    CHECK_EQ(spn__heap_alloc(&heap, 1 * PAGE, 0, HEAP_TAG_STATIC, &handle), 0);
    CHECK_EQ(spn__heap_alloc(&heap, 3 * PAGE, 0, HEAP_TAG_USER, &handle), 0);
    spn__heap_map(&heap, cells, 12);
    CHECK_MEM(cells, by_page, 12);
    spn__heap_map(&heap, cells, 4);
    CHECK_MEM(cells, by_three, 4);
    spn__heap_map(&heap, cells, 24);
    for (uint32_t i = 0; i < 24; i++)
        CHECK_EQ_U(cells[i], by_page[i / 2]);
    cells[1] = 99;
    spn__heap_map(&heap, cells, 1);
    CHECK_EQ_U(cells[0], 0); /* as many pages as the two blocks of three */
    CHECK_EQ_U(cells[1], 99);
    spn__heap_map(&heap, cells, 6);
    CHECK_MEM(cells, by_two, 6);
    spn__heap_map(&heap, cells, 0);
}

/* -- damage -- */

/* Make a heap with chains, holes and free records. */
static void make_mixed(struct heap *heap)
{
    static heap_handle pages[64];
    heap_handle handle;

    heap_make(heap, 64, 72);
    heap_shred(heap, pages, 64, 3);
    CHECK(spn__heap_free(heap, pages[1]));
    CHECK(spn__heap_free(heap, pages[40]));
    CHECK_EQ(spn__heap_alloc(heap, 20 * PAGE - 9, 0, HEAP_TAG_USER, &handle),
             SPN_OK);
    CHECK(spn__heap_extent_count(heap, handle) > HEAP_RECORD_EXTENTS);
    CHECK(spn__heap_check(heap));
}

static void heap_check_finds_every_flipped_byte_of_the_page_tables(void)
{
    struct heap heap;

    make_mixed(&heap);
    for (uint32_t table = 0; table < 2; table++) {
        uint8_t *bytes = (uint8_t *)(table == 0 ? heap.span_pages : heap.owner);

        for (uint32_t at = 0; at < 64 * 2; at++)
            for (uint32_t change = 1; change < 256; change++) {
                test_context("table %u, byte %u", table, at);
                bytes[at] ^= (uint8_t)change;
                CHECK(!spn__heap_check(&heap));
                bytes[at] ^= (uint8_t)change;
            }
    }
    CHECK(spn__heap_check(&heap));
}

static void heap_check_finds_damage_in_lists_and_records(void)
{
    struct heap heap;
    uint32_t found = 0;
    uint32_t relevant = 0;

    make_mixed(&heap);
    for (uint32_t page = 0; page < 64; page++) {
        if (heap.span_pages[page] == 0)
            continue;
        /* The first page of each run. */
        if (page > 0 && heap.span_pages[page - 1] != 0)
            continue;
        for (uint32_t change = 1; change < 65536; change *= 2) {
            heap.span_next[page] ^= (uint16_t)change;
            found += !spn__heap_check(&heap);
            heap.span_next[page] ^= (uint16_t)change;
            heap.span_prev[page] ^= (uint16_t)change;
            found += !spn__heap_check(&heap);
            heap.span_prev[page] ^= (uint16_t)change;
            relevant += 2;
        }
    }
    CHECK(relevant > 0);
    CHECK_EQ_U(found, relevant);
    for (uint32_t class = 0; class < 256; class ++) {
        heap.class_head[class] ^= 1;
        CHECK(!spn__heap_check(&heap));
        heap.class_head[class] ^= 1;
        heap.column_bits[class >> 4] ^= (uint16_t)(1u << (class & 15));
        CHECK(!spn__heap_check(&heap));
        heap.column_bits[class >> 4] ^= (uint16_t)(1u << (class & 15));
    }
    for (uint32_t i = 0; i < 72; i++) {
        struct heap_record *record = &heap.records[i];
        struct heap_record saved = *record;
        bool is_used = saved.state != HEAP_RECORD_FREE;

        test_context("record %u", i);
        record->state = HEAP_RECORD_FREE;
        CHECK_EQ(spn__heap_check(&heap), !is_used);
        record->state = HEAP_RECORD_FIRST;
        CHECK_EQ(spn__heap_check(&heap), saved.state == HEAP_RECORD_FIRST);
        record->state = HEAP_RECORD_MORE;
        CHECK_EQ(spn__heap_check(&heap), saved.state == HEAP_RECORD_MORE);
        *record = saved;
        record->generation = 0;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        record->next ^= 1;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        if (!is_used)
            continue;
        record->used ^= 1;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        record->tag ^= 1;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        for (uint32_t k = 0; k < saved.used; k++) {
            record->extents[k].start ^= 1;
            CHECK(!spn__heap_check(&heap));
            *record = saved;
            record->extents[k].pages ^= 1;
            CHECK(!spn__heap_check(&heap));
            *record = saved;
        }
        if (saved.state != HEAP_RECORD_FIRST)
            continue;
        record->bytes += PAGE;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        record->extent_count++;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
    }
    CHECK(spn__heap_check(&heap));
}

static void heap_check_finds_wrong_ends_and_counts_of_records(void)
{
    struct heap heap;

    make_mixed(&heap);
    for (uint32_t i = 0; i < 72; i++) {
        struct heap_record *record = &heap.records[i];
        struct heap_record saved = *record;

        if (saved.state == HEAP_RECORD_FREE)
            continue;
        test_context("record %u", i);
        record->used = 0;
        CHECK(!spn__heap_check(&heap));
        record->used = HEAP_RECORD_EXTENTS + 1;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        /* Also an extent that ends behind the last page. */
        record->extents[saved.used - 1].start = 63;
        record->extents[saved.used - 1].pages = 2;
        CHECK(!spn__heap_check(&heap));
        record->extents[saved.used - 1].start = 64;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
        record->extents[saved.used - 1].pages = 0;
        CHECK(!spn__heap_check(&heap));
        *record = saved;
    }
    CHECK(spn__heap_check(&heap));
}

static void heap_check_finds_each_wrong_statistic(void)
{
    struct heap heap;

    make_mixed(&heap);
#define WRONG(field, value)                                                    \
    do {                                                                       \
        struct heap saved = heap;                                              \
                                                                               \
        test_context("%s", #field);                                            \
        heap.field = (value);                                                  \
        CHECK(!spn__heap_check(&heap));                                        \
        heap = saved;                                                          \
        CHECK(spn__heap_check(&heap));                                         \
    } while (0)
    WRONG(stats.free_pages, heap.stats.free_pages + 1);
    WRONG(stats.free_spans, heap.stats.free_spans + 1);
    WRONG(stats.free_spans, heap.stats.free_spans - 1);
    WRONG(stats.used_pages_peak, 64 - heap.stats.free_pages - 1);
    WRONG(stats.live_bytes_peak, heap.stats.live_bytes - 1);
    WRONG(stats.live_blocks, heap.stats.live_blocks + 1);
    WRONG(stats.live_extents, heap.stats.live_extents + 1);
    WRONG(stats.live_bytes, heap.stats.live_bytes - 1);
    WRONG(stats.tag_bytes[HEAP_TAG_READ], 0);
    WRONG(stats.free_records, heap.stats.free_records - 1);
    WRONG(first_free_record, HEAP_NONE);
    WRONG(first_free_record, 72);
    WRONG(last_free_record, heap.first_free_record);
    WRONG(row_bits, heap.row_bits ^ 1);
#undef WRONG
}

/* A list must not begin with the last page of a free run. */
static void heap_check_finds_lists_of_other_pages(void)
{
    static const uint16_t others[] = {63, 50, 2, 64};
    struct heap heap;
    uint32_t class;
    uint16_t run;

    heap_make(&heap, 64, 72);
    heap_take(&heap, 3);
    class = spn__heap_class(61);
    run = heap.class_head[class];
    CHECK_EQ(heap.span_pages[run], 61);
    for (uint32_t i = 0; i < 4; i++) {
        heap.class_head[class] = others[i];
        CHECK(!spn__heap_check(&heap));
    }
    heap.class_head[class] = run;
    CHECK(spn__heap_check(&heap));
}

static void heap_check_survives_any_damage(void)
{
    struct test_random random = {11};
    static uint8_t saved[72 * sizeof(struct heap_record) + 5 * 1024];
    struct heap heap;
    uint8_t *tables;
    size_t bytes;

    test_context("seed 11");
    make_mixed(&heap);
    /* Records, page tables and list heads are contiguous, and the arena
     * follows. */
    tables = (uint8_t *)heap.records;
    bytes = (size_t)((uint8_t *)(heap.class_head + 256) - tables);
    CHECK(bytes <= sizeof saved);
    memcpy(saved, tables, bytes);
    for (int round = 0; round < 20000; round++) {
        struct heap damaged = heap;
        uint32_t count = 1 + test_random_below(&random, 8);

        for (uint32_t i = 0; i < count; i++)
            tables[test_random_below(&random, (uint32_t)bytes)] =
                (uint8_t)test_random_u64(&random);
        if (round % 4 == 0)
            damaged.class_head[test_random_below(&random, 16)] =
                (uint16_t)test_random_u64(&random);
        (void)spn__heap_check(&damaged);
        memcpy(tables, saved, bytes);
    }
    CHECK(spn__heap_check(&heap));
}

TEST_MAIN(TEST(heap_stats_count_live_blocks_and_keep_peaks),
          TEST(heap_stats_find_the_largest_run_behind_many_of_its_class),
          TEST(heap_map_shows_the_majority_of_each_cell),
          TEST(heap_check_finds_every_flipped_byte_of_the_page_tables),
          TEST(heap_check_finds_damage_in_lists_and_records),
          TEST(heap_check_finds_wrong_ends_and_counts_of_records),
          TEST(heap_check_finds_each_wrong_statistic),
          TEST(heap_check_finds_lists_of_other_pages),
          TEST(heap_check_survives_any_damage))
