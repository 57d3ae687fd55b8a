/* test_heap_model.c
 *
 * Goal: no allocation that the promise in heap.h covers is refused, and no
 *   two live blocks ever share a page, over more than a million allocations.
 * Method: seeded random use, mostly near 95 % fill, beside a model with one
 *   word per page. The promise is recomputed from its text. The model validates
 *   every refusal more strictly than the promise: the free runs, cut to whole
 *   units, must be too few. Every block is traversed when it is allocated. Old
 *   handles are tried again all the time.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/checksum.h"
#include "base/heap.h"
#include "base/heap_check.h"
#include "base/heap_view.h"
#include "support/heap_promise.h"

#include <stdalign.h>
#include <string.h>

#define PAGE 4096u
#define PAGES 2048u
#define RECORDS_MAX 4096u
#define STALE 256u
#define UNITS 8u
#define WHOLE UINT32_MAX

struct plan {
    const char *name;
    uint64_t seed;
    uint32_t attempts;
    uint32_t records;
    uint32_t fill_low; /* percent, changed at random */
    uint32_t fill_high;
    uint32_t large_pages;  /* sizes of the larger half of the blocks */
    uint32_t units[UNITS]; /* pages, each size with the same probability */
};

struct block {
    heap_handle handle;
    uint32_t id; /* the block's number in the model */
};

struct tally {
    uint32_t promised;
    uint32_t gathered; /* blocks of several extents */
    uint32_t chained;
    uint32_t refused_memory;
    uint32_t refused_fragmented;
    uint32_t refused_record;
    uint32_t hash; /* hash of all handles and places */
};

struct world {
    struct heap heap;
    struct test_random random;
    struct tally tally;
    uint32_t page_id[PAGES]; /* the model: 0 free, else the block's id */
    uint32_t model_free;
    uint32_t last_id;
    struct block live[RECORDS_MAX];
    uint32_t live_count;
    heap_handle stale[STALE];
    uint32_t stale_count;
};

alignas(64) static uint8_t memory[(PAGES + 2) * PAGE + 1024 * 1024];
static struct world world;

/* -- the model -- */

/* Pages in whole units that fit into the model's free runs of at least the
 * border. */
static uint32_t pages_in_units(uint32_t unit)
{
    uint32_t least = promise_border(unit);
    uint32_t sum = 0;
    uint32_t run = 0;

    for (uint32_t page = 0; page <= PAGES; page++) {
        if (page < PAGES && world.page_id[page] == 0) {
            run++;
            continue;
        }
        if (run >= least)
            sum += run / unit * unit;
        run = 0;
    }
    return sum;
}

/* -- steps -- */

static void validate_refusal(const struct heap_stats *before, uint32_t pages,
                             uint32_t unit)
{
    const struct heap_stats *after = &world.heap.stats;
    uint32_t records = promise_records(pages, unit);

    if (after->failed_no_memory != before->failed_no_memory) {
        CHECK(pages > world.model_free);
        world.tally.refused_memory++;
    } else if (after->failed_no_record != before->failed_no_record) {
        CHECK(before->free_records < records);
        world.tally.refused_record++;
    } else {
        CHECK_EQ_U(after->failed_fragmented, before->failed_fragmented + 1);
        CHECK(pages <= world.model_free);
        if (pages <= HEAP_EXTENTS_MAX * unit)
            CHECK(pages_in_units(unit) < pages);
        world.tally.refused_fragmented++;
    }
    CHECK_EQ_U(after->free_pages, before->free_pages);
    CHECK_EQ_U(after->free_spans, before->free_spans);
    CHECK_EQ_U(after->free_records, before->free_records);
}

/* Traverse a new block. Its extents must be free in the model, in whole units,
 * and in the arena. Then mark them as used. */
