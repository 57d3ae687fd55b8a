/* test_api_memory.c
 *
 * Goal: a read may have its destination in a block of the runtime's heap, in
 *   any number of pieces. Blocks leave the pages promised to streams alone. A
 *   pointer that is not a block of the caller is refused.
 * Method: a heap of few pages, fragmented by blocks of one page of which
 *   every second one is freed. The bytes read are compared with the file. Then
 *   a clip plays while blocks take all memory that they can get.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <stddef.h>
#include <string.h>

enum {
    PAGE_BYTES = 4096,
    PAGES = 64,
    FILE_BYTES = 20 * PAGE_BYTES - 5,
    TAKEN_MAX = 1024
};

static struct stage stage;
static uint8_t file[FILE_BYTES];
static spn_block kept_blocks[PAGES];

static void open_stage(void)
{
    stage_init(&stage, NULL);
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        file[i] = (uint8_t)(i * 7 + i / 251);
    slow_platform_add(&stage.disc, "f", file, FILE_BYTES);
    stage.config.heap_bytes = PAGES * PAGE_BYTES;
    stage.config.heap_page_bytes = PAGE_BYTES;
    stage_start(&stage);
}

/* Allocate all pages as blocks of one page, then free every second one. */
static void fragment_heap(void)
{
    for (uint32_t i = 0; i < PAGES; i++)
        CHECK_EQ(spn_block_alloc(stage.rt, PAGE_BYTES, 0, &kept_blocks[i]),
                 SPN_OK);
    for (uint32_t i = 0; i < PAGES; i += 2)
        CHECK_EQ(spn_block_free(stage.rt, kept_blocks[i]), SPN_OK);
}

static void keep(const spn_read_result *result)
{
    *(spn_read_result *)result->user = *result;
}

static void read_into(const spn_extent *extents, uint32_t count)
{
    spn_read_result result = {.status = SPN_PENDING};
    const spn_read_desc desc = {.path = "f",
                                .extents = extents,
                                .extent_count = count,
                                .buffer_bytes = FILE_BYTES,
                                .priority = SPN_PRIORITY_NORMAL,
                                .on_done = keep,
                                .user = &result};
    spn_read read;

    CHECK_EQ(spn_read_start(stage.rt, &desc, &read), SPN_OK);
    for (int i = 0; i < 1000 && result.status == SPN_PENDING; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(result.status, SPN_OK);
    CHECK_EQ_U(result.bytes, FILE_BYTES);
}

static void reads_fill_pieces(void)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    spn_heap_stats stats;
    spn_block block;
    uint32_t count;
    uint32_t at = 0;

    open_stage();
    fragment_heap();
    CHECK_EQ(spn_block_alloc(stage.rt, FILE_BYTES, 0, &block), SPN_OK);
    count =
        spn_block_get_extents(stage.rt, block, extents, SPN_BLOCK_EXTENTS_MAX);
    CHECK_EQ_U(count, 20);
    read_into(extents, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(memcmp(extents[i].data, file + at, extents[i].bytes) == 0);
        at += extents[i].bytes;
    }
    CHECK_EQ_U(at, FILE_BYTES);
    spn_heap_get_stats(stage.rt, &stats);
    CHECK_EQ_U(stats.block_bytes, FILE_BYTES + PAGES / 2 * PAGE_BYTES);
    CHECK(spn_check(stage.rt));
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    for (uint32_t i = 1; i < PAGES; i += 2)
        CHECK_EQ(spn_block_free(stage.rt, kept_blocks[i]), SPN_OK);
    spn_heap_get_stats(stage.rt, &stats);
    CHECK_EQ_U(stats.block_bytes, 0);
    CHECK_EQ_U(stats.free_bytes, stats.bytes);
    CHECK(spn_check(stage.rt));
    stage_close(&stage);
}