static void add_block(heap_handle handle, uint32_t bytes, uint32_t unit)
{
    const struct heap *heap = &world.heap;
    uint32_t count = spn__heap_extent_count(heap, handle);
    uint32_t left = bytes;
    uint32_t id = ++world.last_id;
    uint32_t entry[2] = {handle, 0};
    struct heap_walk walk;

    CHECK_EQ_U(spn__heap_bytes(heap, handle), bytes);
    CHECK(count >= 1 && count <= HEAP_EXTENTS_MAX);
    spn__heap_walk_begin(heap, handle, &walk);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size;
        uint8_t *data = spn__heap_walk_next(&walk, &size);
        size_t at;

        CHECK(data >= heap->arena);
        at = (size_t)(data - heap->arena);
        CHECK_EQ_U(at % PAGE, 0);
        CHECK(size > 0 && size <= left);
        left -= size;
        if (i + 1 < count)
            CHECK_EQ_U(size % (unit * PAGE), 0);
        for (size_t page = at / PAGE; page <= (at + size - 1) / PAGE; page++) {
            CHECK(page < PAGES);
            CHECK_EQ_U(world.page_id[page], 0);
            world.page_id[page] = id;
            world.model_free--;
        }
        entry[1] = (uint32_t)at;
        world.tally.hash = spn__checksum(entry, sizeof entry, world.tally.hash);
    }
    CHECK_EQ_U(left, 0);
    CHECK(spn__heap_data(heap, handle) == NULL || count == 1);
    world.tally.gathered += count > 1;
    world.tally.chained += count > HEAP_RECORD_EXTENTS;
    world.live[world.live_count].handle = handle;
    world.live[world.live_count++].id = id;
}

static void allocate(const struct plan *plan)
{
    struct test_random *random = &world.random;
    uint32_t limit = test_random_below(random, 2) ? 8 : plan->large_pages;
    uint32_t pages = 1 + test_random_below(random, limit);
    uint32_t bytes = pages * PAGE - test_random_below(random, PAGE);
    uint32_t unit = plan->units[test_random_below(random, UNITS)];
    uint32_t unit_bytes = unit == WHOLE ? WHOLE : unit * PAGE;
    struct heap_stats before = world.heap.stats;
    heap_handle handle = 77;
    spn_status status;
    bool promised;

    if (unit > pages)
        unit = pages;
    else
        unit_bytes -= test_random_below(random, PAGE);
    promised = promise_covers(&before, pages, unit);
    world.tally.promised += promised;
    status = spn__heap_alloc(&world.heap, bytes, unit_bytes,
                             (enum heap_tag)(pages % HEAP_TAG_COUNT), &handle);
    if (status == SPN_OK) {
        add_block(handle, bytes, unit);
        return;
    }
    CHECK_EQ(status, SPN_NO_MEMORY_NOW);
    CHECK_EQ_U(handle, 77);
    CHECK(!promised);
    validate_refusal(&before, pages, unit);
}

static void release(void)
{
    uint32_t index = test_random_below(&world.random, world.live_count);
    struct block block = world.live[index];
    uint32_t count = spn__heap_extent_count(&world.heap, block.handle);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t size;
        uint8_t *data = spn__heap_extent(&world.heap, block.handle, i, &size);
        size_t at = (size_t)(data - world.heap.arena);

        for (size_t page = at / PAGE; page <= (at + size - 1) / PAGE; page++) {
            CHECK_EQ_U(world.page_id[page], block.id);
            world.page_id[page] = 0;
            world.model_free++;
        }
    }
    CHECK(spn__heap_free(&world.heap, block.handle));
    CHECK(!spn__heap_free(&world.heap, block.handle));
    world.live[index] = world.live[--world.live_count];
    world.stale[world.stale_count++ % STALE] = block.handle;
}

static void try_stale_handle(void)
{
    uint32_t known = world.stale_count < STALE ? world.stale_count : STALE;

    if (known == 0)
        return;
    CHECK(!spn__heap_free(
        &world.heap, world.stale[test_random_below(&world.random, known)]));
}