static void units_are_contiguous(void)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    spn_block block;

    open_stage();
    fragment_heap();
    CHECK_EQ(spn_block_alloc(stage.rt, 2 * PAGE_BYTES, UINT32_MAX, &block),
             SPN_NO_MEMORY_NOW);
    CHECK_EQ(spn_block_free(stage.rt, kept_blocks[1]), SPN_OK);
    CHECK_EQ(spn_block_alloc(stage.rt, 3 * PAGE_BYTES, UINT32_MAX, &block),
             SPN_OK);
    CHECK_EQ_U(spn_block_get_extents(stage.rt, block, extents, 1), 1);
    CHECK_EQ_U(extents[0].bytes, 3 * PAGE_BYTES);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    stage_close(&stage);
}

static void arguments_are_refused(void)
{
    spn_extent extents[2] = {{0}};
    spn_block block = 0;
    spn_block second;

    open_stage();
    CHECK_EQ(spn_block_alloc(NULL, 1, 0, &block), SPN_ERR_ARG);
    CHECK_EQ(spn_block_alloc(stage.rt, 1, 0, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_block_alloc(stage.rt, 0, 0, &block), SPN_ERR_ARG);
    CHECK_EQ(spn_block_alloc(stage.rt, PAGES * PAGE_BYTES + 1, 0, &block),
             SPN_ERR_MEMORY);
    CHECK_EQ(spn_block_alloc(stage.rt, (uint64_t)1 << 32, 0, &block),
             SPN_ERR_MEMORY);
    CHECK_EQ(spn_block_alloc(stage.rt, PAGE_BYTES + 1, 0, &block), SPN_OK);
    /* It can never fit beside the existing block. */
    CHECK_EQ(spn_block_alloc(stage.rt, PAGES * PAGE_BYTES, 0, &second),
             SPN_ERR_MEMORY);
    CHECK_EQ_U(spn_block_get_extents(NULL, block, extents, 2), 0);
    CHECK_EQ_U(spn_block_get_extents(stage.rt, 0, extents, 2), 0);
    CHECK_EQ_U(spn_block_get_extents(stage.rt, block, NULL, 0), 1);
    CHECK_EQ_U(spn_block_get_extents(stage.rt, block, extents, 2), 1);
    CHECK_EQ_U(extents[0].bytes, PAGE_BYTES + 1);
    CHECK(extents[1].data == NULL);
    CHECK_EQ(spn_block_free(NULL, block), SPN_ERR_ARG);
    CHECK_EQ(spn_block_free(stage.rt, 0), SPN_ERR_HANDLE);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_ERR_HANDLE);
    CHECK_EQ_U(spn_block_get_extents(stage.rt, block, extents, 2), 0);
    stage_close(&stage);
}

/* Blocks take all available memory while a clip plays. The clip misses no
 * frame, and the caller cannot free the clip's pages. */
static void blocks_leave_streams_alone(void)
{
    const struct tiny_options o = {.frame_count = 61, .mesh_count = 2};
    static spn_block blocks[TAKEN_MAX];
    uint32_t taken = 0;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 1 << 20;
    stage_open(&stage);
    for (uint32_t handle = 0; handle < 1u << 20; handle++)
        CHECK_EQ(spn_block_free(stage.rt, (handle & 15u) << 16 | handle >> 4),
                 SPN_ERR_HANDLE);
    for (int round = 0; round < 3; round++) {
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
        stage_tick(&stage, 0);
        while (taken < TAKEN_MAX &&
               spn_block_alloc(stage.rt, 1000, 0, &blocks[taken]) == SPN_OK)
            taken++;
        CHECK(taken > 0 && taken < TAKEN_MAX);
        stage_until_ready(&stage, node);
        stage_play(&stage, node, 0, 1000000);
        CHECK_EQ(spn_node_destroy(stage.rt, node), SPN_OK);
        while (taken > 0)
            CHECK_EQ(spn_block_free(stage.rt, blocks[--taken]), SPN_OK);
        stage_until_empty(&stage);
    }
    stage_close(&stage);
}

/* A block that does not fit beside frames read ahead, or kept after they were
 * shown, has them freed at once, also between two updates. What playback needs
 * now stays. */
static void a_block_evicts_frames_read_ahead(void)
{
    const struct tiny_options o = {.frame_count = 400, .mesh_count = 4};
    const uint32_t bytes = 64 << 10;
    spn_heap_stats stats;
    spn_block block;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage.config.heap_bytes = 1 << 20;
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "10000"), SPN_OK);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 0);
    stage_play(&stage, node, 0, 3000000);
    spn_heap_get_stats(stage.rt, &stats);
    CHECK(stats.free_bytes < bytes);
    CHECK_EQ(spn_block_alloc(stage.rt, bytes, 0, &block), SPN_OK);
    stage_check_frame(&stage, node, 0, 89);
    CHECK_EQ(spn_block_free(stage.rt, block), SPN_OK);
    stage_stop(&stage, node);
}

/* -- report of the memory -- */

static uint64_t bytes_of(const spn_config *config, spn_memory_table table)
{
    spn_memory_report report;
    uint64_t sum = 0;

    CHECK_EQ(spn_memory_get_report(config, &report), SPN_OK);
    for (uint32_t i = 0; i < SPN_MEMORY_TABLE_COUNT; i++)
        sum += report.rows[i].bytes;
    CHECK_EQ_U(sum, report.bytes);
    CHECK_EQ_U(sum, spn_memory_needed(config));
    return report.rows[table].bytes;
}

/* Each number of the config adds only to the memory of its own table. */
static void the_report_names_the_table_of_each_size(void)
{
    static const struct {
        size_t offset;
        uint32_t more;
        spn_memory_table table;
    } rows[] = {
        {offsetof(spn_config, job_count), 4096, SPN_MEMORY_JOBS},
        {offsetof(spn_config, trace_count), 4096, SPN_MEMORY_TRACE},
        {offsetof(spn_config, file_count), 500, SPN_MEMORY_FILES},
        {offsetof(spn_config, cache_count), 500, SPN_MEMORY_CACHES},
        {offsetof(spn_config, node_count), 500, SPN_MEMORY_NODES},
        {offsetof(spn_config, fill_count), 500, SPN_MEMORY_NODES},
        {offsetof(spn_config, pak_count), 40, SPN_MEMORY_PAKS},
        {offsetof(spn_config, heap_block_count), 900, SPN_MEMORY_HEAP_TABLES}};
    struct slow_platform disc;
    spn_config less = {
        .platform = &disc.table, .heap_bytes = 1 << 20, .pak_count = 1};

    slow_platform_init(&disc);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_config more = less;

        test_context("row %zu", i);
        memcpy((uint8_t *)&more + rows[i].offset, &rows[i].more, 4);
        for (uint32_t t = 0; t < SPN_MEMORY_TABLE_COUNT; t++) {
            uint64_t before = bytes_of(&less, (spn_memory_table)t);
            uint64_t after = bytes_of(&more, (spn_memory_table)t);

            if (t == (uint32_t)rows[i].table)
                CHECK(after > before + 1000);
            else /* the alignment of the next piece counts for that piece */
                CHECK(after < before + 64 && before < after + 64);
        }
    }
    CHECK(bytes_of(&less, SPN_MEMORY_HEAP) >= 1 << 20);
    CHECK(bytes_of(&less, SPN_MEMORY_WORKERS) > 0);
}

static void the_report_validates_its_arguments(void)
{
    struct slow_platform disc;
    spn_config config = {.platform = &disc.table, .heap_bytes = 1};
    spn_memory_report report;

    slow_platform_init(&disc);
    CHECK_EQ(spn_memory_get_report(NULL, &report), SPN_ERR_ARG);
    CHECK_EQ(spn_memory_get_report(&config, &report), SPN_ERR_ARG);
    config.heap_bytes = 0;
    CHECK_EQ(spn_memory_get_report(&config, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_memory_get_report(&config, &report), SPN_OK);
    CHECK_STR(report.rows[SPN_MEMORY_READS].name, "reads");
    CHECK_EQ(report.rows[SPN_MEMORY_READS].count, 64);
}

TEST_MAIN(TEST(the_report_names_the_table_of_each_size),
          TEST(the_report_validates_its_arguments), TEST(reads_fill_pieces),
          TEST(units_are_contiguous), TEST(arguments_are_refused),
          TEST(blocks_leave_streams_alone),
          TEST(a_block_evicts_frames_read_ahead))