static struct tally run_model(const struct plan *plan)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};
    uint32_t fill = plan->fill_high;
    uint32_t attempts = 0;

    memset(&world, 0, sizeof world);
    world.random.state = plan->seed;
    world.model_free = PAGES;
    spn__heap_init(&world.heap, &carve, PAGES, 12, plan->records);
    CHECK(!carve.is_over);
    while (attempts < plan->attempts) {
        uint32_t used = PAGES - world.model_free;
        bool is_low = used * 100 < fill * PAGES;

        test_context("%s, seed %llu, attempt %u", plan->name,
                     (unsigned long long)plan->seed, attempts);
        if (test_random_below(&world.random, 1000) == 0)
            fill = plan->fill_low +
                   test_random_below(&world.random,
                                     plan->fill_high - plan->fill_low + 1);
        if (world.live_count == 0 ||
            is_low != (test_random_below(&world.random, 8) == 0)) {
            allocate(plan);
            attempts++;
        } else {
            release();
        }
        try_stale_handle();
        CHECK_EQ_U(spn__heap_free_pages(&world.heap), world.model_free);
        CHECK_EQ_U(world.heap.stats.live_blocks, world.live_count);
        if (attempts % 512 == 0)
            CHECK(spn__heap_check(&world.heap));
    }
    while (world.live_count)
        release();
    CHECK(spn__heap_check(&world.heap));
    CHECK_EQ_U(world.heap.stats.free_spans, 1);
    CHECK_EQ_U(world.heap.stats.free_records, plan->records);
    CHECK_EQ_U(world.heap.stats.live_bytes, 0);
    return world.tally;
}

/* -- plans -- */

static const struct plan page_units = {
    "units of a page",       101, 300000, RECORDS_MAX, 93, 99, 250,
    {1, 1, 1, 1, 1, 1, 1, 1}};
static const struct plan usual_units = {
    "units of 1 to 16 pages",  102, 400000, RECORDS_MAX, 93, 97, 120,
    {1, 2, 4, 4, 8, 8, 16, 16}};
static const struct plan odd_units = {
    "odd units", 103, 200000, RECORDS_MAX,
    80,          97,  300,    {3, 5, 7, 31, 33, 47, 135, WHOLE}};
static const struct plan large_blocks = {"large blocks",
                                         104,
                                         100000,
                                         RECORDS_MAX,
                                         30,
                                         92,
                                         700,
                                         {2, 3, 4, 8, 16, 16, 33, WHOLE}};
static const struct plan few_records = {
    "few records", 105, 100000, 24, 85, 97, 250, {1, 1, 1, 1, 1, 1, 2, 4}};

static void heap_with_page_units_refuses_only_when_pages_are_missing(void)
{
    struct tally tally = run_model(&page_units);

    CHECK_EQ_U(tally.refused_fragmented, 0);
    CHECK_EQ_U(tally.refused_record, 0);
    CHECK_EQ_U(tally.promised + tally.refused_memory, page_units.attempts);
    CHECK(tally.refused_memory > 10000);
    CHECK(tally.gathered > 10000 && tally.chained > 100);
}

static void heap_with_usual_units_keeps_its_promise(void)
{
    struct tally tally = run_model(&usual_units);

    CHECK(tally.promised > 10000);
    CHECK(tally.refused_fragmented > 10000);
    CHECK(tally.refused_memory > 1000);
    CHECK(tally.gathered > 10000);
}

static void heap_with_odd_units_keeps_its_promise(void)
{
    struct tally tally = run_model(&odd_units);

    CHECK(tally.promised > 1000);
    CHECK(tally.refused_fragmented > 10000);
    CHECK(tally.gathered > 10000);
}

static void heap_with_large_blocks_keeps_its_promise(void)
{
    struct tally tally = run_model(&large_blocks);

    CHECK(tally.promised > 30000);
    CHECK(tally.refused_fragmented > 1000);
    CHECK(tally.gathered > 1000);
}

static void heap_with_few_records_refuses_for_that_reason(void)
{
    struct tally tally = run_model(&few_records);

    CHECK(tally.refused_record > 10000);
    CHECK(tally.promised > 1000);
}

static void heap_gives_the_same_addresses_for_the_same_calls(void)
{
    struct plan plan = usual_units;
    uint32_t hash;

    plan.attempts = 20000;
    hash = run_model(&plan).hash;
    CHECK_EQ_U(run_model(&plan).hash, hash);
    plan.seed++;
    CHECK(run_model(&plan).hash != hash);
}

TEST_MAIN(TEST(heap_with_page_units_refuses_only_when_pages_are_missing),
          TEST(heap_with_usual_units_keeps_its_promise),
          TEST(heap_with_odd_units_keeps_its_promise),
          TEST(heap_with_large_blocks_keeps_its_promise),
          TEST(heap_with_few_records_refuses_for_that_reason),
          TEST(heap_gives_the_same_addresses_for_the_same_calls))
